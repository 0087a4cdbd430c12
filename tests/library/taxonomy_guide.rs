//! The generated guide to the taxonomy is current.

use std::path::Path;

use sqlfault::fault::{Taxonomy, guide};

#[test]
fn the_guide_in_the_folder_is_what_the_yaml_files_say() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("taxonomy/README.md");
    let wanted = guide(&Taxonomy::embedded().unwrap());
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&file, &wanted).unwrap();
    }
    let written = std::fs::read_to_string(&file).unwrap_or_default();
    let line = wanted.lines().zip(written.lines()).position(|(wanted, written)| wanted != written);
    assert!(written == wanted, "taxonomy/README.md is not current from line {line:?}; run this test with UPDATE=1");
}
