//! Plausible values for placeholders that have none.

use std::sync::LazyLock;

use regex::Regex;

use super::usual_placeholders::{BEFORE_TABLES, follows_word};
use crate::code::parameters::{Parameters, UnboundPlaceholder};
use crate::code::placeholder::{Placeholder, placeholders, touches_name};
use crate::code::span::{LineColumn, Span};

/// Returns a plausible value for a placeholder, by its name.
pub fn proposal(key: &str) -> &'static str {
    let key = key.rsplit([':', '.']).next().unwrap_or(key).to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| key.contains(word));
    let last = key.rsplit('_').next().unwrap_or_default();
    match key.as_str() {
        _ if has(&["nodash", "yyyymmdd", "ymd"]) => "20240315",
        _ if has(&["yyyymm", "year_month"]) || last == "ym" => "202403",
        _ if has(&["yyyy-mm-dd"]) => "2024-03-15",
        _ if has(&["hour"]) || key == "hr" || key == "hh" => "10",
        _ if has(&["yesterday", "last_day", "prev"]) => "2024-03-14",
        _ if has(&["date", "time", "bizd", "today"]) || matches!(last, "dt" | "ds") => "2024-03-15",
        "day" | "d" | "start" | "end" => "2024-03-15",
        _ if has(&["month", "mon"]) => "3",
        _ if has(&["year"]) => "2024",
        _ if has(&["day"]) => "15",
        _ if has(&["env", "stage"]) => "prod",
        _ if has(&["db", "schema", "database"]) => "default",
        _ if has(&[
            "num", "cnt", "count", "limit", "top", "id", "size", "days", "least", "most", "min_", "max_", "threshold",
        ]) || key == "n" =>
        {
            "7"
        }
        _ => "x",
    }
}

/// Whether a letter, digit, `_`, `.` or back quote touches a placeholder, or a word stands before it that names a table.
fn is_part_of_name(text: &str, span: Span) -> bool {
    touches_name(text, span) || follows_word(&text[..span.start], &["FROM", "JOIN", "INTO", "TABLE", "USE"])
}

/// Whether a placeholder stands where a table is named, and is its whole name.
fn is_table(text: &str, span: Span) -> bool {
    follows_word(&text[..span.start], &BEFORE_TABLES) && !touches_name(text, span)
}

/// A name made of a placeholder's key, so that different tables are called differently.
fn as_name(key: &str, text: &str) -> String {
    let key = key.rsplit([':', '.']).next().unwrap_or(key).to_lowercase();
    let name: String = key.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    let is_common_table = text.to_lowercase().contains(&format!("{name} as ("));
    match name.starts_with(|c: char| c.is_alphabetic()) {
        true if is_common_table => format!("{name}_source"),
        true => name,
        false => format!("t_{name}"),
    }
}

/// Functions that read a day or moment in the format of their second argument.
const READ_DAYS: [&str; 3] = ["UNIX_TIMESTAMP", "TO_DATE", "TO_TIMESTAMP"];

/// Returns the proposed day in the format in which a script reads the text that a placeholder is, as in
/// `to_date('${day}', 'yyyyMMdd')`; `None` if it does not say any.
fn in_format(text: &str, span: Span) -> Option<String> {
    static FORMAT: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r#"^\s*['"]\s*,\s*['"]([yMdHmsS :/.T-]+)['"]"#).ok());
    let before = text[..span.start].trim_end().strip_suffix(['\'', '"'])?.trim_end();
    let is_read = before.strip_suffix('(').is_some_and(|call| follows_word(call, &READ_DAYS));
    let format = FORMAT.as_ref()?.captures(&text[span.end..])?.get(1).filter(|_| is_read)?.as_str();
    let parts = [("yyyy", "2024"), ("yy", "24"), ("MM", "03"), ("dd", "15"), ("HH", "10"), ("mm", "00"), ("ss", "00")];
    let written = parts.iter().fold(format.to_owned(), |written, (part, value)| written.replace(part, value));
    (!written.contains(|c: char| c.is_alphabetic() && c != 'T')).then_some(written)
}

/// Functions of days, of which the first argument is one.
const OF_DAYS: [&str; 7] = ["TO_DATE", "DATE", "DATE_ADD", "DATE_SUB", "ADD_MONTHS", "DATEDIFF", "LAST_DAY"];

/// Returns the proposed day, or its month where the script adds the day itself, if a placeholder is a text that a function of
/// days takes; `None` for others.
fn as_day(text: &str, span: Span) -> Option<&'static str> {
    let before = text[..span.start].trim_end().strip_suffix(['\'', '"'])?.trim_end().strip_suffix('(')?;
    let after: String = text[span.end..].chars().take(12).filter(|c| !c.is_whitespace()).collect();
    let is_month = ["','-01'", "\",\"-01\""].iter().any(|day| after.starts_with(day));
    if follows_word(before, &["CONCAT"]) && is_month {
        return Some("2024-02");
    }
    follows_word(before, &OF_DAYS).then_some("2024-03-15")
}

/// Returns the beginning of the proposed day with which a script compares as many characters, as in
/// `substr(day, 1, 6) = '${month}'`; `None` for other places.
fn as_beginning_of_day(text: &str, span: Span) -> Option<&'static str> {
    static SLICE: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r#"(?i)\bsubstr(?:ing)?\s*\([^()]*,\s*1\s*,\s*(\d+)\s*\)\s*=\s*['"]$"#).ok());
    let found = SLICE.as_ref()?.captures(&text[..span.start])?;
    Some(match &found[1] {
        "4" => "2024",
        "6" => "202403",
        "7" => "2024-03",
        "8" => "20240315",
        "10" => "2024-03-15",
        _ => return None,
    })
}

/// Whether a placeholder is an argument of a function of percentiles.
fn is_share(text: &str, span: Span) -> bool {
    let mut depth = 0_usize;
    let opens = |(_, sign): &(usize, char)| match sign {
        ')' => {
            depth += 1;
            false
        }
        '(' if depth == 0 => true,
        '(' => {
            depth -= 1;
            false
        }
        _ => false,
    };
    let bracket = text[..span.start].char_indices().rev().find(opens).map_or(0, |(at, _)| at);
    follows_word(&text[..bracket], &["PERCENTILE", "PERCENTILE_APPROX", "APPROX_PERCENTILE", "PERCENTILE_CONT"])
}

/// Whether a placeholder is a whole condition.
fn is_condition(text: &str, span: Span) -> bool {
    const BEHIND: [&str; 9] = ["AND", "OR", "GROUP", "ORDER", "HAVING", "LIMIT", "THEN", "UNION", "LEFT"];
    let after = text[span.end..].trim_start();
    let word: String = after.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let ends = word.is_empty() && (after.is_empty() || after.starts_with([')', ';']));
    follows_word(&text[..span.start], &["WHERE", "AND", "OR", "ON", "HAVING", "WHEN", "NOT"])
        && (ends || BEHIND.iter().any(|behind| behind.eq_ignore_ascii_case(&word)))
}

/// Whether a placeholder is compared as the least of a range.
fn is_least(text: &str, span: Span) -> bool {
    let before = text[..span.start].trim_end_matches(['\'', '"']).trim_end();
    before.ends_with('>') && !before.ends_with("<>") || before.ends_with(">=") || follows_word(before, &["BETWEEN"])
}

/// Whether a name is that of the first day of a range.
fn names_beginning(key: &str) -> bool {
    let key = key.to_lowercase();
    let is_word = |word: &str| matches!(word, "from" | "since" | "first" | "lower");
    key.contains("start") || key.contains("begin") || key.split(|c: char| !c.is_alphanumeric()).any(is_word)
}

/// Proposes values for the placeholders of a text.
struct Proposer<'a> {
    text: &'a str,
    /// The placeholders outside of texts and comments.
    in_sql: Vec<Placeholder>,
    elsewhere: Vec<Placeholder>,
    /// A month without a dash goes with days without any.
    is_compact: bool,
    /// The parts of a day have placeholders of their own.
    is_in_parts: bool,
    /// Where a placeholder stands that must be a piece of SQL: neither a value nor a name can stand there.
    piece: Option<Span>,
}

impl<'a> Proposer<'a> {
    fn new(text: &'a str, missing: &[UnboundPlaceholder], piece: Option<Span>) -> Proposer<'a> {
        let (in_sql, elsewhere) = placeholders(text).into_iter().partition(|placeholder| placeholder.in_sql);
        Proposer {
            text,
            in_sql,
            elsewhere,
            is_compact: missing.iter().any(|missing| proposal(&missing.key) == "202403"),
            is_in_parts: missing.iter().any(|missing| missing.key.eq_ignore_ascii_case("year")),
            piece,
        }
    }

    /// Returns an option that binds a placeholder; a range of days begins before the day at which it ends.
    fn option(&self, missing: &UnboundPlaceholder) -> String {
        let of_key = self.in_sql.iter().filter(|known| known.key == missing.key);
        if let Some(piece) = of_key.map(|known| known.span).find(|span| Some(*span) == self.piece) {
            return piece_of_sql(&missing.key, &self.text[..piece.start]);
        }
        let option = self.option_of_one_day(missing);
        let key = &missing.key;
        let spans = self.in_sql.iter().chain(&self.elsewhere).filter(|other| other.key == *key && other.required);
        let mut spans = spans.map(|other| other.span).peekable();
        let is_compared_so = spans.peek().is_some() && spans.all(|span| is_least(self.text, span));
        match names_beginning(key) || is_compared_so {
            true => option.replace("2024-03-15", "2024-03-01").replace("20240315", "20240301"),
            false => option,
        }
    }

    fn option_of_one_day(&self, UnboundPlaceholder { key, span }: &UnboundPlaceholder) -> String {
        if is_table(self.text, *span) {
            return format!("--parameter '{key}={}'", as_name(key, self.text));
        }
        if let Some(value) = self.day_by_use(key).or_else(|| self.within_names(key)) {
            return format!("--parameter '{key}={value}'");
        }
        let value = match key.to_lowercase().as_str() {
            "day" if self.is_in_parts => "15",
            "month" if self.is_in_parts => "03",
            _ => proposal(key),
        };
        // Where no quotes stand around it, a text brings its own.
        let is_value = self.in_sql.iter().any(|known| known.span == *span) && !is_part_of_name(self.text, *span);
        // What stands between quotes in another place cannot bring any.
        let is_bare = self.in_sql.iter().any(|known| known.key == *key && !is_part_of_name(self.text, known.span));
        let is_in_both = is_bare && self.elsewhere.iter().any(|other| other.required && other.key == *key);
        let value = match (is_in_both || self.is_compact && value.len() == 10, value) {
            (true, "2024-03-15") => "20240315",
            (true, "x") => "7",
            (_, value) => value,
        };
        if is_value && matches!(value, "x" | "7") && is_condition(self.text, *span) {
            return format!("--parameter '{key}=1=1'");
        }
        if is_value && matches!(value, "x" | "7") && is_share(self.text, *span) {
            return format!("--parameter '{key}=0.5'");
        }
        if is_value && matches!(value, "x" | "7") && follows_word(&self.text[..span.start], &["LIKE"]) {
            return format!("--parameter \"{key}='%'\"");
        }
        let is_number = value.chars().all(|c| c.is_ascii_digit());
        if is_value && !is_number && !is_in_both {
            format!("--parameter \"{key}='{value}'\"")
        } else {
            format!("--parameter '{key}={value}'")
        }
    }

    /// A day, or its beginning, as the script reads or compares it in one of the places of a placeholder; `None` if none says.
    fn day_by_use(&self, key: &str) -> Option<String> {
        let spans =
            || self.in_sql.iter().chain(&self.elsewhere).filter(|other| other.key == key).map(|other| other.span);
        let beginning = || spans().find_map(|span| as_beginning_of_day(self.text, span));
        let day = || spans().find_map(|span| as_day(self.text, span)).filter(|_| proposal(key) == "x");
        let written = beginning().map(str::to_owned).or_else(|| spans().find_map(|span| in_format(self.text, span)));
        written.or_else(|| day().map(str::to_owned))
    }

    /// A value for a placeholder that is a part of a name: of letters and digits alone, and another one for each placeholder
    /// about which nothing is known; `None` for others.
    fn within_names(&self, key: &str) -> Option<String> {
        let is_within = self.in_sql.iter().any(|other| other.key == key && touches_name(self.text, other.span));
        is_within.then(|| match proposal(key) {
            "x" | "7" => as_name(key, self.text),
            value => value.replace('-', ""),
        })
    }
}

/// Returns an option that puts SQL in place of a placeholder behind a text: what has to stand there, or nothing.
fn piece_of_sql(key: &str, before: &str) -> String {
    if follows_word(before, &["IN"]) {
        format!("--parameter \"{key}=('x')\"")
    } else if follows_word(before, &["INSERT"]) {
        format!("--parameter '{key}=INTO'")
    } else {
        format!("--parameter '{key}='")
    }
}

/// Returns a message that names every placeholder without a value and proposes options that bind them.
pub fn proposals(text: &str, missing: &[UnboundPlaceholder]) -> String {
    proposals_with_piece(text, missing, None)
}

/// Returns the same for a script with a placeholder that must be a piece of SQL.
pub(super) fn proposals_with_piece(text: &str, missing: &[UnboundPlaceholder], piece: Option<Span>) -> String {
    // The other days of a scheduled run follow from its own.
    let run = Parameters::from_iter([("ds", "2024-03-15")]);
    let of_run = |missing: &&UnboundPlaceholder| run.value(&missing.key).is_some();
    let for_run = missing.iter().any(|missing| of_run(&missing)).then(|| "--parameter 'ds=2024-03-15'".to_owned());
    let named = missing.iter().map(|placeholder| {
        format!("'{}' in line {}", placeholder.key, LineColumn::of(text, placeholder.span.start).line)
    });
    let proposer = Proposer::new(text, missing, piece);
    let others = missing.iter().filter(|missing| !of_run(missing)).map(|placeholder| proposer.option(placeholder));
    let (have, them) = if missing.len() == 1 { ("placeholder has", "it") } else { ("placeholders have", "them") };
    format!(
        "{} {have} no value: {}; bind {them}, for example by {}, or in card.yaml or parameters.yaml",
        missing.len(),
        named.collect::<Vec<_>>().join(", "),
        for_run.into_iter().chain(others).collect::<Vec<_>>().join(" ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proposed(text: &str) -> String {
        proposals(text, &Parameters::default().unbound(text))
    }

    #[test]
    fn the_days_of_a_scheduled_run_follow_from_one() {
        let text = "SELECT '{{ ds_nodash }}', '{{ next_ds }}', {{ n }}";
        let missing = Parameters::default().unbound(text);
        let message = proposals(text, &missing);
        assert!(message.contains("for example by --parameter 'ds=2024-03-15' --parameter 'n=7',"), "{message}");
    }

    #[test]
    fn a_value_fits_between_quotes_and_without_them() {
        let text = "SELECT '${dt}' FROM t WHERE d = ${dt} AND e = ${day}";
        let message = proposed(text);
        assert!(message.contains("--parameter 'dt=20240315' --parameter \"day='2024-03-15'\""), "{message}");
    }

    #[test]
    fn tables_are_called_as_their_placeholders() {
        let text =
            "INSERT INTO ${destination_table} SELECT a FROM ${hourly-source} WHERE m = ${exec_ym} AND d < '${exec_dt}'";
        let message = proposed(text);
        let bound = "--parameter 'destination_table=destination_table' --parameter 'hourly-source=hourly_source' \
                     --parameter 'exec_ym=202403' --parameter 'exec_dt=20240315'";
        assert!(message.contains(bound), "{message}");
    }

    #[test]
    fn a_part_of_a_name_has_no_dash_and_one_of_its_own() {
        let text = "CREATE VIEW ${prefix}_v_${file_date} AS SELECT a FROM ${cat}.${db}.t WHERE d > '${file_date}'";
        let message = proposed(text);
        let bound = "--parameter 'prefix=prefix' --parameter 'file_date=20240315' --parameter 'cat=cat' \
                     --parameter 'db=default',";
        assert!(message.contains(bound), "{message}");
    }

    #[test]
    fn what_a_function_of_days_takes_is_a_day() {
        let text = "SELECT to_date('${w}') + INTERVAL 7 DAYS, to_date(concat('${h}', '-01')), concat('${a}', '-x'), date_add( '${b}', 1)";
        let message = proposed(text);
        let bound = "--parameter 'w=2024-03-15' --parameter 'h=2024-02' --parameter 'a=x' --parameter 'b=2024-03-15',";
        assert!(message.contains(bound), "{message}");
    }

    #[test]
    fn what_the_beginning_of_a_day_equals_is_as_long() {
        let text = "WHERE substr(dayid,1,6)='${curMonth}' AND SUBSTRING(d, 1, 7) = '${m}' AND substr(k, 1, 3) = '${k}'";
        let message = proposed(text);
        let bound = "--parameter 'curMonth=202403' --parameter 'm=2024-03' --parameter 'k=x',";
        assert!(message.contains(bound), "{message}");
    }

    #[test]
    fn a_day_is_proposed_in_the_format_in_which_it_is_read() {
        let text = "SELECT unix_timestamp('${end}', 'yyyyMMdd HH:mm'), to_date ('${x}' , \"dd/MM/yyyy\"), date_format('${dt}', 'yyyyMM')";
        let message = proposed(text);
        let bound = "--parameter 'end=20240315 10:00' --parameter 'x=15/03/2024' --parameter 'dt=2024-03-15',";
        assert!(message.contains(bound), "{message}");
    }

    #[test]
    fn a_piece_of_sql_is_what_has_to_stand_there_or_nothing() {
        let text = "insert ${how} table t select a from u ${join} where b in ${list} and c = '${dt}'";
        let missing = Parameters::default().unbound(text);
        for (key, option) in [
            ("how", "--parameter 'how=INTO' "),
            ("join", "--parameter 'join=' "),
            ("list", "--parameter \"list=('x')\" "),
        ] {
            let piece = placeholders(text).into_iter().find(|found| found.key == key).map(|found| found.span);
            let message = proposals_with_piece(text, &missing, piece);
            assert!(message.contains(option) && message.contains("'dt=2024-03-15'"), "{message}");
        }
    }

    #[test]
    fn what_a_percentile_takes_is_a_share() {
        let text = "SELECT percentile_approx(log10(1 + v), ${q}), max(percentile(v, 0.5) + ${r}) FROM t";
        let message = proposed(text);
        assert!(message.contains("--parameter 'q=0.5' --parameter \"r='x'\","), "{message}");
    }

    #[test]
    fn a_condition_holds() {
        let text = "SELECT a FROM t WHERE ${filter} AND b = ${c} AND (d > 3 OR ${other}) AND ${e} > 2";
        let message = proposed(text);
        let bound = "--parameter 'filter=1=1' --parameter \"c='x'\" --parameter 'other=1=1' --parameter \"e='x'\",";
        assert!(message.contains(bound), "{message}");
    }

    #[test]
    fn a_range_of_days_begins_before_it_ends() {
        let text = "WHERE a >= '${start}' AND a < '${end}' AND b BETWEEN '${b_date}' AND '${c_date}' AND c > '${d_date}' AND e = '${d_date}'";
        let message = proposed(text);
        let bound = "--parameter 'start=2024-03-01' --parameter 'end=2024-03-15' --parameter 'b_date=2024-03-01' \
                     --parameter 'c_date=2024-03-15' --parameter 'd_date=2024-03-15',";
        assert!(message.contains(bound), "{message}");
    }

    #[test]
    fn the_parts_of_a_day_fit_together() {
        let text = "SELECT '${YEAR}-${MONTH}-${DAY}'";
        let message = proposed(text);
        let bound = "--parameter 'YEAR=2024' --parameter 'MONTH=03' --parameter 'DAY=15'";
        assert!(message.contains(bound), "{message}");
    }

    #[test]
    fn every_unbound_placeholder_gets_a_plausible_value() {
        let text = "SELECT '${hiveconf:etl_date}',\n ${n} FROM ${src_db}.t";
        let missing = Parameters::default().unbound(text);
        assert_eq!(
            proposals(text, &missing),
            "3 placeholders have no value: 'hiveconf:etl_date' in line 1, 'n' in line 2, 'src_db' in line 2; bind them, for example \
             by --parameter 'hiveconf:etl_date=2024-03-15' --parameter 'n=7' --parameter 'src_db=default', or in card.yaml or \
             parameters.yaml"
        );
    }
}
