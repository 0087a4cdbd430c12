//! Words a script may be made of: keywords, and what its own text uses.

use crate::code::schema::Schema;
use crate::code::scope::{RelationSource, Scopes};
use crate::code::script::Script;

/// Keywords of Hive and Spark queries, lower case.
pub const KEYWORDS: [&str; 96] = [
    "all", "and", "anti", "as", "asc", "between", "by", "case", "cast", "cluster", "create", "cross", "cube",
    "current", "database", "desc", "distinct", "distribute", "drop", "else", "end", "except", "exists", "external",
    "false", "filter", "first", "following", "from", "full", "group", "grouping", "having", "if", "ilike", "in",
    "inner", "insert", "intersect", "interval", "into", "is", "join", "last", "lateral", "left", "like", "limit",
    "location", "minus", "natural", "not", "null", "nulls", "offset", "on", "or", "orc", "order", "outer", "over",
    "overwrite", "parquet", "partition", "partitioned", "preceding", "qualify", "range", "regexp", "replace", "right",
    "rlike", "rollup", "row", "rows", "select", "semi", "sets", "sort", "stored", "table", "tablesample", "temporary",
    "then", "true", "unbounded", "union", "using", "values", "view", "when", "where", "window", "with", "date",
    "timestamp",
];

/// Names of types, lower case.
pub const TYPES: [&str; 13] = [
    "bigint", "binary", "boolean", "char", "date", "decimal", "double", "float", "int", "smallint", "string",
    "timestamp", "varchar",
];

/// Whether a word is a keyword, in any letter case.
pub fn is_keyword(word: &str) -> bool {
    KEYWORDS.iter().any(|keyword| keyword.eq_ignore_ascii_case(word))
}

/// Whether a word is the name of a type, in any letter case.
pub fn is_type(word: &str) -> bool {
    TYPES.iter().any(|name| name.eq_ignore_ascii_case(word))
}

/// Names of tables that may stand in FROM: of the schema (whole and short), CTEs, and tables the script writes.
pub fn table_names(script: &Script, scopes: &Scopes, schema: &Schema) -> Vec<String> {
    let mut names = Vec::new();
    for table in schema.tables.iter() {
        names.push(table.name.clone());
        names.push(table.short_name().to_owned());
    }
    for (_, relation) in scopes.relations() {
        match &relation.source {
            RelationSource::Written(name) => names.push(name.clone()),
            RelationSource::CommonTable(node) => {
                names.extend(script.tree().children(*node).first().map(|id| script.name(*id)))
            }
            _ => {}
        }
    }
    for id in script.tree().ids().filter(|id| script.tree().kind(*id) == crate::code::tree::Kind::CommonTable) {
        names.extend(script.tree().children(id).first().map(|name| script.name(*name)));
    }
    names.sort();
    names.dedup();
    names
}

/// Names and aliases of all relations, lower case.
pub fn aliases(scopes: &Scopes) -> Vec<String> {
    let mut names: Vec<String> = scopes.relations().map(|(_, relation)| relation.name.clone()).collect();
    names.retain(|name| !name.is_empty());
    names.sort();
    names.dedup();
    names
}
