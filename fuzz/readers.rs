//! What must hold for any bytes that a user feeds to a reader. Shared by the fuzz targets and `tests/library/readers.rs`.

use std::collections::BTreeMap;

use sqlfault::code::profile::Profile;
use sqlfault::code::schema::Schema;
use sqlfault::code::scope::Scopes;
use sqlfault::code::script::Script;
use sqlfault::corpus::ReferenceCard;
use sqlfault::engine::spark_rules::judge;
use sqlfault::fault::Taxonomy;
use sqlfault::inject::Mutant;
use sqlfault::publish::record::{GoldRecord, TaskRecord};
use sqlfault::store::records_in;
use sqlfault::store::yaml::read_yaml;

/// A script: nothing panics, tokens rejoin to the text, and every place lies in it.
#[allow(dead_code, reason = "each fuzz target uses one of these")]
pub fn script(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let script = Script::new(text);
    let joined: String = script.all_tokens().iter().map(|token| token.span().of(text)).collect();
    assert_eq!(joined, text, "tokens rejoin to the text");
    for node in script.tree().ids() {
        assert!(
            text.get(script.tree().span(node).start..script.tree().span(node).end).is_some(),
            "a node lies in the text"
        );
    }
    for (_, error) in script.errors() {
        assert!(error.span.end <= text.len() && !error.to_string().is_empty(), "an error lies in the text");
    }
    let schema = Schema::default();
    let scopes = Scopes::resolve(&script, &schema);
    assert!(scopes.problems().iter().all(|problem| problem.span.end <= text.len()), "a problem lies in the text");
    let refused = judge(&script, &scopes, &schema);
    assert!(refused.is_some() || script.is_valid(), "what does not parse is refused");
    Profile::of(&script);
}

/// Table definitions: nothing panics, and an error says its line.
#[allow(dead_code, reason = "each fuzz target uses one of these")]
pub fn ddl(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match Schema::read(text) {
        Ok(schema) => assert!(!schema.tables.is_empty(), "a schema has tables"),
        Err(error) => assert!(error.place.line >= 1 && error.place.line <= text.lines().count().max(1) + 1, "{error}"),
    }
}

/// YAML of domains and of the taxonomy: nothing panics, and an error is one line with its place.
#[allow(dead_code, reason = "each fuzz target uses one of these")]
pub fn yaml(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Err(error) = read_yaml::<ReferenceCard>(text) {
        assert!(error.line >= 1 && !error.message.contains('\n'), "{error}");
    }
    let files = BTreeMap::from([("a/b.yaml".to_owned(), text.to_owned())]);
    if let Err(error) = Taxonomy::of_files(&files) {
        assert!(error.to_string().starts_with("a/b.yaml:"), "{error}");
    }
}

/// Records: nothing panics, an error names a line that is there, and what is read can be written and read again.
#[allow(dead_code, reason = "each fuzz target uses one of these")]
pub fn jsonl(bytes: &[u8]) {
    let named = |line: usize| assert!(line >= 1 && line <= bytes.split(|byte| *byte == b'\n').count(), "line {line}");
    match records_in::<TaskRecord>(bytes) {
        Err((line, _)) => named(line),
        Ok(tasks) => {
            for task in &tasks {
                let line = serde_json::to_vec(task).expect("a record has a JSON form");
                assert_eq!(&records_in::<TaskRecord>(&*line).expect("it was written by us")[0], task);
            }
        }
    }
    if let Err((line, _)) = records_in::<GoldRecord>(bytes) {
        named(line);
    }
    for mutant in records_in::<Mutant>(bytes).unwrap_or_default() {
        let _ = mutant.edits.apply("SELECT größe FROM t");
    }
}
