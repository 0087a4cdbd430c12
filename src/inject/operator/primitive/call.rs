//! `rename_function`, `drop_argument`, `add_argument`, `swap_arguments`.

use crate::code::edit::Edit;
use crate::code::tree::{Kind, NodeId};
use crate::fault::NodeName;
use crate::fault::operator::{AddArgument, DropArgument, RenameFunction, SwapArguments};
use crate::inject::proposal::Proposals;
use crate::inject::removal::{removal, remove_node};
use crate::inject::script_context::ScriptContext;
use crate::inject::selection::{fits, is_windowed};

use super::words::like;

/// Calls of these functions, in source order.
fn calls<'a>(context: &'a ScriptContext<'_>, functions: &'a [String]) -> impl Iterator<Item = NodeId> + 'a {
    let wanted = |call: &NodeId| functions.contains(&context.script.function_name(*call));
    context.named(NodeName::Call).iter().copied().filter(wanted)
}

/// Writes another name for the called function.
pub(super) fn rename(context: &ScriptContext<'_>, parameters: &RenameFunction, out: &mut Proposals) {
    for call in context.named(NodeName::Call).iter().copied() {
        let Some(names) = parameters.names.get(&context.script.function_name(call)) else { continue };
        let windowed = is_windowed(context, call);
        if parameters.windowed.is_some_and(|wanted| wanted != windowed) || !fits(context, &parameters.at, call) {
            continue;
        }
        let Some(name) = context.tree().child(call, |kind| kind == Kind::FunctionName) else { continue };
        for new in names.iter() {
            let new = like(context.script.slice(name), new);
            out.push(context.text(), call, vec![Edit::replacement(context.tree().span(name), new)]);
        }
    }
}

/// Deletes an argument with its comma.
pub(super) fn drop_argument(context: &ScriptContext<'_>, parameters: &DropArgument, out: &mut Proposals) {
    for call in calls(context, &parameters.function) {
        let arguments = context.script.arguments(call);
        if parameters.of.is_some_and(|count| count != arguments.len()) {
            continue;
        }
        let index = parameters.argument.unwrap_or(arguments.len().saturating_sub(1));
        let Some(argument) = arguments.get(index).copied() else { continue };
        let edits = match arguments.len() {
            1 => Some(vec![removal(context.text(), context.tree().span(argument))]),
            _ => remove_node(context, argument),
        };
        out.push(context.text(), call, edits.unwrap_or_default());
    }
}

/// Adds an argument in front of the others or behind them.
pub(super) fn add_argument(context: &ScriptContext<'_>, parameters: &AddArgument, out: &mut Proposals) {
    for call in calls(context, &parameters.function) {
        let arguments = context.script.arguments(call);
        let (Some(first), Some(last)) = (arguments.first(), arguments.last()) else { continue };
        let edit = if parameters.first {
            Edit::insertion(context.tree().span(*first).start, format!("{}, ", parameters.text))
        } else {
            Edit::insertion(context.tree().span(*last).end, format!(", {}", parameters.text))
        };
        out.push(context.text(), call, vec![edit]);
    }
}

/// Exchanges two arguments; none when they read the same.
pub(super) fn swap_arguments(context: &ScriptContext<'_>, parameters: &SwapArguments, out: &mut Proposals) {
    let [first, second] = parameters.arguments;
    for call in calls(context, &parameters.function) {
        let arguments = context.script.arguments(call);
        if let (Some(first), Some(second)) = (arguments.get(first), arguments.get(second)) {
            let edits = Edit::exchange(context.text(), context.tree().span(*first), context.tree().span(*second));
            out.push_whole(context.text(), call, edits);
        }
    }
}
