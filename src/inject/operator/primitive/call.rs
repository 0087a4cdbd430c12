//! `rename_function`, `drop_argument`, `add_argument`, `swap_arguments`.

use crate::code::edit::Edit;
use crate::code::tree::{Kind, NodeId};
use crate::fault::NodeName;
use crate::fault::operator::{AddArgument, DropArgument, RenameFunction, SwapArguments};
use crate::inject::ground::Ground;
use crate::inject::proposal::Proposals;
use crate::inject::removal::{removal, remove_node};
use crate::inject::selection::{fits, is_windowed};

use super::words::like;

/// Calls of these functions, in source order.
fn calls<'a>(ground: &'a Ground<'_>, functions: &'a [String]) -> impl Iterator<Item = NodeId> + 'a {
    let wanted = |call: &NodeId| functions.contains(&ground.script.function_name(*call));
    ground.named(NodeName::Call).iter().copied().filter(wanted)
}

/// Writes another name for the called function.
pub(super) fn rename(ground: &Ground<'_>, parameters: &RenameFunction, out: &mut Proposals) {
    for call in ground.named(NodeName::Call).iter().copied() {
        let Some(names) = parameters.names.get(&ground.script.function_name(call)) else { continue };
        let windowed = is_windowed(ground, call);
        if parameters.windowed.is_some_and(|wanted| wanted != windowed) || !fits(ground, &parameters.at, call) {
            continue;
        }
        let Some(name) = ground.tree().child(call, |kind| kind == Kind::FunctionName) else { continue };
        for new in names.iter() {
            let new = like(ground.script.slice(name), new);
            out.push(ground.text(), call, vec![Edit::replacement(ground.tree().span(name), new)]);
        }
    }
}

/// Deletes an argument with its comma.
pub(super) fn drop_argument(ground: &Ground<'_>, parameters: &DropArgument, out: &mut Proposals) {
    for call in calls(ground, &parameters.function) {
        let arguments = ground.script.arguments(call);
        if parameters.of.is_some_and(|count| count != arguments.len()) {
            continue;
        }
        let index = parameters.argument.unwrap_or(arguments.len().saturating_sub(1));
        let Some(argument) = arguments.get(index).copied() else { continue };
        let edits = match arguments.len() {
            1 => Some(vec![removal(ground.text(), ground.tree().span(argument))]),
            _ => remove_node(ground, argument),
        };
        out.push(ground.text(), call, edits.unwrap_or_default());
    }
}

/// Adds an argument in front of the others or behind them.
pub(super) fn add_argument(ground: &Ground<'_>, parameters: &AddArgument, out: &mut Proposals) {
    for call in calls(ground, &parameters.function) {
        let arguments = ground.script.arguments(call);
        let (Some(first), Some(last)) = (arguments.first(), arguments.last()) else { continue };
        let edit = if parameters.first {
            Edit::insertion(ground.tree().span(*first).start, format!("{}, ", parameters.text))
        } else {
            Edit::insertion(ground.tree().span(*last).end, format!(", {}", parameters.text))
        };
        out.push(ground.text(), call, vec![edit]);
    }
}

/// Exchanges two arguments; none when they read the same.
pub(super) fn swap_arguments(ground: &Ground<'_>, parameters: &SwapArguments, out: &mut Proposals) {
    let (first, second) = parameters.arguments;
    for call in calls(ground, &parameters.function) {
        let arguments = ground.script.arguments(call);
        if let (Some(first), Some(second)) = (arguments.get(first), arguments.get(second)) {
            let (first, second) = (ground.tree().span(*first), ground.tree().span(*second));
            let edits = vec![
                Edit::replacement(first, second.of(ground.text())),
                Edit::replacement(second, first.of(ground.text())),
            ];
            out.push_whole(ground.text(), call, edits);
        }
    }
}
