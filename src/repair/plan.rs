//! Reads the replies of an agent's planner.

use crate::reply::{between, json_in, without_thoughts};

/// What a planner says.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct RepairPlan {
    /// What to change.
    pub instruction: String,
    /// The changed lines of the script; empty when there are none.
    pub sketch: String,
}

/// Returns the plan in a reply: its parts, or all of it as the instruction. `None` when it says nothing.
pub fn plan(reply: &str) -> Option<RepairPlan> {
    let reply = without_thoughts(reply);
    let instruction = between(reply, "instruction").or_else(|| between(reply, "instructions"));
    let instruction = instruction.unwrap_or(reply.trim()).to_owned();
    let sketch = between(reply, "sketch").or_else(|| between(reply, "sketch_sql")).unwrap_or_default().to_owned();
    if instruction.is_empty() && sketch.is_empty() { None } else { Some(RepairPlan { instruction, sketch }) }
}

/// Returns the query that a planner wants to see the rows of before it goes on: `<query>…</query>`, or the field
/// `query` of a JSON object. `None` when it asks nothing.
pub fn query(reply: &str) -> Option<String> {
    let reply = without_thoughts(reply);
    let field = || json_in(reply)?.get("query")?.as_str().map(str::to_owned);
    let asked = between(reply, "query").map(str::to_owned).or_else(field)?;
    (!asked.trim().is_empty()).then_some(asked)
}

/// Whether a planner leaves the script as it is.
pub fn is_done(reply: &str) -> bool {
    without_thoughts(reply).contains("<done/>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_read_from_its_parts_or_taken_whole() {
        let reply = "<analysis>x</analysis>\n<instruction>\ndo a\n</instruction>\n<sketch>\n-- ...\n</sketch>";
        assert_eq!(plan(reply), Some(RepairPlan { instruction: "do a".to_owned(), sketch: "-- ...".to_owned() }));
        assert_eq!(plan("just do it").unwrap().instruction, "just do it");
        assert_eq!(plan("<think>hm</think>\n"), None);
    }

    #[test]
    fn a_query_is_asked_in_tags_or_as_a_field_and_not_while_thinking() {
        let cases = [
            ("<query>\nSELECT 1\n</query>", Some("SELECT 1")),
            ("{\"query\": \"SELECT 1\"}", Some("SELECT 1")),
            ("<think><query>SELECT 1</query></think><instruction>x</instruction>", None),
            ("<query> </query>", None),
        ];
        for (reply, wanted) in cases {
            assert_eq!(query(reply).as_deref(), wanted, "{reply}");
        }
    }
}
