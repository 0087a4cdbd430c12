//! Headings under which `--help` groups commands, and the flags of commands that have many.

/// The commands in groups, each command in one of them.
pub const GROUPS: [(&str, &[&str]); 5] = [
    ("Make tasks", &["build", "compose", "merge", "worker", "inject", "faults"]),
    ("Look at a run", &["report", "check", "audit", "prove"]),
    ("Let solvers try", &["repair", "query", "score", "sift"]),
    ("People and trainers", &["review", "export", "train"]),
    ("This program", &["doctor", "completions", "man"]),
];

/// Which answers are read, and how.
pub const ANSWERS: &str = "Answers";
/// How answers are executed.
pub const EXECUTION: &str = "Execution";
/// The engine and its settings.
pub const ENGINE: &str = "Engine";
/// What is said on standard error.
pub const MESSAGES: &str = "Messages";
/// Models that plant faults.
pub const MODELS: &str = "Models";
/// What is written, and in which form.
pub const OUTPUT: &str = "Output";
/// How requests to models are sent and kept.
pub const REQUESTS: &str = "Requests to models";
/// Where a run is and how it is made.
pub const RUNS: &str = "The run";
/// Which solvers try.
pub const SOLVERS: &str = "Solvers";
/// Question files of SQL-Eval.
pub const SQL_EVAL: &str = "SQL-Eval";
/// What is planted, and into what.
pub const WHAT: &str = "What is planted";
