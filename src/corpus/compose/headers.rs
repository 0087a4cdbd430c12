//! What stands around the blocks of a planned script: headers, INSERTs, remarks.

use super::domain::BusinessQuestion;
use super::piece::day;
use super::plan::Block;
use super::planned::{ScriptDraft, capital};
use super::relation::OpenRelation;
use super::schema::scratch;
use super::writing::{FilePart, HeaderSubject, RemarkFacts, ShapedPlan, StatementFrame};

impl ScriptDraft<'_> {
    /// Returns what stands around the blocks of a script that fills the tables `filled` and reads those of `read`, each
    /// with its neutral name.
    pub(super) fn target(
        &self,
        question: &BusinessQuestion,
        filled: &[String],
        read: &[(String, String)],
    ) -> StatementFrame {
        let date = day(0);
        let insert = |name: &String| format!("INSERT OVERWRITE TABLE {name} PARTITION (dt = {date})");
        let about = HeaderSubject {
            table: filled.first().cloned(),
            inputs: read.iter().map(|(full, _)| full.clone()).collect(),
            columns: self.results().flat_map(added_later).collect(),
            ..self.subject(question)
        };
        let header = self.history.header(&about, self.date(), self.draw.at("header"));
        let facts = RemarkFacts {
            reader: question.reader.clone(),
            team: about.team,
            date: self.date().to_owned(),
            people: about.people,
            inputs: about.inputs.iter().map(|table| table.rsplit('.').next().unwrap_or(table).to_owned()).collect(),
            columns: about.columns,
            is_chinese: header.iter().any(|line| !line.is_ascii()),
        };
        let remarks = self.remarks.of_script(facts, self.draw.at("remarks"));
        let scratch = scratch(self.domain, self.style(), self.draw.at("layers"));
        StatementFrame {
            inserts: filled.iter().map(insert).collect(),
            tables: filled.to_vec(),
            scratch,
            header,
            remarks,
        }
    }

    /// Returns the headers of the files of a script; the last of them fills the tables `filled`.
    pub(super) fn headers(
        &self,
        shaped: &ShapedPlan<'_>,
        question: &BusinessQuestion,
        filled: &[String],
        tables: &dyn Fn(&str) -> String,
    ) -> Vec<Vec<String>> {
        let header = |(step, part): (usize, &FilePart)| {
            let last = part.statements.last().copied().unwrap_or_default();
            let is_result = self.plan.results.contains(&last);
            let Block { purpose, reason, names, .. } = &self.plan.blocks[last];
            let title = match (is_result, purpose.is_empty() || *reason) {
                (true, _) => self.title(question),
                (_, false) => purpose.clone(),
                // A reason for one step is no title.
                (_, true) => names.first().map_or_else(|| self.title(question), |name| name.replace('_', " ")),
            };
            let named = |block: &usize| self.plan.blocks[*block].outputs.iter().map(|output| output.name.clone());
            let made = if is_result { filled.first().cloned() } else { Some(shaped.name(last).to_owned()) };
            let about = HeaderSubject {
                table: made,
                title: capital(&title),
                inputs: shaped.inputs(part, tables),
                columns: part.statements.iter().flat_map(named).collect(),
                step: Some(step),
                ..self.subject(question)
            };
            self.history.header(&about, self.date(), self.draw.at("header"))
        };
        shaped.files().iter().enumerate().map(header).collect()
    }

    /// Returns what all headers of a script say.
    fn subject<'q>(&self, question: &'q BusinessQuestion) -> HeaderSubject<'q> {
        HeaderSubject {
            table: None,
            title: capital(&self.title(question)),
            team: self.draw.at("team").pick(&self.domain.teams).cloned().unwrap_or_default(),
            reader: question.reader.as_str(),
            purpose: question.purpose.as_str(),
            inputs: Vec::new(),
            columns: Vec::new(),
            people: self.history.people(&self.domain.domain, self.draw.at("people")),
            step: None,
        }
    }
}

/// Returns the columns of a result that may have been added after its first version: its key was there from the start.
fn added_later(result: &OpenRelation) -> impl Iterator<Item = String> {
    let columns = result.columns.iter().map(|column| &column.name);
    columns.filter(|name| !result.grain.contains(name)).cloned()
}
