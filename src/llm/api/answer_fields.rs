//! Fields of an answer's body.

use serde_json::Value;

pub(super) fn number(body: &Value, pointer: &str) -> u64 {
    body.pointer(pointer).and_then(Value::as_u64).unwrap_or(0)
}

pub(super) fn word(body: &Value, pointer: &str) -> String {
    body.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// The texts of blocks, joined.
pub(super) fn joined<'a>(blocks: impl Iterator<Item = &'a Value>) -> String {
    blocks.filter_map(|block| block.get("text").and_then(Value::as_str)).collect()
}
