//! `compose`: gates of what is composed, and scripts that models write.

use std::collections::BTreeSet;

use serde_json::Value;
use sqlfault::{Kind, Script};

use crate::chat::{Chat, question};
use crate::program::{Bench, assert_same_files, files};

/// A bench with a models file for the server.
fn bench(server: &Chat) -> Bench {
    let bench = Bench::new();
    let url = &server.url;
    let model = format!("{{name: writer, protocol: chat, base_url: \"{url}\", model: m, retries: 0, concurrency: 2}}");
    bench.file("models.yaml", format!("models:\n- {model}\n"));
    bench
}

/// The blocks of SQL in a question.
fn shown(question: &str) -> Vec<&str> {
    question.split("```sql\n").skip(1).map(|rest| rest.split("\n```").next().unwrap()).collect()
}

/// The text with another name for each identifier.
fn renamed(text: &str, name: impl Fn(&Script, sqlfault::NodeId) -> Option<String>) -> String {
    let script = Script::new(text);
    let tree = script.tree();
    let identifiers = tree.descendants(tree.root()).filter(|node| tree.kind(*node) == Kind::Identifier);
    let mut changes: Vec<_> = identifiers.filter_map(|node| Some((tree.span(node), name(&script, node)?))).collect();
    changes.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
    let mut text = text.to_owned();
    changes.into_iter().for_each(|(span, name)| text.replace_range(span.start..span.end, &name));
    text
}

/// Every name with an ending that no business has.
fn transferred(text: &str) -> String {
    renamed(text, |script, node| Some(format!("{}_zz", script.name(node))))
}

/// Other names for common tables, and another remark.
fn reauthored(text: &str) -> String {
    let script = Script::new(text);
    let tree = script.tree();
    let common = tree.descendants(tree.root()).filter(|node| tree.kind(*node) == Kind::CommonTable);
    let names: BTreeSet<String> = common.map(|node| script.name(tree.children(node)[0])).collect();
    let text = renamed(text, |script, node| {
        let name = script.name(node);
        names.contains(&name).then(|| format!("{name}_step"))
    });
    format!("-- Written anew.\n{text}")
}

/// The text with one more condition in its first WHERE.
fn filtered(text: &str, condition: &str) -> String {
    let script = Script::new(text);
    let tree = script.tree();
    let first = tree.descendants(tree.root()).find(|node| tree.kind(*node) == Kind::Where).unwrap();
    let place = tree.span(first).start + "WHERE".len();
    format!("{} {condition} AND {}", &text[..place], &text[place..])
}

fn block(sql: &str) -> String {
    format!("Here it is.\n\n```sql\n{sql}\n```")
}

fn scenario(ddl: &str) -> String {
    let card = r#"{"title": "Keepers by site", "intention": "Hours of keepers.", "scenario": "A zoo."}"#;
    format!("```json\n{card}\n```\n\n{}", block(ddl))
}

/// Answers as a good model does, the second time it is asked.
fn writer(_: usize, body: &str) -> Option<String> {
    let request: Value = serde_json::from_str(body).unwrap();
    let turns = request["messages"].as_array().unwrap();
    let first = turns[1]["content"].as_str().unwrap();
    let (again, shown) = (turns.len() > 2, shown(first));
    Some(match () {
        () if first.contains("Carry this over") && again => scenario(&transferred(shown[0])),
        () if first.contains("Carry this over") => scenario(shown[0]),
        () if first.contains("for another company") && again => block(&transferred(shown[0])),
        () if first.contains("for another company") => block(&transferred(shown[0]).replacen("_zz", "_zy", 1)),
        () if again => block(&reauthored(shown[1])),
        () => block(shown[1]),
    })
}

fn refusals(bench: &Bench, out: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(bench.path(out).join("rejects.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

const WITH_MODELS: [&str; 7] = ["compose", "--models", "models.yaml", "--count", "2", "--seed", "5"];

#[test]
fn models_write_references_that_build_takes_and_a_replay_gives_the_same_bytes() {
    let server = Chat::start(writer);
    let bench = bench(&server);
    let said = bench.run(&[&WITH_MODELS[..], &["--out", "fresh"]].concat());
    assert!(said.starts_with("exit 0\n2 scripts in fresh\n"), "{said}");
    assert!(said.contains("  names of the source are left\n") && said.contains("  nothing is changed\n"), "{said}");
    let refused = refusals(&bench, "fresh");
    assert!(refused.iter().any(|line| line["reason"] == "Spark would refuse it" && line["model"] == "writer"));
    // The model is told what was wrong.
    let told: Vec<String> = server.asked().iter().filter_map(|body| question(body)).collect();
    let first = ["Spark would refuse it", "names of the source are left", "nothing is changed"];
    for line in refused.iter().filter(|line| first.contains(&line["reason"].as_str().unwrap())) {
        assert!(told.iter().any(|told| told.contains(line["message"].as_str().unwrap())), "{line}");
    }
    let written: Vec<String> =
        files(&bench.path("fresh")).into_iter().map(|(path, _)| path.to_string_lossy().into_owned()).collect();
    assert_eq!(written.iter().filter(|path| path.ends_with("origin.yaml")).count(), 2, "{written:?}");
    for way in ["transfer_", "reauthor_"] {
        assert!(written.iter().any(|path| path.contains(way) && path.ends_with("script.sql")), "{written:?}");
    }

    // What a script was made from stands in its card, so that a split keeps both on one side.
    for card in written.iter().filter(|path| path.ends_with("card.yaml")) {
        let card = std::fs::read_to_string(bench.path("fresh").join(card)).unwrap();
        assert!(card.lines().any(|line| line.starts_with("source_script: ")), "{card}");
    }

    let asked = server.asked().len();
    let said = bench.run(&[&WITH_MODELS[..], &["--out", "again", "--offline"]].concat());
    assert!(said.starts_with("exit 0\n"), "{said}");
    assert_eq!(server.asked().len(), asked);
    assert_same_files(&bench.path("fresh"), &bench.path("again"));

    let built =
        bench.run(&["build", "--source", "fresh", "--seed", "3", "--syntax", "1", "--semantic", "1", "--out", "run"]);
    assert!(built.starts_with("exit 0\n"), "{built}");
}

#[test]
fn what_a_model_writes_passes_every_gate_or_is_counted() {
    let server = Chat::start(|_, body| {
        let request: Value = serde_json::from_str(body).unwrap();
        let first = request["messages"][1]["content"].as_str().unwrap();
        let again = request["messages"].as_array().unwrap().len() > 2;
        let shown = shown(first);
        match () {
            () if first.contains("Carry this over") => Some(scenario(&transferred(shown[0]))),
            () if first.contains("for another company") && again => Some(block("SELECT 1 AS x")),
            () if first.contains("for another company") => Some("I would rather not.".to_owned()),
            () if again => Some(block(&filtered(&reauthored(shown[1]), "length('a') = 2"))),
            () => Some(block(&filtered(&reauthored(shown[1]), "length('a') = 1"))),
        }
    });
    let bench = bench(&server);
    let arguments = ["compose", "--models", "models.yaml", "--count", "1", "--seed", "5", "--out", "fresh"];
    let said = bench.run(&arguments);
    assert!(said.starts_with("exit 1\n0 scripts in fresh\n"), "{said}");
    let refused = refusals(&bench, "fresh");
    let reasons: BTreeSet<&str> = refused.iter().map(|line| line["reason"].as_str().unwrap()).collect();
    for reason in ["the answer cannot be read", "it is too simple", "the graph is another than the source's"] {
        assert!(reasons.contains(reason) && said.contains(reason), "{said}");
    }
    // Without its rows, a block is not reached or the results are others.
    assert!(reasons.len() > 3, "{said}");
    assert!(!files(&bench.path("fresh")).into_iter().any(|(path, _)| path.ends_with("script.sql")));
}

#[test]
fn a_model_that_cannot_be_asked_is_an_error_or_a_refusal() {
    let server = Chat::start(|_, _| None);
    let bench = bench(&server);
    let said = bench.run(&["compose", "--models", "nowhere.yaml"]);
    assert!(said.starts_with("exit 3\nerror: nowhere.yaml: No such file"), "{said}");
    assert!(bench.run(&["compose", "--offline"]).starts_with("exit 2\n"));
    let said = bench.run(&["compose", "--models", "models.yaml", "--count", "1", "--way", "reauthor", "--domain", "x"]);
    assert!(said.starts_with("exit 3\n") && said.contains("error: there is no domain `x`"), "{said}");
    assert!(server.asked().is_empty());
    let said = bench.run(&["compose", "--models", "models.yaml", "--count", "1", "--way", "reauthor"]);
    assert!(said.starts_with("exit 1\n0 scripts in composed\n     4  the model could not be asked\n"), "{said}");
}

#[test]
fn what_is_composed_passes_the_gates_whatever_the_jobs() {
    let bench = Bench::new();
    let compose = |out: &str, more: &[&str]| bench.run(&[&["compose", "--seed", "3", "--out", out], more].concat());
    let said = compose("one", &["--count", "2", "--jobs", "1"]);
    assert!(said.starts_with("exit 0\n2 scripts in one\n") && said.contains("analyses: "), "{said}");
    assert!(compose("two", &["--count", "2", "--jobs", "3"]).starts_with("exit 0\n"));
    assert_same_files(&bench.path("one"), &bench.path("two"));
    let said = compose("none", &["--count", "1", "--tau", "1000"]);
    assert!(said.starts_with("exit 1\n0 scripts in none\n") && said.contains("it is too simple"), "{said}");
    assert_eq!(refusals(&bench, "none").len(), 4);
}
