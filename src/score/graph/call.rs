//! Calls: synonyms, aggregates and windows.

use super::GraphBuilder;
use super::terms::Term;
use crate::code::functions::{Function, lookup};
use crate::code::tree::{BinaryOperator, Kind, NodeId};

impl GraphBuilder<'_> {
    /// A call with its FILTER and OVER.
    pub(super) fn call(&mut self, id: NodeId, distinct: bool) -> Term {
        let name = self.script.function_name(id);
        let arguments = self.script.arguments(id);
        let filter = self.tree.child(id, |kind| kind == Kind::Filter);
        let over = self.tree.child(id, |kind| kind == Kind::Over);
        let plain = !distinct && filter.is_none() && over.is_none() && self.call_words(id).is_empty();
        if plain && let Some(term) = self.rewritten(&name, &arguments) {
            return term;
        }
        let mut term = self.plain_call(id, &self.script.canonical_function_name(id), &arguments, distinct);
        if let Some(order) = self.tree.child(id, |kind| kind == Kind::WithinGroup) {
            let order = self.tree.children(order).first().copied().map(|order| self.sort_keys(order, None));
            let order = order.unwrap_or_else(|| self.terms.none());
            term = self.terms.node("within group", &[term, order]);
        }
        if let Some(condition) = filter.and_then(|filter| self.tree.children(filter).first().copied()) {
            let condition = self.condition(condition, false);
            term = self.terms.node("filter", &[term, condition]);
        }
        match over {
            Some(over) => self.over(term, over),
            None => term,
        }
    }

    /// Words inside a call besides name, DISTINCT and arguments, such as `IGNORE NULLS`.
    fn call_words(&self, id: NodeId) -> String {
        self.residue(id).filter(|word| word != "distinct").collect::<Vec<_>>().join(" ")
    }

    fn plain_call(&mut self, id: NodeId, name: &str, arguments: &[NodeId], distinct: bool) -> Term {
        let counts_rows = name == "count" && !distinct && matches!(arguments, [only] if self.is_literal(*only));
        let mut terms: Vec<Term> = match counts_rows {
            true => vec![self.terms.leaf("star")],
            false => arguments.iter().map(|argument| self.expression(*argument)).collect(),
        };
        if matches!(name, "greatest" | "least") {
            terms.sort_unstable();
        }
        // Fields of a struct are named after its arguments.
        if name == "struct" {
            let names: Vec<String> = arguments.iter().map(|argument| self.field_name(*argument)).collect();
            terms.push(self.terms.leaf(&names.join(",")));
            if arguments.iter().any(|argument| matches!(self.tree.kind(*argument), Kind::Star | Kind::Wildcard)) {
                terms.push(self.column_names(id));
            }
        }
        let once = distinct && !matches!(name, "min" | "max");
        let words = self.call_words(id);
        self.terms.node(&format!("{name}(){}{words}", if once { " distinct " } else { "" }), &terms)
    }

    /// Returns what a field of a struct is named after: its own name or, without one, its argument.
    fn field_name(&self, argument: NodeId) -> String {
        let own = self.script.field_name(argument);
        own.map_or_else(|| self.script.slice(argument).to_lowercase(), |name| format!("as {name}"))
    }

    fn is_literal(&self, id: NodeId) -> bool {
        matches!(self.tree.kind(id), Kind::Number | Kind::Text | Kind::Boolean(_))
    }

    /// Returns the graph of a call that stands for another construct, such as `IF` for CASE; `None` for other calls.
    fn rewritten(&mut self, name: &str, arguments: &[NodeId]) -> Option<Term> {
        Some(match (name, arguments) {
            ("if", [condition, yes, no]) => {
                let parts = vec![self.condition(*condition, false), self.expression(*yes)];
                let otherwise = self.expression(*no);
                let flat = self.same_type(*yes, *no) && self.is_case_of_one_type(*yes, *no);
                self.searched(parts, Some(otherwise), flat)
            }
            ("nvl2", [value, some, none]) => {
                let value = self.expression(*value);
                let parts = vec![self.is_null(value, true), self.expression(*some)];
                let otherwise = self.expression(*none);
                self.searched(parts, Some(otherwise), false)
            }
            ("nullif", [left, right]) => {
                let (left, right) = (self.expression(*left), self.expression(*right));
                let equal = self.comparison(BinaryOperator::Equal, left, right, false);
                let null = self.terms.leaf("null");
                self.searched(vec![equal, null], Some(left), false)
            }
            ("isnull" | "isnotnull", [value]) => {
                let value = self.expression(*value);
                self.is_null(value, name == "isnotnull")
            }
            ("not", [value]) => self.condition(*value, true),
            ("mod", [left, right]) => {
                let parts = [self.expression(*left), self.expression(*right)];
                self.terms.node("mod", &parts)
            }
            ("instr", [text, part]) => {
                let parts = [self.expression(*part), self.expression(*text)];
                self.terms.node("locate()", &parts)
            }
            ("concat", [_, _, ..]) => {
                let parts = arguments.iter().map(|argument| self.expression(*argument)).collect();
                self.concat(parts)
            }
            (_, [value]) if lookup(name).is_some_and(Function::is_cast) => {
                let label = if name == "decimal" { "decimal(10,0)" } else { name };
                let to = self.terms.leaf(&format!("type {label}"));
                let value = self.expression(*value);
                self.terms.node("cast", &[value, to])
            }
            _ => return None,
        })
    }

    /// Whether both results of an IF, and all of a CASE inside its ELSE, have one type.
    fn is_case_of_one_type(&self, yes: NodeId, no: NodeId) -> bool {
        let results: Vec<NodeId> = match self.tree.kind(no) {
            Kind::Case { .. } => self.tree.case_values(no).collect(),
            Kind::Call { .. } => self.script.arguments(no).into_iter().skip(1).collect(),
            _ => Vec::new(),
        };
        !results.is_empty() && results.iter().all(|result| self.same_type(yes, *result))
    }

    fn over(&mut self, call: Term, over: NodeId) -> Term {
        let child = self.tree.children(over).first().copied();
        let window = match child {
            Some(child) => self.window(child),
            None => self.terms.none(),
        };
        self.terms.node("over", &[call, window])
    }

    /// Returns the graph of a window's definition, whether it is named or inline.
    fn window(&mut self, id: NodeId) -> Term {
        if self.tree.kind(id) == Kind::Identifier {
            return match self.named_window(id) {
                Some(specification) if self.open.insert(specification) => {
                    let term = self.window(specification);
                    self.open.remove(&specification);
                    term
                }
                _ => self.generic(id),
            };
        }
        let mut parts = vec![self.terms.none(); 4];
        for child in self.tree.children(id).to_vec() {
            match self.tree.kind(child) {
                Kind::Identifier => parts[0] = self.window(child),
                Kind::PartitionBy => {
                    let keys = self.tree.children(child).to_vec();
                    let mut terms: Vec<Term> = keys.iter().map(|key| self.expression(*key)).collect();
                    terms.sort_unstable();
                    terms.dedup();
                    parts[1] = self.terms.node("partition by", &terms);
                }
                Kind::Frame { .. } => parts[3] = self.frame(child),
                _ => parts[2] = self.sort_keys(child, None),
            }
        }
        self.terms.node("window", &parts)
    }

    fn named_window(&self, name: NodeId) -> Option<NodeId> {
        let wanted = self.script.name(name);
        let blocks =
            self.tree.ancestors(name).filter(|id| matches!(self.tree.kind(*id), Kind::Select { .. } | Kind::Query));
        let windows = blocks.filter_map(|block| self.tree.child(block, |kind| kind == Kind::Windows));
        windows.flat_map(|windows| self.tree.children(windows)).find_map(|window| match self.tree.children(*window) {
            [identifier, specification] if self.script.name(*identifier) == wanted => Some(*specification),
            _ => None,
        })
    }

    /// Returns the graph of a frame with both bounds written out; the default frame is the same as no frame.
    fn frame(&mut self, id: NodeId) -> Term {
        let rows = matches!(self.tree.kind(id), Kind::Frame { rows: true });
        let bounds = self.tree.children(id).to_vec();
        let mut terms: Vec<Term> = bounds.iter().map(|bound| self.generic(*bound)).collect();
        let texts: Vec<String> = bounds.iter().map(|bound| self.words(*bound)).collect();
        let to_current = texts.get(1).is_none_or(|text| text == "current row");
        if !rows && to_current && texts.first().is_some_and(|text| text == "unbounded preceding") {
            return self.terms.none();
        }
        if terms.len() == 1 {
            terms.push(self.terms.leaf("FrameBound current row"));
        }
        self.terms.node(if rows { "rows" } else { "range" }, &terms)
    }
}
