use std::collections::HashSet;

use rusqlite::Connection;

use super::translate::written_functions;
use super::*;

fn registered() -> HashSet<String> {
    let connection = Connection::open_in_memory().unwrap();
    functions::register(&connection).unwrap();
    run::register(&connection).unwrap();
    let mut statement = connection.prepare("SELECT name FROM pragma_function_list").unwrap();
    let names = statement.query_map([], |row| row.get(0)).unwrap();
    names.map(Result::unwrap).collect()
}

#[test]
fn every_function_that_translations_write_is_registered() {
    let registered = registered();
    let missing: Vec<String> = written_functions().into_iter().filter(|name| !registered.contains(name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
