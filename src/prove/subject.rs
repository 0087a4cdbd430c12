//! A script made ready for proof: parameters bound, names resolved, fake databases made, reference results known.

use super::baseline::{BaselineDatabase, BaselineInput, ORDERS, ScriptRun};
use super::coverage::{Branch, Coverage, measure};
use super::data::generator::GeneratorOptions;
use super::data::row_search::FoundValues;
use super::effort::{Effort, SearchBudget, WorkLimit};
use super::equivalence::ScriptView;
use super::own_tables::with_own_tables;
use super::reduce::ReductionTimes;
use super::reference_refusal::ReferenceRefusal;
use super::varieties::RowBasis;
use crate::code::scope::{ResolvedScript, Scopes};
use crate::code::script::Script;
use crate::code::span::Span;
use crate::code::tree::{NodeId, Tree};
use crate::corpus::Reference;
use crate::corpus::dictionary::is_read;
use crate::engine::ContextRef;
use crate::engine::compare::differs_in;
use crate::engine::policy::Policies;
use crate::engine::sqlite::{Limits, LoadedDatabase, ReadingContext, Sections, Sqlite, Translation};
use crate::engine::table::{Database, ResultTable, ScriptResult};

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
    /// The script with copies of its WITH tables, if only what is made for these gives rows; see [`with_own_tables`].
    own_tables: Option<ResolvedScript>,
    /// Values that were found for conditions of that script.
    found: FoundValues,
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
            own_tables: None,
            found: FoundValues::default(),
            baseline: Vec::new(),
            branches: Vec::new(),
            policies: Policies::default(),
            effort: Effort::default(),
            work: WorkLimit::none(),
            limits_trials: false,
            reductions: ReductionTimes::default(),
        })
    }

    /// Runs the baseline of a reference on databases of these varieties; it gets no databases for its branches. If it gives
    /// rows on none, a part of the work goes into the search for one.
    pub(super) fn without_branches(
        reference: &'a Reference,
        varieties: &[GeneratorOptions],
        work: &WorkLimit,
    ) -> Result<Subject<'a>, ReferenceRefusal> {
        let mut subject = Subject::without_databases(reference)?;
        let Subject { bound, scopes, translation, .. } = &subject;
        let input = BaselineInput { reference, bound, translation, varieties };
        let made = input.made_for(bound, scopes);
        let own_tables = match made {
            Err(ReferenceRefusal::Empty { .. }) => with_own_tables(bound, &reference.schema),
            _ => None,
        };
        let basis = match &own_tables {
            Some(copies) => RowBasis::of(&copies.script, &copies.scopes),
            None => RowBasis::of(bound, scopes),
        };
        let made = if own_tables.is_some() { input.made_for(basis.script, basis.scopes) } else { made };
        let made = match made {
            Err(ReferenceRefusal::Empty { condition }) => {
                input.sought(basis, work).map_err(|_| ReferenceRefusal::Empty { condition })?
            }
            other => other?,
        };
        (subject.baseline, subject.found, subject.own_tables) = (made.databases, made.found, own_tables);
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

    /// Returns what rows are made for: a script that means what the bound one does.
    pub(super) fn row_basis(&self) -> RowBasis<'_> {
        let (script, scopes) = match &self.own_tables {
            Some(ResolvedScript { script, scopes }) => (script, scopes),
            None => (&self.bound, &self.scopes),
        };
        RowBasis { script, scopes, found: Some(&self.found) }
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
