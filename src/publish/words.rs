//! Business words for tables and columns: what a user who never saw the SQL would call them.

use std::sync::LazyLock;

use regex::Regex;

use crate::code::schema::{Schema, TableDefinition};

/// More words than this are an explanation, not a name.
const MOST_WORDS: usize = 7;
/// Comments that name a column only together with its own name.
const VAGUE: [&str; 13] =
    ["name", "code", "status", "type", "id", "key", "primary key", "date", "time", "flag", "value", "number", "amount"];
const LAYERS: [&str; 12] =
    ["ods_", "dwd_", "dws_", "dwb_", "dwm_", "dwt_", "ads_", "app_", "dim_", "tmp_", "stg_", "rpt_"];
const PERIODS: [&str; 12] = ["_di", "_df", "_hi", "_hf", "_mi", "_mf", "_wi", "_wf", "_1d", "_nd", "_d", "_m"];

/// What a business user calls `column` of `table`: the start of its comment when that reads as a name, else the
/// column's name with blanks for underscores. An unknown table or column gives its name.
pub fn business_words(schema: &Schema, table: &str, column: &str) -> String {
    let definition = schema.table(table);
    let comment = definition.and_then(|table| table.columns.iter().find(|candidate| candidate.name == column));
    let words = comment.and_then(|column| name_in_comment(&column.comment));
    let useful = words.filter(|words| property(column).is_none() && !VAGUE.contains(&words.to_lowercase().as_str()));
    match (useful, comment) {
        (Some(words), Some(column)) if is_shared(definition, &words) => with_remark(&words, &column.comment),
        (useful, _) => useful,
    }
    .unwrap_or_else(|| plain_name(column))
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

/// A shared name with the remark behind its comma, such as `call minutes (last 7 days)`.
fn with_remark(words: &str, comment: &str) -> Option<String> {
    let (_, remark) = comment.split_once(", ").filter(|(head, _)| *head == words)?;
    reads_as_name(&format!("the {remark}")).then(|| format!("{words} ({remark})"))
}

/// The part of a comment before its first explanation, if that part is a short English noun phrase.
fn name_in_comment(comment: &str) -> Option<String> {
    static EXPLANATION: LazyLock<Regex> = LazyLock::new(|| {
        let format = r"\s*\b(as )?(yyyy|hh?:mm|0/1|y/n).*$";
        let total = r"\s+or all$";
        Regex::new(&format!("(?i){format}|{total}")).expect("a constant pattern")
    });
    let (head, rest) = comment.split_at(comment.find([',', '(', ';', '\u{ff0c}', '\u{ff08}']).unwrap_or(comment.len()));
    let head = EXPLANATION.replace(head, "");
    let head = head.trim().trim_end_matches('.');
    let capitals = |word: &str| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    let next = rest.trim_start_matches([',', ' ']).split([',', ' ']).next().unwrap_or_default();
    let is_list = rest.starts_with(',') && (rest.contains(" and ") || capitals(head) && capitals(next));
    (!is_list && reads_as_name(head)).then(|| head.to_owned())
}

/// Whether a text is a noun phrase rather than codes, a formula or a remark such as "received at".
fn reads_as_name(text: &str) -> bool {
    static NO_NAME: LazyLock<Regex> = LazyLock::new(|| {
        let codes = r"[_`=<>$(){}\[\]|;:/]|\b[A-Z]{2,}\b.*\b[A-Z]{2,}\b|^[0-9]";
        let remark = r"(?i)\b(?:minus|plus|over|divided|json|as text|separated|intermediate|temporary)\b|\b(?:at|on|by|until|from|to)$";
        let participle = r"^(?:\w+ed|paid|won|sent|sold)$";
        Regex::new(&format!("{codes}|{participle}|{remark}")).expect("a constant pattern")
    });
    let words = text.split_whitespace().count();
    (1..=MOST_WORDS).contains(&words) && text.is_ascii() && !NO_NAME.is_match(text)
}

/// A name with blanks for underscores and without abbreviations.
pub(super) fn plain_name(name: &str) -> String {
    if let Some(property) = property(name) {
        return format!("{} flag", plain_name(property));
    }
    let is_day = |word: &str| word.len() == 8 && word.bytes().all(|byte| byte.is_ascii_digit());
    let words = name.split('_').filter(|word| !word.is_empty() && !is_day(word)).map(|word| match word {
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

/// What a yes-or-no column such as `is_redirected` is about. Its comment is a statement, no name.
fn property(name: &str) -> Option<&str> {
    name.strip_prefix("is_").or_else(|| name.strip_prefix("has_"))
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
        is_late INT COMMENT 'came after the promised time', area_id STRING COMMENT 'area or ALL',
        pay_time STRING COMMENT 'paid at', paid_amount DOUBLE COMMENT 'paid',
        net DOUBLE COMMENT 'paid minus refunded', state INT COMMENT '1 open 0 closed',
        call_7d INT COMMENT 'call minutes, last 7 days', call_7d_before INT COMMENT 'call minutes, 7 days before',
        slots STRING COMMENT 'country:slot list', extra DOUBLE COMMENT 'fuel, night and detention',
        appeal_state STRING COMMENT 'OPEN, REJECTED, empty without appeal', sku STRING COMMENT 'SKU, five digits',
        order_cnt BIGINT) COMMENT 'waybills (last version)';";

    #[test]
    fn columns_are_called_by_their_comment_when_it_reads_as_a_name() {
        let schema = Schema::read(DDL).unwrap();
        for (column, words) in [
            ("waybill_no", "waybill"),
            ("version_no", "version"),
            ("waybill_status", "waybill status"),
            ("branch_name", "branch name"),
            ("scan_time", "scan time"),
            ("is_late", "late flag"),
            ("area_id", "area"),
            ("pay_time", "pay time"),
            ("paid_amount", "paid amount"),
            ("net", "net"),
            ("state", "state"),
            ("slots", "slots"),
            ("call_7d", "call minutes (last 7 days)"),
            ("extra", "extra"),
            ("start_city", "start city"),
            ("order_cnt", "order count"),
            ("appeal_state", "appeal state"),
            ("sku", "SKU"),
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
        assert_eq!(table_words(&schema, "ads_topic_board_20240315"), "topic board");
        assert_eq!(table_words(&schema, ""), "result");
    }
}
