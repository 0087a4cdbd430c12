//! Rows made for one place, such as a branch: what leads there is a query, and as a script of its own its conditions are
//! such that rows must meet them.

use crate::code::scope::ResolvedScript;
use crate::code::tree::NodeId;
use crate::engine::table::Database;
use crate::prove::coverage::{Branch, PathQuery, rows_on_limit};
use crate::prove::data::generator::GeneratorOptions;
use crate::prove::standalone::text_at;
use crate::prove::subject::Subject;
use crate::prove::varieties::{NEVER, PLAIN, RowBasis, SortKeys, of_varieties};

/// The first group, behind those of the baseline.
const FIRST: usize = 24;
/// Groups between the first of two branches.
const APART: usize = 4;

/// What rows for a branch have in common: few, with nothing missing.
const COMPLETE: GeneratorOptions = GeneratorOptions {
    groups: 2,
    two_rows_every: NEVER,
    unmatched_from: NEVER,
    nulls_from: NEVER,
    first_group: FIRST,
    ..PLAIN
};

/// What rows for a branch are like: with scans that share rows; each with rows of its own; several in a group.
const FEW: [GeneratorOptions; 3] = [
    GeneratorOptions { merged_scans: true, ..COMPLETE },
    GeneratorOptions { rotation: 1, ..COMPLETE },
    GeneratorOptions {
        groups: 3,
        two_rows_every: 1,
        unmatched_from: 1,
        rotation: 2,
        shared_values: true,
        merged_scans: true,
        ..COMPLETE
    },
];

/// Returns databases of few rows that are made for the branch with this number among the branches of a script.
pub(super) fn branch_rows(subject: &Subject<'_>, branch: &Branch, number: usize) -> Vec<Database> {
    let Some(text) = branch.query.clone() else { return Vec::new() };
    rows_of(subject, &PathQuery { node: branch.node, text }, number)
}

/// Returns databases of few rows on which both sides of a comparison inside CASE or IF are equal; none for any other node.
pub fn limit_rows(subject: &Subject<'_>, comparison: NodeId) -> Vec<Database> {
    let query = rows_on_limit(&subject.bound, &subject.scopes, &subject.reference.schema, comparison);
    query.map_or_else(Vec::new, |query| rows_of(subject, &query, subject.branches.len()))
}

/// Returns databases of few rows that a query finds; `number` keeps those of two queries apart.
fn rows_of(subject: &Subject<'_>, query: &PathQuery, number: usize) -> Vec<Database> {
    let text = text_at(&subject.bound, query.node, &query.text);
    let ResolvedScript { script, scopes } = ResolvedScript::new(text, &subject.reference.schema);
    let few = FEW.map(|options| GeneratorOptions { first_group: FIRST + APART * number, ..options });
    of_varieties(&few, SortKeys::AsTheyCome, subject.reference, RowBasis::of(&script, &scopes))
}

/// Returns a database with the rows of two, each once.
pub fn together(one: &Database, other: &Database) -> Database {
    let mut both = one.clone();
    for table in &other.tables {
        match both.tables.iter_mut().find(|known| known.table == table.table) {
            Some(known) => {
                let new: Vec<_> = table.rows.iter().filter(|row| !known.rows.contains(row)).cloned().collect();
                known.rows.extend(new);
            }
            None => both.tables.push(table.clone()),
        }
    }
    both
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::{ReferenceCard, read_texts};
    use crate::prove::trial::{Candidate, Verdict, try_semantic};

    const SCHEMA: &str = "CREATE TABLE orders (order_id BIGINT, customer_id BIGINT, country STRING, order_date DATE); \
                          CREATE TABLE contacts (customer_id BIGINT, contact_date STRING);";

    #[test]
    fn the_limit_of_a_comparison_inside_case_or_if_is_met() {
        for early in [
            "CASE WHEN o.country = 'x' THEN 2 WHEN c.contact_date IS NOT NULL AND {} THEN 1 ELSE 0 END",
            "SUM(IF({}, 1, 0))",
        ] {
            let comparison = "DATEDIFF(c.contact_date, o.order_date) <= 7";
            let groups = if early.starts_with("SUM") { "GROUP BY o.order_id" } else { "" };
            let script = format!(
                "SELECT o.order_id, {} AS early FROM orders o JOIN contacts c ON c.customer_id = o.customer_id {groups}",
                early.replace("{}", comparison)
            );
            let reference =
                read_texts("s".to_owned(), script.clone(), SCHEMA.to_owned(), ReferenceCard::default()).unwrap();
            let subject = Subject::new(&reference).unwrap();
            let tree = subject.bound.tree();
            let node = tree.ids().find(|node| subject.bound.slice(*node) == comparison).unwrap();
            assert!(!limit_rows(&subject, node).is_empty(), "{script}");
            let text = script.replace("<=", "<");
            let at = text.find("< 7").unwrap();
            let changed = crate::code::span::Span::new(at, at + 1);
            let verdict = try_semantic(&subject, &Candidate { text: &text, changed, about: &[node] });
            assert!(matches!(verdict, Verdict::Killed { .. }), "{script}: {verdict}");
            let other = tree.ids().find(|node| subject.bound.slice(*node) == "o.order_date").unwrap();
            assert!(limit_rows(&subject, other).is_empty());
        }
    }
}
