//! Types of expressions against those that Spark gives them.

use std::fs;

use sqlfault::code::schema::Schema;
use sqlfault::code::scope::ResolvedScript;

#[test]
fn expressions_have_the_types_of_spark() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/spark_types.tsv");
    let text = fs::read_to_string(path).expect("the recorded types are part of the project");
    let ddl = text.lines().find_map(|line| line.strip_prefix("# CREATE ")).expect("the table is recorded");
    let schema = Schema::read(&format!("CREATE {ddl}")).expect("the DDL is right");
    let mut differences = Vec::new();
    let mut compared = 0;
    for (expression, expected) in text.lines().filter_map(|line| line.split_once('\t')) {
        let ResolvedScript { script, scopes } =
            ResolvedScript::new(format!("SELECT {expression} AS v FROM t"), &schema);
        assert_eq!(scopes.problems(), [], "{expression}");
        let found = scopes.outputs(script.statements()[0])[0].data_type.to_string();
        compared += 1;
        if found != expected {
            differences.push(format!("{expression}: {found} instead of {expected}"));
        }
    }
    assert!(compared > 200, "{compared}");
    assert!(differences.is_empty(), "{} of {compared}:\n{}", differences.len(), differences.join("\n"));
}
