//! Where a key stands in a YAML text that is written as blocks.

/// Returns the line (from 1) of the key at the end of `path`, else of the last part of `path` that is found, else 1.
///
/// ```text
/// tables:            path ["tables", "receipt", "columns"] is line 3
///   receipt:
///     columns:
/// ```
pub fn line_of(text: &str, path: &[&str]) -> usize {
    let mut found = 1;
    let mut inside: Option<usize> = None;
    let mut rest = path.iter();
    let mut wanted = rest.next();
    for (number, line) in text.lines().enumerate() {
        let Some(key) = wanted else { break };
        let body = line.trim_start().trim_start_matches("- ");
        let indent = line.len() - body.len();
        if body.is_empty() || body.starts_with('#') {
            continue;
        }
        if inside.is_some_and(|outer| indent <= outer) {
            break;
        }
        let name = body.split(':').next().unwrap_or(body).trim_matches(['"', '\'']);
        if name == *key && body.len() > name.len() {
            found = number + 1;
            inside = Some(indent);
            wanted = rest.next();
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::line_of;

    #[test]
    fn a_key_is_found_below_its_parents_only() {
        let text = "a:\n  key: 1\nb:\n  # key: no\n  c: {x: 1}\n  key: 2\nd: 3\n";
        assert_eq!(line_of(text, &["b", "key"]), 6);
        assert_eq!(line_of(text, &["a", "key"]), 2);
        assert_eq!(line_of(text, &["b", "none"]), 3);
        assert_eq!(line_of(text, &["none"]), 1);
    }
}
