//! Scripts that are composed to order: lines, files, and the figures of a profile.
#![expect(clippy::print_stdout, reason = "the tests tell the means and shares that they measure")]

use std::collections::BTreeSet;
use std::sync::LazyLock;

use sqlfault::corpus::compose::{Composed, Composer, ComposerOptions, ProfileName, ShapeFigures, ShapeProfile};
use sqlfault::corpus::{ScriptFile, tile};
use sqlfault::{Kind, NodeId, Script};

static COMPOSER: LazyLock<Composer> = LazyLock::new(|| Composer::embedded().expect("models and styles read"));

const PIPELINES: ComposerOptions =
    ComposerOptions { domain: None, lines: None, scripts: Some([5, 12]), profile: None, kind: None, complexity: None };

fn composed(seed: u64, number: u64, options: &ComposerOptions) -> Composed {
    COMPOSER.compose(seed, number, options).unwrap_or_else(|error| panic!("{seed} {number}: {error}"))
}

#[test]
fn the_means_of_the_paper_profile_are_near_those_of_its_table() {
    let profile = ShapeProfile::embedded(ProfileName::Paper).unwrap();
    let mut off = Vec::new();
    for (kind, wanted) in profile.shapes().iter().enumerate() {
        let options =
            ComposerOptions { profile: Some(ProfileName::Paper), kind: Some(kind), ..ComposerOptions::default() };
        let figures: Vec<ShapeFigures> =
            (0..20).map(|number| ShapeFigures::of(&composed(505, number, &options).reference.script)).collect();
        for ((name, mean), (_, wanted)) in ShapeFigures::means(&figures).into_iter().zip(wanted.named()) {
            let share = mean / wanted - 1.0;
            println!("{kind} {name}: {mean:.2} for {wanted}, {:+.1} %", share * 100.0);
            // Depth and width are nearly met; plans have more functions a line than the table.
            let most = if name.starts_with("ast_") { 0.15 } else { 0.25 };
            off.extend((share.abs() > most).then(|| format!("{kind} {name} {mean:.2}")));
        }
    }
    assert!(off.is_empty(), "{off:?}");
}

#[test]
fn scripts_have_lines_in_the_range_or_an_error_says_that_no_plan_has() {
    for (range, scripts) in [([100, 200], 40), ([400, 800], 20), ([1500, 2500], 4)] {
        let options = ComposerOptions { lines: Some(range), ..ComposerOptions::default() };
        let lines: Vec<usize> = (0..scripts)
            .filter_map(|number| COMPOSER.compose(8, number, &options).ok())
            .map(|composed| composed.reference.script.text().lines().count())
            .collect();
        println!("{} of {scripts} in {range:?}", lines.len());
        assert!(lines.iter().all(|lines| (range[0]..=range[1]).contains(lines)), "{lines:?} for {range:?}");
        assert!(lines.len() * 100 >= scripts as usize * 95, "{} of {scripts} for {range:?}", lines.len());
    }
    let impossible = ComposerOptions { lines: Some([150, 150]), ..ComposerOptions::default() };
    let refused: Vec<String> =
        (0..6).filter_map(|number| Some(COMPOSER.compose(8, number, &impossible).err()?.to_string())).collect();
    assert!(
        !refused.is_empty() && refused.iter().all(|it| it.contains("has 150 to 150 lines, the nearest")),
        "{refused:?}"
    );
}

/// The tables that a part of a script makes, and those that it reads, in lower case.
fn tables(script: &Script, file: &ScriptFile) -> (BTreeSet<String>, BTreeSet<String>) {
    let tree = script.tree();
    let inside = |node: &NodeId| (file.start..file.end).contains(&tree.span(*node).start);
    let named = tree.descendants(tree.root()).filter(|node| tree.kind(*node) == Kind::Table).filter(inside);
    let is_made = |node: &NodeId| {
        let around = tree.parent(*node).map(|parent| tree.kind(parent));
        around.is_some_and(|kind| matches!(kind, Kind::CreateTable | Kind::CreateView | Kind::Insert { .. }))
    };
    let (made, read): (Vec<NodeId>, Vec<NodeId>) = named.partition(is_made);
    // A name may be followed by its alias.
    let name = |node: &NodeId| script.slice(*node).split_whitespace().next().unwrap_or_default().to_lowercase();
    let names = |nodes: Vec<NodeId>| nodes.iter().map(name).collect();
    (names(made), names(read))
}

#[test]
fn the_files_of_a_pipeline_tile_it_and_each_later_one_reads_a_table_of_an_earlier_one() {
    let mut counts = BTreeSet::new();
    for number in 0..10 {
        let composed = composed(77, number, &PIPELINES);
        let (script, files) = (&composed.reference.script, &composed.reference.files);
        assert!((5..=12).contains(&files.len()), "{} files", files.len());
        counts.insert(files.len());
        assert!(tile(files, script.text().len()));
        let names: Vec<&String> = files.iter().map(|file| &file.path).collect();
        assert!(names.is_sorted() && names.iter().copied().eq(&composed.reference.card.files), "{names:?}");
        let mut made: BTreeSet<String> = BTreeSet::new();
        for file in files {
            let text = file.text(script.text());
            let is_ended = text.ends_with('\n') || file.end == script.text().len();
            assert!(Script::new(text).errors().is_empty() && !text.starts_with('\n') && is_ended, "{text}");
            let (own, read) = tables(script, file);
            assert!(made.is_empty() || read.iter().any(|table| made.contains(table)), "{}: {read:?}", file.path);
            made.extend(own);
        }
        let last = files.last().unwrap().text(script.text()).to_uppercase();
        assert_eq!(script.text().to_uppercase().matches("INSERT OVERWRITE").count(), 1);
        assert!(last.contains("INSERT OVERWRITE"), "{last}");
        for decision in &composed.decisions {
            assert!(decision.ranges.iter().all(|range| range.end <= script.text().len()));
        }
    }
    assert!(counts.len() > 3, "{counts:?}");
}

#[test]
fn files_are_written_by_several_hands_and_the_same_seed_gives_the_same_bytes() {
    let indents = |text: &str| -> BTreeSet<usize> {
        let step = |line: &str| line.len() - line.trim_start().len();
        text.lines().map(step).filter(|step| *step > 0).min().into_iter().collect()
    };
    let mut several = 0;
    for number in 0..10 {
        let [one, other] = [0, 1].map(|_| composed(78, number, &PIPELINES).reference);
        assert_eq!((one.script.text(), &one.files), (other.script.text(), &other.files));
        let styles: BTreeSet<usize> = one.files.iter().flat_map(|file| indents(file.text(one.script.text()))).collect();
        several += usize::from(styles.len() > 1);
    }
    assert!((1..10).contains(&several), "{several} of 10 pipelines have files with different indentation");
}

#[test]
fn a_turned_decision_of_a_pipeline_is_in_the_hand_of_its_file() {
    for number in 0..4 {
        let composed = composed(79, number, &PIPELINES);
        let text = composed.reference.script.text();
        for decision in &composed.decisions {
            for (span, new) in &decision.turned {
                let file =
                    composed.reference.files.iter().find(|file| file.start <= span.start && span.end <= file.end);
                let own = file.unwrap_or_else(|| panic!("{span:?} reaches over files")).text(text);
                let is_upper = own.contains("SELECT");
                let words = new
                    .split_whitespace()
                    .filter(|word| ["AND", "LEFT", "JOIN", "CASE"].contains(&word.to_uppercase().as_str()));
                words.for_each(|word| assert_eq!(word == word.to_uppercase(), is_upper, "{word} in {own}"));
            }
        }
    }
}

#[test]
fn no_script_fills_a_table_under_the_name_of_one_that_it_reads() {
    // Of these draws the plain style would call a result by the name of a dimension.
    let of_travel = ComposerOptions { domain: Some("travel".to_owned()), ..ComposerOptions::default() };
    for (seed, number, options) in
        [(2_109_969_060_573_161_147, 584, &ComposerOptions::default()), (77, 235, &of_travel)]
    {
        let schema = &composed(seed, number, options).reference.schema;
        let names: BTreeSet<&str> = schema.tables.iter().map(|table| table.name.as_str()).collect();
        assert!(names.contains("trv.contract_hotel"), "the draw reads no such dimension any more: take another");
        assert_eq!(names.len(), schema.tables.len());
    }
}
