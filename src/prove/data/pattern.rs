//! Examples that match LIKE patterns and regular expressions.

use regex::Regex;

use super::regexp_text::matching;

/// Returns a text that matches a LIKE pattern: `%` becomes a short word, `_` a letter.
pub fn like_example(pattern: &str, variation: usize) -> String {
    let mut text = String::new();
    let mut chars = pattern.chars();
    while let Some(next) = chars.next() {
        match next {
            '%' => text.push_str(["x", "ab", "q1"][variation % 3]),
            '_' => text.push('a'),
            '\\' => text.extend(chars.next()),
            other => text.push(other),
        }
    }
    text
}

/// Returns a text that is likely to match several LIKE patterns: an example of each, one after the other, what a text
/// must begin with first and what it must end with last.
pub fn example_of_all(patterns: &[&str], variation: usize) -> String {
    let mut ordered = patterns.to_vec();
    ordered.sort_by_key(|pattern| (pattern.starts_with('%'), !pattern.ends_with('%')));
    ordered.dedup();
    ordered.into_iter().map(|pattern| like_example(pattern, variation)).collect()
}

/// Whether `text` matches a LIKE pattern.
pub fn is_like(text: &str, pattern: &str) -> bool {
    let mut expression = String::from("(?s)^");
    let mut chars = pattern.chars();
    while let Some(next) = chars.next() {
        match next {
            '%' => expression.push_str(".*"),
            '_' => expression.push('.'),
            '\\' => expression.push_str(&regex::escape(&chars.next().map(String::from).unwrap_or_default())),
            other => expression.push_str(&regex::escape(&other.to_string())),
        }
    }
    expression.push('$');
    is_match(text, &expression)
}

/// Whether a regular expression finds something in `text`; an expression that cannot be read finds nothing.
pub fn is_match(text: &str, pattern: &str) -> bool {
    Regex::new(pattern).is_ok_and(|expression| expression.is_match(text))
}

/// Returns a text that `pattern` matches, found among common forms or made from its structure; if neither does, the
/// plain letters of the pattern.
pub fn regexp_example(pattern: &str) -> String {
    const COMMON: [&str; 14] = [
        "12345", "abc", "A1", "a", "13800138000", "user@example.com", "10.0.0.1", "2024-03-15", "abc123", "1.5",
        "192.168.1.10", "https://example.com/a?b=1", "ABC", "x-1",
    ];
    let literal: String = first_alternatives(pattern).chars().filter(|c| !r"^$()[]{}*+?\|.".contains(*c)).collect();
    let tried = COMMON.iter().map(|text| (*text).to_owned()).chain([literal.clone(), format!("a{literal}b")]);
    let mut tried = [literal.clone()].into_iter().chain(tried);
    tried.find(|text| is_match(text, pattern)).or_else(|| matching(pattern, None)).unwrap_or(literal)
}

/// Returns the pattern with only the first alternative of each group, and without flags such as `(?i)`.
fn first_alternatives(pattern: &str) -> String {
    let mut kept = String::new();
    let mut depth = 0usize;
    let mut skipping: Option<usize> = None;
    for c in pattern.replace("(?i)", "").replace("(?:", "(").chars() {
        match c {
            '(' => depth += 1,
            ')' => {
                if skipping == Some(depth) {
                    skipping = None;
                }
                depth = depth.saturating_sub(1);
            }
            '|' if skipping.is_none() => skipping = Some(depth),
            _ if skipping.is_none() => kept.push(c),
            _ => {}
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_match_their_patterns() {
        for pattern in ["%abc%", "a_c", r"100\%", "", "%"] {
            assert!(is_like(&like_example(pattern, 1), pattern), "{pattern}");
        }
        for patterns in [["%un%", "%-%"], ["%.html", "/buy%"], ["%a", "%b%"]] {
            let example = example_of_all(&patterns, 0);
            assert!(patterns.iter().all(|pattern| is_like(&example, pattern)), "{example}");
        }
        for pattern in ["^[0-9]+$", "(?i)error|fail", "^(promo|ad)_", "[A-Z][0-9]", "^1[3-9]\\d{9}$"] {
            assert!(is_match(&regexp_example(pattern), pattern), "{pattern} {}", regexp_example(pattern));
        }
    }
}
