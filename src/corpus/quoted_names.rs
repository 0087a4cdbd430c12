//! Names in double quotes, as dbt writes them for most platforms. Hive and Spark read a text there, so that no script of
//! theirs has several of them joined by dots.

use crate::code::token::{Token, TokenKind, tokenize};

/// Words after which a table is named.
const BEFORE_TABLES: [&str; 6] = ["FROM", "JOIN", "INTO", "TABLE", "USING", "UPDATE"];

/// Returns a script with `"a"."b"` in back quotes. Of a table's three names the first, the catalogue of another platform,
/// is left out.
pub(super) fn with_back_quotes(text: &str) -> String {
    if !text.contains("\".") && !text.contains(".\"") {
        return text.to_owned();
    }
    let tokens = tokenize(text);
    let mut plain = String::with_capacity(text.len());
    let (mut at, mut word_before) = (0, "");
    while at < tokens.len() {
        let chain = chain(&tokens[at..], text);
        let whole = &tokens[at..at + chain.max(1)];
        let is_quoted = whole.iter().any(|token| is_quoted(token, text));
        if chain > 1 && is_quoted {
            let is_table = BEFORE_TABLES.iter().any(|word| word.eq_ignore_ascii_case(word_before));
            let left_out = if is_table && chain == 5 { 2 } else { 0 };
            whole[left_out..].iter().for_each(|token| push(token, text, &mut plain));
        } else {
            whole.iter().for_each(|token| plain.push_str(token.span().of(text)));
        }
        if let Some(last) = whole.iter().rfind(|token| !token.kind.is_trivia()) {
            word_before = last.span().of(text);
        }
        at += whole.len();
    }
    plain
}

/// The most parts that the name of a table has: catalogue, database and table.
const MOST_PARTS: usize = 3;

/// Returns a script in which a name in back quotes that holds more dots than the names of tables have is one word: some
/// platforms call data sets `` `ri.main.dataset.7d3f` ``.
pub(super) fn with_plain_data_sets(text: &str) -> String {
    let plain = |token: &Token| {
        let words = token.span().of(text);
        let is_name = token.kind == TokenKind::QuotedName && words.split('.').count() > MOST_PARTS;
        let is_word = words.trim_matches('`').chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '-' | '_'));
        if is_name && is_word { words.replace(['.', '-'], "_") } else { words.to_owned() }
    };
    tokenize(text).iter().map(plain).collect()
}

/// How many of the first tokens are names joined by dots; 0 if the first is no name.
fn chain(tokens: &[Token], text: &str) -> usize {
    let is_name = |token: &Token| token.kind == TokenKind::Word || is_quoted(token, text);
    let is_dot = |token: &Token| token.span().of(text) == ".";
    if !tokens.first().is_some_and(is_name) {
        return 0;
    }
    let more = tokens[1..].chunks_exact(2).take_while(|pair| is_dot(&pair[0]) && is_name(&pair[1])).count();
    1 + 2 * more
}

fn is_quoted(token: &Token, text: &str) -> bool {
    let words = token.span().of(text);
    token.kind == TokenKind::Text && words.len() > 2 && words.starts_with('"') && words.ends_with('"')
}

fn push(token: &Token, text: &str, plain: &mut String) {
    let words = token.span().of(text);
    if is_quoted(token, text) {
        let name = words[1..words.len() - 1].replace("\"\"", "\"").replace('`', "``");
        plain.push_str(&format!("`{name}`"));
    } else {
        plain.push_str(words);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_data_sets_become_one_word() {
        let written = "SELECT `a.b` FROM `ri.main.dataset.7d-3f` JOIN `c.d.t` ON `(k|v)?+.+.*.x` = 'a.b.c.d'";
        let read = "SELECT `a.b` FROM `ri_main_dataset_7d_3f` JOIN `c.d.t` ON `(k|v)?+.+.*.x` = 'a.b.c.d'";
        assert_eq!(with_plain_data_sets(written), read);
    }

    #[test]
    fn names_joined_by_dots_get_back_quotes_and_texts_stay() {
        for (written, read) in [
            (r#"select * from "dev"."main"."a b""#, "select * from `main`.`a b`"),
            (r#"select o."k", "main"."o"."k" from "main"."o""#, "select o.`k`, `main`.`o`.`k` from `main`.`o`"),
            (r#"left join dev."main".t as t"#, "left join `main`.t as t"),
            (
                r#"select "a", 'x."y"', concat("a", ".", "b") -- "a"."b""#,
                r#"select "a", 'x."y"', concat("a", ".", "b") -- "a"."b""#,
            ),
            (r#"select trim(both from "x"), 1.5 from t"#, r#"select trim(both from "x"), 1.5 from t"#),
        ] {
            assert_eq!(with_back_quotes(written), read);
        }
    }
}
