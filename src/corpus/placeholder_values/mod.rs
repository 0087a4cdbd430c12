//! Plausible values for placeholders that have none.

mod day;
mod by_name;
mod by_place;
mod alternatives;
mod proposer;

use std::fmt;

use crate::code::parameters::{Parameters, UnboundPlaceholder};
use crate::code::span::{LineColumn, Span};
use alternatives::alternatives;
use day::DAY;
use proposer::Proposer;

/// A placeholder without a value, with what may stand for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposedValue {
    /// The text between its brackets.
    pub key: String,
    /// SQL, or a part of a text, that takes its place: the likeliest first, and never none.
    pub values: Vec<String>,
}

impl ProposedValue {
    /// Returns the option that binds the placeholder to a value.
    fn option(&self, value: &str) -> String {
        let given = format!("{}={value}", self.key);
        if value.contains('\'') { format!("--parameter \"{given}\"") } else { format!("--parameter '{given}'") }
    }
}

/// The placeholders of a script that have no value. Shown, each is named, and options propose the first value of each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlaceholderProposals {
    /// Each placeholder without a value, with the line of its first place.
    missing: Vec<String>,
    /// What may stand for them; that of a scheduled run's other days follows from its own day.
    pub values: Vec<ProposedValue>,
}

impl PlaceholderProposals {
    /// Returns proposals for the placeholders of a text without a value. If one of them must be a piece of SQL, its place
    /// is given as well.
    pub fn of(text: &str, missing: &[UnboundPlaceholder], piece: Option<Span>) -> PlaceholderProposals {
        let run = Parameters::from_iter([("ds", DAY)]);
        let of_run = |missing: &&UnboundPlaceholder| run.value(&missing.key).is_some();
        let proposer = Proposer::new(text, missing, piece);
        let proposed = |key: &str, first: String, is_value: bool| {
            let others = alternatives(&first, is_value);
            ProposedValue { key: key.to_owned(), values: std::iter::once(first).chain(others).collect() }
        };
        let for_run = missing.iter().any(|missing| of_run(&missing)).then(|| proposed("ds", DAY.to_owned(), false));
        let others = missing.iter().filter(|missing| !of_run(missing));
        let others = others.map(|it| proposed(&it.key, proposer.value(it), proposer.is_value(&it.key)));
        let named = missing.iter().map(|placeholder| {
            format!("'{}' in line {}", placeholder.key, LineColumn::of(text, placeholder.span.start).line)
        });
        PlaceholderProposals { missing: named.collect(), values: for_run.into_iter().chain(others).collect() }
    }
}

impl PlaceholderProposals {
    /// Adds those for placeholders that the values of these ones brought with them.
    pub fn append(&mut self, mut later: PlaceholderProposals) {
        self.missing.append(&mut later.missing);
        self.values.append(&mut later.values);
    }
}

impl fmt::Display for PlaceholderProposals {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (have, them) = match self.missing.len() {
            1 => ("placeholder has", "it"),
            _ => ("placeholders have", "them"),
        };
        let options: Vec<String> = self.values.iter().map(|it| it.option(&it.values[0])).collect();
        write!(
            out,
            "{} {have} no value: {}; bind {them}, for example by {}, or in card.yaml or parameters.yaml",
            self.missing.len(),
            self.missing.join(", "),
            options.join(" ")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::code::placeholder::placeholders;

    fn proposed(text: &str) -> String {
        PlaceholderProposals::of(text, &Parameters::default().unbound(text), None).to_string()
    }

    /// Asserts that these options are proposed for a text, one behind the other.
    fn assert_proposed(text: &str, options: &str) {
        let message = proposed(text);
        assert!(message.contains(options), "{message}");
    }

    #[test]
    fn the_days_of_a_scheduled_run_follow_from_one() {
        let text = "SELECT '{{ ds_nodash }}', '{{ next_ds }}', {{ n }}";
        let message = proposed(text);
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
        assert_proposed(
            text,
            "--parameter 'destination_table=destination_table' --parameter 'hourly-source=hourly_source' \
                     --parameter 'exec_ym=202403' --parameter 'exec_dt=20240315'",
        );
    }

    #[test]
    fn a_part_of_a_name_has_no_dash_and_one_of_its_own() {
        let text = "CREATE VIEW ${prefix}_v_${file_date} AS SELECT a FROM ${cat}.${db}.t WHERE d > '${file_date}'";
        assert_proposed(
            text,
            "--parameter 'prefix=prefix' --parameter 'file_date=20240315' --parameter 'cat=cat' \
                     --parameter 'db=default',",
        );
    }

    #[test]
    fn what_a_function_of_days_takes_is_a_day() {
        let text = "SELECT to_date('${w}') + INTERVAL 7 DAYS, to_date(concat('${h}', '-01')), concat('${a}', '-x'), date_add( '${b}', 1)";
        assert_proposed(
            text,
            "--parameter 'w=2024-03-15' --parameter 'h=2024-02' --parameter 'a=x' --parameter 'b=2024-03-15',",
        );
    }

    #[test]
    fn a_part_of_a_day_is_compared_with_its_part() {
        let text =
            "WHERE year = 2016 AND month = 11 AND t.day = ${d_day} AND concat('${month}', '-01') = a AND b in ${names}";
        assert_proposed(text, "--parameter 'd_day=15' --parameter 'month=2024-02' --parameter \"names=('x')\",");
        assert!(proposed("WHERE day = ${day}").contains("--parameter \"day='2024-03-15'\""));
    }

    #[test]
    fn what_the_beginning_of_a_day_equals_is_as_long() {
        let text = "WHERE substr(dayid,1,6)='${curMonth}' AND SUBSTRING(d, 1, 7) = '${m}' AND substr(k, 1, 3) = '${k}'";
        assert_proposed(text, "--parameter 'curMonth=202403' --parameter 'm=2024-03' --parameter 'k=x',");
    }

    #[test]
    fn a_day_is_proposed_in_the_format_in_which_it_is_read() {
        let text = "SELECT unix_timestamp('${end}', 'yyyyMMdd HH:mm'), to_date ('${x}' , \"dd/MM/yyyy\"), date_format('${dt}', 'yyyyMM')";
        assert_proposed(
            text,
            "--parameter 'end=20240315 10:00' --parameter 'x=15/03/2024' --parameter 'dt=2024-03-15',",
        );
    }

    #[test]
    fn a_piece_of_sql_is_what_has_to_stand_there_or_nothing() {
        let text = "insert ${how} table t select a from u ${join} where b in ${list} and c = '${dt}'; select d from v ${day}\nand e = 1";
        let missing = Parameters::default().unbound(text);
        for (key, option) in [
            ("how", "--parameter 'how=INTO' "),
            ("join", "--parameter 'join=' "),
            ("day", "--parameter 'day=WHERE 1=1'"),
            ("list", "--parameter \"list=('x')\" "),
        ] {
            let piece = placeholders(text).into_iter().find(|found| found.key == key).map(|found| found.span);
            let message = PlaceholderProposals::of(text, &missing, piece).to_string();
            assert!(message.contains(option) && message.contains("'dt=2024-03-15'"), "{message}");
        }
    }

    #[test]
    fn what_a_percentile_takes_is_a_share() {
        let text = "SELECT percentile_approx(log10(1 + v), ${q}), max(percentile(v, 0.5) + ${r}) FROM t";
        let message = proposed(text);
        assert!(message.contains("--parameter 'q=0.5' --parameter 'r=7',"), "{message}");
    }

    #[test]
    fn a_condition_holds() {
        let text =
            "SELECT a FROM t WHERE ${filter} AND b = ${c} AND (d > 3 OR ${other}) AND ${e} > 2 AND (${own}) -- f";
        assert_proposed(
            text,
            "--parameter 'filter=1=1' --parameter \"c='x'\" --parameter 'other=1=1' --parameter \"e='x'\" \
                     --parameter 'own=1=1',",
        );
    }

    #[test]
    fn a_range_of_days_begins_before_it_ends() {
        let text = "WHERE a >= '${start}' AND a < '${end}' AND b BETWEEN '${b_date}' AND '${c_date}' AND c > '${d_date}' AND e = '${d_date}'";
        assert_proposed(
            text,
            "--parameter 'start=2024-03-01' --parameter 'end=2024-03-15' --parameter 'b_date=2024-03-01' \
                     --parameter 'c_date=2024-03-15' --parameter 'd_date=2024-03-15',",
        );
    }

    #[test]
    fn what_is_calculated_with_is_a_number_and_what_is_read_as_a_moment_is_one() {
        let text = "SELECT p[0] * ${f}, ${g} - 1 FROM t WHERE r > ${rate} AND u > unix_timestamp('${till}') AND n <> ${w} -- x";
        assert_proposed(
            text,
            "--parameter 'f=7' --parameter 'g=7' --parameter 'rate=7' --parameter 'till=2024-03-15 10:00:00' \
                     --parameter \"w='x'\",",
        );
    }

    #[test]
    fn the_parts_of_a_day_fit_together() {
        let text = "SELECT '${YEAR}-${MONTH}-${DAY}'";
        assert_proposed(text, "--parameter 'YEAR=2024' --parameter 'MONTH=03' --parameter 'DAY=15'");
    }

    #[test]
    fn every_unbound_placeholder_gets_a_plausible_value() {
        let text = "SELECT '${hiveconf:etl_date}',\n ${n} FROM ${src_db}.t";
        assert_eq!(
            proposed(text),
            "3 placeholders have no value: 'hiveconf:etl_date' in line 1, 'n' in line 2, 'src_db' in line 2; bind them, for example \
             by --parameter 'hiveconf:etl_date=2024-03-15' --parameter 'n=7' --parameter 'src_db=default', or in card.yaml or \
             parameters.yaml"
        );
    }
}
