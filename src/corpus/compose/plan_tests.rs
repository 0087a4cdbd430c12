//! Properties of plans: no step is drawn that could change nothing or that nobody would ask for.

use std::collections::BTreeSet;

use super::composer::Composer;
use super::domain::{Domain, TableKind};
use super::names::ScriptNames;
use super::options::ComposerOptions;
use super::piece::{Piece, pieces};
use super::plan::{Plan, RowSource};

/// Plans that are looked at.
const PLANS: u64 = 120;

/// Calls `look` with many plans, each with its domain, names and the blocks that its results need.
fn each_plan(mut look: impl FnMut(&Domain, &ScriptNames<'_>, &Plan, &[usize])) {
    let composer = Composer::embedded().unwrap();
    for number in 0..PLANS {
        let planned = composer.plan(4711, number, &ComposerOptions::default());
        let Ok((domain, builder)) = planned else { continue };
        look(domain, &builder.names, &builder.plan, &builder.plan.readers_last());
    }
}

/// Returns the table and column that a text is, through blocks that take the column over; `None` for any other text.
/// The number of blocks on the way comes with it.
fn traced(plan: &Plan, text: &str) -> Option<(String, String, usize)> {
    let mut text = text.to_owned();
    for depth in 0.. {
        let parts = pieces(&text);
        let [Piece::Column(slot, name)] = parts.as_slice() else { return None };
        match plan.source(*slot)? {
            RowSource::Table(table) => return Some((table.clone(), name.clone(), depth)),
            RowSource::Block(block) => {
                let source = &plan.blocks[*block];
                if !source.members.is_empty() || !source.groups.is_empty() {
                    return None;
                }
                text.clone_from(&source.outputs.iter().find(|output| output.name == *name)?.text);
            }
        }
    }
    None
}

#[test]
fn no_step_groups_rows_by_what_is_unique_in_them() {
    let mut grouped = 0;
    each_plan(|domain, names, plan, blocks| {
        for block in blocks.iter().map(|block| &plan.blocks[*block]).filter(|block| !block.groups.is_empty()) {
            if !block.laterals.is_empty() {
                continue;
            }
            grouped += 1;
            let keys: Vec<_> = block.groups.iter().filter_map(|text| traced(plan, text)).collect();
            let Some((table_name, _, depth)) = keys.first() else { continue };
            let Some(table) = domain.tables.get(table_name).filter(|table| table.kind != TableKind::Dimension) else {
                continue;
            };
            // Repeated rows are grouped by their key to find the version that counts.
            if table.repeats.is_some() && *depth == 0 {
                continue;
            }
            let have: BTreeSet<&str> =
                keys.iter().filter(|(table, ..)| table == table_name).map(|(_, column, _)| column.as_str()).collect();
            let unique = table.key.iter().all(|key| have.contains(names.column(table_name, key).as_str()));
            assert!(!unique, "{}: {:?} groups {table_name} by its key", domain.domain, block.names);
        }
    });
    assert!(grouped > 100, "{grouped}");
}

#[test]
fn columns_of_a_block_have_names_of_their_own() {
    let twice = |plan: &Plan, blocks: &[usize]| -> Vec<String> {
        let outputs = blocks.iter().map(|block| &plan.blocks[*block].outputs);
        let repeated = outputs.flat_map(|outputs| {
            let names = outputs.iter().map(|output| output.name.as_str()).enumerate();
            names.filter(|(at, name)| outputs[..*at].iter().any(|other| other.name == *name))
        });
        repeated.map(|(_, name)| name.to_owned()).collect()
    };
    each_plan(|_, _, plan, blocks| assert_eq!(twice(plan, blocks), [""; 0]));
    // The number of a port's berths and the key of a berth were both called berth_num.
    let composer = Composer::embedded().unwrap();
    let (_, builder) = composer.plan(36110, 168, &ComposerOptions::default()).unwrap();
    assert_eq!(twice(&builder.plan, &builder.plan.readers_last()), [""; 0]);
}

#[test]
fn no_filter_is_on_a_column_that_another_rule_has_filtered() {
    each_plan(|domain, _, plan, blocks| {
        for block in blocks.iter().map(|block| &plan.blocks[*block]) {
            for (place, one) in block.filters.iter().enumerate() {
                assert!(!block.filters[place + 1..].contains(one), "{}: {one} twice", domain.domain);
            }
        }
    });
}

#[test]
fn no_text_is_cut_twice() {
    each_plan(|domain, _, plan, blocks| {
        for block in blocks.iter().map(|block| &plan.blocks[*block]) {
            for text in block.clauses().chain(block.outputs.iter().map(|output| &output.text)) {
                let upper = text.to_uppercase();
                assert!(!upper.contains("SUBSTR(SUBSTR("), "{}: {text}", domain.domain);
            }
        }
    });
}

#[test]
fn the_first_version_is_taken_only_where_the_model_says_why() {
    let mut told = 0;
    each_plan(|domain, _, plan, _| {
        for decision in plan.decisions.iter().filter(|decided| decided.kind.ends_with(".which_version")) {
            let tables = domain.tables.iter().filter_map(|(_, table)| table.repeats.as_ref()?.first.as_deref());
            let reason = tables.into_iter().any(|reason| decision.sentences[1].contains(reason));
            assert!(reason, "{}: {}", domain.domain, decision.sentences[1]);
            told += 1;
        }
    });
    assert!(told > 10, "{told}");
}

#[test]
fn a_question_is_answered_by_what_its_model_names() {
    let composer = Composer::embedded().unwrap();
    let domains: Vec<Domain> = super::domain::embedded().into_iter().flatten().collect();
    for number in 0..PLANS / 4 {
        let Ok(composed) = composer.compose(4711, number, &ComposerOptions::default()) else { continue };
        let domain = composed.reference.card.domain.as_str();
        let domain = domains.iter().find(|other| other.domain == domain).unwrap();
        let named: BTreeSet<&str> =
            domain.questions.iter().flat_map(|(_, question)| &question.answers).map(String::as_str).collect();
        let strange: Vec<_> = composed.analyses.iter().filter(|name| !named.contains(*name)).collect();
        assert!(strange.is_empty(), "{}: {strange:?}", domain.domain);
    }
}

#[test]
fn the_stories_of_questions_are_those_that_patterns_tell() {
    let library = super::pattern::Library::embedded().unwrap();
    assert!(super::domain::STORIES.iter().all(|story| library.story(story).is_some()));
}
