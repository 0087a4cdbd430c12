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
    let Some((first, others)) = letters.split_first() else { return Some(0) };
    let plain = text.starts_with(*first).then_some(first.len_utf8());
    // `&amp;` writes `&`, or `&` and four other letters of a key.
    let mut lengths = [escaped(text, *first), plain].into_iter().flatten();
    lengths.find_map(|length| Some(length + written(&text[length..], others)?))
}

/// Characters of keys, each with the name that HTML has for it.
const NAMED: &str = "!excl \"quot #num $dollar %percnt &amp 'apos (lpar )rpar *ast +plus ,comma .period /sol :colon ;semi \
                     <lt =equals >gt ?quest @commat [lsqb \\bsol ]rsqb ^hat _lowbar `grave {lcub |verbar }rcub";

/// How many bytes at the start of `text` write one character escaped: for JSON (`\/`, `\u002d`), for HTML (`&#45;`,
/// `&#x002d;`, `&sol;`) or for an address (`%2D`); the last two also escaped again (`&amp;#45;`, `%252D`).
fn escaped(text: &str, letter: char) -> Option<usize> {
    let code = u32::from(letter);
    if let Some(rest) = text.strip_prefix('\\') {
        return [letter.to_string(), format!("u{code:04x}")]
            .iter()
            .find_map(|form| begins(rest, form))
            .map(|it| it + 1);
    }
    if let Some(rest) = text.strip_prefix('%') {
        return escaped_again(rest, "25", |rest| begins(rest, &format!("{code:02x}"))).map(|length| length + 1);
    }
    let name = NAMED.split(' ').find_map(|named| named.strip_prefix(letter)).map(|name| format!("{name};"));
    let entity = |rest: &str| {
        let named = name.as_ref().and_then(|name| begins(rest, name));
        named.or_else(|| number(rest, "#x", &format!("{code:x};"))).or_else(|| number(rest, "#", &format!("{code};")))
    };
    escaped_again(text.strip_prefix('&')?, "amp;", entity).map(|length| length + 1)
}

/// The length of `form` if `text` begins with it, in capitals or not.
fn begins(text: &str, form: &str) -> Option<usize> {
    text.get(..form.len()).filter(|start| start.eq_ignore_ascii_case(form)).map(str::len)
}

/// How many bytes at the start of `text` are a mark and digits, zeros before them left out.
fn number(text: &str, mark: &str, digits: &str) -> Option<usize> {
    let padded = &text[begins(text, mark)?..];
    let bare = padded.trim_start_matches('0');
    Some(text.len() - bare.len() + begins(bare, digits)?)
}

/// The length of an escape at the start of `text`, of which `length` gives the part that follows any number of `again`.
/// An escape that is escaped once more has one more `again` in it: `&#107;`, `&amp;#107;`, `&amp;amp;#107;`.
fn escaped_again(text: &str, again: &str, length: impl Fn(&str) -> Option<usize>) -> Option<usize> {
    let times = std::iter::successors(Some(0), |at| Some(at + begins(&text[*at..], again)?));
    times.filter_map(|at| Some(at + length(&text[at..])?)).last()
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
            r#"sk-a/b"odd"#,
            r#"sk-a\/b\"odd"#,
            r"\u0073k\u002Da\/b\u0022odd",
            "sk%2Da%2fb%22odd",
            "sk&#45;a&#x2F;b&#34;odd",
            "sk&#0045;a&sol;b&quot;odd",
            "sk&#x002D;a&SOL;b&QUOT;odd",
            "sk&amp;#45;a&amp;amp;sol;b&amp;quot;odd",
            "sk%252Da%25252fb%2522odd",
        ] {
            assert_eq!(key.scrub(&format!("bad {written}, {written}!")), "bad [key], [key]!", "{written}");
        }
        let key = ApiKey::of("a_key&50%off=x");
        for written in
            ["a&lowbar;key&amp;50&percnt;off&equals;x", "a%5Fkey%2650%25off%3dx", "a%255Fkey%252650%2525off%253dx"]
        {
            assert_eq!(key.scrub(written), "[key]", "{written}");
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
