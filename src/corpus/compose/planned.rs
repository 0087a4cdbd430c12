//! Turns a plan into a reference: target tables, script, decisions, specification, schema, lineage.

use std::collections::{BTreeMap, BTreeSet};

use super::analysis::Analysis;
use super::composed::{Composed, OutputLineage, Sentence};
use super::decision_edits::token_edits;
use super::dictionary::{NamedResult, dictionary};
use super::domain::{BusinessQuestion, Domain};
use super::draw::Draw;
use super::names::{ScriptNames, as_name};
use super::plan::Plan;
use super::relation::{OpenRelation, RelationColumn};
use super::schema::{TableText, ddl, result_name, table_name};
use super::writing::{History, Remarks, ShapedPlan, Style, WrittenScript};
use crate::code::parameters::Parameters;
use crate::code::span::Span;
use crate::corpus::decision::Decision;
use crate::corpus::{CorpusError, ReferenceCard, read_texts};

/// Business dates that scripts run for.
const DATES: [&str; 12] = [
    "2024-03-15", "2024-05-31", "2023-11-24", "2024-01-08", "2023-09-30", "2024-06-14", "2023-12-31", "2024-02-29",
    "2024-04-22", "2023-10-17", "2024-07-01", "2024-08-19",
];

/// Analyses whose reports may be called after their question, if it asks about one kind of rows.
const CALLED_AFTER_QUESTION: [&str; 5] = ["features", "indicators", "subtotals", "periods", "sources"];

/// A plan with all that its script needs.
pub(super) struct ScriptDraft<'a> {
    /// Lines of headers.
    pub history: &'a History,
    /// What people remark between the lines.
    pub remarks: &'a Remarks,
    /// The business.
    pub domain: &'a Domain,
    /// The blocks.
    pub plan: &'a Plan,
    /// Names of the script.
    pub names: &'a ScriptNames<'a>,
    /// The styles in which it is written; the first decides names.
    pub styles: &'a [Style],
    /// Names of the analyses and their answers, in the order of the script.
    pub sections: &'a [(&'static str, Analysis)],
    /// Draws for what is written around the plan.
    pub draw: Draw,
}

impl ScriptDraft<'_> {
    /// Writes the script, its schema and card, and what is known of it; `None` if it cannot be cut into its files.
    ///
    /// # Errors
    ///
    /// If what is written does not parse: a bug of the composer.
    pub(super) fn finish(&self, question: &BusinessQuestion, number: u64) -> Result<Option<Composed>, CorpusError> {
        let style = self.style();
        let tables = |name: &str| table_name(self.domain, self.names, style, name, self.draw.at("layers"));
        let read = self.read_tables(&tables);
        let filled = self.filled(question, &read);
        let target = self.target(question, &filled, &read);
        let chosen = self.plan.chosen();
        let shaped = ShapedPlan::new(self.plan, self.styles, &target, &tables, self.draw.at("write"));
        if self.plan.files.is_some() && shaped.files().is_empty() {
            return Ok(None);
        }
        let headers = self.headers(&shaped, question, &filled, &tables);
        let written = shaped.write(&chosen, &headers);
        let decisions = self.decisions(&shaped, &written, &chosen);
        let schema = self.schema(&read, &filled);
        let title = self.title(question);
        let card = ReferenceCard {
            domain: self.domain.domain.clone(),
            title: capital(&title),
            intention: format!("{title} for {}, to {}", question.reader, question.purpose),
            scenario: self.scenario(),
            parameters: self.parameters(),
            files: written.files.iter().map(|file| file.path.clone()).collect(),
            ..ReferenceCard::default()
        };
        let id = format!("{}/composed_{number:06}", self.domain.domain);
        let mut reference = read_texts(id, written.text.clone(), schema, card)?;
        reference.files.clone_from(&written.files);
        reference.decisions.clone_from(&decisions);
        reference.dictionary = dictionary(self.domain, self.names, &read, &self.named_results(&filled));
        Ok(Some(Composed {
            number,
            reference,
            specification: self.specification(&written, &decisions),
            decisions,
            lineage: self.lineage(&tables),
            style: style.name.clone(),
            analyses: self.sections.iter().map(|(name, _)| *name).collect(),
        }))
    }

    /// Returns the business date under the name of its parameter.
    fn parameters(&self) -> Parameters {
        let mut parameters = Parameters::default();
        let key = self.style().parameter.trim_start_matches("${").trim_end_matches('}');
        // `${hiveconf:dt}` is bound as `dt`.
        parameters.insert(key.rsplit(':').next().unwrap_or(key), self.date());
        parameters
    }

    /// Returns the style that decides names.
    pub(super) fn style(&self) -> &Style {
        &self.styles[0]
    }

    /// Returns the title of the only report, or that of the question which all reports answer. The report of an
    /// analysis that shows figures as they stand may be called after the question as well.
    pub(super) fn title(&self, question: &BusinessQuestion) -> String {
        match self.sections {
            [(kind, _)]
                if CALLED_AFTER_QUESTION.contains(kind)
                    && (*kind == "features" || question.asked_facts().len() == 1)
                    && self.draw.at("title").chance(0.5) =>
            {
                question.title.clone()
            }
            [(_, only)] => only.title.clone(),
            _ => question.title.clone(),
        }
    }

    /// Returns the results, by the tables in lower case that they fill; a plain query's stands under the empty name.
    fn named_results(&self, filled: &[String]) -> BTreeMap<String, NamedResult<'_>> {
        let plain = String::new();
        let tables = if filled.is_empty() { std::slice::from_ref(&plain) } else { filled };
        let named = self.results().map(|relation| NamedResult { relation, title: capital(self.title_of(relation)) });
        tables.iter().map(|table| table.to_lowercase()).zip(named).collect()
    }

    /// Returns what a result is called.
    fn title_of(&self, relation: &OpenRelation) -> &str {
        &self.plan.blocks[relation.block].purpose
    }

    /// Returns the results of all sections.
    pub(super) fn results(&self) -> impl Iterator<Item = &OpenRelation> {
        self.sections.iter().flat_map(|(_, answer)| &answer.results)
    }

    /// Returns the business date.
    pub(super) fn date(&self) -> &'static str {
        self.draw.at("date").one_of(DATES)
    }

    /// Returns the tables that the script fills, one for each result; empty if it is a plain query. None has the name of
    /// one that it reads.
    fn filled(&self, question: &BusinessQuestion, read: &[(String, String)]) -> Vec<String> {
        if self.plan.files.is_none() && self.draw.at("target").chance(0.1) && self.results().count() < 2 {
            return Vec::new();
        }
        let full = |name: &str| result_name(self.domain, self.style(), name, self.draw.at("layers"));
        let mut taken: Vec<String> = Vec::new();
        for (kind, answer) in self.sections {
            let name = as_name(&answer.name);
            let subject = question.subject.as_str();
            let name = if name.contains(subject) { name } else { format!("{subject}_{name}") };
            for (place, result) in answer.results.iter().enumerate() {
                let part = answer.parts.get(place.wrapping_sub(1)).cloned();
                let part = part.unwrap_or_else(|| format!("by_{}", result.grain.first().cloned().unwrap_or_default()));
                let own = if place == 0 { name.clone() } else { format!("{name}_{part}") };
                let names = [own.clone(), format!("{own}_{kind}")].into_iter();
                let mut names = names.chain((2..).map(|number| format!("{own}_part{number}")));
                let is_free = |name: &String| {
                    let full = full(name);
                    !taken.contains(name) && !read.iter().any(|(table, _)| *table == full)
                };
                let free = names.find(is_free);
                taken.extend(free);
            }
        }
        taken.iter().map(|name| full(name)).collect()
    }

    fn decisions(&self, shaped: &ShapedPlan<'_>, written: &WrittenScript, chosen: &[usize]) -> Vec<Decision> {
        let mut found = Vec::new();
        for (id, decided) in self.plan.decisions.iter().enumerate() {
            let ranges: Vec<Span> =
                written.decisions.iter().filter(|(other, _)| *other == id).map(|(_, span)| *span).collect();
            // Nothing that is written holds it: its block was given up or nothing reads its column.
            if ranges.is_empty() {
                continue;
            }
            let rewritten = shaped.other_form_edits(written, chosen, id);
            let edits: Vec<(Span, String)> =
                rewritten.iter().flat_map(|(span, text)| token_edits(&written.text, *span, text)).collect();
            if edits.is_empty() {
                continue;
            }
            found.push(Decision {
                kind: decided.kind.clone(),
                label: decided.label.clone(),
                form: decided.chosen,
                ranges,
                turned: edits,
                sentence: capital(&decided.sentences[decided.chosen]),
                other_sentence: capital(&decided.sentences[1 - decided.chosen]),
                hint: decided.hint.clone(),
            });
        }
        found
    }

    fn specification(&self, written: &WrittenScript, decisions: &[Decision]) -> Vec<Sentence> {
        let mut sentences: Vec<Sentence> = decisions
            .iter()
            .enumerate()
            .map(|(number, decision)| Sentence {
                text: format!("{}.", decision.sentence),
                ranges: decision.ranges.clone(),
                decision: Some(number),
            })
            .collect();
        for (block, text) in &self.plan.notes {
            let ranges: Vec<Span> =
                written.blocks.iter().filter(|(other, _)| other == block).map(|(_, span)| *span).collect();
            if !ranges.is_empty() {
                sentences.push(Sentence { text: format!("{}.", capital(text)), ranges, decision: None });
            }
        }
        sentences.sort_by_key(|sentence| sentence.ranges.first().map_or(0, |span| span.start));
        sentences
    }

    fn scenario(&self) -> String {
        let facts: Vec<String> = self.plan.notes.iter().map(|(_, text)| text.clone()).take(3).collect();
        format!("The data is that of {}. {}", self.domain.title, facts.join("; "))
    }

    fn schema(&self, read: &[(String, String)], filled: &[String]) -> String {
        let text = |(full, name): &(String, String)| {
            let table = self.domain.tables.get(name)?;
            Some(TableText { full: full.clone(), name: name.clone(), table })
        };
        let texts: Vec<TableText<'_>> = read.iter().filter_map(text).collect();
        ddl(&texts, self.names, filled, self.results().map(|relation| (relation, self.title_of(relation))))
    }

    /// Returns the full and neutral names of the tables that the script reads, sorted by the neutral one.
    fn read_tables(&self, tables: &dyn Fn(&str) -> String) -> Vec<(String, String)> {
        let mut read: BTreeSet<String> = BTreeSet::new();
        for block in self.plan.readers_last() {
            for item in &self.plan.blocks[block].items {
                if let super::plan::RowSource::Table(name) = &item.source
                    && self.domain.tables.has(name)
                {
                    read.insert(name.clone());
                }
            }
        }
        read.into_iter().map(|name| (tables(&name), name)).collect()
    }

    fn lineage(&self, tables: &dyn Fn(&str) -> String) -> Vec<OutputLineage> {
        let column = |column: &RelationColumn| OutputLineage {
            column: column.name.clone(),
            words: column.meaning.words.clone(),
            sources: super::plan::live::sources(self.plan, &column.text, tables),
        };
        self.results().flat_map(|result| &result.columns).map(column).collect()
    }
}

/// Returns the text with a capital at the start.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + letters.as_str())
}
