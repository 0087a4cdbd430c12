//! Reads JSON texts, and keeps the values of those read last: a query that takes forty fields of a struct would otherwise
//! parse it forty times for each row.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::thread::LocalKey;

use serde_json::Value as Json;

use crate::engine::sqlite::work::add_parsing;

/// How many texts are kept.
const KEPT: usize = 8;
/// A longer text is kept alone.
const LONG: usize = 1 << 16;

/// Texts with the values that they hold; `None` for one that holds none.
type RecentTexts = RefCell<VecDeque<(Vec<u8>, Option<Rc<Json>>)>>;

thread_local! {
    /// Texts that hold nested values as this program writes them.
    static NESTED: RecentTexts = const { RefCell::new(VecDeque::new()) };
    /// Texts of data that hold JSON.
    static DATA: RecentTexts = const { RefCell::new(VecDeque::new()) };
}

/// Forgets all texts that were read, so that work is counted as on a new thread.
pub fn forget_texts() {
    NESTED.with_borrow_mut(VecDeque::clear);
    DATA.with_borrow_mut(VecDeque::clear);
}

/// Reads the nested value that a text holds; `None` if it holds none.
pub(super) fn read_nested(bytes: &[u8]) -> Option<Json> {
    add_parsing(bytes.len());
    serde_json::from_slice(bytes).ok()
}

/// Returns the nested value that a text holds; `None` if it holds none.
pub(super) fn nested_value(bytes: &[u8]) -> Option<Rc<Json>> {
    kept(&NESTED, bytes, read_nested)
}

/// Returns the JSON value with which a text of data begins; `None` if it begins with none.
pub(super) fn json_of_data(text: &str) -> Option<Rc<Json>> {
    kept(&DATA, text.as_bytes(), |bytes| read_json(std::str::from_utf8(bytes).ok()?))
}

/// Reads the first JSON value of a text; what follows it does not matter. Single quotes are taken for double ones if
/// the text cannot be read otherwise.
pub(super) fn read_json(source: &str) -> Option<Json> {
    add_parsing(source.len());
    let first = |source: &str| serde_json::Deserializer::from_str(source).into_iter::<Json>().next()?.ok();
    first(source).or_else(|| if source.contains('\'') { first(&requoted(source)) } else { None })
}

fn requoted(source: &str) -> String {
    let mut result = String::new();
    let (mut quote, mut escaped) = (None, false);
    for c in source.chars() {
        match (quote, c) {
            _ if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            _ => {}
        }
        match (c, quote) {
            ('\'', Some('\'') | None) => result.push('"'),
            ('"', Some('\'')) => result.push_str("\\\""),
            _ => result.push(c),
        }
    }
    result
}

fn kept(
    texts: &'static LocalKey<RecentTexts>,
    bytes: &[u8],
    parse: impl FnOnce(&[u8]) -> Option<Json>,
) -> Option<Rc<Json>> {
    texts.with_borrow_mut(|texts| {
        if let Some((_, known)) = texts.iter().find(|(text, _)| text == bytes) {
            return known.clone();
        }
        let value = parse(bytes).map(Rc::new);
        if bytes.len() > LONG {
            texts.clear();
        }
        texts.truncate(KEPT - 1);
        texts.push_front((bytes.to_vec(), value.clone()));
        value
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_those_of_their_texts_however_many_are_kept() {
        for round in 0..3 {
            for number in 0..2 * KEPT {
                let text = format!("{{\"k\": {number}}}");
                let value = nested_value(text.as_bytes()).expect("it is JSON");
                assert_eq!(value["k"], number, "round {round}");
            }
        }
        assert_eq!(nested_value(b"{"), None);
        assert_eq!(json_of_data("{'k': 1} rest").expect("it begins with JSON")["k"], 1);
        assert_eq!(nested_value(b"{'k': 1} rest"), None, "the two kinds of text are kept apart");
    }
}
