//! Texts of a length that is asked for: `substr(x, 1, 3) = 'abc' AND length(x) > 5`.

use super::constraint::{PathStep, Predicate, Requirement};
use super::satisfies::satisfies;
use crate::engine::table::Value;

/// Longest text made for a length.
const LONGEST: usize = 256;

/// Splits what is asked of a text into the predicates on its length and all else.
pub(super) fn split_lengths<'a>(requirements: &[Requirement<'a>]) -> (Vec<&'a Predicate>, Vec<Requirement<'a>>) {
    let (mut lengths, mut others) = (Vec::new(), Vec::new());
    for requirement in requirements {
        match requirement.predicate {
            Some(predicate) if requirement.steps == [PathStep::Length] => lengths.push(predicate),
            _ => others.push(*requirement),
        }
    }
    (lengths, others)
}

/// Returns the text cut or filled to the nearest length that meets the predicates; the text itself if there is none, or if
/// what else is asked of it would no longer hold.
pub(super) fn with_length(text: String, lengths: &[&Predicate], others: &[Requirement<'_>]) -> String {
    let fits = |count: &usize| {
        let count = Value::Integer(i64::try_from(*count).unwrap_or(i64::MAX));
        lengths.iter().all(|predicate| satisfies(predicate, &count))
    };
    let chars: Vec<char> = text.chars().collect();
    let nearest = (0..=LONGEST).filter(fits).min_by_key(|count| count.abs_diff(chars.len()));
    let Some(wanted) = nearest.filter(|wanted| *wanted != chars.len()) else { return text };
    let tried: [String; 3] = if wanted < chars.len() {
        let surplus = chars.len() - wanted;
        let middle = wanted / 2;
        let cut: Vec<char> = chars[..middle].iter().chain(&chars[middle + surplus..]).copied().collect();
        [chars[..wanted].iter().collect(), chars[surplus..].iter().collect(), cut.into_iter().collect()]
    } else {
        let fill: String = ('a'..='z').cycle().take(wanted - chars.len()).collect();
        let (front, back) = chars.split_at(chars.len() / 2);
        let between = front.iter().copied().chain(fill.chars()).chain(back.iter().copied()).collect();
        [format!("{text}{fill}"), format!("{fill}{text}"), between]
    };
    tried.into_iter().find(|text| others.iter().all(|requirement| holds(requirement, text))).unwrap_or(text)
}

/// Whether a text meets what is asked of it or of a piece of it; anything further is left to a run.
fn holds(requirement: &Requirement<'_>, text: &str) -> bool {
    let Some(predicate) = requirement.predicate else { return true };
    match requirement.steps {
        [] => satisfies(predicate, &Value::Text(text.to_owned())),
        [PathStep::Slice(start, length)] => {
            let piece = text.chars().skip(start - 1).take(*length).collect();
            satisfies(predicate, &Value::Text(piece))
        }
        _ => true,
    }
}
