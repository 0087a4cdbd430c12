//! Global temporary views: in one session `global_temp.v` is what a temporary view `v` would be.

use std::collections::BTreeSet;

use crate::code::Words;
use crate::code::edit::{Edit, with_edits};
use crate::code::span::Span;

/// Returns a script whose global temporary views are temporary views, under the name alone. A script that has a table or
/// another view of that name as well stays as it is.
pub(super) fn with_session_views(text: &str) -> String {
    if !text.to_lowercase().contains("global_temp") {
        return text.to_owned();
    }
    let words = Words::of(text);
    let (mut views, mut edits) = (BTreeSet::new(), Vec::new());
    for at in 0..words.count() {
        let Some(name) = global_view(&words, at) else { continue };
        views.insert(words.at(name).to_lowercase());
        edits.push(Edit::deletion(Span::new(words.span(at).start, words.span(at + 1).start)));
    }
    for at in 0..words.count() {
        let is_view = |at: usize| views.contains(&words.at(at).to_lowercase());
        if words.is(at, "global_temp") && words.at(at + 1) == "." && is_view(at + 2) {
            edits.push(Edit::deletion(Span::new(words.span(at).start, words.span(at + 2).start)));
        } else if READS.iter().any(|word| words.is(at, word)) && is_view(at + 1) {
            return text.to_owned();
        }
    }
    edits.sort_by_key(|edit| edit.start);
    with_edits(text, &edits)
}

/// Words before the name of a table that is read; of a global view it is never the bare name.
const READS: [&str; 2] = ["FROM", "JOIN"];

/// The position of the name of a global temporary view whose `GLOBAL` stands at `at`; `None` if none is made there.
fn global_view(words: &Words<'_>, at: usize) -> Option<usize> {
    let is_kind = words.are(at, "GLOBAL TEMPORARY VIEW") || words.are(at, "GLOBAL TEMP VIEW");
    let name = at + 3;
    is_kind.then(|| if words.are(name, "IF NOT EXISTS") { name + 3 } else { name })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_global_view_is_read_under_its_own_name() {
        for (text, expected) in [
            (
                "CREATE OR REPLACE GLOBAL TEMP VIEW Adults AS SELECT id FROM p; SELECT a.id FROM global_temp.adults a",
                "CREATE OR REPLACE TEMP VIEW Adults AS SELECT id FROM p; SELECT a.id FROM adults a",
            ),
            (
                "CREATE GLOBAL TEMPORARY VIEW v AS SELECT 1; SELECT global_temp.v.x FROM GLOBAL_TEMP.v, global_temp.w",
                "CREATE TEMPORARY VIEW v AS SELECT 1; SELECT v.x FROM v, global_temp.w",
            ),
            (
                "CREATE GLOBAL TEMP VIEW v AS SELECT 1; SELECT * FROM v JOIN global_temp.v",
                "CREATE GLOBAL TEMP VIEW v AS SELECT 1; SELECT * FROM v JOIN global_temp.v",
            ),
            ("SELECT * FROM global_temp.v -- made elsewhere", "SELECT * FROM global_temp.v -- made elsewhere"),
        ] {
            assert_eq!(with_session_views(text), expected);
        }
    }
}
