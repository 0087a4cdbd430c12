//! `compose --like`: variants of private scripts that may be published.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::program::{Bench, assert_same_files, files};

const DDL: &str = "USE acme_ods;
CREATE TABLE invoices (invoice_no STRING COMMENT 'number by Globex Ltd', customer_id BIGINT, net_total DECIMAL(12,2),
  state STRING, extra STRING, paid_at TIMESTAMP) PARTITIONED BY (load_day STRING);
CREATE TABLE customers (customer_id BIGINT, customer_name STRING, region_cd STRING,
  address STRUCT<town: STRING, zip: STRING>);
CREATE TABLE acme_mart.globex_report (region_cd STRING, town STRING, revenue DOUBLE, klass STRING)
  PARTITIONED BY (load_day STRING);";

const REVENUE: &str = "-- Revenue of Globex Ltd, asked for by Jane Miller
SET mapreduce.job.queuename=root.acme;
INSERT OVERWRITE TABLE acme_mart.globex_report PARTITION (load_day = '${report_day}')
SELECT /*+ MAPJOIN(cust) */ cust.region_cd, cust.address.town AS town, SUM(inv.net_total * 1.19) AS revenue,
  CASE WHEN SUM(inv.net_total) > 5000 THEN 'WHALE' WHEN SUM(inv.net_total) > 750 THEN 'DOLPHIN' ELSE 'SHRIMP' END AS klass
FROM acme_ods.invoices inv
JOIN acme_ods.customers cust ON inv.customer_id = cust.customer_id -- Globex's own key
WHERE inv.load_day = '${report_day}' AND inv.state IN ('SETTLED', 'PARTLY_SETTLED')
  AND inv.paid_at >= '2023-11-01' AND get_json_object(inv.extra, '$.portal') = 'globex-web'
GROUP BY cust.region_cd, cust.address.town;";

const LATE: &str = "WITH open_invoices AS (
  SELECT invoice_no, customer_id, net_total, date_format(paid_at, 'yyyy-MM') AS pay_month,
    ROW_NUMBER() OVER (PARTITION BY invoice_no ORDER BY paid_at DESC) AS rn
  FROM acme_ods.invoices WHERE state = 'SETTLED' AND net_total >= ${min_total})
SELECT c.customer_name, o.pay_month, COUNT(*) AS late_cnt, ROUND(SUM(o.net_total), 2) AS late_total
FROM open_invoices o LEFT JOIN acme_ods.customers c ON o.customer_id = c.customer_id
WHERE o.rn = 1 AND (c.region_cd LIKE 'GLX%' OR c.region_cd IS NULL)
GROUP BY c.customer_name, o.pay_month ORDER BY late_total DESC, c.customer_name, o.pay_month LIMIT 20";

const QUIET: &str = "/* Customers of Globex that fell silent */
select cu.customer_id, coalesce(cu.region_cd, 'NOWHERE') as region_cd,
  datediff('${report_day}', max(iv.paid_at)) as silent_days
from acme_ods.customers cu join acme_ods.invoices iv on iv.customer_id = cu.customer_id
where cu.customer_name not rlike '^(test|globex).*[0-9]{3}$'
group by cu.customer_id, coalesce(cu.region_cd, 'NOWHERE')
having datediff('${report_day}', max(iv.paid_at)) > 45";

/// What of these scripts nobody may see, in lower case.
const PRIVATE: [&str; 33] = [
    "globex", "acme", "jane", "miller", "invoice", "customer", "net_total", "extra", "paid_at", "load_day",
    "region_cd", "address", "town", "klass", "cust.", "whale", "dolphin", "shrimp", "settled", "portal", "nowhere",
    "glx", "2023-11-01", "2024-03-15", "5000", "750", "1.19", "45", "250", "report_day", "min_total", "silent",
    "mapjoin",
];

fn private() -> Bench {
    let bench = Bench::new();
    bench.file("mine/ddl.sql", DDL);
    bench.file("mine/parameters.yaml", "report_day: 2024-03-15\nmin_total: 250\n");
    bench.file("mine/jobs/revenue.sql", REVENUE);
    bench.file("mine/jobs/late.sql", LATE);
    bench.file("mine/jobs/quiet.hql", QUIET);
    bench
}

fn vary(bench: &Bench, out: &str, seed: &str) -> String {
    bench.run(&["compose", "--like", "mine", "--count", "2", "--seed", seed, "--out", out])
}

#[test]
fn private_scripts_become_references_that_say_nothing_of_their_owner() {
    let bench = private();
    let said = vary(&bench, "out", "7");
    assert!(said.starts_with("exit 0\n6 scripts in out\n"), "{said}");
    assert!(said.contains("\nleft: 0 names, 0 literals; kept as syntax: 12 literals\n"), "{said}");
    assert!(said.contains("\nrefused: 0\n"), "{said}");
    let public = files(&bench.path("out"));
    assert_eq!(public.len(), 18);
    for (name, content) in public {
        let text = String::from_utf8(content).unwrap().to_lowercase();
        // A digest may have the digits of a number.
        let text: String =
            text.lines().filter(|line| !line.starts_with("source_script: ")).collect::<Vec<_>>().join("\n");
        for secret in PRIVATE {
            assert!(!text.contains(secret), "{secret} stands in {}:\n{text}", name.display());
        }
        assert!(!name.ends_with("script.sql") || !text.contains("--") && !text.contains("/*"), "{text}");
    }
    let judge = std::fs::read_to_string(bench.path("out.judge/variant_01.yaml")).unwrap();
    for line in ["- original: jobs/late", "    customer_id: ", "    globex: ", "    \"5000\": ", "    report_day: "] {
        assert!(judge.contains(line), "{line} is missing in\n{judge}");
    }
    let built = ["build", "--source", "out", "--out", "run", "--seed", "7", "--syntax", "2", "--semantic", "2"];
    let built = bench.run(&built);
    assert!(built.starts_with("exit 0\n"), "{built}");
}

#[test]
fn variants_of_one_script_stay_on_one_side_of_a_split() {
    let bench = private();
    vary(&bench, "out", "7");
    let built =
        bench.run(&["build", "--source", "out", "--out", "run", "--seed", "7", "--syntax", "12", "--semantic", "6"]);
    assert!(built.starts_with("exit 0\n"), "{built}");
    let gold = std::fs::read_to_string(bench.path("run/judge/gold.jsonl")).unwrap();
    let mut references: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut source_of = BTreeMap::new();
    for record in gold.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        let text = |field: &str| record["provenance"][field].as_str().unwrap().to_owned();
        references.entry(text("source_script")).or_default().insert(text("script"));
        source_of.insert(record["instance_id"].as_str().unwrap().to_owned(), text("source_script"));
    }
    assert!(references.len() > 1 && references.values().any(|scripts| scripts.len() > 1), "{references:?}");
    let mut is_divided = false;
    for share in ["0.2", "0.4", "0.6", "0.8"] {
        let out = format!("rows_{share}");
        let exported = bench.run(&["export", "run", "--format", "trl-sft", "--out", &out, "--test", share]);
        assert!(exported.starts_with("exit 0\n"), "{exported}");
        let mut sides: BTreeMap<&String, BTreeSet<&str>> = BTreeMap::new();
        for side in ["train", "test"] {
            // A side without rows has no file.
            let rows = std::fs::read_to_string(bench.path(&format!("{out}/{side}.jsonl"))).unwrap_or_default();
            for row in rows.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
                sides.entry(&source_of[row["instance_id"].as_str().unwrap()]).or_default().insert(side);
            }
        }
        assert_eq!(sides.len(), references.len(), "{sides:?}");
        assert!(sides.values().all(|sides| sides.len() == 1), "{sides:?}");
        is_divided |= sides.values().flatten().collect::<BTreeSet<_>>().len() == 2;
    }
    assert!(is_divided, "all sources are on one side whatever the share");
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_seed_other_words() {
    let bench = private();
    // A slash behind the name, as shells complete it, must not put the judge's files into the public folder.
    for (out, seed) in [("one", "7"), ("two/", "7"), ("other", "8")] {
        vary(&bench, out, seed);
    }
    assert_same_files(&bench.path("one"), &bench.path("two"));
    assert_same_files(&bench.path("one.judge"), &bench.path("two.judge"));
    let [one, other] = ["one.judge/variant_01.yaml", "other.judge/variant_01.yaml"]
        .map(|file| std::fs::read_to_string(bench.path(file)).unwrap());
    assert_ne!(one, other);
}

#[test]
fn what_cannot_be_varied_says_why() {
    let bench = private();
    bench.file("mine/jobs/broken.sql", "SELECT a,\n  FROM acme_ods.invoices");
    bench.file("mine/jobs/absent.sql", "SELECT net_totl FROM acme_ods.invoices");
    let some = vary(&bench, "out", "7");
    assert!(some.starts_with("exit 0\n6 scripts in out\n") && some.contains("\nrefused: 3\n"), "{some}");
    assert!(some.contains("  mine/jobs/broken.sql:2:3: "), "{some}");
    assert!(
        some.contains("  jobs/absent: the original cannot be a reference: Spark would refuse the script"),
        "{some}"
    );

    bench.file("mine/jobs/broken.sql", "SELECT customer_id FROM acme_ods.invoices");
    bench.file(
        "mine/jobs/absent.sql",
        format!("ANALYZE TABLE acme_ods.invoices COMPUTE STATISTICS FOR COLUMNS net_total;\n{LATE}"),
    );
    let kept = vary(&bench, "kept", "7");
    assert!(kept.contains("  jobs/absent: left of the original: net_total"), "{kept}");

    let inside = vary(&bench, "mine/out", "7");
    assert!(inside.starts_with("exit 3\n") && inside.contains("must not stand among their originals"), "{inside}");
    let nowhere = bench.run(&["compose", "--like", "nowhere"]);
    assert!(nowhere.starts_with("exit 3\n") && nowhere.contains("nowhere: "), "{nowhere}");
    let both = bench.run(&["compose", "--like", "mine", "--domain", "retail"]);
    assert!(both.starts_with("exit 2\n"), "{both}");
    let lone = Bench::new();
    lone.file("mine/own.sql", "SELECT geo(a) AS g FROM t");
    lone.file("mine/ddl.sql", "CREATE TABLE t (a STRING)");
    lone.file("mine/parameters.yaml", "geo(): upper($1)\n");
    let own = vary(&lone, "out", "7");
    assert!(
        own.starts_with("exit 1\n0 scripts in out\n") && own.contains("function `geo` is the author's own"),
        "{own}"
    );
}
