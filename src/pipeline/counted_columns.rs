//! Other repairs of a COUNT: those that count another column of the same relation.
//!
//! Where rows are told to count only if something is known, and a sample leaves several columns of a row empty, a reader
//! cannot tell which of them is meant.

use crate::code::edit::{Edit, Edits};
use crate::code::script::Script;
use crate::code::tree::{Kind, NodeId};
use crate::prove::Subject;
use crate::prove::suite::MutantText;

/// Most columns that are counted instead.
const MOST: usize = 24;

/// Returns the reference with another column in each COUNT of a column that these edits touch.
pub(super) fn with_counted_columns(subject: &Subject<'_>, edits: &Edits) -> Vec<MutantText> {
    let script = &subject.reference.script;
    let tree = script.tree();
    let is_touched = |node: &NodeId| edits.as_slice().iter().any(|edit| edit.span().touches(tree.span(*node)));
    let counts = tree.ids().filter(|node| is_count(script, *node)).filter(is_touched);
    counts.flat_map(|count| with_other_columns(subject, count)).take(MOST).collect()
}

fn is_count(script: &Script, node: NodeId) -> bool {
    matches!(script.tree().kind(node), Kind::Call { .. }) && script.function_name(node).eq_ignore_ascii_case("count")
}

fn with_other_columns(subject: &Subject<'_>, count: NodeId) -> Vec<MutantText> {
    let script = &subject.reference.script;
    let (text, tree) = (script.text(), script.tree());
    let Some(column) = tree.child(count, |kind| kind == Kind::Column) else { return Vec::new() };
    // A script has the same node numbers before and after its placeholders are bound.
    let Some(relation) = subject.scopes.relation_of_column(column) else { return Vec::new() };
    let span = tree.span(column);
    let written = script.slice(column);
    let (qualifier, counted) = written.rsplit_once('.').map_or(("", written), |(table, name)| (table, name));
    let columns = subject.scopes.relation(relation).columns.iter();
    let others = columns.map(|other| other.name.as_str()).filter(|name| !name.eq_ignore_ascii_case(counted));
    let with = |name: &str| {
        let name = if qualifier.is_empty() { name.to_owned() } else { format!("{qualifier}.{name}") };
        let edits = Edits::new(vec![Edit::replacement(span, name)]).ok()?;
        Some(MutantText { text: edits.apply(text).ok()?, changed: edits.inverse(text).span() })
    };
    others.filter_map(with).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::span::Span;
    use crate::corpus::Reference;
    use crate::prove::Verdict;
    use crate::prove::sample::{SampleSource, SampledMutant};
    use crate::prove::suite::OtherMutants;
    use crate::prove::trial::{Candidate, try_semantic};

    #[test]
    fn a_sample_tells_the_count_of_another_column_from_the_right_one() {
        let sql = "SELECT t.city, COUNT(t.paid) AS n FROM orders t GROUP BY t.city";
        let reference = Reference::of_test(sql, "CREATE TABLE orders (city STRING, paid STRING, sent STRING)");
        let subject = Subject::new(&reference).unwrap();
        let start = sql.find("t.paid").unwrap();
        let star = Edit::replacement(Span::new(start, start + "t.paid".len()), "*");
        let edits = Edits::new(vec![star]).unwrap();
        let others = with_counted_columns(&subject, &edits);
        let texts: Vec<&str> = others.iter().map(|other| other.text.as_str()).collect();
        let with = |column: &str| sql.replace("t.paid", column);
        assert_eq!(texts, [with("t.city"), with("t.sent")]);

        let (text, changed) = (edits.apply(sql).unwrap(), edits.inverse(sql).span());
        let whole = Candidate { text: &text, changed, about: &[] };
        let Verdict::Killed { witness, .. } = try_semantic(&subject, &whole) else { panic!("not killed") };
        let mutant = SampledMutant { whole, parts: Vec::new(), witnesses: vec![&witness], others: &others };
        let sample = SampleSource::new(&subject).sample(&mutant).unwrap();
        let near = OtherMutants::new(&subject, &others);
        assert_eq!(near.killed_by(&sample, &[0, 1]), [0, 1]);
    }
}
