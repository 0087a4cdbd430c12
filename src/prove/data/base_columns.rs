//! All base columns that a value is computed from.
//!
//! [`Lineage::trace`] follows values that are passed on. A fault in `COUNT(x) > 0` or in a difference of two sums shows
//! only if the columns below the computation change; this module finds them.

use std::collections::BTreeSet;

use super::constraint::ScanColumn;
use super::lineage::Lineage;
use crate::code::scope::{ColumnPosition, ColumnTarget, RelationId, RelationSource};
use crate::code::tree::{Kind, NodeId};

/// Returns the base columns anywhere in what computes `expression`, including its own sub-queries.
pub fn base_columns(lineage: &Lineage<'_>, expression: NodeId) -> Vec<ScanColumn> {
    let mut search = BaseColumnSearch { lineage, seen: BTreeSet::new(), found: Vec::new() };
    search.expression(expression);
    search.found
}

struct BaseColumnSearch<'a, 'b> {
    lineage: &'a Lineage<'b>,
    seen: BTreeSet<ColumnPosition>,
    found: Vec<ScanColumn>,
}

impl BaseColumnSearch<'_, '_> {
    fn expression(&mut self, expression: NodeId) {
        let lineage = self.lineage;
        let tree = lineage.script.tree();
        for column in tree.descendants(expression).filter(|node| tree.kind(*node) == Kind::Column) {
            match lineage.scopes.binding(column).map(|binding| &binding.target) {
                Some(ColumnTarget::Column(relation, position)) => self.column(*relation, *position),
                Some(ColumnTarget::Alias(item)) if !tree.descendants(*item).any(|node| node == column) => {
                    self.expression(*item);
                }
                _ => {}
            }
        }
    }

    fn column(&mut self, relation: RelationId, position: usize) {
        if !self.seen.insert((relation, position)) {
            return;
        }
        if let Some(scan) = self.lineage.scan(relation) {
            let source = ScanColumn { scan, column: position };
            if !self.found.contains(&source) {
                self.found.push(source);
            }
            return;
        }
        match &self.lineage.scopes.relation(relation).source {
            RelationSource::Table(_) | RelationSource::Written(_) => {
                if let Some((query, position)) = self.lineage.written_by(relation, position) {
                    self.output(query, position);
                }
            }
            RelationSource::CommonTable(query) | RelationSource::Query(query) => self.output(*query, position),
            RelationSource::Function(call) => self.expression(*call),
            RelationSource::Values(_) | RelationSource::Unknown => {}
        }
    }

    fn output(&mut self, query: NodeId, position: usize) {
        if let Some(operands) = self.lineage.operands(query) {
            operands.into_iter().for_each(|operand| self.output(operand, position));
            return;
        }
        let Some(output) = self.lineage.scopes.outputs(query).get(position) else { return };
        if let Some((relation, column)) = output.passes_on {
            self.column(relation, column);
        } else if let Some(expression) = output.expression {
            self.expression(expression);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::schema::Schema;
    use crate::code::scope::ResolvedScript;

    #[test]
    fn columns_below_aggregates_unions_and_generators_are_found() {
        let schema = Schema::read("CREATE TABLE t (id BIGINT, n INT, tags STRING); CREATE TABLE u (id BIGINT, m INT);");
        let schema = schema.unwrap();
        for (text, expected) in [
            ("SELECT q.c > 0 FROM (SELECT id, SUM(n) AS c FROM t GROUP BY id) q", vec!["n"]),
            ("SELECT q.c + 1 FROM (SELECT n * 2 AS c FROM t UNION ALL SELECT COUNT(m) FROM u) q", vec!["n", "m"]),
            ("SELECT e.tag FROM t LATERAL VIEW EXPLODE(SPLIT(tags, ',')) e AS tag", vec!["tags"]),
            ("WITH a AS (SELECT MAX(n) AS n FROM t), b AS (SELECT n FROM a) SELECT b.n FROM b", vec!["n"]),
        ] {
            let ResolvedScript { script, scopes } = ResolvedScript::new(text, &schema);
            let lineage = Lineage::new(&script, &scopes);
            let tree = script.tree();
            let last = tree.ids().filter(|id| matches!(tree.kind(*id), Kind::Select { .. })).find(|id| {
                tree.ancestors(*id).all(|above| !matches!(tree.kind(above), Kind::Derived | Kind::CommonTable))
            });
            let projection = tree.child(last.unwrap(), |kind| kind == Kind::Projection).unwrap();
            let names: Vec<String> = base_columns(&lineage, projection)
                .into_iter()
                .map(|source| {
                    let table = schema.table(&lineage.scans[source.scan].table).unwrap();
                    table.columns[source.column].name.clone()
                })
                .collect();
            assert_eq!(names, expected, "{text}");
        }
    }
}
