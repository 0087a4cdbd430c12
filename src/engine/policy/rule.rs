//! The policies, and what each refuses.

use serde::{Deserialize, Serialize};

use super::context::PolicyContext;
use super::{lambda, null_comparison, partition_filter, type_safety};
use crate::engine::spark_rules::{Rejection, RejectionStage};

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
    pub(super) fn check(self, context: &PolicyContext<'_>) -> Option<Rejection> {
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
