//! How far a difference propagates on its way to the results.
//!
//! A mutant that no database tells apart from its reference may differ inside: in the rows of the sub-query where
//! the fault was planted, but not in those of the query around it. The probe runs both scripts up to each of
//! these queries. A database on which they differ higher up is a better start for further changes than one on
//! which they do not differ.

use crate::code::scope::RelationSource;
use crate::code::script::Script;
use crate::code::span::Span;
use crate::code::tree::{Kind, NodeId};
use crate::engine::compare::compare;
use crate::engine::sqlite::{Limits, LoadedDatabase, Translation};
use crate::engine::table::ScriptResult;
use crate::prove::equivalence::differing;
use crate::prove::standalone::{text_of, translated};
use crate::prove::subject::Subject;

/// One query on the way, run alone in both scripts.
#[derive(Debug)]
pub struct ProbedQuery {
    /// The query, in the bound reference.
    pub query: NodeId,
    reference: Translation,
    mutant: Translation,
}

impl ProbedQuery {
    /// Returns the results of both scripts on a database; `None` if one of them fails.
    fn results(&self, loaded: &LoadedDatabase) -> Option<(ScriptResult, ScriptResult)> {
        let run = |translation| loaded.run(translation, &Limits::default()).ok();
        run(&self.reference).zip(run(&self.mutant))
    }
}

/// The queries from the fault to the results.
#[derive(Debug, Default)]
pub struct PropagationProbe {
    /// The queries, the innermost first.
    pub queries: Vec<ProbedQuery>,
    /// Whether the innermost query holds the whole change: a database that does not infect it cannot tell the scripts
    /// apart.
    holds_change: bool,
}

/// Maximum number of queries that are run on the way.
const MOST_QUERIES: usize = 5;

impl PropagationProbe {
    /// Makes the probe of a mutant; both scripts have their placeholders bound.
    pub fn new(subject: &Subject<'_>, mutant: &Script) -> PropagationProbe {
        let reference = &subject.bound;
        let change = differing(reference.text(), mutant.text());
        let way = PropagationPath { subject, reference, mutant, change };
        let mut queries: Vec<ProbedQuery> = way.queries().into_iter().filter_map(|query| way.query(query)).collect();
        // The query nearest to the fault and those nearest to the results say most.
        while queries.len() > MOST_QUERIES {
            queries.remove(1);
        }
        let holds_change = queries.first().is_some_and(|query| way.covers(query.query));
        PropagationProbe { queries, holds_change }
    }

    /// Whether the scripts may give other results on a database: false if the query of the fault gives the very same
    /// rows, so that the state is not infected.
    pub fn may_differ(&self, loaded: &LoadedDatabase) -> bool {
        let innermost = self.queries.first().filter(|_| self.holds_change);
        innermost.and_then(|query| query.results(loaded)).is_none_or(|(reference, mutant)| reference != mutant)
    }

    /// Returns how far a difference gets on a database: the number of the last query in which the
    /// scripts differ, 0 for none.
    pub fn depth(&self, loaded: &LoadedDatabase) -> usize {
        if !self.may_differ(loaded) {
            return 0;
        }
        let differs = |query: &ProbedQuery| {
            query.results(loaded).is_some_and(|(reference, mutant)| compare(&reference, &mutant).is_different())
        };
        self.queries.iter().rposition(differs).map_or(0, |position| position + 1)
    }
}

struct PropagationPath<'a> {
    subject: &'a Subject<'a>,
    reference: &'a Script,
    mutant: &'a Script,
    change: Span,
}

impl PropagationPath<'_> {
    /// Returns the queries around the change, then the CTEs that read them.
    fn queries(&self) -> Vec<NodeId> {
        let tree = self.reference.tree();
        let covers = |node: &NodeId| self.covers(*node);
        let Some(statement) = self.reference.statements().iter().copied().find(covers) else { return Vec::new() };
        let is_inner = |node: &NodeId| {
            let above = tree.parent(*node).map(|parent| tree.kind(parent));
            tree.kind(*node) == Kind::Query && matches!(above, Some(Kind::CommonTable | Kind::Derived))
        };
        let mut around: Vec<NodeId> = tree.descendants(statement).filter(is_inner).filter(covers).collect();
        around.sort_by_key(|node| tree.span(*node).len());
        let mut reached: Vec<NodeId> = around.iter().filter_map(|node| tree.parent(*node)).collect();
        for table in self.common_tables(statement) {
            let reads = self.subject.scopes.relations().any(|(_, relation)| {
                let source =
                    matches!(relation.source, RelationSource::CommonTable(source) if reached.contains(&source));
                source && tree.ancestors(relation.node).any(|above| above == table)
            });
            if reads && !reached.contains(&table) {
                reached.push(table);
                around.extend(tree.child(table, |kind| kind == Kind::Query));
            }
        }
        around
    }

    fn covers(&self, node: NodeId) -> bool {
        let span = self.reference.tree().span(node);
        span.start <= self.change.start && self.change.end <= span.end
    }

    /// Returns the CTEs of the first WITH of a statement.
    fn common_tables(&self, statement: NodeId) -> Vec<NodeId> {
        let tree = self.reference.tree();
        let with = tree.descendants(statement).find(|node| tree.kind(*node) == Kind::With);
        with.map(|with| tree.children(with).to_vec()).unwrap_or_default()
    }

    /// Translates a query to run alone in both scripts; `None` if it needs what stands around it.
    fn query(&self, query: NodeId) -> Option<ProbedQuery> {
        let schema = &self.subject.reference.schema;
        let reference = translated(text_of(self.reference, query), schema)?;
        let mutant = translated(text_of(self.mutant, self.counterpart(query)?), schema)?;
        Some(ProbedQuery { query, reference, mutant })
    }

    /// Returns the query of the mutant that stands where `query` stands in the reference.
    fn counterpart(&self, query: NodeId) -> Option<NodeId> {
        let (span, tree) = (self.reference.tree().span(query), self.mutant.tree());
        let moved = |at: usize| at + self.mutant.text().len() - self.reference.text().len();
        let start = if span.start <= self.change.start { span.start } else { moved(span.start) };
        let behind = span.end > self.change.start && span.end >= self.change.end;
        let end = if behind { moved(span.end) } else { span.end };
        tree.ids().find(|node| tree.kind(*node) == Kind::Query && tree.span(*node) == Span::new(start, end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Reference;
    use crate::engine::sqlite::Sqlite;
    use crate::engine::table::{Database, Row, TableRows, Value};

    #[test]
    fn a_difference_that_is_lost_on_the_way_is_seen_as_high_as_it_gets() {
        let script = "WITH t AS (SELECT k, SUM(w) AS s FROM b GROUP BY k), u AS (SELECT k FROM t WHERE s > 1) \
                      SELECT COUNT(*) AS n FROM u";
        let reference = Reference::of_test(script, "CREATE TABLE b (k STRING, w BIGINT);");
        let subject = Subject::new(&reference).unwrap();
        let mutant = Script::new(script.replace("SUM(w)", "MAX(w)"));
        let probe = PropagationProbe::new(&subject, &mutant);
        assert_eq!(probe.queries.len(), 2);
        for (weights, depth) in [(vec![5], 0), (vec![5, 6], 1), (vec![1, 1], 2)] {
            let row = |weight: i64| Row::from([Value::Text("x".to_owned()), Value::Integer(weight)]);
            let rows = weights.iter().copied().map(row).collect();
            let database = Database { tables: vec![TableRows { table: "b".to_owned(), rows }] };
            let loaded = Sqlite::open(&reference.schema, &database).unwrap();
            assert_eq!(probe.depth(&loaded), depth, "{weights:?}");
            assert_eq!(probe.may_differ(&loaded), depth > 0, "{weights:?}");
        }
    }
}
