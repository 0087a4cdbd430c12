//! Primitive operators, whose parameters come from taxonomy files.

mod bracket;
mod comma;
mod decision;
mod insert;
mod name;
mod text;
mod unwrap;
mod words;
mod call;
mod order;

use crate::code::edit::Edit;
use crate::fault::Operator;
use crate::inject::proposal::Proposals;
use crate::inject::removal::remove_node;
use crate::inject::script_context::ScriptContext;
use crate::inject::selection::select;

/// Runs a declarative operator.
pub(super) fn propose(context: &ScriptContext<'_>, operator: &Operator, out: &mut Proposals) {
    match operator {
        Operator::DropWords(parameters) => words::drop(context, parameters, out),
        Operator::ReplaceWords(parameters) => words::replace(context, parameters, out),
        Operator::MisspellWords(parameters) => words::misspell(context, parameters, out),
        Operator::Insert(parameters) => insert::insert(context, parameters, out),
        Operator::Wrap(parameters) => {
            for node in select(context, &parameters.at) {
                let span = context.tree().span(node);
                let sides = [(span.start, &parameters.before), (span.end, &parameters.after)];
                let edits = sides.map(|(at, text)| Edit::insertion(at, context.keyword(node, text)));
                out.push_whole(context.text(), node, edits.to_vec());
            }
        }
        Operator::DropNode(parameters) => {
            for node in select(context, &parameters.at) {
                if let Some(edits) = remove_node(context, node) {
                    out.push(context.text(), node, edits);
                }
            }
        }
        Operator::Unwrap(parameters) => unwrap::unwrap(context, parameters, out),
        Operator::RenameFunction(parameters) => call::rename(context, parameters, out),
        Operator::DropArgument(parameters) => call::drop_argument(context, parameters, out),
        Operator::AddArgument(parameters) => call::add_argument(context, parameters, out),
        Operator::SwapArguments(parameters) => call::swap_arguments(context, parameters, out),
        Operator::ReplaceText(parameters) => text::replace(context, parameters, out),
        Operator::ShiftNumber(parameters) => text::shift_number(context, parameters, out),
        Operator::Comma(parameters) => comma::comma(context, parameters, out),
        Operator::Bracket(parameters) => bracket::bracket(context, parameters, out),
        Operator::FlipSort(parameters) => order::flip_sort(context, parameters, out),
        Operator::SwapChildren(parameters) => order::swap_children(context, parameters, out),
        Operator::DropQualifier(parameters) => name::drop_qualifier(context, parameters, out),
        Operator::ConfuseColumn(parameters) => name::confuse_column(context, parameters, out),
        Operator::Misspell(parameters) => name::misspell(context, parameters, out),
        Operator::TurnDecision(parameters) => decision::turn(context, parameters, out),
        Operator::Function(_) => {}
    }
}
