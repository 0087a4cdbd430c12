//! Recursive CTEs, with Spark's limit on levels.

use super::convert::WantedTypes;
use super::piece::SqlPiece::{Literal, Sql};
use super::query::UNION_ALL;
use super::{Translated, Translator};
use crate::code::scope::{RecursiveUnion, Relation, RelationId};
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;

/// Spark's `spark.sql.cteRecursionLevelLimit`.
const MOST_LEVELS: u32 = 100;

/// How a recursive CTE reads itself.
#[derive(Clone, Copy)]
pub(super) struct Recursion {
    union: RecursiveUnion,
    /// The item of FROM that is the CTE itself.
    itself: RelationId,
}

/// The column that counts levels, which the SELECT of the second side adds to its list.
#[derive(Clone, Copy)]
pub(super) struct LevelColumn {
    pub select: NodeId,
    itself: RelationId,
    /// Rows of this level and beyond are an error.
    most: u32,
}

impl Translator<'_> {
    /// Returns how a CTE reads itself; `None` if it does not. SQLite computes the rows one by one, so that the second
    /// side must be a plain join with the CTE.
    pub fn recursion(&self, table: NodeId) -> Translated<Option<Recursion>> {
        let reads = |relation: &Relation| relation.recursion(self.tree) == Some(table);
        let mut readers = self.scopes.relations().filter(|(_, relation)| reads(relation));
        let Some((itself, reader)) = readers.next() else { return Ok(None) };
        let union = RecursiveUnion::of(self.tree, table);
        let Some(union) = union.filter(|union| self.kind(union.operation) == UNION_ALL) else {
            return self.refuse(reader.node, "recursion without UNION ALL");
        };
        let nested =
            self.tree.enclosing(reader.node, |kind| matches!(kind, Kind::NestedRelation | Kind::Select { .. }));
        let plain = self.kind(union.second) == (Kind::Select { distinct: false })
            && reader.block == union.second
            && nested == Some(union.second)
            && readers.next().is_none()
            && self.child(union.second, |kind| matches!(kind, Kind::GroupBy | Kind::Qualify | Kind::Having)).is_none();
        if !plain {
            return self.refuse(
                reader.node,
                "a recursive CTE that reads itself otherwise than once in FROM of a plain SELECT",
            );
        }
        Ok(Some(Recursion { union, itself }))
    }

    /// The query of a recursive CTE, with the level of each row as a further column.
    pub fn recursive_query(&mut self, table: NodeId, Recursion { union, itself }: Recursion) -> Translated {
        let most = match self.child(table, |kind| kind == Kind::Number) {
            Some(number) => self.script.slice(number).parse().unwrap_or(u32::MAX),
            None => MOST_LEVELS,
        };
        let outputs = self.scopes.outputs(union.operation);
        let types: Vec<Type> = outputs.iter().map(|output| output.data_type.clone()).collect();
        if let Some(with) = self.child(union.query, |kind| kind == Kind::With) {
            self.write("WITH ");
            self.common_tables(with)?;
            self.write(" ");
        }
        self.write("SELECT *,0 AS level FROM (");
        let types = WantedTypes(&types);
        self.set_operand(union.first, types)?;
        self.write(") UNION ALL ");
        let outer = self.level.replace(LevelColumn { select: union.second, itself, most });
        let depth = self.contexts.len();
        self.select(union.second, types)?;
        self.contexts.truncate(depth);
        self.level = outer;
        Ok(())
    }

    /// Adds the level to the SELECT list of the second side.
    pub fn level_column(&mut self, LevelColumn { itself, most, .. }: LevelColumn) -> Translated {
        let words = format!(
            "[RECURSION_LEVEL_LIMIT_EXCEEDED] Recursion level limit {most} reached but query has not exhausted"
        );
        self.write_numbered(",CASE WHEN r", self.relation_number(itself));
        self.write_numbered(".level+1>=", most as usize);
        self.pieces(&[Sql(" THEN h_fail("), Literal(&words), Sql(") ELSE ")])?;
        self.write_numbered("r", self.relation_number(itself));
        self.write(".level+1 END AS level");
        Ok(())
    }
}
