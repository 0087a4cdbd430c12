//! Values that follow from others of their group.

use super::{Generator, ScanRow, convert, positions_of};
use crate::code::tree::NodeId;
use crate::engine::table::Value;
use crate::prove::data::constraint::{Derivation, ScanColumn, TimeDistance};

impl Generator<'_> {
    /// Computes an expression on the rows of a group and writes its value into the column that must equal it, and into
    /// the columns that this one is joined with.
    pub(super) fn derive(&self, derivation: &Derivation, rows: &mut [ScanRow]) {
        let Some(definition) = self.definition(derivation.target) else { return };
        let of_other_row = derivation.is_of_other_row();
        let first = usize::from(of_other_row);
        for (number, target) in positions_of(rows, derivation.target.scan).into_iter().enumerate().skip(first) {
            let Some(inputs) = self.input_literals(derivation, rows, number - first) else { continue };
            let mut text = self.evaluator.text_with(derivation.expression, inputs);
            if let Some(distance) = &derivation.distance {
                text = moment_at_distance(&text, distance);
            }
            let Some(value) = self.evaluator.value(&text) else { continue };
            rows[target].values[derivation.target.column] = convert(value.clone(), &definition.data_type);
            self.write_to_partners(derivation.target, of_other_row.then_some(number), &value, rows);
        }
    }

    /// Returns the columns in an expression as literals, taken from the `number`-th row of their scan, or from its last
    /// one if it has fewer; `None` if a scan has no row.
    fn input_literals(
        &self,
        derivation: &Derivation,
        rows: &[ScanRow],
        number: usize,
    ) -> Option<Vec<(NodeId, String)>> {
        let literal = |source: ScanColumn| {
            let positions = positions_of(rows, source.scan);
            let at = positions.get(number).or(positions.last())?;
            Some(rows[*at].values[source.column].literal(&self.definition(source)?.data_type))
        };
        derivation.inputs.iter().map(|input| Some((input.node, literal(input.source)?))).collect()
    }

    /// Writes the value of a column into the columns that it is joined with. With `number` the value is that of one row
    /// alone: only rows of other scans with this number take it, because the rows from which it is computed keep theirs.
    pub(super) fn write_to_partners(
        &self,
        target: ScanColumn,
        number: Option<usize>,
        value: &Value,
        rows: &mut [ScanRow],
    ) {
        let class = self.classes.of_column(target).map_or(&[][..], |class| &self.classes.members[class]);
        for member in class.iter().filter(|member| member.steps.is_empty()) {
            let Some(definition) = self.definition(member.source) else { continue };
            let is_own = member.source.scan == target.scan;
            for (row, at) in positions_of(rows, member.source.scan).into_iter().enumerate() {
                if number.is_none_or(|number| !is_own && row == number) {
                    rows[at].values[member.source.column] = convert(value.clone(), &definition.data_type);
                }
            }
        }
    }
}

/// Returns the SQL expression of the moment at a distance from another.
fn moment_at_distance(moment: &str, TimeDistance { number, unit }: &TimeDistance) -> String {
    let sign = if *number < 0 { '-' } else { '+' };
    format!("CAST({moment} AS TIMESTAMP) {sign} INTERVAL '{}' {unit}", number.unsigned_abs())
}
