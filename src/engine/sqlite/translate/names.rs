//! Column references and names.

use super::fields::FieldStep;
use super::grouped::GroupedNames;
use super::piece::SqlPiece::{Literal, Sql};
use super::{Reason, Translated, Translator};
use crate::code::functions::lookup;
use crate::code::placeholder::placeholders;
use crate::code::scope::{Binding, ColumnTarget, RelationId, RelationSource};
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;

impl Translator<'_> {
    /// A name in double quotes.
    pub fn quoted_name(&mut self, name: &str) {
        self.sql.push('"');
        if name.contains('"') {
            self.sql.push_str(&name.replace('"', "\"\""));
        } else {
            self.sql.push_str(name);
        }
        self.sql.push('"');
    }

    /// Returns a part of a name in lower case with its placeholders bound.
    pub fn bound_name(&self, identifier: NodeId) -> Translated<String> {
        let name = self.script.name(identifier);
        if !name.contains(['{', '[']) {
            return Ok(name);
        }
        let bound = self.parameters.bind(self.script.slice(identifier));
        match bound {
            Ok(text) if placeholders(&text).is_empty() => Ok(crate::code::script::unquoted(&text).to_lowercase()),
            _ => Err(self.unsupported(identifier, Reason::UnboundPlaceholder(name))),
        }
    }

    pub fn column(&mut self, node: NodeId) -> Translated {
        self.path(node, self.children(node))
    }

    /// The column that a node is bound to, and the fields behind it on a path.
    pub fn path(&mut self, node: NodeId, parts: &[NodeId]) -> Translated {
        let Some(binding) = self.scopes.binding(node) else { return self.unbound_column(node) };
        let fields = &parts[binding.path_length.min(parts.len())..];
        let base = self.base_type(binding);
        let steps = self.field_steps(&base, fields);
        for step in steps.iter().rev() {
            self.write(step.function);
        }
        match binding.target {
            ColumnTarget::Column(relation, index) => {
                let plain = binding.path_length == 1;
                self.merged_column(relation, index, plain)?;
            }
            ColumnTarget::Alias(item) => self.alias(node, item)?,
            ColumnTarget::Output(index) => self.write_numbered("c", index),
            ColumnTarget::Parameter(lambda, position) => self.parameter(lambda, position)?,
        }
        for step in steps {
            self.pieces(&[Sql(","), Literal(&step.stored), Sql(")")])?;
        }
        Ok(())
    }

    /// Words that are values without being columns, such as `current_date`.
    fn unbound_column(&mut self, node: NodeId) -> Translated {
        let name = self.script.slice(node).to_lowercase();
        match name.as_str() {
            "grouping__id" if self.grouping_id(&[])? => Ok(()),
            "input__file__name" | "block__offset__inside__file" => self.nondeterministic(node, &name),
            name if lookup(name).is_some_and(|function| function.without_brackets) => self.nondeterministic(node, name),
            _ => Err(self.unsupported(node, Reason::UnresolvedColumn(name))),
        }
    }

    fn base_type(&self, binding: &Binding) -> Type {
        match binding.target {
            ColumnTarget::Column(relation, index) => self.scopes.relation(relation).columns[index].data_type.clone(),
            ColumnTarget::Alias(item) => {
                let expression = self.children(item).first();
                expression.map(|expression| self.type_of(*expression).clone()).unwrap_or_default()
            }
            ColumnTarget::Output(_) | ColumnTarget::Parameter(..) => Type::Unknown,
        }
    }

    /// Returns how each field after a column is read.
    fn field_steps(&self, base: &Type, fields: &[NodeId]) -> Vec<FieldStep> {
        let mut steps: Vec<FieldStep> = Vec::new();
        for field in fields {
            let base = steps.last().map_or(base, |step| &step.data_type);
            steps.push(FieldStep::of(base, &self.script.name(*field)));
        }
        steps
    }

    /// The type of what [`Translator::path`] writes.
    pub fn type_of_path(&self, node: NodeId, parts: &[NodeId]) -> Type {
        let Some(binding) = self.scopes.binding(node) else { return Type::Unknown };
        let fields = parts.get(binding.path_length..).unwrap_or_default();
        let base = self.base_type(binding);
        let last = self.field_steps(&base, fields).pop();
        last.map_or(base, |step| step.data_type)
    }

    /// A reference to an alias of the same SELECT list, for which the expression is written again.
    fn alias(&mut self, node: NodeId, item: NodeId) -> Translated {
        if self.aliases.contains(&item) || self.aliases.len() > 20 {
            return self.refuse(node, "an alias that means itself");
        }
        let expression = self.only_child(item)?;
        self.aliases.push(item);
        let written = self.expression(expression);
        self.aliases.pop();
        written
    }

    /// A column of a relation. An unqualified one that FULL JOIN … USING merged takes the first value that is not NULL.
    pub fn merged_column(&mut self, relation: RelationId, index: usize, plain: bool) -> Translated {
        let partner = self.merged.iter().find(|(left, _)| plain && *left == (relation, index));
        let Some((_, right)) = partner.copied() else { return self.relation_column(relation, index) };
        self.write("coalesce(");
        self.relation_column(relation, index)?;
        self.write(",");
        self.merged_column(right.0, right.1, plain)?;
        self.write(")");
        Ok(())
    }

    /// Column `index` of a relation, qualified; inside an aggregate of a grouped block, the column of its sub-query.
    pub fn relation_column(&mut self, relation: RelationId, index: usize) -> Translated {
        for context in self.contexts.iter().rev() {
            if let GroupedNames::Input { alias, columns } = context
                && let Some(position) = columns.iter().position(|column| *column == (relation, index))
            {
                let alias = *alias;
                self.write_numbered("g", alias);
                self.write_numbered(".c", position);
                return Ok(());
            }
        }
        self.source_column(relation, index)
    }

    /// Column `index` of a relation under the name that its FROM item gives it.
    pub fn source_column(&mut self, id: RelationId, index: usize) -> Translated {
        let relation = self.scopes.relation(id);
        if let RelationSource::Function(call) = relation.source {
            return self.generated_column(call, index, ("r", self.relation_number(id)));
        }
        self.write_numbered("r", self.relation_number(id));
        match (&relation.source, self.tables[id.0 as usize]) {
            (RelationSource::Table(_), Some(table)) => {
                self.write(".");
                match table.columns.get(index) {
                    Some(column) => self.quoted_name(&column.name),
                    None => return self.refuse(relation.node, "a column beyond its table"),
                }
            }
            (RelationSource::Values(_), _) => self.write_numbered(".column", index + 1),
            _ => self.write_numbered(".c", index),
        }
        Ok(())
    }

    /// Returns the relation that a node of FROM stands for.
    pub fn relation_of(&self, node: NodeId) -> Option<RelationId> {
        Some(self.relations[node.index()]).filter(|id| *id != u32::MAX).map(RelationId)
    }

    /// Returns the first child whose kind `wanted` accepts.
    pub fn child(&self, node: NodeId, wanted: impl Fn(Kind) -> bool) -> Option<NodeId> {
        self.tree.child(node, wanted)
    }
}
