//! `build --models`: what models propose passes the gates of every mutant, or is counted as rejected.

use std::process::Stdio;

use serde_json::{Value, json};

use crate::chat::{Chat, question};
use crate::program::{Bench, assert_same_files};

/// Answers a question; `None` hangs up.
type Say = fn(&str) -> Option<String>;

/// A server whose model answers each question by `say`.
fn server(say: Say) -> Chat {
    Chat::start(move |_, body| say(&question(body)?))
}

/// A bench with three scripts and a models file for the server.
fn bench(server: &Chat) -> Bench {
    let bench = Bench::new();
    bench.shops(3);
    bench.file(
        "models.yaml",
        format!(
            "models:\n- {{name: writer, protocol: chat, base_url: \"{}\", model: m, retries: 0, concurrency: 2}}\n",
            server.url
        ),
    );
    bench
}

const BUILD: [&str; 10] = ["build", "--source", "scripts", "--seed", "7", "--syntax", "4", "--semantic", "4", "--jobs"];

fn build(bench: &Bench, out: &str, more: &[&str]) -> String {
    let arguments: Vec<&str> = BUILD.iter().chain(&["2", "--out", out]).chain(more).copied().collect();
    bench.run(&arguments)
}

fn funnel(bench: &Bench, run: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(bench.path(run).join("judge/funnel.json")).unwrap()).unwrap()
}

fn lines(bench: &Bench, name: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(bench.path(name)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The script that a question shows.
fn script(question: &str) -> &str {
    let (_, rest) = question.split_once("which is correct:\n\n```sql\n").unwrap();
    rest.split_once("\n```").unwrap().0
}

/// Chooses two kinds that suit, one that was not offered; writes good mutants and one of each kind of bad ones.
fn writer(question: &str) -> Option<String> {
    if question.contains("Choose the") {
        let kinds = if question.contains("keyword-misspelt |") {
            ["keyword-misspelt", "select-list-comma-missing", "made-up"]
        } else {
            ["left-join-made-inner", "bound-inclusion-changed", "made-up"]
        };
        return Some(json!({"candidate_errors": kinds}).to_string());
    }
    if let Some(complaint) = question.strip_prefix("A person who uses a report wrote this") {
        let (_, complaint) = complaint.split_once(":\n\n").unwrap();
        let (complaint, _) = complaint.split_once("\n\nSay the same").unwrap();
        return Some(format!("Hello team. {complaint}"));
    }
    let sql = script(question);
    let is_about = |words: &str| question.contains(words);
    let changed = match () {
        () if is_about("An inner join drops") => sql.replace("LEFT JOIN", "JOIN"),
        () if is_about("A keyword is mistyped") => sql.replace("FROM dwd_orders", "FORM dwd_orders"),
        () if is_about("The comma between two outputs") => {
            sql.replace("customer_id,\n    c.city", "customer_id\n    c.city")
        }
        // The same slip as the operator's, with a layout of the model's own.
        () if sql.contains("Oslo") => sql.replace("> 10", ">= 10").replace("SELECT", "select  "),
        () if sql.contains("IS NOT NULL") => sql.replace("SUM(p.amount)", "AVG(p.amount)"),
        () => sql.replace("c.is_test = 0", "c.is_test = 0 AND c.city <> 'x' AND c.city <> 'y' AND c.city <> 'z'"),
    };
    Some(format!("Here it is.\n\n```sql\n{changed}\n```"))
}

#[test]
fn models_plant_a_share_of_the_tasks_and_every_other_answer_is_counted() {
    let server = server(writer);
    let bench = bench(&server);
    let said = build(&bench, "run", &["--models", "models.yaml", "--rewrite-share", "0.5", "--reword"]);
    assert!(said.starts_with("exit 0\n"), "{said}");
    let numbers = funnel(&bench, "run")["rewrites"].clone();
    assert_eq!(numbers["wanted"], json!({"syntax": 2, "semantic": 2}));
    let proved: u64 = numbers["proved"].as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum();
    assert!(proved >= 2, "{numbers}");
    let rejected = numbers["rejected"].as_object().unwrap();
    let count: u64 = rejected.values().map(|count| count.as_u64().unwrap()).sum();
    let unknown = rejected["the error type was not offered"].as_u64().unwrap();
    assert_eq!(numbers["asked"].as_u64().unwrap(), numbers["drafted"].as_u64().unwrap() + count - unknown, "{numbers}");
    assert!(rejected.keys().any(|reason| reason.contains("not the error type")), "{numbers}");
    let gold = lines(&bench, "run/judge/gold.jsonl");
    let by_models: Vec<&Value> = gold.iter().filter(|gold| gold["provenance"]["proposed_by"] == "writer").collect();
    assert_eq!(by_models.len() as u64, proved);
    assert!(by_models.iter().all(|gold| gold["edits"].as_array().unwrap().len() == 1), "{by_models:?}");
    assert_eq!(gold.len(), 8);
    let reworded = lines(&bench, "run/public/tasks.jsonl");
    let reworded =
        reworded.iter().filter(|task| task["user_query"].as_str().is_some_and(|it| it.starts_with("Hello team.")));
    assert_eq!(reworded.count() as u64, numbers["complaints"]["reworded"].as_u64().unwrap());
    assert!(said.contains("models: ") && said.contains("the error type was not offered"), "{said}");
    let checked = bench.run(&["check", "run"]);
    assert!(checked.starts_with("exit 0\n"), "{checked}");
}

#[test]
fn a_second_build_asks_nothing_and_gives_the_same_bytes() {
    let server = server(writer);
    let bench = bench(&server);
    let more = ["--models", "models.yaml", "--rewrite-share", "0.5", "--reword"];
    build(&bench, "run", &more);
    let asked = server.asked().len();
    std::fs::create_dir(bench.path("again")).unwrap();
    for (name, content) in crate::program::files(&bench.path("run/judge/exchanges")) {
        bench.file(&format!("again/judge/exchanges/{}", name.display()), content);
    }
    let said = build(&bench, "again", &[&more[..], &["--offline", "--resume"]].concat());
    assert!(said.starts_with("exit 0\n"), "{said}");
    assert_eq!(server.asked().len(), asked);
    assert_same_files(&bench.path("run"), &bench.path("again"));
}

#[test]
fn a_model_that_is_no_use_leaves_the_tasks_to_the_operators() {
    for (say, reason) in [
        (
            (|question| question.contains("Choose").then(|| "I would rather not.".to_owned())) as Say,
            "the answer cannot be read",
        ),
        (|_| None, "the model could not be asked"),
        (
            |question| {
                Some(if question.contains("Choose") {
                    "[\"left-join-made-inner\", \"keyword-misspelt\"]".to_owned()
                } else {
                    format!("```sql\n{}\n```", script(question).to_lowercase().replace("'paid'", "'PAID'"))
                })
            },
            "the script is unchanged",
        ),
    ] {
        let server = server(say);
        let bench = bench(&server);
        let said = build(&bench, "run", &["--models", "models.yaml", "--rewrite-share", "0.5"]);
        assert!(said.starts_with("exit 0\n"), "{said}");
        let numbers = funnel(&bench, "run")["rewrites"].clone();
        assert!(numbers["rejected"][reason].as_u64().unwrap() > 0, "{numbers}");
        assert_eq!(numbers["drafted"], 0);
        // Tasks are those of a run without models; only the record of what was asked is more.
        let plain = build(&bench, "plain", &[]);
        assert!(plain.starts_with("exit 0\n"), "{plain}");
        for name in ["tasks.jsonl", "gold.jsonl", "mutants.jsonl", "proofs.jsonl", "scripts.jsonl"] {
            let read = |run: &str| std::fs::read(sqlfault::store::locate(&bench.path(run), name)).unwrap();
            assert!(read("run") == read("plain"), "{name} differs: {reason}");
        }
        assert!(funnel(&bench, "plain").get("rewrites").is_none());
    }
}

#[test]
fn models_are_refused_where_they_make_no_sense() {
    let server = server(writer);
    let bench = bench(&server);
    for (more, wanted) in [
        (&["--rewrite-share", "0.5"][..], "exit 2\nerror: --rewrite-share and --reword need --models\n"),
        (
            &["--models", "models.yaml", "--rewrite-share", "1.5"],
            "exit 2\nerror: --rewrite-share is a share from 0 to 1\n",
        ),
        (&["--models", "nowhere.yaml"], "exit 3\nerror: nowhere.yaml: No such file"),
    ] {
        let said = build(&bench, "run", more);
        assert!(said.starts_with(wanted), "{said}");
    }
    bench.file(
        "keyed.yaml",
        "models:\n- {name: k, protocol: chat, base_url: \"http://127.0.0.1:9\", model: m, key_variable: NO_SUCH_KEY}\n",
    );
    let said = build(&bench, "run", &["--models", "keyed.yaml"]);
    assert!(said.starts_with("exit 3\n") && said.contains("NO_SUCH_KEY"), "{said}");
    assert!(server.asked().is_empty());
}

#[test]
fn a_build_killed_while_a_model_answers_loses_no_answer_and_no_key_is_kept() {
    const KEY: &str = "sk-very-secret";
    let server = Chat::hanging(Some(4), |_, body| writer(&question(body)?));
    let bench = bench(&server);
    let models = std::fs::read_to_string(bench.path("models.yaml")).unwrap();
    bench.file("models.yaml", models.replace("retries: 0", "retries: 0, key_variable: WRITER_KEY"));
    let arguments = |resume: &[&'static str]| -> Vec<&str> {
        BUILD.iter().chain(&["2", "--out", "run", "--models", "models.yaml"]).chain(resume).copied().collect()
    };
    let mut command = bench.command(&arguments(&[]));
    let mut child = command.env("WRITER_KEY", KEY).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    server.hung.recv_timeout(std::time::Duration::from_secs(120)).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let before = server.asked();
    let output = bench.command(&arguments(&["--resume"])).env("WRITER_KEY", KEY).output().unwrap();
    let said = bench.shown(&output);
    assert!(said.starts_with("exit 0\n") && !said.contains(KEY), "{said}");
    let all = server.asked();
    let again = |question: &&String| all.iter().filter(|asked| asked == question).count() > 1;
    // Two requests may be under way at once; what was answered is on disk.
    assert!(
        before.iter().filter(again).count() <= 2,
        "{} questions were asked twice",
        before.iter().filter(again).count()
    );
    assert!(before.len() >= 5 && all.len() > before.len());
    for (name, content) in crate::program::files(&bench.path(".")) {
        assert!(!String::from_utf8_lossy(&content).contains(KEY), "{} holds the key", name.display());
    }
}
