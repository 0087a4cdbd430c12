//! EM: is the prediction the same text as the reference?

use crate::code::script::Script;

/// Whether two texts are the same: the paper's exact match. Blanks at both ends do not count, because extracting the
/// SQL from an answer does not keep them.
pub fn exact_match(prediction: &str, reference: &str) -> bool {
    prediction.trim() == reference.trim()
}

/// Whether two scripts have the same significant tokens in the same order. Blanks and comments (including hints) do not
/// count, but letter case does.
pub fn exact_match_normalised(prediction: &Script, reference: &Script) -> bool {
    let texts = |script: &Script| -> Vec<(usize, usize)> {
        script.tokens().iter().map(|token| (token.span().start, token.span().end)).collect()
    };
    let (left, right) = (texts(prediction), texts(reference));
    left.len() == right.len()
        && left.iter().zip(&right).all(|(a, b)| prediction.text()[a.0..a.1] == reference.text()[b.0..b.1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layout_and_comments_count_for_one_of_the_two_only() {
        let cases = [
            ("SELECT a FROM t;", "SELECT a FROM t;\n", true, true),
            ("SELECT a\n FROM t -- why\n;", "SELECT a FROM t;", false, true),
            ("SELECT /*+ x */ a FROM t;", "SELECT a FROM t;", false, true),
            ("select a FROM t;", "SELECT a FROM t;", false, false),
            ("SELECT 'a  b'", "SELECT 'a b'", false, false),
            ("SELECT a FROM t", "SELECT a FROM t;", false, false),
        ];
        for (left, right, exact, normalised) in cases {
            assert_eq!(exact_match(left, right), exact, "{left} / {right}");
            let scripts = (Script::new(left), Script::new(right));
            assert_eq!(exact_match_normalised(&scripts.0, &scripts.1), normalised, "{left} / {right}");
        }
    }
}
