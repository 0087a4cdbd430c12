//! A script made ready for proof: parameters bound, names resolved, fake databases made, reference results known.

use super::coverage::{Branch, Coverage, measure, unmet_condition};
use super::data::generator::GeneratorOptions;
use super::distinct_figures::with_distinct_figures;
use super::effort::{Effort, SearchBudget, WorkLimit};
use super::equivalence::ScriptView;
use super::order_places::OrderPlaces;
use super::reduce::ReductionTimes;
use super::reference_refusal::ReferenceRefusal;
use super::unique_rows::with_unique_rows;
use super::varieties::{SortKeys, of_varieties};
use crate::code::schema::Schema;
use crate::code::scope::{ResolvedScript, Scopes};
use crate::code::script::Script;
use crate::code::span::Span;
use crate::code::tree::{NodeId, Tree};
use crate::corpus::Reference;
use crate::corpus::dictionary::is_read;
use crate::engine::ContextRef;
use crate::engine::compare::{compare, differs_in};
use crate::engine::policy::Policies;
use crate::engine::sqlite::{Limits, LoadedDatabase, ReadingContext, Sections, Sqlite, TieOrder, Translation};
use crate::engine::table::{Database, ResultTable, ScriptResult};

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

/// A correct script that has passed its baseline.
#[derive(Debug)]
pub struct Subject<'a> {
    /// The script with its schema and card.
    pub reference: &'a Reference,
    /// The script with its placeholders bound.
    pub bound: Script,
    /// Names of the bound script.
    pub scopes: Scopes,
    /// The reference, translated.
    pub translation: Translation,
    /// Its parts that can be read again alone.
    sections: Sections,
    /// Databases on which the reference runs, is deterministic and gives rows; the best one first.
    pub baseline: Vec<BaselineDatabase>,
    /// Its branches, and which of them the baseline takes.
    pub branches: Vec<Branch>,
    /// The platform's policies that hold for it: none, unless [`Subject::under`] says otherwise.
    pub policies: Policies,
    /// How hard its mutants are searched for a database that kills them.
    pub effort: Effort,
    /// How much work may be done on it.
    pub work: WorkLimit,
    /// Whether each trial of its mutants has a limit of work of its own.
    pub limits_trials: bool,
    /// How long the witnesses of its mutants took to reduce.
    pub reductions: ReductionTimes,
}

/// Number of other row orders in which a script must give the same result: a single one agrees by chance too often.
pub(super) const ORDERS: usize = 5;
/// Instructions after which a script that reads its tables backwards and from end to end is given up.
const SCANNING_INSTRUCTIONS: u64 = 4_000_000;
/// The same in the second and any further order. Of 2,400 databases on which a script was not stable, six showed it in one
/// of these orders only.
const OTHER_SCANNING_INSTRUCTIONS: u64 = 400_000;

impl<'a> Subject<'a> {
    /// Whether rows or columns of two results differ in a table that people read.
    pub fn differs(&self, reference: &ScriptResult, other: &ScriptResult) -> bool {
        differs_in(reference, other, |table| self.is_read(table))
    }

    /// Whether people read a table; every one if no report is known.
    pub fn is_read(&self, table: &ResultTable) -> bool {
        is_read(&self.reference.dictionary.reports, &table.target)
    }

    /// Returns the tables of a result that people read.
    pub fn read_tables(&self, result: ScriptResult) -> ScriptResult {
        result.only(|table| self.is_read(table))
    }

    /// Reads, resolves and translates a reference without making databases: nothing can be proved with it.
    ///
    /// # Errors
    ///
    /// As [`Subject::new`], except for what only databases show.
    pub fn without_databases(reference: &'a Reference) -> Result<Subject<'a>, ReferenceRefusal> {
        let bound = reference.parameters.bind(reference.script.text());
        let bound = bound.map_err(|_| ReferenceRefusal::unbound(reference))?;
        let ResolvedScript { script: bound, scopes } = ResolvedScript::new(bound, &reference.schema);
        if let Some(rejection) = crate::engine::spark_rules::judge(&bound, &scopes, &reference.schema) {
            return Err(ReferenceRefusal::rejected(reference, &bound, rejection));
        }
        let translation = Sqlite::translate_both_ways(&bound, &scopes, &reference.schema, &reference.parameters)
            .map_err(|what| ReferenceRefusal::unsupported(&bound, what))?;
        let setting = ReadingContext { schema: &reference.schema, parameters: &reference.parameters };
        let sections = Sections::new(&reference.script, &bound, &scopes, setting);
        Ok(Subject {
            reference,
            bound,
            scopes,
            translation,
            sections,
            baseline: Vec::new(),
            branches: Vec::new(),
            policies: Policies::default(),
            effort: Effort::default(),
            work: WorkLimit::none(),
            limits_trials: false,
            reductions: ReductionTimes::default(),
        })
    }

    /// Runs the baseline of a reference on databases of these varieties; it gets no databases for its branches.
    pub(super) fn without_branches(
        reference: &'a Reference,
        varieties: &[GeneratorOptions],
    ) -> Result<Subject<'a>, ReferenceRefusal> {
        let mut subject = Subject::without_databases(reference)?;
        let Subject { bound, scopes, translation, .. } = &subject;
        let baseline = |varieties: &[GeneratorOptions], keys: SortKeys, rows: fn(&Reference, Database) -> Database| {
            let databases = of_varieties(varieties, keys, reference, bound, scopes);
            let databases: Vec<Database> = databases.into_iter().map(|database| rows(reference, database)).collect();
            run_baseline(bound, &reference.schema, translation, &databases).map_err(|refusal| {
                let ReferenceRefusal::Empty { .. } = refusal else { return refusal };
                let loaded = databases.iter().filter_map(|database| Sqlite::open(&reference.schema, database).ok());
                let loaded: Vec<LoadedDatabase> = loaded.collect();
                ReferenceRefusal::Empty { condition: unmet_condition(bound, &reference.schema, &loaded) }
            })
        };
        let any_rows = |_: &Reference, database: Database| database;
        subject.baseline = match baseline(varieties, SortKeys::AsTheyCome, any_rows) {
            Err(ReferenceRefusal::Fails { error, .. }) if error.kind.is_of_several() => {
                let single = |options: &GeneratorOptions| GeneratorOptions { single_values: true, ..*options };
                let single: Vec<GeneratorOptions> = varieties.iter().map(single).collect();
                baseline(&single, SortKeys::AsTheyCome, any_rows)?
            }
            // Two versions of a row with one number are in no order, and the business has none such.
            Err(ReferenceRefusal::Nondeterministic { .. }) => {
                baseline(varieties, SortKeys::AsTheyCome, with_unique_rows)
                    .or_else(|_| baseline(varieties, SortKeys::Distinct, any_rows))
                    .or_else(|_| baseline(varieties, SortKeys::Distinct, with_distinct_figures))?
            }
            other => other?,
        };
        Ok(subject)
    }

    /// Returns the subject on a platform with these policies; those that its reference breaks do not hold for it.
    #[must_use]
    pub fn under(mut self, policies: &Policies) -> Subject<'a> {
        self.policies =
            policies.kept_by(self.reference.script.text(), &self.reference.schema, &self.reference.parameters);
        self
    }

    /// Returns the subject with another effort of search.
    #[must_use]
    pub fn with_effort(mut self, effort: Effort) -> Subject<'a> {
        self.effort = effort;
        self
    }

    /// Returns the budget for the search of one of its mutants.
    pub fn budget(&self) -> SearchBudget {
        self.effort.budget(self.bound.tree().len())
    }

    /// Returns the translation of the script as changed at these bytes of `text`, if reading the part that changed is
    /// enough and every rule accepts it.
    pub fn reread(&self, text: &str, changed: Span) -> Option<Translation> {
        // A policy may look at more than the part that changed.
        let setting = ReadingContext { schema: &self.reference.schema, parameters: &self.reference.parameters };
        self.policies.is_empty().then(|| self.sections.reread(text, changed, setting)).flatten()
    }

    /// Returns what the reference gives on a database; `None` if it does not run there.
    pub fn result_on(&self, database: &Database) -> Option<ScriptResult> {
        let loaded = Sqlite::open(&self.reference.schema, database).ok()?;
        loaded.run(&self.translation, &Limits::default()).ok()
    }

    /// Returns what is known of a database of the baseline; `None` if it is another one.
    pub(super) fn in_baseline(&self, database: &Database) -> Option<&BaselineDatabase> {
        self.baseline.iter().find(|baseline| baseline.database == *database)
    }

    /// Whether the reference gives one result on a database, whatever the order of its rows.
    pub fn is_stable_on(&self, database: &Database) -> bool {
        if self.in_baseline(database).is_some() {
            return true;
        }
        let run = ScriptRun { schema: &self.reference.schema, translation: &self.translation, database };
        self.result_on(database).is_some_and(|result| run.is_stable(ORDERS, &result))
    }

    /// Returns how much of the script its databases reach.
    pub fn coverage(&self) -> Coverage {
        let databases: Vec<&LoadedDatabase> = self.baseline.iter().map(|baseline| &baseline.loaded).collect();
        measure(&self.bound, &self.reference.schema, &databases, &self.branches)
    }

    /// Returns the nodes of the bound script that stand where these stand in the script with its placeholders. What a
    /// value of a placeholder has put in another place is left out.
    pub fn bound_nodes(&self, written: impl IntoIterator<Item = NodeId>) -> Vec<NodeId> {
        let (from, to) = (self.reference.script.tree(), self.bound.tree());
        let known = written.into_iter().filter(|node| node.index() < from.len());
        if from.len() == to.len() {
            return known.collect();
        }
        known.filter_map(|node| corresponding(from, to, node)).collect()
    }

    /// Returns the bound script with its names.
    pub fn view(&self) -> ScriptView<'_> {
        let Subject { reference, bound, scopes, .. } = self;
        ScriptView { script: bound, scopes, schema: &reference.schema }
    }

    /// Returns the schema, parameters and policies with which an engine runs the script.
    pub fn context(&self) -> ContextRef<'_> {
        ContextRef { schema: &self.reference.schema, parameters: &self.reference.parameters, policies: &self.policies }
    }
}

/// Returns the node of `to` that is reached from its root by the same steps as `node` in `from`. Siblings of another number
/// are counted from the last one: the definitions of functions, which binding takes away, come first.
fn corresponding(from: &Tree, to: &Tree, node: NodeId) -> Option<NodeId> {
    let Some(parent) = from.parent(node) else { return Some(to.root()) };
    let above = corresponding(from, to, parent)?;
    let behind = from.children(parent).len() - from.position(node);
    let siblings = to.children(above);
    let found = *siblings.get(siblings.len().checked_sub(behind)?)?;
    (to.kind(found) == from.kind(node)).then_some(found)
}

/// Runs the reference on each database and keeps those on which it gives rows, the same in any order.
fn run_baseline(
    bound: &Script,
    schema: &Schema,
    translation: &Translation,
    databases: &[Database],
) -> Result<Vec<BaselineDatabase>, ReferenceRefusal> {
    let mut kept: Vec<BaselineDatabase> = Vec::new();
    let mut refusal = ReferenceRefusal::Empty { condition: None };
    for database in databases {
        match BaselineDatabase::new(bound, schema, translation, database.clone()) {
            Ok(baseline) => kept.push(baseline),
            Err(ReferenceRefusal::Empty { .. }) => {}
            Err(other) => refusal = other,
        }
    }
    if kept.is_empty() { Err(refusal) } else { Ok(kept) }
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
