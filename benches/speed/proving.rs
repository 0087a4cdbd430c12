//! Proving semantic mutants, against the least that any proof costs: SQLite's prepare and run, and a digest of rows.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::hint::black_box;

use rusqlite::Connection;
use rusqlite::functions::{Aggregate, Context, FunctionFlags};
use rusqlite::types::{Value as SqlValue, ValueRef};
use sqlfault::code::scope::ResolvedScript;
use sqlfault::engine::compare::{Comparison, compare};
use sqlfault::engine::spark_rules::judge;
use sqlfault::engine::sqlite::{Limits, Sqlite, Translation, functions};
use sqlfault::engine::table::{Database, Value};
use sqlfault::fault::{Taxonomy, Track};
use sqlfault::inject::{Mutant, ScriptContext, propose};
use sqlfault::pipeline::MutantVerdict;
use sqlfault::prove::trial::{Candidate, try_semantic};
use sqlfault::prove::{Subject, Verdict};

use crate::clock::{alone, in_turns};
use crate::table::{each, row, shown};

/// Most mutants of a script that are measured.
const OF_EACH: usize = 12;

/// A mutant that the first database of its script tells from the reference.
struct Suspicion<'a> {
    subject: &'a Subject<'a>,
    mutant: Mutant,
    sql: String,
    bare: Connection,
}

/// Does all that a proof on the first database takes; returns whether the rows differ.
fn prove(suspicion: &Suspicion<'_>) -> bool {
    let Suspicion { subject, mutant, .. } = suspicion;
    let reference = subject.reference;
    let Some(verdict) = proved(subject, mutant, reference.script.text()) else { return false };
    black_box(serde_json::to_vec(&MutantVerdict { mutant: mutant.id.clone(), verdict }).ok());
    true
}

fn proved(subject: &Subject<'_>, mutant: &Mutant, original: &str) -> Option<Verdict> {
    let text = mutant.text(original).ok()?;
    let reread = subject.reread(&text, mutant.changed(original));
    let translation = reread.or_else(|| read_whole(subject, &text))?;
    let baseline = subject.baseline.first()?;
    let result = baseline.loaded.run(&translation, &Limits::default()).ok()?;
    match compare(&baseline.result, &result) {
        Comparison::Different(_) => {
            let rows_before = baseline.database.row_count();
            Some(Verdict::Killed { witness: Database::default(), trials: 1, rows_before, shown: None })
        }
        _ => None,
    }
}

fn read_whole(subject: &Subject<'_>, text: &str) -> Option<Translation> {
    let reference = subject.reference;
    let ResolvedScript { script: bound, scopes } =
        ResolvedScript::new(reference.parameters.bind(text).ok()?, &reference.schema);
    if judge(&bound, &scopes, &reference.schema).is_some() {
        return None;
    }
    Sqlite::translate(&bound, &scopes, &reference.schema, &reference.parameters).ok()
}

/// Does what SQLite alone takes: prepare, run, digest of every cell, finalise.
fn floor(suspicion: &Suspicion<'_>) {
    let mut digest = DefaultHasher::new();
    let mut statement = suspicion.bare.prepare(&suspicion.sql).expect("it ran before");
    let columns = statement.column_count();
    let mut rows = statement.raw_query();
    while let Some(row) = rows.next().expect("it ran before") {
        for column in 0..columns {
            match row.get_ref(column).expect("a column that is there") {
                ValueRef::Null => 0.hash(&mut digest),
                ValueRef::Integer(whole) => whole.hash(&mut digest),
                ValueRef::Real(number) => number.to_bits().hash(&mut digest),
                ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes.hash(&mut digest),
            }
        }
    }
    black_box(digest.finish());
}

/// Measures the mutants of every script whose translation is one query.
pub fn measure(subjects: &[Subject<'_>], taxonomy: &Taxonomy) {
    let suspicions: Vec<Suspicion<'_>> =
        subjects.iter().flat_map(|subject| suspicions(subject, taxonomy)).filter(prove).collect();
    let count = suspicions.len();
    let [ours, floor] =
        in_turns([&mut || suspicions.iter().for_each(|suspicion| assert!(prove(suspicion))), &mut || {
            suspicions.iter().for_each(floor)
        }]);
    let rate = |time| format!("{} = {:.0} a core-second", shown(each(time, count)), count as f64 / time.as_secs_f64());
    let what = format!("prove a semantic mutant ({count} mutants)");
    row(&what, &rate(ours), &format!("SQLite {}", rate(floor)), floor.as_secs_f64() / ours.as_secs_f64(), (0.8, true));
    whole(&suspicions);
}

/// Measures whole trials: databases one after the other, soundness, reduction of the witness.
fn whole(suspicions: &[Suspicion<'_>]) {
    let sample: Vec<&Suspicion<'_>> = suspicions.iter().step_by(8).collect();
    let mut runs = 0;
    let time = alone(&mut || {
        runs = 0;
        for Suspicion { subject, mutant, .. } in &sample {
            let original = subject.reference.script.text();
            let text = mutant.text(original).expect("it was applied before");
            let about: Vec<_> =
                mutant.nodes().into_iter().filter(|node| node.index() < subject.bound.tree().len()).collect();
            let candidate = Candidate { text: &text, changed: mutant.changed(original), about: &about };
            if let Verdict::Killed { trials, .. } = try_semantic(subject, &candidate) {
                runs += 2 * trials;
            }
        }
    });
    let one = each(time, sample.len());
    let what = format!("a whole trial with the smallest witness ({} runs each)", runs / sample.len().max(1));
    row(&what, &shown(one), "60 ms, derived from 60 s for 985 tasks", one.as_secs_f64() / 0.06, (1.0, false));
}

fn suspicions<'a>(subject: &'a Subject<'a>, taxonomy: &Taxonomy) -> Vec<Suspicion<'a>> {
    let reference = subject.reference;
    let scopes = reference.scopes();
    let context = ScriptContext::new(&reference.script, &scopes, &reference.schema);
    let faults = taxonomy.faults().iter().filter(|fault| fault.track == Track::Semantic);
    let proposals = faults.filter_map(|fault| Some((fault, propose(&context, fault.operator()?).into_iter().next()?)));
    let mutants = proposals.map(|(fault, proposal)| Mutant::new(&reference.id, &reference.key(), &fault.id, &proposal));
    mutants.filter_map(|mutant| suspicion(subject, mutant)).take(OF_EACH).collect()
}

fn suspicion<'a>(subject: &'a Subject<'a>, mutant: Mutant) -> Option<Suspicion<'a>> {
    let reference = subject.reference;
    proved(subject, &mutant, reference.script.text())?;
    let text = mutant.text(reference.script.text()).ok()?;
    let ResolvedScript { script: bound, scopes } =
        ResolvedScript::new(reference.parameters.bind(&text).ok()?, &reference.schema);
    let translation = Sqlite::translate(&bound, &scopes, &reference.schema, &reference.parameters).ok()?;
    let queries: Vec<&str> = translation.queries().collect();
    let [sql] = queries[..] else { return None };
    let bare = bare(subject)?;
    Some(Suspicion { subject, sql: sql.to_owned(), bare, mutant })
}

/// A plain connection, without guards, with the functions of the engine and the first database of a script.
fn bare(subject: &Subject<'_>) -> Option<Connection> {
    let connection = Connection::open_in_memory().ok()?;
    functions::register(&connection).ok()?;
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    connection.create_aggregate_function("h_single", 1, flags, First).ok()?;
    for table in subject.reference.schema.tables.iter() {
        let columns: Vec<String> = table.columns.iter().map(|column| format!("\"{}\"", column.name)).collect();
        connection.execute_batch(&format!("CREATE TABLE \"{}\"({})", table.name, columns.join(","))).ok()?;
    }
    for table in &subject.baseline.first()?.database.tables {
        for row in &table.rows {
            let places = vec!["?"; row.len()].join(",");
            let values = row.iter().map(|value| match value {
                Value::Null => SqlValue::Null,
                Value::Integer(whole) => SqlValue::Integer(*whole),
                Value::Real(number) => SqlValue::Real(*number),
                Value::Text(text) => SqlValue::Text(text.clone()),
            });
            let insert = format!("INSERT INTO \"{}\" VALUES({places})", table.table);
            connection.execute(&insert, rusqlite::params_from_iter(values)).ok()?;
        }
    }
    Some(connection)
}

/// Stands in for the engine's `h_single`: the value of a sub-query with one row.
struct First;

impl Aggregate<SqlValue, SqlValue> for First {
    fn init(&self, _: &mut Context<'_>) -> rusqlite::Result<SqlValue> {
        Ok(SqlValue::Null)
    }

    fn step(&self, context: &mut Context<'_>, seen: &mut SqlValue) -> rusqlite::Result<()> {
        *seen = context.get(0)?;
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, seen: Option<SqlValue>) -> rusqlite::Result<SqlValue> {
        Ok(seen.unwrap_or(SqlValue::Null))
    }
}
