//! Applies Spark's rules without Spark: would it accept a script and, if not, at which stage, at which place and with
//! which error class?
//!
//! SQLite accepts much that Hive and Spark refuse. This pass runs before it, so that a syntax fault is rejected for the
//! right reason. Classes and places follow Spark 4.3 with ANSI mode off; the messages are ours.

mod common_types;
mod lookahead;
mod operators;
mod reserved_words;
mod rule_finding;
mod rule_context;
mod aliases;
mod changes;
mod definitions;
mod inserts;
mod known_call;
mod casts;
mod constants;
mod frames;
mod generators;
mod inline_tables;
mod lambdas;
mod limits;
mod literals;
mod names;
mod order;
mod recursion;
mod rejection;
mod syntax_error;
mod table_functions;
mod type_findings;
mod argument_rules;
mod collections;
mod constant_arguments;
mod types;
mod windows;
mod lateral_aliases;
mod aggregates;
mod call_syntax;
mod calls;
mod grouping_calls;
mod pipes;
mod pivots;
mod queries;
mod written_clauses;
mod written_literals;
mod written_intervals;
mod written_types;
mod hive_syntax;
mod syntax_hint;
mod syntax;

pub use rejection::{Rejection, RejectionStage};

use crate::code::schema::Schema;
use crate::code::scope::Scopes;
use crate::code::script::Script;
use rejection::rejection;
use rule_context::RuleContext;
use rule_finding::RuleFinding;

type RuleFunction = fn(&RuleContext<'_>) -> Vec<RuleFinding>;

/// The rules in the order in which Spark applies them: those of its parser first, then names, types and whole queries.
const RULES: [RuleFunction; 22] = [
    inline_tables::check_text,
    changes::check,
    names::check,
    calls::check,
    table_functions::check,
    inline_tables::check,
    literals::check,
    generators::check,
    types::check,
    casts::check,
    aliases::check,
    limits::check,
    pipes::check,
    pivots::check,
    windows::check,
    grouping_calls::check,
    aggregates::check,
    lateral_aliases::check,
    queries::check,
    recursion::check,
    inserts::check,
    definitions::check,
];

/// Returns why Spark refuses `script`; `None` if it accepts it.
///
/// The text of the whole script is judged first, then each statement in order by the rules.
pub fn judge(script: &Script, scopes: &Scopes, schema: &Schema) -> Option<Rejection> {
    if let Some(rejection) = parse_rejection(script) {
        return Some(rejection);
    }
    for statement in script.statements().iter().copied() {
        let nodes = script.tree().descendants(statement).collect();
        let context = RuleContext { script, scopes, schema, statement, nodes };
        for rule in RULES {
            let mut findings = rule(&context);
            if !findings.is_empty() {
                // Spark counts the aliases of a generator before it looks up names behind it.
                findings.extend(generators::check(&context).into_iter().filter(generators::is_miscounted));
            }
            if findings.iter().any(|finding| order::is_sorting(&context, finding)) {
                // Spark judges the groups of a query before it looks up its sort keys.
                findings.extend(aggregates::check(&context));
            }
            if let Some(first) = findings.into_iter().min_by_key(|finding| order::of(&context, finding)) {
                let stage = if first.in_text { RejectionStage::Parse } else { stage_of(first.class) };
                return Some(rejection(script, stage, first));
            }
        }
    }
    None
}

/// Returns why Spark's parser refuses `script`, as far as that can be told without its names; `None` if it does not.
pub fn parse_rejection(script: &Script) -> Option<Rejection> {
    syntax::check(script)
}

/// Some rules about definitions are part of Spark's parser.
fn stage_of(class: &str) -> RejectionStage {
    match class {
        "UNSUPPORTED_DATATYPE"
        | "DATATYPE_MISSING_SIZE"
        | "_LEGACY_ERROR_TEMP_0035"
        | "INVALID_PARAMETER_VALUE.DATETIME_UNIT"
        | "MERGE_WITHOUT_WHEN"
        | "MERGE_INSERT_VALUE_COUNT_MISMATCH"
        | "NON_LAST_MATCHED_CLAUSE_OMIT_CONDITION"
        | "NON_LAST_NOT_MATCHED_BY_TARGET_CLAUSE_OMIT_CONDITION"
        | "NON_LAST_NOT_MATCHED_BY_SOURCE_CLAUSE_OMIT_CONDITION" => RejectionStage::Parse,
        _ => RejectionStage::Analysis,
    }
}
