use std::path::Path;

use serde_json::json;

use super::*;
use crate::llm::test_server::{Act, Server};
use crate::llm::{Budget, Cache, Models};
use crate::publish::record::{SolverContext, TaskRecord};
use crate::repair::SolverSample;

const ISSUE: &str = "select k\nfrom a\nwhere v = 1\ngroup k\n";

fn task() -> TaskRecord {
    let context = SolverContext::ErrorMessage("near k".to_owned());
    TaskRecord { context, ..TaskRecord::example("t1", ISSUE, "create table a (k bigint, v int);") }
}

fn says(text: &str, reason: &str) -> Act {
    let body = json!({"choices": [{"message": {"content": text}, "finish_reason": reason}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5}});
    Act::Say(200, "", body.to_string())
}

fn client(server: &Server, folder: &Path) -> Arc<Client> {
    let text = format!(
        "models: [{{name: a, shape: chat, base_url: '{}', model: m, retries: 0, price: {{input: 1, output: 1}}}}]",
        server.url()
    );
    let models = Models::read(&text).unwrap();
    Arc::new(
        Client::new(&models.models[0], &Arc::new(Cache::new(folder)), &Arc::new(Budget::new(None)), false).unwrap(),
    )
}

fn tried(mode: Mode, acts: Vec<Act>) -> (Result<Attempt, SolverError>, Vec<String>) {
    tried_on(mode, acts, None)
}

fn tried_on(mode: Mode, acts: Vec<Act>, sample: Option<SolverSample>) -> (Result<Attempt, SolverError>, Vec<String>) {
    let (server, folder) = (Server::start(acts), tempfile::tempdir().unwrap());
    let (client, prompts) = (client(&server, folder.path()), Arc::new(RepairPrompts::built_in().unwrap()));
    let solver = match mode {
        Mode::Diff => ModelSolver::diff(client, prompts),
        Mode::Agent => ModelSolver::agent(Arc::clone(&client), client, prompts, 3),
        _ => ModelSolver::whole(client, prompts),
    };
    let task = task();
    let attempt = solver.repair(&Assignment::new(&task).unwrap().with_sample(sample));
    (attempt, server.seen().into_iter().map(|seen| seen.body).collect())
}

#[test]
fn a_whole_script_is_taken_and_the_prompt_tells_script_schema_and_message() {
    let (attempt, bodies) = tried(Mode::Whole, vec![says("```sql\nselect 1\n```", "stop")]);
    let attempt = attempt.unwrap();
    assert_eq!((attempt.predict_sql.as_deref(), attempt.outcome), (Some("select 1\n"), AttemptOutcome::Answered));
    assert_eq!((attempt.solver.as_str(), attempt.usage, attempt.rounds), ("a", Usage { input: 10, output: 5 }, 1));
    for told in ["group k", "create table a", "near k"] {
        assert!(bodies[0].contains(told), "{told}");
    }
}

#[test]
fn every_useless_answer_has_its_outcome() {
    let cases = [
        (says("", "content_filter"), AttemptOutcome::Refused),
        (says("```sql\nselect", "length"), AttemptOutcome::Truncated),
        (says("I do not know.", "stop"), AttemptOutcome::Unparseable),
        (Act::Say(400, "", "maximum context length".to_owned()), AttemptOutcome::Rejected),
    ];
    for (act, outcome) in cases {
        let attempt = tried(Mode::Whole, vec![act]).0.unwrap();
        assert_eq!((attempt.outcome, attempt.predict_sql), (outcome, None));
    }
}

#[test]
fn trouble_on_the_way_is_no_attempt() {
    let unknown = tried(Mode::Whole, vec![Act::Say(400, "", "unknown field".to_owned())]).0;
    assert!(matches!(unknown, Err(SolverError::Task(_))));
    let broke = tried(Mode::Whole, vec![Act::Say(402, "", String::new())]).0;
    assert!(matches!(broke, Err(SolverError::StopReason(_))));
}

#[test]
fn edit_blocks_change_the_issue() {
    let block = "<<<<<<< SEARCH\ngroup k\n=======\ngroup by k\n>>>>>>> REPLACE\n";
    let attempt = tried(Mode::Diff, vec![says(block, "stop")]).0.unwrap();
    assert_eq!(attempt.predict_sql.as_deref(), Some("select k\nfrom a\nwhere v = 1\ngroup by k\n"));
    assert_eq!(attempt.solver, "a-diff");
    let lost = tried(Mode::Diff, vec![says("<<<<<<< SEARCH\nnone\n=======\nx\n>>>>>>> REPLACE", "stop")]).0.unwrap();
    assert_eq!(lost.outcome, AttemptOutcome::Unparseable);
}

#[test]
fn the_agent_hears_the_engine_and_tries_again() {
    let plan = |words: &str| says(&format!("<instruction>{words}</instruction>"), "stop");
    let sql = |sql: &str| says(&format!("```sql\n{sql}\n```"), "stop");
    let acts = vec![plan("one"), sql("select k from a group k"), plan("two"), sql("select k from a group by k")];
    let (attempt, bodies) = tried(Mode::Agent, acts);
    let attempt = attempt.unwrap();
    assert_eq!(attempt.predict_sql.as_deref(), Some("select k from a group by k\n"));
    assert_eq!((attempt.rounds, attempt.usage.output, bodies.len()), (2, 20, 4));
    assert!(bodies[1].contains("one") && !bodies[1].contains("near k"), "{}", bodies[1]);
    assert!(bodies[2].contains("PARSE_SYNTAX_ERROR"), "{}", bodies[2]);
    assert!(bodies[3].contains("two") && bodies[3].contains("select k from a group k"), "{}", bodies[3]);
}

#[test]
fn the_agent_stops_at_its_round_limit_with_what_it_has() {
    let acts = vec![
        says("do it", "stop"),
        says("```sql\nselect k from a group k\n```", "stop"),
        says("again", "stop"),
        says("no", "stop"),
        says("again", "stop"),
        says("still no", "stop"),
    ];
    let attempt = tried(Mode::Agent, acts).0.unwrap();
    assert_eq!((attempt.predict_sql.as_deref(), attempt.rounds), (Some("select k from a group k\n"), 3));
}

#[test]
fn the_agent_queries_the_sample_and_sees_what_its_script_gives() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("samples")).unwrap();
    let rows = r#"{"tables":[{"table":"a","rows":[[7,1],[8,1],[8,2]]}]}"#;
    std::fs::write(folder.path().join("run.yaml"), "").unwrap();
    std::fs::write(folder.path().join("samples/t1.json"), rows).unwrap();
    let sample = SolverSample::find(folder.path(), "t1").unwrap();
    let acts = vec![
        says("<query>select count(*) as n from a</query>", "stop"),
        says("<instruction>one</instruction>", "stop"),
        says("```sql\nselect k from a where v = 2\n```", "stop"),
        says("<instruction>two</instruction>", "stop"),
        says("```sql\nselect k from a where v = 1\n```", "stop"),
        says("<done/>", "stop"),
    ];
    let (attempt, bodies) = tried_on(Mode::Agent, acts, sample);
    let attempt = attempt.unwrap();
    assert_eq!(attempt.predict_sql.as_deref(), Some("select k from a where v = 1\n"));
    assert_eq!((attempt.rounds, bodies.len(), attempt.turns.len()), (3, 6, 8));
    assert!(bodies[0].contains("<query>") && bodies[1].contains("(1 row)"), "{}", bodies[1]);
    assert!(bodies[3].contains("k\\n8\\n(1 row)"), "{}", bodies[3]);
    assert!(bodies[5].contains("k\\n7\\n8\\n(2 rows)"), "{}", bodies[5]);
    assert_eq!(attempt.turns.last().map(String::as_str), Some("<done/>"));
}
