//! `no-lambda`: Hive's grammar has no `->`, and `TRANSFORM` calls a script there.

use super::context::PolicyContext;
use super::finding::{PolicyFinding, hive_place};
use crate::code::tree::{Kind, NodeId};

/// Finds the first lambda. It is reported where Hive's parser fails: at the word `transform`, which means something
/// else to Hive, or at the second half of the arrow.
pub(super) fn check(context: &PolicyContext<'_>) -> Option<PolicyFinding> {
    let tree = context.tree();
    let lambdas = tree.ids().filter(|node| tree.kind(*node) == Kind::Lambda);
    let lambda = lambdas.min_by_key(|node| context.span(*node).start)?;
    let call = tree.enclosing(lambda, |kind| matches!(kind, Kind::Call { .. }));
    match call.filter(|call| context.script.function_name(*call) == "transform") {
        Some(call) => Some(transform(context, call)),
        None => arrow(context, lambda),
    }
}

fn transform(context: &PolicyContext<'_>, call: NodeId) -> PolicyFinding {
    let first = *context.script.token_range(call).start();
    let near = near(context, first, 3, Vec::new());
    let parent = context.tree().parent(call).map(|parent| context.tree().kind(parent));
    let clause = if parent == Some(Kind::SelectItem) { "selection target" } else { "select expression" };
    PolicyFinding::new(context.script.tokens()[first].span(), move |place| {
        format!("FAILED: ParseException line {} cannot recognize input near {near} in {clause}", hive_place(place))
    })
}

fn arrow(context: &PolicyContext<'_>, lambda: NodeId) -> Option<PolicyFinding> {
    let mut tokens = context.script.token_range(lambda);
    let arrow = tokens.find(|token| context.script.token_text(*token) == "->")?;
    let near = near(context, arrow + 1, 2, vec![">"]);
    Some(PolicyFinding::new(context.script.tokens()[arrow].span(), move |place| {
        let (line, column) = (place.line, place.column);
        format!(
            "FAILED: ParseException line {line}:{column} cannot recognize input near {near} in expression specification"
        )
    }))
}

/// Returns `words` and `count` tokens of the script, quoted as in the parser's messages.
fn near<'a>(context: &'a PolicyContext<'_>, from: usize, count: usize, mut words: Vec<&'a str>) -> String {
    let last = context.script.tokens().len().min(from + count);
    words.extend((from..last).map(|token| context.script.token_text(token)));
    words.iter().map(|word| format!("'{}'", word.trim_matches('\''))).collect::<Vec<_>>().join(" ")
}
