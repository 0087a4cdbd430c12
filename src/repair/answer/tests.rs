use super::*;

#[test]
fn a_script_is_taken_out_of_a_reply_by_the_stated_rules() {
    let cases = [
        ("select 1;", Some("select 1;")),
        ("Here:\n```sql\nselect 1;\n```\nDone.", Some("select 1;\n")),
        ("```sql\nselect 1;\n```\nBetter:\n```SQL\nselect 2;\n```", Some("select 2;\n")),
        ("```sql\nselect 1;\n```\n```text\nselect 3\n```", Some("select 1;\n")),
        ("```sql\nselect 1", Some("select 1")),
        ("<think>\n```sql\nselect 9\n```\n</think>\n```sql\nselect 1\n```", Some("select 1\n")),
        ("<think>so long that it never ends ```sql\nselect 1\n```", None),
        ("{\"predict_sql\": \"select 1\"}", Some("select 1")),
        ("```json\n{\"predict_sql\": \"select '}'\"}\n```", Some("select '}'")),
        ("Sure. <sql>select 1</sql> It was wrong.", Some("select 1")),
        ("The join is wrong.\n\nselect a\nfrom t;\n\nThis joins on both keys.", Some("select a\nfrom t;")),
        ("I cannot help with that.", None),
        ("```sql\n-- nothing\n```", None),
        ("", None),
    ];
    for (reply, wanted) in cases {
        assert_eq!(script(reply).as_deref(), wanted, "{reply}");
    }
}

fn mended(script: &str, reply: &str) -> Result<String, ApplyError> {
    apply(script, &replacements(reply))
}

#[test]
fn edit_blocks_are_applied_where_their_lines_stand_once() {
    let script = "select a,\n    b\nfrom t\nwhere a = 1\n";
    let block =
        |search: &str, replace: &str| format!("ok\n<<<<<<< SEARCH\n{search}=======\n{replace}>>>>>>> REPLACE\n");
    let cases = [
        (block("where a = 1\n", "where a = 2\n"), Ok("select a,\n    b\nfrom t\nwhere a = 2\n")),
        (block("  b  \nfrom t\n", "    c\nfrom u\n"), Ok("select a,\n    c\nfrom u\nwhere a = 1\n")),
        (block("from t\n", ""), Ok("select a,\n    b\nwhere a = 1\n")),
        (block("from x\n", "from y\n"), Err(ApplyError::NotFound(1))),
        (block("a\n", "b\n"), Err(ApplyError::Ambiguous(1))),
        (block("\n", "b\n"), Err(ApplyError::NotFound(1))),
        ("<<<<<<< SEARCH\nfrom t\n=======\nfrom u".to_owned(), Err(ApplyError::NoBlock)),
        ("from u".to_owned(), Err(ApplyError::NoBlock)),
    ];
    for (reply, wanted) in cases {
        assert_eq!(mended(script, &reply), wanted.map(str::to_owned), "{reply}");
    }
    let two = format!("{}{}", block("from t\n", "from u\n"), block("from u\n", "from v\n"));
    assert_eq!(mended(script, &two).unwrap(), "select a,\n    b\nfrom v\nwhere a = 1\n");
}

#[test]
fn a_plan_is_read_from_its_parts_or_taken_whole() {
    let reply = "<analysis>x</analysis>\n<instruction>\ndo a\n</instruction>\n<sketch>\n-- ...\n</sketch>";
    assert_eq!(plan(reply), Some(Plan { instruction: "do a".to_owned(), sketch: "-- ...".to_owned() }));
    assert_eq!(plan("just do it").unwrap().instruction, "just do it");
    assert_eq!(plan("<think>hm</think>\n"), None);
}

proptest::proptest! {
    #[test]
    fn no_reply_makes_trouble(reply in "(```|sql|<think>|</think>|select 1|\\{|\\}|<<<<<<<|=======|>>>>>>>|\n|é| ){0,30}") {
        let _ = (script(&reply), plan(&reply));
        if let Ok(text) = apply("select 1\nfrom t\n", &replacements(&reply)) {
            proptest::prop_assert!(!replacements(&reply).is_empty() || text.is_empty());
        }
    }
}
