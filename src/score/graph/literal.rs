//! Literals and types: one spelling each.

use super::GraphBuilder;
use super::terms::Term;
use crate::code::literal::text_value;
use crate::code::tree::NodeId;

impl GraphBuilder<'_> {
    /// A string by its value.
    pub(super) fn text(&mut self, id: NodeId) -> Term {
        let label = format!("'{}", text_value(self.script.slice(id)));
        self.terms.leaf(&label)
    }

    /// A number without leading zeros. Trailing zeros stay, because they are part of a decimal's type.
    pub(super) fn number(&mut self, id: NodeId) -> Term {
        let written = self.script.slice(id).to_lowercase();
        let stripped = written.trim_start_matches('0');
        let label = match stripped.chars().next() {
            Some('1'..='9') => stripped.to_owned(),
            _ => format!("0{stripped}"),
        };
        self.terms.leaf(&format!("#{label}"))
    }

    /// A type by its canonical name.
    pub(super) fn type_name(&mut self, id: NodeId) -> Term {
        let words: Vec<String> =
            self.script.token_range(id).map(|index| self.script.token_text(index).to_lowercase()).collect();
        let canonical: String = words.iter().map(|word| synonym(word)).collect();
        let label = if canonical == "decimal" { "decimal(10,0)" } else { &canonical };
        self.terms.leaf(&format!("type {label}"))
    }
}

fn synonym(word: &str) -> &str {
    match word {
        "integer" => "int",
        "long" => "bigint",
        "short" => "smallint",
        "byte" => "tinyint",
        "real" => "float",
        "dec" | "numeric" => "decimal",
        other => other,
    }
}
