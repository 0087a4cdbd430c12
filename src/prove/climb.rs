//! A search for what shows a fault, upwards from the databases on which the fault shows inside.

use super::data::aim::Target;
use super::data::drill::drill;
use super::data::volley::{Magazine, volley};
use super::ladder::Ladder;
use super::subject::{ORDERS, Stocked, is_stable_in};
use super::target::{Targets, columns};
use super::trial::{Duel, Suspect, VOLLEYS, Verdict};
use crate::code::schema::Schema;
use crate::engine::sqlite::{Limits, Sqlite};
use crate::engine::table::Database;

/// How many databases are tried that start from those on which the two differ inside.
const CLIMBS: usize = 320;
/// How many more, with changes of whole columns.
const DRILLS: usize = 480;
/// So many databases of one height are kept as starts.
const BASES: usize = 12;
/// A database with more rows is no start.
const MOST_ROWS: usize = 400;

/// Drills make many rows alike: where rows tie, few orders of them give the same by chance.
const MANY_ORDERS: usize = 24;

/// A changed database; none when nothing changes.
type Change = fn(&Schema, &Database, &Magazine<'_>, usize) -> Option<Database>;

impl Duel<'_> {
    /// Goes on from the databases on which the two differ inside, to those on which they differ higher up.
    pub(super) fn climb(&self, targets: &Targets, suspect: &Suspect<'_>) -> Option<Verdict> {
        let schema = &self.subject.reference.schema;
        let ladder = Ladder::new(self.subject, &self.mutant.whole().script);
        let aims: Vec<Vec<Target>> = ladder.rungs.iter().map(|rung| columns(self.subject, &[rung.query])).collect();
        let height = |stocked: &Stocked| (ladder.height(&stocked.loaded), stocked.database.clone());
        let mut bases: Vec<(usize, Database)> = self.subject.pool.iter().map(height).collect();
        for number in 0..CLIMBS + DRILLS {
            let best = bases.iter().map(|(height, _)| *height).max()?;
            self.tally.note(|seen| (seen.inside, seen.of) = (seen.inside.max(best), ladder.rungs.len()));
            let highest: Vec<&Database> =
                bases.iter().filter(|(height, _)| *height == best).map(|(_, database)| database).collect();
            let base = highest[number % highest.len()];
            let plain = targets.magazine(suspect.text);
            let ahead = aims.get(best).filter(|_| best > 0 && number % 3 > 0).unwrap_or(&targets.near);
            let upwards = Magazine { near: ahead, far: if best > 0 { plain.near } else { plain.far }, ..plain };
            let (change, magazine): (Change, _) = match number {
                _ if number < CLIMBS => (volley, upwards),
                _ if number % 2 == 0 => (drill, upwards),
                _ => (drill, plain),
            };
            if number == CLIMBS {
                self.orders.set(MANY_ORDERS);
            }
            let Some(database) = change(schema, base, &magazine, VOLLEYS + number) else { continue };
            self.tally.try_one();
            if let Some(contrast) = self.soundly_told(&database) {
                return Some(self.killed(&database, contrast));
            }
            let reached = Sqlite::open(schema, &database).map_or(0, |loaded| ladder.height(&loaded));
            let small = database.row_count() <= MOST_ROWS;
            if small && (reached > best || (reached == best && bases.len() < BASES)) && self.is_quiet(&database) {
                bases.push((reached, database));
            }
        }
        None
    }

    /// Whether the reference gives one result whatever the order of the rows.
    fn is_quiet(&self, database: &Database) -> bool {
        let schema = &self.subject.reference.schema;
        let Ok(loaded) = Sqlite::open(schema, database) else { return false };
        let result = loaded.run(&self.subject.translation, &Limits::default());
        result.is_ok_and(|result| is_stable_in(ORDERS, schema, (&self.subject.translation, database), &result))
    }
}
