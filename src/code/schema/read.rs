//! Reading DDL into a [`Schema`].

use std::borrow::Borrow;
use std::collections::HashSet;

use super::{Schema, TableColumn, TableDefinition, read_type};
use crate::code::literal::text_value;
use crate::code::script::Script;
use crate::code::span::LineColumn;
use crate::code::token::TokenKind;
use crate::code::tree::{Kind, NodeId};

/// Why DDL is no schema, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {kind}")]
pub struct SchemaError {
    /// Line and column in the DDL.
    pub place: LineColumn,
    /// What is wrong.
    pub kind: SchemaErrorKind,
}

/// What is wrong with DDL.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SchemaErrorKind {
    /// A statement does not parse.
    #[error("this statement does not parse: {0}; write it as CREATE TABLE name (column TYPE, …)")]
    DoesNotParse(String),
    /// No CREATE TABLE with columns in the whole text.
    #[error("no table is defined here; add a CREATE TABLE statement for each table that the script reads or writes")]
    NoTable,
    /// A CREATE TABLE without a column list.
    #[error("table '{0}' has no columns; list each column with its type in brackets after the name")]
    NoColumns(String),
    /// Two definitions of one table.
    #[error("table '{0}' is defined twice; keep one definition")]
    DuplicateTable(String),
    /// Two columns of one table share a name (case and partitioning do not matter).
    #[error("table '{table}' has two columns '{column}'; rename or remove one")]
    DuplicateColumn {
        /// The table.
        table: String,
        /// The column.
        column: String,
    },
    /// A type that neither Hive nor Spark knows.
    #[error(
        "'{0}' is not a type of Hive or Spark; use such as STRING, INT, BIGINT, DOUBLE, DECIMAL(18,2), DATE, TIMESTAMP or ARRAY<…>"
    )]
    UnknownType(String),
    /// More tables than are worked on.
    #[error("more than {MOST_TABLES} tables; leave out those that the script does not name")]
    TooManyTables,
    /// More columns in one table than SQLite takes.
    #[error("table '{0}' has more than {MOST_COLUMNS} columns; leave out those that the script does not name")]
    TooManyColumns(String),
}

/// Most tables of a schema: each database holds them all.
const MOST_TABLES: usize = 5_000;
/// Most columns of a table, as in SQLite.
pub const MOST_COLUMNS: usize = 2_000;

impl Schema {
    /// Reads the `CREATE TABLE` statements of `ddl`; `USE db` prefixes the short names that follow it.
    ///
    /// # Errors
    /// The first thing that keeps `ddl` from being a schema, with its place.
    pub fn read(ddl: &str) -> Result<Schema, SchemaError> {
        let script = Script::new(ddl);
        let reader = SchemaReader { script: &script };
        if let Some((_, error)) = script.errors().first() {
            return Err(reader.error(error.span.start, SchemaErrorKind::DoesNotParse(error.to_string())));
        }
        reader.schema()
    }
}

struct SchemaReader<'a> {
    script: &'a Script,
}

impl SchemaReader<'_> {
    fn error(&self, offset: usize, kind: SchemaErrorKind) -> SchemaError {
        SchemaError { place: self.script.place(offset), kind }
    }

    fn schema(&self) -> Result<Schema, SchemaError> {
        let tree = self.script.tree();
        let mut tables = Vec::new();
        let mut names = HashSet::new();
        let mut database = String::new();
        let path = |statement| tree.child(statement, |kind| kind == Kind::Table);
        let has_catalog = |statement| path(statement).is_some_and(|path| tree.children(path).len() > 2);
        for statement in self.script.statements() {
            match tree.kind(*statement) {
                Kind::Command => database = used_database(self.script.slice(*statement)).unwrap_or(database),
                Kind::CreateTable => {
                    let table = self.table(*statement, &database)?;
                    // The same table of two catalogs.
                    if has_catalog(*statement) && tables.contains(&table) {
                        continue;
                    }
                    if !names.insert(table.name.clone()) {
                        let start = tree.span(*statement).start;
                        return Err(self.error(start, SchemaErrorKind::DuplicateTable(table.name)));
                    }
                    if tables.len() >= MOST_TABLES {
                        return Err(self.error(tree.span(*statement).start, SchemaErrorKind::TooManyTables));
                    }
                    tables.push(table);
                }
                _ => {}
            }
        }
        if tables.is_empty() { Err(self.error(0, SchemaErrorKind::NoTable)) } else { Ok(tables.into()) }
    }

    fn table(&self, statement: NodeId, database: &str) -> Result<TableDefinition, SchemaError> {
        let tree = self.script.tree();
        let path = tree.child(statement, |kind| kind == Kind::Table).unwrap_or(statement);
        let parts: Vec<String> = tree.children(path).iter().map(|part| self.script.name(*part)).collect();
        let name = full_name(&parts, database);
        let mut columns = Vec::new();
        for definition in tree.children_where(statement, |kind| kind == Kind::ColumnDefinition) {
            columns.push(self.column(definition, false)?);
        }
        for partition in tree.children_where(statement, |kind| kind == Kind::PartitionColumns) {
            self.partition_columns(partition, &mut columns)?;
        }
        if columns.is_empty() {
            return Err(self.error(tree.span(path).start, SchemaErrorKind::NoColumns(name)));
        }
        if columns.len() > MOST_COLUMNS {
            return Err(self.error(tree.span(path).start, SchemaErrorKind::TooManyColumns(name)));
        }
        self.refuse_duplicates(statement, &name, &columns)?;
        Ok(TableDefinition { name, columns, comment: self.table_comment(statement) })
    }

    fn partition_columns(&self, partition: NodeId, columns: &mut Vec<TableColumn>) -> Result<(), SchemaError> {
        for child in self.script.tree().children(partition) {
            if self.script.tree().kind(*child) == Kind::ColumnDefinition {
                columns.push(self.column(*child, true)?);
                continue;
            }
            let name = self.script.name(*child);
            for column in columns.iter_mut().filter(|column| column.name == name) {
                column.partition = true;
            }
        }
        columns.sort_by_key(|column| column.partition);
        Ok(())
    }

    fn column(&self, definition: NodeId, partition: bool) -> Result<TableColumn, SchemaError> {
        let tree = self.script.tree();
        let [name, type_name, ..] = tree.children(definition) else {
            let start = tree.span(definition).start;
            return Err(self.error(start, SchemaErrorKind::UnknownType(self.script.slice(definition).to_owned())));
        };
        let start = tree.span(*type_name).start;
        let written = self.script.slice(*type_name);
        let data_type = read_type(written).map_err(|part| {
            let unknown = if part.is_empty() { written } else { part.of(written) };
            self.error(start + part.start, SchemaErrorKind::UnknownType(unknown.to_owned()))
        })?;
        let comment = tree.child(definition, |kind| kind == Kind::Text);
        let comment = comment.map(|text| text_value(self.script.slice(text))).unwrap_or_default();
        let nullable = !self.says_not_null(definition, *type_name);
        let own_value = self.script.has_own_value(definition);
        Ok(TableColumn { name: self.script.name(*name), data_type, nullable, partition, comment, own_value })
    }

    /// `NOT NULL` and `PRIMARY KEY` are options after the type; they have no nodes.
    fn says_not_null(&self, definition: NodeId, type_name: NodeId) -> bool {
        let after = *self.script.token_range(type_name).end() + 1;
        let last = *self.script.token_range(definition).end();
        let follows = |at: usize, words: [&str; 2]| {
            words
                .iter()
                .enumerate()
                .all(|(offset, word)| self.script.token_text(at + offset).eq_ignore_ascii_case(word))
        };
        (after..last).any(|at| follows(at, ["NOT", "NULL"]) || follows(at, ["PRIMARY", "KEY"]))
    }

    /// The comment of a table is an option outside of every bracket; it has no node.
    fn table_comment(&self, statement: NodeId) -> String {
        let mut depth = 0usize;
        let range = self.script.token_range(statement);
        for at in range.clone() {
            match self.script.token_text(at) {
                "(" => depth += 1,
                ")" => depth = depth.saturating_sub(1),
                word if depth == 0 && word.eq_ignore_ascii_case("COMMENT") => {
                    let value = at + 1 + usize::from(self.script.token_text(at + 1) == "=");
                    let text = self.script.tokens().get(value).filter(|token| token.kind == TokenKind::Text);
                    return text.map(|token| text_value(token.span().of(self.script.text()))).unwrap_or_default();
                }
                _ => {}
            }
        }
        String::new()
    }

    fn refuse_duplicates(&self, statement: NodeId, table: &str, columns: &[TableColumn]) -> Result<(), SchemaError> {
        let mut names = HashSet::new();
        let Some(twice) = columns.iter().find(|column| !names.insert(column.name.as_str())) else {
            return Ok(());
        };
        let tree = self.script.tree();
        let definitions = tree.descendants(statement).filter(|node| tree.kind(*node) == Kind::ColumnDefinition);
        let second = definitions
            .filter(|definition| {
                tree.children(*definition).first().is_some_and(|name| self.script.name(*name) == twice.name)
            })
            .nth(1);
        let start = tree.span(second.unwrap_or(statement)).start;
        let kind = SchemaErrorKind::DuplicateColumn { table: table.to_owned(), column: twice.name.clone() };
        Err(self.error(start, kind))
    }
}

/// Returns the name by which scripts find the table of a path: its last two parts, without a catalogue; if it has one part,
/// that part behind the database of the last USE.
pub(crate) fn full_name<Name: Borrow<str>>(path: &[Name], database: &str) -> String {
    match path {
        [name] if !database.is_empty() => format!("{database}.{}", name.borrow()),
        _ => path[path.len().saturating_sub(2)..].join("."),
    }
}

/// The database that a `USE db` command names, lower case.
pub(crate) fn used_database(command: &str) -> Option<String> {
    let mut words = command.split_whitespace();
    let name = words.next().filter(|word| word.eq_ignore_ascii_case("USE")).and_then(|_| words.last())?;
    // A catalogue may stand before it, as in `USE main.shop`.
    let name = crate::code::script::unquoted(name).to_lowercase();
    Some(name.rsplit('.').next().unwrap_or(&name).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::types::Type;

    #[test]
    fn a_table_is_known_by_its_last_two_names() {
        let names = |sql: &str| {
            let schema = Schema::read(sql)?;
            Ok::<_, SchemaError>(schema.tables.iter().map(|table| table.name.clone()).collect::<Vec<_>>())
        };
        let one = "CREATE TABLE main.shop.t (a INT)";
        assert_eq!(names(one).unwrap(), ["shop.t"]);
        assert_eq!(names("USE shop; CREATE TABLE t (a INT); CREATE TABLE x.t (a INT)").unwrap(), ["shop.t", "x.t"]);
        assert_eq!(names(&format!("{one}; CREATE TABLE dev.shop.t (a INT)")).unwrap(), ["shop.t"]);
        assert!(names(&format!("{one}; CREATE TABLE dev.shop.t (a STRING)")).is_err());
        assert!(names("CREATE TABLE shop.t (a INT); CREATE TABLE shop.t (a INT)").is_err());
    }

    #[test]
    fn a_definition_is_read_with_comments_partitions_and_nullability() {
        let schema = Schema::read(
            "USE Dwd;\nCREATE EXTERNAL TABLE IF NOT EXISTS ods.`Orders` (\n  ID BIGINT NOT NULL COMMENT 'key; it''s unique',\n  \
             amount DECIMAL(18,2) COMMENT '金额',\n  tags ARRAY<STRUCT<k: STRING, v: INT>>\n) COMMENT 'all orders'\n\
             PARTITIONED BY (dt STRING COMMENT 'day') STORED AS ORC;\nCREATE TABLE short (a INT, b DATE) USING parquet PARTITIONED BY (a);",
        )
        .expect("the DDL is right");
        let orders = &schema.tables[0];
        assert_eq!((orders.name.as_str(), orders.comment.as_str()), ("ods.orders", "all orders"));
        let shown: Vec<_> =
            orders.columns.iter().map(|c| (c.name.as_str(), c.nullable, c.partition, c.comment.as_str())).collect();
        assert_eq!(
            shown,
            [
                ("id", false, false, "key; it's unique"),
                ("amount", true, false, "金额"),
                ("tags", true, false, ""),
                ("dt", true, true, "day")
            ]
        );
        assert_eq!(orders.columns[1].data_type, Type::Decimal(18, 2));
        let short: Vec<_> = schema.tables[1].columns.iter().map(|c| (c.name.as_str(), c.partition)).collect();
        assert_eq!((schema.tables[1].name.as_str(), short), ("dwd.short", vec![("b", false), ("a", true)]));
        assert_eq!(schema.table("ORDERS").map(|table| table.name.as_str()), Some("ods.orders"));
    }

    #[test]
    fn a_transform_of_a_column_makes_no_partition_column() {
        let ddl = "CREATE TABLE e (id BIGINT, ts TIMESTAMP, region STRING) USING iceberg\n\
                   PARTITIONED BY (days(ts), bucket(16, id), region) TBLPROPERTIES ('format-version' = '2');";
        let schema = Schema::read(ddl).expect("the DDL is right");
        let columns: Vec<_> = schema.tables[0].columns.iter().map(|c| (c.name.as_str(), c.partition)).collect();
        assert_eq!(columns, [("id", false), ("ts", false), ("region", true)]);
    }

    #[test]
    fn constraints_and_defaults_are_passed_over() {
        let schema = Schema::read(
            "CREATE TABLE t (id INT PRIMARY KEY DISABLE NOVALIDATE, a INT DEFAULT 1 + f(2) NOT NULL COMMENT 'x', b INT NULL,\n\
             CONSTRAINT k UNIQUE (a, b) DISABLE, PRIMARY KEY (id), c STRING DEFAULT 'y',\n\
             d INT CONSTRAINT of_d REFERENCES g.d(k) NOT ENFORCED RELY COMMENT 'z', e STRING REFERENCES e)\n\
             USING DELTA",
        )
        .expect("the DDL is right");
        let shown: Vec<_> =
            schema.tables[0].columns.iter().map(|c| (c.name.as_str(), c.nullable, c.comment.as_str())).collect();
        assert_eq!(
            shown,
            [("id", false, ""), ("a", false, "x"), ("b", true, ""), ("c", true, ""), ("d", true, "z"), ("e", true, "")]
        );
    }

    #[test]
    fn the_ways_to_say_how_a_table_is_stored_are_passed_over() {
        let options = [
            "ROW FORMAT DELIMITED FIELDS TERMINATED BY '\\t' NULL DEFINED AS '' LOCATION '/x'",
            "STORED AS INPUTFORMAT 'org.In' OUTPUTFORMAT 'org.Out' LOCATION '/x' TBLPROPERTIES ('a'='b')",
            "ROW FORMAT SERDE 'org.Serde' WITH SERDEPROPERTIES ('field.delim'='|') STORED AS TEXTFILE",
            "STORED BY 'org.Handler' WITH SERDEPROPERTIES (\"a:b\" = \":key\") TBLPROPERTIES ('a'='b')",
            "SKEWED BY (b) ON ('x', 'y') STORED AS DIRECTORIES",
            "CLUSTERED BY (a) SORTED BY (b) INTO 4 BUCKETS STORED AS ORC",
        ];
        for options in options {
            let schema = Schema::read(&format!("CREATE TABLE t (a INT, b STRING) {options}"));
            assert_eq!(schema.map(|schema| schema.tables[0].columns.len()).map_err(|error| error.to_string()), Ok(2));
        }
    }

    #[test]
    fn each_error_says_where_and_what_to_do() {
        let cases = [
            ("CREATE TABLE t (a INT,)", (1, 23), "does not parse"),
            ("SET a=b;", (1, 1), "no table is defined"),
            ("CREATE TABLE t (a INT);\nCREATE TABLE T (b INT)", (2, 1), "defined twice"),
            ("CREATE TABLE t (a INT,\n  A STRING)", (2, 3), "two columns 'a'"),
            ("CREATE TABLE t (a INT) PARTITIONED BY (a STRING)", (1, 40), "two columns 'a'"),
            ("CREATE TABLE t (a INT, b ARRAY<STRNG>)", (1, 32), "'STRNG' is not a type"),
            ("CREATE TABLE t AS SELECT 1 AS a", (1, 14), "has no columns"),
        ];
        for (ddl, (line, column), words) in cases {
            let error = Schema::read(ddl).expect_err(ddl);
            assert_eq!((error.place.line, error.place.column), (line, column), "{ddl}: {error}");
            assert!(error.to_string().contains(words), "{ddl}: {error}");
        }
    }
}
