//! Finds columns that people mistake for each other. The choice is never random: the most similar come first.

use crate::code::scope::OutputColumn;
use crate::code::types::Type;

/// Returns the columns of `columns` that are easily mistaken for `wanted`, the most similar first.
///
/// A candidate has the same type (or both are numeric), so that no engine objects. Its name shares a word with the
/// wanted name or is spelt much like it, or both columns hold a date or time. Nobody takes an amount for a numeric key.
pub(crate) fn confusable<'a>(wanted: &OutputColumn, columns: &'a [OutputColumn]) -> Vec<&'a OutputColumn> {
    let mut found: Vec<(f64, &OutputColumn)> = columns
        .iter()
        .filter(|column| column.name != wanted.name && !column.partition && same_type(wanted, column))
        .filter(|column| !column.data_type.is_numeric() || is_key(&column.name) == is_key(&wanted.name))
        .map(|column| (nearness(wanted, column), column))
        .filter(|(nearness, _)| *nearness > 0.0)
        .collect();
    found.sort_by(|left, right| right.0.total_cmp(&left.0).then_with(|| left.1.name.cmp(&right.1.name)));
    found.into_iter().map(|(_, column)| column).collect()
}

fn same_type(left: &OutputColumn, right: &OutputColumn) -> bool {
    let unknown = left.data_type == Type::Unknown;
    !unknown && (left.data_type == right.data_type || left.data_type.is_numeric() && right.data_type.is_numeric())
}

/// Returns how similar two columns are; 0 if they have nothing in common. Each shared word of the names counts 1, as do
/// two dates or times; similar spelling counts up to 1 and the same type 0.5.
fn nearness(wanted: &OutputColumn, candidate: &OutputColumn) -> f64 {
    let shared = shared_words(&wanted.name, &candidate.name);
    let spelling = strsim::jaro_winkler(&wanted.name, &candidate.name);
    let times = is_time(wanted) && is_time(candidate);
    if shared == 0 && spelling < 0.8 && !times {
        return 0.0;
    }
    let exact = f64::from(u8::from(wanted.data_type == candidate.data_type));
    shared as f64 + spelling + exact / 2.0 + f64::from(u8::from(times))
}

fn shared_words(left: &str, right: &str) -> usize {
    left.split('_').filter(|word| word.len() > 1 && right.split('_').any(|other| other == *word)).count()
}

/// Whether a name is that of a key, by its end.
fn is_key(name: &str) -> bool {
    let last = name.rsplit('_').next().unwrap_or(name).to_lowercase();
    name.ends_with("Id")
        || matches!(last.as_str(), "id" | "ids" | "key" | "sk" | "pk" | "fk" | "code" | "no" | "uuid" | "guid")
}

fn is_time(column: &OutputColumn) -> bool {
    const ENDINGS: [&str; 7] = ["_time", "_date", "_day", "_ts", "_at", "_dt", "_month"];
    column.data_type.is_temporal() || ENDINGS.iter().any(|ending| column.name.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: &str, data_type: Type) -> OutputColumn {
        OutputColumn {
            name: name.to_owned(),
            data_type,
            nullable: true,
            expression: None,
            passes_on: None,
            partition: false,
        }
    }

    #[test]
    fn the_sibling_that_shares_words_and_type_comes_first() {
        let columns = [
            column("pay_amount", Type::Double),
            column("refund_amount", Type::Double),
            column("pay_time", Type::Timestamp),
            column("create_time", Type::Timestamp),
            column("city", Type::String),
            column("pay_id", Type::BigInt),
            column("payer_id", Type::BigInt),
        ];
        let names = |index: usize| -> Vec<&str> {
            confusable(&columns[index], &columns).into_iter().map(|column| column.name.as_str()).collect()
        };
        assert_eq!(names(0), ["refund_amount"]);
        assert_eq!(names(2), ["create_time"]);
        assert!(names(4).is_empty());
        assert_eq!(names(5), ["payer_id"]);
    }
}
