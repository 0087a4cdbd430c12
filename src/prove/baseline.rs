//! The databases that a script is tried on before any mutant is: those on which it gives rows, the same in any order.

use super::coverage::unmet_condition;
use super::data::evaluator::Evaluator;
use super::data::generator::GeneratorOptions;
use super::data::lineage::Lineage;
use super::data::row_search::{FoundValues, ValueSearch};
use super::database_search::DatabaseSearch;
use super::distinct_figures::with_distinct_figures;
use super::effort::WorkLimit;
use super::order_places::OrderPlaces;
use super::reference_refusal::ReferenceRefusal;
use super::unique_rows::with_unique_rows;
use super::varieties::{RowBasis, SortKeys, of_varieties};
use crate::code::schema::Schema;
use crate::code::scope::Scopes;
use crate::code::script::Script;
use crate::corpus::Reference;
use crate::engine::compare::compare;
use crate::engine::sqlite::{Limits, LoadedDatabase, Sqlite, TieOrder, Translation};
use crate::engine::table::{Database, ScriptResult};

/// A database with the reference's result on it.
#[derive(Debug)]
pub struct BaselineDatabase {
    /// The rows.
    pub database: Database,
    /// The same database, loaded into the engine.
    pub loaded: LoadedDatabase,
    /// The result of the reference.
    pub result: ScriptResult,
}

/// Number of other row orders in which a script must give the same result: a single one agrees by chance too often.
pub(super) const ORDERS: usize = 5;
/// Instructions after which a script that reads its tables backwards and from end to end is given up.
const SCANNING_INSTRUCTIONS: u64 = 4_000_000;
/// The same in the second and any further order. Of 2,400 databases on which a script was not stable, six showed it in one
/// of these orders only.
const OTHER_SCANNING_INSTRUCTIONS: u64 = 400_000;

/// What a baseline is made from.
pub(super) struct BaselineInput<'a> {
    pub reference: &'a Reference,
    /// The script with its placeholders bound.
    pub bound: &'a Script,
    pub translation: &'a Translation,
    pub varieties: &'a [GeneratorOptions],
}

/// Most conditions for which values are sought, one after the other.
const MOST_SEARCHES: usize = 5;
/// Most databases at which a search for another one begins.
const MOST_BEGINNINGS: usize = 3;

/// What is done with the rows of a database.
type ChangeOfRows = fn(&Reference, Database) -> Database;

/// Databases on which a script gives rows.
pub(super) struct BaselineDatabases {
    pub databases: Vec<BaselineDatabase>,
    /// The values that had to be sought for them.
    pub found: FoundValues,
}

impl BaselineInput<'_> {
    /// Runs the reference on databases that are made for a script which means the same. For a condition that no row meets,
    /// values are sought.
    ///
    /// # Errors
    ///
    /// If the reference fails, gives no rows on any, or gives others when the tables are read in another order.
    pub fn made_for(&self, script: &Script, scopes: &Scopes) -> Result<BaselineDatabases, ReferenceRefusal> {
        let mut found = FoundValues::default();
        let mut outcome = self.of_basis(RowBasis { script, scopes, found: Some(&found) });
        for _ in 0..MOST_SEARCHES {
            let Err(ReferenceRefusal::Empty { condition: Some(_) }) = outcome else { break };
            let Some(more) = self.values_for_unmet(RowBasis { script, scopes, found: Some(&found) }) else { break };
            let before = found.clone();
            found.add(more);
            if found == before {
                break;
            }
            outcome = self.of_basis(RowBasis { script, scopes, found: Some(&found) });
        }
        Ok(BaselineDatabases { databases: outcome?, found })
    }

    /// Runs the reference on databases that are sought with a part of the work, where it gives no rows on those that are made
    /// of its conditions.
    ///
    /// # Errors
    ///
    /// If none is found on which it gives rows, the same in any order.
    pub fn sought(&self, basis: RowBasis<'_>, work: &WorkLimit) -> Result<BaselineDatabases, ReferenceRefusal> {
        let mut search = DatabaseSearch::new(self.reference, basis, work.of_first_rows());
        let beginnings = of_varieties(self.varieties, SortKeys::AsTheyCome, self.reference, basis).into_iter();
        let found: Vec<Database> =
            beginnings.take(MOST_BEGINNINGS).filter_map(|database| search.from(database)).collect();
        Ok(BaselineDatabases { databases: self.kept(&found)?, found: FoundValues::default() })
    }

    /// Returns values for the first condition that no row meets.
    fn values_for_unmet(&self, basis: RowBasis<'_>) -> Option<FoundValues> {
        let RowBasis { script, scopes, .. } = basis;
        let schema = &self.reference.schema;
        let databases = of_varieties(self.varieties, SortKeys::AsTheyCome, self.reference, basis);
        let loaded: Vec<LoadedDatabase> =
            databases.iter().filter_map(|database| Sqlite::open(schema, database).ok()).collect();
        let unmet = unmet_condition(script, schema, &loaded)?.node;
        let lineage = Lineage::new(script, scopes);
        let evaluator = Evaluator::new(self.reference, script);
        let search =
            ValueSearch { lineage: &lineage, evaluator: &evaluator, reference: self.reference, databases: &databases };
        search.values_for(unmet)
    }

    /// Runs the reference on databases that are made on one basis, with other rows where these do not serve.
    fn of_basis(&self, basis: RowBasis<'_>) -> Result<Vec<BaselineDatabase>, ReferenceRefusal> {
        let made = |varieties: &[GeneratorOptions], keys: SortKeys, change: ChangeOfRows| -> Vec<Database> {
            let databases = of_varieties(varieties, keys, self.reference, basis).into_iter();
            databases.map(|database| change(self.reference, database)).collect()
        };
        let run = |varieties: &[GeneratorOptions], keys: SortKeys, change: ChangeOfRows| {
            self.run(&made(varieties, keys, change))
        };
        let any_rows: ChangeOfRows = |_, database| database;
        match run(self.varieties, SortKeys::AsTheyCome, any_rows) {
            Err(ReferenceRefusal::Fails { error, .. }) if error.kind.is_of_several() => {
                let single = |options: &GeneratorOptions| GeneratorOptions { single_values: true, ..*options };
                let single: Vec<GeneratorOptions> = self.varieties.iter().map(single).collect();
                run(&single, SortKeys::AsTheyCome, any_rows)
            }
            // Two versions of a row with one number are in no order, and the business has none such.
            Err(ReferenceRefusal::Nondeterministic { .. }) => {
                run(self.varieties, SortKeys::AsTheyCome, with_unique_rows)
                    .or_else(|_| run(self.varieties, SortKeys::Distinct, any_rows))
                    .or_else(|_| run(self.varieties, SortKeys::Distinct, with_distinct_figures))
            }
            // Where a group must have one thing and lack another, its rows are all of one kind.
            Err(ReferenceRefusal::Empty { condition }) => {
                let alike = |options: &GeneratorOptions| GeneratorOptions { one_alternative: true, ..*options };
                let alike: Vec<GeneratorOptions> = self.varieties.iter().map(alike).collect();
                let kept = self.kept(&made(&alike, SortKeys::AsTheyCome, any_rows));
                kept.or(Err(ReferenceRefusal::Empty { condition }))
            }
            other => other,
        }
    }

    /// Returns [`BaselineInput::kept`]; where no database gives rows, the refusal says which condition no row meets.
    fn run(&self, databases: &[Database]) -> Result<Vec<BaselineDatabase>, ReferenceRefusal> {
        let BaselineInput { reference, bound, .. } = self;
        self.kept(databases).map_err(|refusal| {
            let ReferenceRefusal::Empty { .. } = refusal else { return refusal };
            let loaded = databases.iter().filter_map(|database| Sqlite::open(&reference.schema, database).ok());
            let loaded: Vec<LoadedDatabase> = loaded.collect();
            ReferenceRefusal::Empty { condition: unmet_condition(bound, &reference.schema, &loaded) }
        })
    }

    /// Runs the reference on each database and keeps those on which it gives rows, the same in any order.
    fn kept(&self, databases: &[Database]) -> Result<Vec<BaselineDatabase>, ReferenceRefusal> {
        let BaselineInput { reference, bound, translation, .. } = self;
        let mut kept: Vec<BaselineDatabase> = Vec::new();
        let mut refusal = ReferenceRefusal::Empty { condition: None };
        for database in databases {
            match BaselineDatabase::new(bound, &reference.schema, translation, database.clone()) {
                Ok(baseline) => kept.push(baseline),
                Err(ReferenceRefusal::Empty { .. }) => {}
                Err(other) => refusal = other,
            }
        }
        if kept.is_empty() { Err(refusal) } else { Ok(kept) }
    }
}

impl BaselineDatabase {
    /// Runs a reference on a database.
    ///
    /// # Errors
    ///
    /// If it fails there, gives no rows, or gives others when the tables are read in another order.
    pub(super) fn new(
        bound: &Script,
        schema: &Schema,
        translation: &Translation,
        database: Database,
    ) -> Result<BaselineDatabase, ReferenceRefusal> {
        let loaded = Sqlite::open(schema, &database).map_err(|_| ReferenceRefusal::Empty { condition: None })?;
        let result = loaded.run(translation, &Limits::default()).map_err(|error| {
            let line = bound.place(bound.tree().span(error.statement).start).line;
            let places = match error.kind.is_uncertain() {
                true => OrderPlaces::taking_one_value(bound, error.statement),
                false => OrderPlaces::default(),
            };
            ReferenceRefusal::Fails { line, places, error }
        })?;
        if result.tables.is_empty() {
            return Err(ReferenceRefusal::LeavesNothing);
        }
        if result.tables.iter().all(|table| table.rows.is_empty()) {
            return Err(ReferenceRefusal::Empty { condition: None });
        }
        if !(ScriptRun { schema, translation, database: &database }).is_stable(ORDERS, &result) {
            return Err(ReferenceRefusal::Nondeterministic { places: OrderPlaces::of(bound) });
        }
        Ok(BaselineDatabase { database, loaded, result })
    }
}

/// A script and a database that it runs on.
#[derive(Clone, Copy)]
pub(super) struct ScriptRun<'a> {
    pub schema: &'a Schema,
    pub translation: &'a Translation,
    pub database: &'a Database,
}

impl ScriptRun<'_> {
    /// Whether the database can exist, and the script gives the same result when every table is read in this many other
    /// orders.
    pub fn is_stable(self, orders: usize, result: &ScriptResult) -> bool {
        self.database.fits(self.schema) && self.holds_in_orders(orders, |other| compare(result, other).is_equal())
    }

    /// Whether `holds` accepts the script's result when its tables are read backwards, and in each of these orders
    /// without indexes. The orders behind the first are read with indexes from where reading without them takes too
    /// long; ties among groups do not turn there.
    pub fn holds_in_orders(self, orders: usize, holds: impl Fn(&ScriptResult) -> bool) -> bool {
        let mut scans_fast = true;
        self.database.orders().take(orders).enumerate().all(|(number, other)| {
            let Ok(loaded) = Sqlite::open(self.schema, &other) else { return false };
            let by_indexes = || loaded.run(self.translation, &Limits::default()).is_ok_and(|other| holds(&other));
            let instructions = if number == 0 { SCANNING_INSTRUCTIONS } else { OTHER_SCANNING_INSTRUCTIONS };
            // Groups come in the order of their keys whatever the order of the rows, so ties among them have to turn.
            let ties = if number % 2 == 0 { TieOrder::Reversed } else { TieOrder::AsRead };
            let limits = Limits { instructions, ..Limits::default() };
            let by_scans = || loaded.run_scanning(self.translation, ties, &limits).ok();
            // The first of the orders is the opposite one.
            if number == 0 {
                return by_indexes() && by_scans().is_none_or(|other| holds(&other));
            }
            match scans_fast.then(by_scans).flatten() {
                Some(other) => holds(&other),
                None => {
                    scans_fast = false;
                    by_indexes()
                }
            }
        })
    }
}
