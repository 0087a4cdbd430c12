//! Statements: their order, their targets and the names they define.

use super::terms::Term;
use super::{GraphBuilder, OutputNames};
use crate::code::tree::{Kind, NodeId};

impl GraphBuilder<'_> {
    /// The whole script.
    pub(super) fn script(&mut self) -> Term {
        let statements = self.script.statements().to_vec();
        let terms: Vec<Term> = statements.iter().map(|statement| self.statement(*statement)).collect();
        self.terms.node("script", &terms)
    }

    fn statement(&mut self, id: NodeId) -> Term {
        match self.tree.kind(id) {
            Kind::Query => self.named_query(id),
            Kind::Insert { overwrite } | Kind::InsertBranch { overwrite } => self.insert(id, overwrite),
            Kind::MultiInsert => self.multi_insert(id),
            Kind::Command => {
                let text = self.script.line(id);
                self.terms.leaf(&format!("command {text}"))
            }
            Kind::CreateTable | Kind::CreateView => self.create(id),
            Kind::Delete | Kind::Update | Kind::Merge | Kind::MergeClause { .. } => self.change(id),
            _ => self.generic(id),
        }
    }

    /// A query whose output names are visible outside.
    fn named_query(&mut self, id: NodeId) -> Term {
        let query = self.query(id);
        if self.output_names == OutputNames::Ignored {
            return query;
        }
        let names: Vec<&str> = self.scopes.outputs(id).iter().map(|column| column.name.as_str()).collect();
        self.terms.node(&format!("named {}", names.join(",")), &[query])
    }

    fn insert(&mut self, id: NodeId, overwrite: bool) -> Term {
        let noise = ["insert", "into", "overwrite", "table"];
        let words: Vec<String> = self.residue(id).filter(|word| !noise.contains(&word.as_str())).collect();
        let mut parts = Vec::new();
        for child in self.tree.children(id).to_vec() {
            match self.tree.kind(child) {
                Kind::With => parts.extend(self.unused(child)),
                Kind::Table => parts.push(self.target_table(child)),
                _ => parts.push(self.expression(child)),
            }
        }
        self.terms.node(&format!("insert {overwrite} {}", words.join(" ")), &parts)
    }

    fn target_table(&mut self, id: NodeId) -> Term {
        let path = self.path(id);
        self.terms.leaf(&format!("target {path}"))
    }

    fn multi_insert(&mut self, id: NodeId) -> Term {
        let mut parts = Vec::new();
        for child in self.tree.children(id).to_vec() {
            match self.tree.kind(child) {
                Kind::With => parts.extend(self.unused(child)),
                Kind::From => {
                    // Each INSERT has a WHERE of its own, so the conditions of joins stay with FROM.
                    let joined = self.from(child);
                    parts.push(self.terms.bag("from", joined.leaves));
                    parts.push(self.all_of(joined.conditions));
                }
                _ => parts.push(self.statement(child)),
            }
        }
        self.terms.node("multi insert", &parts)
    }

    /// A statement that changes rows, or a clause of MERGE. Assignments are simultaneous, so that their order is free.
    fn change(&mut self, id: NodeId) -> Term {
        let (mut parts, mut assigned) = (Vec::new(), Vec::new());
        for child in self.tree.children(id).to_vec() {
            match self.tree.kind(child) {
                Kind::With => parts.extend(self.unused(child)),
                Kind::Assignment => assigned.push(self.generic(child)),
                kind @ (Kind::Where | Kind::On | Kind::MergeCondition) => {
                    let condition = self.clause(child);
                    parts.push(self.terms.node(&format!("{kind:?}"), &[condition]));
                }
                Kind::MergeClause { .. } => parts.push(self.change(child)),
                Kind::Star | Kind::ColumnList | Kind::PartitionSpec | Kind::Tuple | Kind::Paren => {
                    parts.push(self.expression(child))
                }
                _ => parts.extend(self.primary(child).leaves),
            }
        }
        parts.push(self.terms.bag("set", assigned));
        self.terms.node(&format!("{:?}", self.tree.kind(id)), &parts)
    }

    fn create(&mut self, id: NodeId) -> Term {
        let words = self.words(id);
        let kind = self.tree.kind(id);
        let mut parts = Vec::new();
        for child in self.tree.children(id).to_vec() {
            match self.tree.kind(child) {
                Kind::Query => parts.push(self.named_query(child)),
                Kind::Table => parts.push(self.target_table(child)),
                _ => parts.push(self.generic(child)),
            }
        }
        self.terms.node(&format!("{kind:?} {words}"), &parts)
    }
}
