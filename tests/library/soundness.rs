//! A script whose result depends on more than its data is no reference: each such cause is refused, or comparison makes
//! it harmless.

use std::fs;

use sqlfault::corpus::{FolderOptions, Reference, read_folder};
use sqlfault::prove::{ReferenceRefusal, Subject};

const SCHEMA: &str =
    "CREATE TABLE shop.visit (visit_id BIGINT, city STRING, visitor STRING, spent DOUBLE, day STRING);";

/// A reference of one script over [`SCHEMA`].
fn reference_of(script: &str) -> Reference {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("shop/visits");
    fs::create_dir_all(&place).expect("a folder for the script");
    fs::write(place.join("script.sql"), script).expect("a script");
    fs::write(place.join("schema.sql"), SCHEMA).expect("a schema");
    let card = "domain: shop\ntitle: Visits\nintention: Says who came.\nscenario: A shop.\nparameters: {}\n";
    fs::write(place.join("card.yaml"), card).expect("a card");
    let mut references =
        read_folder(folder.path(), &FolderOptions::default(), None).expect("the folder is read").references;
    references.remove(0).expect("the reference is read")
}

fn refusal(script: &str) -> String {
    match Subject::new(&reference_of(script)) {
        Ok(_) => "accepted".to_owned(),
        Err(ReferenceRefusal::Nondeterministic { .. }) => "nondeterministic".to_owned(),
        Err(refusal) => refusal.to_string(),
    }
}

#[test]
fn ties_that_decide_what_is_kept_are_refused_and_a_total_order_is_not() {
    for (script, expected) in [
        ("SELECT visit_id FROM shop.visit ORDER BY 1 = 1 LIMIT 3", "nondeterministic"),
        ("SELECT visit_id FROM shop.visit ORDER BY visit_id LIMIT 3", "accepted"),
        (
            "SELECT visit_id FROM (SELECT visit_id, ROW_NUMBER() OVER (ORDER BY 1 = 1) AS rn FROM shop.visit) t WHERE rn = 1",
            "nondeterministic",
        ),
        (
            "SELECT visit_id FROM (SELECT visit_id, ROW_NUMBER() OVER (PARTITION BY city ORDER BY visit_id) AS rn \
             FROM shop.visit) t WHERE rn = 1",
            "accepted",
        ),
    ] {
        assert_eq!(refusal(script), expected, "{script}");
    }
}

#[test]
fn a_window_frame_may_be_laid_out_in_any_way() {
    let script = "SELECT visit_id, COUNT(*) OVER (ORDER BY visit_id ROWS BETWEEN /* all */ UNBOUNDED -- before\n \
                  PRECEDING AND 1\n PRECEDING) AS n FROM shop.visit";
    assert_eq!(refusal(script), "accepted");
}

#[test]
fn chance_is_refused_with_its_name_and_the_clock_is_pinned() {
    for (script, name) in [
        ("SELECT visit_id, rand() AS r FROM shop.visit", "rand"),
        ("SELECT visit_id, uuid() AS u FROM shop.visit", "uuid"),
    ] {
        let words = refusal(script);
        assert!(words.to_lowercase().contains(name), "{script}: {words}");
    }
    // The clock is pinned for a run.
    for script in [
        "SELECT visit_id FROM shop.visit WHERE day < current_timestamp()",
        "SELECT visit_id, unix_timestamp() AS u FROM shop.visit",
    ] {
        assert_eq!(refusal(script), "accepted", "{script}");
    }
}

#[test]
fn unordered_collectors_and_floating_sums_are_harmless_where_order_does_not_show() {
    for script in [
        "SELECT city, COLLECT_SET(visitor) AS visitors FROM shop.visit GROUP BY city",
        "SELECT city, CONCAT_WS(',', SORT_ARRAY(COLLECT_LIST(visitor))) AS visitors FROM shop.visit GROUP BY city",
        "SELECT city, CONCAT_WS(',', COLLECT_LIST(visitor)) AS visitors FROM shop.visit GROUP BY city",
        "SELECT city, SUM(spent * 0.1) AS spent, AVG(spent / 3) AS mean FROM shop.visit GROUP BY city",
    ] {
        assert_eq!(refusal(script), "accepted", "{script}");
    }
    let script = "SELECT city, UPPER(CONCAT_WS(',', COLLECT_LIST(visitor))) AS visitors FROM shop.visit GROUP BY city";
    assert_eq!(refusal(script), "nondeterministic");
}

#[test]
fn every_written_table_of_a_script_is_part_of_its_result() {
    let multi = "FROM shop.visit v\n\
                 INSERT OVERWRITE TABLE shop.by_city SELECT v.city, COUNT(*) GROUP BY v.city\n\
                 INSERT OVERWRITE TABLE shop.by_day SELECT v.day, COUNT(*) GROUP BY v.day";
    let single = "CREATE TABLE shop.big AS SELECT visit_id, city FROM shop.visit WHERE visit_id > 0;\n\
                  CREATE TABLE shop.cities AS SELECT DISTINCT city FROM shop.big";
    for (script, tables) in [(multi, ["shop.by_city", "shop.by_day"]), (single, ["shop.big", "shop.cities"])] {
        let reference = with_targets(script);
        let subject = Subject::new(&reference).unwrap_or_else(|refusal| panic!("{script}: {refusal}"));
        let written: Vec<&str> = subject.baseline[0].result.tables.iter().map(|table| table.target.as_str()).collect();
        assert_eq!(written, tables, "{script}");
    }
}

/// A reference with further tables, which scripts write.
fn with_targets(script: &str) -> Reference {
    let mut reference = reference_of(script);
    let targets =
        "CREATE TABLE shop.by_city (city STRING, visits BIGINT); CREATE TABLE shop.by_day (day STRING, visits BIGINT);";
    reference.schema_text = format!("{SCHEMA}\n{targets}");
    reference.schema = sqlfault::code::schema::Schema::read(&reference.schema_text).expect("the schema reads");
    reference
}
