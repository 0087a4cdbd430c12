//! Operators about dates.

use std::collections::BTreeMap;

use crate::code::edit::Edit;
use crate::code::token::TokenKind;
use crate::code::types::Type;
use crate::fault::NodeName;
use crate::inject::names::reference;
use crate::inject::proposal::Proposals;
use crate::inject::script_context::ScriptContext;

use super::named_function::NamedFunction;

/// The functions of this file, by the names that taxonomy files use.
pub(super) const FUNCTIONS: &[NamedFunction] =
    &[NamedFunction { name: "job_date_for_row_date", propose: job_date_for_row_date }];

/// Functions whose arguments are dates.
const DATE_FUNCTIONS: [&str; 6] = ["datediff", "months_between", "date_add", "date_sub", "add_months", "trunc"];

/// A date column in date arithmetic is replaced by the run date: right for rows of that day, wrong for all others.
fn job_date_for_row_date(context: &ScriptContext<'_>, out: &mut Proposals) {
    let Some(parameter) = run_date(context) else { return };
    for column in context.named(NodeName::Column).iter().copied() {
        let Some(call) = context.tree().parent(column) else { continue };
        let dated = DATE_FUNCTIONS.contains(&context.script.function_name(call).as_str());
        let repeats = context.script.slice(call).contains(&parameter);
        let Some(found) = reference(context, column).filter(|_| dated && !repeats) else { continue };
        if matches!(found.column.data_type, Type::String | Type::Date | Type::Timestamp) {
            let edit = Edit::replacement(context.tree().span(column), parameter.clone());
            out.push(context.text(), column, vec![edit]);
        }
    }
}

/// Returns the most frequent string literal that holds nothing but a placeholder, which is taken for the run date.
fn run_date(context: &ScriptContext<'_>) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for token in context.script.tokens().iter().filter(|token| token.kind == TokenKind::Text) {
        let text = token.span().of(context.text());
        let inner = text.trim_matches(['\'', '"']);
        if inner.starts_with("${") && inner.ends_with('}') && inner.matches("${").count() == 1 {
            *counts.entry(text).or_default() += 1;
        }
    }
    let best = counts.into_iter().max_by(|left, right| left.1.cmp(&right.1).then_with(|| right.0.cmp(left.0)));
    best.map(|(text, _)| text.to_owned())
}
