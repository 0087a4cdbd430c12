//! Rows made for one place of a script, such as a branch.
//!
//! The rows that reach the place are those of a query. Read as a script of its own, its conditions are required, whereas in
//! the whole script some rows meet them and others do not.

use crate::code::scope::ResolvedScript;
use crate::code::tree::NodeId;
use crate::engine::table::Database;
use crate::prove::coverage::{Branch, PathQuery, rows_on_boundary};
use crate::prove::data::generator::GeneratorOptions;
use crate::prove::standalone::text_at;
use crate::prove::subject::Subject;
use crate::prove::varieties::{NEVER, PLAIN, RowBasis, SortKeys, of_varieties};

/// The number of the first group: those of the baseline are smaller.
const FIRST_GROUP: usize = 24;
/// How many numbers of groups each branch has to itself.
const GROUPS_OF_BRANCH: usize = 4;

/// What all rows for a branch have in common: there are few, and nothing is missing in them.
const COMPLETE: GeneratorOptions = GeneratorOptions {
    groups: 2,
    two_rows_every: NEVER,
    unmatched_from: NEVER,
    nulls_from: NEVER,
    first_group: FIRST_GROUP,
    ..PLAIN
};

/// The databases that are made for a branch: with scans that share rows, with rows for each scan, and with several rows in
/// a group.
const BRANCH_VARIETIES: [GeneratorOptions; 3] = [
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
pub fn boundary_rows(subject: &Subject<'_>, comparison: NodeId) -> Vec<Database> {
    let query = rows_on_boundary(&subject.bound, &subject.scopes, &subject.reference.schema, comparison);
    query.map_or_else(Vec::new, |query| rows_of(subject, &query, subject.branches.len()))
}

/// Returns databases of few rows that a query finds; rows for queries of different numbers have different keys.
fn rows_of(subject: &Subject<'_>, query: &PathQuery, number: usize) -> Vec<Database> {
    let text = text_at(&subject.bound, query.node, &query.text);
    let ResolvedScript { script, scopes } = ResolvedScript::new(text, &subject.reference.schema);
    let first_group = FIRST_GROUP + GROUPS_OF_BRANCH * number;
    let varieties = BRANCH_VARIETIES.map(|options| GeneratorOptions { first_group, ..options });
    of_varieties(&varieties, SortKeys::AsTheyCome, subject.reference, RowBasis::of(&script, &scopes))
}

/// Returns the rows of two databases as one, each row once.
pub fn union(one: &Database, other: &Database) -> Database {
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
    use crate::corpus::Reference;
    use crate::prove::trial::{Candidate, Verdict, try_semantic};

    const SCHEMA: &str = "CREATE TABLE orders (order_id BIGINT, customer_id BIGINT, country STRING, order_date DATE); \
                          CREATE TABLE contacts (customer_id BIGINT, contact_date STRING);";

    #[test]
    fn the_boundary_of_a_comparison_inside_case_or_if_is_met() {
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
            let reference = Reference::of_test(&script, SCHEMA);
            let subject = Subject::new(&reference).unwrap();
            let tree = subject.bound.tree();
            let node = tree.ids().find(|node| subject.bound.slice(*node) == comparison).unwrap();
            assert!(!boundary_rows(&subject, node).is_empty(), "{script}");
            let text = script.replace("<=", "<");
            let at = text.find("< 7").unwrap();
            let changed = crate::code::span::Span::new(at, at + 1);
            let verdict = try_semantic(&subject, &Candidate { text: &text, changed, about: &[node] });
            assert!(matches!(verdict, Verdict::Killed { .. }), "{script}: {verdict}");
            let other = tree.ids().find(|node| subject.bound.slice(*node) == "o.order_date").unwrap();
            assert!(boundary_rows(&subject, other).is_empty());
        }
    }
}
