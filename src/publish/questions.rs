//! Public files that say what each script of a run is for: the question that SQLCritic gives its critic.
//!
//! Only runs with controls have them: a critic that hears no complaint needs the purpose to tell right from wrong.
//! Tasks and controls are described alike, each in a file of its own in the folder `questions`.

use crate::corpus::Reference;
use crate::store::{RunDirectory, regular_text};

/// The longest file that is read, in bytes.
const LARGEST: u64 = 64 << 10;

/// Returns the name of the file about a task or control.
pub fn file(instance_id: &str) -> String {
    format!("questions/{instance_id}.txt")
}

/// Returns what a reference is for, then the sentences of the decisions made in it; the same for a task and a control.
pub fn question(reference: &Reference) -> String {
    let intention = reference.card.intention.trim().trim_end_matches('.');
    let mut rules: Vec<&str> = Vec::new();
    for decision in &reference.decisions {
        // A rule that two stages follow is told once.
        if !rules.contains(&decision.sentence.as_str()) {
            rules.push(&decision.sentence);
        }
    }
    let rules: String = rules.iter().map(|rule| format!("\n- {rule}")).collect();
    format!("{intention}.{rules}\n")
}

/// Reads what the script of a task or control is for; `None` if the run does not say.
pub fn read(directory: &RunDirectory, instance_id: &str) -> Option<String> {
    // An id from a foreign run must not lead out of the folder.
    if !instance_id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')) {
        return None;
    }
    let text = regular_text(&directory.path(&file(instance_id)), LARGEST).ok()?;
    Some(text.trim().to_owned())
}
