//! Values that a user gives under names that nothing has.

use std::path::Path;

use super::foreign_script::in_usual_words;
use crate::code::parameters::Parameters;

/// Returns a note on the names among `given` that neither the script nor a file of definitions has a use for; `None` if
/// each has one, or if a placeholder of the script has no value. `values` has a value for each of them.
pub(super) fn note_on_names_without_use(
    given: &[String],
    values: &Parameters,
    script: &str,
    definitions: &[&Path],
) -> Option<String> {
    let bound = bound_text(script, values);
    bound.as_ref()?;
    let has_use = |name: &&String| {
        let others: Parameters = values.iter().filter(|(other, _)| other != *name).collect();
        bound_text(script, &others) != bound || definitions.iter().any(|file| holds(file, name))
    };
    let without_use: Vec<&str> = given.iter().filter(|name| !has_use(name)).map(String::as_str).collect();
    let is_or_are = if without_use.len() == 1 { "is" } else { "are" };
    let names = without_use.join(", ");
    let parameter = if without_use.len() == 1 { "parameter" } else { "parameters" };
    let note = format!("{parameter} {names} {is_or_are} not used: nothing in the script has that name");
    (!without_use.is_empty()).then_some(note)
}

/// The script as it is read with these values; `None` where one is missing.
fn bound_text(script: &str, values: &Parameters) -> Option<String> {
    values.bind(&in_usual_words(script, values)).ok()
}

/// Whether a file of definitions holds a name; one that cannot be read is told of elsewhere.
fn holds(file: &Path, name: &str) -> bool {
    std::fs::read(file).is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_nothing_has_are_told() {
        let values =
            Parameters::from_iter([("dt", "2024-03-15"), ("day", "1"), ("geo()", "upper($1)"), ("no()", "$1")]);
        let note = |script: &str, given: &[&str]| {
            let given: Vec<String> = given.iter().map(|name| (*name).to_owned()).collect();
            note_on_names_without_use(&given, &values, script, &[])
        };
        let script = "SELECT geo(a) FROM t WHERE d > '{dt}'";
        assert_eq!(note(script, &["dt", "geo()"]), None);
        let one = note(script, &["dt", "day"]);
        assert_eq!(one.as_deref(), Some("parameter day is not used: nothing in the script has that name"));
        let two = note(script, &["day", "no()"]);
        assert_eq!(two.as_deref(), Some("parameters day, no() are not used: nothing in the script has that name"));
        assert_eq!(note("SELECT ${other} FROM t", &["day"]), None, "the script is refused for what has no value");
    }
}
