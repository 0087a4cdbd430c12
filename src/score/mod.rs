//! Judges answers.
//!
//! [`Benchmark`] is a finished run, [`Judge`] scores answers to its tasks, [`Score`] is the verdict on one answer.

mod accepted;
mod benchmark;
mod distance;
mod exact;
mod execution;
mod grade;
mod explanation;
mod critique;
mod graph;
mod held_out;
mod interval;
mod localisation;
pub mod model_judge;
mod outcome;
mod predictions;
mod failing;
mod rewrites;
pub mod sql_eval;
mod summary;
mod paired_test;
mod page;
mod targets;
mod answer_text;
mod task_data;
mod judge;
mod controls;
mod self_test;

pub use answer_text::TextReader;
pub use benchmark::{Benchmark, BenchmarkError, Task};
pub use controls::ControlTally;
pub use critique::{CritiqueScore, Graded, control_score, grade};
pub use distance::ReferenceDistance;
pub use exact::{exact_match, exact_match_normalised};
pub use execution::execution_match;
pub use failing::FailingTask;
pub use grade::Grade;
pub use graph::{graph_match, graph_match_up_to_names};
pub use judge::{Isolation, Judge, JudgeSettings};
pub use outcome::{AnswerOutcome, Score};
pub use page::{AnswerFile, ScorePage, page};
pub use paired_test::{PairedTest, pairings};
pub use predictions::{NAMED_PROBLEMS, Prediction, PredictionLine, PredictionLines, Predictions, read_predictions};
pub use self_test::{Violation, self_test};
pub use summary::{METRICS, MetricShares, Summary};
