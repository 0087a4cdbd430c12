//! Reads a scenario with its tables out of a reply.

use serde_json::Value;

use super::refusal::{FailedGate, GateFailure};
use crate::code::schema::Schema;
use crate::corpus::ReferenceCard;
use crate::reply::{json_in, script, without_thoughts};

/// Most characters of a title.
const LONGEST_TITLE: usize = 120;

/// What a model thought of for another business.
pub(super) struct Scenario {
    /// The card of the script to come; its domain and parameters are still open.
    pub card: ReferenceCard,
    /// The table definitions as written.
    pub ddl: String,
    /// The table definitions as read.
    pub schema: Schema,
}

impl Scenario {
    /// Reads a reply that holds a block of JSON and a block of SQL.
    ///
    /// # Errors
    ///
    /// If one of them is missing or does not read.
    pub fn read(reply: &str) -> Result<Scenario, GateFailure> {
        let value = json_in(without_thoughts(reply)).unwrap_or_default();
        let card = ReferenceCard {
            title: text(&value, "title")?.chars().take(LONGEST_TITLE).collect(),
            intention: text(&value, "intention")?,
            scenario: text(&value, "scenario")?,
            ..ReferenceCard::default()
        };
        let ddl = script(reply, None)
            .ok_or_else(|| FailedGate::Definitions.with("there is no ```sql block with table definitions"))?;
        let schema = Schema::read(&ddl).map_err(|error| FailedGate::Definitions.with(error.to_string()))?;
        if schema.tables.is_empty() {
            return Err(FailedGate::Definitions.with("no table is defined"));
        }
        Ok(Scenario { card, ddl, schema })
    }
}

/// A text of the JSON block, on one line.
fn text(value: &Value, field: &str) -> Result<String, GateFailure> {
    let text = value.get(field).and_then(Value::as_str).unwrap_or_default();
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let missing = || FailedGate::Scenario.with(format!("there is no JSON object with a text \"{field}\""));
    if line.is_empty() { Err(missing()) } else { Ok(line) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_and_its_tables_are_read_or_the_model_is_told_what_is_missing() {
        let card =
            "```json\n{\"title\": \"Feeds\", \"intention\": \"Feed\\nby animal.\", \"scenario\": \"A zoo.\"}\n```\n";
        let read = |ddl: &str| Scenario::read(&format!("<think>x</think>{card}```sql\n{ddl}\n```"));
        let scenario = read("CREATE TABLE zoo.feeds (id BIGINT);").unwrap_or_else(|failure| panic!("{failure}"));
        assert_eq!((scenario.card.intention.as_str(), scenario.schema.tables.len()), ("Feed by animal.", 1));
        let gate = |read: Result<Scenario, GateFailure>| read.err().map(|failure| failure.gate);
        assert_eq!(gate(read("CREATE TABLE zoo.feeds (id")), Some(FailedGate::Definitions));
        assert_eq!(gate(Scenario::read(card)), Some(FailedGate::Definitions));
        assert_eq!(gate(Scenario::read("```sql\nCREATE TABLE a (b INT)\n```")), Some(FailedGate::Scenario));
    }
}
