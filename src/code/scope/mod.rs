//! What every name means: relations, columns, aliases, with types and nullability from the DDL through projections.
//!
//! The rules are Spark's (`Analyzer.scala`, `ColumnResolutionHelper`), names are case-insensitive. Statements are
//! resolved in order; a query resolves its WITH, FROM, WHERE, SELECT list, GROUP BY, HAVING and ORDER BY in this
//! order. Recursion follows nested queries only, which the grammar limits; expressions are walked with a stack.

mod common_tables;
mod model;
mod frame;
mod name;
mod catalogue;
mod node_map;
mod node_types;
mod nullability;
mod place;
mod scopes;
mod lineage;
mod resolver;
mod call;
mod change;
mod expression;
mod find;
mod generator;
mod join;
mod pipe;
mod pivot;
mod problem;
mod search;
mod column;
mod grouping;
mod statement;
mod create;
mod query;
mod relation;
mod select;
mod target;

pub(crate) use column::names_no_column;
pub(crate) use pivot::unpivoted_name;

pub use model::{
    Binding, ColumnPosition, ColumnTarget, GivenTable, OutputColumn, ProblemKind, RecursiveUnion, Relation, RelationId,
    RelationSource, ScopeProblem, Surroundings,
};
pub use scopes::Scopes;

use super::schema::Schema;
use super::script::Script;

impl Scopes {
    /// Resolves every name of `script`. Never fails: what does not resolve is a [`ScopeProblem`].
    pub fn resolve(script: &Script, schema: &Schema) -> Scopes {
        resolver::Resolver::new(script, schema).run()
    }

    /// As [`Scopes::resolve`], for a statement out of a longer text, which also sees what stands before it there. In
    /// [`RelationSource::CommonTable`] the CTEs of `surroundings` have the node ids after the last of `script`.
    pub fn resolve_among(script: &Script, schema: &Schema, surroundings: &Surroundings) -> Scopes {
        let mut resolver = resolver::Resolver::new(script, schema);
        resolver.give(surroundings);
        resolver.run()
    }
}

/// A script and what its names mean, made together; most readers of a script want both.
#[derive(Clone, Debug)]
pub struct ResolvedScript {
    /// The script.
    pub script: Script,
    /// What its names mean.
    pub scopes: Scopes,
}

impl ResolvedScript {
    /// Reads `text` and resolves its names against `schema`. Never fails: see [`Script::errors`] and
    /// [`Scopes::problems`].
    pub fn new(text: impl Into<String>, schema: &Schema) -> ResolvedScript {
        let script = Script::new(text);
        let scopes = Scopes::resolve(&script, schema);
        ResolvedScript { script, scopes }
    }
}

#[cfg(test)]
mod tests;
