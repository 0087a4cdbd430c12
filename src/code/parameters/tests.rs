use super::*;
use proptest::prelude::*;

fn parameters() -> Parameters {
    [("DATE", "2024-03-01"), ("yyyymmdd", "20240301"), ("dt", "2024-03-15"), ("top_n", "5"), ("month", "202401")]
        .into_iter()
        .collect()
}

#[test]
fn placeholders_bind_in_strings_names_and_bare() {
    let cases = [
        ("dt = '${DATE}'", "dt = '2024-03-01'"),
        ("tmp_${yyyymmdd}_x", "tmp_20240301_x"),
        ("limit ${top_n}", "limit 5"),
        ("'${hiveconf:dt}' and {{ dt }}", "'2024-03-15' and 2024-03-15"),
        ("-- for ${nobody}\nselect 1", "-- for ${nobody}\nselect 1"),
        ("rlike 'a#{2}$[0-9]'", "rlike 'a#{2}$[0-9]'"),
        ("SET x=${nobody}; select '${DATE}'", "SET x=${nobody}; select '2024-03-01'"),
    ];
    for (text, expected) in cases {
        assert_eq!(parameters().bind(text).as_deref(), Ok(expected), "{text}");
    }
}

#[test]
fn a_key_may_be_a_date_and_what_lies_between() {
    let cases = [
        ("DATE-1", Some("2024-02-29")),
        ("DATE + 31", Some("2024-04-01")),
        ("month-1", Some("202312")),
        ("hiveconf:dt+1", Some("2024-03-16")),
        ("top_n-1", None),
        ("nobody-1", None),
    ];
    for (key, expected) in cases {
        assert_eq!(parameters().value(key).as_deref(), expected, "{key}");
    }
}

#[test]
fn a_macro_may_be_bound_with_the_quotes_of_its_arguments() {
    let bound = Parameters::from_iter([("shown('a', \"b\")", "x"), ("'d'", "y")]);
    assert_eq!(bound.value("shown(a, b)").as_deref(), Some("x"));
    assert_eq!(bound.value("d"), None);
}

#[test]
fn values_that_a_script_does_not_use_are_left_out() {
    let bound = Parameters::from_iter([("ds", "2024-02-29"), ("n", "5"), ("x", "1"), ("f()", "1")]);
    let used = bound.used_by(&Script::new("SELECT '{{ next_ds }}', ${hiveconf:n}"));
    assert_eq!(used.iter().map(|(key, _)| key).collect::<Vec<_>>(), ["ds", "f()", "n"]);
    let twice = Parameters::from_iter([("hiveconf:r", "5"), ("r", "5")]).used_by(&Script::new("SELECT ${hiveconf:r}"));
    assert_eq!(twice.value("hiveconf:r").as_deref(), Some("5"));
    let inside = Parameters::from_iter([("today", "'${end}'"), ("end", "2024-03-15"), ("other", "1")]);
    let used = inside.used_by(&Script::new("SELECT ${today}"));
    assert_eq!(used.iter().map(|(key, _)| key).collect::<Vec<_>>(), ["end", "today"]);
}

#[test]
fn days_follow_from_the_day_of_a_scheduled_run() {
    let parameters = Parameters::from_iter([("ds", "2024-02-29")]);
    for (key, expected) in [
        ("ds_nodash", Some("20240229")),
        ("next_ds", Some("2024-03-01")),
        ("yesterday_ds_nodash", Some("20240228")),
        ("data_interval_end | ds", Some("2024-03-01")),
        ("data_interval_start | ds_nodash", Some("20240229")),
        ("ts", None),
    ] {
        assert_eq!(parameters.value(key).as_deref(), expected, "{key}");
    }
}

#[test]
fn days_outside_of_quotes_are_put_into_quotes() {
    let quoted = |sql: &str| {
        let bound = Parameters::from_iter([("d", "2024-05-01")]).with_quoted_dates(&Script::new(sql));
        bound.value("d").unwrap()
    };
    assert_eq!(quoted("SELECT a FROM t WHERE dt = ${d} AND e < dateadd(DAY, 1, ${d})"), "'2024-05-01'");
    for sql in ["WHERE dt = '${d}'", "WHERE dt = ${d} OR e = '${d}'", "SELECT ${d}, ${d+1}", "SELECT 1", "FROM t_${d}"]
    {
        assert_eq!(quoted(sql), "2024-05-01", "{sql}");
    }
}

#[test]
fn an_exact_binding_wins_over_arithmetic() {
    let mut parameters = parameters();
    parameters.insert("DATE-1", "never");
    assert_eq!(parameters.value("DATE-1").as_deref(), Some("never"));
}

#[test]
fn an_unbound_placeholder_is_named_with_its_place() {
    let error = parameters().bind("select '${nobody}'").unwrap_err();
    assert_eq!(error, UnboundPlaceholder { key: "nobody".into(), span: Span::new(8, 17) });
    assert!(parameters().bind("select $[nobody+1]").is_err());
}

#[test]
fn a_script_may_set_its_own_variables() {
    let script = Script::new("set hivevar:d = 20240131;\nselect '${d}', '${hivevar:d}', '${dt}'");
    let known = parameters().with_assignments(&script);
    assert!(known.bind(script.text()).unwrap().ends_with("select '20240131', '20240131', '2024-03-15'"));
}

#[test]
fn references_to_the_clock_are_bound_to_the_pinned_moment() {
    let script = Script::new(
        "SELECT current_date, `current_date`(), `now`, CURRENT_TIMESTAMP(), now( ), unix_timestamp(), t.now, unix_timestamp(d) AS current_date FROM t WHERE x = 'now()'",
    );
    let pinned = Parameters::from_iter([("dt", "20240229"), ("zone", "now")]).with_clock(&script);
    assert_eq!(pinned.value(CLOCK).as_deref(), Some("2024-02-29 10:30:00"), "the day of its other parameters");
    assert_eq!(
        pinned.bind(script.text()).unwrap(),
        "SELECT DATE '2024-02-29', DATE '2024-02-29', `now`, TIMESTAMP '2024-02-29 10:30:00', TIMESTAMP '2024-02-29 10:30:00', 1709202600L, t.now, \
         unix_timestamp(d) AS current_date FROM t WHERE x = 'now()'"
    );
    let said = Parameters::from_iter([(CLOCK, "2020-01-02")]).with_clock(&script);
    assert!(said.bind("SELECT now(), '${z:-9}'").unwrap().ends_with("TIMESTAMP '2020-01-02 00:00:00', '9'"));
    assert!(Parameters::default().with_clock(&Script::new("SELECT a")).is_empty());
}

#[test]
fn references_to_the_user_are_bound_to_a_name() {
    let script = Script::new("SELECT current_user(), current_user, session_user(), user, t.current_user FROM t");
    let pinned = Parameters::default().with_clock(&script);
    assert_eq!(pinned.iter().collect::<Vec<_>>(), [(USER, USUAL_USER)]);
    let bound = pinned.bind(script.text()).unwrap();
    assert_eq!(bound, "SELECT 'etl', 'etl', 'etl', user, t.current_user FROM t");
    assert_eq!(Parameters::from_iter([(USER, "o'b")]).bind("SELECT user()").unwrap(), "SELECT 'o\\'b'");
}

#[test]
fn all_that_is_not_bound_is_found() {
    let missing = parameters().unbound("SELECT '${nobody}', ${hour}, '${nobody}', '${dt}', '${z:-1}' -- ${comment}");
    assert_eq!(missing.iter().map(|placeholder| placeholder.key.as_str()).collect::<Vec<_>>(), ["nobody", "hour"]);
}

#[test]
fn numbers_in_yaml_are_their_text() {
    let read: Parameters = serde_json::from_str(r#"{"n": 5, "rate": 0.5, "on": true, "dt": "2024-01-01"}"#).unwrap();
    let pairs: Vec<_> = read.iter().collect();
    assert_eq!(pairs, [("dt", "2024-01-01"), ("n", "5"), ("on", "true"), ("rate", "0.5")]);
    assert_eq!(serde_json::to_string(&read).unwrap(), r#"{"dt":"2024-01-01","n":"5","on":"true","rate":"0.5"}"#);
}

proptest! {
    #[test]
    fn bytes_outside_placeholders_keep_their_place(pieces in prop::collection::vec("[a-z ]{0,6}", 1..6)) {
        let text = pieces.join("${dt}");
        let bound = parameters().bind_with_positions(&text).unwrap();
        prop_assert_eq!(&bound.text, &pieces.join("2024-03-15"));
        for (offset, byte) in bound.text.bytes().enumerate() {
            let original = bound.original(offset);
            let inside = bound.replaced.iter().any(|(_, value)| value.start <= offset && offset < value.end);
            prop_assert!(inside || text.as_bytes()[original] == byte);
        }
    }
}
