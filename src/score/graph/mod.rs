//! GM: are two scripts the same up to rules that preserve meaning?
//!
//! Each script becomes a labelled graph in which names are replaced by what they refer to and each construct has one
//! canonical form. Two graphs are isomorphic exactly when they are the same node of [`terms::Terms`]. This costs one
//! pass over the tree and the sorting of the children of commutative nodes.
//!
//! # Rules, and why each is safe
//!
//! Spark with ANSI mode off is the authority; three-valued logic holds throughout.
//!
//! | rule | reason |
//! |---|---|
//! | blanks, comments, letter case of keywords and names, quoting of names | the language ignores them |
//! | redundant parentheses, `AS`, `INNER`, `OUTER`, `ASC`, `INTO TABLE`, `ELSE NULL` | grammar noise or defaults |
//! | `NULLS FIRST` ascending, `NULLS LAST` descending | they are the defaults |
//! | aliases and qualifiers | a column is the relation it comes from and its place there, an alias is what it stands for |
//! | output names, except of final queries and created tables | everything else refers by place |
//! | CTE or derived table, its name, CTEs in any order | a CTE is its query; the queries are deterministic |
//! | `SELECT *` or the columns it stands for | where all columns are known |
//! | `GROUP BY 1`, `ORDER BY 1`, aliases in them | they mean the item |
//! | `a > b`, `b < a`; `=`, `<>`, `<=>`, `+`, `*`, `&`, `\|`, `^`, `greatest`, `least` in any order | symmetric |
//! | `AND`, `OR` flat, in any order, each operand once, without `TRUE` (`FALSE`) | associative, commutative, idempotent |
//! | `NOT` moved inwards, `NOT NOT`, negated comparisons and predicates | De Morgan holds for three values |
//! | `BETWEEN` is two comparisons, `IN` of values of one type is an OR of `=` | so defined; types that differ coerce differently, so `IN` then stays |
//! | `IN` or an OR of `=` over consecutive whole numbers is BETWEEN, where the value is a whole number | no number lies between |
//! | a block over a derived table or CTE that filters and computes is one block with it ([`merge`]) | each row is computed alone |
//! | `CASE WHEN a IS NOT NULL THEN a ELSE b END`, `IF(a IS NULL, b, a)` are `coalesce(a, b)` | so defined |
//! | `SELECT DISTINCT` over all keys of its GROUP BY is no DISTINCT; GROUP BY of all outputs without aggregates is one | groups differ in their keys |
//! | `CASE x WHEN`, `IF`, `NVL2`, `NULLIF` are searched CASE; nested ELSE CASE of one type is flat | so defined |
//! | FROM lists and inner joins in any order, conditions of final inner joins in WHERE | a product and a filter |
//! | `a RIGHT JOIN b` is `b LEFT JOIN a`; FULL JOIN either way | mirrored |
//! | GROUP BY and PARTITION BY in any order | sets (not ROLLUP and CUBE, where `grouping_id` counts places) |
//! | `WITH ROLLUP` is `ROLLUP (…)`, `WITH CUBE` is `CUBE (…)` | synonyms |
//! | UNION, UNION ALL, INTERSECT: operands in any order, UNION ALL flat | bags and sets |
//! | named windows, default frames, `ROWS x` for `ROWS BETWEEN x AND CURRENT ROW` | so defined |
//! | strings by value, numbers without leading zeros, spelling of types, `x::t`, `int(x)` | the same literal, type, cast |
//! | synonym functions (`same_as` of their rows), `\|\|` is `concat`, `count(1)` is `count(*)`, `max(DISTINCT x)` is `max(x)` | synonyms |
//!
//! A script that does not parse or that Spark's rules refuse has no graph and matches nothing.

mod terms;
mod call;
mod condition;
mod expression;
mod literal;
mod names;
mod query;
mod relation;
mod merge;
mod statement;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use crate::code::schema::Schema;
use crate::code::scope::Scopes;
use crate::code::scope::{RelationId, RelationSource};
use crate::code::script::Script;
use crate::code::tree::{NodeId, Tree};
use crate::engine::spark_rules::judge;
use condition::IntegerComparison;
use terms::{Term, Terms};

/// Whether two scripts have the same canonical graph.
pub fn graph_match(prediction: &Script, reference: &Script, schema: &Schema) -> bool {
    matches(prediction, reference, schema, OutputNames::Count)
}

/// Whether two scripts have the same canonical graph if the columns of what they give and create may have other names.
pub fn graph_match_up_to_names(prediction: &Script, reference: &Script, schema: &Schema) -> bool {
    matches(prediction, reference, schema, OutputNames::Ignored)
}

/// What the names of columns are that final queries give and created tables have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OutputNames {
    /// A part of what the script says.
    Count,
    /// Of no matter: such columns are known by their place.
    Ignored,
}

fn matches(prediction: &Script, reference: &Script, schema: &Schema, names: OutputNames) -> bool {
    let mut terms = Terms::default();
    match graph(prediction, schema, names, &mut terms) {
        Some(left) => graph(reference, schema, names, &mut terms) == Some(left),
        None => false,
    }
}

/// Returns the graph of a script; `None` if it does not parse or is refused.
fn graph(script: &Script, schema: &Schema, names: OutputNames, terms: &mut Terms) -> Option<Term> {
    if !script.is_valid() {
        return None;
    }
    let scopes = Scopes::resolve(script, schema);
    if judge(script, &scopes, schema).is_some() {
        return None;
    }
    Some(GraphBuilder { output_names: names, ..GraphBuilder::new(script, &scopes, terms) }.script())
}

/// Builds the graph of one script.
struct GraphBuilder<'a> {
    script: &'a Script,
    tree: &'a Tree,
    scopes: &'a Scopes,
    terms: &'a mut Terms,
    output_names: OutputNames,
    /// Relation of a FROM item.
    relations: HashMap<NodeId, RelationId>,
    /// Graphs of relations, as far as they have been built.
    relation_terms: HashMap<RelationId, Term>,
    /// Graphs of queries, as far as they have been built.
    queries: HashMap<NodeId, Term>,
    /// Common tables that something reads.
    used: HashSet<NodeId>,
    /// Graphs of the outputs of derived tables that were merged with the block that reads them.
    merged: HashMap<RelationId, Vec<Term>>,
    /// How many blocks around the current one are being merged.
    merging: usize,
    /// Comparisons of integers with a literal: `a = 1`, `a <> 1`.
    integer_comparisons: HashMap<Term, IntegerComparison>,
    /// Queries, windows and aliases whose graphs are being built. A reference back to one of them stays a name, so that
    /// the graph is finite.
    open: HashSet<NodeId>,
}

impl<'a> GraphBuilder<'a> {
    fn new(script: &'a Script, scopes: &'a Scopes, terms: &'a mut Terms) -> GraphBuilder<'a> {
        let relations = scopes.relations().map(|(id, relation)| (relation.node, id)).collect();
        let used = scopes.relations().filter_map(|(_, relation)| match relation.source {
            RelationSource::CommonTable(node) if relation.recursion(script.tree()).is_none() => Some(node),
            _ => None,
        });
        GraphBuilder {
            script,
            tree: script.tree(),
            scopes,
            terms,
            output_names: OutputNames::Count,
            relations,
            relation_terms: HashMap::new(),
            queries: HashMap::new(),
            used: used.collect(),
            merged: HashMap::new(),
            merging: 0,
            integer_comparisons: HashMap::new(),
            open: HashSet::new(),
        }
    }
}
