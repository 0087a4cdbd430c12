//! An API key, which appears in nothing that is kept or shown.
//!
//! A provider may quote the key it was sent, and may write it in any form that JSON, HTML or an address allows. What is
//! kept or shown is therefore scrubbed after it is decoded: [`ApiKey::scrub_json`] for answers, and
//! [`ApiKey::scrub_error`] for errors, in which providers also quote the first or last characters of a key.

use serde_json::Value;

/// The shortest key, or part of a key, that is taken out of texts: shorter ones occur by chance, and a test server's
/// dummy key would garble every answer.
const SHORTEST: usize = 8;
/// What stands for the key.
const MARK: &str = "[key]";

/// A key from the environment. It has no `Debug` or `Display` that shows it.
#[derive(Clone)]
pub struct ApiKey(Option<String>);

impl ApiKey {
    /// Reads the key from an environment variable; without a variable there is no key.
    ///
    /// # Errors
    ///
    /// When the variable is not set or blank; the message names the variable only.
    pub fn from_environment(variable: Option<&str>) -> Result<ApiKey, String> {
        let Some(variable) = variable else { return Ok(ApiKey(None)) };
        match std::env::var(variable) {
            Ok(key) if !key.trim().is_empty() => Ok(ApiKey(Some(key.trim().to_owned()))),
            _ => Err(format!("the environment variable {variable} is not set; it holds the key")),
        }
    }

    /// A key given by a test.
    #[cfg(test)]
    pub fn of(key: &str) -> ApiKey {
        ApiKey(Some(key.to_owned()))
    }

    /// The key, for the header that carries it.
    pub fn expose(&self) -> Option<&str> {
        self.0.as_deref()
    }

    /// A decoded body without the whole key, in its texts and in the names of its fields.
    pub fn scrub_json(&self, value: Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.scrub(&text)),
            Value::Array(items) => items.into_iter().map(|item| self.scrub_json(item)).collect(),
            Value::Object(fields) => {
                fields.into_iter().map(|(name, field)| (self.scrub(&name), self.scrub_json(field))).collect()
            }
            other => other,
        }
    }

    /// A text without the whole key, however its characters are written.
    pub fn scrub(&self, text: &str) -> String {
        match self.letters() {
            Some(key) => replaced(text, |rest| written(rest, &key)),
            None => text.to_owned(),
        }
    }

    /// The words of an error without the key and without the beginnings and ends of it.
    pub fn scrub_error(&self, text: &str) -> String {
        let Some(key) = self.letters() else { return text.to_owned() };
        let whole = replaced(text, |rest| written(rest, &key));
        let starts = (SHORTEST..key.len()).rev().map(|length| &key[..length]);
        let ends = (1..=key.len() - SHORTEST).map(|start| &key[start..]);
        starts.chain(ends).fold(whole, |text, part| replaced(&text, |rest| written(rest, part)))
    }

    /// The characters of the key; `None` if there is none or it is too short to be looked for.
    fn letters(&self) -> Option<Vec<char>> {
        let letters: Vec<char> = self.0.as_deref()?.chars().collect();
        (letters.len() >= SHORTEST).then_some(letters)
    }
}

/// The text with [`MARK`] in place of every stretch whose length in bytes `found` tells.
fn replaced(text: &str, found: impl Fn(&str) -> Option<usize>) -> String {
    let (mut clean, mut at) = (String::with_capacity(text.len()), 0);
    while let Some(letter) = text[at..].chars().next() {
        match found(&text[at..]) {
            Some(length) => {
                clean.push_str(MARK);
                at += length;
            }
            None => {
                clean.push(letter);
                at += letter.len_utf8();
            }
        }
    }
    clean
}

/// How many bytes at the start of `text` write these characters, each as itself or escaped.
fn written(text: &str, letters: &[char]) -> Option<usize> {
    letters.iter().try_fold(0, |at, letter| Some(at + written_letter(&text[at..], *letter)?))
}

/// How many bytes at the start of `text` write one character: as itself, escaped for JSON (`\/`, `\u002d`), for HTML
/// (`&#45;`, `&#x2d;`) or for an address (`%2D`).
fn written_letter(text: &str, letter: char) -> Option<usize> {
    if text.starts_with(letter) {
        return Some(letter.len_utf8());
    }
    if !text.starts_with(['\\', '%', '&']) {
        return None;
    }
    let code = u32::from(letter);
    let forms = [
        format!("\\{letter}"),
        format!("\\u{code:04x}"),
        format!("%{code:02x}"),
        format!("&#{code};"),
        format!("&#x{code:x};"),
    ];
    forms
        .iter()
        .find(|form| text.get(..form.len()).is_some_and(|start| start.eq_ignore_ascii_case(form)))
        .map(String::len)
}

impl std::fmt::Debug for ApiKey {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Key")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Attack | a key in every form that a text can have it | in plain | `[key]`
    #[test]
    fn a_key_is_taken_out_in_every_form_and_does_not_show_itself() {
        let key = ApiKey::of("sk-a/b\"odd");
        for written in [
            r#"sk-a/b"odd"#, r#"sk-a\/b\"odd"#, r"\u0073k\u002Da\/b\u0022odd", "sk%2Da%2fb%22odd",
            "sk&#45;a&#x2F;b&#34;odd",
        ] {
            assert_eq!(key.scrub(&format!("bad {written}, {written}!")), "bad [key], [key]!", "{written}");
        }
        assert_eq!(format!("{key:?}"), "Key");
        let missing = ApiKey::from_environment(Some("SQLFAULT_NO_SUCH_VARIABLE")).unwrap_err();
        assert!(missing.contains("SQLFAULT_NO_SUCH_VARIABLE"));
    }

    #[test]
    fn a_decoded_body_is_clean_in_texts_and_names() {
        let key = ApiKey::of("sk-secret-1");
        let body = serde_json::json!({"sk-secret-1": ["x sk-secret-1", {"a": "\\u0073k-secret-1"}], "n": 1});
        assert_eq!(key.scrub_json(body), serde_json::json!({"[key]": ["x [key]", {"a": "[key]"}], "n": 1}));
    }

    /// Attack | key `a` or `STRING` | answers garbled | answers untouched
    #[test]
    fn parts_go_from_errors_only_and_nothing_short_goes_at_all() {
        let key = ApiKey::of("sk-secret-123456");
        let said = "Incorrect key sk-secre****3456, or cret-123456";
        assert_eq!(key.scrub_error(said), "Incorrect key [key]****3456, or [key]");
        assert_eq!(key.scrub(said), said);
        for short in ["a", "STRING", "sk-shor"] {
            let dummy = ApiKey::of(short);
            let answer = "SELECT a FROM t -- STRING sk-shor";
            assert_eq!((dummy.scrub(answer), dummy.scrub_error(answer)), (answer.to_owned(), answer.to_owned()));
        }
    }
}
