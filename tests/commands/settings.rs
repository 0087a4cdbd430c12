//! Settings from a file, from the command line, and folders of the user's own.

use std::path::Path;

use crate::program::Bench;

#[test]
fn a_file_gives_every_setting_and_the_command_line_wins() {
    let bench = Bench::new();
    bench.reference_script("shop/paid", &[]);
    bench.file(
        "run.yaml",
        "out: from_file\nseed: 9\nsyntax: 2\nsemantic: 1\njobs: 1\nmix: uniform\nsource: scripts\neffort: low\n",
    );
    let asked = ["build", "--config", "run.yaml", "--out", "mine", "--syntax", "1"];
    let said = bench.run(&[&asked[..], &["--effort", "most"]].concat());
    assert!(said.starts_with("exit 2\n") && said.contains("the effort is low, normal or high"), "{said}");
    let said = bench.run(&[&asked[..], &["--effort", "high"]].concat());
    assert!(said.contains("Syntax: 1 of 1") && said.contains("Semantic: 1 of 1"), "{said}");
    assert!(!bench.path("from_file").exists());
    let card = std::fs::read_to_string(bench.path("mine/judge/run.yaml")).unwrap();
    assert!(card.contains("seed: 9\n") && card.contains("mix: uniform\n"), "{card}");
    assert!(card.contains("effort: high\n"), "{card}");
}

#[test]
fn scripts_that_are_not_complex_enough_are_left_out() {
    let bench = Bench::new();
    bench.reference_script("shop/paid", &[]);
    let build = |out: &str, tau: &str| {
        bench.file("c.yaml", format!("complexity: {{alpha: 1, beta: 0.1, tau: {tau}}}\nsource: scripts\nseed: 7\n"));
        bench.run(&["build", "--config", "c.yaml", "--out", out, "--syntax", "1", "--semantic", "0"])
    };
    assert!(build("low", "5").starts_with("exit 0\n"));
    let said = build("high", "50.5");
    assert!(said.starts_with("exit 3\n"), "{said}");
    assert!(said.contains("is not above tau = 50.5; choose a lower tau"), "{said}");
}

#[test]
fn complaints_are_made_of_the_users_own_templates() {
    let bench = Bench::new();
    bench.reference_script("shop/paid", &[]);
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates/complaint");
    for file in std::fs::read_dir(ours).unwrap().flatten() {
        let name = file.file_name().to_string_lossy().into_owned();
        bench.file(&format!("words/complaint/{name}"), std::fs::read(file.path()).unwrap());
    }
    let mine = "terse: ['Hear me about {{ title }}.', 'Hear me.']\n".to_owned();
    let mine = mine.clone() + &mine.replace("terse", "analyst") + &mine.replace("terse", "owner");
    bench.file("words/complaint/opening.yaml", mine);
    let shape = "naming: 100\nplain: 0\ndetail: 0\nclosing: 0\nbrief: 0\n";
    bench.file("words/complaint/shape.yaml", shape);
    let asked = ["build", "--source", "scripts", "--seed", "7", "--syntax", "0", "--semantic", "1"];
    let said = bench.run(&[&asked[..], &["--out", "run", "--templates", "words"]].concat());
    assert!(said.starts_with("exit 0\n"), "{said}");
    let tasks = std::fs::read_to_string(bench.path("run/public/tasks.jsonl")).unwrap();
    assert!(tasks.contains("Hear me about Paid orders by customer."), "{tasks}");
}

/// A script that sets its own variables needs no values from outside, neither as it is nor changed.
#[test]
fn a_script_may_set_the_variables_that_it_reads() {
    let bench = Bench::new();
    bench.file(
        "my.sql",
        "SET hivevar:d=2024-03-15;\nSELECT shop_id, COUNT(*) AS orders FROM dwd_orders\n\
         WHERE dt = '${hivevar:d}' AND status <> 'void' AND amount > 10 GROUP BY shop_id;\n",
    );
    let columns = "order_id BIGINT, shop_id BIGINT, amount INT, status STRING";
    bench.file("tables.sql", format!("CREATE TABLE dwd_orders ({columns}) PARTITIONED BY (dt STRING);\n"));
    let said = bench.run(&["inject", "my.sql", "--schema", "tables.sql", "--fault", "bound-inclusion-changed"]);
    assert!(said.starts_with("exit 0\n") && said.contains("+WHERE dt = '${hivevar:d}'"), "{said}");
    assert!(said.contains("amount >= 10") && said.contains("exactly 10"), "{said}");
    assert!(said.contains("INSERT INTO dwd_orders\n    SELECT ") && said.contains("only issue.sql gives:\n"), "{said}");
}
