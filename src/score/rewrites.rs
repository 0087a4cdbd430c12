//! Rewrites that keep meaning, for the self-test: each changes a whole script by one rule of GM.

use crate::code::edit::{Edit, Edits};
use crate::code::script::Script;
use crate::code::token::{Token, TokenKind};
use crate::code::tree::{BinaryOperator, Kind, NodeId};

/// Calls that give another value each time: what holds them is not written twice.
const CHANGING: [&str; 4] = ["rand", "uuid", "shuffle", "monotonically_increasing_id"];

/// What was done, and the script afterwards; only rewrites that change something.
pub(super) fn rewrites(text: &str) -> Vec<(&'static str, String)> {
    let script = Script::new(text);
    let all = [
        ("in another layout", Some(relaid(&script))),
        ("in lower case", Some(lower(&script))),
        ("with comparisons mirrored", replaced(&script, &mirrored)),
        ("with BETWEEN written out", replaced(&script, &bounded)),
    ];
    let changed = all.into_iter().filter_map(|(what, text)| Some((what, text?)));
    changed.filter(|(_, other)| other != text).collect()
}

/// The same tokens with other blanks and comments between them.
fn relaid(script: &Script) -> String {
    each_token(script, &|token, text| match token.kind {
        TokenKind::Blank => "\n  /* - */ -- -\n\t".to_owned(),
        TokenKind::LineComment | TokenKind::BlockComment => String::new(),
        _ => text.to_owned(),
    })
}

/// Keywords and unquoted names in lower case.
fn lower(script: &Script) -> String {
    each_token(script, &|token, text| match token.kind {
        TokenKind::Word => text.to_lowercase(),
        _ => text.to_owned(),
    })
}

fn each_token(script: &Script, piece: &dyn Fn(&Token, &str) -> String) -> String {
    script.all_tokens().iter().map(|token| piece(token, token.span().of(script.text()))).collect()
}

/// The script with the outermost nodes that `rewritten` takes replaced; `None` if there is no such node.
fn replaced(script: &Script, rewritten: &dyn Fn(&Script, NodeId) -> Option<String>) -> Option<String> {
    let tree = script.tree();
    let (mut edits, mut stack) = (Vec::new(), vec![tree.root()]);
    while let Some(node) = stack.pop() {
        match rewritten(script, node) {
            Some(text) => edits.push(Edit::replacement(tree.span(node), text)),
            None => stack.extend(tree.children(node)),
        }
    }
    edits.sort_by_key(|edit| edit.start);
    let edits = Edits::new(edits).ok().filter(|edits| !edits.as_slice().is_empty())?;
    edits.apply(script.text()).ok()
}

/// `a > b` as `(b) < (a)`.
fn mirrored(script: &Script, node: NodeId) -> Option<String> {
    use BinaryOperator::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual, NullSafeEqual};
    let Kind::Binary(operator) = script.tree().kind(node) else { return None };
    let sign = match operator {
        Equal => "=",
        NotEqual => "!=",
        NullSafeEqual => "<=>",
        Less => ">",
        LessOrEqual => ">=",
        Greater => "<",
        GreaterOrEqual => "<=",
        _ => return None,
    };
    let [left, right] = script.tree().children(node)[..] else { return None };
    Some(format!("({}) {sign} ({})", script.slice(right), script.slice(left)))
}

/// `x BETWEEN a AND b` as two comparisons.
fn bounded(script: &Script, node: NodeId) -> Option<String> {
    let Kind::Between { negated: false } = script.tree().kind(node) else { return None };
    let [value, low, high] = script.tree().children(node)[..] else { return None };
    let (value, low, high) = (script.slice(value), script.slice(low), script.slice(high));
    let lower = value.to_lowercase();
    let steady = CHANGING.iter().all(|call| !lower.contains(call));
    steady.then(|| format!("(({value}) >= {low} AND {high} >= ({value}))"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::schema::Schema;
    use crate::corpus::embedded;
    use crate::score::graph::graph_match;

    #[test]
    fn every_rewrite_of_every_seed_keeps_its_graph() {
        let (mut seen, mut wrong) = (0, Vec::new());
        for reference in embedded().into_iter().filter_map(Result::ok) {
            for (what, text) in rewrites(reference.script.text()) {
                seen += 1;
                if !graph_match(&Script::new(text.as_str()), &reference.script, &reference.schema) {
                    wrong.push(format!("{} {what}", reference.id));
                }
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
        assert!(seen > 150, "{seen} rewrites");
    }

    #[test]
    fn a_rewrite_does_what_it_says() {
        let text = "SELECT a FROM t WHERE a > 1 AND b BETWEEN 2 AND 3 -- x";
        let found = rewrites(text);
        let of = |wanted: &str| &found.iter().find(|(what, _)| what.contains(wanted)).unwrap().1;
        assert_eq!(of("mirrored"), "SELECT a FROM t WHERE (1) < (a) AND b BETWEEN 2 AND 3 -- x");
        assert_eq!(of("BETWEEN"), "SELECT a FROM t WHERE a > 1 AND ((b) >= 2 AND 3 >= (b)) -- x");
        assert_eq!(of("lower"), "select a from t where a > 1 and b between 2 and 3 -- x");
        let schema = Schema::read("CREATE TABLE t (a INT, b INT)").unwrap();
        let changed = Script::new(of("mirrored").replace('<', "<="));
        assert!(!graph_match(&changed, &Script::new(text), &schema));
    }
}
