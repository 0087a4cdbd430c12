//! A script: its text, lossless tokens and tree.

use super::functions::{Function, FunctionKind, RowOffset, lookup};
use super::grammar::{self, SyntaxError};
use super::span::{LineColumn, Span};
use super::token::{Token, tokenize};
use super::tree::{Kind, NodeId, Tree};

/// The largest script that is read, in bytes.
pub const MAX_BYTES: usize = 16 << 20;

/// One SQL file as written. It never changes; an edit makes a new one.
///
/// ```
/// use sqlfault::Script;
/// use sqlfault::Kind;
///
/// let script = Script::new("SELECT a FROM t -- all of it\n WHERE b > 1;");
/// assert!(script.is_valid());
/// let tree = script.tree();
/// let filter = tree.descendants(tree.root()).find(|id| tree.kind(*id) == Kind::Where);
/// assert_eq!(filter.map(|filter| script.slice(filter)), Some("WHERE b > 1"));
/// ```
#[derive(Clone, Debug)]
pub struct Script {
    text: String,
    all_tokens: Vec<Token>,
    tokens: Vec<Token>,
    tree: Tree,
    errors: Vec<(NodeId, SyntaxError)>,
}

impl Script {
    /// Reads `text`. Statements that do not parse are [`Kind::Broken`] nodes; see [`Script::errors`].
    pub fn new(text: impl Into<String>) -> Script {
        let text = text.into();
        let all_tokens = tokenize(&text);
        let significant = all_tokens.iter().copied().filter(|token| !token.kind.is_trivia());
        let mut tokens = Vec::with_capacity(significant.clone().count());
        tokens.extend(significant);
        let (tree, errors) = grammar::parse(&text, &tokens);
        Script { text, all_tokens, tokens, tree, errors }
    }

    /// The source text, byte for byte.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Every token, blanks and comments included; joined they are the text.
    pub fn all_tokens(&self) -> &[Token] {
        &self.all_tokens
    }

    /// The significant tokens, which nodes point at.
    pub fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    /// The syntax tree.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The statements, in order.
    pub fn statements(&self) -> &[NodeId] {
        self.tree.children(self.tree.root())
    }

    /// Syntax errors with their [`Kind::Broken`] statements.
    pub fn errors(&self) -> &[(NodeId, SyntaxError)] {
        &self.errors
    }

    /// Whether every statement parses.
    pub fn is_valid(&self) -> bool {
        self.errors.is_empty()
    }

    /// The source text of a node.
    pub fn slice(&self, id: NodeId) -> &str {
        self.tree.span(id).of(&self.text)
    }

    /// The source text of a node on one line, as messages quote it: each run of blanks is one.
    pub fn line(&self, id: NodeId) -> String {
        self.slice(id).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The text of significant token `index`; empty past the end.
    pub fn token_text(&self, index: usize) -> &str {
        self.tokens.get(index).map_or("", |token| token.span().of(&self.text))
    }

    /// The significant tokens in lower case: what two scripts have in common whatever their layout.
    pub(crate) fn lowercase_words(&self) -> Vec<String> {
        self.tokens.iter().map(|token| token.span().of(&self.text).to_lowercase()).collect()
    }

    /// The significant tokens of a node, as a range of indices.
    pub fn token_range(&self, id: NodeId) -> std::ops::RangeInclusive<usize> {
        let (first, last) = self.tree.tokens(id);
        first..=last
    }

    /// Line and column of a byte.
    pub fn place(&self, offset: usize) -> LineColumn {
        LineColumn::of(&self.text, offset)
    }

    /// The name an identifier means: unquoted, lower case (names are case-insensitive in Hive and Spark).
    pub fn name(&self, identifier: NodeId) -> String {
        unquoted(self.slice(identifier)).to_lowercase()
    }

    /// The last name of a path (`Column`, `Table`), lower case.
    pub fn last_name(&self, path: NodeId) -> String {
        let last = self.tree.children_where(path, |kind| kind == Kind::Identifier).last();
        last.map(|identifier| self.name(identifier)).unwrap_or_default()
    }

    /// The whole path of a `Column` or `Table`, its names in lower case with dots between them.
    pub(crate) fn path_name(&self, path: NodeId) -> String {
        let names = self.tree.children_where(path, |kind| kind == Kind::Identifier);
        names.map(|name| self.name(name)).collect::<Vec<_>>().join(".")
    }

    /// The alias that a node has, as an item of a SELECT list or a relation; `None` if it has none.
    pub(crate) fn alias(&self, node: NodeId) -> Option<String> {
        let alias = self.tree.child(node, |kind| kind == Kind::Alias)?;
        self.tree.children(alias).first().map(|name| self.name(*name))
    }

    /// The partition columns that a statement names in lower case, and whether each takes its value from the query.
    pub(crate) fn partition_items(&self, statement: NodeId) -> Vec<(String, bool)> {
        let spec = self.tree.child(statement, |kind| kind == Kind::PartitionSpec);
        let items = spec.map_or(&[][..], |spec| self.tree.children(spec)).iter().map(|item| self.tree.children(*item));
        items.filter(|parts| !parts.is_empty()).map(|parts| (self.name(parts[0]), parts.len() == 1)).collect()
    }

    /// The sign that stands between the column of a `PartitionItem` and its value.
    pub(crate) fn partition_comparison(&self, item: NodeId) -> &str {
        let [name, value] = *self.tree.children(item) else { return "=" };
        Span::new(self.tree.span(name).end, self.tree.span(value).start).of(&self.text).trim()
    }

    /// Whether a predicate is denied by `!` between its operand and its word, as in `a !LIKE 'b'`.
    pub(crate) fn negates_with_sign(&self, predicate: NodeId) -> bool {
        let negated = match self.tree.kind(predicate) {
            Kind::InQuery { negated } | Kind::InList { negated } | Kind::Between { negated } => negated,
            Kind::Pattern { negated, .. } => negated,
            _ => false,
        };
        let operand = || Span::new(self.tree.span(self.tree.children(predicate)[0]).end, self.tree.span(predicate).end);
        negated && operand().of(&self.text).trim_start().starts_with('!')
    }

    /// Whether a statement says IF NOT EXISTS: then it leaves a table as it is.
    pub(crate) fn says_if_not_exists(&self, statement: NodeId) -> bool {
        let mut tokens = self.token_range(statement).take(8);
        tokens.any(|at| {
            let is = |offset: usize, word: &str| self.token_text(at + offset).eq_ignore_ascii_case(word);
            is(0, "IF") && is(1, "NOT")
        })
    }

    /// Whether a statement that makes a table or view says that it ends with the session.
    pub(crate) fn says_temporary(&self, statement: NodeId) -> bool {
        let mut words = self.token_range(statement).map(|at| self.token_text(at).to_uppercase());
        match words.next().as_deref() {
            Some("CREATE") => words
                .take_while(|word| !matches!(word.as_str(), "TABLE" | "VIEW"))
                .any(|word| matches!(word.as_str(), "TEMP" | "TEMPORARY")),
            first => first == Some("CACHE"),
        }
    }

    /// Whether a column that is defined here takes a value other than NULL where INSERT leaves it out.
    pub(crate) fn has_own_value(&self, definition: NodeId) -> bool {
        let is = |at: usize, word: &str| self.token_text(at).eq_ignore_ascii_case(word);
        let last = *self.token_range(definition).end();
        self.token_range(definition)
            .skip(1)
            .any(|at| is(at, "GENERATED") || is(at, "DEFAULT") && at < last && !is(at + 1, "NULL"))
    }

    /// The name of a called function, lower case.
    pub fn function_name(&self, call: NodeId) -> String {
        let name = self.tree.child(call, |kind| kind == Kind::FunctionName);
        name.map(|name| self.name(name)).unwrap_or_default()
    }

    /// The name of a called function, or the one that stands for it and its other names: `coalesce` for `nvl`.
    pub(crate) fn canonical_function_name(&self, call: NodeId) -> String {
        self.function(call).map_or_else(|| self.function_name(call), |function| function.canonical_name().to_owned())
    }

    /// The function that a call names; `None` if it is not in the catalogue.
    pub fn function(&self, call: NodeId) -> Option<&'static Function> {
        let name = self.tree.child(call, |kind| kind == Kind::FunctionName)?;
        lookup(unquoted(self.slice(name)))
    }

    /// Whether a node calls COALESCE, by whichever of its names.
    pub(crate) fn is_coalesce(&self, node: NodeId) -> bool {
        matches!(self.tree.kind(node), Kind::Call { .. }) && self.canonical_function_name(node) == "coalesce"
    }

    pub(crate) fn is_if(&self, node: NodeId) -> bool {
        matches!(self.tree.kind(node), Kind::Call { .. }) && self.function_name(node) == "if"
    }

    /// The values that a CASE or IF chooses from; `None` for any other node.
    pub(crate) fn choices(&self, node: NodeId) -> Option<Vec<NodeId>> {
        match self.tree.kind(node) {
            Kind::Case { .. } => Some(self.tree.case_values(node).collect()),
            Kind::Call { .. } if self.is_if(node) => Some(self.arguments(node).into_iter().skip(1).collect()),
            _ => None,
        }
    }

    /// The first call inside an expression that takes a value from another row, as LAG does, and where that row is.
    pub(crate) fn call_at_offset(&self, expression: NodeId) -> Option<(NodeId, RowOffset)> {
        let mut calls =
            self.tree.descendants(expression).filter(|node| matches!(self.tree.kind(*node), Kind::Call { .. }));
        calls.find_map(|call| Some((call, self.function(call)?.row_offset?)))
    }

    /// Whether a call tells of which keys a row is a subtotal.
    pub(crate) fn tells_subtotals(&self, call: NodeId) -> bool {
        self.function(call).is_some_and(Function::tells_subtotals)
    }

    /// Whether a call gives one value of many rows, over a group or a window.
    pub fn is_aggregate(&self, call: NodeId) -> bool {
        self.function(call).is_some_and(|function| function.kind == FunctionKind::Aggregate)
    }

    /// Whether a call makes several rows of one.
    pub fn is_generator(&self, call: NodeId) -> bool {
        self.function(call).is_some_and(|function| function.kind == FunctionKind::Generator)
    }

    /// Whether a query obviously finds at most one row, whatever its tables hold: it has `LIMIT 1`, aggregates without
    /// groups, or reads no table.
    pub(crate) fn finds_one_row(&self, query: NodeId) -> bool {
        let tree = &self.tree;
        if let Some(limit) = tree.child(query, |kind| kind == Kind::Limit) {
            return tree.children(limit).iter().all(|count| self.slice(*count) == "1");
        }
        let Some(block) = tree.child(query, |kind| matches!(kind, Kind::Select { .. })) else { return false };
        let has = |wanted: Kind| tree.child(block, |kind| kind == wanted);
        let Some(outputs) = has(Kind::Projection) else { return false };
        match has(Kind::From) {
            Some(_) => has(Kind::GroupBy).is_none() && self.has_own_aggregate(outputs),
            None => !self.calls(outputs, |call| self.is_generator(call)),
        }
    }

    /// Whether a node is a call that gives one value for a group of rows, not one for each row of a window.
    pub fn aggregates_rows(&self, node: NodeId) -> bool {
        matches!(self.tree.kind(node), Kind::Call { .. }) && self.is_aggregate(node) && !self.is_windowed(node)
    }

    /// Whether a call has OVER.
    pub fn is_windowed(&self, call: NodeId) -> bool {
        self.tree.child(call, |kind| kind == Kind::Over).is_some()
    }

    /// Whether an aggregate over rows stands at or below a node, outside sub-queries.
    pub(crate) fn has_own_aggregate(&self, node: NodeId) -> bool {
        self.calls(node, |call| self.aggregates_rows(call))
    }

    /// Whether a call that `wanted` accepts stands below a node, outside sub-queries.
    fn calls(&self, node: NodeId, wanted: impl Fn(NodeId) -> bool + Copy) -> bool {
        match self.tree.kind(node) {
            Kind::Query => false,
            Kind::Call { .. } if wanted(node) => true,
            _ => self.tree.children(node).iter().any(|child| self.calls(*child, wanted)),
        }
    }

    /// The arguments of a call, without its name, FILTER and OVER, and without the names of a struct's fields.
    pub fn arguments(&self, call: NodeId) -> Vec<NodeId> {
        let argument = |kind: Kind| {
            !matches!(kind, Kind::FunctionName | Kind::Filter | Kind::WithinGroup | Kind::Over | Kind::Alias)
        };
        self.tree.children_where(call, argument).collect()
    }

    /// The name that `struct(x AS a)` gives to the field of this argument; `None` if it has no alias.
    pub fn field_name(&self, argument: NodeId) -> Option<String> {
        let siblings = self.tree.children(self.tree.parent(argument)?);
        let next = siblings.iter().skip_while(|sibling| **sibling != argument).nth(1)?;
        let alias = self.tree.children(*next).first().filter(|_| self.tree.kind(*next) == Kind::Alias)?;
        Some(self.name(*alias))
    }

    /// Index of the first significant token at or after byte `offset`.
    pub fn token_at(&self, offset: usize) -> usize {
        self.tokens.partition_point(|token| token.span().end <= offset)
    }

    /// The bytes from the end of significant token `before` to the start of the next, where commas and operators stand.
    pub fn gap_after(&self, before: usize) -> Span {
        let start = self.tokens[before].span().end;
        Span::new(start, self.tokens.get(before + 1).map_or(self.text.len(), |token| token.span().start))
    }
}

/// Removes back quotes or quotes around a name.
pub fn unquoted(name: &str) -> &str {
    for quote in ['`', '\'', '"'] {
        if let Some(inner) = name.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote)) {
            return inner;
        }
    }
    name
}
