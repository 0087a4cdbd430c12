//! Which entity belongs to which: then there is one of the other for each of the one, and nothing to count or compare.

use std::collections::HashSet;

use super::model::{Domain, Table, TableKind};

impl Domain {
    /// Whether each `one` belongs to a single `other`: they are the same, or the dimension of `one` refers to `other`,
    /// itself or through a third entity.
    pub fn determines(&self, one: &str, other: &str) -> bool {
        let mut known: HashSet<&str> = HashSet::from([one]);
        let mut open = vec![one];
        while let Some(entity) = open.pop() {
            if entity == other {
                return true;
            }
            let dimension = |table: &&Table| {
                table.kind == TableKind::Dimension && table.entity.as_deref() == Some(entity) && table.key.len() == 1
            };
            let tables = self.tables.iter().map(|(_, table)| table).filter(dimension);
            let referred =
                tables.flat_map(|table| table.columns.iter()).filter_map(|(_, column)| column.entity.as_deref());
            open.extend(referred.filter(|entity| known.insert(*entity)));
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use crate::corpus::compose::domain::embedded;

    #[test]
    fn an_article_determines_its_category_but_not_its_store() {
        let retail = embedded().into_iter().flatten().find(|domain| domain.domain == "retail").unwrap();
        assert!(retail.determines("sku", "category") && retail.determines("sku", "sku"));
        assert!(!retail.determines("category", "sku") && !retail.determines("sku", "store"));
    }
}
