//! The structure of the crate: modules are declared in data-flow order, those of every folder as well; a parent and its
//! child do not use each other; only one module each opens databases, opens outgoing sockets and prints, and no two
//! modules share a type name.

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

#[test]
fn a_file_of_a_folder_uses_only_those_declared_before_it() {
    let sources = Sources::read();
    let declares = Regex::new(r"(?m)^(?:pub(?:\([^)]*\))? )?mod (\w+);").unwrap();
    let children = |text: &String| -> Vec<String> {
        declares.captures_iter(text).map(|it| it.extract::<1>().1[0].to_owned()).collect()
    };
    let texts: BTreeMap<&Path, &String> = sources.texts().collect();
    let order: BTreeMap<&Path, Vec<String>> = texts.iter().map(|(path, text)| (*path, children(text))).collect();
    let place = |folder: &[String], child: &String| order.get(&folder.to_vec())?.iter().position(|it| it == child);
    let is_undeclared = |path: &&Path| match path.split_last() {
        // Two files may be one module, each in other builds.
        Some((child, folder)) if !folder.is_empty() => {
            place(folder, child).is_none() && !texts[&folder.to_vec()].contains(&format!("{child}.rs\""))
        }
        _ => false,
    };
    let undeclared: Vec<&Path> = sources.modules().filter(is_undeclared).collect();
    assert!(undeclared.is_empty(), "no declaration was found of {undeclared:?}");
    let mut upward: BTreeSet<String> = BTreeSet::new();
    for (user, used) in sources.uses() {
        let shared = user.iter().zip(&used).take_while(|(left, right)| left == right).count();
        let (Some(below), Some(above)) = (user.get(shared), used.get(shared)) else { continue };
        let places = place(&user[..shared], below).zip(place(&user[..shared], above));
        if places.is_some_and(|(below, above)| below < above) {
            upward.insert(format!("{}: {below} uses {above}", user[..shared].join("::")));
        }
    }
    assert!(upward.is_empty(), "what stands later is used:\n{}", Vec::from_iter(upward).join("\n"));
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
