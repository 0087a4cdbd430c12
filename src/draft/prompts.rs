//! Prompts for models, from `templates/prompt/draft_*.j2`.

use minijinja::{Value, context};

use crate::code::dialect::Dialect;
use crate::corpus::Reference;
use crate::fault::{Fault, Leaf, Track};
use crate::llm::{Prompt, PromptTemplates};

const TEMPLATES: [(&str, &str); 6] = [
    ("draft_system.j2", include_str!("../../templates/prompt/draft_system.j2")),
    ("draft_script.j2", include_str!("../../templates/prompt/draft_script.j2")),
    ("draft_select.j2", include_str!("../../templates/prompt/draft_select.j2")),
    ("draft_syntax.j2", include_str!("../../templates/prompt/draft_syntax.j2")),
    ("draft_semantic.j2", include_str!("../../templates/prompt/draft_semantic.j2")),
    ("draft_complaint.j2", include_str!("../../templates/prompt/draft_complaint.j2")),
];

/// The templates, read once.
#[derive(Debug)]
pub struct DraftPrompts(PromptTemplates);

/// A kind of mistake, as a prompt shows it.
fn kind(fault: &Fault) -> Value {
    let part = |part: fn(&Leaf) -> &String| fault.leaves.first().map_or("", |leaf| part(leaf));
    context! {
        id => &fault.id,
        level1 => part(|leaf| &leaf.level1),
        level2 => part(|leaf| &leaf.level2),
        level3 => part(|leaf| &leaf.level3),
        summary => &fault.summary,
    }
}

impl DraftPrompts {
    /// The templates carried in the binary.
    pub fn built_in() -> Result<DraftPrompts, minijinja::Error> {
        PromptTemplates::read(&TEMPLATES).map(DraftPrompts)
    }

    fn prompt(&self, name: &str, values: Value) -> Result<Prompt, minijinja::Error> {
        let system = self.0.fill("draft_system.j2", context! { dialect => Dialect::Hive.title() })?;
        Ok(Prompt::new(system.trim(), self.0.fill(name, values)?))
    }

    /// Asks which kinds of mistakes suit a script.
    pub fn select(&self, reference: &Reference, kinds: &[&Fault], count: usize) -> Result<Prompt, minijinja::Error> {
        let count = count.min(kinds.len());
        let kinds: Vec<Value> = kinds.iter().map(|fault| kind(fault)).collect();
        self.prompt("draft_select.j2", context! { kinds, count, ..script(reference) })
    }

    /// Asks for the script with one mistake of this kind.
    pub fn inject(&self, reference: &Reference, fault: &Fault) -> Result<Prompt, minijinja::Error> {
        let name = match fault.track {
            Track::Syntax => "draft_syntax.j2",
            Track::Semantic => "draft_semantic.j2",
        };
        let example = fault.examples.first();
        let example = example.map(|example| context! { before => &example.before, after => &example.after });
        self.prompt(name, context! { kind => kind(fault), example, ..script(reference) })
    }

    /// Asks for a complaint in other words.
    pub fn reword(&self, complaint: &str) -> Result<Prompt, minijinja::Error> {
        let text = self.0.fill("draft_complaint.j2", context! { complaint })?;
        Ok(Prompt::new("You rewrite messages and change nothing that they say.", text))
    }
}

fn script(reference: &Reference) -> Value {
    let intention = if reference.card.intention.is_empty() { &reference.card.title } else { &reference.card.intention };
    context! { intention, schema => &reference.schema_text, script => reference.script.text() }
}
