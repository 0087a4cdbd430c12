//! A reference: a correct script with its schema and what it is for.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::decision::Decision;
use super::dictionary::Dictionary;
use super::inference::InferredTable;
use super::script_files::ScriptFile;
use super::translation::TranslatedScript;
use crate::code::edit::Edits;
use crate::code::parameters::Parameters;
use crate::code::schema::Schema;
use crate::code::scope::Scopes;
use crate::code::script::Script;
use crate::code::token::TokenKind;
use crate::code::tree::{Kind, NodeId};
use crate::store::hexadecimal;

/// What `card.yaml` says of a script; section 3.1 of the paper asks for domain, intention and scenario.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReferenceCard {
    /// Business domain, such as `ride-hailing`.
    pub domain: String,
    /// A short title.
    pub title: String,
    /// What the script must compute, for whom.
    pub intention: String,
    /// The business background.
    pub scenario: String,
    /// What each placeholder stands for: the text between `${` and `}`, and its value.
    #[serde(default)]
    pub parameters: Parameters,
    /// Expressions that stand for calls of functions of the script's own platform, with `$1`, `$2`, … for their
    /// arguments; they become parameters when the card is read.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub functions: BTreeMap<String, String>,
    /// What stands for the script that this one was made from, such as its [`Reference::key`]: scripts of one source stay
    /// on one side of a split. `None` if it was made from no other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_script: Option<String>,
    /// The dialect that the script was translated from, by sqlglot's name; `None` if it was written as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub translated_from: Option<String>,
    /// The names of its files in the order in which they run; empty if the script is one file, `script.sql`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
}

impl ReferenceCard {
    /// Makes the card of a script whose author wrote none: its domain is the last folder in `id`, its title a line of
    /// the comment at the head of `text`, else the file's name as it is.
    pub(super) fn of_script(id: &str, text: &str) -> ReferenceCard {
        let (folders, file) = id.rsplit_once('/').unwrap_or(("", id));
        ReferenceCard {
            domain: folders.rsplit('/').next().unwrap_or(folders).to_owned(),
            title: title(text).unwrap_or_else(|| file.to_owned()),
            ..ReferenceCard::default()
        }
    }

    /// Returns the title that the script's author gave; empty if it is taken from a comment or the name of the file, which
    /// need not be what the report is called.
    pub(crate) fn own_title(&self) -> &str {
        if self.intention.is_empty() { "" } else { &self.title }
    }
}

/// The longest title, in characters.
const LONGEST_TITLE: usize = 60;

/// What statements begin with.
const STATEMENTS: [&str; 12] = [
    "select ", "insert into ", "insert overwrite ", "create table ", "create view ", "create or replace ",
    "drop table ", "drop view ", "delete from ", "truncate table ", "alter table ", "merge into ",
];

/// What comments on the set-up of a script begin with.
const SET_UP: [&str; 5] = ["set the ", "set database", "use the ", "use database", "use etl"];

/// Returns the first line of the comments at the head of a script that is no label such as `Author:` and no
/// code; `None` if there is none, it heads a section or is a sentence, the comments are a licence, or the script makes
/// several reports, of which it is the title of none.
fn title(text: &str) -> Option<String> {
    let script = Script::new(text);
    if count_reports(&script) > 1 {
        return None;
    }
    let comments = script.all_tokens().iter().take_while(|token| token.kind.is_trivia());
    let comments = comments.filter(|token| matches!(token.kind, TokenKind::LineComment | TokenKind::BlockComment));
    let lines = comments.flat_map(|token| token.span().of(text).lines());
    let lines = lines.map(|line| line.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, ')' | '(')));
    let lines: Vec<&str> = lines.collect();
    // The lines around a licence name its owner.
    let legal = ["property of", "source code", "all rights", "confidential", "licen", "copyright", "(c) ", "©"];
    if lines.iter().any(|line| legal.iter().any(|word| line.to_lowercase().contains(word))) {
        return None;
    }
    // `-- Set the database` above `USE shop` names no report.
    let first = script.all_tokens().iter().find(|token| !token.kind.is_trivia()).map(|token| token.span().of(text));
    let first = first.unwrap_or_default().to_lowercase();
    let is_set_up = ["use", "set"].iter().any(|word| first.starts_with(word));
    let named = |line: &&str| {
        let lower = line.to_lowercase();
        if is_set_up && SET_UP.iter().any(|words| lower.starts_with(words)) {
            return false;
        }
        let labels = ["author", "date", "version", "created", "usage", "program name", "file", "databricks notebook"];
        let label = labels.iter().any(|word| lower.starts_with(word));
        // A complaint that quotes the name of a table as a title would tell where the fault is.
        let is_code = |word: &str| word.contains(['_', '=', '<', '>', '{', '`', '*']);
        let is_statement = STATEMENTS.iter().any(|words| lower.starts_with(words));
        !label
            && !is_statement
            && !line.split_whitespace().any(is_code)
            && line.chars().filter(|c| c.is_alphabetic()).count() >= 4
    };
    let title = lines.into_iter().find(named)?;
    // A number counts the sections of a file, and what it heads may be right. A sentence is no title, nor is a part of one.
    let is_section = title.chars().take(4).any(|c| c.is_ascii_digit());
    (!is_section && title.chars().count() <= LONGEST_TITLE).then(|| title.to_owned())
}

/// Counts what a script leaves to people: results of plain queries, and tables and views that none of its later statements
/// reads.
fn count_reports(script: &Script) -> usize {
    let tree = script.tree();
    let tables = |statement: &NodeId| -> Vec<String> {
        let named = tree.descendants(*statement).filter(|node| tree.kind(*node) == Kind::Table);
        named.map(|table| script.path_name(table)).collect()
    };
    let tables: Vec<Vec<String>> = script.statements().iter().map(tables).collect();
    // The first table of a statement is the one that it fills.
    let read = tables.iter().enumerate().flat_map(|(at, names)| names.iter().skip(1).map(move |name| (name, at)));
    let last_read: BTreeMap<&String, usize> = read.collect();
    let mut names: BTreeSet<&String> = BTreeSet::new();
    let mut plain = 0;
    for (at, statement) in script.statements().iter().enumerate() {
        match tree.kind(*statement) {
            Kind::Query => plain += 1,
            Kind::CreateTable if tree.child(*statement, |kind| kind == Kind::Query).is_none() => {}
            Kind::Insert { .. } | Kind::CreateTable | Kind::CreateView => {
                let filled = tables[at].first();
                names.extend(filled.filter(|name| last_read.get(name).is_none_or(|last| *last <= at)));
            }
            _ => {}
        }
    }
    names.len() + plain
}

/// A correct script, read and ready.
#[derive(Clone, Debug)]
pub struct Reference {
    /// Stable id: `domain/name`, or the file's name.
    pub id: String,
    /// What it is for.
    pub card: ReferenceCard,
    /// The DDL as written.
    pub schema_text: String,
    /// The DDL as read.
    pub schema: Schema,
    /// The script as written, placeholders included.
    pub script: Script,
    /// The values of its placeholders, from the card, the script's own assignments, and the clock if it reads one.
    pub parameters: Parameters,
    /// Where the business could want another form; empty for a script whose author did not say.
    pub decisions: Vec<Decision>,
    /// Words and usual values of its tables; empty unless the script was composed.
    pub dictionary: Dictionary,
    /// The script in its own dialect with its translation; `None` if it was not translated here.
    pub translation: Option<TranslatedScript>,
    /// What no definition tells of its tables and its own uses of them do.
    pub inferred: Vec<InferredTable>,
    /// The files of which the script consists; empty if it is one.
    pub files: Vec<ScriptFile>,
}

impl Reference {
    /// Resolves the names of the script against its schema.
    pub fn scopes(&self) -> Scopes {
        Scopes::resolve(&self.script, &self.schema)
    }

    /// Returns what stands for the script that this one was made from, itself if from no other.
    pub fn source_key(&self) -> String {
        self.card.source_script.clone().unwrap_or_else(|| self.key())
    }

    /// Returns the decision that a changed script takes in its other form; `None` if the change is another one. Blanks
    /// do not count: a mutant keeps columns aligned.
    pub fn turned_decision(&self, changed: &str) -> Option<&Decision> {
        let original = self.script.text();
        let letters = |text: &str| text.chars().filter(|letter| !letter.is_whitespace()).collect::<String>();
        let changed = letters(changed);
        self.decisions.iter().find(|decision| {
            let other = Edits::new(decision.edits()).and_then(|edits| edits.apply(original));
            other.is_ok_and(|other| letters(&other) == changed)
        })
    }

    /// Returns twelve hex digits of a SHA-256 over script and DDL: the same text has the same key wherever it lies.
    pub fn key(&self) -> String {
        let mut hash = Sha256::new();
        hash.update(self.script.text().as_bytes());
        hash.update([0]);
        hash.update(self.schema_text.as_bytes());
        hexadecimal(&hash.finalize()[..6])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_is_the_title_of_one_report() {
        let stage = "-- Revenue by city\nCREATE TABLE stage AS SELECT a FROM t;\n";
        let report = "INSERT OVERWRITE TABLE o SELECT a FROM stage;\n";
        assert_eq!(title(&format!("{stage}{report}")).as_deref(), Some("Revenue by city"));
        assert_eq!(
            title(&format!("{stage}{report}INSERT INTO TABLE o SELECT a FROM u;")).as_deref(),
            Some("Revenue by city")
        );
        for other in [
            "INSERT OVERWRITE TABLE p SELECT a FROM stage;",
            "SELECT a FROM stage;",
            "CREATE VIEW v AS SELECT a FROM stage",
        ] {
            assert_eq!(title(&format!("{stage}{report}{other}")), None, "{other}");
        }
    }

    #[test]
    fn a_title_is_a_line_of_words_and_no_licence() {
        let cases = [
            ("-- Daily sums of orders\nSELECT 1", Some("Daily sums of orders")),
            ("-- author: A\n-- Orders by city\nSELECT 1", Some("Orders by city")),
            ("-- author: A\n-- 3. Orders by city\nSELECT 1", None),
            ("-- 步骤11 订单汇总\nSELECT 1", None),
            ("-- 5. ads_driver_stats\nSELECT 1", None),
            ("--# This source code is the property of:\n--# Shop Corporation, Inc.\n--# (c) 2015\nSELECT 1", None),
            ("-- This view breaks each period down into the days of which it consists, one row a day\nSELECT 1", None),
            ("-- SELECT * FROM raw.orders\n-- Orders by city\nSELECT 1", Some("Orders by city")),
            ("-- drop table orders\nSELECT 1", None),
            ("-- USE OF ROOMS BY DAY\nSELECT 1", Some("USE OF ROOMS BY DAY")),
            ("-- Set the database\nUSE shop; SELECT 1", None),
            ("-- Databricks notebook source\n-- Orders by city\nSELECT 1", Some("Orders by city")),
            ("SELECT 1", None),
        ];
        for (text, expected) in cases {
            assert_eq!(title(text).as_deref(), expected, "{text}");
        }
    }
}
