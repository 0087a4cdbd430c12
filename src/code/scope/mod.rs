//! What every name means: relations, columns, aliases, with types and nullability from the DDL through projections.

mod model;

pub use model::{Binding, OutputColumn, Problem, ProblemKind, Relation, RelationId, RelationSource, Scopes, Target};
