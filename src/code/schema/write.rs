//! A schema as DDL, for definitions that came in another form.

use super::{Schema, TableColumn, TableDefinition};
use crate::code::literal::quoted;

impl Schema {
    /// The definitions as `CREATE TABLE` statements; [`Schema::read`] gives the same schema back.
    pub fn ddl(&self) -> String {
        self.tables.iter().map(TableDefinition::ddl).collect::<Vec<_>>().join("\n")
    }
}

impl TableDefinition {
    fn ddl(&self) -> String {
        let written = |partition: bool| {
            let columns = self.columns.iter().filter(|column| column.partition == partition);
            columns.map(column).collect::<Vec<_>>()
        };
        let path = self.name.split('.').map(name).collect::<Vec<_>>().join(".");
        let comment =
            if self.comment.is_empty() { String::new() } else { format!(" COMMENT {}", quoted(&self.comment)) };
        let partitions = written(true);
        let partitioned = match partitions.as_slice() {
            [] => String::new(),
            columns => format!("\nPARTITIONED BY ({})", columns.join(", ")),
        };
        format!("CREATE TABLE {path} (\n    {}\n){comment}{partitioned};\n", written(false).join(",\n    "))
    }
}

fn column(column: &TableColumn) -> String {
    let required = if column.nullable { "" } else { " NOT NULL" };
    let comment =
        if column.comment.is_empty() { String::new() } else { format!(" COMMENT {}", quoted(&column.comment)) };
    format!("{} {}{required}{comment}", name(&column.name), column.data_type)
}

/// A name, quoted where it is no plain word.
fn name(name: &str) -> String {
    let plain = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if plain && !RESERVED.contains(&name) { name.to_owned() } else { format!("`{}`", name.replace('`', "``")) }
}

/// Words that begin something else where a column's definition stands.
const RESERVED: [&str; 6] = ["constraint", "primary", "foreign", "unique", "check", "like"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_written_and_read_again_is_the_same() {
        let ddl = "CREATE TABLE ods.orders (id BIGINT NOT NULL COMMENT 'the key; it\\'s one', `a b` DECIMAL(18,2), `check` INT,\
                   tags ARRAY<STRUCT<k: STRING, v: MAP<STRING, INT>>>) COMMENT 'a \\\\ b' PARTITIONED BY (dt STRING, hr INT);\
                   CREATE TABLE short (x DATE);";
        let schema = Schema::read(ddl).unwrap();
        assert_eq!(Schema::read(&schema.ddl()).unwrap().tables, schema.tables, "{}", schema.ddl());
    }
}
