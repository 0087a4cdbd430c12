//! Counting lines, words, tokens and nodes.

use std::collections::HashSet;

use super::figures::Profile;
use super::shape::shape;
use crate::code::script::Script;
use crate::code::token::TokenKind;
use crate::code::tree::{JoinKind, Kind, NodeId};

impl Profile {
    /// The figures of a whole script. Depth and width are those of its deepest and widest statement.
    pub fn of(script: &Script) -> Profile {
        let mut profile = text_profile(script);
        let mut names = HashSet::new();
        for statement in script.statements() {
            count_nodes(script, *statement, &mut profile, &mut names);
        }
        profile.distinct_functions = names.len();
        profile
    }
}

fn text_profile(script: &Script) -> Profile {
    let text = script.text();
    let mut profile =
        Profile { lines: text.lines().count(), words: text.split_whitespace().count(), ..Profile::default() };
    let mut line_end = 0;
    for token in script.tokens() {
        profile.tokens += 1;
        profile.placeholders += placeholders(token.span().of(script.text()));
        if token.span().start >= line_end || profile.tokens == 1 {
            profile.code_lines += 1;
        }
        // A token over several lines makes each of them a code line.
        profile.code_lines += token.span().of(script.text()).matches('\n').count();
        if token.span().end > line_end || profile.tokens == 1 {
            let rest = &script.text()[token.span().end..];
            line_end = token.span().end + rest.find('\n').map_or(rest.len(), |at| at + 1);
        }
    }
    profile
}

fn placeholders(token: &str) -> usize {
    ["${", "{{", "$[", "@@{", "#{"].iter().map(|open| token.matches(open).count()).sum()
}

fn count_nodes(script: &Script, statement: NodeId, profile: &mut Profile, names: &mut HashSet<String>) {
    let tree = script.tree();
    if matches!(tree.kind(statement), Kind::Command | Kind::Opaque | Kind::Broken) {
        return;
    }
    profile.statements += 1;
    let shape = shape(script, statement);
    profile.depth = profile.depth.max(shape.depth);
    profile.width = profile.width.max(shape.width);
    profile.functions += shape.functions;
    let mut pending = vec![(statement, 0)];
    while let Some((node, selects)) = pending.pop() {
        let inside = selects + usize::from(matches!(tree.kind(node), Kind::Select { .. }));
        profile.select_depth = profile.select_depth.max(inside);
        count_node(script, node, profile, names);
        pending.extend(tree.children(node).iter().map(|child| (*child, inside)));
    }
}

fn count_node(script: &Script, node: NodeId, profile: &mut Profile, names: &mut HashSet<String>) {
    let counter = match script.tree().kind(node) {
        Kind::CommonTable => &mut profile.common_tables,
        Kind::Select { distinct } => {
            profile.distincts += usize::from(distinct);
            &mut profile.selects
        }
        Kind::Join { kind, .. } => {
            profile.left_joins += usize::from(kind == JoinKind::Left);
            &mut profile.joins
        }
        Kind::SetOperation { .. } => &mut profile.set_operations,
        Kind::Case { .. } => &mut profile.cases,
        Kind::When => &mut profile.whens,
        Kind::Over => &mut profile.windows,
        Kind::LateralView { .. } => &mut profile.lateral_views,
        Kind::GroupBy => &mut profile.group_bys,
        Kind::Where => &mut profile.wheres,
        Kind::Call { distinct } => {
            profile.distincts += usize::from(distinct);
            names.insert(script.function_name(node));
            &mut profile.calls
        }
        Kind::Cast if starts_as_call(script, node) => {
            names.insert("cast".to_owned());
            &mut profile.calls
        }
        _ => return,
    };
    *counter += 1;
}

/// `CAST(…)` rather than `x::t`.
fn starts_as_call(script: &Script, cast: NodeId) -> bool {
    let first = *script.token_range(cast).start();
    script.token_text(first + 1) == "(" && script.tokens()[first].kind == TokenKind::Word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_counts_what_it_names() {
        let script = Script::new(
            "-- a comment\nSET x = y;\n\nWITH a AS (\n  SELECT DISTINCT id, CASE WHEN x > 1 THEN 'p\nq' WHEN x > 0 THEN 'r' END AS k -- why\n  \
             FROM t WHERE dt = '${dt}'\n)\nSELECT count(DISTINCT id), sum(x) OVER (ORDER BY k), CAST(k AS INT), concat(k, concat(k, k))\n\
             FROM a LEFT JOIN b ON a.id = b.id JOIN c USING (id) LATERAL VIEW explode(x) e AS y\nGROUP BY id\nUNION ALL SELECT 1, 2, 3, (SELECT 4)\n",
        );
        assert!(script.is_valid(), "{:?}", script.errors());
        let profile = Profile::of(&script);
        let expected = Profile {
            lines: 12,
            code_lines: 10,
            words: 84,
            tokens: profile.tokens,
            functions: profile.functions,
            calls: 6,
            distinct_functions: 5,
            depth: profile.depth,
            width: profile.width,
            common_tables: 1,
            selects: 4,
            select_depth: 2,
            joins: 2,
            left_joins: 1,
            set_operations: 1,
            cases: 1,
            whens: 2,
            windows: 1,
            lateral_views: 1,
            group_bys: 1,
            wheres: 1,
            distincts: 2,
            placeholders: 1,
            statements: 1,
        };
        assert_eq!(profile, expected);
    }
}
