//! All patterns, read once, with their templates compiled.

use std::path::{Path, PathBuf};

use include_dir::{Dir, include_dir};
use minijinja::{Environment, UndefinedBehavior, Value};

use super::{Pattern, PatternStage, Story};
use crate::corpus::compose::domain::Listed;
use crate::corpus::compose::draw::Draw;
use crate::store::yaml::{YamlFileError, embedded_texts, read_file_text, texts_in};

/// Instructions that one template may run, a thousand times what the built-in ones need: a user's may loop for ever.
const FUEL: u64 = 1_000_000;

static PATTERNS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/templates/pattern");

/// The stories.
const STORIES: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/templates/comment/story.yaml"));

/// The patterns and the engine that renders their templates.
#[derive(Debug)]
pub struct Library {
    patterns: Vec<Pattern>,
    stories: Listed<Story>,
    environment: Environment<'static>,
}

impl Library {
    /// Reads the patterns carried in the binary.
    ///
    /// # Errors
    ///
    /// If one of them does not read.
    pub fn embedded() -> Result<Library, YamlFileError> {
        Library::new(embedded_texts(&PATTERNS, "templates/pattern"))
    }

    /// Reads the patterns in a folder of the user's.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or is no pattern.
    pub fn read_folder(folder: &Path) -> Result<Library, YamlFileError> {
        Library::new(texts_in(folder)?)
    }

    /// Reads patterns from pairs of file and text.
    ///
    /// # Errors
    ///
    /// If one of them does not read, is not named like its file, has no way, names an unknown story or a pattern that is
    /// not there, or has a template that does not compile.
    pub fn new(mut texts: Vec<(PathBuf, String)>) -> Result<Library, YamlFileError> {
        texts.sort();
        let mut environment = Environment::new();
        environment.set_fuel(Some(FUEL));
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.add_filter("plural", plural);
        environment.add_filter("singular", singular);
        let stories = read_file_text(Path::new("templates/comment/story.yaml"), STORIES)?;
        let mut library = Library { patterns: Vec::new(), stories, environment };
        let mut places: Vec<(PathBuf, usize)> = Vec::new();
        for (path, text) in texts {
            let wrong = |line: usize, message: String| YamlFileError::Content { path: path.clone(), line, message };
            let pattern: Pattern = read_file_text(&path, &text)?;
            if path.file_stem().is_none_or(|stem| stem.to_string_lossy() != pattern.name) {
                return Err(wrong(1, format!("the pattern is called `{}`, the file is not", pattern.name)));
            }
            if pattern.ways.is_empty() {
                return Err(wrong(1, "a pattern has one way or more".to_owned()));
            }
            if let Some(story) = pattern.stories.iter().find(|story| !library.stories.has(story)) {
                let known: Vec<&str> = library.stories.names().collect();
                let line = text.lines().position(|line| line.starts_with("stories:")).map_or(1, |at| at + 1);
                return Err(wrong(line, format!("there is no story `{story}`; the stories are {}", known.join(", "))));
            }
            for template in pattern.templates() {
                if let Err(error) = library.environment.add_template_owned(template.clone(), template.clone()) {
                    let line = text.lines().position(|line| line.contains(template.trim())).map_or(1, |at| at + 1);
                    return Err(wrong(line, error.to_string()));
                }
            }
            let line = text.lines().position(|line| line.starts_with("never_beside:")).map_or(1, |at| at + 1);
            places.push((path, line));
            library.patterns.push(pattern);
        }
        for (pattern, (path, line)) in library.patterns.iter().zip(places) {
            let is_known = |name: &String| library.stage(pattern.stage).any(|other| other.name == *name);
            if let Some(name) = pattern.never_beside.iter().find(|name| !is_known(name)) {
                let message = format!("there is no pattern `{name}` of its stage, beside which it never stands");
                return Err(YamlFileError::Content { path, line, message });
            }
        }
        Ok(library)
    }

    /// Returns the patterns of a stage.
    pub fn stage(&self, stage: PatternStage) -> impl Iterator<Item = &Pattern> {
        self.patterns.iter().filter(move |pattern| pattern.stage == stage)
    }

    /// Returns a story by name.
    pub fn story(&self, name: &str) -> Option<&Story> {
        self.stories.get(name)
    }

    /// Draws a story by weight and returns its name.
    pub fn drawn_story(&self, draw: Draw) -> String {
        let weights: Vec<f64> = self.stories.iter().map(|(_, story)| story.weight).collect();
        let place = draw.weighted(&weights).unwrap_or(0);
        self.stories.names().nth(place).unwrap_or_default().to_owned()
    }

    /// Renders a template.
    pub fn render(&self, template: &str, context: &Value) -> Result<String, minijinja::Error> {
        match self.environment.get_template(template) {
            Ok(compiled) => compiled.render(context),
            Err(_) => self.environment.render_str(template, context),
        }
    }
}

impl Pattern {
    /// Returns the templates of the pattern, so that mistakes in them are found when it is read.
    fn templates(&self) -> Vec<String> {
        let mut found: Vec<&String> = Vec::new();
        found.extend(self.names.iter().flat_map(|(_, names)| names));
        found.extend(self.decisions.iter().flat_map(|(_, choice)| {
            choice.forms.iter().chain(&choice.says).chain(&choice.shared).chain(&choice.given)
        }));
        found.extend(self.gives.iter().map(|(_, give)| &give.words));
        found.extend(&self.says);
        for op in self.ways.iter().flatten() {
            found.extend(op.set.iter().map(|(_, text)| text));
            found.extend([&op.filter, &op.having, &op.close, &op.join, &op.lateral, &op.limit].into_iter().flatten());
            found.extend(op.on.iter().chain(&op.order));
            if let Some(subquery) = &op.subquery {
                found.push(&subquery.select);
                found.extend(&subquery.filter);
            }
            if let Some(join) = &op.self_join {
                found.extend(join.group.iter().chain(&join.on).chain(join.set.iter().map(|(_, text)| text)));
                found.extend([&join.purpose, &join.join]);
            }
        }
        found.into_iter().filter(|text| text.contains('{')).cloned().collect()
    }
}

/// Returns the plural of a noun, or of the last word of several, by the rules of English spelling.
fn plural(noun: &str) -> String {
    let is_hissed = ["s", "x", "z", "ch", "sh"].iter().any(|end| noun.ends_with(end));
    match noun.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ if is_hissed => format!("{noun}es"),
        _ => format!("{noun}s"),
    }
}

/// Returns the singular of a noun, or of the last word of several, by the rules of English spelling; a noun that is no plural
/// stays as it is.
fn singular(noun: &str) -> String {
    let is_hissed = ["ches", "shes", "sses", "xes"].iter().any(|end| noun.ends_with(end));
    match (noun.strip_suffix("ies"), noun.strip_suffix('s')) {
        (Some(stem), _) => format!("{stem}y"),
        (None, Some(_)) if is_hissed => noun[..noun.len() - 2].to_owned(),
        (None, Some(stem)) if !stem.ends_with(['s', 'u', 'i']) => stem.to_owned(),
        _ => noun.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_stands_never_beside_one_that_is_there() {
        let text = |never| format!("name: p\nstage: row\nnever_beside: [{never}]\nways:\n  - - filter: a = 1\n");
        let read = |never| Library::new(vec![(PathBuf::from("p.yaml"), text(never))]);
        assert!(read("p").is_ok());
        let message = read("row_cnt").unwrap_err().to_string();
        assert!(message.contains("p.yaml:3") && message.contains("`row_cnt`"), "{message}");
    }
}
