//! What a check finds.

/// What is wrong with a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskProblem {
    pub instance_id: String,
    pub what: String,
}

/// The result of a check.
#[derive(Clone, Debug, Default)]
pub struct CheckReport {
    pub syntax: usize,
    pub semantic: usize,
    pub controls: usize,
    /// Mutants whose graphs were compared, those without a task included.
    pub mutants: usize,
    pub problems: Vec<TaskProblem>,
}

impl CheckReport {
    /// Adds what is wrong with a task.
    pub(super) fn add(&mut self, instance_id: &str, problems: Vec<String>) {
        let problem = |what| TaskProblem { instance_id: instance_id.to_owned(), what };
        self.problems.extend(problems.into_iter().map(problem));
    }
}
