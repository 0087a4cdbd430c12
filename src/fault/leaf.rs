//! The leaves of the published taxonomy and our own beside them; those that entries call by name stand in
//! `taxonomy/leaves.tsv`.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::track::Track;

/// A leaf of the published taxonomy, or one of our own.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Leaf {
    /// Macro category.
    pub level1: String,
    /// Construct.
    pub level2: String,
    /// Atomic fault.
    pub level3: String,
    /// Tasks of the paper's benchmark that have it; 0 for leaves of our own.
    #[serde(default)]
    pub count: u32,
}

/// What an entry gives as its leaf: the name of a row of `leaves.tsv`, or a leaf written out.
#[derive(Clone, Debug)]
pub(super) enum LeafName {
    /// A row of the table.
    Named(String),
    /// A leaf of the entry's own.
    Written(Leaf),
}

impl<'de> Deserialize<'de> for LeafName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LeafNameVisitor)
    }
}

struct LeafNameVisitor;

impl<'de> Visitor<'de> for LeafNameVisitor {
    type Value = LeafName;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "the name of a leaf in leaves.tsv, or its level1, level2 and level3")
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<LeafName, E> {
        Ok(LeafName::Named(name.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<LeafName, A::Error> {
        Leaf::deserialize(MapAccessDeserializer::new(map)).map(LeafName::Written)
    }
}

/// The rows of `leaves.tsv` by name: the columns leaf, track, level1, level2, level3 and count.
#[derive(Clone, Debug, Default)]
pub(super) struct Leaves {
    rows: BTreeMap<String, (Track, Leaf)>,
}

/// The table's file, relative to the taxonomy's folder.
pub(super) const LEAVES: &str = "leaves.tsv";
const COLUMNS: usize = 6;

impl Leaves {
    /// Adds the rows of a table after its header; a row replaces one of the same name.
    ///
    /// # Errors
    ///
    /// The number of a line, from 1, and what is wrong with it.
    pub fn read(&mut self, table: &str) -> Result<(), (usize, String)> {
        for (index, line) in table.lines().enumerate().skip(1).filter(|(_, line)| !line.is_empty()) {
            let (name, track, leaf) = row(line).map_err(|problem| (index + 1, problem))?;
            self.rows.insert(name, (track, leaf));
        }
        Ok(())
    }

    /// Returns the leaf that an entry of this track means.
    ///
    /// # Errors
    ///
    /// What is wrong with the name.
    pub fn find(&self, name: LeafName, track: Track) -> Result<Leaf, String> {
        match name {
            LeafName::Written(leaf) => Ok(leaf),
            LeafName::Named(name) => match self.rows.get(&name) {
                Some((of_track, leaf)) if *of_track == track => Ok(leaf.clone()),
                Some(_) => Err(format!("leaf `{name}` belongs to the other track")),
                None => Err(format!(
                    "no leaf is called `{name}`; take one of {LEAVES}, or write its level1, level2 and level3"
                )),
            },
        }
    }
}

fn row(line: &str) -> Result<(String, Track, Leaf), String> {
    let cells: Vec<&str> = line.split('\t').collect();
    let [name, track, level1, level2, level3, count] = cells[..] else {
        return Err(format!("a leaf has {COLUMNS} columns, not {}", cells.len()));
    };
    let track = match track {
        "syntax" => Track::Syntax,
        "semantic" => Track::Semantic,
        other => return Err(format!("track `{other}` is neither syntax nor semantic")),
    };
    let count = count.parse().map_err(|_| format!("count `{count}` is not a number"))?;
    let [level1, level2, level3] = [level1, level2, level3].map(str::to_owned);
    Ok((name.to_owned(), track, Leaf { level1, level2, level3, count }))
}
