//! How a fault is planted, as data: one of the primitive operators with its parameters, or the name of a function.
//!
//! What each primitive operator does to a script is documented here and done in `inject::operator`.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::many::Many;
use super::node_name::NodeName;
use super::regex_pattern::RegexPattern;
use super::selector::Selector;

/// The operator of a fault.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Operator {
    /// Deletes words that belong to the node itself.
    DropWords(DropWords),
    /// Exchanges words that belong to the node itself for others.
    ReplaceWords(ReplaceWords),
    /// Mistypes words or marks that belong to the node itself.
    MisspellWords(MisspellWords),
    /// Puts text next to a node or to one of its words.
    Insert(Insert),
    /// Puts text on both sides of a node.
    Wrap(Wrap),
    /// Deletes a node with the comma, AND or blank that held it in place.
    DropNode(OnNodes),
    /// Keeps one child of a node and deletes the rest of it.
    Unwrap(Unwrap),
    /// Writes another function's name.
    RenameFunction(RenameFunction),
    /// Deletes one argument of a call.
    DropArgument(DropArgument),
    /// Adds an argument to a call.
    AddArgument(AddArgument),
    /// Exchanges two arguments of a call.
    SwapArguments(SwapArguments),
    /// Changes what stands inside a node by a regular expression.
    ReplaceText(ReplaceText),
    /// Adds a small number to a whole-number literal.
    ShiftNumber(ShiftNumber),
    /// Makes a mistake with the comma between two list items.
    Comma(Comma),
    /// Makes a mistake with the brackets of a node.
    Bracket(Bracket),
    /// Reverses the direction of a sort key.
    FlipSort(OnNodes),
    /// Exchanges two neighbouring children.
    SwapChildren(SwapChildren),
    /// Deletes the table prefix of a column whose bare name several tables have.
    DropQualifier(OnNodes),
    /// Exchanges a column for another of its own table that is easily taken for it.
    ConfuseColumn(ConfuseColumn),
    /// Writes a name that does not exist, the way people mistype it.
    Misspell(Misspell),
    /// Takes the other form of a decision that the script's composer recorded.
    TurnDecision(TurnDecision),
    /// A function of `inject::operator`, by its name there.
    Function(String),
}

/// Parameters of operators that only need nodes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OnNodes {
    /// Which nodes.
    pub at: Selector,
}

/// Parameters of [`Operator::SwapChildren`].
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SwapChildren {
    /// Which parents.
    pub at: Selector,
    /// What both neighbours must be; when empty, the last two children change places.
    #[serde(default)]
    pub of: Many<NodeName>,
}

/// Parameters of [`Operator::DropWords`].
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DropWords {
    /// Which nodes.
    pub at: Selector,
    /// The words or marks, one after the other; each place where they stand is a site.
    pub words: Many<String>,
}

/// Parameters of [`Operator::ReplaceWords`].
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplaceWords {
    /// Which nodes.
    pub at: Selector,
    /// The words or marks that go.
    pub words: Many<String>,
    /// What may come instead; each is a proposal.
    pub with: Many<String>,
}

/// Parameters of [`Operator::MisspellWords`].
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MisspellWords {
    /// Which nodes.
    pub at: Selector,
    /// For each word or mark, in lower case, the ways it is mistyped; each is a proposal.
    pub words: BTreeMap<String, Many<String>>,
}

/// Parameters of [`Operator::Insert`].
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Insert {
    /// Which nodes.
    pub at: Selector,
    /// Where, seen from the node.
    pub place: InsertPlace,
    /// What may be put there; each is a proposal. Blanks are added where words would touch.
    pub text: Many<String>,
}

/// Where [`Operator::Insert`] puts its text.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InsertPlace {
    /// Before the node.
    Before,
    /// After the node.
    After,
    /// Before this word of the node itself.
    BeforeWord(String),
    /// After this word of the node itself.
    AfterWord(String),
}

/// Parameters of [`Operator::Wrap`].
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wrap {
    /// Which nodes.
    pub at: Selector,
    /// What comes before them.
    pub before: String,
    /// What comes behind them.
    pub after: String,
}

/// Parameters of [`Operator::Unwrap`].
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unwrap {
    /// Which nodes.
    pub at: Selector,
    /// Which child stays: an argument of a call, otherwise a child; from 0.
    #[serde(default)]
    pub keep: usize,
    /// What the child must be; anything when empty.
    #[serde(default)]
    pub kept: Many<NodeName>,
}

/// Parameters of [`Operator::RenameFunction`].
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RenameFunction {
    /// For each function the names that are written instead; each is a proposal.
    pub names: BTreeMap<String, Many<String>>,
    /// Only calls with OVER (`true`) or without it (`false`).
    pub windowed: Option<bool>,
    /// Which calls.
    #[serde(default)]
    pub at: Selector,
}

/// Parameters of [`Operator::DropArgument`].
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DropArgument {
    /// Which functions.
    pub function: Many<String>,
    /// Which argument, from 0; the last when absent.
    pub argument: Option<usize>,
    /// How many arguments the call must have; any number when absent.
    pub of: Option<usize>,
}

/// Parameters of [`Operator::AddArgument`].
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AddArgument {
    /// Which functions.
    pub function: Many<String>,
    /// What is added.
    pub text: String,
    /// In front of the other arguments rather than behind them.
    #[serde(default)]
    pub first: bool,
}

/// Parameters of [`Operator::SwapArguments`].
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SwapArguments {
    /// Which functions.
    pub function: Many<String>,
    /// The two arguments, from 0.
    pub arguments: [usize; 2],
}

/// Parameters of [`Operator::ReplaceText`].
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplaceText {
    /// Which nodes. Their whole text is searched, so they should have no children.
    pub at: Selector,
    /// A regular expression (letter case counts); each match is a site.
    pub find: RegexPattern,
    /// What comes instead, with `$1` for groups; each is a proposal.
    pub with: Many<String>,
}

/// Parameters of [`Operator::ShiftNumber`].
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShiftNumber {
    /// Which number literals.
    pub at: Selector,
    /// What is added; each is a proposal. A result below zero is none.
    pub by: Many<i64>,
}

/// Parameters of [`Operator::Comma`].
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Comma {
    /// Which list items: the mistake is made with the comma behind them; for `trailing`, where there is none.
    pub at: Selector,
    /// What goes wrong.
    pub mistake: CommaMistake,
}

/// What goes wrong with a comma.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommaMistake {
    /// It is forgotten.
    Missing,
    /// It is typed twice.
    Doubled,
    /// It is typed with a Chinese keyboard layout.
    FullWidth,
    /// A semicolon is typed.
    Semicolon,
    /// A dot is typed.
    Dot,
    /// One follows the last item.
    Trailing,
}

/// Parameters of [`Operator::Bracket`].
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bracket {
    /// Which nodes.
    pub at: Selector,
    /// What goes wrong.
    pub mistake: BracketMistake,
}

/// What goes wrong with brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BracketMistake {
    /// The closing one is forgotten.
    CloseMissing,
    /// The closing one is typed twice.
    CloseDoubled,
    /// The opening one is typed twice.
    OpenDoubled,
    /// Both are forgotten.
    BothMissing,
    /// The opening one is typed with a Chinese keyboard layout.
    FullWidth,
}

/// Parameters of [`Operator::ConfuseColumn`].
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConfuseColumn {
    /// Which columns.
    pub at: Selector,
    /// How many candidates at most, the most confusable first.
    #[serde(default = "two")]
    pub candidates: usize,
}

fn two() -> usize {
    2
}

/// Parameters of [`Operator::Misspell`].
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Misspell {
    /// Which columns, tables or function names.
    pub at: Selector,
}

/// Parameters of [`Operator::TurnDecision`].
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TurnDecision {
    /// Under which constructs of the paper's taxonomy the other form would be a fault.
    pub label: Many<String>,
}
