//! Primitive operators, which taxonomy files give their parameters.

mod bracket;
mod call;
mod comma;
mod insert;
mod name;
mod order;
mod text;
mod unwrap;
mod words;

use crate::code::edit::Edit;
use crate::fault::Operator;
use crate::inject::ground::Ground;
use crate::inject::proposal::Proposals;
use crate::inject::removal::remove_node;
use crate::inject::selection::select;

/// Runs a declarative operator.
pub(super) fn propose(ground: &Ground<'_>, operator: &Operator, out: &mut Proposals) {
    match operator {
        Operator::DropWords(parameters) => words::drop(ground, parameters, out),
        Operator::ReplaceWords(parameters) => words::replace(ground, parameters, out),
        Operator::MisspellWords(parameters) => words::misspell(ground, parameters, out),
        Operator::Insert(parameters) => insert::insert(ground, parameters, out),
        Operator::Wrap(parameters) => {
            for node in select(ground, &parameters.at) {
                let span = ground.tree().span(node);
                let sides = [(span.start, &parameters.before), (span.end, &parameters.after)];
                let edits = sides.map(|(at, text)| Edit::insertion(at, ground.keyword(node, text)));
                out.push_whole(ground.text(), node, edits.to_vec());
            }
        }
        Operator::DropNode(parameters) => {
            for node in select(ground, &parameters.at) {
                if let Some(edits) = remove_node(ground, node) {
                    out.push(ground.text(), node, edits);
                }
            }
        }
        Operator::Unwrap(parameters) => unwrap::unwrap(ground, parameters, out),
        Operator::RenameFunction(parameters) => call::rename(ground, parameters, out),
        Operator::DropArgument(parameters) => call::drop_argument(ground, parameters, out),
        Operator::AddArgument(parameters) => call::add_argument(ground, parameters, out),
        Operator::SwapArguments(parameters) => call::swap_arguments(ground, parameters, out),
        Operator::ReplaceText(parameters) => text::replace(ground, parameters, out),
        Operator::ShiftNumber(parameters) => text::shift_number(ground, parameters, out),
        Operator::Comma(parameters) => comma::comma(ground, parameters, out),
        Operator::Bracket(parameters) => bracket::bracket(ground, parameters, out),
        Operator::FlipSort(parameters) => order::flip_sort(ground, parameters, out),
        Operator::SwapChildren(parameters) => order::swap_children(ground, parameters, out),
        Operator::DropQualifier(parameters) => name::drop_qualifier(ground, parameters, out),
        Operator::ConfuseColumn(parameters) => name::confuse_column(ground, parameters, out),
        Operator::Misspell(parameters) => name::misspell(ground, parameters, out),
        Operator::Function(_) => {}
    }
}
