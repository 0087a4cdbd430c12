use super::*;
use crate::corpus::{Reference, ReferenceCard, read_texts};
use crate::fault::Taxonomy;
use crate::inject::{ScriptContext, propose};

const SCHEMA: &str =
    "CREATE TABLE shop.orders (order_id BIGINT, country_code STRING, amount INT, state STRING, note STRING);
    CREATE TABLE shop.countries (iso_code STRING, name STRING, is_denied BOOLEAN);";

fn reference(sql: &str) -> Reference {
    let card = ReferenceCard {
        domain: "retail".to_owned(),
        title: "Orders by country".to_owned(),
        ..ReferenceCard::default()
    };
    read_texts("retail/orders".to_owned(), sql.to_owned(), SCHEMA.to_owned(), card).unwrap()
}

/// The rules of all mutants that a fault has in a script.
pub(super) fn rules(fault: &str, sql: &str) -> Vec<String> {
    let taxonomy = Taxonomy::embedded().unwrap();
    let fault = taxonomy.fault(fault).unwrap();
    let book = PhraseBook::built_in().unwrap();
    let reference = reference(sql);
    let subject = Subject::new(&reference).unwrap_or_else(|refusal| panic!("{sql}: {refusal}"));
    let scopes = reference.scopes();
    let context = ScriptContext::new(&reference.script, &scopes, &reference.schema);
    let proposals = propose(&context, fault.operator().unwrap());
    let mutants = proposals.iter().map(|proposal| Mutant::new(&reference.id, "k", &fault.id, proposal));
    mutants.filter_map(|mutant| intent(&subject, fault, &mutant, &book)).map(|intent| intent.rule).collect()
}

#[test]
fn a_wording_that_fills_one_phrase_twice_is_not_used() {
    assert!(says_twice("the amount amount counts") && !says_twice("the amount counts"));
}

#[test]
fn the_relation_of_a_join_is_the_joined_operand() {
    let orders = [
        ("shop.orders o", "orders"),
        ("(SELECT * FROM shop.orders WHERE amount > 0) o", "orders"),
        ("big_orders o", "big_orders"),
    ];
    let countries = [
        ("shop.countries c", "countries"),
        ("(SELECT iso_code, name FROM shop.countries) c", "countries"),
        ("known_countries c", "known_countries"),
    ];
    let mut seen = 0;
    for (order, order_words) in orders {
        for (country, country_words) in countries {
            for (left, right, joined) in [(order, country, country_words), (country, order, order_words)] {
                for on in ["o.country_code = c.iso_code", "c.iso_code = o.country_code"] {
                    let sql = format!(
                        "WITH big_orders AS (SELECT * FROM shop.orders WHERE amount > 1), \
                         known_countries AS (SELECT * FROM shop.countries) \
                         SELECT o.order_id, o.amount, c.name FROM {left} LEFT JOIN {right} ON {on}"
                    );
                    for rule in rules("left-join-made-inner", &sql) {
                        assert!(rule.contains(joined), "{sql}\n{rule}");
                        seen += 1;
                    }
                }
            }
        }
    }
    assert_eq!(seen, 36);
}

#[test]
fn a_table_that_is_joined_to_itself_is_not_named() {
    let sql = "SELECT a.order_id, b.amount FROM shop.orders a LEFT JOIN shop.orders b ON a.order_id = b.amount";
    assert!(rules("left-join-made-inner", sql).iter().all(|rule| !rule.contains("orders")), "{sql}");
}

#[test]
fn two_sides_that_read_the_same_table_have_no_name_of_their_own() {
    use crate::corpus::dictionary::TableEntry;
    let table = |many: &str| TableEntry { many: many.to_owned(), ..TableEntry::default() };
    let tables = [("shop.orders".to_owned(), table("orders")), ("shop.countries".to_owned(), table("countries"))];
    let rules = |partner: &str, fault: &str| {
        let sql = format!(
            "WITH now AS (SELECT country_code, amount FROM shop.orders WHERE amount > 1), before AS {partner} \
             SELECT now.amount FROM now LEFT JOIN before ON now.country_code = before.country_code"
        );
        let mut reference = reference(&sql);
        reference.dictionary.tables = tables.clone().into();
        let taxonomy = Taxonomy::embedded().unwrap();
        let fault = taxonomy.fault(fault).unwrap();
        let subject = Subject::new(&reference).unwrap();
        let book = PhraseBook::built_in().unwrap().of_script(&subject);
        let scopes = reference.scopes();
        let context = ScriptContext::new(&reference.script, &scopes, &reference.schema);
        let proposals = propose(&context, fault.operator().unwrap());
        let mutants = proposals.iter().map(|proposal| Mutant::new(&reference.id, "k", &fault.id, proposal));
        mutants.filter_map(|mutant| intent(&subject, fault, &mutant, &book)).map(|it| it.rule).collect::<Vec<_>>()
    };
    let other = rules("(SELECT iso_code AS country_code FROM shop.countries)", "left-join-made-inner");
    assert!(!other.is_empty() && other.iter().all(|rule| rule.contains("countries")), "{other:?}");
    let same = rules("(SELECT country_code FROM shop.orders)", "left-join-made-inner");
    assert!(same.iter().all(|rule| !rule.contains("orders")), "{same:?}");
}

#[test]
fn several_conditions_and_group_by_all_have_no_column() {
    let moved = "SELECT o.order_id, c.name FROM shop.orders o LEFT JOIN shop.countries c \
                 ON o.country_code = c.iso_code WHERE o.amount > 1 AND o.state = 'PAID'";
    assert_eq!(rules("where-filter-moved-into-left-join", moved), [""; 0]);
    let by_all = "SELECT country_code, COUNT(*) AS n FROM shop.orders GROUP BY ALL HAVING COUNT(*) > 1";
    assert_eq!(rules("having-dropped", by_all), ["a group has to meet a condition to be listed"]);
}

#[test]
fn the_condition_of_an_alternative_is_not_told_as_that_of_all_entries() {
    let alternatives =
        "SELECT order_id FROM shop.orders WHERE (state = 'PAID' AND amount > 1) OR (state = 'OPEN' AND amount > 2)";
    assert_eq!(rules("filter-dropped", alternatives), [""; 0]);
    let whole = rules("alternative-dropped", "SELECT order_id FROM shop.orders WHERE state = 'PAID' OR amount > 2");
    assert!(whole.iter().any(|rule| rule.contains("PAID")), "{whole:?}");
    let all = rules("filter-dropped", "SELECT order_id FROM shop.orders WHERE state = 'PAID' AND amount > 1");
    assert!(all.iter().any(|rule| rule.contains("PAID")), "{all:?}");
}

#[test]
fn a_condition_on_what_leaves_entries_out_says_not_which_of_them_count() {
    let denied = "SELECT iso_code FROM shop.countries WHERE is_denied = true AND name <> 'x'";
    for script in [
        format!("SELECT order_id FROM shop.orders WHERE country_code NOT IN ({denied} AND iso_code IS NOT NULL)"),
        format!("SELECT order_id FROM shop.orders o WHERE NOT EXISTS ({denied} AND iso_code = o.country_code)"),
        format!("SELECT order_id FROM shop.orders LEFT ANTI JOIN ({denied}) d ON d.iso_code = country_code"),
    ] {
        let told = rules("filter-dropped", &script);
        assert!(!told.is_empty() && told.iter().all(|rule| rule.contains("leaves an entry out")), "{script}: {told:?}");
    }
    let within = format!("SELECT order_id FROM shop.orders WHERE country_code IN ({denied})");
    assert_eq!(rules("filter-dropped", &within), [""; 0]);
}

#[test]
fn the_limit_of_a_calculation_is_none_of_its_column() {
    let rules = |side: &str| {
        let sql = format!("SELECT order_id FROM shop.orders WHERE {side} > 3 AND state = 'PAID'");
        let rules = rules("bound-inclusion-changed", &sql);
        assert!(!rules.is_empty(), "{sql}");
        rules.iter().any(|rule| rule.contains('3'))
    };
    assert_eq!(["amount", "COALESCE(amount, 0)", "amount / 12"].map(rules), [true, true, false]);
}

#[test]
fn what_a_rule_says_is_what_the_place_is_about() {
    for (fault, sql, said) in [
        (
            "count-distinct-made-count",
            "SELECT COUNT(DISTINCT CASE WHEN amount > 0 THEN country_code END) AS countries FROM shop.orders",
            "country_code",
        ),
        ("filter-dropped", "SELECT order_id FROM shop.orders WHERE amount > 1 AND state = 'PAID'", "PAID"),
        (
            "in-list-value-dropped",
            "SELECT order_id FROM shop.orders WHERE state IN ('PAID', 'SENT') AND amount > 1",
            "state",
        ),
        (
            "key-normalised-on-one-side",
            "SELECT o.order_id FROM shop.orders o JOIN shop.countries c ON lower(o.country_code) = c.iso_code",
            "upper and lower case",
        ),
        (
            "key-normalised-on-one-side",
            "SELECT o.order_id FROM shop.orders o JOIN shop.countries c ON trim(o.country_code) = c.iso_code",
            "blanks around",
        ),
        (
            "top-rows-filter-dropped",
            "SELECT order_id FROM (SELECT order_id, amount, ROW_NUMBER() OVER (PARTITION BY state ORDER BY amount) AS rn \
             FROM shop.orders) q WHERE rn <= 1000 AND amount > 1",
            "1000",
        ),
    ] {
        assert_rules(fault, sql, |rule| rule.contains("amount is") || rule.contains(said));
    }
}

#[test]
fn a_column_that_stands_in_is_not_the_one_that_may_be_missing() {
    for (fault, sql) in [
        ("coalesce-dropped-from-output", "SELECT order_id, COALESCE(note, state) AS remark FROM shop.orders"),
        (
            "coalesce-dropped-in-sum-of-columns",
            "SELECT order_id, COALESCE(note, COALESCE(state, 0)) - 1 AS remark FROM shop.orders",
        ),
    ] {
        assert_rules(fault, sql, |rule| rule.starts_with("where note is not filled in, state is"));
    }
}

#[test]
fn a_column_does_not_stand_in_for_itself() {
    let sql = "SELECT o.order_id, COALESCE(o.note, p.note) AS remark FROM shop.orders o LEFT JOIN shop.orders p \
               ON o.order_id = p.order_id";
    assert_eq!(
        rules("coalesce-dropped-from-output", sql),
        ["where note is not filled in, something else is shown instead"]
    );
}

#[test]
fn a_difference_of_two_columns_is_called_by_neither() {
    let sql =
        "SELECT country_code, AVG(COALESCE((order_id - amount), 0)) AS margin FROM shop.orders GROUP BY country_code";
    for rule in rules("coalesce-dropped-in-average", sql) {
        assert_eq!(rule, "a missing value counts as zero and is not skipped");
    }
}

#[test]
fn a_value_of_several_columns_is_called_by_none_of_them() {
    for (fault, sql) in [
        ("coalesce-dropped-from-output", "SELECT order_id, COALESCE(note, state, '-') AS remark FROM shop.orders"),
        ("default-value-changed", "SELECT order_id, COALESCE(amount, order_id, 0) AS paid FROM shop.orders"),
        (
            "sum-made-average",
            "SELECT country_code, SUM(COALESCE(amount, order_id)) AS total FROM shop.orders GROUP BY 1",
        ),
    ] {
        assert_rules(fault, sql, |rule| !rule.contains("note") && !rule.contains("amount"));
    }
}

#[test]
fn the_value_of_another_row_is_not_called_by_the_column_that_it_comes_from() {
    let sql = "SELECT order_id, COALESCE(earlier_figure, 0) AS change FROM (
         SELECT order_id, LAG(amount) OVER (PARTITION BY country_code ORDER BY order_id) AS earlier_figure
         FROM shop.orders) o";
    assert_rules("default-value-changed", sql, |rule| {
        rule.contains("earlier_figure is not filled in") && !rule.contains("amount")
    });
}

/// Checks that a fault has rules in a script, and that each is right.
fn assert_rules(fault: &str, sql: &str, is_right: impl Fn(&String) -> bool) {
    let rules = rules(fault, sql);
    assert!(!rules.is_empty() && rules.iter().all(is_right), "{fault}: {rules:?} in {sql}");
}

/// Checks that every mutant of a fault in a script has this rule.
pub(super) fn assert_rule(fault: &str, sql: &str, said: &str) {
    assert_rules(fault, sql, |rule| rule == said);
}

#[test]
fn a_later_sort_key_decides_between_entries_that_are_level() {
    let sorted = |keys: &str| {
        format!("SELECT state, ROW_NUMBER() OVER (PARTITION BY country_code ORDER BY {keys}) AS place FROM shop.orders")
    };
    let told = |fault: &str, keys: &str| -> Vec<bool> {
        rules(fault, &sorted(keys)).iter().map(|rule| rule.starts_with("between entries that are level, ")).collect()
    };
    assert_eq!(told("window-order-turned-round", "amount DESC, note"), [false, true]);
    assert_eq!(told("window-order-turned-round", "amount DESC"), [false]);
    let of_sibling = rules(
        "window-order-by-sibling",
        "SELECT label, ROW_NUMBER() OVER (ORDER BY label, paid_amount DESC) AS place \
         FROM (SELECT state AS label, amount AS paid_amount, amount * 2 AS refund_amount FROM shop.orders) q",
    );
    assert_eq!(of_sibling, ["between entries that are level, paid_amount decides"]);
}

#[test]
fn a_total_within_a_calculation_is_not_the_figure() {
    let exact = "takings is the total of amount";
    let within = "takings is worked out from the total of amount";
    for (total, said) in [
        ("SUM(amount)", exact),
        ("ROUND(COALESCE(SUM(amount), 0), 2)", exact),
        ("CASE WHEN state = 'PAID' THEN SUM(amount) ELSE 0 END", exact),
        ("SUM(amount) / 7", within),
        ("ROUND(SUM(amount / 3600), 2)", within),
        ("CONCAT(SUM(amount), ' EUR')", within),
        ("CASE WHEN SUM(amount) > 10 THEN 'many' ELSE 'few' END", within),
        ("SUM(amount * order_id)", "the figure is a total, everything added up"),
        ("SUM(amount * order_id) / 7", "takings is worked out from a total, everything added up"),
    ] {
        let sql = format!("SELECT state, {total} AS takings FROM shop.orders GROUP BY state");
        assert_rule("sum-made-average", &sql, said);
    }
    let sql = "SELECT state, AVG(amount) / 7 AS takings FROM shop.orders GROUP BY state";
    assert_rule("sum-made-average", sql, "takings is worked out from the average of amount");
}

#[test]
fn the_size_of_a_collection_counts_and_names_nothing() {
    for (call, of_place) in [
        ("SIZE(COLLECT_SET(note))", "counts every note once"),
        ("CAST(cardinality(COLLECT_SET(note)) AS BIGINT)", "counts every note once"),
        ("SIZE(COLLECT_LIST(note))", "counts note as often as it occurs"),
        ("COLLECT_LIST(note)", "lists note as often as it occurs"),
    ] {
        let sql = format!("SELECT state, {call} AS remarks FROM shop.orders GROUP BY state");
        let rules = rules("collect-set-made-collect-list", &sql);
        assert!(matches!(&rules[..], [rule] if rule.starts_with(&format!("remarks {of_place}"))), "{sql}: {rules:?}");
    }
}

#[test]
fn a_format_within_a_calculation_is_not_that_of_the_output() {
    let read = "span goes by the month that stands in the date";
    let within = "the date that span is worked out from has the month where the month is due";
    for (expression, said) in [
        ("DATE_FORMAT(note, 'yyyy-MM-dd')", "months and minutes must not be mixed up in span"),
        ("FROM_UNIXTIME(order_id, 'yyyyMMdd')", "months and minutes must not be mixed up in span"),
        ("DATEDIFF(DATE_FORMAT(note, 'yyyy-MM-dd'), state)", within),
        ("DATEDIFF(FROM_UNIXTIME(order_id, 'yyyy-MM-dd'), state)", within),
        ("DATEDIFF(FROM_UNIXTIME(UNIX_TIMESTAMP(note, 'yyyyMMdd')), state)", read),
        ("DATEDIFF(FROM_UNIXTIME(TO_UNIX_TIMESTAMP(note, 'yyyyMMdd')), state)", read),
        ("TO_DATE(note, 'yyyyMMdd')", read),
    ] {
        let sql = format!("SELECT order_id, {expression} AS span FROM shop.orders");
        assert_rule("date-format-letters-confused", &sql, said);
    }
}

#[test]
fn what_stands_for_nothing_known_is_told_by_its_value() {
    for (expression, said) in [
        ("NULLIF(note, '')", "an empty note means that nothing is known"),
        ("NULLIF(TRIM(note), '')", "an empty note means that nothing is known"),
        ("NULLIF(amount, 0)", "where amount is 0, this means that nothing is known"),
        ("NULLIF(note, 'N/A')", "where note is N/A, this means that nothing is known"),
    ] {
        let sql = format!("SELECT order_id, COALESCE({expression}, 7) AS remark FROM shop.orders");
        assert_rule("nullif-dropped", &sql, said);
    }
}

#[test]
fn a_table_of_which_every_entry_comes_is_not_named() {
    let counted = "(SELECT state, COUNT(*) AS n FROM shop.orders GROUP BY state) q";
    for from in [
        format!("shop.orders o LEFT JOIN {counted} ON o.state = q.state"),
        format!("{counted} LEFT JOIN shop.orders o ON o.state = q.state"),
        format!("(SELECT order_id, state FROM shop.orders) o LEFT JOIN {counted} ON o.state = q.state"),
    ] {
        let sql = format!("SELECT o.order_id, q.n FROM {from}");
        assert!(rules("left-join-made-inner", &sql).iter().all(|rule| !rule.contains("orders")), "{sql}");
    }
    let filled = "INSERT OVERWRITE TABLE shop.countries SELECT c.iso_code, q.name, q.is_denied FROM \
                  (SELECT country_code AS iso_code FROM shop.orders) c \
                  LEFT JOIN (SELECT * FROM shop.countries) q ON c.iso_code = q.iso_code";
    let told = rules("left-join-made-inner", filled);
    assert!(!told.is_empty() && told.iter().all(|rule| !rule.contains("countries")), "{told:?}");
}

#[test]
fn a_short_with_item_is_called_by_its_table() {
    let sql = "WITH s AS (SELECT state AS label, country_code FROM shop.orders), \
               p AS (SELECT iso_code, name AS label FROM shop.countries) \
               SELECT p.label AS caption FROM s LEFT JOIN p ON s.country_code = p.iso_code";
    let told = rules("wrong-table-alias", sql);
    assert!(!told.is_empty() && told.iter().all(|rule| rule.contains("countries")), "{told:?}");
}
