//! What each module of the crate uses, as far as its text tells: `use` declarations and paths, re-exports followed.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::LazyLock;

use regex::Regex;

static COMMENT: LazyLock<Regex> = LazyLock::new(|| Regex::new("//[^\n]*").unwrap());
/// How far an item is visible is no use of what it names.
static VISIBILITY: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"pub\(in [^)]*\)").unwrap());
static DECLARATION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)^\s*(?:pub(?:\([^)]*\))? )?use ([^;]+);").unwrap());
static UNIT_TESTS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"#\[cfg\((?:all\()?test\b[^\n]*\n(?:pub(?:\([^)]*\))? )?mod tests \{").unwrap());
static INLINE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\b\w+(?:::\w+)+").unwrap());

/// A module, name by name: `["prove", "search", "hints"]`.
pub type Path = Vec<String>;

/// The folder of the sources.
pub fn root() -> PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Every module but tests, with its text without comments, and the paths that it names.
pub struct Sources {
    texts: BTreeMap<Path, String>,
    named: BTreeMap<Path, Vec<Path>>,
    /// What a module lets others reach under a name of its own: its children and re-exports.
    exported: BTreeMap<(Path, String), Path>,
}

impl Sources {
    /// Reads the sources.
    pub fn read() -> Sources {
        let mut texts = BTreeMap::new();
        collect(&root(), &mut Vec::new(), &mut texts);
        let (mut named, mut exported) = (BTreeMap::new(), BTreeMap::new());
        for (module, text) in &texts {
            let mut paths = declared(module, text, &texts);
            for path in paths.iter().filter(|path| path.len() > module.len() && path.starts_with(module)) {
                exported.insert((module.clone(), path[path.len() - 1].clone()), path.clone());
            }
            paths.extend(inline(module, text, &texts));
            named.insert(module.clone(), paths);
        }
        Sources { texts, named, exported }
    }

    /// Every module.
    pub fn modules(&self) -> impl Iterator<Item = &Path> {
        self.texts.keys()
    }

    /// Every module with its text, comments and unit tests taken out.
    pub fn texts(&self) -> impl Iterator<Item = (&Path, &String)> {
        self.texts.iter()
    }

    /// Pairs of a module and a module that it uses.
    pub fn uses(&self) -> impl Iterator<Item = (&Path, Path)> {
        self.named.iter().flat_map(move |(module, paths)| paths.iter().map(move |path| (module, self.home(path))))
    }

    /// The module in which a path ends, re-exports followed.
    fn home(&self, path: &Path) -> Path {
        let mut path = path.clone();
        // Chains of re-exports are not longer.
        for _ in 0..4 {
            let module = self.module(&path);
            let Some(name) = path.get(module.len()) else { break };
            match self.exported.get(&(module.clone(), name.clone())) {
                Some(target) if *target != path => {
                    path = target.iter().cloned().chain(path[module.len() + 1..].iter().cloned()).collect();
                }
                _ => break,
            }
        }
        self.module(&path)
    }

    /// The longest prefix of a path that is a module.
    fn module(&self, path: &[String]) -> Path {
        let longest = (1..=path.len()).rev().find(|length| self.texts.contains_key(&path[..*length]));
        path[..longest.unwrap_or(0)].to_vec()
    }
}

fn collect(folder: &std::path::Path, module: &mut Path, texts: &mut BTreeMap<Path, String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if name == "tests" || name.starts_with("test_") {
            continue;
        }
        if path.is_dir() {
            module.push(name);
            collect(&path, module, texts);
            module.pop();
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && !["lib", "main"].contains(&name.as_str())
        {
            let text = std::fs::read_to_string(&path).unwrap();
            let text = COMMENT.replace_all(&text, "");
            let text = VISIBILITY.replace_all(&text, "pub");
            let text = UNIT_TESTS.splitn(&text, 2).next().unwrap_or_default().to_owned();
            let own = (name != "mod").then_some(name);
            texts.insert(module.iter().cloned().chain(own).collect(), text);
        }
    }
}

/// The paths of the crate in the `use` declarations of a module.
fn declared(module: &Path, text: &str, modules: &BTreeMap<Path, String>) -> Vec<Path> {
    let trees = DECLARATION.captures_iter(text).map(|it| it[1].split_whitespace().collect::<Vec<_>>().join(" "));
    trees.flat_map(|tree| expand(&tree)).filter_map(|path| absolute(module, &path, modules)).collect()
}

/// The paths of the crate in the rest of a module, such as `lambda::check` in the parent of `lambda`.
fn inline(module: &Path, text: &str, modules: &BTreeMap<Path, String>) -> Vec<Path> {
    let rest = DECLARATION.replace_all(text, "");
    INLINE.find_iter(&rest).filter_map(|path| absolute(module, path.as_str(), modules)).collect()
}

/// The paths of a `use` tree: `a::{b, c::{d, e}}` has three.
fn expand(tree: &str) -> Vec<String> {
    let Some((before, inner)) = tree.split_once('{') else {
        return vec![tree.split(" as ").next().unwrap_or_default().trim().to_owned()];
    };
    let inner = inner.rsplit_once('}').map_or(inner, |(inner, _)| inner);
    let (mut parts, mut depth) = (vec![String::new()], 0);
    for letter in inner.chars() {
        match letter {
            ',' if depth == 0 => parts.push(String::new()),
            _ => {
                depth += i32::from(letter == '{') - i32::from(letter == '}');
                parts.last_mut().unwrap().push(letter);
            }
        }
    }
    let parts = parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty());
    parts.flat_map(|part| expand(&format!("{}{part}", before.trim()))).collect()
}

/// A path from the crate's root; `None` when it leads into another crate.
fn absolute(module: &Path, path: &str, modules: &BTreeMap<Path, String>) -> Option<Path> {
    let mut base = module.clone();
    let mut parts = path.split("::").map(str::to_owned).peekable();
    match parts.peek()?.as_str() {
        "crate" => base.clear(),
        "self" | "super" => {}
        child => {
            base.push(child.to_owned());
            modules.contains_key(&base).then(|| base.pop())?;
        }
    }
    while let Some(step) = parts.next_if(|part| ["crate", "self", "super"].contains(&part.as_str())) {
        if step == "super" {
            base.pop();
        }
    }
    Some(base.into_iter().chain(parts).collect())
}
