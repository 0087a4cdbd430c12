//! House styles, as data: `templates/style/<name>.yaml`. Each property is a list, of which each script draws one value.

use serde::Deserialize;

use crate::corpus::compose::draw::Draw;

/// Upper or lower case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LetterCase {
    /// `SELECT`.
    Upper,
    /// `select`.
    Lower,
}

/// Where commas stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommaPosition {
    /// At the end of a line.
    Trailing,
    /// At the start of the next.
    Leading,
}

/// How clauses are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Clauses {
    /// SELECT and, unless `group_inline`, GROUP BY on lines of their own, with the contents indented below.
    Block,
    /// Keyword and first item on one line, padded to a common column in which the other items stand.
    River,
}

/// How blocks are nested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BlockNesting {
    /// Mostly common table expressions.
    Chain,
    /// Derived tables wherever a block is read once.
    Nested,
    /// Some of both.
    Mixed,
    /// Tables where a statement may end, common table expressions inside.
    StagedChain,
    /// Tables where a statement may end, derived tables inside.
    StagedNested,
}

/// How aliases are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Aliases {
    /// `a`, `b`, `c` in the order of the block.
    Letters,
    /// The first letters of up to three words of the name.
    Initials,
    /// `t1`, `t2`.
    Numbered,
    /// The last word of the name that is neither short nor very long.
    Words,
    /// The first two or three letters of the longest word of the name.
    Abbreviated,
}

/// Layers and prefixes of table names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layers {
    /// `rtl_ods.ods_x_di`.
    Warehouse,
    /// `dwd_rtl.dwd_x_di`.
    LayerFirst,
    /// `rtl_stg.stg_x`.
    Staging,
    /// `rtl.x`.
    Plain,
}

/// A header comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Header {
    /// None.
    None,
    /// Lines with two dashes.
    Dashes,
    /// Lines between rules.
    Ruled,
    /// A block comment.
    Block,
}

/// How a date before the business date is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shift {
    /// `DATE_SUB('${dt}', 6)`.
    Sub,
    /// `DATE_ADD('${dt}', -6)`.
    Add,
    /// `'${dt-6}'`.
    Parameter,
}

/// A house style as its file says.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HouseStyle {
    /// Its name, that of the file.
    pub name: String,
    /// How often it is drawn in comparison with others.
    pub weight: f64,
    /// Case of keywords.
    pub keywords: Vec<LetterCase>,
    /// Case of functions.
    pub functions: Vec<LetterCase>,
    /// Commas.
    pub comma: Vec<CommaPosition>,
    /// Blanks of one step; 0 is a tab.
    pub indent: Vec<usize>,
    /// Clauses.
    pub clauses: Vec<Clauses>,
    /// How blocks are nested.
    pub shape: Vec<BlockNesting>,
    /// Aliases.
    pub aliases: Vec<Aliases>,
    /// Whether aliases of tables have AS.
    pub table_as: Vec<bool>,
    /// Whether the AS of columns is aligned.
    pub align: Vec<bool>,
    /// Whether ON stands on the line of its JOIN.
    pub on_same_line: Vec<bool>,
    /// Whether columns are qualified where there is one relation.
    pub qualify: Vec<bool>,
    /// Whether AND is indented deeper than WHERE.
    pub indent_and: Vec<bool>,
    /// Whether grouping columns stand on one line.
    pub group_inline: Vec<bool>,
    /// Whether empty lines stand between common table expressions and around set operators.
    pub airy: Vec<bool>,
    /// Whether the semicolon of a statement has a line of its own.
    pub semicolon_alone: Vec<bool>,
    /// Layers in the names of tables.
    pub layers: Vec<Layers>,
    /// The placeholder of the business date.
    pub parameter: Vec<String>,
    /// How dates before the business date are written.
    pub shift: Vec<Shift>,
    /// `<>` or `!=`.
    pub unequal: Vec<String>,
    /// `COALESCE` or `NVL`.
    pub coalesce: Vec<String>,
    /// Whether outer joins have OUTER.
    pub outer: Vec<bool>,
    /// Whether inner joins have INNER.
    pub inner: Vec<bool>,
    /// The header comment.
    pub header: Vec<Header>,
    /// Share of blocks with a comment, from 0 to 1, among those with a reason to tell.
    pub block_comments: Vec<f64>,
    /// Share of columns with a comment, from 0 to 1, among figures whose names do not say all.
    pub column_comments: Vec<f64>,
    /// Width of a line, in characters, beyond which expressions are broken.
    pub width: Vec<usize>,
    /// Whether all columns of a relation may be taken over by a star.
    #[serde(default)]
    pub stars: Vec<bool>,
    /// SET commands before the first statement, without semicolons.
    pub settings: Vec<Vec<String>>,
}

/// A style drawn from a house style.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "each is a value of the list of the same name in `HouseStyle`")]
pub struct Style {
    pub name: String,
    pub keywords: LetterCase,
    pub functions: LetterCase,
    pub comma: CommaPosition,
    pub indent: usize,
    pub clauses: Clauses,
    pub shape: BlockNesting,
    pub aliases: Aliases,
    pub table_as: bool,
    pub align: bool,
    pub on_same_line: bool,
    pub qualify: bool,
    pub indent_and: bool,
    pub group_inline: bool,
    pub airy: bool,
    pub semicolon_alone: bool,
    pub layers: Layers,
    pub parameter: String,
    pub shift: Shift,
    pub unequal: String,
    pub coalesce: String,
    pub outer: bool,
    pub inner: bool,
    pub header: Header,
    pub block_comments: f64,
    pub column_comments: f64,
    pub width: usize,
    pub stars: bool,
    pub settings: Vec<String>,
}

impl HouseStyle {
    /// Draws a style of this house.
    pub fn draw(&self, draw: Draw) -> Style {
        fn one<T: Clone>(draw: Draw, label: &str, values: &[T], otherwise: T) -> T {
            draw.at(label).pick(values).cloned().unwrap_or(otherwise)
        }
        let yes = |label: &str, values: &[bool]| one(draw, label, values, false);
        Style {
            name: self.name.clone(),
            keywords: one(draw, "keywords", &self.keywords, LetterCase::Upper),
            functions: one(draw, "functions", &self.functions, LetterCase::Upper),
            comma: one(draw, "comma", &self.comma, CommaPosition::Trailing),
            indent: one(draw, "indent", &self.indent, 4),
            clauses: one(draw, "clauses", &self.clauses, Clauses::Block),
            shape: one(draw, "shape", &self.shape, BlockNesting::Chain),
            aliases: one(draw, "aliases", &self.aliases, Aliases::Letters),
            table_as: yes("table_as", &self.table_as),
            align: yes("align", &self.align),
            on_same_line: yes("on_same_line", &self.on_same_line),
            qualify: yes("qualify", &self.qualify),
            indent_and: yes("indent_and", &self.indent_and),
            group_inline: yes("group_inline", &self.group_inline),
            airy: yes("airy", &self.airy),
            semicolon_alone: yes("semicolon_alone", &self.semicolon_alone),
            layers: one(draw, "layers", &self.layers, Layers::Plain),
            parameter: one(draw, "parameter", &self.parameter, "${dt}".to_owned()),
            shift: one(draw, "shift", &self.shift, Shift::Sub),
            unequal: one(draw, "unequal", &self.unequal, "<>".to_owned()),
            coalesce: one(draw, "coalesce", &self.coalesce, "COALESCE".to_owned()),
            outer: yes("outer", &self.outer),
            inner: yes("inner", &self.inner),
            header: one(draw, "header", &self.header, Header::None),
            block_comments: one(draw, "block_comments", &self.block_comments, 0.0),
            column_comments: one(draw, "column_comments", &self.column_comments, 0.0),
            width: one(draw, "width", &self.width, 100),
            stars: yes("stars", &self.stars),
            settings: one(draw, "settings", &self.settings, Vec::new()),
        }
    }
}
