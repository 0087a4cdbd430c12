//! Puts a condition on one column into words.

use crate::code::schema::Schema;
use crate::code::script::{Script, unquoted};
use crate::code::tree::{BinaryOperator, Kind, NodeId};
use crate::prove::data::lineage::Lineage;
use crate::publish::vocabulary::{Vocabulary, filled, is_read_on};

/// What people call the columns of a script.
pub(super) struct ColumnNames<'a> {
    pub lineage: Lineage<'a>,
    pub schema: &'a Schema,
    pub vocabulary: &'a Vocabulary,
}

/// A condition in words, and the literals that the words cite.
pub(super) struct ConditionInWords {
    pub words: String,
    pub quoted: Vec<String>,
}

/// Returns in words what a condition asks of one column; `None` if it is more than a column and literals.
pub(super) fn in_words(names: &ColumnNames<'_>, node: NodeId) -> Option<ConditionInWords> {
    let (script, vocabulary) = (names.lineage.script, names.vocabulary);
    let words = &vocabulary.condition;
    let children = script.tree().children(node);
    let about = |template, values: &[(&str, &str)], column: NodeId, quoted: Vec<String>| {
        let column = names.words(column)?;
        let variables: Vec<(&str, &str)> = values.iter().copied().chain([("column", column.as_str())]).collect();
        Some(ConditionInWords { words: filled(template, &variables), quoted })
    };
    match (script.tree().kind(node), children) {
        (Kind::Binary(operator), [left, right]) => {
            let turned = literal(script, *left).is_some();
            let (column, value) = if turned { (*right, *left) } else { (*left, *right) };
            let value = literal(script, value)?;
            let template = match (operator, turned) {
                (BinaryOperator::Equal, _) => &words.equal,
                (BinaryOperator::NotEqual, _) => &words.not_equal,
                (BinaryOperator::Less, false) | (BinaryOperator::Greater, true) => &words.less,
                (BinaryOperator::LessOrEqual, false) | (BinaryOperator::GreaterOrEqual, true) => &words.less_or_equal,
                (BinaryOperator::Greater, false) | (BinaryOperator::Less, true) => &words.greater,
                (BinaryOperator::GreaterOrEqual, false) | (BinaryOperator::LessOrEqual, true) => {
                    &words.greater_or_equal
                }
                _ => return None,
            };
            about(template, &[("value", &cited(&value))], column, vec![value])
        }
        (Kind::InList { negated }, [column, values @ ..]) => {
            let values: Vec<String> = values.iter().map(|value| literal(script, *value)).collect::<Option<_>>()?;
            let cited: Vec<String> = values.iter().map(|value| cited(value)).collect();
            let value = vocabulary.listed(&cited, &vocabulary.list.alternative);
            let template = if negated { &words.not_equal } else { &words.equal };
            about(template, &[("value", &value)], *column, values)
        }
        (Kind::Between { .. }, [column, low, high]) => {
            let negated = script.slice(node).to_lowercase().split_whitespace().any(|word| word == "not");
            let bounds = [literal(script, *low)?, literal(script, *high)?];
            let [low, high] = &bounds;
            let said = about(&words.between, &[("low", &cited(low)), ("high", &cited(high))], *column, bounds.to_vec());
            said.filter(|_| !negated)
        }
        (Kind::IsNull { negated }, [column]) => {
            about(if negated { &words.filled } else { &words.missing }, &[], *column, Vec::new())
        }
        _ => None,
    }
}

impl ColumnNames<'_> {
    /// Returns a column in words: what its base column is called if it passes one on, else its own name in words;
    /// `None` if that says nothing, as `rn` does.
    pub fn words(&self, column: NodeId) -> Option<String> {
        let (script, tree) = (self.lineage.script, self.lineage.script.tree());
        if tree.kind(column) != Kind::Column {
            return None;
        }
        let name = tree.children(column).last().map(|part| script.name(*part))?;
        match self.base_words(column) {
            None if is_telling(&name) => self.vocabulary.computed_column(&name),
            words => words,
        }
    }

    /// The words for the column of a table from which a column takes its value; `None` if there are several, or if the
    /// value is that of another row: where it is missing, there is no such row.
    fn base_words(&self, column: NodeId) -> Option<String> {
        if self.lineage.origins(column).into_iter().any(|origin| self.lineage.script.call_at_offset(origin).is_some()) {
            return None;
        }
        let paths = self.lineage.trace(column);
        let source = paths.first()?.source;
        let is_one = paths.iter().all(|path| path.source == source);
        let table = self.schema.table(&self.lineage.scans[source.scan].table).filter(|_| is_one)?;
        self.vocabulary.read_column(&table.name, &table.columns.get(source.column)?.name)
    }
}

/// Returns whether the name of a column, CTE or sub-query means something to a user.
pub(super) fn is_telling(name: &str) -> bool {
    const NAMELESS: [&str; 26] = [
        "rnk", "row_num", "rownum", "cnt", "val", "seq", "rank_no", "flag", "src", "col", "tmp", "temp", "base",
        "data", "main", "sub", "final", "result", "source", "agg", "calc", "step", "num", "key", "value", "inner",
    ];
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_');
    bare.len() > 2 && !NAMELESS.contains(&bare)
}

/// Returns a literal as a condition in words cites it: in quotes where it would be read as a part of the sentence.
fn cited(literal: &str) -> String {
    if literal.contains(' ') || is_read_on(literal) { format!("\"{literal}\"") } else { literal.to_owned() }
}

/// Returns the value of a literal as a user reads it; `None` for anything else, blank texts, and texts with `%`, `\`
/// or `$`.
pub(super) fn literal(script: &Script, node: NodeId) -> Option<String> {
    let text = match script.tree().kind(node) {
        Kind::Text => unquoted(script.slice(node)).trim(),
        Kind::Number => script.slice(node),
        _ => return None,
    };
    (!text.is_empty() && !text.contains(['%', '\\', '$'])).then(|| text.to_owned())
}
