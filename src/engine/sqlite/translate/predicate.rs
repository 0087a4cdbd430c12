//! Predicates: NOT, IS, IN, BETWEEN, LIKE, EXISTS.

use super::convert::WantedTypes;
use super::piece::SqlPiece::{Sql, Typed, Value};
use super::{Translated, Translator};
use crate::code::tree::{Kind, NodeId, PatternOperator};
use crate::code::types::Type;
use crate::code::widest;

impl Translator<'_> {
    pub fn predicate(&mut self, node: NodeId) -> Translated {
        let children = self.children(node);
        match (self.kind(node), children) {
            (Kind::Not, [operand]) => self.suffixed("(NOT ", *operand, ")"),
            (Kind::IsNull { negated: false }, [operand]) => self.suffixed("(", *operand, " IS NULL)"),
            (Kind::IsNull { negated: true }, [operand]) => self.suffixed("(", *operand, " IS NOT NULL)"),
            (Kind::IsBoolean { negated, value }, [operand]) => self.is_boolean(*operand, negated, value),
            (Kind::IsDistinct { negated }, [left, right]) => {
                self.compared(*left, if negated { " IS " } else { " IS NOT " }, *right)
            }
            (Kind::InList { negated }, [operand, list @ ..]) => self.in_list(*operand, list, negated),
            (Kind::InQuery { negated }, [operand, query]) => self.in_query(*operand, *query, negated),
            (Kind::Between { negated }, [operand, low, high]) => self.between(*operand, *low, *high, negated),
            (Kind::Pattern { negated, operator }, [operand, pattern, escape @ ..]) => {
                self.pattern(node, *operand, *pattern, escape.first().copied(), operator, negated)
            }
            (Kind::Exists, [query]) => {
                self.write("EXISTS (");
                self.query(*query, WantedTypes::NONE)?;
                self.write(")");
                Ok(())
            }
            _ => self.refuse(node, "this expression"),
        }
    }

    fn suffixed(&mut self, before: &str, operand: NodeId, after: &str) -> Translated {
        self.pieces(&[Sql(before), Value(operand), Sql(after)])
    }

    fn is_boolean(&mut self, operand: NodeId, negated: bool, value: bool) -> Translated {
        self.write("(");
        self.converted(operand, &Type::Boolean)?;
        self.write(match (negated, value) {
            (false, true) => " IS TRUE)",
            (false, false) => " IS FALSE)",
            (true, true) => " IS NOT TRUE)",
            (true, false) => " IS NOT FALSE)",
        });
        Ok(())
    }

    /// `x IN (…)`. All members are compared in their common type, in which text wins over numbers.
    fn in_list(&mut self, operand: NodeId, list: &[NodeId], negated: bool) -> Translated {
        if self.kind(operand) == Kind::Tuple {
            return self.tuple_in_list(operand, list, negated);
        }
        let common = self.list_type(operand, list);
        self.write("(");
        self.in_type(operand, common.as_ref())?;
        self.write(if negated { " NOT IN (" } else { " IN (" });
        self.separated(list, ",", |this, member| this.in_type(*member, common.as_ref()))?;
        self.write("))");
        Ok(())
    }

    fn list_type(&self, operand: NodeId, list: &[NodeId]) -> Option<Type> {
        let own = self.type_of(operand);
        if list.iter().all(|member| self.type_of(*member) == own) {
            return None;
        }
        Some(widest(std::iter::once(own).chain(list.iter().map(|member| self.type_of(*member)))))
    }

    fn tuple_in_list(&mut self, operand: NodeId, list: &[NodeId], negated: bool) -> Translated {
        let members = self.children(operand);
        let mut types = Vec::new();
        for (index, member) in members.iter().enumerate() {
            let others = list.iter().filter_map(|row| self.children(*row).get(index)).copied();
            types.push(self.list_type(*member, &others.collect::<Vec<_>>()));
        }
        self.write("((");
        self.separated(members.iter().zip(&types), ",", |this, (member, common)| {
            this.in_type(*member, common.as_ref())
        })?;
        self.write(if negated { ") NOT IN (VALUES " } else { ") IN (VALUES " });
        self.separated(list, ",", |this, row| {
            let cells = this.children(*row);
            if this.kind(*row) != Kind::Tuple || cells.len() != types.len() {
                return this.refuse(*row, "this row in a list of rows");
            }
            this.write("(");
            this.separated(cells.iter().zip(&types), ",", |this, (cell, common)| this.in_type(*cell, common.as_ref()))?;
            this.write(")");
            Ok(())
        })?;
        self.write("))");
        Ok(())
    }

    fn in_query(&mut self, operand: NodeId, query: NodeId, negated: bool) -> Translated {
        let members =
            if self.kind(operand) == Kind::Tuple { self.children(operand) } else { std::slice::from_ref(&operand) };
        let outputs = self.scopes.outputs(query);
        if outputs.len() != members.len() {
            return self.refuse(query, "a sub-query with another number of columns");
        }
        let types: Vec<Type> = members
            .iter()
            .zip(outputs)
            .map(|(member, output)| widest([self.type_of(*member), &output.data_type]))
            .collect();
        self.write("(");
        self.write(if members.len() > 1 { "(" } else { "" });
        self.separated(members.iter().zip(&types), ",", |this, (member, wanted)| this.converted(*member, wanted))?;
        self.write(if members.len() > 1 { ")" } else { "" });
        self.write(if negated { " NOT IN (" } else { " IN (" });
        self.query(query, WantedTypes(&types))?;
        self.write("))");
        Ok(())
    }

    /// BETWEEN becomes two comparisons if its bounds need different conversions.
    fn between(&mut self, operand: NodeId, low: NodeId, high: NodeId, negated: bool) -> Translated {
        let own = self.type_of(operand);
        let types = [low, high].map(|bound| self.comparison_type(own, self.type_of(bound)));
        self.write(if negated { "(NOT " } else { "" });
        if types[0] == types[1] {
            self.write("(");
            self.in_type(operand, types[0].as_ref())?;
            self.write(" BETWEEN ");
            self.in_type(low, types[0].as_ref())?;
            self.write(" AND ");
            self.in_type(high, types[0].as_ref())?;
            self.write(")");
        } else {
            self.write("(");
            self.compared(operand, ">=", low)?;
            self.write(" AND ");
            self.compared(operand, "<=", high)?;
            self.write(")");
        }
        self.write(if negated { ")" } else { "" });
        Ok(())
    }

    /// LIKE, ILIKE and RLIKE. `LIKE ANY (…)` and `LIKE ALL (…)` become several.
    fn pattern(
        &mut self,
        node: NodeId,
        operand: NodeId,
        pattern: NodeId,
        escape: Option<NodeId>,
        operator: PatternOperator,
        negated: bool,
    ) -> Translated {
        let before = self.script.token_range(pattern).start() - 1;
        let word = self.script.token_text(before);
        let all = word.eq_ignore_ascii_case("ALL");
        let several = all || ["ANY", "SOME"].iter().any(|any| word.eq_ignore_ascii_case(any));
        let patterns = match (several, self.kind(pattern)) {
            (true, Kind::Tuple | Kind::Paren) => self.children(pattern),
            (true, _) => return self.refuse(node, "this list of patterns"),
            (false, _) => std::slice::from_ref(&pattern),
        };
        self.write("(");
        self.separated(patterns, if all { " AND " } else { " OR " }, |this, pattern| {
            this.write(if negated { "NOT " } else { "" });
            this.one_pattern(operand, *pattern, escape, operator)
        })?;
        self.write(")");
        Ok(())
    }

    fn one_pattern(
        &mut self,
        operand: NodeId,
        pattern: NodeId,
        escape: Option<NodeId>,
        operator: PatternOperator,
    ) -> Translated {
        self.write(match operator {
            PatternOperator::Like => "h_like(",
            PatternOperator::InsensitiveLike => "h_ilike(",
            PatternOperator::Regexp => "h_rlike(",
        });
        self.pieces(&[Typed(operand, &Type::String), Sql(","), Typed(pattern, &Type::String)])?;
        if let Some(escape) = escape {
            self.write(",");
            self.expression(escape)?;
        }
        self.write(")");
        Ok(())
    }
}
