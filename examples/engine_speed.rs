//! Measures the embedded engine on the seeds: translation, preparation, runs and comparison, on rows made of the
//! scripts' own literals. `cargo run --release --example engine_speed [seeds folder] [rows a table]`
#![allow(clippy::print_stdout)]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use sqlfault::code::parameters::Parameters;
use sqlfault::code::schema::Schema;
use sqlfault::code::scope::Scopes;
use sqlfault::code::script::Script;
use sqlfault::code::tree::Kind;
use sqlfault::code::types::Type;
use sqlfault::engine::compare;
use sqlfault::engine::sqlite::{Limits, Sqlite, Translation};
use sqlfault::engine::table::{Database, ResultColumn, ResultTable, Row, ScriptResult, TableRows, Value};

#[derive(serde::Deserialize)]
struct Card {
    #[serde(default)]
    parameters: Parameters,
}

struct Case {
    name: String,
    schema: Schema,
    script: Script,
    scopes: Scopes,
    translation: Translation,
    database: Database,
}

fn folders(root: &Path) -> Vec<PathBuf> {
    let list = |path: &Path| -> Vec<PathBuf> {
        let mut entries: Vec<PathBuf> = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
        entries.retain(|entry| entry.is_dir());
        entries.sort();
        entries
    };
    list(root).iter().flat_map(|domain| list(domain)).collect()
}

fn random(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*state >> 33) as usize
}

fn database(script: &Script, schema: &Schema, rows: usize) -> Database {
    let mut words: Vec<String> = vec!["a".into(), "b".into(), "k1".into()];
    for id in script.tree().ids().filter(|id| script.tree().kind(*id) == Kind::Text) {
        words.push(sqlfault::code::literal::text_value(script.slice(id)));
    }
    let dates: Vec<String> = words.iter().filter(|word| word.starts_with("20")).cloned().collect();
    let mut state = 42;
    let mut pick = |list: &[String]| list[random(&mut state) % list.len()].clone();
    let mut value = |name: &str, data_type: &Type| match data_type {
        Type::Int | Type::BigInt | Type::Boolean => Value::Integer(pick(&words).len() as i64 % 3),
        Type::Double | Type::Decimal(..) => Value::Real(pick(&words).len() as f64 * 1.25),
        Type::Array(_) => Value::Text("[]".into()),
        Type::Map(..) | Type::Struct(_) => Value::Text("{}".into()),
        _ if name == "dt" || name.contains("date") => Value::Text(dates.first().cloned().unwrap_or_default()),
        _ if name.ends_with("_id") || name.ends_with("_code") => Value::Text(format!("k{}", pick(&words).len() % 9)),
        _ => Value::Text(pick(&words)),
    };
    let tables = schema.tables.iter().map(|table| TableRows {
        table: table.name.clone(),
        rows: (0..rows).map(|_| table.columns.iter().map(|c| value(&c.name, &c.data_type)).collect()).collect(),
    });
    Database { tables: tables.collect() }
}

fn case(folder: &Path, rows: usize) -> Option<Case> {
    let read = |file: &str| std::fs::read_to_string(folder.join(file)).unwrap();
    let schema = Schema::read(&read("schema.sql")).ok()?;
    let card: Card = serde_saphyr::from_str(&read("seed.yaml")).ok()?;
    let script = card.parameters.bind_script(&Script::new(read("script.sql"))).ok()?;
    let scopes = Scopes::resolve(&script, &schema);
    let translation = Sqlite::translate(&script, &scopes, &schema, &card.parameters).ok()?;
    let database = database(&script, &schema, rows);
    Some(Case { name: folder.display().to_string(), schema, script, scopes, translation, database })
}

fn time(rounds: usize, mut work: impl FnMut()) -> Duration {
    work();
    let mut times: Vec<Duration> = (0..rounds)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed()
        })
        .collect();
    times.sort();
    times[rounds / 2]
}

/// A result of mixed columns, and the same rows in another order.
fn shuffled(rows: usize, columns: usize) -> [ScriptResult; 2] {
    let mut state = 7;
    let cell = |row: usize, column: usize| match column % 4 {
        0 => Value::Integer((row * 7919 % rows) as i64),
        1 => Value::Text(format!("user_{}", row * 31 % 1000)),
        2 => Value::Real(row as f64 / 3.0),
        _ if row.is_multiple_of(11) => Value::Null,
        _ => Value::Text(format!("2024-03-{:02}", row % 28 + 1)),
    };
    let types = [Type::BigInt, Type::String, Type::Double, Type::Date];
    let described = (0..columns).map(|at| ResultColumn {
        name: format!("c{at}"),
        data_type: types[at % 4].clone(),
        unordered: false,
    });
    let rows: Vec<Row> = (0..rows).map(|row| (0..columns).map(|column| cell(row, column)).collect()).collect();
    let table = ResultTable { target: String::new(), columns: described.collect(), rows, ordered: false };
    let mut other = table.clone();
    for at in (1..other.rows.len()).rev() {
        other.rows.swap(at, random(&mut state) % (at + 1));
    }
    [table, other].map(|table| ScriptResult { tables: vec![table] })
}

fn comparisons() {
    for (rows, columns) in [(10, 8), (1_000, 8), (10_000, 8), (100_000, 8), (100_000, 30)] {
        let [left, mut right] = shuffled(rows, columns);
        assert!(compare(&left, &right).is_equal());
        let equal = time(9, || {
            std::hint::black_box(compare(&left, &right));
        });
        right.tables[0].rows[0][0] = Value::Integer(-1);
        let different = time(9, || {
            std::hint::black_box(compare(&left, &right));
        });
        println!("compare {rows} x {columns} shuffled: equal {equal:?}, one cell wrong {different:?}");
    }
}

fn main() {
    comparisons();
    let root = std::env::args().nth(1).unwrap_or_else(|| "seeds".to_owned());
    let rows = std::env::args().nth(2).and_then(|rows| rows.parse().ok()).unwrap_or(30);
    let cases: Vec<Case> = folders(Path::new(&root)).iter().filter_map(|folder| case(folder, rows)).collect();
    let parameters = Parameters::default();
    let mut totals = [Duration::ZERO; 6];
    for case in &cases {
        let loaded = Sqlite::open(&case.schema, &case.database).unwrap();
        let limits = Limits::default();
        let translate = time(50, || {
            std::hint::black_box(Sqlite::translate(&case.script, &case.scopes, &case.schema, &parameters).ok());
        });
        let resolve = time(30, || {
            std::hint::black_box(Scopes::resolve(&case.script, &case.schema));
        });
        let prepare = time(30, || loaded.prepare(&case.translation).unwrap());
        let result = match loaded.run(&case.translation, &limits) {
            Ok(result) => result,
            Err(error) => {
                println!("{}: {error}", case.name);
                continue;
            }
        };
        let run = time(30, || {
            std::hint::black_box(loaded.run(&case.translation, &limits).ok());
        });
        let open = time(10, || {
            std::hint::black_box(Sqlite::open(&case.schema, &case.database).ok());
        });
        let comparison = time(20, || {
            std::hint::black_box(compare(&result, &result));
        });
        let given: usize = result.tables.iter().map(|table| table.rows.len()).sum();
        println!(
            "{:60} resolve {resolve:>8.0?} translate {translate:>8.0?} prepare {prepare:>8.0?} run {run:>8.0?} open {open:>8.0?} rows {given}",
            case.name
        );
        for (total, part) in totals.iter_mut().zip([resolve, translate, prepare, run, open, comparison]) {
            *total += part;
        }
    }
    let mean = totals.map(|total| total / cases.len().max(1) as u32);
    println!(
        "{} scripts, mean: resolve {:?} translate {:?} prepare {:?} prepare+run {:?} open {:?} compare {:?}",
        cases.len(),
        mean[0],
        mean[1],
        mean[2],
        mean[3],
        mean[4],
        mean[5]
    );
}
