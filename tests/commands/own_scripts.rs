//! Scripts of a user's own, as they lie in folders beside other files: what can be read is read, and what is passed
//! over is said.

use crate::program::Bench;

const TABLES: &str = "CREATE TABLE t (id BIGINT, v INT, d DATE, name STRING);
CREATE TABLE u (id BIGINT, v INT, name STRING, dt STRING);";
const SCRIPT: &str = "SELECT id FROM t WHERE v > 3 AND id > 2";

/// A folder `src` with these files beside the definitions of the tables.
fn folder(files: &[(&str, &str)]) -> Bench {
    let bench = Bench::new();
    bench.file("src/t.sql", TABLES);
    for (name, content) in files {
        bench.file(&format!("src/{name}"), content);
    }
    bench
}

/// What `build` says to a folder, asked for one task.
fn built(bench: &Bench, more: &[&str]) -> String {
    let asked = ["build", "--source", "src", "--seed", "7", "--syntax", "1", "--semantic", "0", "--out", "run"];
    bench.run(&[&asked, more].concat())
}

/// What `inject` says to a script.
fn injected(script: &str, more: &[&str]) -> String {
    let bench = folder(&[("s.sql", script)]);
    bench.run(&[&["inject", "src/s.sql", "--fault", "filter-dropped", "--effort", "low"], more].concat())
}

/// The lines of `scripts.jsonl` of the run.
fn scripts(bench: &Bench) -> Vec<String> {
    let text = std::fs::read_to_string(bench.path("run/judge/scripts.jsonl")).unwrap();
    let id = |line: &str| line.split('"').nth(3).unwrap().to_owned();
    text.lines().map(id).collect()
}

#[test]
fn a_script_in_the_encoding_of_an_older_editor_is_read_and_a_note_says_which() {
    let bench = folder(&[("a.sql", SCRIPT)]);
    let latin = SCRIPT.replacen("SELECT", "-- Gäste in Cafés und größeren Läden\nSELECT", 1);
    bench.file("src/old.sql", latin.chars().map(|letter| letter as u8).collect::<Vec<u8>>());
    let said = bench.run(&["inject", "src/old.sql", "--fault", "bound-inclusion-changed", "--effort", "low"]);
    assert!(said.starts_with("exit 0\n") && said.contains("note: src/old.sql: read as windows-1252"), "{said}");
    assert!(built(&bench, &[]).contains("baseline: 2"));
}

#[test]
fn a_neighbour_that_does_not_read_is_passed_over_with_a_note() {
    let neighbours: [(&str, &str, &str); 4] = [
        ("data.csv", "a,b\n1,2\n", "no definitions are taken from src/data.csv: the header has no table_name"),
        ("web/manifest.json", "{\"name\": \"app\"}", "src/web/manifest.json: neither `nodes` nor `sources`"),
        ("bad.ddl", "CREATE TABLE w (a wibble wobble!);", "src/bad.ddl:1:1: no dialect reads this definition"),
        ("b.sql", "CREATE TABLE w AS SELECT id COLLATE UTF8_LCASE FROM t", "refused unreadable: src/b.sql:1:"),
    ];
    for (name, content, note) in neighbours {
        let said = built(&folder(&[("a.sql", SCRIPT), (name, content)]), &[]);
        assert!(said.starts_with("exit 0\n") && said.contains(note), "{name}: {said}");
    }
    let bench = folder(&[("a.sql", SCRIPT)]);
    bench.file("src/raw.sql", b"\xff\x00\x01");
    let said = built(&bench, &[]);
    assert!(said.starts_with("exit 0\n") && said.contains("src/raw.sql: the file is text in no encoding"), "{said}");
    let bench = folder(&[("a.sql", SCRIPT), ("data.csv", "a,b\n1,2\n")]);
    let said = bench.run(&["inject", "src/a.sql", "--fault", "bound-inclusion-changed", "--effort", "low"]);
    assert!(
        said.starts_with("exit 0\n") && said.contains("note: no definitions are taken from src/data.csv"),
        "{said}"
    );
}

#[test]
fn the_folder_of_scripts_may_be_called_seeds() {
    let asked = ["build", "--seeds", "src", "--seed", "7", "--syntax", "1", "--semantic", "0", "--out", "run"];
    assert!(folder(&[("a.sql", SCRIPT)]).run(&asked).starts_with("exit 0\n"));
}

#[test]
fn a_command_that_took_long_says_what_comes_next() {
    let bench = folder(&[("s.sql", SCRIPT)]);
    let said = bench.run(&["inject", "src/s.sql", "--fault", "bound-inclusion-changed", "--effort", "low", "-v"]);
    assert!(said.contains(" s; next: sqlfault build --source src\n"), "{said}");
}

#[cfg(unix)]
#[test]
fn links_to_folders_are_not_followed() {
    let bench = folder(&[("a.sql", SCRIPT)]);
    std::os::unix::fs::symlink("..", bench.path("src/up")).unwrap();
    let said = built(&bench, &[]);
    assert!(
        said.starts_with("exit 0\n") && said.contains("note: src/up: a link to a folder is not followed"),
        "{said}"
    );
    assert_eq!(scripts(&bench), ["a"]);
}

#[test]
fn a_script_that_only_changes_a_table_is_a_script() {
    for script in [
        "UPDATE u SET v = v + 1 WHERE v > 3 AND id > 2",
        "DELETE FROM u WHERE v > 3 AND id > 2",
        "MERGE INTO u USING t ON u.id = t.id WHEN MATCHED AND t.v > 3 THEN UPDATE SET v = t.v",
    ] {
        let bench = folder(&[("a.sql", script)]);
        let said = built(&bench, &[]);
        assert!(said.starts_with("exit 0\n"), "{script}: {said}");
        assert_eq!(scripts(&bench), ["a"]);
    }
}

#[test]
fn scripts_of_one_name_have_different_ids() {
    let bench = folder(&[
        ("daily.sql", SCRIPT),
        ("daily.hql", "SELECT v FROM t WHERE v > 5 AND id > 9"),
        ("c.q", "SELECT v FROM t"),
    ]);
    let said = built(&bench, &[]);
    assert!(said.starts_with("exit 0\n"), "{said}");
    assert_eq!(scripts(&bench), ["c", "daily.hql", "daily.sql"]);
    assert!(bench.run(&["check", "run"]).starts_with("exit 0\n"));
}

#[test]
fn parameters_come_from_files_beside_the_script_and_from_the_command() {
    let script = "SELECT id FROM t WHERE d >= '${day}' AND v > 3";
    for files in [
        [("daily/script.sql", script), ("parameters.yaml", "day: 2024-03-15\n")],
        [("jobs/a.sql", script), ("jobs/parameters.yaml", "day: 2024-03-15\n")],
        [("jobs/a.sql", script), ("parameters.yaml", "day: 2024-03-15\n")],
    ] {
        let said = built(&folder(&files), &[]);
        assert!(said.starts_with("exit 0\n"), "{files:?}: {said}");
    }
    let bench = folder(&[("a.sql", script), ("parameters.yaml", "day: 2024-03-15\n")]);
    let said = built(&bench, &["--parameter", "day=2020-02-02"]);
    let tasks = std::fs::read_to_string(bench.path("run/public/tasks.jsonl")).unwrap();
    assert!(said.starts_with("exit 0\n") && tasks.contains("\"parameters\":{\"day\":\"2020-02-02\"}"), "{said}{tasks}");
    let run = std::fs::read_to_string(bench.path("run/run.yaml")).unwrap_or_default()
        + &std::fs::read_to_string(bench.path("run/judge/run.yaml")).unwrap_or_default();
    assert!(run.contains("2020-02-02"), "the run records what it was given: {run}");
    let said = Bench::new().run(&["build", "--seed", "7", "--parameter", "day=1", "--out", "run"]);
    assert!(said.starts_with("exit 2\n") && said.contains("name their folder with --source"), "{said}");
}

#[test]
fn functions_of_the_platform_stand_in_the_card_or_the_command() {
    let script = "SELECT id, geo(name) AS g FROM t WHERE v > 3";
    let card = "domain: shop\ntitle: Geo\nintention: i\nscenario: s\nfunctions:\n  geo: upper($1)\n";
    for files in [
        vec![("a/script.sql", script), ("a/schema.sql", TABLES), ("a/card.yaml", card)],
        vec![("a/script.sql", script), ("a/card.yaml", card)],
    ] {
        let said = built(&folder(&files), &[]);
        assert!(said.starts_with("exit 0\n"), "{said}");
    }
    let said = built(&folder(&[("a.sql", script)]), &["--function", "geo=upper($1)"]);
    assert!(said.starts_with("exit 0\n"), "{said}");
}

#[test]
fn functions_outside_sql_are_refused_with_a_way_out_and_taken_with_it() {
    let geo = "SELECT id, geo(name) AS g FROM t WHERE v > 3 AND id > 2";
    let made = format!("CREATE TEMPORARY FUNCTION geo AS 'org.Geo';\n{geo}");
    let named_alike =
        "CREATE TEMPORARY FUNCTION position AS 'org.P';\nSELECT id, position(v) AS g FROM t WHERE v > 3 AND id > 2";
    let reflected = "SELECT id, reflect('java.lang.Math', 'abs', v) AS g FROM t WHERE v > 3 AND id > 2";
    for (script, words, function) in [
        (geo, "[UNRESOLVED_ROUTINE]", "geo=upper($1)"),
        (&made, "2:12: the script makes the function `geo` of a program outside SQL", "geo=upper($1)"),
        (named_alike, "2:12: the script makes the function `position` of a program outside SQL", "position=$1 + 1"),
        (reflected, "1:12: function 'reflect' calls a program outside SQL", "reflect=abs($3)"),
    ] {
        let said = injected(script, &[]);
        let refused = said.starts_with("exit 3\n") && said.contains(words) && said.contains("--function ");
        assert!(refused, "{script}: {said}");
        let said = injected(script, &["--function", function]);
        assert!(said.starts_with("exit 0\n"), "{script}: {said}");
    }
    let said = injected("SELECT TRANSFORM (id) USING 'cat' AS (x) FROM t", &[]);
    assert!(
        said.starts_with("exit 3\n") && said.contains(":1:23: TRANSFORM … USING runs a program outside SQL: write"),
        "{said}"
    );
    let said = injected(
        "CREATE TEMPORARY FUNCTION twice(x INT) RETURNS INT RETURN x * 2;\nSELECT id, twice(v) AS w FROM t WHERE v > 3 AND id > 2",
        &[],
    );
    assert!(said.starts_with("exit 0\n"), "{said}");
}

#[test]
fn what_the_clock_says_is_recorded_with_the_task() {
    let bench = folder(&[("a.sql", "SELECT id FROM t WHERE d < current_date() AND id > 2")]);
    let said = built(&bench, &[]);
    let tasks = std::fs::read_to_string(bench.path("run/public/tasks.jsonl")).unwrap();
    let recorded = tasks.contains("\"parameters\":{\"current_timestamp\":\"2024-03-15 10:30:00\"}");
    assert!(said.starts_with("exit 0\n") && recorded, "{said}{tasks}");
}

#[test]
fn a_fault_that_is_not_there_has_a_near_one() {
    let bench = folder(&[("s.sql", SCRIPT)]);
    let said = bench.run(&["inject", "src/s.sql", "--fault", "filter-droped"]);
    assert!(said.starts_with("exit 3\n") && said.contains("did you mean filter-dropped?"), "{said}");
}

#[test]
fn placeholders_of_other_tools_are_found() {
    let bound = [
        ("SELECT id FROM t WHERE d >= ${day:-'2024-01-01'} AND v > 3 AND id > 1", &[][..]),
        ("SELECT id FROM t WHERE name RLIKE :p AND v > 3 AND id > 1", &["--parameter", "p='^[A-Z]+'"]),
        ("SELECT id FROM t WHERE d >= :'start' AND v > 3 AND id > 1", &["--parameter", "start=2024-01-01"]),
        (
            "SELECT id FROM t WHERE d >= '{{ macros.ds_add(ds, -7) }}' AND v > 3 AND id > 1",
            &["--parameter", "ds=2024-03-15"],
        ),
        ("SELECT id FROM t WHERE v > %(least)s AND id > {low}", &["--parameter", "least=3", "--parameter", "low=1"]),
        ("SELECT id FROM t WHERE v > 3 AND id > 1 AND name <> 'US$amount'", &[]),
        (
            "SELECT id FROM t WHERE v > 3 AND id > 1{% if is_incremental() and var('x', true) %} AND d > (SELECT max(d) FROM {{ this }}){% endif %}",
            &[],
        ),
    ];
    for (script, parameters) in bound {
        let bench = folder(&[("s.sql", script)]);
        let said = bench.run(
            &[&["inject", "src/s.sql", "--fault", "bound-inclusion-changed", "--effort", "low"], parameters].concat(),
        );
        let told = script.contains("'US$")
            || script.contains("${day")
            || said.contains("diffs are of the script as it is read");
        assert!(said.starts_with("exit 0\n") && told, "{script}: {said}");
    }
    let unbound = [
        (
            "SELECT id FROM t WHERE d >= {{ run.strftime('%Y-%m-%d') }} AND v > :n",
            "'run.strftime(%Y-%m-%d)' in line 1, 'n' in line 1; bind them, for example by --parameter \
             \"run.strftime(%Y-%m-%d)='2024-03-01'\" --parameter 'n=7'",
        ),
        ("SELECT id FROM t WHERE d >= '{{ macros.ds_format(ds, a, b) }}'", "'macros.ds_format(ds, a, b)' in line 1"),
        ("SELECT id FROM t WHERE v > ?", "'value_1' in line 1"),
        ("SELECT id ? FROM t WHERE v > 1", "a `?` is a placeholder without a name: write ${name}"),
        (
            "SELECT {% for k in x %}{{ k }},{% endfor %} id\nFROM t",
            "s.sql:1:8: `{% for k in x %}` is for a template engine to run",
        ),
    ];
    for (script, words) in unbound {
        let said = injected(script, &[]);
        assert!(said.starts_with("exit 3\n") && said.contains(words), "{script}: {said}");
    }
}

#[test]
fn definitions_are_found_whose_names_hold_placeholders_or_are_set_by_the_script() {
    for (definition, script) in [
        ("CREATE TABLE $db.o (n INT, b STRING) USING DELTA;", "SELECT n FROM $db.o WHERE n > 3 AND b > 'a'"),
        ("CREATE TABLE {db}.o (n INT, b STRING) STORED AS ORC;", "SELECT n FROM {db}.o WHERE n > 3 AND b > 'a'"),
        ("CREATE TABLE x.o (n INT, b STRING);", "SET t=x.o;\nSELECT n FROM ${hiveconf:t} WHERE n > 3 AND b > 'a';"),
    ] {
        let bench = Bench::new();
        bench.file("s.sql", script);
        bench.file("ddl/o.sql", definition);
        let asked = ["inject", "s.sql", "--schema", "ddl/o.sql", "--parameter", "db=x", "--fault", "filter-dropped"];
        let said = bench.run(&asked);
        assert!(said.starts_with("exit 0\n") && !said.contains("inferred"), "{definition}: {said}");
    }
}

#[test]
fn only_scripts_that_may_be_of_another_dialect_are_said_to_look_like_it() {
    let said = injected("CREATE OR REPLACE TABLE x AS SELECT IFF(v > 3, v:a::number, 1) AS y FROM t", &[]);
    let told = said.contains(
        "this looks like Snowflake: ::VARIANT or ::NUMBER in line 1 (::STRING or ::DECIMAL in Spark), IFF(…) in line 1",
    ) && said.contains("--dialect snowflake");
    assert!(said.starts_with("exit 3\n") && told && !said.contains("only a correct script"), "{said}");
    let said = injected(
        "SELECT to_char(v, '999') AS c, ifnull(name, 'x') AS n FROM t WHERE v + d > 3 AND name = 3 QUALIFY y = 1",
        &[],
    );
    assert!(said.starts_with("exit 3\n") && !said.contains("this looks like"), "{said}");
}

#[test]
fn legal_sql_that_is_not_read_is_not_called_incorrect() {
    let scripts = [
        "SELECT * FROM t, u PIVOT (sum(v) FOR name IN ('a'))",
        "SELECT * FROM t, LATERAL (SELECT t.v + 1)",
        "DECLARE VARIABLE x INT DEFAULT (SELECT 3); SELECT id FROM t",
        "BEGIN SELECT 1; END",
        "EXECUTE IMMEDIATE 'SELECT 1'",
        "CALL refresh_all(); SELECT id FROM t",
        "INSERT INTO u BY NAME SELECT id, v, name, 'x' AS dt FROM t",
        "INSERT INTO u REPLACE WHERE dt = 'x' SELECT id, v, name, 'x' FROM t",
        "CREATE MATERIALIZED VIEW x AS SELECT id FROM t",
        "SELECT d + CAST('1' AS INTERVAL DAY) FROM t",
        "SELECT hex(X'6162') FROM t",
        "SELECT window(d, '1 day') FROM t",
        "SELECT mask(name, lowerChar => 'q') FROM t",
    ];
    insta::assert_snapshot!(scripts.map(|script| injected(script, &[])).join("\n"));
}

#[test]
fn housekeeping_beside_a_query_is_passed_over() {
    let script = "COMMENT ON TABLE u IS 'x'; GRANT SELECT ON TABLE u TO me; CREATE OR REPLACE TABLE x USING delta CLUSTER BY (id) AS \
                  SELECT id, v FROM t WHERE v > 3 AND id > 2 AND position('a' IN name) > 0; OPTIMIZE x; VACUUM x RETAIN 168 HOURS";
    let said = injected(script, &[]);
    assert!(said.starts_with("exit 0\n"), "{said}");
}

#[test]
fn tables_that_are_emptied_or_renamed_are_followed() {
    let insert = "INSERT INTO u SELECT id, v, name, '2024-03-15' FROM t WHERE v > 3 AND id > 2;";
    for script in [
        format!("TRUNCATE TABLE u; {insert}"),
        format!("ALTER TABLE u DROP IF EXISTS PARTITION (dt = '2024-03-15'); {insert}"),
        format!("ALTER TABLE u DROP PARTITION (dt <= '2024-03-15'); {insert}"),
        format!("TRUNCATE TABLE u PARTITION (dt); {insert}"),
        "CREATE TABLE u_new AS SELECT id, v FROM t WHERE v > 3 AND id > 2; DROP TABLE IF EXISTS u; ALTER TABLE u_new RENAME TO u;"
            .to_owned(),
    ] {
        let said = injected(&script, &[]);
        assert!(said.starts_with("exit 0\n") && !said.contains("u_new row"), "{script}: {said}");
    }
    let said = injected("CREATE TABLE n AS SELECT id FROM t; ALTER TABLE n RENAME TO m; SELECT id FROM m", &[]);
    assert!(
        said.starts_with("exit 3\n") && said.contains("1:37: ALTER TABLE … RENAME TO before a statement"),
        "{said}"
    );
}

#[test]
fn a_script_without_rows_says_what_leaves_none() {
    let scripts = [
        "SELECT id FROM t\nQUALIFY row_number() OVER (PARTITION BY id ORDER BY v) = 0",
        "SELECT id FROM t WHERE v > 3\nLIMIT 0",
        "SELECT id FROM t WHERE v > 3\nEXCEPT\nSELECT id FROM t",
        "DELETE FROM u WHERE 1 = 1;",
        "CREATE TABLE made (id INT);\nSELECT t.id FROM t JOIN made ON t.id = made.id",
        "SELECT id, e FROM t\nLATERAL VIEW explode(filter(array(id), x -> x > 1 AND x < 1)) l AS e",
        "SET x = 1;",
        "-- nothing",
    ];
    insta::assert_snapshot!(scripts.map(|script| injected(script, &[])).join("\n"));
}

#[test]
fn a_result_that_depends_on_the_order_of_rows_names_the_places() {
    let said = injected(
        "SELECT name,\n  upper(concat_ws(',', collect_list(id))) AS ids\nFROM t WHERE v > 3 GROUP BY name",
        &[],
    );
    assert!(said.starts_with("exit 3\n") && said.contains("see `collect_list(id)` at 2:24"), "{said}");
    let said = injected("SELECT name,\n  first_value(v) AS a\nFROM t WHERE id > 3 GROUP BY name", &[]);
    assert!(said.starts_with("exit 3\n") && said.contains("see `first_value(v)` at 2:3"), "{said}");
}

#[test]
fn files_that_a_user_names_are_read_whatever_their_names() {
    let bench = Bench::new();
    bench.file("s.sql", "SELECT id FROM shop.o WHERE n > 3 AND id > 2");
    bench.file("c.tsv", "table_schema\ttable_name\tcolumn_name\tdata_type\nshop\to\tid\tbigint\nshop\to\tn\tint\n");
    bench.file("COLUMNS.CSV", "TABLE_SCHEMA;TABLE_NAME;COLUMN_NAME;DATA_TYPE\nSHOP;O;ID;BIGINT\nSHOP;O;N;INT\n");
    let columns = r#"{"id": {"name": "id", "data_type": "bigint"}, "n": {"name": "n", "data_type": "int"}}"#;
    bench
        .file("prod.json", format!(r#"{{"nodes": {{"m": {{"schema": "shop", "name": "o", "columns": {columns}}}}}}}"#));
    bench.file("alter.sql", "CREATE TABLE shop.o (id BIGINT);\nALTER TABLE shop.o ADD COLUMN n INT;\n");
    bench.file("ssms.sql", "\u{feff}USE [shop]\nGO\nCREATE TABLE [shop].[o](\n\t[id] [bigint] NOT NULL,\n\t[n] [int] NULL,\n CONSTRAINT [pk] PRIMARY KEY CLUSTERED ([id] ASC) WITH (PAD_INDEX = OFF) ON [PRIMARY]\n) ON [PRIMARY]\nGO\n");
    bench.file("hive.txt", "OK\ncreatetab_stmt\nCREATE TABLE `shop.o`(\n  `id` bigint,\n  `n` int)\nTime taken: 0.5 seconds, Fetched: 9 row(s)\n");
    for file in ["c.tsv", "COLUMNS.CSV", "prod.json", "alter.sql", "ssms.sql", "hive.txt"] {
        let said = bench.run(&["inject", "s.sql", "--schema", file, "--fault", "filter-dropped", "--effort", "low"]);
        assert!(said.starts_with("exit 0\n") && !said.contains("inferred"), "{file}: {said}");
    }
}

#[test]
fn a_dbt_project_gives_its_compiled_models_once() {
    let model = "SELECT id FROM \"dev\".\"raw\".\"t\" WHERE v > 3 AND id > 1";
    let bench = folder(&[
        ("models/a.sql", "SELECT id FROM {{ source('raw', 't') }} WHERE v > 3 AND id > 1"),
        ("macros/m.sql", "{% macro cents(c) %} ({{ c }} / 100) {% endmacro %}"),
        ("target/compiled/p/models/a.sql", model),
        ("target/run/p/models/a.sql", "create table a as (select 1)"),
        ("dbt_packages/x/models/z.sql", "SELECT 1 AS a"),
    ]);
    let said = built(&bench, &[]);
    assert!(said.contains("note: src is a dbt project, whose target/compiled is read; passed over: macros, dbt_packages, target/run, models"), "{said}");
    assert_eq!(scripts(&bench), ["target/compiled/p/models/a"]);
}

#[test]
fn a_placeholder_that_names_a_table_hides_no_error_behind_a_missing_table() {
    let script = "INSERT OVERWRITE TABLE ${out} SELECT t.id, count(u.v) AS n FROM ${db}${prefix}t AS t \
                  JOIN ${other} u ON t.id = u.id WHERE u.dt = '${day}' GROUP BY t.id";
    let bench = folder(&[("s.sql", script)]);
    let values = ["out=sums", "db=", "prefix=", "other=u", "day=2024-03-15"];
    let values = values.iter().flat_map(|value| ["--parameter", value]);
    let asked: Vec<&str> = ["inject", "src/s.sql", "--effort", "low", "--json"].into_iter().chain(values).collect();
    let said = bench.run(&asked);
    assert!(said.starts_with("exit 0\n"), "{said}");
    let messages: Vec<&str> = said.lines().filter(|line| line.contains("SQLSTATE")).collect();
    assert!(messages.len() > 20, "{said}");
    let unbound = |line: &&&str| line.contains("TABLE_OR_VIEW_NOT_FOUND] The table or view `$");
    assert_eq!(messages.iter().filter(unbound).count(), 0, "{messages:#?}");
    assert!(messages.iter().any(|line| line.contains("[MISSING_GROUP_BY]")), "{messages:#?}");
}
