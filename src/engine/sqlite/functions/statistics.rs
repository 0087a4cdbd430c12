//! Statistics of a group: moments, quantiles, regression.

use rusqlite::types::Value;
use serde_json::Value as Json;

use super::group::{Finish, number, numbers};
use super::json::nested;

pub(super) const AGGREGATES: &[(&str, Finish)] = &[
    ("h_stddev", |rows| variance(rows, true).map(f64::sqrt).map(Value::Real)),
    ("h_stddev_samp", |rows| variance(rows, true).map(f64::sqrt).map(Value::Real)),
    ("h_stddev_pop", |rows| variance(rows, false).map(f64::sqrt).map(Value::Real)),
    ("h_variance", |rows| variance(rows, true).map(Value::Real)),
    ("h_var_samp", |rows| variance(rows, true).map(Value::Real)),
    ("h_var_pop", |rows| variance(rows, false).map(Value::Real)),
    ("h_skewness", skewness),
    ("h_kurtosis", kurtosis),
    ("h_percentile", percentile),
    ("h_percentile_approx", percentile_approx),
    ("h_percentile_disc", |rows| discrete(rows, false)),
    ("h_percentile_disc_down", |rows| discrete(rows, true)),
    ("h_median", |rows| interpolated(&numbers(rows), 0.5).map(Value::Real)),
    ("h_corr", |rows| NumberPairs::of(rows).correlation()),
    ("h_covar_pop", |rows| NumberPairs::of(rows).covariance(0.0)),
    ("h_covar_samp", |rows| NumberPairs::of(rows).covariance(1.0)),
    ("h_regr_count", |rows| Some(Value::Integer(NumberPairs::of(rows).pairs.len() as i64))),
    ("h_regr_avgy", |rows| NumberPairs::of(rows).mean(|pair| pair.0).map(Value::Real)),
    ("h_regr_avgx", |rows| NumberPairs::of(rows).mean(|pair| pair.1).map(Value::Real)),
    ("h_regr_slope", |rows| NumberPairs::of(rows).slope().map(Value::Real)),
    ("h_regr_intercept", |rows| {
        let pairs = NumberPairs::of(rows);
        Some(Value::Real(pairs.mean(|pair| pair.0)? - pairs.slope()? * pairs.mean(|pair| pair.1)?))
    }),
    ("h_regr_sxx", |rows| NumberPairs::of(rows).spreads().map(|spreads| Value::Real(spreads.xx))),
    ("h_regr_sxy", |rows| NumberPairs::of(rows).spreads().map(|spreads| Value::Real(spreads.xy))),
    ("h_regr_syy", |rows| NumberPairs::of(rows).spreads().map(|spreads| Value::Real(spreads.yy))),
    ("h_regr_r2", |rows| NumberPairs::of(rows).determination()),
];

/// Returns the sum of the `power`-th powers of the differences from the mean.
fn moment(numbers: &[f64], power: i32) -> f64 {
    let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
    numbers.iter().map(|number| (number - mean).powi(power)).sum()
}

fn variance(rows: &[Vec<Value>], sample: bool) -> Option<f64> {
    let numbers = numbers(rows);
    let divisor = numbers.len() as f64 - if sample { 1.0 } else { 0.0 };
    (divisor > 0.0).then(|| moment(&numbers, 2) / divisor)
}

fn skewness(rows: &[Vec<Value>]) -> Option<Value> {
    let numbers = numbers(rows);
    let spread = moment(&numbers, 2);
    let count = numbers.len() as f64;
    (spread > 0.0).then(|| Value::Real(count.sqrt() * moment(&numbers, 3) / spread.powf(1.5)))
}

fn kurtosis(rows: &[Vec<Value>]) -> Option<Value> {
    let numbers = numbers(rows);
    let spread = moment(&numbers, 2);
    let count = numbers.len() as f64;
    (spread > 0.0).then(|| Value::Real(count * moment(&numbers, 4) / (spread * spread) - 3.0))
}

fn interpolated(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let place = share.clamp(0.0, 1.0) * last as f64;
    let (low, high) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    Some(low + (high - low) * place.fract())
}

/// Applies `one` to the second argument, which is a share or an array of shares; the latter gives an array.
fn by_shares(rows: &[Vec<Value>], one: impl Fn(f64) -> Option<Value>) -> Option<Value> {
    let share = rows.first()?.get(1)?;
    let Value::Text(text) = share else { return one(number(share)?) };
    let Ok(Json::Array(shares)) = serde_json::from_str::<Json>(text) else { return one(number(share)?) };
    let values = shares.iter().map(|share| one(share.as_f64()?)).collect::<Option<Vec<Value>>>()?;
    nested(values.iter().map(|value| super::arguments::element_of(value.into())).collect())
}

/// Gives the first value, from below or from above, up to which there is at least the wanted share of the values.
fn discrete(rows: &[Vec<Value>], down: bool) -> Option<Value> {
    let sorted = numbers(rows);
    let share = number(rows.first()?.get(1)?)?;
    let place = ((share * sorted.len() as f64).ceil() as usize).clamp(1, sorted.len().max(1));
    let at = if down { sorted.len().checked_sub(place)? } else { place - 1 };
    sorted.get(at).copied().map(Value::Real)
}

/// The optional third argument says how often each value counts.
fn percentile(rows: &[Vec<Value>]) -> Option<Value> {
    let mut sorted = Vec::new();
    for row in rows {
        let Some(value) = row.first().and_then(number) else { continue };
        let times = row.get(2).map_or(Some(1.0), number).unwrap_or(0.0);
        sorted.extend(std::iter::repeat_n(value, (times.max(0.0) as usize).min(1 << 20)));
    }
    sorted.sort_by(f64::total_cmp);
    by_shares(rows, |share| interpolated(&sorted, share).map(Value::Real))
}

/// Gives the smallest value up to which there is at least the wanted share of the values. Whole numbers stay whole.
fn percentile_approx(rows: &[Vec<Value>]) -> Option<Value> {
    let sorted = numbers(rows);
    let whole = rows.iter().filter_map(|row| row.first()).all(|value| !matches!(value, Value::Real(_)));
    by_shares(rows, |share| {
        let rank = (share * sorted.len() as f64).ceil().max(1.0) as usize;
        let value = *sorted.get(rank - 1)?;
        Some(if whole { Value::Integer(value as i64) } else { Value::Real(value) })
    })
}

/// Sums of squares and products of the differences of two variables from their means.
struct Covariances {
    yy: f64,
    xx: f64,
    xy: f64,
}

/// The rows in which both arguments are numbers: `(y, x)`.
struct NumberPairs {
    pairs: Vec<(f64, f64)>,
}

impl NumberPairs {
    fn of(rows: &[Vec<Value>]) -> Self {
        let pair = |row: &Vec<Value>| Some((number(row.first()?)?, number(row.get(1)?)?));
        Self { pairs: rows.iter().filter_map(pair).collect() }
    }

    fn mean(&self, part: impl Fn(&(f64, f64)) -> f64) -> Option<f64> {
        let count = self.pairs.len() as f64;
        (count > 0.0).then(|| self.pairs.iter().map(part).sum::<f64>() / count)
    }

    fn spreads(&self) -> Option<Covariances> {
        let (mean_y, mean_x) = (self.mean(|pair| pair.0)?, self.mean(|pair| pair.1)?);
        let mut spreads = Covariances { yy: 0.0, xx: 0.0, xy: 0.0 };
        for (y, x) in &self.pairs {
            let (y, x) = (y - mean_y, x - mean_x);
            spreads.yy += y * y;
            spreads.xx += x * x;
            spreads.xy += x * y;
        }
        Some(spreads)
    }

    fn covariance(&self, fewer: f64) -> Option<Value> {
        let divisor = self.pairs.len() as f64 - fewer;
        let Covariances { xy, .. } = self.spreads()?;
        (divisor > 0.0).then(|| Value::Real(xy / divisor))
    }

    fn correlation(&self) -> Option<Value> {
        let Covariances { yy, xx, xy } = self.spreads()?;
        let scale = (yy * xx).sqrt();
        (scale > 0.0).then(|| Value::Real(xy / scale))
    }

    fn slope(&self) -> Option<f64> {
        let Covariances { xx, xy, .. } = self.spreads()?;
        (xx > 0.0).then(|| xy / xx)
    }

    fn determination(&self) -> Option<Value> {
        let Covariances { yy, xx, xy } = self.spreads()?;
        match (xx > 0.0, yy > 0.0) {
            (false, _) => None,
            (true, false) => Some(Value::Real(1.0)),
            (true, true) => Some(Value::Real(xy * xy / (xx * yy))),
        }
    }
}
