//! The table of attacks in `docs/security.md` is generated from the tests: each test that is an attack has a line
//! `/// Attack | what is tried | what happened before | what happens now` above it.

use std::path::{Path, PathBuf};

/// Where the table begins in the page.
const HEADING: &str = "## Attacks\n";

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The rows of the table from the tests in a file.
fn rows(root: &Path, file: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(file).unwrap();
    let name = file.strip_prefix(root).unwrap().display().to_string();
    let mut rows = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let Some(row) = line.trim().strip_prefix("/// Attack | ") else { continue };
        let [tried, before, now] = row.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("{name}:{}: an attack has what is tried, what happened before and what happens now", at + 1);
        };
        let mut below = text.lines().skip(at + 1).map(str::trim).take_while(|line| !line.ends_with('{'));
        assert!(below.any(|line| line == "#[test]"), "{name}:{}: an attack without a test", at + 1);
        rows.push(format!("| {tried} | `{name}` | {before} | {now} |"));
    }
    rows
}

#[test]
fn the_table_of_attacks_is_made_of_the_tests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    ["tests", "src"].iter().for_each(|folder| sources(&root.join(folder), &mut files));
    files.sort();
    let rows: Vec<String> = files.iter().flat_map(|file| rows(root, file)).collect();
    assert!(rows.len() > 30, "{rows:#?}");
    let intro = "Made of the tests: each row stands above the test that tries it. `–`: it did no harm before either.";
    let head = "| tried | by | before | now |\n|---|---|---|---|";
    let table = format!("{HEADING}\n{intro}\n\n{head}\n{}\n", rows.join("\n"));
    let page = root.join("docs/security.md");
    let text = std::fs::read_to_string(&page).unwrap();
    let (before, _) = text.split_once(HEADING).unwrap();
    let made = format!("{before}{table}");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&page, &made).unwrap();
    }
    let hint = "`UPDATE=1 cargo test --test library attacks` writes it again";
    assert!(std::fs::read_to_string(&page).unwrap() == made, "docs/security.md is out of date: {hint}");
}
