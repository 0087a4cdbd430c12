//! Translates Hive and Spark scripts to SQLite from their syntax trees.
//!
//! Every query is written anew from the tree: columns by what [`Scopes`] resolves them to, values with the conversions
//! that Spark inserts (ANSI mode off), functions as the `h_…` functions of the connection. Nothing of the source text
//! is copied, so no name or word of a script can mean something to SQLite that it does not mean to Spark.
//!
//! To avoid clashes, relations are named `r5`, CTEs `w12`, views `v12` (numbers of nodes) and output columns `c0`,
//! `c1`, … Only tables and columns of the schema keep their names.
//!
//! Encoding: STRING is TEXT, INT and BIGINT INTEGER, DOUBLE and DECIMAL REAL, BOOLEAN 0 or 1, DATE `YYYY-MM-DD`,
//! TIMESTAMP `YYYY-MM-DD HH:MM:SS[.ffffff]`, arrays JSON arrays, maps and structs JSON objects.

mod reason;
mod literal;
mod convert;
mod cast;
mod compare;
mod expression;
mod fields;
mod piece;
mod interval;
mod join;
mod ordering;
mod access;
mod aggregate;
mod arithmetic;
mod case;
mod lambda;
mod by_name;
mod pivot;
mod predicate;
mod call;
mod generator;
mod relation;
mod same_expression;
mod select;
mod grouped_generator;
mod grouping_sets;
mod grouped;
mod names;
mod pipe;
mod special;
mod steps;
mod alteration;
pub mod parts;
mod query;
mod recursive;
mod statement;
mod insert;
mod change;
mod merge;
mod window;
#[cfg(test)]
mod written_functions;

pub use reason::{Reason, Unsupported};
pub use steps::{Destination, Replaces, Scratch, Source, Step, Translation, Write};
#[cfg(test)]
pub use written_functions::written_functions;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::Sqlite;
use crate::code::parameters::Parameters;
use crate::code::schema::{Schema, TableDefinition};
use crate::code::scope::{ColumnPosition, RelationId, RelationSource, Scopes};
use crate::code::script::Script;
use crate::code::tree::{Kind, NodeId, Tree};
use crate::code::types::Type;
use crate::engine::table::ResultColumn;
use grouped::GroupedNames;
use parts::{MadeTable, PartContext, StatementInParts};
use recursive::LevelColumn;

impl Sqlite {
    /// Translates every statement of a script. Constructs that SQLite cannot run as Spark does are refused.
    ///
    /// `scopes` must be those of `script`. Placeholders left in the script take their values from `parameters`.
    ///
    /// # Errors
    ///
    /// If a construct is not supported; the error names the first one with its place.
    pub fn translate(
        script: &Script,
        scopes: &Scopes,
        schema: &Schema,
        parameters: &Parameters,
    ) -> Result<Translation, Unsupported> {
        Translator::new(script, scopes, schema, parameters).script()
    }

    /// As [`Sqlite::translate`], but also with the sides of UNION ALL reversed, for
    /// [`super::LoadedDatabase::run_scanning`]. Otherwise one side would always come before the other, which hides that
    /// a result depends on the order of rows.
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

/// As [`Sqlite::translate`], statement by statement, with the places of parts that can be translated alone; `None` if
/// the script cannot be cut into parts.
pub fn translate_in_parts(
    script: &Script,
    scopes: &Scopes,
    schema: &Schema,
    parameters: &Parameters,
) -> Result<Option<(Vec<StatementInParts>, Scratch)>, Unsupported> {
    let mut translator = Translator::new(script, scopes, schema, parameters);
    let stated = translator.statements_in_parts()?;
    Ok(stated.map(|stated| (stated, translator.scratch)))
}

/// Returns the result columns of queries and CTEs of a script.
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

/// Translates a part of a longer script: one statement, resolved by [`Scopes::resolve_among`].
pub fn translate_part(
    script: &Script,
    scopes: &Scopes,
    schema: &Schema,
    parameters: &Parameters,
    around: PartContext<'_>,
    made: &[MadeTable],
) -> Result<Vec<Step>, Unsupported> {
    let mut translator = Translator::new(script, scopes, schema, parameters);
    translator.around = around;
    translator.part_alone(made)
}

/// The outcome of writing a piece of SQL.
type Translated<T = ()> = Result<T, Unsupported>;

/// A table or view that the script created.
struct ScriptTable {
    columns: Vec<ResultColumn>,
    /// Positions of partition columns.
    partitions: Vec<usize>,
    /// For a view, how it is written.
    view: Option<MadeView>,
}

/// A view that the script created.
#[derive(Clone)]
struct MadeView {
    /// The statement that created the view first: views that read it call it by that, and read it as it is made last.
    first: NodeId,
    /// The statement that created it last.
    statement: NodeId,
    /// Its translated query.
    sql: String,
}

struct Translator<'a> {
    script: &'a Script,
    tree: &'a Tree,
    scopes: &'a Scopes,
    schema: &'a Schema,
    parameters: &'a Parameters,
    /// The SQL written so far for the current query.
    sql: String,
    /// The relation of each node; `u32::MAX` if it has none.
    relations: Vec<u32>,
    /// The schema's table behind each relation.
    tables: Vec<Option<&'a TableDefinition>>,
    made: HashMap<String, ScriptTable>,
    /// The database that `USE` names.
    database: String,
    /// Steps for the rows of views that no later statement reads.
    views: Vec<Step>,
    /// Tables, without views, that end with the session, by their full names.
    temporary: HashSet<String>,
    /// Tables that the script creates and reads: name in the database and number of columns.
    scratch: Vec<(String, usize)>,
    /// What column references and calls refer to inside grouped blocks, innermost last.
    contexts: Vec<GroupedNames>,
    /// Columns that FULL JOIN … USING merges: the value is the first that is not NULL.
    merged: Vec<(ColumnPosition, ColumnPosition)>,
    /// The condition of the rows that a cell of a pivot aggregates, while it is written.
    cell: Option<String>,
    /// The aliases whose expressions are being written, to detect cycles.
    aliases: Vec<NodeId>,
    /// Whether the sides of UNION ALL are written in reverse order.
    backwards: bool,
    /// What surrounds the script if it is a part of a longer one.
    around: PartContext<'a>,
    /// Whether queries that could be translated alone are marked.
    marks: bool,
    /// The level that a recursive CTE counts, while its second side is written.
    level: Option<LevelColumn>,
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
            temporary: HashSet::new(),
            scratch: Vec::new(),
            contexts: Vec::new(),
            merged: Vec::new(),
            cell: None,
            aliases: Vec::new(),
            backwards: false,
            around: PartContext::default(),
            marks: false,
            level: None,
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

    /// Returns the number in names that are generated for a node.
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
