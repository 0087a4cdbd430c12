use std::collections::BTreeMap;

use super::*;
use crate::code::edit::Edit;

fn task(context: SolverContext) -> TaskRecord {
    let parameters = BTreeMap::from([("dt".into(), "2024-03-15".into())]);
    TaskRecord {
        domain: "logistics".into(),
        parameters,
        context,
        translated_from: None,
        files: Vec::new(),
        canary: "c".into(),
        ..TaskRecord::example("3f2a", "SELECT 2", "")
    }
}

fn gold() -> GoldRecord {
    GoldRecord {
        instance_id: "3f2a".into(),
        reference_sql: "SELECT 1".into(),
        files: Vec::new(),
        read_tables: Vec::new(),
        alternatives: Vec::new(),
        labels: Vec::new(),
        edits: Edits::new(vec![Edit { start: 7, end: 8, text: "1".into() }]).unwrap(),
        parts: Vec::new(),
        location: Location { line: 1, column: 8, statement: 1, cte: None, clause: "SELECT".into() },
        critique: Vec::new(),
        patch: patch("SELECT 2", "SELECT 1"),
        evidence: Evidence::Rejected {
            engine: "sqlite".into(),
            stage: "parse".into(),
            class: "syntax".into(),
            message: "near".into(),
            judges: Vec::new(),
        },
        complexity: ScriptComplexity::default(),
        difficulty: None,
        provenance: Provenance::default(),
    }
}

#[test]
fn records_survive_writing_and_reading() {
    for context in [SolverContext::ErrorMessage("near".into()), SolverContext::UserQuery("wrong".into())] {
        let task = task(context);
        let line = serde_json::to_string(&task).unwrap();
        assert_eq!(serde_json::from_str::<TaskRecord>(&line).unwrap(), task);
    }
    let line = serde_json::to_string(&gold()).unwrap();
    assert_eq!(serde_json::from_str::<GoldRecord>(&line).unwrap(), gold());
}

#[test]
fn unknown_fields_and_contexts_that_do_not_fit_the_track_are_refused() {
    let line = serde_json::to_string(&task(SolverContext::UserQuery("wrong".into()))).unwrap();
    for (old, new) in
        [("\"canary\"", "\"hint\":\"x\",\"canary\""), ("\"semantic\"", "\"syntax\""), ("\"user_query\":\"wrong\",", "")]
    {
        assert!(line.contains(old));
        assert!(serde_json::from_str::<TaskRecord>(&line.replace(old, new)).is_err(), "{new}");
    }
    let gold = serde_json::to_string(&gold()).unwrap();
    for (old, new) in [("\"engine\"", "\"x\":1,\"engine\""), ("\"patch\"", "\"x\":1,\"patch\"")] {
        assert!(serde_json::from_str::<GoldRecord>(&gold.replacen(old, new, 1)).is_err(), "{new}");
    }
}

#[test]
fn the_public_line_has_the_documented_fields_in_order() {
    let line = serde_json::to_value(task(SolverContext::UserQuery("wrong".into()))).unwrap();
    let names: Vec<&str> = line.as_object().unwrap().keys().map(String::as_str).collect();
    let documented = "instance_id track dialect domain issue_sql schema_ddl parameters user_query canary";
    assert_eq!(names.join(" "), documented);
}

#[test]
fn a_translated_task_names_the_dialect_that_it_was_written_in() {
    let translated =
        TaskRecord { translated_from: Some("snowflake".into()), ..task(SolverContext::UserQuery("wrong".into())) };
    let line = serde_json::to_value(&translated).unwrap();
    assert_eq!((&line["dialect"], &line["translated_from"]), (&"hive".into(), &"snowflake".into()));
    assert_eq!(serde_json::from_value::<TaskRecord>(line).unwrap(), translated);
}

#[test]
fn gold_edits_repair_the_issue_and_nothing_else() {
    assert_eq!(gold().repairs("SELECT 2"), Ok(true));
    assert_eq!(gold().repairs("SELECT 2 x"), Ok(false));
    assert!(gold().patch.contains("-SELECT 2"));
}
