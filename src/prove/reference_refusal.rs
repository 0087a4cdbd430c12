//! Why a script cannot be a reference, in words that tell the way out.

use super::coverage::UnmetCondition;
use super::order_places::OrderPlaces;
use crate::code::script::Script;
use crate::code::span::LineColumn;
use crate::code::tree::{Kind, NodeId};
use crate::corpus::{Reference, looks_like, proposals};
use crate::engine::spark_rules::{Rejection, RejectionStage};
use crate::engine::sqlite::{Reason, RunError, Unsupported};

/// Why a script cannot be a reference.
#[derive(Debug, thiserror::Error)]
pub enum ReferenceRefusal {
    /// Placeholders have no value; the words name each and what it might stand for.
    #[error("{0}")]
    Unbound(String),
    /// A name does not resolve or a rule of the language is broken.
    #[error("Spark would refuse the script: {0}; only a correct script can be a reference")]
    Rejected(String),
    /// It calls a function that it makes of a program outside SQL.
    #[error(
        "{place}: the script makes the function `{name}` of a program outside SQL, which is not run; {OWN_FUNCTION}"
    )]
    OwnFunction {
        /// Line and column of the call.
        place: LineColumn,
        /// Its name.
        name: String,
    },
    /// The embedded engine cannot run it as Spark does.
    #[error("the embedded engine cannot run it: {place}: {}; {}", .what.what, way_out(&.what.what))]
    Unsupported {
        /// Line and column.
        place: LineColumn,
        /// What it cannot run.
        what: Box<Unsupported>,
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
        let proposed = proposals(text, &reference.parameters.unbound(text));
        let unknown: Vec<String> = unknown_functions(&reference.script)
            .into_iter()
            .filter(|name| !reference.parameters.iter().any(|(key, _)| key == format!("{name}()")))
            .collect();
        let functions = match unknown.as_slice() {
            [] => String::new(),
            names => format!("; it calls {}, which Spark does not know: {OWN_FUNCTION}", named(names)),
        };
        ReferenceRefusal::Unbound(proposed + &functions + &other_dialect(reference))
    }

    /// The refusal of a script, bound, that Spark would refuse.
    pub(super) fn rejected(reference: &Reference, bound: &Script, rejection: Rejection) -> ReferenceRefusal {
        if let Some(name) = made_outside(bound, &rejection) {
            return ReferenceRefusal::OwnFunction { place: rejection.place, name };
        }
        let own = match rejection.class.as_str() {
            "UNRESOLVED_ROUTINE" => format!("{}; {OWN_FUNCTION}", further(bound, &rejection)),
            _ => String::new(),
        };
        let dialect = if is_of_words(&rejection) { other_dialect(reference) } else { String::new() };
        ReferenceRefusal::Rejected(rejection.message + &own + &dialect)
    }
}

/// How a user gives a meaning to a function that only their own platform has.
const OWN_FUNCTION: &str = "an expression stands for a function of your own by `--function name='upper($1)'`, or by `name(): upper($1)` among the parameters";

/// Returns the names of the functions that a script calls and Spark does not have, each once, as they are first called.
fn unknown_functions(script: &Script) -> Vec<String> {
    let tree = script.tree();
    let calls = tree.ids().filter(|node| matches!(tree.kind(*node), Kind::Call { .. }));
    let unknown = calls.filter(|call| script.function(*call).is_none());
    let mut names: Vec<String> = Vec::new();
    for call in unknown {
        let name = script.slice(tree.children(call)[0]).to_lowercase();
        if !matches!(name.as_str(), "cast" | "try_cast") && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The functions besides the one of a rejection that are not known either, so that all are told at once.
fn further(script: &Script, rejection: &Rejection) -> String {
    let told = format!("`{}`", rejection.message.split('`').nth(1).unwrap_or_default());
    let others: Vec<String> =
        unknown_functions(script).into_iter().filter(|name| format!("`{name}`") != told).collect();
    if others.is_empty() { String::new() } else { format!("; nor can it resolve {}", named(&others)) }
}

fn named(functions: &[String]) -> String {
    functions.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// What a user can do about a construct that the embedded engine does not run.
fn way_out(what: &Reason) -> &'static str {
    match what {
        Reason::UnknownFunction(_) | Reason::RefusedFunction { .. } => OWN_FUNCTION,
        _ => "write it otherwise, or leave the script out",
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
