//! Columns of a table that one may mistake for each other: which of them a script reads is a decision.

use super::builder::PlanBuilder;
use super::domain::{DomainColumn, Role, Table};
use super::draw::Draw;
use super::names::identifier;
use super::plan::PlannedDecision;
use super::relation::{ColumnMeaning, OpenRelation};

/// Two columns of a table of which one may be mistaken for the other.
pub(super) struct ConfusedColumns<'t> {
    name: &'t str,
    column: &'t DomainColumn,
    /// The name of the one for which it may be mistaken.
    pub other_name: &'t str,
    other: &'t DomainColumn,
}

impl<'t> ConfusedColumns<'t> {
    /// Returns a column and another for which it may be mistaken, drawn now and then; neither identifies or orders rows
    /// nor is among those that are decided already.
    pub(super) fn of(table: &'t Table, name: &'t str, decided: &[&str], draw: Draw) -> Option<ConfusedColumns<'t>> {
        let column = table.columns.get(name)?;
        let orders = |name: &str| table.repeats.as_ref().is_some_and(|repeats| repeats.order.iter().any(|o| o == name));
        let is_key = |name: &str| table.key.iter().any(|key| key == name);
        let is_free = |name: &str| !decided.contains(&name) && !is_key(name) && !orders(name);
        if !is_free(name)
            || !matches!(column.role, Role::Time | Role::Day | Role::Reference)
            || !draw.at("confused").chance(0.4)
        {
            return None;
        }
        let others: Vec<&String> = column.confused.iter().filter(|other| is_free(other)).collect();
        let other_name = draw.at("with").pick(&others)?.as_str();
        Some(ConfusedColumns { name, column, other_name, other: table.columns.get(other_name)? })
    }

    /// Decides for the whole script which of the two is read; returns the text with both forms.
    pub(super) fn decide(
        &self,
        builder: &mut PlanBuilder<'_>,
        relation: &OpenRelation,
        forms: [String; 2],
        draw: Draw,
    ) -> String {
        let sentence = |words: &str| match self.column.role {
            Role::Reference => format!("{} belong to the {words}", relation.many),
            _ => format!("{} are dated by the {words}", relation.many),
        };
        let decided = PlannedDecision::new("which_column", "Correctness")
            .says(sentence(&self.column.words), sentence(&self.other.words))
            .shown_by("rows where the two columns differ");
        builder.decide_once(&format!("column.{}.{}", relation.table, self.name), draw, decided, forms)
    }

    /// Returns a name for either column: that of neither would be right in both forms.
    pub(super) fn free_name(&self, relation: &OpenRelation, table: &Table) -> String {
        let noun = identifier(&table.one);
        let short = noun.rsplit('_').next().unwrap_or(&noun);
        let drawn: [String; 3] = match (self.column.role, &self.column.entity) {
            (Role::Time, _) => [format!("{noun}_time"), format!("{short}_ts"), "biz_time".to_owned()],
            (_, Some(entity)) => [format!("{entity}_id"), format!("{short}_{entity}"), format!("{noun}_{entity}")],
            _ => [format!("{noun}_date"), format!("{short}_day"), "biz_date".to_owned()],
        };
        let free = drawn.iter().find(|name| relation.column(name).is_none() && !table.columns.has(name));
        free.cloned().unwrap_or_else(|| relation.free_name(&drawn[0]))
    }

    /// Returns what either column means, from what the first does.
    pub(super) fn meaning(
        &self,
        builder: &PlanBuilder<'_>,
        relation: &OpenRelation,
        first: ColumnMeaning,
    ) -> ColumnMeaning {
        let entity = self.column.entity.as_ref().and_then(|entity| builder.domain.entities.get(entity));
        let words = match (self.column.role, entity) {
            (Role::Time, _) => format!("time of the {}", relation.one),
            (Role::Day, _) => format!("day of the {}", relation.one),
            (_, Some(entity)) => entity.called.as_ref().unwrap_or(&entity.one).clone(),
            (_, None) => format!("owner of the {}", relation.one),
        };
        ColumnMeaning { words, missing: first.missing || self.other.missing.is_some(), ..first }
    }
}
