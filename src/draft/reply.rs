//! What a model says → kinds of mistakes, a script, or a message. Text between `<think>` and `</think>` never counts.

use serde_json::Value;

/// A reply without the model's thinking aloud; thoughts that never end leave nothing.
fn without_thoughts(reply: &str) -> &str {
    match (reply.rfind("</think>"), reply.find("<think>")) {
        (Some(end), _) => reply[end + "</think>".len()..].trim(),
        (None, Some(start)) => reply[..start].trim(),
        (None, None) => reply.trim(),
    }
}

/// The JSON in a reply, bare or fenced.
fn json(reply: &str) -> Option<Value> {
    let start = reply.find(['{', '['])?;
    let end = reply.rfind(['}', ']'])?;
    serde_json::from_str(reply.get(start..=end)?).ok()
}

/// The names of the chosen kinds, best first; each is an id or the name of a leaf. None when there is no list.
pub fn chosen(reply: &str) -> Option<Vec<String>> {
    let value = json(without_thoughts(reply))?;
    let list = value.get("candidate_errors").unwrap_or(&value).as_array()?.clone();
    let name = |item: &Value| {
        let fields = ["id", "error_type", "level3_error_type", "level3"];
        let field = || fields.iter().find_map(|field| item.get(field)?.as_str());
        item.as_str().or_else(field).map(|name| name.trim().to_lowercase())
    };
    Some(list.iter().filter_map(name).collect())
}

/// The script in a reply: `issue_sql` of a JSON object, or the last fenced block that has a word of SQL in it. A block that
/// is never closed reaches to the end.
pub fn script(reply: &str) -> Option<String> {
    let reply = without_thoughts(reply);
    let named = json(reply).and_then(|value| Some(value.get("issue_sql")?.as_str()?.to_owned()));
    named.or_else(|| fenced(reply)).filter(|sql| !sql.trim().is_empty())
}

fn fenced(text: &str) -> Option<String> {
    let mut blocks: Vec<String> = Vec::new();
    let mut open: Option<String> = None;
    for line in text.split_inclusive('\n') {
        match (&mut open, line.trim_start().starts_with("```")) {
            (Some(_), true) => blocks.extend(open.take()),
            (Some(block), false) => block.push_str(line),
            (None, true) => open = Some(String::new()),
            (None, false) => {}
        }
    }
    blocks.extend(open);
    let is_sql = |block: &&String| block.to_lowercase().contains("select") || block.to_lowercase().contains("from");
    blocks.iter().rfind(is_sql).cloned()
}

/// The message in a reply, on one line, without quotes around it; none when it is empty or fenced.
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

    #[test]
    fn scripts_are_read_from_blocks_and_json() {
        for reply in [
            "```sql\nSELECT 1\n```",
            "It is\n```\nnothing\n```\nno,\n```sql\nSELECT 1\n```\nDone.",
            "<think>```sql\nSELECT 2\n```</think>\n```sql\nSELECT 1\n",
            "{\"level1_error_type\": \"x\", \"issue_sql\": \"SELECT 1\\n\"}",
        ] {
            assert_eq!(script(reply).as_deref().map(str::trim), Some("SELECT 1"), "{reply}");
        }
        for reply in ["", "SELECT 1", "```\n\n```", "I cannot do that.", "{\"issue_sql\": 3}"] {
            assert_eq!(script(reply), None, "{reply}");
        }
    }
}
