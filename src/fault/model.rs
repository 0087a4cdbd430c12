//! A fault, checked.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::leaf::Leaf;
use super::operator::Operator;
use super::track::Track;
use crate::engine::policy::Policy;

/// A family of bugs that real pipelines shipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// Rows multiply and are counted twice.
    RowMultiplication,
    /// An outer join silently becomes narrower.
    OuterJoinNarrowed,
    /// Time: window edges, as-of bounds, job date against row date, zones.
    Time,
    /// Another column, field, literal or function of the same type.
    WrongSibling,
    /// A filter missing, too wide or too narrow.
    WrongPopulation,
    /// Columns matched by position, values by type.
    PositionAndType,
    /// Grouping or de-duplication at the wrong level.
    Grain,
    /// NULL, empty collections and sentinel values.
    MissingValues,
    /// A key normalized differently on the two sides.
    KeyNormalization,
    /// Fails on some data only.
    DataDependentFailure,
    /// State between runs.
    StateBetweenRuns,
}

/// When the mistake is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FoundAt {
    /// By the first run, or by the first look at its result.
    #[serde(rename = "first run")]
    FirstRun,
    /// In production: it passed review.
    #[serde(rename = "production")]
    Production,
}

/// What a database needs so that the fault shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Need {
    /// NULL in the column.
    NullInColumn,
    /// Two rows of one partition that the order does not separate.
    TieInOrder,
    /// A key of the preserved side without a partner.
    DanglingKey,
    /// Two rows that are equal in every selected column.
    DuplicateRow,
    /// A key that several rows of both sides have.
    ManyToMany,
    /// A value that lies exactly on the bound, and its neighbours.
    BoundaryValue,
    /// Text that is no number or date.
    UncastableText,
    /// Numbers as text whose text order is not their numeric order, such as `9` and `10`.
    NumericTextOrder,
    /// A group or an input without rows that count.
    EmptyGroup,
    /// Timestamps at midnight and at other times of one day.
    Midnight,
    /// A row that the lost or weakened filter kept out.
    RowOutsideFilter,
    /// A row that only the lost or added alternative lets in.
    RowOfOneAlternative,
    /// Two columns that differ in one row.
    DifferingColumns,
    /// Several values of the column in one group or partition.
    SeveralInGroup,
    /// The same key in other letter case or with blanks around it.
    LetterCase,
    /// Text that matches one pattern and not the other.
    PatternEdge,
    /// Several elements in a collection.
    SeveralElements,
    /// Rows of several dates around the run date.
    OtherDates,
    /// A fraction that rounding or a narrower type loses.
    Fraction,
    /// A number that is neither 0 nor 1.
    OtherThanBoolean,
}

/// What should become of the mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Expectation {
    /// The engine's parser refuses it.
    RejectedAtParse,
    /// The engine refuses it when it resolves names and types.
    RejectedAtAnalysis,
    /// It runs and gives other rows.
    WrongRows,
    /// It fails while it runs.
    Runtime,
}

impl Expectation {
    /// Whether the engine refuses the script before it runs.
    pub fn is_rejection(self) -> bool {
        matches!(self, Self::RejectedAtParse | Self::RejectedAtAnalysis)
    }
}

/// The clause a reviewer would name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Clause {
    /// The WITH clause.
    With,
    /// The SELECT list.
    Select,
    /// FROM.
    From,
    /// A join and its kind.
    Join,
    /// The condition of a join.
    On,
    /// LATERAL VIEW.
    LateralView,
    /// WHERE.
    Where,
    /// GROUP BY.
    GroupBy,
    /// HAVING.
    Having,
    /// OVER.
    Window,
    /// ORDER BY.
    OrderBy,
    /// LIMIT.
    Limit,
    /// UNION and its kin.
    SetOperation,
    /// The head of an INSERT.
    Insert,
    /// CREATE TABLE.
    Create,
    /// The end of a statement.
    Statement,
    /// An expression wherever it stands.
    Expression,
}

/// The business rule that a fault breaks, as a business user would put it: templates over [`RULE_VARIABLES`], each a
/// clause in lower case without a full stop.
///
/// [`RULE_VARIABLES`]: super::entry::RULE_VARIABLES
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rule {
    /// Wordings for every site.
    pub wordings: Vec<String>,
    /// Wordings for sites in DELETE, UPDATE and MERGE, where a condition says what is changed rather than what counts;
    /// empty if the others hold there too.
    pub of_change: Vec<String>,
    /// Wordings for sites in a sub-query of NOT IN or NOT EXISTS or behind LEFT ANTI JOIN, where a condition says what is
    /// left out; empty if the others hold there too.
    pub of_exclusion: Vec<String>,
    /// Wordings for sites in a value that is worked out or in the condition of an outer join, where a condition leaves
    /// nothing out; empty if the others hold there too.
    pub of_value: Vec<String>,
    /// Wordings for sites where the replaced text of the correct script begins with a certain word, by that word in
    /// lower case, with what stands around it if that matters, as `sum in calculation`, or by that alone, as `later key`.
    pub by_word: BTreeMap<String, Vec<String>>,
}

impl Rule {
    /// Whether there is no wording at all.
    pub fn is_empty(&self) -> bool {
        self.wordings.is_empty() && self.by_word.is_empty()
    }

    /// Returns every wording, whatever the site.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        let by_place = self.of_change.iter().chain(&self.of_exclusion).chain(&self.of_value);
        let by_word = self.by_word.values().flatten();
        self.wordings.iter().chain(by_place).chain(by_word).map(String::as_str)
    }
}

/// What a reviewer writes about the fault: templates over [`CRITIQUE_VARIABLES`](super::entry::CRITIQUE_VARIABLES).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CritiqueTemplates {
    /// What is wrong and what it does.
    pub wrong: String,
    /// How to mend it.
    pub mend: String,
}

/// A script before and after the fault is planted.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// Table definitions, when the operator has to know columns.
    #[serde(default)]
    pub schema: String,
    /// A correct script.
    pub before: String,
    /// The same script with the fault.
    pub after: String,
}

/// How a fault is planted, or why it is not.
#[derive(Clone, Debug)]
pub enum Planting {
    /// By this operator.
    By(Box<Operator>),
    /// No engine at hand shows it, for this reason.
    NotShown(String),
    /// No engine at hand shows it; a policy of the platform does where it is switched on.
    PolicyFault(PolicyFault),
}

/// A fault that only a platform's own policy refuses.
#[derive(Clone, Debug)]
pub struct PolicyFault {
    /// The policy.
    pub policy: Policy,
    /// Why no engine shows it.
    pub reason: String,
    /// How it is planted where the policy holds.
    pub operator: Box<Operator>,
    /// Whether the policy is switched on.
    pub on: bool,
}

/// Where an entry stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryOrigin {
    /// File, relative to the taxonomy's folder, with `/` between its parts.
    pub file: String,
    /// Line of the entry, from 1.
    pub line: usize,
}

/// One kind of bug.
#[derive(Clone, Debug)]
pub struct Fault {
    /// Construct, then what went wrong, such as `left-join-made-inner`.
    pub id: String,
    /// The track it belongs to.
    pub track: Track,
    /// Its leaves in the taxonomy; never empty.
    pub leaves: Vec<Leaf>,
    /// The leaf of the paper, beside its own, whose share of the mix it takes; `None` if it takes that of its leaves.
    pub counts_for: Option<Leaf>,
    /// Its part of a leaf that several faults share, relative to the others.
    pub weight: f64,
    /// The family of shipped bugs it belongs to.
    pub family: Option<Family>,
    /// When people find it.
    pub found_at: FoundAt,
    /// One sentence.
    pub summary: String,
    /// Why a reviewer misses it.
    pub why_missed: String,
    /// How it is planted.
    pub planting: Planting,
    /// What a database needs to show it.
    pub needs: Vec<Need>,
    /// What should become of a mutant.
    pub expect: Expectation,
    /// The clause a critique names.
    pub clause: Clause,
    /// Templates of the critique.
    pub critique: CritiqueTemplates,
    /// The business rule that it breaks; empty for a syntax fault.
    pub rule: Rule,
    /// Scripts before and after.
    pub examples: Vec<Example>,
    /// Scripts that the operator must leave alone.
    pub never: Vec<String>,
    /// Where its entry stands.
    pub origin: EntryOrigin,
}

impl Fault {
    /// The leaves whose share of the mix it takes.
    pub fn counted_leaves(&self) -> &[Leaf] {
        self.counts_for.as_ref().map_or(&self.leaves, std::slice::from_ref)
    }

    /// Its operator; `None` if nothing shows it: no engine, and no policy that is switched on.
    pub fn operator(&self) -> Option<&Operator> {
        match &self.planting {
            Planting::PolicyFault(policed) if !policed.on => None,
            _ => self.written_operator(),
        }
    }

    /// The operator that its entry gives, if any, whether or not its policy is switched on.
    pub fn written_operator(&self) -> Option<&Operator> {
        match &self.planting {
            Planting::By(operator) => Some(operator),
            Planting::NotShown(_) => None,
            Planting::PolicyFault(policed) => Some(&policed.operator),
        }
    }

    /// The policy that refuses it, when no engine does.
    pub fn policy(&self) -> Option<Policy> {
        match &self.planting {
            Planting::PolicyFault(policed) => Some(policed.policy),
            Planting::By(_) | Planting::NotShown(_) => None,
        }
    }

    /// Whether it passed review and is found in production.
    pub fn is_shipped(&self) -> bool {
        self.found_at == FoundAt::Production
    }
}
