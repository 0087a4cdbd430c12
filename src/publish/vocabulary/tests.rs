use std::collections::BTreeSet;

use super::*;
use crate::corpus::Dictionary;
use crate::corpus::dictionary::{ColumnEntry, TableEntry};

fn vocabulary() -> Vocabulary {
    Vocabulary::read(include_str!("../../../templates/complaint/words.yaml")).unwrap()
}

#[test]
fn what_is_known_of_a_script_stands_before_names_in_words() {
    let entry = |words: &str| ColumnEntry { words: words.to_owned(), ..ColumnEntry::default() };
    let table = |many: &str, columns: &[(&str, &str)]| TableEntry {
        validity: None,
        many: many.to_owned(),
        columns: columns.iter().map(|(name, words)| ((*name).to_owned(), entry(words))).collect(),
        ..TableEntry::default()
    };
    let dictionary = Dictionary {
        tables: BTreeMap::from([
            ("ecm.dim_fx_daily".to_owned(), table("exchange rates", &[("dt", "day of the rate"), ("rate", "rate")])),
            ("ecm.ods_sale_di".to_owned(), table("sales", &[("dt", "day of the sale"), ("ccy", "currency")])),
        ]),
        outputs: [("sale_cnt", "number of sales"), ("high", "whether the sales are above the mean")]
            .map(|(name, words)| (name.to_owned(), words.to_owned()))
            .into(),
        additive: BTreeSet::from(["sale_cnt".to_owned()]),
        reports: BTreeMap::from([("ecm.ads_sale_1d".to_owned(), "sales".to_owned())]),
        grain: BTreeMap::from([("ecm.ads_sale_1d".to_owned(), vec!["ccy".to_owned()])]),
    };
    let named = vocabulary().naming(&dictionary);
    assert_eq!(named.table("ecm.dim_fx_daily"), "exchange rates");
    assert_eq!(named.filled_table("ecm.ads_sale_1d"), "sales report");
    assert_eq!(named.report("sales report"), "the sales report");
    let columns = ["sale_cnt", "ccy", "dt", "high"].map(|name| named.column(name));
    assert_eq!(columns, ["number of sales", "currency", "date", "high"]);
    assert_eq!(["sale_cnt", "high"].map(|name| named.is_additive(name)), [Some(true), Some(false)]);
    assert_eq!(named.grain("ecm.ads_sale_1d").columns, ["ccy"]);
    assert_eq!(vocabulary().is_additive("sale_cnt"), None);
    assert_eq!(named.in_words("`sale_cnt` counts every sale once"), "number of sales counts every sale once");
    assert_eq!(named.table("ecm.ads_visit_1d"), "visit");
    assert_eq!(vocabulary().filled_table("ecm.ads_sale_1d"), "ads_sale_1d");
}

#[test]
fn names_stand_as_they_are_where_nothing_is_known_of_the_script() {
    let vocabulary = vocabulary();
    assert_eq!(["order_cnt", "is_late"].map(|name| vocabulary.column(name)), ["order_cnt", "is_late"]);
    assert_eq!(vocabulary.column("sum(t.amount)"), "sum t amount");
    assert_eq!(["dwd.`dwd_waybill_di`", ""].map(|name| vocabulary.table(name)), ["dwd_waybill_di", "result"]);
    assert_eq!(["dwd_waybill_di", "result"].map(|table| vocabulary.report(table)), ["dwd_waybill_di", "the result"]);
}

#[test]
fn names_of_a_script_whose_tables_are_known_go_into_words() {
    let tables = BTreeMap::from([("t".to_owned(), TableEntry::default())]);
    let vocabulary = vocabulary().naming(&Dictionary { tables, ..Dictionary::default() });
    for (name, words) in [
        ("order_cnt", "order count"),
        ("is_late", "late flag"),
        ("pay_time", "pay time"),
        ("amount_20240315", "amount"),
        ("has_paid", "paid flag"),
    ] {
        assert_eq!(vocabulary.column(name), words);
    }
    for (name, words) in [
        ("dwd.dwd_waybill_di", "waybill"),
        ("rpt.ads_shop_sales_1d", "shop sales"),
        ("ads_topic_board_20240315", "topic board"),
        ("", "result"),
    ] {
        assert_eq!(vocabulary.table(name), words);
    }
    assert_eq!(vocabulary.report("topic board"), "the topic board");
    assert_eq!(vocabulary.report("shop sales"), "the shop sales report");
}

#[test]
fn counts_and_lists_read_like_a_sentence() {
    let vocabulary = vocabulary();
    assert_eq!([0, 1, 7].map(|count| vocabulary.row_count(count)), ["no rows", "1 row", "7 rows"]);
    assert_eq!([2, 3].map(|count| vocabulary.times(count)), ["twice", "3 times"]);
    let items = ["a", "b", "c"].map(str::to_owned);
    assert_eq!(vocabulary.listed(&items, " and "), "a, b and c");
}

#[test]
fn plurals_and_sums_follow_the_form_of_a_name() {
    let vocabulary = vocabulary();
    for (name, plural) in [
        ("shop", "shops"),
        ("price category", "price categories"),
        ("branch", "branches"),
        ("holiday", "holidays"),
        ("day of the week", "days of the week"),
        ("shop concerned", "shops concerned"),
        ("flower bed", "flower beds"),
        ("test series", "test series"),
    ] {
        assert_eq!(vocabulary.plural(name), plural);
    }
    let tables = BTreeMap::from([("t".to_owned(), TableEntry::default())]);
    let named = vocabulary.naming(&Dictionary { tables, ..Dictionary::default() });
    let sums = ["number of sales", "media spend"].map(|name| named.sum(name));
    assert_eq!(sums, ["the total number of sales", "the sum of the media spend"]);
    assert_eq!(vocabulary.sum("sale_cnt"), "the sum of sale_cnt");
}

#[test]
fn a_template_with_an_unknown_variable_is_refused() {
    let text =
        include_str!("../../../templates/complaint/words.yaml").replace("{{ count }} times", "{{ number }} times");
    assert!(Vocabulary::read(&text).unwrap_err().message.contains("may use count only"));
}

#[test]
fn flags_read_as_the_script_writes_them_where_nothing_is_known_of_it() {
    use crate::corpus::Reference;
    let flags = |known: bool| {
        let mut reference =
            Reference::of_test("SELECT id, is_late FROM t", "CREATE TABLE t (id BIGINT, is_late BOOLEAN);");
        if known {
            reference.dictionary.tables = BTreeMap::from([("t".to_owned(), TableEntry::default())]);
        }
        let words = vocabulary().of_script(&Subject::new(&reference).unwrap()).value;
        [words.when_true, words.when_false]
    };
    assert_eq!(flags(false), ["true", "false"]);
    assert_eq!(flags(true), ["yes", "no"]);
}
