//! How near values come to meeting conditions, for many choices of them in one query.

use super::conditions::{BaseConditions, SoughtValue};
use super::distance::{Distance, distance_apart, is_met};
use crate::code::schema::{Schema, TableColumn, TableDefinition};
use crate::code::scope::ResolvedScript;
use crate::code::types::Type;
use crate::corpus::Reference;
use crate::engine::sqlite::{Limits, Sqlite, Translation};
use crate::engine::table::{Database, Row, TableRows, Value};

/// The table that holds choices.
const CHOICES: &str = "choices";
/// The column that numbers them.
const NUMBER: &str = "choice_number";

/// A query that tells of each choice of values which conditions it meets.
pub(super) struct Trial {
    schema: Schema,
    translation: Translation,
    /// How many pairs of sides each condition has.
    sides: Vec<usize>,
}

impl Trial {
    /// Prepares the query; `None` if the embedded engine has no translation for it.
    pub fn new(base: &BaseConditions, reference: &Reference) -> Option<Trial> {
        let column = |name: String, data_type: &Type| TableColumn {
            name,
            data_type: data_type.clone(),
            nullable: true,
            partition: false,
            comment: String::new(),
            own_value: false,
        };
        let conditions = &base.conditions;
        let of_choice = base.read().into_iter();
        let of_choice = of_choice.map(|number| column(SoughtValue::name(number), &base.values[number].data_type));
        let definition = TableDefinition {
            name: CHOICES.to_owned(),
            columns: std::iter::once(column(NUMBER.to_owned(), &Type::BigInt)).chain(of_choice).collect(),
            comment: String::new(),
        };
        let schema = Schema::from(vec![definition]);
        let mut outputs = vec![NUMBER.to_owned()];
        for (at, condition) in conditions.iter().enumerate() {
            outputs.push(format!("({}) AS met_{at}", condition.sql));
            for (number, [left, right]) in condition.sides.iter().enumerate() {
                outputs.push(format!("({left}) AS left_{at}_{number}, ({right}) AS right_{at}_{number}"));
            }
        }
        let text = format!("SELECT {} FROM {CHOICES}", outputs.join(", "));
        let ResolvedScript { script, scopes } = ResolvedScript::new(text, &schema);
        let is_whole = script.is_valid() && scopes.problems().is_empty();
        let translation = is_whole.then(|| Sqlite::translate(&script, &scopes, &schema, &reference.parameters).ok());
        let sides = conditions.iter().map(|condition| condition.sides.len()).collect();
        Some(Trial { translation: translation.flatten()?, schema, sides })
    }

    /// Returns the distance of each choice, in their order; `None` if the query fails, as where one of them is refused.
    pub fn distances(&self, choices: &[Vec<Value>]) -> Option<Vec<Distance>> {
        let numbered = |(number, choice): (usize, &Vec<Value>)| -> Row {
            std::iter::once(Value::Integer(number as i64)).chain(choice.iter().cloned()).collect()
        };
        let rows = choices.iter().enumerate().map(numbered).collect();
        let database = Database { tables: vec![TableRows { table: CHOICES.to_owned(), rows }] };
        let limits = Limits { rows: choices.len(), ..Limits::default() };
        let result = Sqlite::open(&self.schema, &database).ok()?.run(&self.translation, &limits).ok()?;
        let mut distances = vec![Distance::INFINITY; choices.len()];
        for row in &result.tables.first()?.rows {
            let number = row.first().and_then(Value::as_number)? as usize;
            *distances.get_mut(number)? = self.distance(&row[1..]);
        }
        Some(distances)
    }

    fn distance(&self, mut cells: &[Value]) -> Distance {
        let mut distance = 0.0;
        for sides in &self.sides {
            let (met, rest) = cells.split_at(1);
            let (compared, rest) = rest.split_at(2 * sides);
            cells = rest;
            if !is_met(&met[0]) {
                let apart = compared.chunks_exact(2).map(|pair| distance_apart(&pair[0], &pair[1])).reduce(f64::min);
                distance += 1.0 + apart.unwrap_or(1.0);
            }
        }
        distance
    }
}
