//! `taxonomy/README.md`, the generated guide, is what the YAML files say.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use sqlfault::fault::{Family, Fault, Taxonomy, Track};

#[test]
fn the_guide_in_the_folder_is_what_the_yaml_files_say() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("taxonomy/README.md");
    let wanted = guide(&Taxonomy::embedded().unwrap());
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&file, &wanted).unwrap();
    }
    let written = std::fs::read_to_string(&file).unwrap_or_default();
    let line = wanted.lines().zip(written.lines()).position(|(wanted, written)| wanted != written);
    assert!(written == wanted, "taxonomy/README.md is not current from line {line:?}; run this test with UPDATE=1");
}

/// The guide to a whole taxonomy, as Markdown: its numbers, then every fault under its leaves.
fn guide(taxonomy: &Taxonomy) -> String {
    let mut text = String::from(
        "# The taxonomy\n\nGenerated from the YAML files of this folder; `UPDATE=1 cargo test --test library taxonomy_guide` writes it \
         again. A fault's first leaf names the file that it stands in.\n\n",
    );
    numbers(taxonomy, &mut text);
    let mut groups: BTreeMap<(&str, &str), Vec<(&Fault, f64)>> = BTreeMap::new();
    for (fault, prevalence) in taxonomy.faults().iter().zip(taxonomy.prevalence()) {
        // A checked fault has a leaf.
        let leaf = &fault.leaves[0];
        groups.entry((&leaf.level1, &leaf.level2)).or_default().push((fault, prevalence));
    }
    let mut chapter = "";
    for ((level1, level2), faults) in groups {
        if level1 != chapter {
            let _ = writeln!(text, "\n## {level1}");
            chapter = level1;
        }
        let _ = writeln!(text, "\n### {level2}");
        for (fault, prevalence) in faults {
            let track = if fault.track == Track::Syntax { "syntax" } else { "semantic" };
            let _ = write!(text, "\n#### `{}` ({track})\n\n{}", fault.id, fault.explanation(prevalence));
        }
    }
    text
}

fn numbers(taxonomy: &Taxonomy, text: &mut String) {
    let faults = taxonomy.faults();
    let planted = faults.iter().filter(|fault| fault.operator().is_some()).count();
    let declarative = faults.iter().filter(|fault| fault.is_declarative()).count();
    let of = |track: Track| faults.iter().filter(|fault| fault.track == track).count();
    let shipped = faults.iter().filter(|fault| fault.is_shipped()).count();
    let share = 100.0 * declarative as f64 / (planted.max(1)) as f64;
    let _ = writeln!(
        text,
        "{} faults: {} syntax, {} semantic; {shipped} of them are bugs that passed review. {declarative} of the {planted} that can \
         be planted ({share:.0} %) are pure YAML, the others name a function of the crate.\n",
        faults.len(),
        of(Track::Syntax),
        of(Track::Semantic),
    );
    let mut families: BTreeMap<Family, usize> = BTreeMap::new();
    for family in faults.iter().filter_map(|fault| fault.family) {
        *families.entry(family).or_default() += 1;
    }
    let policed: Vec<&Fault> = faults.iter().filter(|fault| fault.policy().is_some()).collect();
    if !policed.is_empty() {
        let names: Vec<String> = policed.iter().map(|fault| format!("`{}`", fault.id)).collect();
        let _ = writeln!(
            text,
            "{} more are shown by no engine, only by a policy of some platforms, and can be planted where it is switched on \
             (`build --policy NAME`): {}.\n",
            policed.len(),
            names.join(", ")
        );
    }
    let _ = writeln!(text, "| family of shipped bugs | faults |\n|---|---|");
    for (family, count) in families {
        let _ = writeln!(text, "| {} | {count} |", family.title());
    }
}
