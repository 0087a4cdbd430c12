//! The files that documents name exist, and what must be in a document is there.

use std::path::Path;

use regex::Regex;
use sqlfault::export::formats::FORMATS;

#[test]
fn every_file_of_ours_that_a_document_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = r"(?:src|tests|docs|taxonomy|templates|domains|python|examples|benches|fuzz)";
    let named = Regex::new(&format!(r"[`(]({folders}/[\w./-]+)")).unwrap();
    let documents = std::fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let documents = documents.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let (mut absent, mut seen) = (Vec::new(), 0);
    for document in documents.chain([root.join("README.md"), root.join("CONTRIBUTING.md")]) {
        let text = std::fs::read_to_string(&document).unwrap();
        // `NAME` is a placeholder for a name that the reader chooses; `tests/test.sh` is in every exported Harbor task.
        let ours = |name: &str| !name.contains("NAME") && name != "tests/test.sh";
        let names = named.captures_iter(&text).filter(|name| ours(&name[1]));
        for name in names {
            seen += 1;
            if !root.join(name[1].trim_end_matches('.')).exists() {
                absent.push(format!("{}: {}", document.display(), &name[1]));
            }
        }
    }
    assert!(seen > 30 && absent.is_empty(), "{seen} names seen; absent:\n{}", absent.join("\n"));
}

#[test]
fn every_export_format_is_in_the_table_of_formats() {
    let page = include_str!("../../docs/exports.md");
    let table: String = page.lines().filter(|line| line.starts_with("| `")).collect();
    let absent: Vec<&str> =
        FORMATS.iter().map(|format| format.name).filter(|name| !table.contains(&format!("`{name}`"))).collect();
    assert!(absent.is_empty(), "docs/exports.md has no row for {absent:?}");
}
