//! Problems with suggestions of what may have been meant.

use super::frame::FrameId;
use super::model::{ColumnPosition, OutputColumn, ProblemKind};
use super::resolver::Resolver;
use crate::code::dialect::Dialect;
use crate::code::tree::NodeId;

/// At most this many names are suggested, as in Spark.
const MAX_SUGGESTIONS: usize = 5;

/// At most this many columns are listed that an ambiguous name may mean. Spark lists all.
const MAX_CANDIDATES: usize = 100;

impl Resolver<'_> {
    pub fn unknown_column(&mut self, node: NodeId, frame: Option<FrameId>) {
        let written = Dialect::Hive.unquoted(self.script.slice(node));
        let suggestions = self.suggestions(&written, frame);
        self.problem(node, ProblemKind::UnknownColumn { name: written, suggestions });
    }

    /// Reports a name that none of these outputs has.
    pub fn unknown_output(&mut self, node: NodeId, name: String, outputs: &[OutputColumn]) {
        let wanted = name.rsplit('.').next().unwrap_or(&name).to_lowercase();
        let mut ranked: Vec<&str> = outputs.iter().map(|column| column.name.as_str()).collect();
        ranked.sort_by_cached_key(|column| strsim::levenshtein(&wanted, column));
        let suggestions = ranked.into_iter().take(MAX_SUGGESTIONS).map(str::to_owned).collect();
        self.problem(node, ProblemKind::UnknownColumn { name, suggestions });
    }

    pub fn ambiguous_column(&mut self, node: NodeId, hits: &[ColumnPosition]) {
        let name = Dialect::Hive.unquoted(self.script.slice(node));
        let candidates = hits.iter().take(MAX_CANDIDATES).map(|hit| self.qualified(*hit)).collect();
        self.problem(node, ProblemKind::AmbiguousColumn { name, candidates });
    }

    fn qualified(&self, (relation, column): ColumnPosition) -> String {
        let relation = self.relation(relation);
        let column = &relation.columns[column].name;
        if relation.name.is_empty() { column.clone() } else { format!("{}.{column}", relation.name) }
    }

    /// The visible columns whose names come nearest, best first; ties in FROM order.
    fn suggestions(&self, written: &str, frame: Option<FrameId>) -> Vec<String> {
        let wanted = written.to_lowercase();
        let last = wanted.rsplit('.').next().unwrap_or(&wanted);
        let mut ranked = Vec::new();
        let frames = std::iter::successors(frame, |frame| self.frame(*frame).parent);
        for relation in frames.flat_map(|frame| self.frame(frame).visible.iter()) {
            for (index, column) in self.relation(*relation).columns.iter().enumerate() {
                let qualified = self.qualified((*relation, index));
                let whole = if wanted.contains('.') { strsim::levenshtein(&wanted, &qualified) } else { 0 };
                ranked.push(((strsim::levenshtein(last, &column.name), whole), qualified));
            }
        }
        ranked.sort_by_key(|(distance, _)| *distance);
        ranked.into_iter().map(|(_, name)| name).take(MAX_SUGGESTIONS).collect()
    }
}
