//! The structure of the crate: modules are in data-flow order, those of one folder use each other without cycles, a
//! parent and its child do not use each other, only one module each opens databases, opens outgoing sockets and prints,
//! and no two modules share a type name.

pub mod sources;

use std::collections::{BTreeMap, BTreeSet};

use regex::Regex;
use sources::{Path, Sources};

/// The modules of `lib.rs`, in the order in which it declares them.
fn declared() -> Vec<String> {
    let text = std::fs::read_to_string(sources::root().join("lib.rs")).unwrap();
    let names = text.lines().filter_map(|line| line.trim_start().strip_prefix("pub mod ")?.strip_suffix(';'));
    names.map(str::to_owned).collect()
}

#[test]
fn a_module_uses_only_what_stands_before_it() {
    let order = declared();
    let sources = Sources::read();
    let folders: BTreeSet<&String> = sources.modules().filter_map(|path| path.first()).collect();
    assert_eq!(order.iter().collect::<BTreeSet<_>>(), folders, "lib.rs declares every module");
    assert_eq!(order.len(), folders.len(), "lib.rs declares a module once");
    let place = |name: &String| order.iter().position(|other| other == name);
    let upward: Vec<String> = sources
        .uses()
        .filter(|(user, used)| place(&user[0]) < used.first().and_then(place))
        .map(|(user, used)| format!("{} uses {}", user.join("::"), used.join("::")))
        .collect();
    assert!(upward.is_empty(), "what stands later is used:\n{}", upward.join("\n"));
}

/// What the `mod.rs` of a folder says if it declares its files in data-flow order.
const ORDERED: &str = "A file uses only those before it";

#[test]
fn a_file_of_an_ordered_folder_uses_only_those_before_it() {
    let sources = Sources::read();
    let declares = Regex::new(r"(?m)^(?:pub(?:\([^)]*\))? )?mod (\w+);").unwrap();
    let whole = |path: &Path| {
        let file = sources::root().join(path.join("/")).join("mod.rs");
        std::fs::read_to_string(file).unwrap_or_default().replace("\n//!", "")
    };
    let said: BTreeMap<&Path, String> = sources.modules().map(|path| (path, whole(path))).collect();
    let ordered: Vec<(&Path, Vec<&str>)> = said
        .iter()
        .filter(|(_, text)| text.contains(ORDERED))
        .map(|(path, text)| (*path, declares.captures_iter(text).map(|it| it.extract::<1>().1[0]).collect()))
        .collect();
    assert!(!ordered.is_empty(), "no folder says that it is ordered");
    let mut upward: BTreeSet<String> = BTreeSet::new();
    for (folder, order) in ordered {
        let place = |path: &Path| {
            let file = path.strip_prefix(folder.as_slice())?.first()?;
            order.iter().position(|other| other == file)
        };
        for (user, used) in sources.uses() {
            if place(user).zip(place(&used)).is_some_and(|(user, used)| user < used) {
                upward.insert(format!("{} uses {}", user.join("::"), used.join("::")));
            }
        }
    }
    assert!(upward.is_empty(), "what stands later is used:\n{}", Vec::from_iter(upward).join("\n"));
}

#[test]
fn modules_of_a_folder_form_no_cycle() {
    let sources = Sources::read();
    let mut siblings: BTreeMap<Path, BTreeSet<Path>> = BTreeMap::new();
    for (user, used) in sources.uses() {
        let shared = user.iter().zip(&used).take_while(|(left, right)| left == right).count();
        if shared < user.len() && shared < used.len() {
            siblings.entry(user[..=shared].to_vec()).or_default().insert(used[..=shared].to_vec());
        }
    }
    let found: Vec<Vec<String>> =
        circles(&siblings).iter().map(|circle| circle.iter().map(|path| path.join("::")).collect()).collect();
    assert!(found.is_empty(), "modules of one folder use each other in a circle: {found:#?}");
}

#[test]
fn a_parent_and_its_child_do_not_use_each_other() {
    let sources = Sources::read();
    let texts: BTreeMap<&Path, &String> = sources.texts().collect();
    let uses: BTreeSet<(&Path, Path)> = sources.uses().collect();
    let mut mutual: BTreeSet<String> = BTreeSet::new();
    for (user, parent) in uses.iter().filter(|(user, used)| is_below(user, used)) {
        let child = &user[..=parent.len()];
        let down = uses.iter().any(|(other, used)| *other == parent && used.starts_with(child));
        if down && !extends(texts[user], texts[parent]) {
            mutual.insert(format!("{} uses {}, which uses {}", user.join("::"), parent.join("::"), child.join("::")));
        }
    }
    let mutual = Vec::from_iter(mutual).join("\n");
    assert!(mutual.is_empty(), "what a child uses of its parent belongs in a module of its own:\n{mutual}");
}

/// Whether a module is a child of another, or a child's child.
fn is_below(module: &[String], other: &[String]) -> bool {
    !other.is_empty() && module.len() > other.len() && module.starts_with(other)
}

/// Whether a child has an `impl` block of a type that its parent declares: one type, written in several files.
fn extends(child: &str, parent: &str) -> bool {
    let declared = Regex::new(r"(?m)^(?:pub(?:\([^)]*\))? )?(?:struct|enum) (\w+)").unwrap();
    let extended = Regex::new(r"(?m)^impl(?:<[^>]*>)? (\w+)(?:<[^>]*>)? \{").unwrap();
    let types: BTreeSet<&str> = declared.captures_iter(parent).map(|it| it.extract::<1>().1[0]).collect();
    extended.captures_iter(child).any(|it| types.contains(it.extract::<1>().1[0]))
}

/// The sets of nodes that reach each other, each set sorted.
fn circles(edges: &BTreeMap<Path, BTreeSet<Path>>) -> BTreeSet<Vec<Path>> {
    let reached = |from: &Path| {
        let (mut known, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(node) = open.pop() {
            for next in edges.get(node).into_iter().flatten() {
                if known.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        known
    };
    let reach: BTreeMap<&Path, BTreeSet<Path>> = edges.keys().map(|node| (node, reached(node))).collect();
    let mutual =
        |left: &Path, right: &Path| reach[left].contains(right) && reach.get(right).is_some_and(|it| it.contains(left));
    let circle = |node: &Path| reach[node].iter().filter(|other| mutual(node, other)).cloned().collect::<Vec<_>>();
    edges.keys().map(circle).filter(|circle| circle.len() > 1).collect()
}

/// Source files outside `module`, apart from tests, whose text contains one of `words`.
fn outside(module: &str, words: &[&str]) -> Vec<String> {
    let sources = Sources::read();
    let found = sources.texts().filter(|(path, _)| path.first().is_some_and(|first| first != module));
    let found = found.filter(|(_, text)| words.iter().any(|word| text.contains(word)));
    found.map(|(path, _)| path.join("::")).collect()
}

#[test]
fn only_the_engine_opens_databases() {
    assert_eq!(outside("engine", &["rusqlite"]), [""; 0]);
}

#[test]
fn only_the_model_client_opens_outgoing_sockets() {
    assert_eq!(outside("llm", &["reqwest", "TcpStream"]), [""; 0]);
}

#[test]
fn only_the_command_line_prints() {
    assert_eq!(outside("cli", &["println!(", "eprintln!("]), [""; 0]);
}

/// Type names that several modules may define, with the reason.
const SHARED_NAMES: [(&str, &str); 1] = [("Transport", "with and without the feature `models`: one is compiled")];

#[test]
fn a_type_name_means_one_thing() {
    let declared = Regex::new(r"(?m)^(?:pub(?:\([^)]*\))? )?(?:struct|enum|trait|type) (\w+)").unwrap();
    let mut definitions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (module, text) in Sources::read().texts() {
        for name in declared.captures_iter(text) {
            definitions.entry(name[1].to_owned()).or_default().insert(module.join("::"));
        }
    }
    let allowed: Vec<&str> = SHARED_NAMES.iter().map(|(name, _)| *name).collect();
    definitions.retain(|_, modules| modules.len() > 1);
    let shared: Vec<&str> = definitions.keys().map(String::as_str).collect();
    assert_eq!(
        shared, allowed,
        "left: names with several meanings of today; right: names listed here: {definitions:#?}"
    );
}
