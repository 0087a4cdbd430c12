//! Reads kinds of mistakes, or a message, out of a reply. Text between `<think>` and `</think>` never counts.

use serde_json::Value;

use crate::reply::{json_in, without_thoughts};

/// The names of the chosen kinds, best first; each is an id or the name of a leaf. `None` if there is no list.
pub fn chosen(reply: &str) -> Option<Vec<String>> {
    let value = json_in(without_thoughts(reply))?;
    let list = value.get("candidate_errors").unwrap_or(&value).as_array()?.clone();
    let name = |item: &Value| {
        let fields = ["id", "error_type", "level3_error_type", "level3"];
        let field = || fields.iter().find_map(|field| item.get(field)?.as_str());
        item.as_str().or_else(field).map(|name| name.trim().to_lowercase())
    };
    Some(list.iter().filter_map(name).collect())
}

/// The message in a reply, on one line, without quotes around it; `None` if it is empty or fenced.
pub fn message(reply: &str) -> Option<String> {
    let bare = without_thoughts(reply).trim_matches(['"', '“', '”']).split_whitespace().collect::<Vec<_>>().join(" ");
    (!bare.is_empty() && !bare.contains("```")).then_some(bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_read_as_ids_and_as_the_papers_levels() {
        let wanted = Some(vec!["a-b".to_owned(), "c d".to_owned()]);
        for reply in [
            r#"{"candidate_errors": ["a-b", "C D"]}"#,
            "<think>[\"x\"]</think>```json\n{\"candidate_errors\": [{\"id\": \"a-b\"}, {\"level1_error_type\": \"x\", \"level3_error_type\": \"c d\"}]}\n```",
            r#"Here they are: ["a-b", " c d "] "#,
        ] {
            assert_eq!(chosen(reply), wanted, "{reply}");
        }
        for reply in ["", "a-b", "{\"candidate_errors\": \"a-b\"}", "{", "[}"] {
            assert_eq!(chosen(reply), None, "{reply}");
        }
    }
}
