//! Predicts how far Spark's parser looks ahead, and so which word its error names.
//!
//! Measured on Spark 4.3. If one lookahead spans the mistake, the error names the word at which the last reading fails,
//! or the word after the shortest reading if that is complete by itself: `CASE` alone is a column, so a broken CASE is
//! reported after it. Common tables, and the query in brackets with which a statement begins after FROM, are looked
//! through as a whole; there the error names the word at which no reading goes on.

use crate::code::script::Script;
use crate::code::token::TokenKind;

/// A construct that is open at a token.
enum OpenConstruct {
    /// A CASE that begins at this token.
    Case(usize),
    /// The brackets of a call whose name is this token.
    Call(usize),
    /// Brackets around an expression.
    Plain,
    /// Brackets around a list behind IN.
    List,
    /// Brackets around a query, or the statement itself, with the clause that was read last.
    Query(QueryClause),
}

#[derive(Clone, Copy, PartialEq)]
enum QueryClause {
    Select,
    Group,
    /// ORDER BY at this token.
    Order(usize),
    Other,
}

/// Words before an opening bracket that do not make it a call.
const NO_CALLS: [&str; 17] = [
    "AND", "OR", "NOT", "IN", "ON", "WHERE", "HAVING", "WHEN", "THEN", "ELSE", "CASE", "SELECT", "BY", "FROM", "JOIN",
    "DISTINCT", "AS",
];

fn word(script: &Script, at: usize) -> String {
    script.tokens().get(at).map_or("", |_| script.token_text(at)).to_ascii_uppercase()
}

/// Whether a token lies in a common table, or in the brackets of a statement that begins with `FROM (`.
pub(super) fn looks_ahead(script: &Script, first: usize, at: usize) -> bool {
    let starts = word(script, first);
    if !matches!(starts.as_str(), "WITH" | "FROM") {
        return false;
    }
    let mut depth = 0usize;
    for token in first + 1..at {
        match word(script, token).as_str() {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            "SELECT" | "INSERT" | "FROM" if depth == 0 => return false,
            _ => {}
        }
    }
    depth > 0
}

/// Returns the word that Spark names if a CASE is open at token `missed`; `None` if no CASE is open, or if Spark names
/// the mistake itself.
pub(super) fn broken_case(script: &Script, first: usize, missed: usize) -> Option<usize> {
    let open = open_at(script, first, missed);
    let case = open.iter().position(|open| matches!(open, OpenConstruct::Case(_)))?;
    if open[..case].iter().any(|open| matches!(open, OpenConstruct::Plain | OpenConstruct::List)) {
        return None;
    }
    let (OpenConstruct::Case(at), around) = (&open[case], case.checked_sub(1).map(|around| &open[around])) else {
        return None;
    };
    if word(script, at + 1) != "WHEN" {
        return None;
    }
    match around {
        Some(OpenConstruct::Query(QueryClause::Select)) => Some(at + 2),
        Some(OpenConstruct::Query(QueryClause::Group)) => None,
        Some(OpenConstruct::Query(QueryClause::Order(order))) => Some(*order),
        _ => Some(at + 1),
    }
}

/// Whether the innermost brackets that are open at a token enclose an expression.
pub(super) fn is_in_plain_brackets(script: &Script, first: usize, at: usize) -> bool {
    matches!(open_at(script, first, at).last(), Some(OpenConstruct::Plain | OpenConstruct::List))
}

/// Whether the innermost brackets that are open at a token are those of a call.
pub(super) fn is_in_call(script: &Script, first: usize, at: usize) -> bool {
    matches!(open_at(script, first, at).last(), Some(OpenConstruct::Call(_)))
}

/// Whether GROUP BY is the clause that was read last at this level.
pub(super) fn is_in_group_by(script: &Script, first: usize, at: usize) -> bool {
    matches!(open_at(script, first, at).last(), Some(OpenConstruct::Query(QueryClause::Group)))
}

/// What the innermost brackets that are open at a token enclose.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum OpenBracket {
    /// No brackets are open.
    None,
    /// The arguments of a call whose name is this token.
    Call(usize),
    /// A list behind IN.
    List,
    /// An expression.
    Plain,
    /// A query.
    SubQuery,
    /// No brackets, or a query: GROUP BY is the clause that was read last.
    Group,
}

/// Returns what the innermost brackets that are open at a token enclose.
pub(super) fn open_bracket(script: &Script, first: usize, at: usize) -> OpenBracket {
    let open = open_at(script, first, at);
    let brackets: Vec<&OpenConstruct> = open.iter().filter(|open| !matches!(open, OpenConstruct::Case(_))).collect();
    match brackets.last() {
        Some(OpenConstruct::Query(QueryClause::Group)) => OpenBracket::Group,
        Some(OpenConstruct::Query(_)) if brackets.len() == 1 => OpenBracket::None,
        Some(OpenConstruct::Query(_)) => OpenBracket::SubQuery,
        Some(OpenConstruct::Call(name)) => OpenBracket::Call(*name),
        Some(OpenConstruct::List) => OpenBracket::List,
        Some(OpenConstruct::Plain) => OpenBracket::Plain,
        Some(OpenConstruct::Case(_)) | None => OpenBracket::None,
    }
}

fn open_at(script: &Script, first: usize, end: usize) -> Vec<OpenConstruct> {
    let mut open = vec![OpenConstruct::Query(QueryClause::Other)];
    for at in first..end {
        let text = word(script, at);
        match text.as_str() {
            "(" => open.push(bracket(script, at)),
            ")" => {
                let bracket = open.iter().rposition(|open| !matches!(open, OpenConstruct::Case(_)));
                open.truncate(bracket.unwrap_or(1).max(1));
            }
            "CASE" => open.push(OpenConstruct::Case(at)),
            "END" if matches!(open.last(), Some(OpenConstruct::Case(_))) => drop(open.pop()),
            _ => {
                if let (Some(OpenConstruct::Query(clause)), Some(next)) = (open.last_mut(), clause(script, at, &text)) {
                    *clause = next;
                }
            }
        }
    }
    open
}

fn clause(script: &Script, at: usize, text: &str) -> Option<QueryClause> {
    match text {
        "SELECT" => Some(QueryClause::Select),
        "FROM" | "WHERE" | "HAVING" | "ON" | "LIMIT" | "UNION" | "INTERSECT" | "EXCEPT" | "INSERT" => {
            Some(QueryClause::Other)
        }
        "BY" => Some(match word(script, at.saturating_sub(1)).as_str() {
            "GROUP" => QueryClause::Group,
            "ORDER" => QueryClause::Order(at - 1),
            _ => QueryClause::Other,
        }),
        _ => None,
    }
}

fn bracket(script: &Script, at: usize) -> OpenConstruct {
    let starts_query = matches!(word(script, at + 1).as_str(), "SELECT" | "WITH" | "FROM");
    let before = at.checked_sub(1);
    let is_word = before.is_some_and(|before| script.tokens()[before].kind == TokenKind::Word);
    let name = before.map(|before| word(script, before)).unwrap_or_default();
    match (starts_query, name.as_str()) {
        (true, _) | (_, "FROM" | "JOIN") => OpenConstruct::Query(QueryClause::Other),
        (_, "IN") => OpenConstruct::List,
        (_, name) if is_word && !NO_CALLS.contains(&name) => OpenConstruct::Call(at - 1),
        _ => OpenConstruct::Plain,
    }
}
