//! `sequence`: whole numbers, dates or timestamps at equal steps.

use rusqlite::types::{Value, ValueRef};
use serde_json::Value as Json;

use super::arguments::{Arguments, CallError};
use super::json::nested;
use super::moment::{TimeStep, moment, moment_text};

/// How many bytes a member of a sequence counts as: its text, and what holds it until the text is built.
const BYTES_OF_MEMBER: usize = 16;

/// Gives whole numbers, or dates and timestamps.
pub(super) fn sequence(a: &Arguments<'_>) -> Option<Value> {
    if let ValueRef::Text(_) = a.raw(0) {
        return moments(a);
    }
    let (first, last) = (a.integer(0)?, a.integer(1)?);
    let step = if a.len() > 2 {
        a.integer(2)?
    } else if first <= last {
        1
    } else {
        -1
    };
    let distance = i128::from(last) - i128::from(first);
    if step == 0 || distance.signum() * i128::from(step.signum()) < 0 {
        return None;
    }
    let count = distance / i128::from(step) + 1;
    a.fits(usize::try_from(count).unwrap_or(usize::MAX).saturating_mul(BYTES_OF_MEMBER))?;
    let member =
        |index: i128| i64::try_from(i128::from(first) + index * i128::from(step)).map_or(Json::Null, Json::from);
    nested(Json::Array((0..count).map(member).collect()))
}

/// Gives dates or timestamps from the first argument to the second. The step has months, days and microseconds; by
/// default it is one day, backwards if the second argument lies before the first.
fn moments(a: &Arguments<'_>) -> Option<Value> {
    let (first, last) = (moment(a, 0)?, moment(a, 1)?);
    let dates = a.text(0)?.trim().len() <= 10;
    let forwards = first <= last;
    let step = match a.len() {
        0..=2 => TimeStep { months: 0, days: if forwards { 1 } else { -1 }, micros: 0 },
        _ => {
            let part = |at: usize| if at < a.len() { a.integer(at) } else { Some(0) };
            TimeStep { months: part(2)?, days: part(3)?, micros: part(4)? }
        }
    };
    if !step.leads(forwards) {
        return if first == last {
            nested(Json::from(vec![a.text(0)?.into_owned()]))
        } else {
            a.refuse(CallError::Argument)
        };
    }
    let mut items = Vec::new();
    for index in 0.. {
        let member = step.times(index)?.from(first)?;
        if member != last && (member > last) == forwards {
            break;
        }
        a.fits((items.len() + 1) * BYTES_OF_MEMBER)?;
        items.push(Json::from(if dates { member.format("%Y-%m-%d").to_string() } else { moment_text(&member) }));
    }
    nested(Json::Array(items))
}
