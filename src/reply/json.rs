//! JSON in a reply, whether or not it is strict.

use serde_json::Value;

use super::blocks::json_bodies;

/// Fields that hold the SQL of an answer.
const FIELDS: [&str; 2] = ["predict_sql", "issue_sql"];

/// The JSON object or array in a reply: the reply itself, the last fenced block that is one, or what stands between the
/// first and the last bracket.
pub fn json_in(reply: &str) -> Option<Value> {
    let is_container = |value: &Value| value.is_object() || value.is_array();
    let read = |text: &str| serde_json::from_str(text.trim()).ok().filter(is_container);
    let bracketed = || {
        let start = reply.find(['{', '['])?;
        let end = reply.rfind(['}', ']'])?;
        read(reply.get(start..=end)?)
    };
    read(reply).or_else(|| json_bodies(reply).filter_map(|body| read(&body)).last()).or_else(bracketed)
}

/// The text of the field that holds the SQL.
pub(super) fn sql_field(reply: &str) -> Option<String> {
    let strict = json_in(reply).and_then(|value| {
        let text = FIELDS.iter().find_map(|field| value.get(field)?.as_str());
        text.map(str::to_owned)
    });
    strict.or_else(|| FIELDS.iter().find_map(|field| loose_field(reply, field)))
}

/// The text after `"field":` in an object that is no strict JSON: in single, triple or back quotes, or with line breaks
/// as they are. It ends at the last quote before the last `}`, so it must be the last field.
fn loose_field(reply: &str, field: &str) -> Option<String> {
    let open = reply.find('{')?;
    let named = ["\"", "'"].iter().find_map(|quote| {
        let key = format!("{quote}{field}{quote}");
        reply[open..].find(&key).map(|at| open + at + key.len())
    })?;
    let value = reply[named..].trim_start().strip_prefix(':')?.trim_start();
    let value = value[..value.rfind('}')?].trim_end();
    let value = value.strip_suffix(',').unwrap_or(value).trim_end();
    let quote = ["\"\"\"", "'''", "\"", "'", "`"].into_iter().find(|quote| value.starts_with(quote))?;
    let inner = value.strip_prefix(quote)?.strip_suffix(quote)?;
    // Strict JSON apart from its line breaks; anything else is taken as it stands.
    let escaped = format!("\"{}\"", inner.replace('\r', "\\r").replace('\n', "\\n").replace('\t', "\\t"));
    Some(serde_json::from_str(&escaped).unwrap_or_else(|_| inner.replace("\\n", "\n").replace("\\t", "\t")))
}
