//! Rules of the business over which rows count.

use super::builder::PlanBuilder;
use super::domain::{PopulationRule, Role, Table};
use super::draw::Draw;
use super::plan::PlannedDecision;
use super::relation::{ColumnMeaning, OpenRelation};

/// Adds rules of the business over which rows count.
pub fn rules(builder: &mut PlanBuilder<'_>, relation: &mut OpenRelation, table: &Table, count: usize, draw: Draw) {
    let table_name = relation.table.clone();
    for (name, rule) in drawn_rules(table, count, draw) {
        let text = |column: &str| {
            let real = builder.names.column(&table_name, column);
            let found = relation.column(&real)?;
            let is_tidied = may_be_tidied(&found.meaning) && draw.at("tidied").at(column).chance(TIDIED);
            Some(if is_tidied { format!("UPPER(TRIM({}))", found.text) } else { found.text.clone() })
        };
        let keep = builder.names.expand(table, &rule.keep, text);
        let other = rule.otherwise.as_ref().map(|other| builder.names.expand(table, other, text));
        let both = format!("{keep}{}", other.as_deref().unwrap_or_default());
        if both.contains('{') {
            // A column of the rule is not there any more.
            continue;
        }
        let is_read = |column: &&str| both_sql(rule).contains(&format!("{{{column}}}"));
        let named: Vec<String> =
            table.columns.names().filter(is_read).map(|column| builder.names.column(&table_name, column)).collect();
        if rule.keep.ends_with("IS NOT NULL")
            && !relation.columns.iter().any(|column| named.contains(&column.name) && column.meaning.missing)
        {
            continue;
        }
        forget_values(relation, &named, rule);
        let forms = [conjunct(&keep), other.map(|other| conjunct(&other)).unwrap_or_default()];
        let filter = decided_rule(builder, &table_name, (name, rule), forms, draw);
        builder.plan.blocks[relation.block].filters.push(filter);
    }
}

/// Forgets what is known of the values of the columns that a rule reads: it may leave out some.
fn forget_values(relation: &mut OpenRelation, read: &[String], rule: &PopulationRule) {
    let texts = relation.texts(read);
    // A figure with CASE or IF over the column would deal with values that the rule has left out.
    relation.columns.retain(|column| {
        let cases = column.text.contains("CASE ") || column.text.contains("IF(");
        column.meaning.figure.is_none() || !cases || !texts.iter().any(|text| column.text.contains(text))
    });
    for column in relation.columns.iter_mut().filter(|column| read.contains(&column.name)) {
        column.meaning.values.clear();
        column.meaning.missing &= !rule.keep.ends_with("IS NOT NULL");
    }
}

/// Returns the condition under which rows of a table count by a rule, which is decided once for each table.
pub fn decided_rule(
    builder: &mut PlanBuilder<'_>,
    table: &str,
    (name, rule): (&str, &PopulationRule),
    forms: [String; 2],
    draw: Draw,
) -> String {
    let decided = PlannedDecision::new(format!("rule.{name}"), "Correctness")
        .says(rule.words.clone(), rule.otherwise_words.clone())
        .shown_by("rows that one form keeps and the other does not");
    builder.decide_once(&format!("rule.{table}.{name}"), draw.at(name), decided, forms)
}

/// Draws up to `count` rules of a table, no two on the same column: the second would change nothing or leave nothing.
pub fn drawn_rules(table: &Table, count: usize, draw: Draw) -> Vec<(&str, &PopulationRule)> {
    let rules: Vec<(&str, &PopulationRule)> = table.rules.iter().collect();
    let mut taken: Vec<&str> = Vec::new();
    let mut drawn = Vec::new();
    for (name, rule) in draw.shuffled(&rules).into_iter().take(count) {
        let sql = both_sql(rule);
        let read: Vec<&str> = table.columns.names().filter(|column| sql.contains(&format!("{{{column}}}"))).collect();
        if !read.iter().any(|column| taken.contains(column)) {
            taken.extend(read);
            drawn.push((name, rule));
        }
    }
    drawn
}

/// Share of the codes in rules whose case and blanks are put right before they are compared.
const TIDIED: f64 = 0.1;

/// Whether a column holds a code as people may type it, all of whose values are in upper case.
fn may_be_tidied(meaning: &ColumnMeaning) -> bool {
    meaning.role == Role::Code
        && meaning.kind == "STRING"
        && meaning.values.iter().all(|(value, _)| *value == value.to_uppercase())
}

/// Returns the SQL of both forms.
fn both_sql(rule: &PopulationRule) -> String {
    format!("{} {}", rule.keep, rule.otherwise.as_deref().unwrap_or_default())
}

/// Returns a condition, in parentheses if it has an OR.
fn conjunct(text: &str) -> String {
    if text.contains(" OR ") && !text.starts_with('(') { format!("({text})") } else { text.to_owned() }
}
