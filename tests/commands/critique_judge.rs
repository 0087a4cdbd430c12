//! A model as judge of wording: asked over the loopback, its grades beside ours, and again from disk.

use std::path::Path;
use std::process::{Command, Output};

use crate::chat::Chat;
use crate::common::{TASKS, write_run};
use serde_json::{Value, json};

/// What the model says to a request.
fn grade(body: &str) -> String {
    if body.contains("must stay in the sum") { "Let me see.\n1: exact" } else { "1: partial" }.to_owned()
}

fn score(run: &Path, more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sqlfault"));
    command.arg("score").arg(run).arg(run.join("critiques.jsonl")).args(["--critiques", "--json"]).args(more);
    command.output().unwrap()
}

fn json_of(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_model_judges_wording_beside_the_known_edits_and_their_agreement_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path();
    write_run(run);
    let server = Chat::start(|_, body| Some(grade(body)));
    let url = &server.url;
    let models = run.join("models.yaml");
    std::fs::write(
        &models,
        format!("models:\n- {{name: m, protocol: chat, base_url: '{url}', model: x, retries: 0}}\n"),
    )
    .unwrap();
    let entry = |clause: &str, explanation: &str| json!({"clause": clause, "explanation": explanation});
    let lines = [
        json!({"instance_id": TASKS[1].0, "critique": [
            entry("ORDER BY", "Also wrong."), entry("join", "Buyers we know nothing of must stay in the sum."),
        ]}),
        json!({"instance_id": TASKS[2].0, "critique": [entry("WHERE", "Write `=`.")]}),
        json!({"instance_id": TASKS[0].0, "critique": [entry("SELECT", "A comma is missing.")]}),
    ];
    std::fs::write(run.join("critiques.jsonl"), lines.map(|line| line.to_string()).join("\n")).unwrap();
    let asked = json_of(&score(run, &["--models", models.to_str().unwrap()]));
    // Redundant entries are no matter of wording: two questions, and neither shows the clause that is not wrong.
    let bodies = server.asked();
    assert_eq!(bodies.len(), 2, "{bodies:?}");
    assert!(bodies.iter().all(|body| !body.contains("Also wrong") && !body.contains("comma")), "{bodies:?}");
    let counts = |value: &Value| ["exact", "partial", "error", "redundant"].map(|name| value[name].as_u64().unwrap());
    assert_eq!(counts(&asked), [0, 1, 1, 2]);
    let judge = &asked["judge"];
    assert_eq!(counts(judge), [1, 1, 0, 2]);
    assert_eq!((judge["entries"].as_u64(), judge["agreement"].as_f64()), (Some(2), Some(0.5)));
    assert!(judge["cps"].as_f64() > asked["cps"].as_f64());
    let again = json_of(&score(run, &["--models", models.to_str().unwrap(), "--offline"]));
    assert_eq!(again, asked);
    assert_eq!(server.asked(), bodies);
    let plain = json_of(&score(run, &[]));
    assert_eq!((plain.get("judge"), &plain["cps"]), (None, &asked["cps"]));
}
