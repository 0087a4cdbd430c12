use super::*;

const ISSUE: &str = "select a,\n    b\nfrom t\nwhere a = 1\n";

/// A wrapping, and the SQL that is read from it as an answer to [`ISSUE`]; `None` where none is there.
const WRAPPINGS: &[(&str, &str, Option<&str>)] = &[
    ("plain", "SELECT 1;", Some("SELECT 1;")),
    ("plain, with a fence in a text", "SELECT '\n```sql\nx\n```\n' AS a", Some("SELECT '\n```sql\nx\n```\n' AS a")),
    ("block", "Here:\n```sql\nSELECT 1;\n```\nDone.", Some("SELECT 1;\n")),
    ("the last block tagged as SQL", "```sql\nSELECT 1;\n```\nBetter:\n```SQL\nSELECT 2;\n```", Some("SELECT 2;\n")),
    ("blocks of other languages", "```sql\nSELECT 1;\n```\n```text\nrows: 1\n```", Some("SELECT 1;\n")),
    ("block without a tag", "```\nSELECT 1;\n```\n```python\nprint(1)\n```", Some("SELECT 1;\n")),
    ("block of tildes", "~~~hive\nSELECT 1\n~~~", Some("SELECT 1\n")),
    ("block of four marks around three", "````sql\nSELECT '\n```\n'\n````", Some("SELECT '\n```\n'\n")),
    ("block never closed", "```sql\nSELECT 1", Some("SELECT 1")),
    ("block on one line", "It is ```sql SELECT 9``` in short.\n```sql SELECT 1 ```", Some("SELECT 1")),
    ("block closed on its last line", "```sql\nSELECT 1```\nDone.", Some("SELECT 1")),
    ("thoughts", "<think>\n```sql\nselect 9\n```\n</think>\n```sql\nselect 1\n```", Some("select 1\n")),
    ("thoughts without their start", "select 9?\n</think>\nselect 1", Some("select 1")),
    ("thoughts by their other name", "<thinking>select 9</thinking>select 1", Some("select 1")),
    ("thoughts that never end", "<think>so long that it never ends ```sql\nselect 1\n```", None),
    ("JSON", "{\"predict_sql\": \"select 1\"}", Some("select 1")),
    ("JSON in a block", "```json\n{\"predict_sql\": \"select '}'\"}\n```", Some("select '}'")),
    ("JSON after prose", "The join was wrong.\n{\"why\": \"x\", \"predict_sql\": \"select 1\"}", Some("select 1")),
    ("JSON with a block inside", "{\"predict_sql\": \"```sql\\nselect 1\\n```\"}", Some("select 1\n")),
    ("JSON with line breaks", "{\n\"predict_sql\": \"select a\nfrom t\"\n}", Some("select a\nfrom t")),
    ("the paper's single quotes", "{\n    'predict_sql': 'select a\nfrom t'}", Some("select a\nfrom t")),
    ("three quotes", "{'predict_sql': '''select 'a' as b'''}", Some("select 'a' as b")),
    ("JSON as the text of an answer", "```json\n{\"predict_sql\": \"select \\\"a\\\"\"}\n```", Some("select \"a\"")),
    ("tags", "Sure. <sql>SELECT 1</sql> It was wrong.", Some("SELECT 1")),
    ("tags of the field's name", "<predict_sql>\nSELECT 1\n</predict_sql>", Some("SELECT 1")),
    ("prose around", "The join is wrong.\n\nselect a\nfrom t;\n\nThis joins on both keys.", Some("select a\nfrom t;")),
    ("a sentence that opens as SQL does", "With this change it runs:\n\nselect a\nfrom t;", Some("select a\nfrom t;")),
    ("a request before it", "Update the join\n\nselect a\nfrom t", Some("select a\nfrom t")),
    ("a deletion after prose", "Update the bound.\n\ndelete from t\nwhere a = 1;", Some("delete from t\nwhere a = 1;")),
    (
        "edits",
        "<<<<<<< SEARCH\nfrom t\n=======\nfrom u\n>>>>>>> REPLACE",
        Some("select a,\n    b\nfrom u\nwhere a = 1\n"),
    ),
    (
        "edits in a block",
        "```sql\n<<<<<<< SEARCH\nwhere a = 1\n=======\nwhere a = 2\n>>>>>>> REPLACE\n```",
        Some("select a,\n    b\nfrom t\nwhere a = 2\n"),
    ),
    ("no SQL", "I cannot help with that.", None),
    ("a comment only", "```sql\n-- nothing\n```", None),
    ("an empty block", "```sql\n```", None),
    ("a semicolon", ";", None),
    ("nothing", "  \n", None),
];

#[test]
fn each_wrapping_is_read() {
    for (name, reply, wanted) in WRAPPINGS {
        let read = match answer(reply, Some(ISSUE)) {
            // Where no rule applies, an answer is taken whole.
            ReplyContent::Sql(sql) => (sql != *reply || wanted.is_some()).then_some(sql),
            _ => None,
        };
        assert_eq!(read.as_deref(), *wanted, "{name}");
        assert_eq!(script(reply, Some(ISSUE)).as_deref(), *wanted, "{name}, where there may be no SQL");
    }
}

#[test]
fn what_is_no_sql_is_judged_as_it_stands_and_what_is_too_large_is_not_read() {
    assert_eq!(answer("SELECT a FRM t WHRE", None), ReplyContent::Sql("SELECT a FRM t WHRE".to_owned()));
    assert_eq!(answer(&"x".repeat(LARGEST + 1), None), ReplyContent::TooLarge);
    let elsewhere = "<<<<<<< SEARCH\nfrom x\n=======\nfrom y\n>>>>>>> REPLACE";
    assert_eq!(answer(elsewhere, Some(ISSUE)), ReplyContent::Inapplicable(ApplyError::NotFound(1)));
}

#[test]
fn edit_blocks_are_applied_where_their_lines_stand_once() {
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
        assert_eq!(apply(ISSUE, &replacements(&reply)), wanted.map(str::to_owned), "{reply}");
    }
    let two = format!("{}{}", block("from t\n", "from u\n"), block("from u\n", "from v\n"));
    assert_eq!(apply(ISSUE, &replacements(&two)).unwrap(), "select a,\n    b\nfrom v\nwhere a = 1\n");
}

proptest::proptest! {
    #[test]
    fn no_reply_makes_trouble(
        reply in "(```|~~~|sql|<think>|</think>|select 1|\\{|\\}|'predict_sql'|:|\"|<<<<<<<|=======|>>>>>>>|\n|é| ){0,30}",
    ) {
        let _ = (script(&reply, None), answer(&reply, Some(ISSUE)), json_in(&reply), between(&reply, "sql"));
        if let Ok(text) = apply(ISSUE, &replacements(&reply)) {
            proptest::prop_assert!(!replacements(&reply).is_empty() || text.is_empty());
        }
    }
}
