//! Reports text that Spark's parser refuses, at the place that Spark reports.
//!
//! Spark's grammar reserves few words, so its parser often reads past a mistake and fails later: a CASE without END is
//! reported at the word after WHEN, because CASE and WHEN may be a column and its alias.

use super::lookahead;
use super::rejection::{Rejection, RejectionStage, rejection};
use super::reserved_words::{ErrorPlace, SparkReading, reading};
use super::rule_finding::RuleFinding;
use super::syntax_hint::{ReportedPlace, hint};
use crate::code::grammar::{SyntaxError, SyntaxReason};
use crate::code::script::Script;
use crate::code::span::Span;
use crate::code::token::TokenKind;
use crate::code::tree::{Kind, NodeId};

pub(super) fn check(script: &Script) -> Option<Rejection> {
    let broken = script.errors().iter().map(|(statement, error)| refusal(script, *statement, error));
    let repeated = duplicate_common_tables(script);
    let quoted = quoted_aliases(script);
    let spelled = super::hive_syntax::check(script).map(|finding| rejection(script, RejectionStage::Parse, finding));
    broken.chain(repeated).chain(quoted).chain(spelled).min_by_key(|rejection| rejection.span.start)
}

fn refusal(script: &Script, statement: NodeId, error: &SyntaxError) -> Rejection {
    if error.reason == SyntaxReason::TooDeep {
        return rejection(
            script,
            RejectionStage::Parse,
            RuleFinding::new("FAILED_TO_PARSE_TOO_COMPLEX", "54001", error.span, error.to_string()),
        );
    }
    if error.reason == SyntaxReason::Unclosed && error.span.of(script.text()).starts_with("/*") {
        let words = "Found an unclosed bracketed comment. Please, append */ at the end of the comment.";
        let found = RuleFinding::new("UNCLOSED_BRACKETED_COMMENT", "42601", error.span, words);
        return rejection(script, RejectionStage::Parse, found);
    }
    let at = match reported_token(script, statement, error) {
        SparkReading::ErrorAt(at) => at,
        SparkReading::Column(at) => return unknown_column(script, at),
        SparkReading::Table(at) => return unknown_table(script, at),
        SparkReading::TrailingComma(at) => return trailing_comma(script, at),
    };
    let special = [dashed_name, empty_list, empty_patterns].iter().find_map(|check| check(script, at));
    if let Some(found) = special.or_else(|| distinct_on(script, script.token_at(error.span.start))) {
        return found;
    }
    // Spark is given a statement without its semicolon.
    let ends = script.tokens().get(at).filter(|_| script.token_text(at) != ";").is_none();
    let span = match script.tokens().get(at) {
        Some(_) if ends && at > 0 => Span::empty(script.tokens()[at - 1].span().end),
        token => token.map_or(Span::empty(script.text().len()), |token| token.span()),
    };
    let found = match script.tokens().get(at) {
        _ if ends => "end of input".to_owned(),
        Some(token) if token.kind == TokenKind::Unclosed => format!("'{}'", &script.token_text(at)[..1]),
        Some(_) => format!("'{}'", script.token_text(at)),
        None => "end of input".to_owned(),
    };
    let place =
        ReportedPlace { first: *script.token_range(statement).start(), at, stopped: script.token_at(error.span.start) };
    let hint = hint(script, error, place).map(|hint| format!(": {hint}")).unwrap_or_default();
    let words = format!("Syntax error at or near {found}{hint}.");
    rejection(script, RejectionStage::Parse, RuleFinding::new("PARSE_SYNTAX_ERROR", "42601", span, words))
}

/// Returns what Spark reports for an error of our parser.
fn reported_token(script: &Script, statement: NodeId, error: &SyntaxError) -> SparkReading {
    let found = script.token_at(error.span.start);
    let first = *script.token_range(statement).start();
    let is = |at: usize, word: &str| {
        script.tokens().get(at).is_some_and(|_| script.token_text(at).eq_ignore_ascii_case(word))
    };
    if found > first && is(found, "END") && is(found - 1, "CASE") {
        // A column called CASE with an alias.
        return SparkReading::Column(found - 1);
    }
    let looks_ahead = lookahead::looks_ahead(script, first, found);
    match error.reason {
        SyntaxReason::BrokenCase | SyntaxReason::Unexpected | SyntaxReason::UnexpectedEnd | SyntaxReason::Unclosed
            if !looks_ahead =>
        {
            if let Some(at) = lookahead::broken_case(script, first, found) {
                return SparkReading::ErrorAt(at);
            }
        }
        _ => {}
    }
    match error.reason {
        SyntaxReason::Unexpected | SyntaxReason::UnexpectedEnd => {
            reading(script, error, ErrorPlace { first, at: found, looks_ahead })
        }
        _ => SparkReading::ErrorAt(found),
    }
}

/// Reports `SELECT a, b, FROM t`, which has an error class of its own.
fn trailing_comma(script: &Script, at: usize) -> Rejection {
    let span = script.tokens()[at].span();
    let words = "Trailing comma detected in SELECT clause. Remove the trailing comma before the FROM clause.";
    rejection(script, RejectionStage::Analysis, RuleFinding::new("TRAILING_COMMA_IN_SELECT", "42601", span, words))
}

/// Reports a keyword that Spark takes for a column. Without a FROM there is no column to suggest.
fn unknown_column(script: &Script, at: usize) -> Rejection {
    let name = script.token_text(at);
    let lone_case = name.eq_ignore_ascii_case("CASE") && script.tokens().len() <= at + 2;
    let without_source = lone_case
        || name.eq_ignore_ascii_case("FROM")
        || at >= 3 && script.token_text(at - 3).eq_ignore_ascii_case("FROM");
    let class =
        if without_source { "UNRESOLVED_COLUMN.WITHOUT_SUGGESTION" } else { "UNRESOLVED_COLUMN.WITH_SUGGESTION" };
    let words = format!("A column, variable, or function parameter with name `{name}` cannot be resolved.");
    rejection(script, RejectionStage::Analysis, RuleFinding::new(class, "42703", script.tokens()[at].span(), words))
}

/// Reports `INSERT OVERWRITE TABLE SELECT …`, in which Spark takes TABLE for the table's name.
fn unknown_table(script: &Script, at: usize) -> Rejection {
    let words = format!(
        "The table or view `{}` cannot be found. Verify the spelling and correctness of the schema and catalog.",
        script.token_text(at)
    );
    rejection(
        script,
        RejectionStage::Analysis,
        RuleFinding::new("TABLE_OR_VIEW_NOT_FOUND", "42P01", script.tokens()[at].span(), words),
    )
}

/// Reports `x LIKE ANY ()`.
fn empty_patterns(script: &Script, at: usize) -> Option<Rejection> {
    let is = |back: usize, words: &[&str]| {
        let token = at.checked_sub(back).filter(|index| *index < script.tokens().len());
        token.is_some_and(|index| words.iter().any(|word| script.token_text(index).eq_ignore_ascii_case(word)))
    };
    let empty = is(0, &[")"]) && is(1, &["("]) && is(2, &["ANY", "ALL", "SOME"]) && is(3, &["LIKE", "ILIKE"]);
    empty.then(|| {
        let words = "Invalid SQL syntax: Expected something between '(' and ')'.";
        let span = script.tokens()[at - 3].span();
        let found = RuleFinding::new("INVALID_SQL_SYNTAX.EMPTY_QUANTIFIED_PATTERN", "42000", span, words);
        rejection(script, RejectionStage::Parse, found)
    })
}

/// Reports `SELECT DISTINCT ON (a) …`, in which Spark reads a function called ON.
fn distinct_on(script: &Script, at: usize) -> Option<Rejection> {
    let is = |index: usize, word: &str| {
        script.tokens().get(index).is_some_and(|_| script.token_text(index).eq_ignore_ascii_case(word))
    };
    let found = at > 0 && is(at - 1, "DISTINCT") && is(at, "ON") && is(at + 1, "(");
    found.then(|| {
        let words = "Cannot resolve routine `on` on search path [`system`.`builtin`, `system`.`session`].";
        let found = RuleFinding::new("UNRESOLVED_ROUTINE", "42883", script.tokens()[at].span(), words);
        rejection(script, RejectionStage::Analysis, found)
    })
}

/// Reports `x IN ()`.
fn empty_list(script: &Script, at: usize) -> Option<Rejection> {
    let word = |back: usize| at.checked_sub(back).map_or("", |index| script.token_text(index));
    if at >= script.tokens().len()
        || script.token_text(at) != ")"
        || word(1) != "("
        || !word(2).eq_ignore_ascii_case("IN")
        // The list of PIVOT and UNPIVOT.
        || word(4).eq_ignore_ascii_case("FOR")
    {
        return None;
    }
    let negated = word(3).eq_ignore_ascii_case("NOT");
    let span = script.tokens()[at - if negated { 3 } else { 2 }].span();
    let words =
        "Invalid SQL syntax: IN predicate requires at least one value. Empty IN clauses like 'IN ()' are not allowed.";
    Some(rejection(
        script,
        RejectionStage::Parse,
        RuleFinding::new("INVALID_SQL_SYNTAX.EMPTY_IN_PREDICATE", "42000", span, words),
    ))
}

/// Reports `my-id`: a name with a dash needs back quotes.
fn dashed_name(script: &Script, at: usize) -> Option<Rejection> {
    let (before, dash, after) =
        (script.tokens().get(at.checked_sub(1)?)?, script.tokens().get(at)?, script.tokens().get(at + 1)?);
    let touches = before.span().end == dash.span().start && dash.span().end == after.span().start;
    if script.token_text(at) != "-" || !touches || before.kind != TokenKind::Word || after.kind != TokenKind::Word {
        return None;
    }
    let name = Span::new(before.span().start, after.span().end).of(script.text());
    let words = format!("The unquoted identifier {name} is invalid and must be back quoted as: `{name}`.");
    Some(rejection(script, RejectionStage::Parse, RuleFinding::new("INVALID_IDENTIFIER", "42602", dash.span(), words)))
}

fn duplicate_common_tables(script: &Script) -> Option<Rejection> {
    let tree = script.tree();
    for with in tree.ids().filter(|id| tree.kind(*id) == Kind::With) {
        let mut seen = Vec::new();
        for table in tree.children(with) {
            let name = script.name(tree.children(*table)[0]);
            if seen.contains(&name) {
                let words = format!("CTE definition can't have duplicate names: `{name}`.");
                let span = tree.span(with);
                return Some(rejection(
                    script,
                    RejectionStage::Parse,
                    RuleFinding::new("DUPLICATED_CTE_NAMES", "42602", span, words),
                ));
            }
            seen.push(name);
        }
    }
    None
}

/// Reports strings used as aliases, which Spark does not allow.
fn quoted_aliases(script: &Script) -> Option<Rejection> {
    let tree = script.tree();
    let mut aliases = tree.ids().filter(|id| tree.kind(*id) == Kind::Alias).map(|alias| tree.children(alias)[0]);
    let text = aliases.find(|name| script.slice(*name).starts_with(['\'', '"']))?;
    let words = format!("Syntax error at or near '{}'.", script.slice(text));
    Some(rejection(
        script,
        RejectionStage::Parse,
        RuleFinding::new("PARSE_SYNTAX_ERROR", "42601", tree.span(text), words),
    ))
}
