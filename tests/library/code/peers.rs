//! The independent parser `sqlparser` counts the same SELECT blocks, joins, CASEs and function names where it can read
//! a statement at all.
#![expect(clippy::print_stdout, reason = "how many statements were compared is the result of the test")]

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use crate::code::sources;
use sqlfault::code::script::Script;
use sqlfault::code::tree::{Kind, NodeId};
use sqlparser::ast::{
    DuplicateTreatment, Expr, FunctionArguments, Query, Select, Statement, TableFactor, TableWithJoins, Visit, Visitor,
};
use sqlparser::dialect::{DatabricksDialect, Dialect, HiveDialect};
use sqlparser::parser::Parser;

/// What is compared.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    selects: usize,
    distincts: usize,
    queries_with_cte: usize,
    joins: usize,
    cases: usize,
    whens: usize,
    /// Function name → calls.
    functions: BTreeMap<String, usize>,
}

impl Counts {
    fn call(&mut self, name: &str) {
        *self.functions.entry(name.to_lowercase().replace('`', "")).or_default() += 1;
    }

    fn joins_of(&mut self, table: &TableWithJoins) {
        self.joins += table.joins.len();
        if let TableFactor::NestedJoin { table_with_joins, .. } = &table.relation {
            self.joins_of(table_with_joins);
        }
    }
}

impl Visitor for Counts {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        self.queries_with_cte += usize::from(query.with.is_some());
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
        self.selects += 1;
        self.distincts += usize::from(select.distinct.is_some());
        for table in &select.from {
            self.joins_of(table);
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
        if let TableFactor::Table { name, args: Some(_), .. } = factor {
            self.call(&name.to_string());
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expression: &Expr) -> ControlFlow<()> {
        match expression {
            Expr::Case { conditions, .. } => {
                self.cases += 1;
                self.whens += conditions.len();
            }
            Expr::Function(function) => {
                if let FunctionArguments::List(list) = &function.args {
                    let distinct = list.duplicate_treatment == Some(DuplicateTreatment::Distinct);
                    self.distincts += usize::from(distinct);
                }
                if !matches!(function.args, FunctionArguments::None) {
                    self.call(&function.name.to_string());
                }
            }
            // Functions with a syntax of their own there.
            Expr::Substring { shorthand, .. } => self.call(if *shorthand { "substr" } else { "substring" }),
            Expr::Trim { .. } => self.call("trim"),
            Expr::Ceil { .. } => self.call("ceil"),
            Expr::Floor { .. } => self.call("floor"),
            Expr::Extract { .. } => self.call("extract"),
            Expr::Position { .. } => self.call("position"),
            Expr::Struct { .. } => self.call("struct"),
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

fn ours(script: &Script, statement: NodeId) -> Counts {
    let tree = script.tree();
    let mut counts = Counts::default();
    for node in tree.descendants(statement) {
        match tree.kind(node) {
            Kind::Select { distinct } => {
                counts.selects += 1;
                counts.distincts += usize::from(distinct);
            }
            Kind::With => counts.queries_with_cte += 1,
            Kind::Join { .. } => counts.joins += 1,
            Kind::Case { .. } => counts.cases += 1,
            Kind::When => counts.whens += 1,
            Kind::Call { distinct } => {
                counts.distincts += usize::from(distinct);
                counts.call(&script.function_name(node));
            }
            // A sample is kept as text here.
            Kind::Sample if script.slice(node).contains("rand()") => counts.call("rand"),
            _ => {}
        }
    }
    counts
}

/// Placeholders as plain names of the same length.
fn masked(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((start, length)) = next_placeholder(rest) {
        masked.push_str(&rest[..start]);
        masked.extend(std::iter::repeat_n('p', length));
        rest = &rest[start + length..];
    }
    masked + rest
}

fn next_placeholder(text: &str) -> Option<(usize, usize)> {
    let forms = [("${", "}"), ("{{", "}}"), ("$[", "]")];
    let found = forms.iter().filter_map(|(open, close)| {
        let start = text.find(open)?;
        let end = text[start..].find(close)? + close.len();
        Some((start, end))
    });
    found.min()
}

fn theirs(text: &str, dialect: &dyn Dialect) -> Option<Counts> {
    let statements: Vec<Statement> = Parser::parse_sql(dialect, &masked(text)).ok()?;
    let mut counts = Counts::default();
    for statement in &statements {
        let _ = statement.visit(&mut counts);
    }
    Some(counts)
}

fn is_compared(kind: Kind) -> bool {
    matches!(kind, Kind::Query | Kind::Insert { .. } | Kind::MultiInsert | Kind::CreateTable | Kind::CreateView)
}

#[test]
fn an_independent_parser_counts_the_same() {
    let dialects: [&dyn Dialect; 2] = [&DatabricksDialect {}, &HiveDialect {}];
    let (mut all, mut accepted) = (0, 0);
    let mut differences = Vec::new();
    for source in sources::samples().into_iter().chain(sources::references()) {
        let script = Script::new(source.text);
        for statement in script.statements().iter().copied().filter(|id| is_compared(script.tree().kind(*id))) {
            all += 1;
            let counted: Vec<Counts> =
                dialects.iter().filter_map(|dialect| theirs(script.slice(statement), *dialect)).collect();
            accepted += usize::from(!counted.is_empty());
            let expected = ours(&script, statement);
            if !counted.is_empty() && !counted.contains(&expected) {
                let place = script.place(script.tree().span(statement).start);
                differences.push(format!("{}:{place}\n  ours   {expected:?}\n  theirs {:?}", source.path, counted[0]));
            }
        }
    }
    println!("{accepted} of {all} statements are read by sqlparser");
    assert!(2 * accepted > all, "too few statements to compare: {accepted} of {all}");
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
