//! Texts that `concat` puts together: each piece gets its part of the text that is asked for.

use super::{ConditionRole, ConstraintCollector};
use crate::code::tree::{Kind, NodeId};

impl ConstraintCollector<'_, '_> {
    /// Requires of each piece of a `concat` its part of `text`, which is cut at constants and by the lengths of pieces
    /// whose length is known. Returns false if the text cannot be cut so.
    pub(super) fn invert_concat(&mut self, pieces: &[NodeId], text: &str, role: ConditionRole) -> bool {
        let mut rest = text;
        let mut cut: Vec<(NodeId, &str)> = Vec::new();
        for (at, piece) in pieces.iter().enumerate() {
            if let Some(constant) = self.value(*piece) {
                let Some(after) = rest.strip_prefix(&*constant.plain_text()) else { return false };
                rest = after;
                continue;
            }
            let next = pieces.get(at + 1).and_then(|next| self.value(*next));
            let length = match self.fixed_length(*piece) {
                None if next.is_none() => self.length_before(&pieces[at + 1..], rest),
                length => length,
            };
            let end = match (length, next) {
                (Some(length), _) => rest.char_indices().nth(length).map_or(rest.len(), |(end, _)| end),
                (None, Some(next)) => match rest.find(&*next.plain_text()) {
                    Some(end) => end,
                    None => return false,
                },
                (None, None) => rest.len(),
            };
            cut.push((*piece, &rest[..end]));
            rest = &rest[end..];
        }
        for (piece, part) in &cut {
            self.equate(*piece, part, role);
        }
        !cut.is_empty() && rest.is_empty()
    }

    /// Returns the length of the text in front of these pieces, which are at its end; `None` if it is empty, or if the length
    /// of a piece is not known.
    fn length_before(&mut self, pieces: &[NodeId], text: &str) -> Option<usize> {
        let mut left = text.chars().count();
        for piece in pieces {
            let constant = self.value(*piece).map(|constant| constant.plain_text().chars().count());
            left = left.checked_sub(constant.or_else(|| self.fixed_length(*piece))?)?;
        }
        Some(left).filter(|left| *left > 0)
    }

    /// Returns the length that an expression always has, as `lpad(x, 2, '0')` does.
    pub(super) fn fixed_length(&mut self, node: NodeId) -> Option<usize> {
        let script = self.lineage.script;
        let pads = matches!(script.tree().kind(node), Kind::Call { .. })
            && matches!(&*script.function_name(node), "lpad" | "rpad");
        let length = script.arguments(node).get(1).copied().filter(|_| pads)?;
        self.value(length)?.plain_text().parse().ok()
    }
}
