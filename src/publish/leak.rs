//! Rejects complaints that give the answer away: SQL, code, names of faults, or words that stand only in the repair.

use std::sync::LazyLock;

use regex::Regex;

use crate::code::constant_pattern;
use crate::code::edit::{Edit, Edits, with_edits};
use crate::code::script::unquoted;
use crate::code::span::Span;
use crate::code::token::{TokenKind, tokenize};

/// What a complaint must not give away.
#[derive(Clone, Copy, Debug)]
pub struct Secrets<'a> {
    /// Id of the planted fault.
    pub fault: &'a str,
    /// Name of the operator that planted it.
    pub operator: &'a str,
    /// The SQL the solver sees.
    pub issue_sql: &'a str,
    pub repair: &'a Edits,
    /// Whether complaints may cite names as the script writes them, other than those that only the repair brings in.
    pub cites_names: bool,
}

/// Why a complaint is rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Leak {
    /// A SQL keyword in capitals, or a phrase such as `left join` in any case.
    #[error("SQL keyword {0:?}")]
    Keyword(String),
    #[error("back quotes")]
    BackQuote,
    /// A function with its parentheses.
    #[error("function call {0:?}")]
    FunctionCall(String),
    #[error("the fault's id")]
    FaultId,
    #[error("the operator's name")]
    OperatorName,
    /// An identifier that only the repair brings in.
    #[error("{0:?} stands only in the repair")]
    RepairToken(String),
    /// Text that reads like code: names with underscores, comparison signs, placeholders.
    #[error("code-like text {0:?}")]
    CodeLike(String),
}

static KEYWORD: LazyLock<Regex> = LazyLock::new(|| {
    let upper = r"\b(?:SELECT|FROM|WHERE|JOIN|HAVING|GROUP BY|ORDER BY|UNION|DISTINCT|INSERT|OVERWRITE|NULL|BETWEEN|LIKE|EXISTS|COALESCE|NVL|CASE WHEN|PARTITION|LIMIT|CAST|OVER)\b";
    let any_case = r"(?i:\b(?:(?:left|right|inner|outer|full|cross|semi|anti)[ -]+(?:outer )?join(?:s|ed)?|group(?:ed)? by clause|group by|order by|partition by|union all|is (?:not )?null|not null|null[- ]safe|select distinct|where (?:clause|condition)|having clause|window function|row_number|sub-?query|lateral view|case when|with clause|on condition|sql)\b)";
    constant_pattern(&format!("{upper}|{any_case}"))
});
static CALL: LazyLock<Regex> = LazyLock::new(|| constant_pattern(r"\b[A-Za-z_][A-Za-z0-9_]*\([^)]*\)"));
static NAME: LazyLock<Regex> = LazyLock::new(|| constant_pattern(r"\b[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+\b"));
static CODE: LazyLock<Regex> =
    LazyLock::new(|| constant_pattern(r"<>|<=|>=|!=|==|\$\{|\{\{|--|/\*|;\s*$|\b[a-z]\.[a-z]\w*"));

/// Returns every leak in a complaint; empty if it is fair. `quoted` is data that the complaint cites, which may look
/// like code (`ON_TIME`) without being it.
pub fn leaks(complaint: &str, quoted: &[String], secrets: &Secrets) -> Vec<Leak> {
    let mut found = Vec::new();
    if mentions(complaint, secrets.fault) {
        found.push(Leak::FaultId);
    }
    if mentions(complaint, secrets.operator) {
        found.push(Leak::OperatorName);
    }
    let words = without_quoted(complaint, quoted);
    if words.contains('`') {
        found.push(Leak::BackQuote);
    }
    let all = |pattern: &Regex| pattern.find_iter(&words).map(|found| found.as_str().to_owned()).collect::<Vec<_>>();
    found.extend(all(&KEYWORD).into_iter().map(Leak::Keyword));
    found.extend(all(&CALL).into_iter().map(Leak::FunctionCall));
    found.extend(repair_tokens(secrets).into_iter().filter(|token| has_word(&words, token)).map(Leak::RepairToken));
    let names = if secrets.cites_names { Vec::new() } else { all(&NAME) };
    found.extend(names.into_iter().chain(all(&CODE)).map(Leak::CodeLike));
    found
}

/// Whether the text contains `name`, in any case. Only a name of several words joined by marks counts: a single word
/// may be everyday language.
fn mentions(text: &str, name: &str) -> bool {
    let compound = name.contains(['_', '.', '/', '-', ':']);
    compound && text.to_lowercase().contains(&name.to_lowercase())
}

fn without_quoted(complaint: &str, quoted: &[String]) -> String {
    let mut longest_first: Vec<&String> = quoted.iter().filter(|data| !data.trim().is_empty()).collect();
    longest_first.sort_by_key(|data| std::cmp::Reverse(data.len()));
    longest_first.into_iter().fold(complaint.to_owned(), |text, data| without_word(&text, data))
}

/// Replaces `data` by `…` where it stands as a whole word: a quoted "a" must not blank every letter a.
fn without_word(text: &str, data: &str) -> String {
    let whole = text.match_indices(data).filter(|(at, _)| is_whole(text, *at, data.len()));
    let edits = whole.map(|(at, _)| Edit::replacement(Span::new(at, at + data.len()), "…"));
    with_edits(text, &edits.collect::<Vec<_>>())
}

/// Tokens that the repair adds and the issue SQL has nowhere: identifiers with underscores, texts, numbers of several
/// characters. A single digit is a mere count in most sentences.
fn repair_tokens(secrets: &Secrets) -> Vec<String> {
    let mut names = Vec::new();
    let issue = secrets.issue_sql.to_lowercase();
    for edit in secrets.repair.as_slice() {
        for token in tokenize(&edit.text) {
            let name = unquoted(token.span().of(&edit.text)).to_lowercase();
            let would_give_away = match token.kind {
                TokenKind::Word | TokenKind::QuotedName => name.contains('_'),
                TokenKind::Text => name.chars().filter(|letter| letter.is_alphanumeric()).count() > 1,
                TokenKind::Number => name.len() > 1,
                _ => false,
            };
            if would_give_away && !has_word(&issue, &name) && !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

fn has_word(text: &str, word: &str) -> bool {
    let text = text.to_lowercase();
    text.match_indices(word).any(|(at, _)| is_whole(&text, at, word.len()))
}

fn is_whole(text: &str, at: usize, length: usize) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let before = text[..at].chars().next_back().is_some_and(is_part);
    !before && !text[at + length..].chars().next().is_some_and(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_or_number_of_the_repair_alone_is_a_leak_unless_it_is_data() {
        let repair = Edits::new(vec![Edit::replacement(Span::new(0, 1), "IN ('PAID', 45)")]).unwrap();
        let secrets =
            Secrets { fault: "", operator: "", issue_sql: "SELECT 'SENT'", repair: &repair, cites_names: false };
        let told = |text: &str, quoted: &[String]| leaks(text, quoted, &secrets).len();
        assert_eq!(told("Entries that are paid count, and so do 45 others.", &[]), 2);
        assert_eq!(told("The state is SENT, should be PAID.", &["PAID".to_owned()]), 0);
    }

    fn found(complaint: &str) -> Vec<Leak> {
        let repair = Edits::new(vec![Edit::replacement(Span::new(7, 13), "net_amt")]).unwrap();
        let secrets = Secrets {
            fault: "join/inner-for-left",
            operator: "swap_join_kind",
            issue_sql: "SELECT amount FROM t",
            repair: &repair,
            cites_names: false,
        };
        leaks(complaint, &["ON_TIME".to_owned(), "e".to_owned()], &secrets)
    }

    #[test]
    fn each_way_to_leak_is_found() {
        for (complaint, leak) in [
            ("Use a left join here.", Leak::Keyword("left join".into())),
            ("The WHERE is wrong.", Leak::Keyword("WHERE".into())),
            ("Look at `amount`.", Leak::BackQuote),
            ("It needs count(id) now.", Leak::FunctionCall("count(id)".into())),
            ("See join/inner-for-left.", Leak::FaultId),
            ("Someone ran swap_join_kind.", Leak::OperatorName),
            ("It should be net_amt.", Leak::RepairToken("net_amt".into())),
            ("The order_cnt is off.", Leak::CodeLike("order_cnt".into())),
            ("I want amount >= 10.", Leak::CodeLike(">=".into())),
        ] {
            assert!(found(complaint).contains(&leak), "{complaint}: {:?}", found(complaint));
        }
    }

    #[test]
    fn names_may_be_cited_but_for_those_of_the_repair() {
        let repair = Edits::new(vec![Edit::replacement(Span::new(7, 13), "net_amt")]).unwrap();
        let secrets =
            Secrets { fault: "", operator: "", issue_sql: "SELECT order_cnt", repair: &repair, cites_names: true };
        assert_eq!(leaks("The order_cnt is off.", &[], &secrets), []);
        assert_eq!(leaks("It is not net_amt.", &[], &secrets), [Leak::RepairToken("net_amt".into())]);
        assert_eq!(leaks("I want order_cnt >= 1.", &[], &secrets), [Leak::CodeLike(">=".into())]);
    }

    #[test]
    fn plain_words_and_quoted_data_are_fair() {
        for complaint in [
            "Orders from last week are missing where I expect them; please select someone to look at it.",
            "For waybill W1 (express) the status is ON_TIME, should be late by 12.5 hours.",
            "The group by the window is left in order; the net amount is too low.",
        ] {
            let leaks = found(complaint);
            let expected: Vec<Leak> =
                if complaint.contains("group by") { vec![Leak::Keyword("group by".into())] } else { Vec::new() };
            assert_eq!(leaks, expected, "{complaint}");
        }
    }
}
