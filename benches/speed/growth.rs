//! How time grows with the length of a script and with the number of records.

use std::fmt::Write;
use std::hint::black_box;

use sqlfault::code::schema::Schema;
use sqlfault::code::scope::{ResolvedScript, Scopes};
use sqlfault::code::script::Script;
use sqlfault::corpus::{Reference, ReferenceCard, read_texts};
use sqlfault::fault::Taxonomy;
use sqlfault::inject::{ScriptContext, propose};
use sqlfault::prove::varieties::databases;
use sqlfault::publish::record::TaskRecord;
use sqlfault::store::records_in;

use crate::clock::{at_sizes, in_turns};
use crate::table::{each, row, shown};

const LINES: [usize; 3] = [150, 1_500, 15_000];
const SCHEMA: &str = "CREATE TABLE a (id BIGINT, x INT, name STRING)";

/// A correct script of about `lines` lines: CTE after CTE, each reading the one before.
fn script(lines: usize) -> String {
    let mut text = String::from("WITH c0 AS (\n  SELECT id, x, name\n  FROM a\n)");
    for number in 1..lines / 10 {
        let before = number - 1;
        let _ = write!(
            text,
            ",\nc{number} AS (\n  SELECT p.id,\n    coalesce(p.x, q.x, 0) + 1 AS x,\n    CASE WHEN p.name = 'k' THEN concat(p.name, q.name) ELSE p.name END AS name\n  \
             FROM c{before} p\n  LEFT JOIN a q\n    ON p.id = q.id AND q.x > 1\n  WHERE p.id IS NOT NULL\n)"
        );
    }
    let _ = write!(text, "\nSELECT id, x, name FROM c{}", (lines / 10).saturating_sub(1));
    text
}

/// Measures reading, resolving and proposing at each length.
pub fn measure(taxonomy: &Taxonomy) {
    let schema = Schema::read(SCHEMA).expect("the DDL is right");
    let texts = LINES.map(script);
    let scripts: Vec<Script> = texts.iter().map(|text| Script::new(text.as_str())).collect();
    let scopes: Vec<Scopes> = scripts.iter().map(|script| Scopes::resolve(script, &schema)).collect();
    steps("read", &|at| drop(black_box(Script::new(texts[at].as_str()))));
    steps("resolve names", &|at| drop(black_box(Scopes::resolve(&scripts[at], &schema))));
    steps("propose every fault", &|at| {
        let context = ScriptContext::new(&scripts[at], &scopes[at], &schema);
        for operator in taxonomy.faults().iter().filter_map(|fault| fault.operator()) {
            black_box(propose(&context, operator));
        }
    });
}

fn steps(what: &str, work: &dyn Fn(usize)) {
    let times = at_sizes(LINES.map(|lines| LINES[2] / lines), work);
    for (pair, lines) in times.windows(2).zip(&LINES[1..]) {
        let ratio = pair[1].as_secs_f64() / pair[0].as_secs_f64();
        row(&format!("{what}, {lines} lines"), &shown(pair[1]), &shown(pair[0]), ratio, (12.0, false));
    }
}

/// Parts of generated scripts: four times as many may take at most ten times as long.
const PARTS: [usize; 2] = [500, 2_000];

/// Makes a script of so many parts.
type Written = fn(usize) -> String;

const KINDS: [(&str, Written); 3] = [
    ("conditions", |count| format!("SELECT a FROM t WHERE {}", many(count, |at| format!("a > {at}"), " AND "))),
    ("arms of a CASE", |count| {
        format!("SELECT CASE {} END AS x FROM t", many(count, |at| format!("WHEN a = {at} THEN {}", at + 1), " "))
    }),
    ("statements", |count| many(count / 4, |at| format!("SELECT a FROM t WHERE a > {at}"), ";\n")),
];

fn many(count: usize, part: impl Fn(usize) -> String, by: &str) -> String {
    (0..count).map(part).collect::<Vec<_>>().join(by)
}

/// Measures how the time of making databases grows with scripts that a program has written.
pub fn measure_generated() {
    for (kind, written) in KINDS {
        let [short, long] = PARTS.map(|parts| generated(written(parts)));
        let make = |reference: &Reference| {
            let ResolvedScript { script, scopes } = ResolvedScript::new(reference.script.text(), &reference.schema);
            black_box(databases(reference, &script, &scopes));
        };
        let [few, many] = in_turns([&mut || make(&short), &mut || make(&long)]);
        let ratio = many.as_secs_f64() / few.as_secs_f64();
        row(&format!("make databases, {} {kind}", PARTS[1]), &shown(many), &shown(few), ratio, (10.0, false));
    }
}

fn generated(script: String) -> Reference {
    let schema = "CREATE TABLE t (a INT)".to_owned();
    read_texts("t".to_owned(), script, schema, ReferenceCard::default()).expect("the script is within the limits")
}

/// Measures writing and reading 1,000 and 100,000 tasks: the cost of one must stay the same.
pub fn measure_records(issue: &str) {
    let record = |number: usize| {
        serde_json::json!({
            "instance_id": format!("{number:010}"), "track": "syntax", "dialect": "hive", "domain": "retail", "issue_sql": issue,
            "schema_ddl": issue, "parameters": { "bizdate": "2024-03-15" }, "error_message": "[PARSE_SYNTAX_ERROR]",
            "canary": "",
        })
    };
    // In portions, as in a stream: nothing of a portion is kept when the next begins.
    let portion = |portion: usize| {
        let mut lines = Vec::new();
        for number in 0..1_000 {
            serde_json::to_writer(&mut lines, &record(portion * 1_000 + number)).expect("memory takes it");
            lines.push(b'\n');
        }
        black_box(records_in::<TaskRecord>(&*lines).expect("it was written by us"));
    };
    let [few, many] = in_turns([&mut || portion(0), &mut || (0..100).for_each(portion)]);
    let (few, many) = (each(few, 1_000), each(many, 100_000));
    let ratio = many.as_secs_f64() / few.as_secs_f64();
    row(
        "write and read a task, 100,000 tasks",
        &shown(many),
        &format!("1,000 tasks: {}", shown(few)),
        ratio,
        (1.1, false),
    );
}
