//! A user's own folder of templates.

use super::*;

fn folder(rules: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let own = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("templates/complaint");
    std::fs::create_dir(folder.path().join("complaint")).unwrap();
    for file in std::fs::read_dir(own).unwrap().map(Result::unwrap) {
        std::fs::copy(file.path(), folder.path().join("complaint").join(file.file_name())).unwrap();
    }
    std::fs::write(folder.path().join("complaint/rules.yaml"), rules).unwrap();
    folder
}

#[test]
fn a_templates_folder_rewords_rules_and_a_broken_one_is_told() {
    let taxonomy = crate::fault::Taxonomy::embedded().unwrap();
    let load = |rules: &str| PhraseBook::load(folder(rules).path(), &taxonomy);
    let book = load("left-join-made-inner: nobody is dropped\nsum-made-average/sum: [it is a sum, add up]\n").unwrap();
    assert_eq!(book.rule(taxonomy.fault("left-join-made-inner").unwrap()).wordings, ["nobody is dropped"]);
    assert_eq!(book.rule(taxonomy.fault("sum-made-average").unwrap()).by_word["sum"], ["it is a sum", "add up"]);
    let kept = taxonomy.fault("distinct-dropped").unwrap();
    assert_eq!(book.rule(kept), &kept.rule);
    for (rules, problem) in [
        ("left-join-made-inner: [", "complaint/rules.yaml:1:"),
        ("no-such-fault: x", "is not a semantic fault"),
        ("left-join-made-inner: '{{ colum }}'", "uses `colum`"),
        ("left-join-made-inner: '{{ column'", "template"),
    ] {
        let message = load(rules).unwrap_err().to_string();
        assert!(message.contains(problem), "{message}");
    }
}

#[test]
fn a_file_of_rules_may_be_missing_but_not_unreadable() {
    let taxonomy = crate::fault::Taxonomy::embedded().unwrap();
    let folder = folder("");
    let rules = folder.path().join("complaint/rules.yaml");
    std::fs::write(&rules, b"left-join-made-inner: \xff").unwrap();
    let message = PhraseBook::load(folder.path(), &taxonomy).unwrap_err().to_string();
    assert!(message.contains("rules.yaml") && message.contains("save the file as UTF-8"), "{message}");
    std::fs::remove_file(&rules).unwrap();
    std::fs::create_dir(&rules).unwrap();
    assert!(PhraseBook::load(folder.path(), &taxonomy).is_err(), "a folder stands there");
    std::fs::remove_dir(&rules).unwrap();
    assert!(PhraseBook::load(folder.path(), &taxonomy).is_ok());
}
