//! Applies Spark's rules without Spark: would it accept a script and, if not, at which stage, at which place and with
//! which error class?
//!
//! SQLite accepts much that Hive and Spark refuse. This pass runs before it, so that a syntax fault is rejected for the
//! right reason. Classes and places follow Spark 4.3 with ANSI mode off; the messages are ours.

mod aggregates;
mod aliases;
mod argument_rules;
mod call_syntax;
mod calls;
mod casts;
mod changes;
mod collections;
mod common_types;
mod constant_arguments;
mod constants;
mod definitions;
mod frames;
mod generators;
mod grouping_calls;
mod hive_syntax;
mod inline_tables;
mod inserts;
mod intervals;
mod known_call;
mod lambdas;
mod limits;
mod literals;
mod lookahead;
mod names;
mod operators;
mod order;
mod pipes;
mod pivots;
mod queries;
mod recursion;
mod reserved_words;
mod syntax;
mod syntax_error;
mod table_functions;
mod type_findings;
mod types;
mod windows;
mod written_clauses;
mod written_intervals;
mod written_literals;
mod written_types;

use crate::code::parameters::BoundText;
use crate::code::schema::Schema;
use crate::code::scope::Scopes;
use crate::code::script::Script;
use crate::code::span::{LineColumn, Span};
use crate::code::tree::{Kind, NodeId, Tree};

/// The stage at which an engine refuses a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RejectionStage {
    /// The text does not parse.
    Parse,
    /// A name does not resolve, or a type or another rule of the language is violated.
    Analysis,
    /// It fails while it runs.
    Run,
}

/// Why a script is refused.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Rejection {
    /// At which stage.
    pub stage: RejectionStage,
    /// The error class, such as `UNRESOLVED_COLUMN.WITH_SUGGESTION`.
    pub class: String,
    /// The SQLSTATE; empty where Spark gives none.
    pub sqlstate: String,
    /// Offending bytes in the script.
    pub span: Span,
    /// Line and column, both from 1.
    pub place: LineColumn,
    /// The whole message.
    pub message: String,
}

impl Rejection {
    /// Moves the rejection of a bound text to its place in the original text.
    pub fn placed_in(self, original: &str, bound: &BoundText) -> Rejection {
        let span = Span::new(bound.original(self.span.start), bound.original(self.span.end));
        let place = LineColumn::of(original, span.start);
        let message = match self.message.split_once(&place_words(self.stage, self.place)) {
            Some((words, _)) => {
                format!("{words}{}{}", place_words(self.stage, place), excerpt(original, self.stage, place))
            }
            None => self.message,
        };
        Rejection { span, place, message, ..self }
    }
}

/// The finding of a rule: class, SQLSTATE, place, and a message without these.
pub(crate) struct RuleFinding {
    class: &'static str,
    sqlstate: &'static str,
    span: Span,
    words: String,
    /// Spark's parser finds it.
    in_text: bool,
}

impl RuleFinding {
    fn new(class: &'static str, sqlstate: &'static str, span: Span, words: impl Into<String>) -> RuleFinding {
        RuleFinding { class, sqlstate, span, words: words.into(), in_text: false }
    }
}

/// A statement as every rule sees it.
pub(crate) struct RuleContext<'a> {
    script: &'a Script,
    scopes: &'a Scopes,
    schema: &'a Schema,
    /// The statement that is judged.
    statement: NodeId,
    /// The statement and everything below it, parents first, in source order.
    nodes: Vec<NodeId>,
}

impl<'a> RuleContext<'a> {
    fn tree(&self) -> &'a Tree {
        self.script.tree()
    }

    fn kind(&self, node: NodeId) -> Kind {
        self.tree().kind(node)
    }

    fn span(&self, node: NodeId) -> Span {
        self.tree().span(node)
    }

    /// Returns the text of a node as messages quote it.
    fn quoted(&self, node: NodeId) -> String {
        self.script.line(node)
    }

    /// The nodes of the statement.
    fn nodes(&self) -> impl Iterator<Item = NodeId> {
        self.nodes.iter().copied()
    }

    /// The nodes of the statement whose kinds `wanted` accepts.
    fn nodes_where(&self, wanted: impl Fn(Kind) -> bool) -> impl Iterator<Item = NodeId> {
        self.nodes().filter(move |id| wanted(self.kind(*id)))
    }
}

type RuleFunction = fn(&RuleContext<'_>) -> Vec<RuleFinding>;

/// The rules in the order in which Spark applies them: those of its parser first, then names, types and whole queries.
const RULES: [RuleFunction; 21] = [
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

fn rejection(script: &Script, stage: RejectionStage, finding: RuleFinding) -> Rejection {
    let place = script.place(finding.span.start);
    let state = if finding.sqlstate.is_empty() { String::new() } else { format!(" SQLSTATE: {}", finding.sqlstate) };
    let (located, excerpt) = (place_words(stage, place), excerpt(script.text(), stage, place));
    Rejection {
        stage,
        class: finding.class.to_owned(),
        sqlstate: finding.sqlstate.to_owned(),
        span: finding.span,
        place,
        message: format!("[{}] {}{state}{located}{excerpt}", finding.class, finding.words),
    }
}

/// Returns a place as Spark's parser or analyser ends its words with it.
fn place_words(stage: RejectionStage, place: LineColumn) -> String {
    let (line, position) = (place.line, place.column - 1);
    match stage {
        RejectionStage::Parse => format!(" (line {line}, pos {position})"),
        RejectionStage::Analysis | RejectionStage::Run => format!("; line {line} pos {position}"),
    }
}

/// Returns the offending line with a pointer below it, as Spark's parser prints it among all lines of the statement;
/// empty for other stages.
fn excerpt(text: &str, stage: RejectionStage, place: LineColumn) -> String {
    if stage != RejectionStage::Parse {
        return String::new();
    }
    let line = text.lines().nth(place.line - 1).unwrap_or_default();
    format!("\n\n== SQL ==\n{line}\n{}^^^", "-".repeat(place.column - 1))
}
