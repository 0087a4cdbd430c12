//! Reading a script, with exact ranges, comments and resolved names, against a parser that gives a tree only.

use std::hint::black_box;

use sqlfault::code::scope::Scopes;
use sqlfault::code::script::Script;
use sqlfault::corpus::Reference;
use sqlparser::dialect::DatabricksDialect;
use sqlparser::parser::Parser;

use crate::clock::{alone, in_turns};
use crate::table::{each, row, shown};

fn parses(text: &str) -> bool {
    Parser::parse_sql(&DatabricksDialect {}, text).is_ok()
}

/// Measures the references that `sqlparser` reads as well.
pub fn measure(references: &[Reference]) {
    let scripts: Vec<(&Reference, String)> =
        references.iter().map(|reference| (reference, bound(reference))).filter(|(_, text)| parses(text)).collect();
    assert!(!scripts.is_empty(), "sqlparser reads some of the references");
    let [ours, theirs] = in_turns([
        &mut || {
            for (reference, text) in &scripts {
                let script = Script::new(text.as_str());
                black_box(Scopes::resolve(&script, &reference.schema));
            }
        },
        &mut || {
            for (_, text) in &scripts {
                black_box(Parser::parse_sql(&DatabricksDialect {}, text).ok());
            }
        },
    ]);
    let tree = alone(&mut || {
        for (_, text) in &scripts {
            black_box(Script::new(text.as_str()));
        }
    });
    let count = scripts.len();
    let what = format!("read a script, ranges and names included ({count} scripts)");
    let parts = format!("{} ({} of it tokens and tree)", shown(each(ours, count)), shown(each(tree, count)));
    let ratio = ours.as_secs_f64() / theirs.as_secs_f64();
    row(&what, &parts, &format!("sqlparser {}", shown(each(theirs, count))), ratio, (2.0, false));
}

/// The script with its placeholders bound, which `sqlparser` does not know.
fn bound(reference: &Reference) -> String {
    reference.parameters.bind(reference.script.text()).unwrap_or_default()
}
