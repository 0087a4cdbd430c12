//! How the author of a script writes keywords.

use super::vocabulary::is_keyword;
use crate::code::script::Script;
use crate::code::token::TokenKind;

/// The letter case in which a script's keywords stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeywordCase {
    upper: bool,
}

impl KeywordCase {
    /// The case of most keywords of a script.
    pub fn of(script: &Script) -> KeywordCase {
        let words = script.tokens().iter().filter(|token| token.kind == TokenKind::Word);
        let keywords = words.map(|token| token.span().of(script.text())).filter(|word| is_keyword(word));
        let (mut upper, mut lower) = (0, 0);
        for word in keywords {
            if word.bytes().any(|byte| byte.is_ascii_lowercase()) { lower += 1 } else { upper += 1 }
        }
        KeywordCase { upper: upper > lower }
    }

    /// A keyword as this author writes it; anything else as it is.
    pub fn write(self, word: &str) -> String {
        if self.upper && is_keyword(word) { word.to_ascii_uppercase() } else { word.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_follow_the_case_of_the_script_and_names_stay() {
        let upper = KeywordCase::of(&Script::new("SELECT a FROM t where b = 1"));
        assert_eq!((upper.write("group"), upper.write("amount")), ("GROUP".to_owned(), "amount".to_owned()));
        assert_eq!(KeywordCase::of(&Script::new("select a from t")).write("group"), "group");
    }
}
