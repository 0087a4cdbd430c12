//! What a script wants of the value of a function: told by the places of its calls, and of what is made of them.

use crate::code::functions::Argument;
use crate::code::literal::text_value;
use crate::code::script::Script;
use crate::code::tree::{BinaryOperator, Kind, NodeId, Tree};

/// How often a name is followed to where it is read.
const MOST_STEPS: usize = 6;

/// What the place of a call wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum WantedValue {
    Text,
    Number,
    Truth,
    List,
    /// A map with these keys, or with any.
    Map(Vec<String>),
    /// A struct with these fields, and what is wanted of each.
    Struct(Vec<(String, WantedValue)>),
    /// A list of structs with so many fields.
    Rows(usize),
}

impl WantedValue {
    /// What two calls of one function want: the keys or fields of both, else what the first wants.
    pub fn with(self, other: WantedValue) -> WantedValue {
        match (self, other) {
            (WantedValue::Map(mut keys), WantedValue::Map(others)) => {
                let new: Vec<String> = others.into_iter().filter(|key| !keys.contains(key)).collect();
                keys.extend(new);
                WantedValue::Map(keys)
            }
            (WantedValue::Struct(mut fields), WantedValue::Struct(others)) => {
                for (name, value) in others {
                    match fields.iter_mut().find(|(known, _)| *known == name) {
                        Some((_, known)) if *known == WantedValue::Text => *known = value,
                        Some(_) => {}
                        None => fields.push((name, value)),
                    }
                }
                WantedValue::Struct(fields)
            }
            (first, _) => first,
        }
    }

    /// What the place of a call wants; `None` if anything will do.
    pub fn of(script: &Script, call: NodeId) -> Option<WantedValue> {
        wanted(script, call, MOST_STEPS)
    }
}

/// Returns how many columns the rows have that a call makes in LATERAL VIEW, or under several names in a SELECT list; `None`
/// for other calls.
pub(super) fn columns_of_rows(script: &Script, call: NodeId) -> Option<usize> {
    let tree = script.tree();
    let around = tree.parent(call)?;
    let names = tree.child(around, |kind| kind == Kind::ColumnList).map(|names| tree.children(names).len());
    match tree.kind(around) {
        Kind::LateralView { .. } => Some(names.unwrap_or(1)),
        Kind::SelectItem => names,
        _ => None,
    }
}

/// Returns the names of the columns that a call makes rows of.
pub(super) fn names_of_rows(script: &Script, call: NodeId) -> Vec<String> {
    let tree = script.tree();
    let list = tree.parent(call).and_then(|around| tree.child(around, |kind| kind == Kind::ColumnList));
    list.map(|list| tree.children(list).iter().map(|name| script.name(*name)).collect()).unwrap_or_default()
}

/// Returns a constant that the script compares with a call, or with the name that it gives to it; `None` if it compares
/// none.
pub(super) fn compared_constant(script: &Script, call: NodeId) -> Option<String> {
    let tree = script.tree();
    let named = || {
        let item = tree.parent(call).filter(|item| tree.kind(*item) == Kind::SelectItem)?;
        let alias = tree.child(item, |kind| kind == Kind::Alias)?;
        constant_of_name(script, &script.name(*tree.children(alias).first()?))
    };
    constant_beside(script, call).or_else(named)
}

/// Returns a constant that the script compares with a column of this name.
pub(super) fn constant_of_name(script: &Script, name: &str) -> Option<String> {
    let tree = script.tree();
    let columns = tree.ids().filter(|node| tree.kind(*node) == Kind::Column);
    columns.filter(|column| script.last_name(*column) == name).find_map(|column| constant_beside(script, column))
}

/// Returns the constant that an expression has to be equal to.
fn constant_beside(script: &Script, node: NodeId) -> Option<String> {
    let tree = script.tree();
    let parent = tree.parent(node)?;
    let is_equal = matches!(tree.kind(parent), Kind::Binary(BinaryOperator::Equal) | Kind::InList { negated: false });
    let is_constant = |other: &&NodeId| matches!(tree.kind(**other), Kind::Text | Kind::Number);
    let constant = tree.children(parent).iter().filter(|_| is_equal).find(is_constant);
    constant.map(|constant| script.slice(*constant).to_owned())
}

/// What the place of an expression wants of it; `None` if anything will do.
fn wanted(script: &Script, node: NodeId, steps: usize) -> Option<WantedValue> {
    let tree = script.tree();
    let parent = tree.parent(node)?;
    let others = || tree.children(parent).iter().copied().filter(|other| *other != node);
    let is_first = tree.children(parent).first() == Some(&node);
    match tree.kind(parent) {
        Kind::Paren | Kind::Else | Kind::Case { .. } => wanted(script, parent, steps),
        Kind::When if !is_first => wanted(script, parent, steps),
        Kind::When => Some(WantedValue::Truth),
        kind if kind.holds_condition() => Some(WantedValue::Truth),
        Kind::Binary(operator) if operator.is_comparison() => others().find_map(|other| told_beside(tree, other)),
        Kind::InList { .. } | Kind::Between { .. } => others().find_map(|other| told_beside(tree, other)),
        Kind::Pattern { .. } => Some(WantedValue::Text),
        Kind::Binary(_) | Kind::Unary => Some(WantedValue::Number),
        Kind::Index if is_first => {
            let keys: Vec<String> = indexes(script, node);
            Some(if keys.is_empty() { WantedValue::List } else { WantedValue::Map(keys) })
        }
        Kind::Field if is_first => {
            let value = wanted(script, parent, steps).unwrap_or(WantedValue::Text);
            others().next().map(|field| WantedValue::Struct(vec![(script.name(field), value)]))
        }
        Kind::Call { .. } => of_argument(script, parent, node, steps),
        Kind::SelectItem if steps > 0 => {
            let alias = tree.child(parent, |kind| kind == Kind::Alias)?;
            let name = script.name(*tree.children(alias).first()?);
            of_readers(script, &name, steps - 1)
        }
        _ => None,
    }
}

/// What a value beside an expression says of it.
fn told_beside(tree: &Tree, other: NodeId) -> Option<WantedValue> {
    match tree.kind(other) {
        Kind::Number => Some(WantedValue::Number),
        Kind::Text => Some(WantedValue::Text),
        Kind::Boolean(_) => Some(WantedValue::Truth),
        _ => None,
    }
}

/// The texts by which a value, or the name that it has, is indexed.
fn indexes(script: &Script, node: NodeId) -> Vec<String> {
    let tree = script.tree();
    let base = script.slice(node);
    let mut keys: Vec<String> = Vec::new();
    for index in tree.ids().filter(|id| tree.kind(*id) == Kind::Index) {
        let [of, key] = *tree.children(index) else { continue };
        let is_same = script.slice(of).eq_ignore_ascii_case(base);
        if is_same && tree.kind(key) == Kind::Text {
            let key = text_value(script.slice(key));
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
    }
    keys
}

fn of_argument(script: &Script, call: NodeId, argument: NodeId, steps: usize) -> Option<WantedValue> {
    let function = script.function(call)?;
    let at = script.arguments(call).iter().position(|other| *other == argument)?;
    match function.canonical_name() {
        "coalesce" | "max" | "min" | "first" | "nullif" | "greatest" | "least" | "first_value" | "last_value" => {
            wanted(script, call, steps)
        }
        "if" if at > 0 => wanted(script, call, steps),
        "if" => Some(WantedValue::Truth),
        "explode" if columns_of_rows(script, call) == Some(2) => Some(WantedValue::Map(Vec::new())),
        "inline" | "inline_outer" => Some(WantedValue::Rows(columns_of_rows(script, call).unwrap_or(1))),
        "explode" | "posexplode" | "size" => Some(WantedValue::List),
        _ => match function.argument(at) {
            Argument::Number | Argument::Count | Argument::Numeric | Argument::Whole | Argument::Int => {
                Some(WantedValue::Number)
            }
            Argument::Summable | Argument::Measure | Argument::Double => Some(WantedValue::Number),
            Argument::Boolean => Some(WantedValue::Truth),
            Argument::Array | Argument::OrderableArray | Argument::ArrayOfText => Some(WantedValue::List),
            Argument::Text | Argument::TextOrBinary => Some(WantedValue::Text),
            _ => None,
        },
    }
}

/// What is wanted where the script reads a name that the SELECT list gives to an expression.
fn of_readers(script: &Script, name: &str, steps: usize) -> Option<WantedValue> {
    let tree = script.tree();
    let columns: Vec<NodeId> = tree.ids().filter(|node| tree.kind(*node) == Kind::Column).collect();
    let field_read = |column: &NodeId| {
        let path = script.path_name(*column);
        let field = path.split('.').skip_while(|part| *part != name).nth(1)?.to_owned();
        let value = wanted(script, *column, steps).unwrap_or(WantedValue::Text);
        Some(WantedValue::Struct(vec![(field, value)]))
    };
    let structure = columns.iter().filter_map(field_read).reduce(WantedValue::with);
    let is_relation = |name: &str| {
        let mut aliases = tree.ids().filter(|node| tree.kind(*node) == Kind::Alias);
        aliases.any(|alias| {
            let of_table = tree.parent(alias).is_some_and(|parent| tree.kind(parent) != Kind::SelectItem);
            of_table && tree.children(alias).first().is_some_and(|first| script.name(*first) == name)
        })
    };
    if structure.is_some() && !is_relation(name) {
        return structure;
    }
    columns.iter().filter(|column| script.last_name(**column) == name).find_map(|column| wanted(script, *column, steps))
}
