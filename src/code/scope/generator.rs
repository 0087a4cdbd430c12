//! Generators: the columns that `explode` and the like return.

use super::catalogue::plain_column;
use super::model::OutputColumn;
use super::resolver::Resolver;
use crate::code::functions::RowGenerator;
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;
use crate::code::widen::widest;

impl Resolver<'_> {
    /// The columns a resolved call generates; `None` if they cannot be told.
    pub fn generated_columns(&self, call: NodeId) -> Option<Vec<OutputColumn>> {
        if !matches!(self.tree.kind(call), Kind::Call { .. }) {
            return None;
        }
        let function = self.script.function(call)?;
        let arguments = self.script.arguments(call);
        let first = arguments.first().map(|argument| self.typed(*argument).0).unwrap_or_default();
        Some(match function.row_generator() {
            Some(RowGenerator::Explode) => exploded(&first)?,
            Some(RowGenerator::PositionExplode) => {
                let position = plain_column("pos".to_owned(), Type::Int, function.keeps_empty());
                std::iter::once(position).chain(exploded(&first)?).collect()
            }
            Some(RowGenerator::Inline) => fields_of(&first)?,
            Some(RowGenerator::JsonTuple) => (1..arguments.len()).map(|at| text_column(at - 1)).collect(),
            Some(RowGenerator::Stack) => self.stacked(&arguments),
            None if function.name == "range" => vec![plain_column("id".to_owned(), Type::BigInt, false)],
            None => return None,
        })
    }

    /// `stack(n, …)`: the other arguments in n rows.
    fn stacked(&self, arguments: &[NodeId]) -> Vec<OutputColumn> {
        let [count, values @ ..] = arguments else { return Vec::new() };
        let rows: usize = self.script.slice(*count).parse().unwrap_or(1).max(1);
        let width = values.len().div_ceil(rows);
        let column = |at: usize| {
            let cells: Vec<(Type, bool)> =
                values.iter().skip(at).step_by(width).map(|cell| self.typed(*cell)).collect();
            let nullable = cells.len() < rows || cells.iter().any(|(_, nullable)| *nullable);
            plain_column(format!("col{at}"), widest(cells.iter().map(|(data_type, _)| data_type)), nullable)
        };
        (0..width).map(column).collect()
    }
}

/// The entries of a map or elements of an array; `None` if the type is not known.
fn exploded(data_type: &Type) -> Option<Vec<OutputColumn>> {
    Some(match data_type {
        Type::Map(key, value) => vec![
            plain_column("key".to_owned(), (**key).clone(), false),
            plain_column("value".to_owned(), (**value).clone(), true),
        ],
        Type::Array(element) => vec![plain_column("col".to_owned(), (**element).clone(), true)],
        _ => return None,
    })
}

/// The fields of the structs in an array; `None` if they are not known.
fn fields_of(data_type: &Type) -> Option<Vec<OutputColumn>> {
    let Type::Array(element) = data_type else { return None };
    let Type::Struct(fields) = &**element else { return None };
    Some(fields.iter().map(|(name, field)| plain_column(name.clone(), field.clone(), true)).collect())
}

fn text_column(at: usize) -> OutputColumn {
    plain_column(format!("c{at}"), Type::String, true)
}
