//! Localisation: did a prediction change the right place, and how much else did it touch?

use std::ops::Range;

use serde::{Deserialize, Serialize};
use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::code::edit::Edits;
use crate::code::script::Script;

/// Where a prediction changed the issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChangeLocation {
    /// Whether it changed something at the place of every edit of the repair.
    pub hit: bool,
    /// How many significant tokens it removed or added at other places.
    pub elsewhere: usize,
}

/// Compares the changes from issue to prediction with the edits that repair the issue. A change is at the place of an
/// edit if it touches the edit's tokens or is next to them.
pub fn placement(issue: &Script, prediction: &Script, repair: &Edits) -> ChangeLocation {
    let (old, new) = (issue.lowercase_words(), prediction.lowercase_words());
    // The difference may describe a moved condition by other changes than the repair, but the reference always hits.
    if repair.apply(issue.text()).is_ok_and(|reference| Script::new(reference).lowercase_words() == new) {
        return ChangeLocation { hit: true, elsewhere: 0 };
    }
    let operations = capture_diff_slices(Algorithm::Myers, &old, &new);
    let places: Vec<Range<usize>> = repair.as_slice().iter().map(|edit| place(issue, edit.span())).collect();
    let mut hits = vec![false; places.len()];
    let mut elsewhere = 0;
    for operation in operations.iter().filter(|operation| !matches!(operation, DiffOp::Equal { .. })) {
        let changed = reach(operation, &old, &new);
        let touches = |place: &Range<usize>| changed.start <= place.end && place.start <= changed.end;
        if !places.iter().any(touches) {
            elsewhere += operation.old_range().len() + operation.new_range().len();
        }
        for (hit, place) in hits.iter_mut().zip(&places) {
            *hit |= touches(place);
        }
    }
    ChangeLocation { hit: hits.iter().all(|hit| *hit), elsewhere }
}

/// Returns the old tokens that a change may be attributed to. The place of an insertion or deletion is not always
/// unique: from `a, b, c` to `a, c` either comma may have been deleted.
fn reach(operation: &DiffOp, old: &[String], new: &[String]) -> Range<usize> {
    let (at, inner, tokens) = match operation {
        DiffOp::Delete { .. } => (operation.old_range(), operation.old_range(), old),
        DiffOp::Insert { .. } => (operation.old_range(), operation.new_range(), new),
        _ => return operation.old_range(),
    };
    let back = (1..=inner.start).take_while(|n| tokens[inner.start - n] == tokens[inner.end - n]).count();
    let ahead = (0..tokens.len() - inner.end).take_while(|n| tokens[inner.start + n] == tokens[inner.end + n]).count();
    at.start.saturating_sub(back)..(at.end + ahead).min(old.len())
}

/// Returns the range of significant tokens that an edit covers, which is empty for an insertion.
fn place(issue: &Script, span: crate::code::span::Span) -> Range<usize> {
    let first = issue.token_at(span.start);
    let end = issue.tokens().partition_point(|token| token.span().start < span.end);
    first..end.max(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::edit::Edit;

    const ISSUE: &str = "SELECT a, b FROM t JOIN u ON t.k = u.k WHERE a > 2 AND b < 3";

    fn at(old: &str, new: &str) -> Edit {
        let start = ISSUE.find(old).unwrap();
        Edit { start, end: start + old.len(), text: new.to_owned() }
    }

    #[test]
    fn a_change_at_the_place_hits_even_when_it_is_wrong_and_others_are_counted() {
        let repair = Edits::new(vec![at("2", "1")]).unwrap();
        let cases = [
            (ISSUE.replace("a > 2", "a > 1"), true, 0),
            (ISSUE.replace("a > 2", "a >= 2"), true, 0),
            (ISSUE.replace("a > 2", "a > 1").replace("b < 3", "b <= 3"), true, 2),
            (ISSUE.replace("b < 3", "b < 4"), false, 2),
            (ISSUE.replace("JOIN", "LEFT JOIN"), false, 1),
            (ISSUE.to_lowercase().replace(" from", "\n-- x\nfrom"), false, 0),
        ];
        for (prediction, hit, elsewhere) in cases {
            let found = placement(&Script::new(ISSUE), &Script::new(prediction.as_str()), &repair);
            assert_eq!(found, ChangeLocation { hit, elsewhere }, "{prediction}");
        }
    }

    #[test]
    fn a_condition_moved_back_is_at_its_place() {
        let issue = "SELECT a FROM t LEFT JOIN u ON t.k = u.k AND u.o <= 'x' WHERE u.dt = 'x' GROUP BY a";
        let (before, after) = (issue.find("AND").unwrap(), issue.find(" WHERE").unwrap());
        let edits = vec![
            Edit { start: before, end: before, text: "AND u.dt = 'x' ".to_owned() },
            Edit { start: after, end: issue.find(" GROUP").unwrap(), text: String::new() },
        ];
        let repair = Edits::new(edits).unwrap();
        let right = Script::new(repair.apply(issue).unwrap().to_lowercase());
        let expected = ChangeLocation { hit: true, elsewhere: 0 };
        assert_eq!(placement(&Script::new(issue), &right, &repair), expected);
    }

    #[test]
    fn an_insertion_is_hit_by_an_insertion_there() {
        let start = ISSUE.find("JOIN").unwrap();
        let repair = Edits::new(vec![Edit { start, end: start, text: "LEFT ".to_owned() }]).unwrap();
        let prediction = Script::new(ISSUE.replace("JOIN", "left outer join"));
        assert_eq!(placement(&Script::new(ISSUE), &prediction, &repair), ChangeLocation { hit: true, elsewhere: 0 });
    }
}
