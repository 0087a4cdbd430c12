//! Values of expressions that read no table, computed by the engine itself.

use std::cell::RefCell;
use std::collections::HashMap;

use crate::code::edit::{Edit, part_with_edits};
use crate::code::scope::{ResolvedScript, names_no_column};
use crate::code::script::Script;
use crate::code::tree::{Kind, NodeId};
use crate::corpus::Reference;
use crate::engine::sqlite::{Limits, LoadedDatabase, Sqlite};
use crate::engine::table::{Database, Value};

/// Computes expressions on an empty database, each text once.
pub struct Evaluator<'a> {
    reference: &'a Reference,
    script: &'a Script,
    known: RefCell<HashMap<String, Option<Value>>>,
    empty: Option<LoadedDatabase>,
}

impl<'a> Evaluator<'a> {
    /// Returns an evaluator for expressions of `script`, the reference with its placeholders bound.
    pub fn new(reference: &'a Reference, script: &'a Script) -> Self {
        let empty = Sqlite::open(&reference.schema, &Database::default()).ok();
        Evaluator { reference, script, known: RefCell::default(), empty }
    }

    /// Returns the value of an expression of the script; `None` if it reads a table, is NULL or cannot be computed.
    pub fn constant(&self, node: NodeId) -> Option<Value> {
        let tree = self.script.tree();
        let reads = |id: NodeId| match tree.kind(id) {
            // The unit of `dateadd(DAY, -7, d)` is none.
            Kind::Column => !names_no_column(self.script, id),
            kind => matches!(kind, Kind::Query | Kind::Over | Kind::Star | Kind::Lambda),
        };
        if tree.descendants(node).any(reads) {
            return None;
        }
        let text = self.script.slice(node);
        let digits = tree.kind(node) == Kind::Number && text.len() < 10;
        match text.parse() {
            // Most constants are plain numbers, and a generated script may have tens of thousands.
            Ok(number) if digits => Some(Value::Integer(number)),
            _ => self.value(text),
        }
    }

    /// Returns the value of an SQL expression that reads no table; `None` if it is NULL or cannot be computed.
    pub fn value(&self, text: &str) -> Option<Value> {
        if let Some(known) = self.known.borrow().get(text) {
            return known.clone();
        }
        let value = self.compute(text);
        self.known.borrow_mut().insert(text.to_owned(), value.clone());
        value
    }

    /// Returns the value of an expression of the script with literals in place of its columns; `None` if it is NULL or
    /// cannot be computed.
    pub fn value_with(&self, expression: NodeId, literals: Vec<(NodeId, String)>) -> Option<Value> {
        self.value(&self.text_with(expression, literals))
    }

    /// Returns the text of an expression of the script with literals in place of its columns.
    pub fn text_with(&self, expression: NodeId, literals: Vec<(NodeId, String)>) -> String {
        let span = |node: NodeId| self.script.tree().span(node);
        let edit = |(node, literal): (NodeId, String)| Edit::replacement(span(node), literal);
        let mut edits: Vec<Edit> = literals.into_iter().map(edit).collect();
        edits.sort_by_key(|edit| edit.start);
        part_with_edits(self.script.text(), span(expression), &edits)
    }

    fn compute(&self, text: &str) -> Option<Value> {
        let Reference { schema, parameters, .. } = self.reference;
        let ResolvedScript { script, scopes } = ResolvedScript::new(format!("SELECT {text} AS value"), schema);
        let translation = Sqlite::translate(&script, &scopes, schema, parameters).ok()?;
        let result = self.empty.as_ref()?.run(&translation, &Limits::default()).ok()?;
        let value = result.tables.first()?.rows.first()?.first()?.clone();
        (value != Value::Null).then_some(value)
    }
}
