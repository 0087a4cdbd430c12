//! Every name in whole scripts resolves.

use sqlfault::code::schema::Schema;
use sqlfault::code::scope::{ProblemKind, ResolvedScript, Scopes};
use sqlfault::code::script::Script;
use sqlfault::code::tree::Kind;

use crate::code::sources;

/// Column-like words that name no column.
fn is_plain_word(text: &str) -> bool {
    ["current_date", "current_timestamp", "all", "day", "month", "year", "hour"].contains(&text.to_lowercase().as_str())
}

#[test]
fn every_name_of_every_reference_resolves() {
    for source in sources::references() {
        let schema = Schema::read(&source.schema).unwrap_or_else(|error| panic!("{}: {error}", source.path));
        let script = Script::new(source.text);
        assert_eq!(script.errors(), [], "{}", source.path);
        let scopes = Scopes::resolve(&script, &schema);
        assert_eq!(scopes.problems(), [], "{}", source.path);
        let tree = script.tree();
        let columns = tree.ids().filter(|node| tree.kind(*node) == Kind::Column);
        let unbound = columns.filter(|node| scopes.binding(*node).is_none() && !is_plain_word(script.slice(*node)));
        let unbound: Vec<_> = unbound.map(|node| script.slice(node)).collect();
        assert_eq!(unbound, Vec::<&str>::new(), "{}", source.path);
    }
}

#[test]
fn without_table_definitions_only_tables_are_unknown() {
    for source in sources::samples() {
        let ResolvedScript { script, scopes } = ResolvedScript::new(source.text, &Schema::default());
        assert!(!scopes.problems().is_empty(), "{}", source.path);
        for problem in scopes.problems() {
            let table = matches!(problem.kind, ProblemKind::UnknownTable { .. });
            assert!(table, "{}:{} {:?}", source.path, script.place(problem.span.start), problem.kind);
        }
    }
}
