//! The files of a reference that consists of several: ranges that tile its one text.
//!
//! Everything else sees the text alone. Files are run one after the other, as statements are.

use serde::{Deserialize, Serialize};

use crate::code::edit::Edits;
use crate::code::span::Span;

/// A file of a script: a range of the script's text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptFile {
    /// Its name: `02_stage_orders.sql`.
    pub path: String,
    /// Its first byte in the text.
    pub start: usize,
    /// One past its last byte, where the next file begins.
    pub end: usize,
}

impl ScriptFile {
    /// Returns its text.
    pub fn text<'t>(&self, script: &'t str) -> &'t str {
        Span::new(self.start, self.end).of(script)
    }
}

/// Returns the texts of named files one after the other, and where each lies in the whole. A file whose last line has
/// no end gets one, so that the next file begins a line.
pub fn joined(files: impl IntoIterator<Item = (String, String)>) -> (String, Vec<ScriptFile>) {
    let (mut whole, mut found) = (String::new(), Vec::new());
    for (path, text) in files {
        let start = whole.len();
        whole.push_str(&text);
        if !text.ends_with('\n') {
            whole.push('\n');
        }
        found.push(ScriptFile { path, start, end: whole.len() });
    }
    (whole, found)
}

/// Returns the files of a script after edits of its text. What is put in where a file begins belongs to that file; a
/// change that reaches into the next file belongs to the one in which it begins.
pub fn after(files: &[ScriptFile], edits: &Edits) -> Vec<ScriptFile> {
    let moved = |bound: usize| {
        let before = edits.as_slice().iter().take_while(|edit| edit.start < bound);
        let place = before.fold((0, 0), |(removed, added), edit| {
            (removed + edit.end.min(bound) - edit.start, added + edit.text.len())
        });
        bound - place.0 + place.1
    };
    let last = files.len().saturating_sub(1);
    // The first file begins at 0, and the last one ends with the text, whatever is put in there.
    let end = |(number, file): (usize, &ScriptFile)| moved(if number == last { file.end + 1 } else { file.end });
    let mut start = 0;
    let file = |(number, file): (usize, &ScriptFile)| {
        let end = end((number, file)) - usize::from(number == last);
        ScriptFile { path: file.path.clone(), start: std::mem::replace(&mut start, end), end }
    };
    files.iter().enumerate().map(file).collect()
}

/// Whether files tile a text of so many bytes: the first begins it, each begins where the one before ends, the last ends
/// it. No files tile any text.
pub fn tile(files: &[ScriptFile], bytes: usize) -> bool {
    let mut place = 0;
    let follows =
        files.iter().all(|file| std::mem::replace(&mut place, file.end) == file.start && file.start <= file.end);
    files.is_empty() || follows && place == bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::edit::Edit;

    fn files() -> (String, Vec<ScriptFile>) {
        let file = |path: &str, text: &str| (path.to_owned(), text.to_owned());
        joined([file("1.sql", "a;\n"), file("2.sql", "b;"), file("3.sql", "c;\n")])
    }

    /// The texts of the files after an edit.
    fn edited(edit: Edit) -> Vec<String> {
        let (text, files) = files();
        let edits = Edits::new(vec![edit]).unwrap();
        let changed = edits.apply(&text).unwrap();
        let files = after(&files, &edits);
        assert!(tile(&files, changed.len()), "{files:?} of {changed:?}");
        files.iter().map(|file| file.text(&changed).to_owned()).collect()
    }

    #[test]
    fn files_tile_their_text_before_and_after_edits() {
        let (text, files) = files();
        assert_eq!(text, "a;\nb;\nc;\n");
        assert!(tile(&files, text.len()) && !tile(&files, text.len() + 1) && !tile(&files[1..], text.len()));
        assert_eq!(edited(Edit::insertion(0, "x")), ["xa;\n", "b;\n", "c;\n"]);
        assert_eq!(edited(Edit::insertion(3, "x")), ["a;\n", "xb;\n", "c;\n"]);
        assert_eq!(edited(Edit::replacement(Span::new(3, 4), "xy")), ["a;\n", "xy;\n", "c;\n"]);
        assert_eq!(edited(Edit::deletion(Span::new(1, 4))), ["a", ";\n", "c;\n"]);
        assert_eq!(edited(Edit::insertion(9, "x")), ["a;\n", "b;\n", "c;\nx"]);
        assert_eq!(edited(Edit::replacement(Span::new(7, 9), "")), ["a;\n", "b;\n", "c"]);
    }
}
