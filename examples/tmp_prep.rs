use std::time::Instant;
fn main() {
    let sql = std::fs::read_to_string(std::env::args().nth(1).unwrap()).unwrap();
    let ddl = std::fs::read_to_string(std::env::args().nth(2).unwrap()).unwrap();
    let schema = sqlfault::code::schema::Schema::read(&ddl).unwrap();
    let c = rusqlite::Connection::open_in_memory().unwrap();
    sqlfault::engine::sqlite::functions::register(&c).unwrap();
    for t in &schema.tables {
        let cols: Vec<String> = t.columns.iter().map(|c| format!("\"{}\"", c.name)).collect();
        c.execute_batch(&format!("create table \"{}\"({})", t.name, cols.join(","))).unwrap();
    }
    let mut best = vec![];
    for _ in 0..200 { let s = Instant::now(); let _st = c.prepare(&sql).unwrap(); best.push(s.elapsed()); }
    best.sort();
    let mut st = c.prepare(&format!("explain {sql}")).unwrap();
    let n = st.query_map([], |_| Ok(())).unwrap().count();
    println!("{:?} ops {n} len {}", best[100], sql.len());
}
