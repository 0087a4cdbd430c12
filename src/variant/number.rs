//! Other numbers in the same order.

use std::collections::{BTreeMap, BTreeSet};

use crate::corpus::compose::draw::Draw;

/// Most digits of a number that is counted with; a longer one is an identity.
const MOST_DIGITS: usize = 15;

/// Returns the plain form of a number: without leading zeros and without zeros after its fraction.
pub(super) fn plain(number: &str) -> String {
    let whole = number.trim_start_matches('0');
    let whole = if whole.is_empty() || whole.starts_with('.') { format!("0{whole}") } else { whole.to_owned() };
    if whole.contains('.') { whole.trim_end_matches('0').trim_end_matches('.').to_owned() } else { whole }
}

/// Returns a new number for each of these, given in plain form: none stays, their order does, whole ones are whole, and
/// those between 0 and 1 stay there.
pub(super) fn counterparts(numbers: &BTreeSet<String>, draw: Draw) -> BTreeMap<String, String> {
    let growth = 1.06 + draw.at("growth").unit() * 0.24;
    let long = |number: &&String| number.len() > MOST_DIGITS;
    let mut values: Vec<(f64, &String)> = numbers
        .iter()
        .filter(|number| !long(number))
        .filter_map(|number| Some((number.parse().ok()?, number)))
        .collect();
    values.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut last = 0.0;
    let mut made = BTreeMap::new();
    for (value, number) in values {
        let new = next(value, decimals(number), growth, last);
        last = new.parse().unwrap_or(last);
        made.insert(number.clone(), new);
    }
    made.extend(numbers.iter().filter(long).map(|number| (number.clone(), identity(number, draw.at(number)))));
    made
}

fn decimals(number: &str) -> usize {
    number.split_once('.').map_or(0, |(_, fraction)| fraction.len())
}

/// Returns a number greater than `value` and `last`, in plain form.
fn next(value: f64, decimals: usize, growth: f64, last: f64) -> String {
    let share = value < 1.0;
    let places = decimals + usize::from(share);
    let step = 10f64.powi(-(places as i32));
    let wanted = if share { value.powf(1.0 / growth) } else { value * growth };
    // Large numbers stay round.
    let round = if share { step } else { step.max(10f64.powf((wanted.log10() - 1.0).floor())) };
    let wanted = (wanted / round).round() * round;
    let least = value.max(last) + step;
    let new = if wanted + step / 2.0 < least { least } else { wanted };
    if share && new >= 1.0 {
        // Between the last one and 1 there is always another.
        return plain(&format!("{:.*}", places + 3, (value.max(last) + 1.0) / 2.0));
    }
    plain(&format!("{new:.places$}"))
}

/// Returns other digits.
fn identity(number: &str, draw: Draw) -> String {
    let digit = |(place, c): (usize, char)| match c.to_digit(10) {
        Some(digit) => char::from(b'1' + ((digit as usize + draw.nth("digit", place).below(8)) % 9) as u8),
        None => c,
    };
    number.chars().enumerate().map(digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_change_and_keep_their_order(found in prop::collection::btree_set("[1-9][0-9]{0,6}|0\\.[0-9]{0,3}[1-9]|[2-9]\\.[0-9]{0,2}[1-9]", 0..40), seed in 0u64..50) {
            let numbers: BTreeSet<String> = found.iter().filter(|number| *number != "1").cloned().collect();
            let made = counterparts(&numbers, Draw::new(seed, 0));
            let value = |text: &String| text.parse::<f64>().unwrap();
            let mut pairs: Vec<(f64, f64)> = made.iter().map(|(old, new)| (value(old), value(new))).collect();
            pairs.sort_by(|one, other| one.0.total_cmp(&other.0));
            prop_assert_eq!(pairs.len(), numbers.len());
            prop_assert!(pairs.iter().all(|(old, new)| old != new && (*old < 1.0) == (*new < 1.0)), "{:?}", pairs);
            prop_assert!(pairs.windows(2).all(|pair| pair[0].1 < pair[1].1), "{:?}", pairs);
            prop_assert!(made.iter().all(|(old, new)| old.contains('.') || !new.contains('.')));
        }
    }
}
