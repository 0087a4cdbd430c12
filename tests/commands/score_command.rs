//! `sqlfault score` as a user runs it.

use std::path::Path;
use std::process::{Command, Output};

use crate::common::{REFERENCE, TASKS, issue, write_run};
use serde_json::Value;

fn score(arguments: &[&Path], flags: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sqlfault"));
    command.arg("score").args(arguments).args(flags);
    command.output().unwrap()
}

fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn share(value: &Value, group: &str, metric: &str) -> f64 {
    value[group][metric].as_f64().unwrap_or_else(|| panic!("{group}.{metric} in {value}"))
}

/// A file of predictions.
fn write_predictions(path: &Path, answers: &[(&str, &str)]) {
    let line = |(id, sql): &(&str, &str)| serde_json::json!({"instance_id": id, "predict_sql": sql}).to_string() + "\n";
    std::fs::write(path, answers.iter().map(line).collect::<String>()).unwrap();
}

const METRICS: [&str; 6] = ["em", "em_normalised", "gm", "mb", "ex", "accepted"];

#[test]
fn references_score_one_everywhere_and_issues_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (run, file) = (folder.path().join("run"), folder.path().join("predictions.jsonl"));
    write_run(&run);
    write_predictions(&file, &TASKS.map(|(id, ..)| (id, REFERENCE)));
    let right = json(&score(&[&run, &file], &["--json"]));
    let issues = TASKS.map(|(id, ..)| issue(id));
    write_predictions(&file, &[0, 1, 2].map(|n| (TASKS[n].0, issues[n].as_str())));
    let wrong = json(&score(&[&run, &file], &["--json"]));
    for group in ["overall", "syntax", "semantic"] {
        for metric in METRICS {
            assert_eq!(share(&right, group, metric), 1.0, "{group} {metric}");
            assert_eq!(share(&wrong, group, metric), 0.0, "{group} {metric}");
        }
    }
    assert_eq!(wrong["overall"]["outcomes"]["rejected_at_parse"], 1);
    assert_eq!(wrong["overall"]["outcomes"]["other_rows"], 2);
}

#[test]
fn another_right_repair_is_accepted_and_each_metric_sees_what_it_can() {
    let folder = tempfile::tempdir().unwrap();
    let (run, file) = (folder.path().join("run"), folder.path().join("predictions.jsonl"));
    write_run(&run);
    let relaid = format!("```sql\n{}```", REFERENCE.replace('\n', "  -- x\n"));
    let mirrored = "Fixed:\n\nselect u.name, sum(o.amount) total from users u right join orders o on u.id = o.user_id \
                    where 'PAID' = o.state group by 1;";
    let by_rows = "SELECT u.name, SUM(o.amount) + 0 AS total FROM orders o LEFT JOIN users u ON o.user_id = u.id \
                   WHERE upper(o.state) = 'PAID' GROUP BY u.name";
    write_predictions(&file, &[(TASKS[0].0, &relaid), (TASKS[1].0, mirrored), (TASKS[2].0, by_rows)]);
    let scores = folder.path().join("scores.jsonl");
    let output = score(&[&run, &file], &["--json", "--scores", scores.to_str().unwrap()]);
    assert_eq!(share(&json(&output), "overall", "accepted"), 1.0);
    let lines = std::fs::read_to_string(scores).unwrap();
    let records: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let flags = |record: &Value| METRICS.map(|metric| record[metric].as_bool().unwrap());
    assert_eq!(flags(&records[0]), [false, true, true, true, true, true], "{}", records[0]);
    assert_eq!(flags(&records[1]), [false, false, true, true, true, true], "{}", records[1]);
    assert_eq!(flags(&records[2]), [false, false, false, false, true, true], "{}", records[2]);
}

#[test]
fn an_answer_that_fits_the_suite_alone_is_not_accepted_and_a_right_rewrite_is() {
    let folder = tempfile::tempdir().unwrap();
    let (run, file) = (folder.path().join("run"), folder.path().join("predictions.jsonl"));
    write_run(&run);
    let scores = folder.path().join("scores.jsonl");
    let by_hand = "SELECT 'ann' AS name, CAST(5 AS DOUBLE) AS total UNION ALL SELECT NULL, CAST(7.5 AS DOUBLE)";
    let too_much = REFERENCE.replace("'PAID'", "'PAID' AND o.amount < 20");
    let rewrite = "WITH paid AS (SELECT user_id, SUM(amount) AS amount FROM orders WHERE state = 'PAID' GROUP BY user_id) \
                   SELECT u.name, SUM(p.amount) AS total FROM paid p LEFT JOIN users u ON p.user_id = u.id GROUP BY u.name";
    let cases = [(by_hand, None), (too_much.as_str(), None), (rewrite, Some("results"))];
    for (sql, credit) in cases {
        write_predictions(&file, &[(TASKS[1].0, sql)]);
        let output = score(&[&run, &file], &["--json", "--scores", scores.to_str().unwrap()]);
        assert!(output.status.success());
        let lines = std::fs::read_to_string(&scores).unwrap();
        let record: Value = serde_json::from_str(lines.lines().nth(1).unwrap()).unwrap();
        let mut findings = serde_json::json!({"requirement": true, "suite": true, "held_out": credit.is_some()});
        if credit.is_some() {
            findings["targeted"] = true.into();
        }
        assert_eq!((&record["ex"], &record["findings"]), (&true.into(), &findings), "{record}");
        assert_eq!(
            (record["accepted"].as_bool(), record["credit"].as_str()),
            (Some(credit.is_some()), credit),
            "{sql}"
        );
    }
}

#[test]
fn what_is_wrong_with_a_file_is_named_counted_and_scored_zero() {
    let folder = tempfile::tempdir().unwrap();
    let (run, file) = (folder.path().join("run"), folder.path().join("predictions.jsonl"));
    write_run(&run);
    let reference = serde_json::json!(REFERENCE);
    let text = format!(
        "{{\"instance_id\":\"aa00000001\",\"predict_sql\":{reference}}}\n\
         {{\"instance_id\":\"aa00000001\",\"predict_sql\":{reference}}}\n\
         {{\"instance_id\":\"bb00000002\",\"predict_sql\":[1]}}\n\
         {{\"instance_id\":\"zz\",\"predict_sql\":\"x\"}}\n\
         broken\n"
    );
    std::fs::write(&file, text).unwrap();
    let output = score(&[&run, &file], &["--json"]);
    let value = json(&output);
    assert_eq!(share(&value, "overall", "accepted"), 0.0);
    for outcome in ["duplicate", "wrong_type", "missing"] {
        assert_eq!(value["overall"]["outcomes"][outcome], 1, "{outcome}");
    }
    assert_eq!(value["problems"].as_array().unwrap().len(), 3, "{}", value["problems"]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    for part in ["line 2: aa00000001", "line 4: no task is called zz", "line 5:"] {
        assert!(told.contains(part), "{told}");
    }
}

#[test]
fn a_folder_without_a_run_is_bad_input() {
    let folder = tempfile::tempdir().unwrap();
    let output = score(&[folder.path(), folder.path()], &[]);
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn a_question_file_of_sql_eval_is_scored_by_its_rules_and_ours() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("shop.sqlite");
    let connection = rusqlite::Connection::open(&database).unwrap();
    connection
        .execute_batch(
            "CREATE TABLE u (uid INT, name TEXT, likes INT); INSERT INTO u VALUES (1,'a',3),(2,'b',3),(3,'c',5);",
        )
        .unwrap();
    drop(connection);
    let gold = folder.path().join("gold.csv");
    let rows = "question,query,db_name,query_category\n\
        who likes what,\"SELECT {uid, name}, likes FROM u\",shop,instruct\n\
        all likes,SELECT likes FROM u,shop,instruct\n\
        all likes,SELECT likes FROM u,shop,instruct\n\
        likes,SELECT likes FROM u,shop,ratio\n\
        likes,SELECT likes FROM u,shop,ratio\n";
    std::fs::write(&gold, rows).unwrap();
    let file = folder.path().join("answers.jsonl");
    write_predictions(
        &file,
        &[
            ("1", "SELECT name, likes FROM u"),
            ("2", "SELECT DISTINCT likes FROM u"),
            ("3", "SELECT likes, name FROM u"),
            ("4", "SELECT nothing FROM u"),
        ],
    );
    let flags = ["--gold", gold.to_str().unwrap(), "--database", folder.path().to_str().unwrap(), "--json"];
    let value = json(&score(&[&file], &flags));
    let seen: Vec<_> = value["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            let flag = |name: &str| row[name].as_bool().unwrap();
            (flag("exact"), flag("correct"), flag("strict"), row["outcome"].as_str().unwrap())
        })
        .collect();
    let expected = [
        (true, true, true, "equal"),
        (true, true, false, "other_rows"),
        (false, true, false, "other_rows"),
        (false, false, false, "failed"),
        (false, false, false, "empty"),
    ];
    assert_eq!(seen, expected);
    assert_eq!(value["shares"]["overall"]["correct"], 0.6);
    std::fs::remove_file(&database).unwrap();
    let refused = score(&[&file], &flags);
    assert_eq!(refused.status.code(), Some(3));
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(told.contains("shop.sqlite: row 1 is about this database"), "{told}");
}

#[test]
fn the_labels_own_critiques_score_higher_than_vague_and_needless_ones() {
    let folder = tempfile::tempdir().unwrap();
    let (run, file) = (folder.path().join("run"), folder.path().join("critiques.jsonl"));
    write_run(&run);
    let entry = |clause: &str, explanation: &str| serde_json::json!({"clause": clause, "explanation": explanation});
    let lines = [
        serde_json::json!({"instance_id": TASKS[1].0, "critique": [entry("join", "It must be a LEFT join.")]}),
        serde_json::json!({"instance_id": TASKS[2].0, "critique": [
            entry("WHERE", "Write `=`."), entry("SELECT", "Also wrong."),
        ]}),
        serde_json::json!({"instance_id": TASKS[0].0, "critique": [entry("", "This SQL query is correct.")]}),
    ];
    std::fs::write(&file, lines.map(|line| line.to_string()).join("\n")).unwrap();
    let value = json(&score(&[&run, &file], &["--critiques", "--json"]));
    let counts = ["exact", "partial", "error", "redundant"].map(|name| value[name].as_u64().unwrap());
    assert_eq!(counts, [1, 1, 0, 1]);
    let cps = value["cps"].as_f64().unwrap();
    assert!((cps - (1.0 + 0.2) / 3.0).abs() < 1e-12, "{cps}");
}

/// Attack | lines of critiques that are not UTF-8, 5 MiB long, no critique or about no task | the first ends the verb | each is a problem of its own; the others count
#[test]
fn a_broken_critique_costs_itself_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (run, file) = (folder.path().join("run"), folder.path().join("critiques.jsonl"));
    write_run(&run);
    let right = |id: &str| {
        let critique = [serde_json::json!({"clause": "join", "explanation": "It must be a LEFT join."})];
        format!("{}\n", serde_json::json!({"instance_id": id, "critique": critique}))
    };
    let mut content = b"\xff\n{\"instance_id\": 7}\n".to_vec();
    content.extend(vec![b'x'; 5 << 20]);
    content.extend(format!("\n{}{}", right("nobody"), right(TASKS[1].0)).bytes());
    std::fs::write(&file, content).unwrap();
    let output = score(&[&run, &file], &["--critiques", "--json"]);
    assert_eq!(json(&output)["exact"], 1);
    let told = String::from_utf8(output.stderr).unwrap();
    for problem in
        ["line 1: it is not UTF-8", "line 2: ", "line 3: longer than 4 MiB", "line 4: no task is called nobody"]
    {
        assert!(told.contains(problem), "{problem}: {told}");
    }
    std::fs::write(&file, right("nobody")).unwrap();
    let output = score(&[&run, &file], &["--critiques"]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
}

/// Attack | `<script>` and `<b>` in ids and file names on the page of scores | – | text
#[test]
fn the_report_is_one_page_with_both_files_of_answers() {
    let folder = tempfile::tempdir().unwrap();
    let (run, file) = (folder.path().join("run"), folder.path().join("<b>right & new.jsonl"));
    let (other, html) = (folder.path().join("issues.jsonl"), folder.path().join("report.html"));
    write_run(&run);
    write_predictions(&file, &TASKS.map(|(id, ..)| (id, REFERENCE)));
    let issues = TASKS.map(|(id, ..)| issue(id));
    let mut answers: Vec<(&str, &str)> = (0..3).map(|n| (TASKS[n].0, issues[n].as_str())).collect();
    answers.push(("<script>", "SELECT 1"));
    write_predictions(&other, &answers);
    let flags = ["--against", other.to_str().unwrap(), "--html", html.to_str().unwrap()];
    let output = score(&[&run, &file], &flags);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = std::fs::read_to_string(&html).unwrap();
    let shown = page.replace(&folder.path().display().to_string().replace('/', "&#x2f;"), "FOLDER");
    insta::assert_snapshot!(shown);
}

/// What `score` says of a file of predictions with this content, and its exit code.
fn refused(run: &Path, content: &[u8]) -> (Option<i32>, String) {
    let file = run.join("predictions.jsonl");
    std::fs::write(&file, content).unwrap();
    let output = score(&[run, &file], &["--json"]);
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Attack | predictions in UTF-16, as one array, `/dev/null`, of another run | exit 0, zeros | exit 3, fields found
#[test]
fn a_file_without_an_answer_is_bad_input_and_says_what_it_holds() {
    let folder = tempfile::tempdir().unwrap();
    write_run(folder.path());
    let line = format!("{{\"instance_id\":\"{}\",\"predict_sql\":\"SELECT 1\"}}", TASKS[0].0);
    let utf16: Vec<u8> = format!("\u{feff}{line}\n").encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (content, word) in [
        (b"" as &[u8], "no line"),
        (b"{\"id\":\"x\",\"sql\":\"SELECT 1\"}\n", "fields found are: id, sql"),
        (format!("[{line}]").as_bytes(), "one object a line"),
        (&utf16, "UTF-16"),
        (b"{\"instance_id\":\"another run\",\"predict_sql\":\"SELECT 1\"}", "no task is called another run"),
    ] {
        let (code, told) = refused(folder.path(), content);
        assert_eq!(code, Some(3), "{told}");
        assert!(told.contains(word), "{told}");
    }
    let null = score(&[folder.path(), Path::new("/dev/null")], &[]);
    assert_eq!(null.status.code(), Some(3), "{null:?}");
}

/// Attack | databases removed | exit 0 | exit 1 or 3
#[test]
fn a_run_without_its_databases_judges_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (run, file) = (folder.path().join("run"), folder.path().join("predictions.jsonl"));
    write_run(&run);
    write_predictions(&file, &TASKS.map(|(id, ..)| (id, "SELECT u.name, 1 AS total FROM users u")));
    std::fs::remove_file(run.join("databases/w.json")).unwrap();
    let some = score(&[&run, &file], &[]);
    let told = String::from_utf8_lossy(&some.stderr).into_owned();
    assert_eq!(some.status.code(), Some(1), "{told}");
    assert!(told.contains("2 answers could not be judged") && told.contains("w.json"), "{told}");
    std::fs::remove_dir_all(run.join("databases")).unwrap();
    let none = score(&[&run, &file], &[]);
    assert_eq!(none.status.code(), Some(3), "{none:?}");
    let texts = score(&[&run, &file], &["--no-execution"]);
    assert_eq!(texts.status.code(), Some(0), "what runs nothing needs no database: {texts:?}");
}

#[cfg(target_os = "linux")]
/// Attack | output to a full disk | exit 0 | exit 5
#[test]
fn a_full_disk_is_an_output_error_and_a_reader_that_left_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let (run, file) = (folder.path().join("run"), folder.path().join("predictions.jsonl"));
    write_run(&run);
    write_predictions(&file, &[(TASKS[0].0, REFERENCE)]);
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_sqlfault"));
    command.args(["score".as_ref(), run.as_os_str(), file.as_os_str()]).stdout(full());
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(5), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("No space left"), "{output:?}");
    let help = Command::new(env!("CARGO_BIN_EXE_sqlfault")).args(["score", "--help"]).stdout(full()).status().unwrap();
    assert_eq!(help.code(), Some(5));
    let scores = score(&[&run, &file], &["--scores", "/dev/full"]);
    assert_eq!(scores.status.code(), Some(5), "{scores:?}");
    // What prints under a shield against panics ends the same way, and at once.
    let mut inject = Command::new(env!("CARGO_BIN_EXE_sqlfault"));
    inject
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/domains/advertising/last_touch_attribution"))
        .args(["inject", "script.sql", "--schema", "schema.sql"]);
    inject.args(["--parameter", "biz_date=2024-03-15", "--fault", "left-join-made-inner"]).stdout(full());
    let output = inject.output().unwrap();
    assert_eq!(output.status.code(), Some(5), "{output:?}");
    assert!(!String::from_utf8_lossy(&output.stderr).contains("no mutant was proved"), "{output:?}");
}

/// Attack | lone surrogate, invalid UTF-8, 5 MiB line on `--stdin` | process ends | one outcome for each line
#[test]
fn on_standard_input_a_broken_line_costs_itself_alone() {
    use std::io::Write;
    let folder = tempfile::tempdir().unwrap();
    write_run(folder.path());
    let id = TASKS[2].0;
    let mut input = b"\xff\xfe\n".to_vec();
    input.extend(format!("{{\"instance_id\":\"{id}\",\"predict_sql\":\"SELECT '\\ud800'\"}}\n").bytes());
    input.extend(vec![b'x'; 5 << 20]);
    input.push(b'\n');
    let right = serde_json::json!({"instance_id": id, "predict_sql": REFERENCE});
    input.extend(format!("{right}\n").bytes());
    let mut child = Command::new(env!("CARGO_BIN_EXE_sqlfault"))
        .args(["score".as_ref(), folder.path().as_os_str(), "--stdin".as_ref()])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut requests = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || requests.write_all(&input).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success(), "{output:?}");
    let told = String::from_utf8(output.stdout).unwrap();
    let records: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(records.len(), 4, "{told}");
    assert_eq!(records[0]["error"], "it is not UTF-8");
    assert_eq!((&records[1]["instance_id"], &records[1]["accepted"]), (&id.into(), &false.into()));
    assert_eq!(records[2]["error"], "longer than 4 MiB");
    assert_eq!(records[3]["accepted"], true);
}

#[test]
fn standard_input_without_an_answer_is_bad_input() {
    let folder = tempfile::tempdir().unwrap();
    write_run(folder.path());
    for (input, words) in
        [("", "there is no line in it"), ("no answer\n{\"id\": 1}\n", "no line has the `instance_id`")]
    {
        let file = folder.path().join("input");
        std::fs::write(&file, input).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_sqlfault"))
            .args(["score".as_ref(), folder.path().as_os_str(), "--stdin".as_ref()])
            .stdin(std::fs::File::open(&file).unwrap())
            .output()
            .unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(3), "{input:?}: {told}");
        assert!(told.contains(&format!("standard input: {words}")), "{input:?}: {told}");
    }
}

#[test]
fn every_wrapping_of_an_answer_is_judged_as_its_sql() {
    let folder = tempfile::tempdir().unwrap();
    let (run, file) = (folder.path().join("run"), folder.path().join("predictions.jsonl"));
    write_run(&run);
    let object = serde_json::json!({ "predict_sql": REFERENCE }).to_string();
    let edit = "<<<<<<< SEARCH\nJOIN users u ON o.user_id = u.id\n=======\nLEFT JOIN users u ON o.user_id = u.id\n\
                >>>>>>> REPLACE";
    let thoughts = format!("<think>a JOIN?</think>\n```sql\n{REFERENCE}```");
    write_predictions(&file, &[(TASKS[0].0, &object), (TASKS[1].0, edit), (TASKS[2].0, &thoughts)]);
    assert_eq!(share(&json(&score(&[&run, &file], &["--json"])), "overall", "em"), 1.0);
    write_predictions(&file, &[(TASKS[1].0, &edit.replace("JOIN", "CROSS JOIN"))]);
    let value = json(&score(&[&run, &file], &["--json"]));
    assert_eq!(value["overall"]["outcomes"]["inapplicable"], 1, "{value}");
}

/// Attack | escape sequences in ids | reach the terminal | written out
#[test]
fn ids_of_strangers_are_no_commands_to_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let (run, file) = (folder.path().join("run"), folder.path().join("predictions.jsonl"));
    write_run(&run);
    write_predictions(&file, &[(TASKS[0].0, REFERENCE), ("\u{1b}]0;owned\u{7}", "SELECT 1")]);
    let output = score(&[&run, &file], &[]);
    assert!(!output.stderr.contains(&0x1b) && !output.stdout.contains(&0x1b), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("\\u{1b}]0;owned"), "{output:?}");
}
