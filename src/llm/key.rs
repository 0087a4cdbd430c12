//! A key, which appears nowhere.

/// A key from the environment. It has no `Debug` or `Display` that shows it.
#[derive(Clone)]
pub struct Key(Option<String>);

impl Key {
    /// Reads it from the environment; the error names the variable only.
    pub fn from_environment(variable: Option<&str>) -> Result<Key, String> {
        let Some(variable) = variable else { return Ok(Key(None)) };
        match std::env::var(variable) {
            Ok(key) if !key.trim().is_empty() => Ok(Key(Some(key.trim().to_owned()))),
            _ => Err(format!("the environment variable {variable} is not set; it holds the key")),
        }
    }

    /// A key given by a test.
    #[cfg(test)]
    pub fn of(key: &str) -> Key {
        Key(Some(key.to_owned()))
    }

    /// The key, for the header that carries it.
    pub fn expose(&self) -> Option<&str> {
        self.0.as_deref()
    }

    /// A text without the key: some providers quote it (or its first or last letters) in their errors.
    pub fn scrub(&self, text: &str) -> String {
        let Some(key) = &self.0 else { return text.to_owned() };
        let mut clean = text.replace(key.as_str(), "[key]");
        let escaped = serde_json::to_string(key).unwrap_or_default();
        clean = clean.replace(escaped.trim_matches('"'), "[key]");
        clean
    }
}

impl std::fmt::Debug for Key {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Key")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_taken_out_of_texts_and_does_not_show_itself() {
        let key = Key::of("sk-\"odd");
        assert_eq!(key.scrub(r#"bad sk-"odd, bad sk-\"odd"#), "bad [key], bad [key]");
        assert_eq!(format!("{key:?}"), "Key");
        let missing = Key::from_environment(Some("SQLFAULT_NO_SUCH_VARIABLE")).unwrap_err();
        assert!(missing.contains("SQLFAULT_NO_SUCH_VARIABLE"));
    }
}
