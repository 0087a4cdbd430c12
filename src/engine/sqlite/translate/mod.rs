//! SQLite text for Hive and Spark scripts, by structure.
//!
//! Every query is written anew from the tree: columns by what [`Scopes`] says they mean, values with the conversions
//! that Spark inserts (ANSI mode off), functions as the `h_…` functions of the connection. Nothing of the source text
//! is copied, so no name or word of a script can mean something to SQLite that it does not mean to Spark.
//!
//! Naming, so that nothing can clash: relation `r5`, CTE `w12`, view `v12` (numbers of nodes), output columns `c0`,
//! `c1`, …; only tables and columns of the schema keep their names.
//!
//! Encoding: STRING is TEXT, INT and BIGINT INTEGER, DOUBLE and DECIMAL REAL, BOOLEAN 0 or 1, DATE `YYYY-MM-DD`,
//! TIMESTAMP `YYYY-MM-DD HH:MM:SS[.ffffff]`, arrays JSON arrays, maps and structs JSON objects.

mod access;
mod aggregate;
mod arithmetic;
mod call;
mod case;
mod cast;
mod compare;
mod convert;
mod expression;
mod function_state;
mod generator;
mod grouped;
mod grouping_sets;
mod insert;
mod interval;
mod join;
mod lambda;
mod by_name;
mod literal;
mod names;
mod ordering;
pub mod parts;
mod piece;
mod predicate;
mod query;
mod reason;
mod relation;
mod same;
mod select;
mod special;
mod statement;
mod window;

pub use crate::code::functions::Why;
#[cfg(test)]
pub use function_state::written_functions;
pub use function_state::{FunctionState, function_state};
pub use reason::{Reason, Unsupported};

use std::collections::HashMap;
use std::sync::Arc;

use super::Sqlite;
use crate::code::parameters::Parameters;
use crate::code::schema::{Schema, TableDefinition};
use crate::code::scope::{RelationId, RelationSource, Scopes};
use crate::code::script::Script;
use crate::code::tree::{Kind, NodeId, Tree};
use crate::code::types::Type;
use crate::engine::table::{ResultColumn, Value};
use grouped::GroupedNames;
use parts::{Around, MadeTable, Stated};

/// A script as SQLite runs it: one query a step, and what becomes of its rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Translation {
    pub(crate) steps: Vec<Step>,
    /// Tables that the script makes and reads: name and number of columns.
    pub scratch: Scratch,
    /// The steps with the sides of UNION ALL the other way round; empty where nobody asked for them.
    pub turned: Vec<Step>,
}

/// Tables for rows that later statements read: name and number of columns.
pub type Scratch = Vec<(String, usize)>;

impl Translation {
    /// The queries, in order of execution.
    pub fn queries(&self) -> impl Iterator<Item = &str> {
        self.steps.iter().map(|step| step.sql.as_str())
    }

    /// What each of them gives.
    pub fn columns(&self) -> impl Iterator<Item = &[ResultColumn]> {
        self.steps.iter().map(|step| step.columns.as_slice())
    }
}

/// One query and what becomes of its rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The statement (or branch of a multi-insert) it comes from.
    pub statement: NodeId,
    /// Empty for steps that only drop a table.
    pub sql: String,
    /// The query's columns.
    pub columns: Vec<ResultColumn>,
    pub destination: Destination,
}

/// What becomes of a query's rows.
#[derive(Clone, Debug, PartialEq)]
pub enum Destination {
    /// They are a result.
    Result {
        /// The query fixes their order.
        ordered: bool,
    },
    /// They are written to a table.
    Table(Write),
    /// There are none: the table of this name ends.
    Drop(String),
}

/// How rows reach a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Write {
    /// Full lower-case name.
    pub table: String,
    /// The table's columns.
    pub columns: Vec<ResultColumn>,
    /// For each column of the table where its value comes from.
    pub sources: Vec<Source>,
    pub replaces: Replaces,
    /// Its name in the database, when a later statement reads it.
    pub kept_as: Option<String>,
}

/// Where the value of a written column comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// A column of the query.
    Query(usize),
    /// The same for all rows.
    Constant(Value),
}

/// Which rows a write removes first.
#[derive(Clone, Debug, PartialEq)]
pub enum Replaces {
    Nothing,
    Everything,
    /// The partitions that have these values, and of the dynamic columns those values that are written.
    Partitions {
        fixed: Vec<(usize, Value)>,
        dynamic: Vec<usize>,
    },
}

impl Sqlite {
    /// Translates every statement of a script; refuses what it cannot run as Spark does. Pure.
    ///
    /// `scopes` are those of `script`. Placeholders that are left in the script take their values from `parameters`.
    ///
    /// # Errors
    ///
    /// The first construct that is not supported, with its place.
    pub fn translate(
        script: &Script,
        scopes: &Scopes,
        schema: &Schema,
        parameters: &Parameters,
    ) -> Result<Translation, Unsupported> {
        Translator::new(script, scopes, schema, parameters).script()
    }

    /// As [`Sqlite::translate`], ready to be run in another order of rows as well
    /// ([`super::LoadedDatabase::run_scanning`]): one side of a UNION ALL always stands before the other, which hides that
    /// a result depends on the order of rows.
    ///
    /// # Errors
    ///
    /// As [`Sqlite::translate`].
    pub fn translate_both_ways(
        script: &Script,
        scopes: &Scopes,
        schema: &Schema,
        parameters: &Parameters,
    ) -> Result<Translation, Unsupported> {
        let translation = Sqlite::translate(script, scopes, schema, parameters)?;
        let mut translator = Translator::new(script, scopes, schema, parameters);
        translator.backwards = true;
        Ok(Translation { turned: translator.script()?.steps, ..translation })
    }
}

/// As [`Sqlite::translate`], statement by statement, with the places of what can be read alone; none where a script has no such
/// parts.
pub fn translate_in_parts(
    script: &Script,
    scopes: &Scopes,
    schema: &Schema,
    parameters: &Parameters,
) -> Result<Option<(Vec<Stated>, Scratch)>, Unsupported> {
    let mut translator = Translator::new(script, scopes, schema, parameters);
    let stated = translator.stated()?;
    Ok(stated.map(|stated| (stated, translator.scratch)))
}

/// The columns of queries and CTEs of a script.
pub fn columns_of(
    script: &Script,
    scopes: &Scopes,
    schema: &Schema,
    parameters: &Parameters,
    nodes: impl Iterator<Item = NodeId>,
) -> HashMap<NodeId, Arc<[ResultColumn]>> {
    let translator = Translator::new(script, scopes, schema, parameters);
    nodes.map(|node| (node, translator.result_columns(scopes.outputs(node)).into())).collect()
}

/// The steps of a part of a longer script, one statement with the names of [`Scopes::resolve_among`].
pub fn translate_part(
    script: &Script,
    scopes: &Scopes,
    schema: &Schema,
    parameters: &Parameters,
    around: Around<'_>,
    made: &[MadeTable],
) -> Result<Vec<Step>, Unsupported> {
    let mut translator = Translator::new(script, scopes, schema, parameters);
    translator.around = around;
    translator.part_alone(made)
}

/// Outcome of writing a piece of SQL.
type Translated<T = ()> = Result<T, Unsupported>;

/// A table or view that the script made.
struct ScriptTable {
    columns: Vec<ResultColumn>,
    /// Positions of partition columns.
    partitions: Vec<usize>,
    /// For a view: its node, and its query as SQLite reads it.
    view: Option<(NodeId, String)>,
}

struct Translator<'a> {
    script: &'a Script,
    tree: &'a Tree,
    scopes: &'a Scopes,
    schema: &'a Schema,
    parameters: &'a Parameters,
    /// What has been written of the current query.
    sql: String,
    /// Node → its relation, `u32::MAX` where it has none.
    relations: Vec<u32>,
    /// Relation → its table of the schema.
    tables: Vec<Option<&'a TableDefinition>>,
    made: HashMap<String, ScriptTable>,
    /// The database that `USE` names.
    database: String,
    /// The rows of views that no later statement reads.
    views: Vec<Step>,
    /// Tables that are made and read: name in the database and number of columns.
    scratch: Vec<(String, usize)>,
    /// What column references and calls mean inside grouped blocks, innermost last.
    contexts: Vec<GroupedNames>,
    /// Columns that FULL JOIN … USING merges: the value is the first that is not NULL.
    merged: Vec<((RelationId, usize), (RelationId, usize))>,
    /// Aliases being written in place of their names, to stop at circles.
    aliases: Vec<NodeId>,
    /// The sides of UNION ALL are written the other way round.
    backwards: bool,
    /// What stands around the script, where it is a part of one.
    around: Around<'a>,
    /// The queries that could be read alone are marked.
    marks: bool,
}

impl<'a> Translator<'a> {
    fn new(script: &'a Script, scopes: &'a Scopes, schema: &'a Schema, parameters: &'a Parameters) -> Self {
        let tree = script.tree();
        let mut relations = vec![u32::MAX; tree.len()];
        let mut tables = Vec::new();
        for (id, relation) in scopes.relations() {
            relations[relation.node.index()] = id.0;
            tables.push(match &relation.source {
                RelationSource::Table(name) => schema.table(name),
                _ => None,
            });
        }
        Translator {
            script,
            tree,
            scopes,
            schema,
            parameters,
            sql: String::new(),
            relations,
            tables,
            made: HashMap::new(),
            database: String::new(),
            views: Vec::new(),
            scratch: Vec::new(),
            contexts: Vec::new(),
            merged: Vec::new(),
            aliases: Vec::new(),
            backwards: false,
            around: Around::default(),
            marks: false,
        }
    }

    fn write(&mut self, text: &str) {
        self.sql.push_str(text);
    }

    /// Writes `prefix` and a number, such as `c7`.
    fn write_numbered(&mut self, prefix: &str, number: usize) {
        let mut digits = [0u8; 20];
        let mut at = digits.len();
        let mut rest = number;
        loop {
            at -= 1;
            digits[at] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        self.sql.push_str(prefix);
        self.sql.extend(digits[at..].iter().map(|digit| char::from(*digit)));
    }

    /// The number of what is made for a node.
    fn number_of(&self, node: NodeId) -> usize {
        self.around.numbers_from + node.index()
    }

    fn relation_number(&self, relation: RelationId) -> usize {
        self.around.numbers_from + relation.0 as usize
    }

    /// Writes `items` with `separator` between them.
    fn separated<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        separator: &str,
        mut write: impl FnMut(&mut Self, T) -> Translated,
    ) -> Translated {
        for (index, item) in items.into_iter().enumerate() {
            if index > 0 {
                self.write(separator);
            }
            write(self, item)?;
        }
        Ok(())
    }

    fn kind(&self, node: NodeId) -> Kind {
        self.tree.kind(node)
    }

    fn children(&self, node: NodeId) -> &'a [NodeId] {
        self.tree.children(node)
    }

    fn only_child(&self, node: NodeId) -> Translated<NodeId> {
        self.children(node).first().copied().ok_or_else(|| self.unsupported(node, Reason::Construct("an empty clause")))
    }

    fn type_of(&self, expression: NodeId) -> &'a Type {
        self.scopes.type_of(expression)
    }

    fn unsupported(&self, node: NodeId, what: Reason) -> Unsupported {
        Unsupported { node, span: self.tree.span(node), what }
    }

    fn refuse<T>(&self, node: NodeId, construct: &'static str) -> Translated<T> {
        Err(self.unsupported(node, Reason::Construct(construct)))
    }

    fn nondeterministic<T>(&self, node: NodeId, what: &str) -> Translated<T> {
        Err(self.unsupported(node, Reason::Nondeterministic(what.to_owned())))
    }
}
