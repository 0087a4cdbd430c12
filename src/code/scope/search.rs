//! Where a name is looked for: outputs, the columns of FROM, aliases, enclosing blocks, lambda parameters.

use super::call::parameter_types;
use super::frame::{ColumnMatch, FrameId};
use super::model::{Binding, ColumnTarget};
use super::name::Name;
use super::place::{ExpressionPlace, VisibleNames};
use super::resolver::Resolver;
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;

/// What a name was found to be.
pub(super) struct ResolvedName {
    pub binding: Binding,
    pub data_type: Type,
    pub nullable: bool,
}

/// The result of one step of a search.
pub(super) enum SearchOutcome {
    Resolved(ResolvedName),
    /// A problem has been reported, or what is meant cannot be known.
    Over,
    Missed,
}

impl Resolver<'_> {
    /// Looks `path` up: for ORDER BY among the outputs first, then in the block's FROM, among the aliases where the
    /// clause sees them, and in the enclosing blocks.
    pub fn search(&mut self, column: NodeId, path: &[Name<'_>], place: ExpressionPlace) -> SearchOutcome {
        if let VisibleNames::OrderingOutputs(body) = place.clause
            && let Some(hit) = self.output(body, path)
        {
            return SearchOutcome::Resolved(hit);
        }
        if place.clause == VisibleNames::Ordering && path.len() == 1 {
            match self.selected(column, path, place.frame) {
                SearchOutcome::Missed => {}
                over => return over,
            }
        }
        if let Some(frame) = place.frame {
            match self.search_block(column, path, frame, place.clause) {
                SearchOutcome::Missed => {}
                over => return over,
            }
        }
        self.search_outwards(column, path, place)
    }

    /// The block's own columns and aliases.
    fn search_block(
        &mut self,
        column: NodeId,
        path: &[Name<'_>],
        frame: FrameId,
        clause: VisibleNames,
    ) -> SearchOutcome {
        let aliases = matches!(
            clause,
            VisibleNames::Projection | VisibleNames::Grouping | VisibleNames::Having | VisibleNames::Ordering
        );
        let alias = |resolver: &Self| if aliases { resolver.alias(frame, path) } else { None };
        match self.in_frame(column, path, frame, clause) {
            SearchOutcome::Resolved(hit) if self.is_lost(column, &hit, frame, clause) => match alias(self) {
                Some(alias) => SearchOutcome::Resolved(alias),
                None => {
                    self.not_in_output(column, frame);
                    SearchOutcome::Resolved(hit)
                }
            },
            SearchOutcome::Missed => alias(self).map_or(SearchOutcome::Missed, SearchOutcome::Resolved),
            over => over,
        }
    }

    /// The enclosing blocks; the search is over without result when a relation on the way may hide the column.
    fn search_outwards(&mut self, column: NodeId, path: &[Name<'_>], place: ExpressionPlace) -> SearchOutcome {
        let (mut hidden, mut known) = (false, false);
        let mut frame = place.frame;
        while let Some(current) = frame {
            hidden |= self.frame(current).visible.iter().any(|id| self.relation(*id).open);
            known |= path.len() > 1 && self.is_known_qualifier(current, &path[..1]);
            frame = self.frame(current).parent;
            let Some(outer) = frame else { break };
            match self.in_frame(column, path, outer, VisibleNames::Input) {
                SearchOutcome::Missed => {}
                SearchOutcome::Resolved(hit) => {
                    return SearchOutcome::Resolved(ResolvedName {
                        binding: Binding { outer: true, ..hit.binding },
                        ..hit
                    });
                }
                over => return over,
            }
        }
        if hidden && !known { SearchOutcome::Over } else { SearchOutcome::Missed }
    }

    /// Whether a qualifier names a relation all of whose columns are known.
    fn is_known_qualifier(&self, frame: FrameId, qualifier: &[Name<'_>]) -> bool {
        let mut named = self.frame(frame).visible.iter().filter(|id| self.is_named(**id, qualifier));
        named.next().is_some_and(|id| !self.relation(*id).open)
    }

    fn in_frame(&mut self, column: NodeId, path: &[Name<'_>], frame: FrameId, clause: VisibleNames) -> SearchOutcome {
        match self.find(frame, path) {
            ColumnMatch::Column((relation, index), path_length) => {
                let from = self.relation(relation);
                let output = &from.columns[index];
                let subtotal = self.frame(frame).subtotals && clause != VisibleNames::Input;
                let (data_type, nullable) = (output.data_type.clone(), output.nullable || from.optional || subtotal);
                let binding = Binding { target: ColumnTarget::Column(relation, index), path_length, outer: false };
                SearchOutcome::Resolved(ResolvedName { binding, data_type, nullable })
            }
            // Spark looks for the names of ORDER BY in the output, and does not find an ambiguous one there.
            ColumnMatch::Ambiguous(_) if clause == VisibleNames::Ordering => {
                self.not_in_output(column, frame);
                SearchOutcome::Over
            }
            ColumnMatch::Ambiguous(hits) => {
                self.ambiguous_column(column, &hits);
                SearchOutcome::Over
            }
            ColumnMatch::Nothing | ColumnMatch::Open => SearchOutcome::Missed,
        }
    }

    fn alias(&self, frame: FrameId, path: &[Name<'_>]) -> Option<ResolvedName> {
        let item = *self.frame(frame).aliases.get(path[0].as_ref())?;
        let expression = *self.tree.children(item).first()?;
        let (data_type, nullable) = self.typed(expression);
        let binding = Binding { target: ColumnTarget::Alias(item), path_length: 1, outer: false };
        Some(ResolvedName { binding, data_type, nullable })
    }

    /// An output of the SELECT list by name, for ORDER BY: an alias, or a column that keeps its name.
    fn selected(&mut self, column: NodeId, path: &[Name<'_>], frame: Option<FrameId>) -> SearchOutcome {
        let Some(frame) = frame else { return SearchOutcome::Missed };
        let outputs = self.outputs_of(self.frame(frame).block);
        let mut same = outputs.iter().filter(|output| output.name == path[0]);
        let Some(first) = same.next() else { return SearchOutcome::Missed };
        if same.any(|other| other.passes_on.is_none() || other.passes_on != first.passes_on) {
            self.not_in_output(column, frame);
            return SearchOutcome::Over;
        }
        let item = first.expression.and_then(|expression| self.tree.parent(expression));
        let renamed = item.filter(|item| self.tree.child(*item, |kind| kind == Kind::Alias).is_some());
        let target = match (renamed, first.passes_on, item) {
            (None, Some((relation, index)), _) => ColumnTarget::Column(relation, index),
            (_, _, Some(item)) => ColumnTarget::Alias(item),
            _ => return SearchOutcome::Missed,
        };
        let binding = Binding { target, path_length: 1, outer: false };
        SearchOutcome::Resolved(ResolvedName { binding, data_type: first.data_type.clone(), nullable: first.nullable })
    }

    fn output(&self, body: NodeId, path: &[Name<'_>]) -> Option<ResolvedName> {
        let outputs = self.scopes.outputs(body);
        let (name, path_length) = match path {
            // A set operation keeps the names of the relations of its first side.
            [relation, name] if self.first_reads(body, relation) => (name, 2),
            _ => (&path[0], 1),
        };
        let index = outputs.iter().position(|output| output.name == *name)?;
        let binding = Binding { target: ColumnTarget::Output(index), path_length, outer: false };
        Some(ResolvedName { binding, data_type: outputs[index].data_type.clone(), nullable: outputs[index].nullable })
    }

    /// Whether the first SELECT of a set operation has a relation of this name.
    fn first_reads(&self, body: NodeId, name: &str) -> bool {
        let mut first = body;
        while let Kind::SetOperation { .. } = self.tree.kind(first) {
            first = self.tree.children(first)[0];
        }
        first != body && self.scopes.relations_of(first).iter().any(|id| self.relation(*id).name == name)
    }

    /// A parameter of an enclosing lambda.
    pub fn parameter(&self, column: NodeId, name: &str) -> Option<ResolvedName> {
        for ancestor in self.tree.ancestors(column) {
            match self.tree.kind(ancestor) {
                Kind::Lambda => {
                    let parameters = self.names(ancestor);
                    let Some(position) = parameters.iter().rposition(|parameter| parameter == name) else { continue };
                    let data_type = self.parameter_type(ancestor, position, parameters.len());
                    let binding =
                        Binding { target: ColumnTarget::Parameter(ancestor, position), path_length: 1, outer: false };
                    return Some(ResolvedName { binding, data_type, nullable: true });
                }
                Kind::Query | Kind::Script => return None,
                _ => {}
            }
        }
        None
    }

    /// The arguments before a lambda tell what its parameters are; they have been resolved before it.
    fn parameter_type(&self, lambda: NodeId, position: usize, count: usize) -> Type {
        let Some(call) = self.tree.parent(lambda) else { return Type::Unknown };
        let arguments = self.script.arguments(call);
        let before = arguments.iter().take_while(|argument| **argument != lambda);
        let types: Vec<Type> = before.map(|argument| self.typed(*argument).0).collect();
        parameter_types(&self.script.function_name(call), &types, count).into_iter().nth(position).unwrap_or_default()
    }
}
