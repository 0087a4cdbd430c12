//! Operators: each finds every site of its fault in a script and the smallest edit that plants it there.
//!
//! Operators are pure and enumerate all sites in source order; which of them are used is the plan's matter.

mod aggregate;
mod alias;
mod date;
mod join;
mod output;
mod primitive;
mod statement;
mod subquery;

use super::ground::Ground;
use super::proposal::{Proposal, Proposals};
use crate::fault::Operator;
use crate::fault::operator::Function;

/// What an operator is: it looks at a script and hands out proposals.
type OperatorFunction = fn(&Ground<'_>, &mut Proposals);

/// Every way to plant the fault of this operator in a script.
pub fn propose(ground: &Ground<'_>, operator: &Operator) -> Vec<Proposal> {
    let mut proposals = Proposals::default();
    match operator {
        Operator::Function(function) => function_of(*function)(ground, &mut proposals),
        declarative => primitive::propose(ground, declarative, &mut proposals),
    }
    proposals.into_vec()
}

/// The code behind a function that a taxonomy file names.
fn function_of(function: Function) -> OperatorFunction {
    match function {
        Function::CountColumnForStar => aggregate::count_column_for_star,
        Function::OnFilterToWhere => join::on_filter_to_where,
        Function::WhereFilterToOn => join::where_filter_to_on,
        Function::LimitIntoSubquery => subquery::limit_into_subquery,
        Function::DropCorrelation => subquery::drop_correlation,
        Function::ExtraGroupKey => aggregate::extra_group_key,
        Function::WrongAlias => alias::wrong_alias,
        Function::InnerAliasOutside => alias::inner_alias_outside,
        Function::DuplicateOutputName => output::duplicate_output_name,
        Function::DuplicateTableAlias => alias::duplicate_table_alias,
        Function::DuplicateViewName => alias::duplicate_view_name,
        Function::AliasOfNoTable => alias::alias_of_no_table,
        Function::StatementSemicolonMissing => statement::statement_semicolon_missing,
        Function::SecondSubqueryColumn => subquery::second_subquery_column,
        Function::WhereBeforeJoin => join::where_before_join,
        Function::WindowAliasInWhere => output::window_alias_in_where,
        Function::AliasIntoCast => output::alias_into_cast,
        Function::ExchangeOutputs => output::exchange_outputs,
        Function::SelectStaticPartition => output::select_static_partition,
        Function::LostCommaMakesAlias => output::lost_comma_makes_alias,
        Function::DropJoinKeyPart => join::drop_join_key_part,
        Function::JobDateForRowDate => date::job_date_for_row_date,
    }
}

#[cfg(test)]
mod tests;
