//! Expands ROLLUP, CUBE and GROUPING SETS into the sets of columns to group by.

use super::select::SelectClauses;
use super::{Translated, Translator};
use crate::code::tree::{GroupingKind, Kind, NodeId};

/// The most grouping sets that are supported.
const MOST_SETS: usize = 128;

/// The keys of a GROUP BY and its grouping sets.
pub(super) struct GroupingSets {
    pub keys: Vec<NodeId>,
    /// Ascending positions of `keys`.
    pub sets: Vec<Vec<usize>>,
}

impl GroupingSets {
    /// Returns the grouping id of a set as in Spark: one bit per key, the first key highest, which is 1 if the set does
    /// not group by the key.
    pub fn id(&self, set: &[usize]) -> u64 {
        (0..self.keys.len()).fold(0, |id, key| id << 1 | u64::from(!set.contains(&key)))
    }

    /// Whether the only set is empty.
    pub fn is_ungrouped(&self) -> bool {
        self.sets.len() == 1 && self.sets[0].is_empty()
    }
}

impl Translator<'_> {
    pub fn has_grouping_sets(&self, group: NodeId) -> bool {
        self.child(group, |kind| matches!(kind, Kind::Grouping { .. })).is_some()
    }

    pub fn grouping_sets(&self, group: NodeId, block: &SelectClauses<'_>) -> Translated<GroupingSets> {
        let mut found = GroupingSets { keys: Vec::new(), sets: vec![Vec::new()] };
        for item in self.children(group).iter().copied() {
            let options = match self.kind(item) {
                Kind::Grouping { kind } if self.follows_list(item) => {
                    found.sets = vec![Vec::new()];
                    match kind {
                        GroupingKind::WithRollup => {
                            prefixes(&(0..found.keys.len()).map(|key| vec![key]).collect::<Vec<_>>())
                        }
                        GroupingKind::WithCube => {
                            subsets(&(0..found.keys.len()).map(|key| vec![key]).collect::<Vec<_>>())
                        }
                        _ => self.grouping_items(item, block, &mut found.keys)?,
                    }
                }
                Kind::Grouping { kind } => {
                    let items = self.grouping_items(item, block, &mut found.keys)?;
                    match kind {
                        GroupingKind::Rollup => prefixes(&items),
                        GroupingKind::Cube => subsets(&items),
                        _ => items,
                    }
                }
                _ => vec![vec![self.key_position(item, block, &mut found.keys)?]],
            };
            found.sets = product(&found.sets, &options);
            if found.sets.len() > MOST_SETS {
                return self.refuse(group, "so many grouping sets");
            }
        }
        Ok(found)
    }

    /// Whether a list of keys stands before the item, as in `GROUP BY a, b GROUPING SETS (…)` and `… WITH ROLLUP`.
    fn follows_list(&self, item: NodeId) -> bool {
        let before = self.script.token_range(item).start().checked_sub(1);
        let comma = before.is_some_and(|before| self.script.token_text(before) == ",");
        !comma && self.tree.position(item) > 0
    }

    /// The items in the brackets of a grouping, each a list of keys.
    fn grouping_items(
        &self,
        grouping: NodeId,
        block: &SelectClauses<'_>,
        keys: &mut Vec<NodeId>,
    ) -> Translated<Vec<Vec<usize>>> {
        let mut items = Vec::new();
        for item in self.children(grouping) {
            let parts = match self.kind(*item) {
                Kind::Tuple | Kind::Paren => self.children(*item),
                Kind::Call { .. } if ["rollup", "cube"].contains(&self.script.function_name(*item).as_str()) => {
                    return self.refuse(*item, "ROLLUP or CUBE inside GROUPING SETS");
                }
                _ => std::slice::from_ref(item),
            };
            let mut positions = Vec::new();
            for part in parts {
                positions.push(self.key_position(*part, block, keys)?);
            }
            items.push(positions);
        }
        Ok(items)
    }

    fn key_position(&self, item: NodeId, block: &SelectClauses<'_>, keys: &mut Vec<NodeId>) -> Translated<usize> {
        let key = self.group_key(item, block)?;
        if let Some(position) = keys.iter().position(|known| self.is_same_expression(*known, key)) {
            return Ok(position);
        }
        keys.push(key);
        Ok(keys.len() - 1)
    }
}

fn prefixes(items: &[Vec<usize>]) -> Vec<Vec<usize>> {
    (0..=items.len()).rev().map(|length| items[..length].concat()).collect()
}

fn subsets(items: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let all = 1usize << items.len().min(10);
    let chosen = |mask: usize| {
        let kept = items.iter().enumerate().filter(|(at, _)| mask >> (items.len() - 1 - at) & 1 == 1);
        kept.flat_map(|(_, item)| item.iter().copied()).collect()
    };
    (0..all).rev().map(chosen).collect()
}

/// Returns every union of a set of `left` with one of `right`.
fn product(left: &[Vec<usize>], right: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let join = |a: &Vec<usize>, b: &Vec<usize>| {
        let mut set = [a.as_slice(), b.as_slice()].concat();
        set.sort_unstable();
        set.dedup();
        set
    };
    left.iter().flat_map(|a| right.iter().map(move |b| join(a, b))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rollup_is_prefixes_and_cube_is_subsets() {
        let items = [vec![0], vec![1, 2]];
        assert_eq!(prefixes(&items), [vec![0, 1, 2], vec![0], vec![]]);
        assert_eq!(subsets(&items), [vec![0, 1, 2], vec![0], vec![1, 2], vec![]]);
        assert_eq!(product(&[vec![3]], &prefixes(&items[..1])), [vec![0, 3], vec![3]]);
    }

    #[test]
    fn grouping_ids_count_from_the_first_key() {
        let sets = GroupingSets { keys: vec![NodeId(0), NodeId(1), NodeId(2)], sets: Vec::new() };
        assert_eq!([sets.id(&[0, 1, 2]), sets.id(&[0]), sets.id(&[])], [0, 3, 7]);
    }
}
