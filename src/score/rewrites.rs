//! Rewrites for the self-test: each changes a whole script by one rule of GM and so keeps its meaning.

use crate::code::edit::Edits;
use crate::code::schema::Schema;
use crate::code::scope::Scopes;
use crate::code::script::Script;
use crate::code::token::{Token, TokenKind};
use crate::inject::ScriptContext;
use crate::inject::rewrite::Rewrite;

/// Returns each rewrite that changes something: a description and the rewritten script.
pub(super) fn rewrites(text: &str) -> Vec<(&'static str, String)> {
    let script = Script::new(text);
    let (scopes, schema) = (Scopes::default(), Schema::default());
    let context = ScriptContext::new(&script, &scopes, &schema);
    let all = [
        ("in another layout", Some(with_other_blanks(&script))),
        ("in lower case", Some(lower(&script))),
        ("with comparisons mirrored", everywhere(Rewrite::ComparisonTurned, &context)),
        ("with BETWEEN written out", everywhere(Rewrite::BetweenSpelledOut, &context)),
    ];
    let changed = all.into_iter().filter_map(|(what, text)| Some((what, text?)));
    changed.filter(|(_, other)| other != text).collect()
}

/// The same tokens with other blanks and comments between them. What stands behind a command such as SET, up to its
/// semicolon, would be a part of its value.
fn with_other_blanks(script: &Script) -> String {
    let follows_command = |blank: &Token| {
        let before = script.tokens().iter().rfind(|token| token.span().end <= blank.span().start);
        before.is_some_and(|token| token.kind == TokenKind::Command)
    };
    each_token(script, &|token, text| match token.kind {
        TokenKind::Blank if !follows_command(token) => "\n  /* - */ -- -\n\t".to_owned(),
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

/// Rewrites every place that is not nested in another; `None` if there is no place.
fn everywhere(rewrite: Rewrite, context: &ScriptContext<'_>) -> Option<String> {
    let mut places: Vec<Edits> = rewrite.propose(context).into_iter().map(|proposal| proposal.edits).collect();
    places.retain(|place| !place.as_slice().is_empty());
    let reach = |place: &Edits| (place.as_slice()[0].start, place.as_slice()[place.as_slice().len() - 1].end);
    places.sort_by_key(|place| (reach(place).0, std::cmp::Reverse(reach(place).1)));
    let (mut edits, mut end) = (Vec::new(), 0);
    for place in &places {
        if reach(place).0 >= end {
            end = reach(place).1;
            edits.extend_from_slice(place.as_slice());
        }
    }
    let edits = Edits::new(edits).ok().filter(|edits| !edits.as_slice().is_empty())?;
    edits.apply(context.script.text()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::embedded;
    use crate::score::graph::graph_match;

    #[test]
    fn every_rewrite_of_every_reference_keeps_its_graph() {
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
        assert_eq!(of("mirrored"), "SELECT a FROM t WHERE 1 < a AND b BETWEEN 2 AND 3 -- x");
        assert_eq!(of("BETWEEN"), "SELECT a FROM t WHERE a > 1 AND (b >= 2 AND b <= 3) -- x");
        assert_eq!(of("lower"), "select a from t where a > 1 and b between 2 and 3 -- x");
        let schema = Schema::read("CREATE TABLE t (a INT, b INT)").unwrap();
        let changed = Script::new(of("mirrored").replace('<', "<="));
        assert!(!graph_match(&changed, &Script::new(text), &schema));
    }

    #[test]
    fn what_stands_behind_a_setting_is_left_as_it_is() {
        let script = Script::new("SET a.b=5 ;\nSELECT 1 AS n");
        let other = with_other_blanks(&script);
        assert!(other.starts_with("SET a.b=5 ;\n  /* - */"), "{other}");
        assert!(graph_match(&Script::new(other), &script, &Schema::default()));
    }
}
