//! Modules stand in data-flow order: each uses only what stands before it, and the services.

use std::fs;
use std::path::{Path, PathBuf};

/// Services without knowledge of SQL; every module may use them.
const SERVICES: [&str; 2] = ["parallel", "store"];

/// Data-flow order; `engine` and those above are services, `cli` may use everything.
const ALLOWED: [(&str, &[&str]); 18] = [
    ("code", &[]),
    ("engine", &["code"]),
    ("store", &[]),
    ("llm", &["store"]),
    ("corpus", &["code", "store"]),
    ("fault", &["code", "engine", "store"]),
    ("inject", &["code", "engine", "fault", "corpus"]),
    ("draft", &["code", "corpus", "fault", "inject", "llm"]),
    ("prove", &["code", "engine", "corpus", "fault", "inject"]),
    ("publish", &["code", "engine", "store", "corpus", "fault", "inject", "prove"]),
    ("repair", &["code", "engine", "store", "fault", "publish", "llm"]),
    ("sift", &["code", "engine", "store", "fault", "publish", "repair", "score"]),
    ("audit", &["code", "engine", "store", "corpus", "fault", "inject", "publish", "repair", "score"]),
    (
        "pipeline",
        &[
            "code", "engine", "store", "corpus", "fault", "inject", "draft", "llm", "prove", "publish", "score",
            "repair", "audit",
        ],
    ),
    ("agreement", &["code", "engine", "store", "corpus", "inject", "prove", "publish", "pipeline"]),
    ("score", &["code", "corpus", "engine", "store", "fault", "publish"]),
    ("export", &["code", "inject", "prove", "fault", "publish", "repair", "score", "store"]),
    ("review", &["code", "engine", "store", "fault", "publish", "pipeline"]),
];

fn sources(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            sources(&entry.unwrap().path(), found);
        }
    } else if path.extension().is_some_and(|extension| extension == "rs") {
        found.push(path.to_owned());
    }
}

fn uses(module: &str) -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    for path in [root.join(module), root.join(format!("{module}.rs"))] {
        if path.exists() {
            sources(&path, &mut files);
        }
    }
    assert!(!files.is_empty(), "{module} has no source");
    let mut uses = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
            for rest in line.split("crate::").skip(1) {
                let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                uses.push((file.clone(), name));
            }
        }
    }
    uses
}

#[test]
fn a_module_uses_only_what_stands_before_it() {
    let modules: Vec<&str> = ALLOWED.iter().map(|(module, _)| *module).collect();
    for (module, allowed) in ALLOWED {
        for (file, used) in uses(module) {
            let foreign = modules.contains(&used.as_str()) || used == "cli" || used == "check";
            let is_service = SERVICES.contains(&used.as_str());
            let fine = !foreign || is_service || used == module || allowed.contains(&used.as_str());
            assert!(fine, "{} uses crate::{used}, which {module} may not", file.display());
        }
    }
}

#[test]
fn only_the_engine_opens_databases() {
    for (module, _) in ALLOWED.iter().filter(|(module, _)| *module != "engine") {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut files = Vec::new();
        for path in [root.join(module), root.join(format!("{module}.rs"))].iter().filter(|path| path.exists()) {
            sources(path, &mut files);
        }
        for file in files {
            assert!(!fs::read_to_string(&file).unwrap().contains("rusqlite"), "{}", file.display());
        }
    }
}

#[test]
fn only_the_model_client_opens_outgoing_sockets() {
    for (module, _) in ALLOWED.iter().filter(|(module, _)| *module != "llm") {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut files = Vec::new();
        for path in [root.join(module), root.join(format!("{module}.rs"))].iter().filter(|path| path.exists()) {
            sources(path, &mut files);
        }
        // The tests of a server are its client.
        for file in files.iter().filter(|file| !file.ends_with("tests.rs")) {
            let text = fs::read_to_string(file).unwrap();
            assert!(!text.contains("reqwest") && !text.contains("TcpStream"), "{}", file.display());
        }
    }
}

/// The files of the pipeline in the order in which its `mod.rs` names them: each uses only those before it.
#[test]
fn a_file_of_the_pipeline_uses_only_those_before_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/pipeline");
    let text = fs::read_to_string(root.join("mod.rs")).unwrap();
    let order: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';')).collect();
    assert!(order.len() > 20, "{order:?}");
    for (at, module) in order.iter().enumerate() {
        let mut files = Vec::new();
        for path in [root.join(module), root.join(format!("{module}.rs"))].iter().filter(|path| path.exists()) {
            sources(path, &mut files);
        }
        for file in files {
            let inside = file.parent() != Some(root.as_path());
            let text = fs::read_to_string(&file).unwrap();
            for line in text.lines().filter_map(|line| line.trim_start().strip_prefix("use super::")) {
                let name = if inside && file.file_name() != Some("mod.rs".as_ref()) {
                    line.strip_prefix("super::")
                } else {
                    Some(line)
                };
                let used = name.and_then(|name| order.iter().position(|other| name.starts_with(&format!("{other}::"))));
                assert!(used.is_none_or(|used| used < at), "{} uses {line}", file.display());
            }
        }
    }
}
