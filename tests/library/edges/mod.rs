//! The structure of the crate: modules are in data-flow order, those of one folder use each other without cycles, only
//! one module each opens databases, opens outgoing sockets and prints, and no two modules share a type name.

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
