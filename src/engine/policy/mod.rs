//! Policies: rules of a particular platform that none of our engines enforces, such as a cluster in strict mode, an
//! older parser or a house lint.
//!
//! All are off by default. A policy is checked after an engine has accepted a script, so that what the engine refuses
//! is reported in the engine's words. Messages and places follow the platform that has the policy.

mod condition;
mod lambda;
mod null_comparison;
mod partition_filter;
mod set;
mod type_safety;

use serde::{Deserialize, Serialize};

use super::spark_rules::{Rejection, RejectionStage};
use crate::code::parameters::Parameters;
use crate::code::scope::{ColumnTarget, OutputColumn, RelationId, Scopes};
use crate::code::script::Script;
use crate::code::span::{LineColumn, Span};
use crate::code::tree::{NodeId, Tree};

pub use set::Policies;

/// A rule that some platforms have. Policies are checked in this order: what a parser refuses comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Policy {
    /// No lambda: Hive's parser has none
    NoLambda,
    /// Every read of a partitioned table has a condition on its partition: Hive's strict.checks.no.partition.filter
    PartitionFilter,
    /// A partition column of text is compared with text only: Hive's strict.checks.type.safety
    TypeSafety,
    /// No comparison with NULL: a lint before the engine
    NullComparison,
}

impl Policy {
    /// Every policy.
    pub const ALL: [Policy; 4] =
        [Policy::NoLambda, Policy::PartitionFilter, Policy::TypeSafety, Policy::NullComparison];

    /// Returns its name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Policy::NoLambda => "no-lambda",
            Policy::PartitionFilter => "partition-filter",
            Policy::TypeSafety => "type-safety",
            Policy::NullComparison => "null-comparison",
        }
    }

    /// Returns the class of its rejections.
    pub fn class(self) -> &'static str {
        match self {
            Policy::NoLambda => "POLICY.NO_LAMBDA",
            Policy::PartitionFilter => "POLICY.PARTITION_FILTER",
            Policy::TypeSafety => "POLICY.TYPE_SAFETY",
            Policy::NullComparison => "POLICY.NULL_COMPARISON",
        }
    }

    /// Returns the name by which records refer to it as a judge.
    pub fn judge(self) -> String {
        format!("policy {}", self.name())
    }

    /// Returns the policy behind a rejection; `None` if it comes from an engine.
    pub fn of(rejection: &Rejection) -> Option<Policy> {
        Policy::ALL.into_iter().find(|policy| policy.class() == rejection.class)
    }

    fn stage(self) -> RejectionStage {
        match self {
            Policy::NoLambda => RejectionStage::Parse,
            Policy::PartitionFilter | Policy::TypeSafety | Policy::NullComparison => RejectionStage::Analysis,
        }
    }

    /// Returns the first violation in a script.
    fn check(self, context: &PolicyContext<'_>) -> Option<Rejection> {
        let found = match self {
            Policy::NoLambda => lambda::check(context),
            Policy::PartitionFilter => partition_filter::check(context),
            Policy::TypeSafety => type_safety::check(context),
            Policy::NullComparison => null_comparison::check(context),
        }?;
        let place = context.script.place(found.span.start);
        Some(Rejection {
            stage: self.stage(),
            class: self.class().to_owned(),
            sqlstate: "42000".to_owned(),
            span: found.span,
            place,
            message: (found.words)(place),
        })
    }
}

/// A violation of a policy: the offending bytes, and the platform's message, which depends on the place.
struct PolicyFinding {
    span: Span,
    words: Box<dyn FnOnce(LineColumn) -> String>,
}

impl PolicyFinding {
    fn new(span: Span, words: impl FnOnce(LineColumn) -> String + 'static) -> PolicyFinding {
        PolicyFinding { span, words: Box::new(words) }
    }
}

/// A script as a policy sees it.
struct PolicyContext<'a> {
    script: &'a Script,
    scopes: &'a Scopes,
    parameters: &'a Parameters,
}

impl<'a> PolicyContext<'a> {
    fn tree(&self) -> &'a Tree {
        self.script.tree()
    }

    fn span(&self, node: NodeId) -> Span {
        self.tree().span(node)
    }

    /// Returns the read and the partition column to which a `Column` node refers, directly or through queries that pass
    /// the column on.
    fn partition_column(&self, column: NodeId) -> Option<(RelationId, &'a OutputColumn)> {
        let scopes = self.scopes;
        let ColumnTarget::Column(mut read, mut index) = scopes.binding(column)?.target else { return None };
        while let Some(passed) = scopes.relation(read).columns.get(index)?.passes_on {
            (read, index) = passed;
        }
        let named = scopes.relation(read).columns.get(index)?;
        named.partition.then_some((read, named))
    }
}

/// Formats line and column as Hive does, with columns from 0.
fn hive_place(place: LineColumn) -> String {
    format!("{}:{}", place.line, place.column - 1)
}

#[cfg(test)]
mod tests;
