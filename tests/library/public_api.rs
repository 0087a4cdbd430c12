//! Lists what a dependent crate can use, so that a change of the public API is seen in review.

use std::fmt::Write as _;

use regex::Regex;

use crate::edges::sources::{Path, Sources, root};

/// What `lib.rs` re-exports: the module, and the name in it.
fn exported() -> Vec<(Path, String)> {
    let text = std::fs::read_to_string(root().join("lib.rs")).unwrap();
    let declaration = Regex::new(r"(?m)^pub use ([\w:]+)::(?:\{([^}]*)\}|(\w+));").unwrap();
    let mut found = Vec::new();
    // `cli` and `strategies` are whole modules: the program, and what is listed below.
    for declared in declaration.captures_iter(&text).filter(|declared| &declared[1] != "modules") {
        let module: Path = declared[1].split("::").map(str::to_owned).collect();
        let names = declared.get(2).or(declared.get(3)).unwrap().as_str();
        found.extend(names.split(',').map(|name| (module.clone(), name.trim().to_owned())));
    }
    found
}

/// A declaration without its body, on one line.
fn signature(text: &str) -> String {
    let end = [" {", ";\n"].iter().filter_map(|end| text.find(end)).min().unwrap_or(text.len());
    let end = if text.starts_with("pub const") { text.find(" =").unwrap_or(end) } else { end };
    text[..end].split_whitespace().collect::<Vec<_>>().join(" ").replace("( ", "(").replace(", )", ")")
}

/// The declaration of a name below a module, and for a type its public fields and methods.
fn listing(sources: &Sources, module: &Path, name: &str) -> Vec<String> {
    let declared = Regex::new(&format!(r"(?m)^pub (?:struct|enum|trait|type|fn) {name}\b")).unwrap();
    let inherent = Regex::new(&format!(r"(?m)^impl(?:<[^>]*>)? {name}(?:<[^>]*>)? \{{")).unwrap();
    let method = Regex::new(r"(?m)^    pub (?:const )?fn ").unwrap();
    let field = Regex::new(r"(?m)^    (pub \w+: .*),$").unwrap();
    let block = |text: &str, start: usize| text[start..].split("\n}").next().unwrap_or_default().to_owned();
    let mut lines = Vec::new();
    let below = sources.texts().filter(|(path, _)| path.starts_with(module));
    for (_, text) in below {
        if let Some(start) = declared.find(text).map(|found| found.start()) {
            lines.insert(0, signature(&text[start..]));
            if text[start..].starts_with("pub struct") {
                let body = block(text, start);
                lines.extend(field.captures_iter(&body).map(|field| format!("    {}", &field[1])));
            }
        }
        for found in inherent.find_iter(text) {
            let body = block(text, found.start());
            lines.extend(method.find_iter(&body).map(|method| format!("    {}", signature(&body[method.start()..]))));
        }
    }
    assert!(!lines.is_empty(), "{name} is declared nowhere below {}", module.join("::"));
    lines
}

#[test]
fn the_public_surface_is_as_listed() {
    let sources = Sources::read();
    let mut text = String::new();
    for (module, name) in exported() {
        for line in listing(&sources, &module, &name) {
            let _ = writeln!(text, "{line}");
        }
    }
    let strategies = [vec!["strategies".to_owned()]];
    let functions = Regex::new(r"(?m)^pub (?:fn|struct|const) .*$").unwrap();
    for (_, source) in sources.texts().filter(|(path, _)| strategies.contains(path)) {
        let _ = writeln!(text, "\nfeature proptest, module strategies");
        for found in functions.find_iter(source) {
            let _ = writeln!(text, "    {}", signature(&source[found.start()..]));
        }
    }
    insta::assert_snapshot!(text);
}
