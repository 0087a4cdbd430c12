//! Why a script cannot be a reference, in words that tell the way out.

use super::coverage::UnmetCondition;
use super::order_places::OrderPlaces;
use crate::code::functions::UnsupportedReason;
use crate::code::script::Script;
use crate::code::span::LineColumn;
use crate::code::tree::NodeId;
use crate::corpus::{
    PlaceholderProposals, ProposedFunction, Reference, function_options, function_proposals, looks_like,
};
use crate::engine::spark_rules::{Rejection, RejectionStage};
use crate::engine::sqlite::{Reason, RunError, Unsupported};

/// Why a script cannot be a reference.
#[derive(Debug, thiserror::Error)]
pub enum ReferenceRefusal {
    /// Placeholders have no value.
    #[error("{way_out}{dialect}")]
    Unbound {
        /// Which, and what each might stand for.
        way_out: String,
        /// Which other dialect the script looks like, to go on with; empty if it looks like none.
        dialect: String,
    },
    /// A name does not resolve or a rule of the language is broken.
    #[error("Spark would refuse the script: {reason}; {}", .way_out.as_deref().unwrap_or("only a correct script can be a reference"))]
    Rejected {
        /// Line and column.
        place: LineColumn,
        /// What is wrong, in Spark's words.
        reason: String,
        /// What stands for functions of the user's own, if it calls one.
        way_out: Option<String>,
    },
    /// It calls a function that it makes of a program outside SQL.
    #[error("{place}: the script makes the function `{name}` of a program outside SQL, which is not run; {way_out}")]
    OwnFunction {
        /// Line and column of the call.
        place: LineColumn,
        /// Its name.
        name: String,
        /// How an expression stands for it, and for others that the script calls.
        way_out: String,
    },
    /// The embedded engine cannot run it as Spark does.
    #[error("the embedded engine cannot run it: {place}: {}; {way_out}", .what.what)]
    Unsupported {
        /// Line and column.
        place: LineColumn,
        /// What it cannot run.
        what: Box<Unsupported>,
        /// What a user can do about it.
        way_out: String,
    },
    /// The reference fails on every database.
    #[error("the statement in line {line} fails: {error}{places}; simplify it, or leave the script out")]
    Fails {
        /// Line of the statement, from 1.
        line: usize,
        /// Calls that take one value of a group, where that is what fails.
        places: OrderPlaces,
        /// What happened.
        error: RunError,
    },
    /// The reference gives no rows on any database.
    #[error("the script gives no rows on any of the fake databases{}", .condition.as_ref().map(|unmet| format!(": {unmet}")).unwrap_or_default())]
    Empty {
        /// The condition that filters all rows out, where a single one is to blame.
        condition: Option<UnmetCondition>,
    },
    /// The reference leaves no rows to be compared.
    #[error("the script leaves nothing behind: it drops again what it makes, and no query gives rows to a reader")]
    LeavesNothing,
    /// Row order changes the result.
    #[error(
        "the result depends on the order in which rows are read (ties, unordered collections){places}; sort by more \
         columns, or leave the script out"
    )]
    Nondeterministic {
        /// What may see the order.
        places: OrderPlaces,
    },
}

impl ReferenceRefusal {
    /// The refusal of a script whose placeholders have no values.
    pub(super) fn unbound(reference: &Reference) -> ReferenceRefusal {
        let text = reference.script.text();
        let proposed = PlaceholderProposals::of(text, &reference.parameters.unbound(text), None);
        let functions = match missing_functions(reference).as_slice() {
            [] => String::new(),
            missing => format!("; besides, {}", way_out_of_functions(missing)),
        };
        ReferenceRefusal::Unbound { way_out: format!("{proposed}{functions}"), dialect: other_dialect(reference) }
    }

    /// The refusal of a script, bound, that the embedded engine cannot run.
    pub(super) fn unsupported(bound: &Script, what: Unsupported) -> ReferenceRefusal {
        let way_out = way_out(&what.what, bound);
        ReferenceRefusal::Unsupported { place: bound.place(what.span.start), what: Box::new(what), way_out }
    }

    /// The refusal of a script, bound, that Spark would refuse.
    pub(super) fn rejected(reference: &Reference, bound: &Script, rejection: Rejection) -> ReferenceRefusal {
        if let Some(name) = made_outside(bound, &rejection) {
            let way_out = way_out_of_functions(&function_proposals(bound));
            return ReferenceRefusal::OwnFunction { place: rejection.place, name, way_out };
        }
        // Nothing can be said of what calls functions of the user's own before an expression stands for each.
        let is_routine = rejection.class == "UNRESOLVED_ROUTINE" || !missing_functions(reference).is_empty();
        let dialect = if is_of_words(&rejection) { other_dialect(reference) } else { String::new() };
        ReferenceRefusal::Rejected {
            place: rejection.place,
            reason: rejection.message.clone()
                + &dialect
                + &guessed(reference, &rejection)
                + lacks_partitions(&rejection),
            way_out: is_routine.then(|| way_out_of_functions(&function_proposals(bound))),
        }
    }

    /// Whether values for placeholders, or expressions for functions of the user's own, may lead out of it.
    pub fn asks_for_values(&self) -> bool {
        use ReferenceRefusal::{OwnFunction, Rejected, Unbound, Unsupported};
        matches!(self, Unbound { .. } | OwnFunction { .. } | Rejected { way_out: Some(_), .. } | Unsupported { .. })
    }

    /// Returns the refusal with another way out; a refusal without any stays as it is.
    #[must_use]
    pub fn with_way_out(mut self, words: String) -> ReferenceRefusal {
        match &mut self {
            ReferenceRefusal::Unbound { way_out, .. }
            | ReferenceRefusal::OwnFunction { way_out, .. }
            | ReferenceRefusal::Rejected { way_out: Some(way_out), .. }
            | ReferenceRefusal::Unsupported { way_out, .. } => *way_out = words,
            _ => {}
        }
        self
    }
}

/// Says how a table gets the partitions that a rejection misses; nothing of other rejections.
fn lacks_partitions(rejection: &Rejection) -> &'static str {
    match rejection.class.as_str() {
        "PARTITIONS_NOT_FOUND" => "; its definition has no such partition: give one that has with --schema",
        _ => "",
    }
}

/// Says of a rejection about types or columns that some of them are a guess; nothing if none is.
fn guessed(reference: &Reference, rejection: &Rejection) -> String {
    let is_of_columns =
        rejection.class.starts_with("DATATYPE_MISMATCH") || rejection.class.starts_with("UNRESOLVED_COLUMN");
    let guessed = reference.inferred.iter().filter(|inferred| inferred.left_out.is_empty());
    let tables: Vec<&str> = guessed.map(|inferred| inferred.table.as_str()).collect();
    if !is_of_columns || tables.is_empty() {
        return String::new();
    }
    format!(
        "; columns of {} are inferred from their use, so define the table with --schema if the guess is wrong",
        tables.join(", ")
    )
}

/// How a user gives a meaning to a function that only their own platform has.
const OWN_FUNCTION: &str = "an expression stands for a function of your own by `--function name='upper($1)'`, or by `name(): upper($1)` among the parameters";

/// Returns the functions that a script calls and neither an engine nor its parameters have.
pub(super) fn missing_functions(reference: &Reference) -> Vec<ProposedFunction> {
    let mut missing = function_proposals(&reference.script);
    missing.retain(|function| !reference.parameters.iter().any(|(key, _)| key == format!("{}()", function.name)));
    missing
}

/// What a user can do about functions that no engine has: all of a script are told at once.
pub(super) fn way_out_of_functions(functions: &[ProposedFunction]) -> String {
    if functions.is_empty() {
        return OWN_FUNCTION.to_owned();
    }
    let names = functions.iter().map(|function| format!("`{}`", function.name)).collect::<Vec<_>>().join(", ");
    format!(
        "say what stands for {names}, as {}, or in card.yaml or parameters.yaml; `$1` is the first argument",
        function_options(functions)
    )
}

/// Functions of chance with a value that can stand for what they give.
const BY_CHANCE: [(&str, &str); 4] = [("uuid", "'0'"), ("rand", "0.5"), ("random", "0.5"), ("randn", "0.5")];

/// What a user can do about a construct that the embedded engine does not run.
fn way_out(what: &Reason, bound: &Script) -> String {
    match what {
        Reason::UnknownFunction(_) | Reason::RefusedFunction { why: UnsupportedReason::Program, .. } => {
            way_out_of_functions(&function_proposals(bound))
        }
        Reason::RefusedFunction { name, .. } => {
            let proposed = function_proposals(bound).into_iter().filter(|function| function.name == *name);
            way_out_of_functions(&proposed.collect::<Vec<_>>())
        }
        Reason::Nondeterministic(name) => {
            let value = BY_CHANCE.iter().find(|(function, _)| function == name);
            let bound = value.map(|(_, value)| format!("let a value stand for it, as --function \"{name}={value}\""));
            format!("{}, or leave the script out", bound.as_deref().unwrap_or("write it otherwise"))
        }
        _ => "write it otherwise, or leave the script out".to_owned(),
    }
}

/// Whether words of another dialect can be the reason of a rejection.
fn is_of_words(rejection: &Rejection) -> bool {
    let unknown = ["UNRESOLVED_ROUTINE", "UNSUPPORTED_DATATYPE"].contains(&rejection.class.as_str());
    unknown || rejection.stage == RejectionStage::Parse
}

/// Returns which dialect a script looks like, to go on with a message; nothing if it looks like Hive's or Spark's, or is
/// a translation.
fn other_dialect(reference: &Reference) -> String {
    let is_original = reference.card.translated_from.is_none();
    let looks = is_original.then(|| looks_like(reference.script.text())).flatten();
    looks.map(|words| format!("; {words}")).unwrap_or_default()
}

/// The function that a rejection does not know, or takes for one of Spark's own, and a `CREATE FUNCTION` of the script
/// makes.
fn made_outside(script: &Script, rejection: &Rejection) -> Option<String> {
    if rejection.class != "UNRESOLVED_ROUTINE" && !rejection.class.starts_with("WRONG_NUM_ARGS") {
        return None;
    }
    let name = rejection.message.split('`').nth(1)?.rsplit('.').next()?.to_lowercase();
    let makes = |statement: &&NodeId| {
        let words: Vec<String> = script.slice(**statement).split_whitespace().take(9).map(str::to_lowercase).collect();
        let named = |word: &String| word.rsplit('.').next().is_some_and(|last| last.trim_matches('`') == name);
        words.first().is_some_and(|word| word == "create")
            && words.iter().position(|word| word == "function").is_some_and(|at| words[at..].iter().any(named))
    };
    script.statements().iter().find(makes).map(|_| name)
}
