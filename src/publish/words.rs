//! Business words for tables and columns: what a user who never saw the SQL would call them.

use std::sync::LazyLock;

use regex::Regex;

use crate::code::schema::{Schema, TableDefinition};

/// More words than this are an explanation, not a name.
const MOST_WORDS: usize = 7;
/// Comments that name a column only together with its own name.
const VAGUE: [&str; 12] =
    ["name", "code", "status", "type", "id", "key", "primary key", "date", "time", "flag", "value", "number"];
const LAYERS: [&str; 12] =
    ["ods_", "dwd_", "dws_", "dwb_", "dwm_", "dwt_", "ads_", "app_", "dim_", "tmp_", "stg_", "rpt_"];
const PERIODS: [&str; 12] = ["_di", "_df", "_hi", "_hf", "_mi", "_mf", "_wi", "_wf", "_1d", "_nd", "_d", "_m"];

/// What a business user calls `column` of `table`: the start of its comment when that reads as a name, else the
/// column's name with blanks for underscores. An unknown table or column gives its name.
pub fn business_words(schema: &Schema, table: &str, column: &str) -> String {
    let definition = schema.table(table);
    let comment = definition.and_then(|table| table.columns.iter().find(|candidate| candidate.name == column));
    let name = plain_name(column);
    match comment.and_then(|column| name_in_comment(&column.comment)) {
        Some(words) if !VAGUE.contains(&words.to_lowercase().as_str()) && !is_shared(definition, &words) => words,
        _ => name,
    }
}

/// What a business user calls a table: the start of its comment, else its name without layer and period markers.
pub fn table_words(schema: &Schema, table: &str) -> String {
    let definition = schema.table(table);
    definition.and_then(|table| name_in_comment(&table.comment)).unwrap_or_else(|| plain_table_name(table))
}

/// Two columns of one table that share a comment are told apart by their names.
fn is_shared(table: Option<&TableDefinition>, words: &str) -> bool {
    let shares = |comment: &str| name_in_comment(comment).is_some_and(|other| other == words);
    table.is_some_and(|table| table.columns.iter().filter(|column| shares(&column.comment)).count() > 1)
}

/// The part of a comment before its first explanation, if that part is a short English phrase.
fn name_in_comment(comment: &str) -> Option<String> {
    static FORMAT: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?i)\s*\b(as )?(yyyy|hh?:mm|0/1|y/n).*$").expect("a constant pattern"));
    static CODE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"[_`=<>$(){}\[\]|;/]|\b[A-Z]{2,}\b.*\b[A-Z]{2,}\b").expect("a constant pattern"));
    let head = comment.split([',', '(', ';', ':', '\u{ff0c}', '\u{ff08}']).next().unwrap_or_default();
    let head = FORMAT.replace(head, "");
    let head = head.trim().trim_end_matches('.');
    let fits = !head.is_empty() && head.is_ascii() && head.split_whitespace().count() <= MOST_WORDS;
    (fits && !CODE.is_match(head)).then(|| head.to_owned())
}

fn plain_name(name: &str) -> String {
    let words = name.split('_').filter(|word| !word.is_empty()).map(|word| match word {
        "cnt" => "count",
        "amt" => "amount",
        "qty" => "quantity",
        "pct" => "percentage",
        "avg" => "average",
        "num" => "number",
        "no" => "number",
        "dt" => "date",
        "ts" => "time",
        "usr" => "user",
        "cust" => "customer",
        "prev" => "previous",
        "cur" => "current",
        "uv" => "visitors",
        "pv" => "page views",
        other => other,
    });
    words.collect::<Vec<_>>().join(" ")
}

fn plain_table_name(table: &str) -> String {
    let short = table.rsplit('.').next().unwrap_or(table).trim_matches('`');
    let bare = LAYERS.iter().find_map(|layer| short.strip_prefix(layer)).unwrap_or(short);
    let bare = PERIODS.iter().find_map(|period| bare.strip_suffix(period)).unwrap_or(bare);
    if bare.is_empty() { "result".to_owned() } else { plain_name(bare) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DDL: &str = "CREATE TABLE dwd.dwd_waybill_di (
        waybill_no STRING COMMENT 'waybill',
        version_no INT COMMENT 'version, unique per waybill',
        waybill_status STRING COMMENT 'PICKED / MOVING / SIGNED',
        branch_name STRING COMMENT 'name',
        scan_time STRING COMMENT 'scanned at yyyy-MM-dd HH:mm:ss',
        start_city STRING COMMENT 'city', end_city STRING COMMENT 'city',
        order_cnt BIGINT) COMMENT 'waybills (last version)';";

    #[test]
    fn columns_are_called_by_their_comment_when_it_reads_as_a_name() {
        let schema = Schema::read(DDL).unwrap();
        for (column, words) in [
            ("waybill_no", "waybill"),
            ("version_no", "version"),
            ("waybill_status", "waybill status"),
            ("branch_name", "branch name"),
            ("scan_time", "scanned at"),
            ("start_city", "start city"),
            ("order_cnt", "order count"),
            ("not_there", "not there"),
        ] {
            assert_eq!(business_words(&schema, "dwd.dwd_waybill_di", column), words, "{column}");
        }
    }

    #[test]
    fn tables_are_called_by_their_comment_or_their_bare_name() {
        let schema = Schema::read(DDL).unwrap();
        assert_eq!(table_words(&schema, "dwd.dwd_waybill_di"), "waybills");
        assert_eq!(table_words(&schema, "rpt.ads_shop_sales_1d"), "shop sales");
        assert_eq!(table_words(&schema, ""), "result");
    }
}
