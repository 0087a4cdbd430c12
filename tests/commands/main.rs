//! The program as a user meets it: whole commands on folders of their own.

mod bad_input;
#[path = "../support/chat.rs"]
mod chat;
#[path = "../support/common.rs"]
mod common;
mod compose_command;
mod composed;
mod crash;
mod critic_command;
mod critique_judge;
mod dbt;
mod difficulty;
mod export_command;
mod help;
mod hostile_answers;
mod hostile_files;
mod hostile_run;
mod like;
mod own_scripts;
mod own_taxonomy;
mod pipelines;
mod policies;
mod production_scripts;
#[path = "../support/program.rs"]
mod program;
mod python_grader;
mod query_command;
mod real_models;
mod refill;
mod repair_command;
mod report_command;
mod review_command;
mod rewrites;
mod same_bytes;
mod score_command;
mod settings;
mod shards;
mod sift_command;
mod soak;
mod spark_trouble;
mod train_command;
mod translation;
