//! OVER: writes out named windows and checks frames.

use super::piece::SqlPiece::{Sql, Value};
use super::{Translated, Translator};
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;
use crate::code::{IntervalAmount, IntervalPart};

/// A window with the parts that it inherits from its base window.
#[derive(Clone, Copy, Default)]
struct ResolvedWindow {
    partition: Option<NodeId>,
    order: Option<NodeId>,
    frame: Option<NodeId>,
}

impl Translator<'_> {
    pub fn over(&mut self, over: NodeId) -> Translated {
        let window = self.window(self.only_child(over)?, 0)?;
        self.write(" OVER (");
        if let Some(partition) = window.partition {
            self.write("PARTITION BY ");
            // `PARTITION BY (a, b)`, by one row, parts rows as `PARTITION BY a, b` does.
            let keys = self.children(partition).iter().flat_map(|key| match self.kind(*key) {
                Kind::Tuple => self.children(*key),
                _ => std::slice::from_ref(key),
            });
            let keys: Vec<NodeId> = keys.copied().collect();
            self.separated(keys, ",", Self::expression)?;
        }
        let seconds = self.frame_in_seconds(&window);
        if let Some(order) = window.order {
            self.write(" ORDER BY ");
            if seconds {
                self.sort_key_in_seconds(order)?
            } else {
                self.sort_keys(order)?
            }
            if self.backwards && self.counts_rows(over, window.frame) {
                self.write(",h_turn()");
            }
        }
        if let Some(frame) = window.frame {
            self.frame(frame, seconds)?;
        }
        self.write(")");
        Ok(())
    }

    /// Whether the result depends on the order of rows with the same rank, so that reversing them may change it.
    fn counts_rows(&self, over: NodeId, frame: Option<NodeId>) -> bool {
        let function = self.tree.parent(over).map(|call| self.script.function_name(call)).unwrap_or_default();
        match function.as_str() {
            "row_number" | "ntile" | "lag" | "lead" => true,
            "rank" | "dense_rank" | "percent_rank" | "cume_dist" => false,
            _ => frame.is_some_and(|frame| self.kind(frame) == Kind::Frame { rows: true }),
        }
    }

    fn window(&self, node: NodeId, depth: usize) -> Translated<ResolvedWindow> {
        if depth > 10 {
            return self.refuse(node, "a window that means itself");
        }
        if self.kind(node) == Kind::Identifier {
            return match self.named_window(node) {
                Some(specification) => self.window(specification, depth + 1),
                None => self.refuse(node, "a window that is not defined"),
            };
        }
        let mut window = ResolvedWindow::default();
        for child in self.children(node).iter().copied() {
            match self.kind(child) {
                Kind::Identifier => window = self.window(child, depth + 1)?,
                Kind::PartitionBy => window.partition = Some(child),
                Kind::OrderBy => window.order = Some(child),
                Kind::Frame { .. } => window.frame = Some(child),
                _ => {}
            }
        }
        Ok(window)
    }

    /// Returns the specification to which WINDOW gives a name, in the nearest block or query.
    fn named_window(&self, name: NodeId) -> Option<NodeId> {
        let wanted = self.script.name(name);
        let named = |window: &NodeId| match self.children(*window) {
            [name, specification] if self.script.name(*name) == wanted => Some(*specification),
            _ => None,
        };
        self.tree.ancestors(name).find_map(|ancestor| {
            let windows = self.child(ancestor, |kind| kind == Kind::Windows)?;
            self.children(windows).iter().find_map(named)
        })
    }

    /// Whether a frame is a RANGE with a distance over dates or timestamps, which is counted in seconds.
    fn frame_in_seconds(&self, window: &ResolvedWindow) -> bool {
        let (Some(frame), Some(order)) = (window.frame, window.order) else { return false };
        let distance = self.children(frame).iter().any(|bound| !self.children(*bound).is_empty());
        let key = self.children(order).first().and_then(|item| self.children(*item).first());
        let temporal = key.is_some_and(|key| self.type_of(*key).is_temporal());
        self.kind(frame) == Kind::Frame { rows: false } && distance && temporal
    }

    fn sort_key_in_seconds(&mut self, order: NodeId) -> Translated {
        let [item] = self.children(order) else { return self.refuse(order, "a RANGE distance with several keys") };
        self.pieces(&[Sql("unixepoch("), Value(self.only_child(*item)?), Sql(")")])?;
        self.direction(*item);
        Ok(())
    }

    fn frame(&mut self, frame: NodeId, seconds: bool) -> Translated {
        let rows = self.kind(frame) == Kind::Frame { rows: true };
        self.write(if rows { " ROWS " } else { " RANGE " });
        match self.children(frame) {
            [only] => self.frame_bound(*only, seconds),
            [from, to] => {
                self.write("BETWEEN ");
                self.frame_bound(*from, seconds)?;
                self.write(" AND ");
                self.frame_bound(*to, seconds)
            }
            _ => self.refuse(frame, "this frame"),
        }
    }

    fn frame_bound(&mut self, bound: NodeId, seconds: bool) -> Translated {
        let range = self.script.token_range(bound);
        let preceding = self.script.token_text(*range.end()).eq_ignore_ascii_case("PRECEDING");
        let Some(distance) = self.children(bound).first().copied() else {
            let unbounded = self.script.token_text(*range.start()).eq_ignore_ascii_case("UNBOUNDED");
            self.write(match (unbounded, preceding) {
                (true, true) => "UNBOUNDED PRECEDING",
                (true, false) => "UNBOUNDED FOLLOWING",
                _ => "CURRENT ROW",
            });
            return Ok(());
        };
        match (seconds, self.kind(distance)) {
            (true, Kind::Interval) => {
                let amount = self.interval(distance)?;
                let Some(count) = whole_seconds(&amount) else {
                    return self.refuse(distance, "a RANGE distance in months");
                };
                self.write(&count.to_string());
            }
            (true, Kind::Number) if self.script.slice(distance).parse::<u32>().is_ok() => {
                self.write(self.script.slice(distance));
                self.write("*86400");
            }
            (false, Kind::Number) if self.type_of(distance) != &Type::Unknown => self.expression(distance)?,
            _ => return self.refuse(distance, "this distance of a frame"),
        }
        self.write(if preceding { " PRECEDING" } else { " FOLLOWING" });
        Ok(())
    }
}

fn whole_seconds(amounts: &[IntervalAmount]) -> Option<i64> {
    let seconds = |amount: &IntervalAmount| match amount {
        IntervalAmount::Fixed { count, part: IntervalPart::Days } => Some(count * 86_400),
        IntervalAmount::Fixed { count, part: IntervalPart::Microseconds } => Some(count / 1_000_000),
        _ => None,
    };
    amounts.iter().map(seconds).sum()
}
