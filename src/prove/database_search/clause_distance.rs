//! How near the rows of a database come to a clause that none of them meets.

use super::super::data::row_search::{Distance, distance_apart, is_met};
use super::super::standalone::{text_at, translated};
use crate::code::schema::Schema;
use crate::code::script::Script;
use crate::code::tree::{Kind, NodeId};
use crate::engine::sqlite::{Limits, LoadedDatabase, Translation};
use crate::engine::table::{Row, Value};

/// Instructions of one query: a database on which it takes longer is too large to go on from.
const MOST_INSTRUCTIONS: u64 = 5_000_000;
/// Rows of which the nearest is sought.
const MOST_ROWS: usize = 2_000;
/// Longest list of IN of which each element is compared.
const LONGEST_LIST: usize = 16;

/// A query that tells of each row that reaches a clause how near it comes to meeting it.
pub(super) struct ClauseDistance {
    translation: Translation,
    condition: ConditionShape,
    /// How many columns of the query tell it, the last ones.
    width: usize,
}

/// How a condition is made of others; columns are those that tell the distance.
enum ConditionShape {
    /// A condition of its own: the column that says whether it is met, and whether the next two hold what it compares.
    Alone { met: usize, is_comparison: bool },
    /// All have to be met.
    All(Vec<ConditionShape>),
    /// One has to be met.
    Any(Vec<ConditionShape>),
}

/// The row that comes nearest to a clause.
pub(super) struct NearestRow {
    /// How many conditions it does not meet, each with up to 1 for how far apart the values are that it compares, and more
    /// for each that is NULL.
    pub distance: Distance,
    /// The values that its unmet conditions compare.
    pub compared: Vec<Value>,
}

impl ClauseDistance {
    /// Prepares the query for a clause of a script with its placeholders bound; `None` if it cannot be run alone, or the
    /// clause is none of conditions.
    pub fn of(script: &Script, schema: &Schema, clause: NodeId) -> Option<ClauseDistance> {
        let tree = script.tree();
        let mut writer = ShapeWriter { script, outputs: Vec::new() };
        let conditions = tree.conjuncts(clause).iter().map(|condition| writer.shape(*condition)).collect();
        let outputs = writer.outputs.join(", ");
        let block = tree.enclosing(clause, |kind| matches!(kind, Kind::Select { .. }))?;
        let query = query_before(script, block, clause, &outputs)?;
        let text = text_at(script, block, &format!("{query}\nLIMIT {MOST_ROWS}"));
        let translation = translated(text, schema)?;
        Some(ClauseDistance { translation, condition: ConditionShape::All(conditions), width: writer.outputs.len() })
    }

    /// Returns the row of a database that comes nearest; `None` if no row reaches the clause, or the query fails.
    pub fn nearest(&self, database: &LoadedDatabase) -> Option<NearestRow> {
        let limits = Limits { instructions: MOST_INSTRUCTIONS, ..Limits::default() };
        let result = database.run(&self.translation, &limits).ok()?;
        // Queries before it give results of their own.
        let table = result.tables.iter().rfind(|table| table.target.is_empty())?;
        let cells =
            |row: &Row| -> Vec<Value> { row.iter().skip(row.len().saturating_sub(self.width)).cloned().collect() };
        let rows = table.rows.iter().map(cells).map(|cells| (self.condition.distance(&cells), cells));
        let (distance, cells) = rows.min_by(|(one, _), (other, _)| one.total_cmp(other))?;
        let mut compared = Vec::new();
        self.condition.add_compared(&cells, &mut compared);
        Some(NearestRow { distance, compared })
    }
}

impl ConditionShape {
    fn distance(&self, cells: &[Value]) -> Distance {
        match self {
            ConditionShape::Alone { met, .. } if is_met(&cells[*met]) => 0.0,
            ConditionShape::Alone { met, is_comparison: true } => {
                let sides = [&cells[met + 1], &cells[met + 2]];
                // A value where there was none is a step, though nothing can be said of how far it is off.
                let nulls = sides.iter().filter(|side| ***side == Value::Null).count();
                1.0 + if nulls > 0 { 1.0 + nulls as Distance } else { distance_apart(sides[0], sides[1]) }
            }
            ConditionShape::Alone { .. } => 2.0,
            ConditionShape::All(all) => all.iter().map(|one| one.distance(cells)).sum(),
            ConditionShape::Any(any) => {
                any.iter().map(|one| one.distance(cells)).reduce(Distance::min).unwrap_or_default()
            }
        }
    }

    fn add_compared(&self, cells: &[Value], compared: &mut Vec<Value>) {
        match self {
            ConditionShape::Alone { met, is_comparison: true } if !is_met(&cells[*met]) => {
                let values = cells[met + 1..met + 3].iter().filter(|value| **value != Value::Null);
                compared.extend(values.cloned());
            }
            ConditionShape::Alone { .. } => {}
            ConditionShape::All(parts) | ConditionShape::Any(parts) => {
                parts.iter().for_each(|part| part.add_compared(cells, compared));
            }
        }
    }
}

/// Returns the query whose rows reach a clause of a block, with these outputs at the end of its list.
fn query_before(script: &Script, block: NodeId, clause: NodeId, outputs: &str) -> Option<String> {
    let tree = script.tree();
    let from = tree.child(block, |kind| kind == Kind::From)?;
    let up_to = |is_kept: fn(Kind) -> bool| {
        let clauses = tree.children_where(block, is_kept).map(|clause| script.slice(clause));
        clauses.collect::<Vec<_>>().join("\n")
    };
    // GROUP BY may name a column of the list by its position, and later clauses one by its name.
    let list = script.slice(tree.child(block, |kind| kind == Kind::Projection)?);
    Some(match tree.kind(clause) {
        Kind::On => {
            let head = &script.text()[tree.span(from).start..tree.span(clause).start];
            format!("SELECT {outputs} {head} ON TRUE")
        }
        Kind::Where => {
            let views = up_to(|kind| matches!(kind, Kind::From | Kind::LateralView { .. }));
            format!("SELECT {outputs} {views}")
        }
        Kind::Having => {
            let kept = |kind| matches!(kind, Kind::From | Kind::LateralView { .. } | Kind::Where | Kind::GroupBy);
            format!("SELECT {list}, {outputs} {}", up_to(kept))
        }
        Kind::Qualify => {
            let kept = |kind| {
                use Kind::{From, GroupBy, Having, LateralView, Where};
                matches!(kind, From | LateralView { .. } | Where | GroupBy | Having)
            };
            format!("SELECT {list}, {outputs} {}", up_to(kept))
        }
        _ => return None,
    })
}

/// Writes the outputs that tell how near a row comes.
struct ShapeWriter<'a> {
    script: &'a Script,
    outputs: Vec<String>,
}

impl ShapeWriter<'_> {
    fn shape(&mut self, condition: NodeId) -> ConditionShape {
        let (script, tree) = (self.script, self.script.tree());
        let text = |node: NodeId| script.slice(node);
        match (tree.kind(condition), tree.children(condition)) {
            (Kind::Paren, [inner]) => self.shape(*inner),
            (Kind::And, all) => ConditionShape::All(all.iter().map(|one| self.shape(*one)).collect()),
            (Kind::Or, any) => ConditionShape::Any(any.iter().map(|one| self.shape(*one)).collect()),
            (Kind::Binary(operator), [left, right]) if operator.is_comparison() => {
                self.compared(text(condition).to_owned(), text(*left), text(*right))
            }
            (Kind::Between { negated: false }, [value, low, high]) => {
                let (value, low, high) = (text(*value), text(*low), text(*high));
                ConditionShape::All(vec![
                    self.compared(format!("({value}) >= ({low})"), value, low),
                    self.compared(format!("({value}) <= ({high})"), value, high),
                ])
            }
            (Kind::InList { negated: false }, [value, list @ ..])
                if list.len() <= LONGEST_LIST && tree.kind(*value) != Kind::Tuple =>
            {
                let each = list.iter().map(|item| (text(*value), text(*item)));
                ConditionShape::Any(
                    each.map(|(value, item)| self.compared(format!("({value}) = ({item})"), value, item)).collect(),
                )
            }
            _ => {
                self.outputs.push(format!("({}) AS met_{}", text(condition), self.outputs.len()));
                ConditionShape::Alone { met: self.outputs.len() - 1, is_comparison: false }
            }
        }
    }

    fn compared(&mut self, condition: String, left: &str, right: &str) -> ConditionShape {
        let met = self.outputs.len();
        self.outputs.push(format!("({condition}) AS met_{met}"));
        self.outputs.push(format!("({left}) AS left_{met}"));
        self.outputs.push(format!("({right}) AS right_{met}"));
        ConditionShape::Alone { met, is_comparison: true }
    }
}
