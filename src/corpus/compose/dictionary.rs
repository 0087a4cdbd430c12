//! What a domain model says of the tables and results of a composed script.

use std::collections::BTreeMap;

use super::analysis::INDICATOR_CODES;
use super::domain::{CodeValue, Domain, DomainColumn, Role, TableKind};
use super::names::ScriptNames;
use super::relation::OpenRelation;
use crate::corpus::dictionary::{ColumnEntry, ColumnValues, Dictionary, TableEntry, TimeForm};

/// A result of a script, and what it is called.
pub(super) struct NamedResult<'a> {
    /// Its columns and grain.
    pub relation: &'a OpenRelation,
    /// What it is called.
    pub title: String,
}

/// Returns the dictionary of a script that reads `tables` of the domain, given as full and neutral names, and fills
/// the tables of `results`.
pub(super) fn dictionary(
    domain: &Domain,
    names: &ScriptNames<'_>,
    tables: &[(String, String)],
    results: &BTreeMap<String, NamedResult<'_>>,
) -> Dictionary {
    let entry = |(full, name): &(String, String)| {
        let table = domain.tables.get(name)?;
        let column = |(column, meaning): (&str, &DomainColumn)| {
            let entry = ColumnEntry { words: meaning.words.clone(), values: values(domain, meaning) };
            (names.column(name, column).to_lowercase(), entry)
        };
        let columns = table.columns.iter().map(column).collect();
        let repeats = table.kind == TableKind::Event || table.repeats.is_some();
        let key = table.key.iter().filter(|_| !repeats).map(|column| names.column(name, column).to_lowercase());
        let own = |column: &str| names.column(name, column).to_lowercase();
        let versions = table.repeats.iter().flat_map(|repeats| &repeats.order);
        let unique = table.key.iter().chain(versions).filter(|_| repeats).map(|column| own(column)).collect();
        let validity = table.valid.as_ref().map(|valid| (own(&valid.from), own(&valid.to)));
        let (many, key) = (table.many.clone(), key.collect());
        Some((full.to_lowercase(), TableEntry { many, key, unique, validity, columns }))
    };
    let relations: Vec<&OpenRelation> = results.values().map(|result| result.relation).collect();
    let additive = relations.iter().flat_map(|relation| &relation.columns).filter(|column| column.meaning.sum);
    let grain = |relation: &OpenRelation| relation.grain.iter().map(|column| column.to_lowercase()).collect();
    Dictionary {
        tables: tables.iter().filter_map(entry).collect(),
        outputs: outputs(&relations),
        additive: additive.map(|column| column.name.to_lowercase()).collect(),
        reports: results.iter().map(|(table, result)| (table.clone(), result.title.clone())).collect(),
        grain: results.iter().map(|(table, result)| (table.clone(), grain(result.relation))).collect(),
    }
}

/// Returns the words of the output columns and of the indicators among their values, without words that two columns of a
/// result share: they name neither.
fn outputs(results: &[&OpenRelation]) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for result in results {
        for column in &result.columns {
            let words = &column.meaning.words;
            let is_alone = result.columns.iter().filter(|other| other.meaning.words == *words).count() == 1;
            if is_alone && !words.is_empty() {
                found.insert(column.name.to_lowercase(), words.clone());
            }
            // Indicators stand in rows under codes that read like names of columns.
            let indicators = column.meaning.values.iter().filter(|_| INDICATOR_CODES.contains(&column.name.as_str()));
            for (code, words) in indicators {
                found.entry(code.clone()).or_insert_with(|| words.clone());
            }
        }
    }
    found
}

/// Returns what stands in a column of the model.
fn values(domain: &Domain, column: &DomainColumn) -> ColumnValues {
    let examples = || column.examples.clone();
    match column.role {
        Role::Key if !column.examples.is_empty() => ColumnValues::Keys(examples()),
        Role::Reference => {
            let entity = column.entity.as_ref().and_then(|entity| domain.entities.get(entity));
            entity.map_or(ColumnValues::ByName, |entity| ColumnValues::Keys(entity.looks.clone()))
        }
        Role::Status | Role::Code | Role::Flag if !column.values.is_empty() => {
            let usual = 1.0 / column.values.len() as f64;
            let share = |(value, meaning): (&str, &CodeValue)| (value.to_owned(), meaning.share.unwrap_or(usual));
            ColumnValues::Texts(column.values.iter().map(share).collect())
        }
        Role::Currency => {
            ColumnValues::Texts(vec![(domain.currency.clone(), 0.6), ("EUR".to_owned(), 0.2), ("USD".to_owned(), 0.2)])
        }
        Role::List => match &column.separator {
            Some(separator) if !column.examples.is_empty() => {
                ColumnValues::List { items: examples(), separator: separator.clone() }
            }
            _ => ColumnValues::ByName,
        },
        Role::Json => ColumnValues::Json(column.fields.names().map(str::to_owned).collect()),
        Role::Time => ColumnValues::Times(TimeForm::Moment),
        Role::Day => ColumnValues::Times(TimeForm::Day),
        Role::Month => ColumnValues::Times(TimeForm::Month),
        Role::Name | Role::Text | Role::Code if !column.examples.is_empty() => ColumnValues::Examples(examples()),
        _ => column.range.map_or(ColumnValues::ByName, |[low, high]| ColumnValues::Range(low, high)),
    }
}
