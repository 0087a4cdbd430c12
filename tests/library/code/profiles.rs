//! Depth, width and functions against sqlglot's own figures for the samples.

use std::fs;

use sqlfault::code::profile::{Complexity, Profile};
use sqlfault::code::script::Script;
use sqlfault::code::tree::Kind;

use crate::code::sources;

/// Figures of one statement: file, line, then depth, width and functions.
fn expected() -> Vec<(String, usize, [usize; 3])> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/sqlglot_shapes.tsv");
    let text = fs::read_to_string(path).expect("the figures are part of the project");
    let parse = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        let number = |at: usize| cells[at].parse().expect("a number");
        (cells[0].to_owned(), number(1), [number(2), number(3), number(4)])
    };
    text.lines().filter(|line| !line.starts_with('#')).map(parse).collect()
}

#[test]
fn shapes_agree_with_sqlglot_within_one() {
    let samples = sources::samples();
    let (mut compared, mut exact) = (0, 0);
    for (file, line, figures) in expected() {
        let source = samples.iter().find(|source| source.path.ends_with(&file)).expect("the sample is there");
        let script = Script::new(source.text.as_str());
        let starts = |id: &sqlfault::code::tree::NodeId| script.place(script.tree().span(*id).start).line == line;
        let statement = script.statements().iter().copied().find(starts).expect("the statement is there");
        if script.tree().kind(statement) == Kind::Broken {
            continue;
        }
        let profile = Profile::of(&Script::new(script.slice(statement)));
        let found = [profile.depth, profile.width, profile.functions];
        compared += 1;
        exact += usize::from(found == figures);
        let apart = found.iter().zip(figures).map(|(ours, theirs)| ours.abs_diff(theirs)).max();
        assert!(apart <= Some(1), "{file}:{line}: {found:?} and {figures:?}");
    }
    assert!(compared > 40 && 10 * exact >= 8 * compared, "{exact} of {compared} are exact");
}

#[test]
fn every_reference_is_complex_enough() {
    for source in sources::references() {
        let profile = Profile::of(&Script::new(source.text));
        assert!(Complexity::default().accepts(&profile), "{}: {profile:?}", source.path);
    }
}
