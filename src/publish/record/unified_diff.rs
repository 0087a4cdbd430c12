//! Repairs and faults as unified diffs.

/// Returns the repair as a unified diff with three lines of context.
pub fn patch(issue_sql: &str, reference_sql: &str) -> String {
    unified(FileText { name: "issue.sql", text: issue_sql }, FileText { name: "repaired.sql", text: reference_sql })
}

/// A text and the name of its file.
#[derive(Clone, Copy, Debug)]
pub struct FileText<'a> {
    pub name: &'a str,
    pub text: &'a str,
}

/// Returns the unified diff between two files, with three lines of context.
pub fn unified(before: FileText<'_>, after: FileText<'_>) -> String {
    let difference = similar::TextDiff::from_lines(before.text, after.text);
    difference.unified_diff().context_radius(3).header(before.name, after.name).to_string()
}
