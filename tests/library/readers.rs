//! Runs the bodies of the fuzz targets on random texts and on damaged files of the project, so that they are tested
//! without a fuzzer too.

#[path = "../../fuzz/readers.rs"]
mod targets;

use std::path::Path;

use crate::generated_sql;
use proptest::prelude::*;

fn file(path: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// Bytes of a file, cut, doubled or changed at some places.
fn damaged(content: Vec<u8>) -> impl Strategy<Value = Vec<u8>> {
    let places = prop::collection::vec((any::<prop::sample::Index>(), 0usize..40, 0u8..6, any::<u8>()), 0..6);
    places.prop_map(move |places| {
        let mut bytes = content.clone();
        for (at, length, change, byte) in places {
            let start = at.index(bytes.len().max(1));
            let end = (start + length).min(bytes.len());
            match change {
                0 => drop(bytes.drain(start..end)),
                1 => bytes.truncate(start),
                2 => bytes = [&bytes[..end], &bytes[start..]].concat(),
                3 => bytes.insert(start, byte),
                4 => bytes.insert(start, b"'\"`(){}[]:-,\n\t"[usize::from(byte) % 14]),
                _ => bytes[start..end].fill(b' '),
            }
        }
        bytes
    })
}

fn task(text: &str) -> Vec<u8> {
    let record = serde_json::json!({
        "instance_id": "0123456789", "track": "syntax", "dialect": "hive", "domain": "retail", "issue_sql": text, "schema_ddl": "",
        "parameters": { "bizdate": "2024-03-15" }, "error_message": "[PARSE_SYNTAX_ERROR] …", "canary": "c",
    });
    format!("{record}\n\n{record}\n").into_bytes()
}

#[test]
fn a_task_as_it_is_published_is_read() {
    assert_eq!(
        sqlfault::store::records_in::<sqlfault::publish::record::TaskRecord>(&task("SELECT 1")[..]).unwrap().len(),
        2
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 250, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_script_is_read(text in prop_oneof![generated_sql::script(), generated_sql::broken()]) {
        targets::script(text.as_bytes());
    }

    #[test]
    fn a_damaged_script_is_read(bytes in damaged(file("domains/finance/gl_subledger_recon/script.sql"))) {
        targets::script(&bytes);
    }

    #[test]
    fn damaged_table_definitions_are_read(bytes in damaged(file("domains/finance/gl_subledger_recon/schema.sql"))) {
        targets::ddl(&bytes);
    }

    #[test]
    fn any_text_is_read_as_table_definitions(text in generated_sql::broken()) {
        targets::ddl(text.as_bytes());
    }

    #[test]
    fn damaged_yaml_is_read(
        bytes in prop_oneof![
            damaged(file("domains/finance/gl_subledger_recon/card.yaml")),
            damaged(file("taxonomy/query-validation-and-rules/boolean-and-null.yaml")),
            any::<Vec<u8>>(),
        ]
    ) {
        targets::yaml(&bytes);
    }

    #[test]
    fn damaged_records_are_read(bytes in prop_oneof![damaged(task("SELECT größe FROM t")), any::<Vec<u8>>()]) {
        targets::jsonl(&bytes);
    }
}
