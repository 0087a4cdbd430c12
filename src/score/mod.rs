//! Judges answers.
//!
//! [`Benchmark`] is a finished run, [`Judge`] scores answers to its tasks, [`Score`] is the verdict on one answer.

mod accepted;
mod answer_text;
mod benchmark;
mod critique;
mod distance;
mod exact;
mod execution;
mod explanation;
mod failing;
mod grade;
mod graph;
mod held_out;
mod interval;
mod judge;
mod controls;
mod localisation;
pub mod model_judge;
mod outcome;
mod page;
mod paired_test;
mod predictions;
mod rewrites;
mod self_test;
pub mod sql_eval;
mod summary;
mod targets;
mod task_data;

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
