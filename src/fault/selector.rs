//! Which nodes a declarative operator works on, as a taxonomy file states it.

use regex::Regex;
use serde::Deserialize;

use super::many::Many;
use super::node_name::NodeName;

/// A choice of nodes. Every field that is given must hold; a field with several values holds when one of them does.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Selector {
    /// What the node is.
    pub node: Many<NodeName>,
    /// What its parent is.
    pub parent: Many<NodeName>,
    /// What its parent is not.
    pub not_parent: Many<NodeName>,
    /// What some node above it in the same SELECT block is.
    pub within: Many<NodeName>,
    /// What no node above it in the same SELECT block is.
    pub not_within: Many<NodeName>,
    /// What one of its children is.
    pub holds: Many<NodeName>,
    /// What none of its children is.
    pub lacks: Many<NodeName>,
    /// What the statement or expression that owns its query is: `insert`, `common-table`, `derived`, `in-query`,
    /// `set-operation` (the query is one side of it) and so on.
    pub query_of: Many<NodeName>,
    /// The name of the called function, for calls.
    pub function: Many<String>,
    /// The name of the function whose argument it stands in, however deep, in the same SELECT block.
    pub argument_of: Many<String>,
    /// The name of the function whose argument it is itself.
    pub parent_function: Many<String>,
    /// Where it stands among its siblings of the same kind.
    pub position: Option<SiblingPosition>,
    /// What its SELECT block is like.
    pub block: Many<BlockTrait>,
    /// Where a partition column of a table stands, seen from the node.
    pub partition_column: Option<PartitionColumn>,
    /// What its whole source text matches; letter case does not count.
    pub text: Option<TextPattern>,
    /// What its whole source text does not match.
    pub not_text: Option<TextPattern>,
}

/// A place among siblings of the same kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SiblingPosition {
    /// The first.
    First,
    /// Any but the first.
    Later,
    /// The last, when there are several.
    Last,
    /// Any but the last.
    Earlier,
    /// The only one.
    Only,
    /// Any, when there are several.
    OneOfSeveral,
}

/// Where a column that partitions a table of the schema stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PartitionColumn {
    /// In the node itself, which names at least one column and partition columns only.
    Inside,
    /// Beside the node, under the same parent.
    Beside,
}

/// A property of a SELECT block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BlockTrait {
    /// It has GROUP BY.
    Grouped,
    /// It aggregates without GROUP BY.
    Totals,
    /// It neither groups nor aggregates.
    Plain,
}

/// A regular expression that must match a whole text, ignoring letter case.
#[derive(Clone, Debug)]
pub struct TextPattern(Regex);

impl TextPattern {
    /// Whether all of `text` matches.
    pub fn matches(&self, text: &str) -> bool {
        self.0.is_match(text)
    }
}

impl<'de> Deserialize<'de> for TextPattern {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let source = String::deserialize(deserializer)?;
        let regex = Regex::new(&format!("(?is)^(?:{source})$")).map_err(serde::de::Error::custom)?;
        Ok(TextPattern(regex))
    }
}
