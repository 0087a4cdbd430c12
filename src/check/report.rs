//! What a check finds.

/// What is wrong with a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskProblem {
    /// The task.
    pub instance_id: String,
    /// What is wrong.
    pub what: String,
}

/// The result of a check.
#[derive(Clone, Debug, Default)]
pub struct CheckReport {
    /// Syntax tasks seen.
    pub syntax: usize,
    /// Semantic tasks seen.
    pub semantic: usize,
    /// Controls seen.
    pub controls: usize,
    /// Mutants whose graphs were compared, those without a task included.
    pub mutants: usize,
    /// Everything that does not hold.
    pub problems: Vec<TaskProblem>,
}
