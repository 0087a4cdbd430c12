//! The change feeds of Delta's tables: `table_changes('t', 0)` gives the rows that were changed in a table, and when.

use crate::code::Words;
use crate::code::edit::{Edit, with_edits};

/// Returns a script with a table `t_changes` in place of each `table_changes('t', …)`: the feed of a table is no query of its
/// rows, but input of its own, with `_change_type`, `_commit_version` and `_commit_timestamp` beside the table's columns.
pub(super) fn with_tables_for_change_feeds(text: &str) -> String {
    if !text.to_lowercase().contains("table_changes") {
        return text.to_owned();
    }
    let words = Words::of(text);
    let edits = (0..words.count()).filter_map(|at| {
        let close = words.closing(at + 1).filter(|_| words.are(at, "table_changes ("))?;
        let table = words.at(at + 2).strip_prefix(['\'', '"'])?.strip_suffix(['\'', '"'])?;
        let is_name = table.chars().all(|c| c.is_alphanumeric() || "_.${}:".contains(c));
        is_name.then(|| Edit::on_as_many_lines(text, words.cover(at..close + 1), format!("{table}_changes")))
    });
    with_edits(text, &edits.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_feed_of_a_table_is_a_table() {
        for (written, read) in [
            ("SELECT a FROM table_changes('d.t', 0, 5) c", "SELECT a FROM d.t_changes c"),
            ("FROM TABLE_CHANGES(\n  '${s}.t', last(x)\n) JOIN u", "FROM ${s}.t_changes\n\n JOIN u"),
            ("SELECT table_changes FROM t", "SELECT table_changes FROM t"),
            ("FROM table_changes(concat('a', 'b'), 0)", "FROM table_changes(concat('a', 'b'), 0)"),
        ] {
            assert_eq!(with_tables_for_change_feeds(written), read);
        }
    }
}
