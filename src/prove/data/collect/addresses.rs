//! Addresses that meet conditions on their parts: `parse_url(u, 'HOST') = 'example.org'`.

use std::collections::BTreeMap;

use super::ConstraintCollector;
use super::invert::representative;
use crate::code::tree::{BinaryOperator, Kind, NodeId};
use crate::prove::data::constraint::Predicate;
use crate::prove::data::pattern;

/// Most values of one part that are combined with those of the others.
const TRIED_OF_PART: usize = 3;

/// The value of a key in the query that must only be there.
const ANY_VALUE: &str = "1";

/// A part of an address.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct AddressPart {
    /// Its name in upper case.
    name: String,
    /// The key in the query; empty if none is asked for.
    key: String,
}

impl ConstraintCollector<'_, '_> {
    /// Texts worth trying for a column that `parse_url` takes apart in an expression: the values that the script asks of
    /// the parts of the same address, put together. Nothing for other expressions.
    pub(super) fn addresses(&self, expression: NodeId, predicate: &Predicate) -> Vec<String> {
        let (script, tree) = (self.lineage.script, self.lineage.script.tree());
        let is_parse = |node: &NodeId| {
            matches!(tree.kind(*node), Kind::Call { .. }) && script.canonical_function_name(*node) == "parse_url"
        };
        let Some(own) = tree.descendants(expression).find(is_parse) else { return Vec::new() };
        let address = |call: NodeId| script.arguments(call).first().map(|argument| self.lineage.trace(*argument));
        let mut asked: BTreeMap<AddressPart, Vec<String>> = BTreeMap::new();
        let wanted = representative(predicate).map(|value| value.plain_text().into_owned());
        if let Some(part) = self.part(own) {
            let any = any_value(&part).filter(|_| matches!(predicate, Predicate::NotNull | Predicate::NoneOf(_)));
            asked.entry(part).or_default().extend(wanted.or(any));
        }
        let own_address = address(own);
        for call in tree.ids().filter(|node| is_parse(node) && address(*node) == own_address) {
            if let Some(part) = self.part(call) {
                let values = self.values_asked(call, &part);
                asked.entry(part).or_default().extend(values);
            }
        }
        put_together(&asked)
    }

    /// The part that a call of `parse_url` gives.
    fn part(&self, call: NodeId) -> Option<AddressPart> {
        let text = |node: &NodeId| self.evaluator.constant(*node).map(|value| value.plain_text().into_owned());
        match &self.lineage.script.arguments(call)[..] {
            [_, part] => Some(AddressPart { name: text(part)?.to_uppercase(), key: String::new() }),
            [_, part, key] => Some(AddressPart { name: text(part)?.to_uppercase(), key: text(key)? }),
            _ => None,
        }
    }

    /// The values that the condition around a call asks of the part that it gives, also where a cast makes it a number.
    fn values_asked(&self, call: NodeId, part: &AddressPart) -> Vec<String> {
        let tree = self.lineage.script.tree();
        let is_plain = |node: &NodeId| !matches!(tree.kind(*node), Kind::Paren | Kind::Cast | Kind::TypeName);
        let Some(condition) = tree.ancestors(call).find(is_plain) else { return Vec::new() };
        let others = tree.children(condition).iter();
        let constants = others.filter_map(|other| self.evaluator.constant(*other));
        let texts = constants.map(|value| value.plain_text().into_owned());
        match tree.kind(condition) {
            Kind::Binary(BinaryOperator::Equal) | Kind::InList { negated: false } => texts.collect(),
            Kind::Pattern { .. } => texts.map(|like| pattern::like_example(&like, 0)).collect(),
            Kind::IsNull { negated: true } | Kind::InList { .. } | Kind::Binary(_) => {
                any_value(part).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }
}

/// A value for a part that is only there if the address is made for it.
fn any_value(part: &AddressPart) -> Option<String> {
    (!part.key.is_empty()).then(|| ANY_VALUE.to_owned())
}

/// Addresses with each of the values asked for a part, and those of the other parts beside them.
fn put_together(asked: &BTreeMap<AddressPart, Vec<String>>) -> Vec<String> {
    let values = |part: &str| -> Vec<&str> {
        let found = asked.iter().filter(|(asked, _)| asked.name == part && asked.key.is_empty());
        found.flat_map(|(_, values)| values).map(String::as_str).take(TRIED_OF_PART).collect()
    };
    let or = |found: Vec<&'static str>, values: Vec<&str>| -> Vec<String> {
        let all = if values.is_empty() { found } else { values };
        all.into_iter().map(str::to_owned).collect()
    };
    let keyed =
        asked.iter().filter(|(part, values)| part.name == "QUERY" && !part.key.is_empty() && !values.is_empty());
    let pairs: Vec<Vec<String>> = keyed
        .map(|(part, values)| values.iter().take(TRIED_OF_PART).map(|value| format!("{}={value}", part.key)).collect())
        .collect();
    let queries: Vec<String> = match pairs.iter().map(Vec::len).max() {
        None => or(vec!["q=1"], values("QUERY")),
        Some(most) => (0..most)
            .map(|at| pairs.iter().map(|values| values[at % values.len()].as_str()).collect::<Vec<_>>().join("&"))
            .collect(),
    };
    let mut addresses = Vec::new();
    for protocol in or(vec!["https"], values("PROTOCOL")) {
        for host in or(vec!["www.example.org"], values("HOST")) {
            for path in or(vec!["/index.html"], values("PATH")) {
                addresses.extend(queries.iter().map(|query| format!("{protocol}://{host}{path}?{query}#top")));
                // The script itself may put the rest before what a column holds.
                addresses.extend(queries.iter().flat_map(|query| [format!("{path}?{query}"), format!("?{query}")]));
            }
        }
    }
    addresses
}
