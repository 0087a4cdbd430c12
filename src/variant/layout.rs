//! Another layout: the blanks of a script and the case of its keywords as a house style has them.

use std::collections::BTreeMap;

use super::rename::leaves;
use crate::code::edit::{Edit, EditError, Edits};
use crate::code::script::Script;
use crate::code::span::Span;
use crate::code::token::TokenKind;
use crate::code::tree::{Kind, NodeId};
use crate::corpus::compose::writing::{CommaPosition, LetterCase, Style};

/// Conditions and cases with more characters are broken.
const LONG: usize = 70;

/// Returns the edits that give a script without comments the layout of a style.
///
/// # Errors
///
/// If two replace the same bytes, which would be a bug.
pub(super) fn laid_out(script: &Script, style: &Style) -> Result<Edits, EditError> {
    let breaks = Breaks::of(script, style);
    let step = if style.indent == 0 { "\t".to_owned() } else { " ".repeat(style.indent) };
    let (leaves, mut end, mut edits) = (leaves(script), 0, Vec::new());
    for (place, token) in script.tokens().iter().enumerate() {
        let span = Span::new(end, token.span().end);
        let blank = match breaks.depths.get(&place) {
            _ if place == 0 => String::new(),
            Some(depth) => format!("\n{}", step.repeat(*depth)),
            None => gap(script, place),
        };
        let blank = if place > 0 && breaks.airy.contains(&place) { format!("\n{blank}") } else { blank };
        let new = blank + &word(script, place, leaves[place], style);
        if new != span.of(script.text()) {
            edits.push(Edit::replacement(span, new));
        }
        end = token.span().end;
    }
    edits.push(Edit::replacement(Span::new(end, script.text().len()), "\n"));
    Edits::new(edits)
}

/// What stands between a token and the one before it on the same line.
fn gap(script: &Script, place: usize) -> String {
    let none = match (script.token_text(place - 1), script.token_text(place)) {
        (_, "," | ")" | ";") | ("(", _) => true,
        (",", _) => false,
        _ => script.gap_after(place - 1).is_empty(),
    };
    if none { String::new() } else { " ".to_owned() }
}

/// A token in the case that the style has for its kind.
fn word(script: &Script, place: usize, leaf: Option<NodeId>, style: &Style) -> String {
    let text = script.token_text(place);
    let case = match leaf.map(|leaf| script.tree().kind(leaf)) {
        _ if script.tokens()[place].kind != TokenKind::Word => return text.to_owned(),
        None | Some(Kind::Null | Kind::Boolean(_)) => style.keywords,
        Some(Kind::FunctionName) => style.functions,
        _ => return text.to_owned(),
    };
    match case {
        LetterCase::Upper => text.to_uppercase(),
        LetterCase::Lower => text.to_lowercase(),
    }
}

/// Before which tokens lines begin.
#[derive(Default)]
struct Breaks {
    /// How deep each of these lines is indented.
    depths: BTreeMap<usize, usize>,
    /// Lines with an empty one before them.
    airy: Vec<usize>,
}

impl Breaks {
    fn of(script: &Script, style: &Style) -> Breaks {
        let mut breaks = Breaks::default();
        let tree = script.tree();
        for node in tree.descendants(tree.root()) {
            breaks.node(script, style, node);
        }
        for statement in script.statements().iter().skip(1) {
            let first = tree.tokens(*statement).0;
            breaks.depths.insert(first, 0);
            breaks.airy.push(first);
        }
        if style.semicolon_alone {
            let ends = (0..script.tokens().len()).filter(|place| script.token_text(*place) == ";");
            ends.for_each(|place| _ = breaks.depths.insert(place, 0));
        }
        breaks
    }

    fn node(&mut self, script: &Script, style: &Style, node: NodeId) {
        let tree = script.tree();
        let deepens = |outer: &NodeId| match tree.kind(*outer) {
            Kind::Case { .. } => tree.span(*outer).len() > LONG,
            kind => kind == Kind::Query,
        };
        let depth = tree.ancestors(node).filter(deepens).count();
        let (first, last) = tree.tokens(node);
        let parent = tree.parent(node).map(|parent| tree.kind(parent));
        let inner = depth.saturating_sub(1);
        match tree.kind(node) {
            Kind::Query => self.query(script, node, depth),
            Kind::Select { .. } | Kind::Values if parent == Some(Kind::Query) && first > 0 => self.put(first, inner),
            Kind::From | Kind::Where | Kind::GroupBy | Kind::Having | Kind::Qualify | Kind::LateralView { .. } => {
                self.put(first, inner)
            }
            Kind::Join { .. } | Kind::Limit => self.put(first, inner),
            Kind::OrderBy | Kind::SortBy | Kind::ClusterBy | Kind::DistributeBy if parent == Some(Kind::Query) => {
                self.put(first, inner)
            }
            Kind::On if !style.on_same_line => self.put(first, depth),
            Kind::InsertBranch { .. } => self.put(first, inner),
            Kind::SetOperation { .. } => self.operands(script, node, inner),
            Kind::Projection => self.items(script, style, node, depth),
            Kind::With if tree.children(node).len() > 1 && style.airy => self.common_tables(script, node, depth),
            Kind::And | Kind::Or => self.conditions(script, style, node, depth),
            Kind::Case { .. } if tree.span(node).len() > LONG => {
                let parts = tree.children_where(node, |kind| matches!(kind, Kind::When | Kind::Else));
                parts.for_each(|part| self.put(tree.tokens(part).0, depth + 1));
                self.put(last, depth);
            }
            _ => {}
        }
    }

    fn put(&mut self, place: usize, depth: usize) {
        self.depths.insert(place, depth);
    }

    /// A query in parentheses has lines of its own, deeper than what is around it.
    fn query(&mut self, script: &Script, query: NodeId, depth: usize) {
        let (first, last) = script.tree().tokens(query);
        if first > 0 {
            self.put(first, depth);
        }
        if script.token_text(last + 1) == ")" {
            self.put(last + 1, depth.saturating_sub(1));
        }
    }

    /// The operator of a set operation and its right side begin lines.
    fn operands(&mut self, script: &Script, operation: NodeId, depth: usize) {
        let tree = script.tree();
        if let [left, right] = tree.children(operation) {
            self.put(tree.tokens(*left).1 + 1, depth);
            self.put(tree.tokens(*right).0, depth);
        }
    }

    fn items(&mut self, script: &Script, style: &Style, projection: NodeId, depth: usize) {
        let tree = script.tree();
        for (number, item) in tree.children(projection).iter().enumerate() {
            let first = tree.tokens(*item).0;
            let comma = usize::from(number > 0 && style.comma == CommaPosition::Leading);
            self.put(first - comma, depth);
        }
    }

    fn common_tables(&mut self, script: &Script, with: NodeId, depth: usize) {
        for table in script.tree().children(with).iter().skip(1) {
            let first = script.tree().tokens(*table).0;
            self.put(first, depth.saturating_sub(1));
            self.airy.push(first);
        }
    }

    /// Each condition of a clause, and of any long condition, begins a line with AND or OR.
    fn conditions(&mut self, script: &Script, style: &Style, node: NodeId, depth: usize) {
        let tree = script.tree();
        let of_clause = tree
            .parent(node)
            .is_some_and(|parent| matches!(tree.kind(parent), Kind::Where | Kind::On | Kind::Having | Kind::Qualify));
        if of_clause || tree.span(node).len() > LONG {
            let depth = if style.indent_and || !of_clause { depth } else { depth.saturating_sub(1) };
            for condition in tree.children(node).iter().skip(1) {
                self.put(tree.tokens(*condition).0 - 1, depth);
            }
        }
    }
}
