//! The clauses of a block: joins, conditions, grouping and lists on one line.

use super::flat::{Flat, is_keyword};
use super::layout::ScriptLayout;
use super::remark::ScriptRemarks;
use super::style::{Clauses, LetterCase};
use crate::corpus::compose::draw::Draw;
use crate::corpus::compose::piece::{Piece, pieces};
use crate::corpus::compose::plan::Block;

/// Share of conditions with a remark, as `ScriptLayout::remarked` takes it.
const CONDITION_REMARKS: f64 = 0.06;

impl ScriptLayout<'_> {
    /// Writes a keyword and the blanks after it.
    pub(super) fn head(&mut self, word: &str) {
        let text = self.word(word);
        self.writer.put(&text);
        if self.style.clauses == Clauses::River && word.len() < 7 {
            self.writer.put(&" ".repeat(8 - word.len()));
        } else {
            self.writer.space();
        }
    }

    /// Writes a remark before a condition that begins with a column, by chance; for one on a column of days, a condition
    /// commented out.
    fn condition_remark(&mut self, text: &str, flats: &[Flat], indent: &str) {
        let mut tokens = flats.iter().filter_map(|flat| match flat {
            Flat::Token(token) => Some(token),
            _ => None,
        });
        let (Some(column), Some(operator)) = (tokens.next(), tokens.next()) else { return };
        let is_name = |sign: char| sign.is_alphanumeric() || matches!(sign, '_' | '.');
        if operator == "(" || is_keyword(column) || !column.chars().all(is_name) {
            return;
        }
        let is_day = column.rsplit('.').next().is_some_and(|name| matches!(name, "dt" | "ds" | "pt" | "p_date"));
        let lower = self.style.keywords == LetterCase::Lower;
        let says = |remarks: &ScriptRemarks, draw: Draw| match is_day {
            true if lower => remarks.test(column, draw).replace("AND ", "and "),
            true => remarks.test(column, draw),
            false => remarks.condition(column, draw),
        };
        if let Some(remark) = self.remarked(self.draw.at(text), CONDITION_REMARKS, says) {
            self.remark(&remark, indent);
        }
    }

    /// Returns the words of a join, with OUTER and INNER as the style has them.
    pub(super) fn join_words(&self, join: &str) -> Vec<Flat> {
        let mut text = join.to_owned();
        if self.style.outer {
            text = text.replace("LEFT JOIN", "LEFT OUTER JOIN").replace("FULL JOIN", "FULL OUTER JOIN");
        }
        let mut flats = self.flats(&text).to_vec();
        if self.style.inner
            && let Some(place) = flats.iter().position(|flat| matches!(flat, Flat::Token(_)))
            && flats[place] == Flat::Token(self.word("JOIN"))
        {
            flats.insert(place, Flat::Token(self.word("INNER")));
        }
        flats
    }

    /// Writes conditions, one a line; those whose form is empty leave only the edges of their decision.
    pub(super) fn conditions(&mut self, word: &str, texts: &[String], indent: &str, same_line: bool) {
        let river = self.style.clauses == Clauses::River;
        let step = format!("{indent}{}", self.step());
        let below = if river || (word == "WHERE" && !self.style.indent_and) { indent.to_owned() } else { step.clone() };
        let mut first = true;
        for text in texts {
            let flats = self.flats(text);
            let empty = !flats.iter().any(|flat| !matches!(flat, Flat::Begin(_) | Flat::End(_)));
            if empty {
                // The place where the other form would stand.
                self.expression(&flats, indent);
                continue;
            }
            // The range of a decision with an empty form includes the AND, which goes with the condition.
            let edges = flats.iter().take_while(|flat| matches!(flat, Flat::Begin(_))).count();
            let whole = edges == 1 && may_be_empty(text);
            if first {
                if same_line {
                    self.writer.space();
                } else {
                    self.writer.line(if word == "ON" && !river { &step } else { indent });
                }
                self.head(word);
                self.expression(&flats, &step);
            } else {
                if word == "WHERE" && !whole {
                    self.condition_remark(text, &flats, &below);
                }
                self.writer.line(&below);
                if whole {
                    self.expression(&flats[..1], &step);
                }
                self.head("AND");
                self.expression(if whole { &flats[1..] } else { &flats }, &step);
            }
            first = false;
        }
    }

    /// Writes `GROUP BY` and what follows its expressions.
    pub(super) fn grouping(&mut self, block: &Block, indent: &str) {
        if block.groups.is_empty() {
            return;
        }
        self.writer.line(indent);
        if self.style.group_inline || self.style.clauses == Clauses::River {
            self.head("GROUP BY");
            self.list(&block.groups, indent);
        } else {
            let text = self.word("GROUP BY");
            self.writer.put(&text);
            let step = format!("{indent}{}", self.step());
            for (number, text) in block.groups.iter().enumerate() {
                self.separator(number, &step);
                let flats = self.flats(text);
                self.expression(&flats, &step);
            }
        }
        if !block.grouping.is_empty() {
            self.writer.line(indent);
            let flats = self.flats(&block.grouping);
            self.expression(&flats, indent);
        }
    }

    /// Writes items on one line.
    pub(super) fn list(&mut self, texts: &[String], indent: &str) {
        for (number, text) in texts.iter().enumerate() {
            if number > 0 {
                self.writer.put(",");
                self.writer.space();
            }
            let flats = self.flats(text);
            self.expression(&flats, indent);
        }
    }
}

/// Whether one of the forms of a choice is empty.
fn may_be_empty(text: &str) -> bool {
    matches!(pieces(text).as_slice(), [Piece::Choice(_, forms)] if forms.iter().any(Vec::is_empty))
}
