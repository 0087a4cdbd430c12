//! Operators about dates.

use std::collections::BTreeMap;

use crate::code::edit::Edit;
use crate::code::token::TokenKind;
use crate::code::types::Type;
use crate::fault::NodeName;
use crate::inject::ground::Ground;
use crate::inject::names::reference;
use crate::inject::proposal::Proposals;

/// Functions whose arguments are dates.
const DATE_FUNCTIONS: [&str; 6] = ["datediff", "months_between", "date_add", "date_sub", "add_months", "trunc"];

/// A date column in date arithmetic is replaced by the parameter of the run: right on the day itself, wrong for every
/// other row.
pub(super) fn job_date_for_row_date(ground: &Ground<'_>, out: &mut Proposals) {
    let Some(parameter) = run_date(ground) else { return };
    for column in ground.named(NodeName::Column).iter().copied() {
        let Some(call) = ground.tree().parent(column) else { continue };
        let dated = DATE_FUNCTIONS.contains(&ground.script.function_name(call).as_str());
        let repeats = ground.script.slice(call).contains(&parameter);
        let Some(found) = reference(ground, column).filter(|_| dated && !repeats) else { continue };
        if matches!(found.column.data_type, Type::String | Type::Date | Type::Timestamp) {
            let edit = Edit::replacement(ground.tree().span(column), parameter.clone());
            out.push(ground.text(), column, vec![edit]);
        }
    }
}

/// The string literal that holds nothing but a placeholder and occurs most often: the date of the run.
fn run_date(ground: &Ground<'_>) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for token in ground.script.tokens().iter().filter(|token| token.kind == TokenKind::Text) {
        let text = token.span().of(ground.text());
        let inner = text.trim_matches(['\'', '"']);
        if inner.starts_with("${") && inner.ends_with('}') && inner.matches("${").count() == 1 {
            *counts.entry(text).or_default() += 1;
        }
    }
    let best = counts.into_iter().max_by(|left, right| left.1.cmp(&right.1).then_with(|| right.0.cmp(left.0)));
    best.map(|(text, _)| text.to_owned())
}
