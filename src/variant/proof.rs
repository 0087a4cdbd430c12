//! Shows that a variant means what its original means: by its tokens, its graph, its rows and its own baseline.

use serde::Serialize;

use super::correspondence::{Correspondence, ReplacementLevel};
use super::layout::laid_out;
use super::literal::ScriptPart;
use super::original::Original;
use super::remnants::Remnants;
use super::rename::renamed;
use super::structure::varied;
use crate::code::edit::EditError;
use crate::code::script::Script;
use crate::code::token::TokenKind;
use crate::code::types::Type;
use crate::corpus::compose::draw::Draw;
use crate::corpus::compose::writing::Style;
use crate::corpus::{CorpusError, Reference, ReferenceCard, read_texts};
use crate::engine::compare::{Comparison, compare};
use crate::engine::policy::Policies;
use crate::engine::table::{Database, Row, ScriptResult, TableRows, Value};
use crate::engine::{ContextRef, embedded};
use crate::parallel::Panicked;
use crate::prove::Subject;
use crate::prove::preparation::Preparation;
use crate::score::graph_match;

/// Databases on which the rows of a variant are compared with those of its original.
const DATABASES: usize = 4;

/// A script that may be published.
#[derive(Clone, Debug)]
pub struct Variant {
    /// The script with its schema and card.
    pub reference: Reference,
    /// How its rows were compared.
    pub rows: RowsProof,
    /// Rewrites that changed its structure.
    pub rewrites: Vec<&'static str>,
    /// What of the original is left.
    pub left: Remnants,
}

/// On what the rows of a variant were shown to be those of its original.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RowsProof {
    /// Data with other names and words; numbers and dates differ where they stand, which the tokens show.
    NamesAndWords,
    /// Data with other names: rows of the original depend on letters of its texts.
    Names,
}

/// Why there is no variant of a script.
#[derive(Debug, thiserror::Error)]
pub enum VariantRefusal {
    /// The original cannot be a reference.
    #[error("the original cannot be a reference: {0}")]
    Original(String),
    /// The original calls a function that a parameter defines.
    #[error("function `{0}` is the author's own; write its expression into the script")]
    OwnFunction(String),
    /// The variant cannot be read: a bug.
    #[error("the variant does not read: {0}")]
    Unreadable(#[from] CorpusError),
    /// Edits do not fit: a bug.
    #[error("the variant cannot be written: {0}")]
    Edits(#[from] EditError),
    /// Tokens of the variant do not correspond to those of the original.
    #[error("`{0}` of the original and `{1}` of the variant do not correspond")]
    Tokens(String, String),
    /// The changed layout and structure have another graph.
    #[error("layout and structure have changed the meaning")]
    Graph,
    /// The rows differ under the correspondence of names.
    #[error("with other names the script gives other rows: {0}")]
    Rows(String),
    /// The variant cannot be a reference.
    #[error("the variant cannot be a reference: {0}")]
    Variant(String),
    /// Making it panicked: a bug.
    #[error(transparent)]
    Panicked(#[from] Panicked),
    /// Something of the original is left.
    #[error("left of the original: {}", .0.join(", "))]
    Left(Vec<String>),
}

/// An original on its way to a variant.
pub(super) struct VariantInProgress<'a> {
    pub original: &'a Original,
    pub correspondence: &'a Correspondence,
    pub style: &'a Style,
    pub draw: Draw,
}

impl VariantInProgress<'_> {
    /// Makes the variant and shows that it means what `subject`, the original, means.
    pub fn variant(&self, subject: &Subject<'_>, id: String, card: ReferenceCard) -> Result<Variant, VariantRefusal> {
        let own = self.original.reference.parameters.iter().find_map(|(key, _)| key.strip_suffix("()"));
        if let Some(own) = own {
            return Err(VariantRefusal::OwnFunction(own.to_owned()));
        }
        let schema = &self.original.reference.schema;
        let (structure, rewrites) = varied(&self.original.script, schema, self.draw.at("structure"));
        let plain = self.written(&structure, ReplacementLevel::Nothing)?;
        if !graph_match(&plain, &self.original.script, schema) {
            return Err(VariantRefusal::Graph);
        }
        let text = self.written(&structure, ReplacementLevel::All)?;
        self.corresponds(&plain, &text)?;
        let ddl = self.correspondence.schema(schema, ReplacementLevel::All).ddl();
        let parameters = self.correspondence.parameters(&self.original.reference.parameters, ReplacementLevel::All);
        let card = ReferenceCard { parameters, ..card };
        let reference = read_texts(id, text.text().to_owned(), ddl, card)?;
        let left = Remnants::of(self.original, &reference, self.correspondence);
        if left.is_any() {
            return Err(VariantRefusal::Left([left.names, left.literals].concat()));
        }
        let rows = self.rows(subject, &structure)?;
        Subject::prepared(&reference, Preparation::Judging)
            .map_err(|refusal| VariantRefusal::Variant(refusal.to_string()))?;
        Ok(Variant { reference, rows, rewrites, left })
    }

    /// Writes a script with counterparts up to a level, in the layout of the style.
    fn written(&self, structure: &Script, level: ReplacementLevel) -> Result<Script, VariantRefusal> {
        let edits = renamed(structure, &mut |part| self.correspondence.counterpart(part, level))?;
        let text = Script::new(edits.apply(structure.text())?);
        Ok(Script::new(laid_out(&text, self.style)?.apply(text.text())?))
    }

    /// Checks that each token of the variant is the original's, but for names and literals, whose counterparts are one to
    /// one because the correspondence is.
    fn corresponds(&self, plain: &Script, variant: &Script) -> Result<(), VariantRefusal> {
        let says = |kind: TokenKind| !matches!(kind, TokenKind::Symbol);
        let pairs = plain.tokens().len().max(variant.tokens().len());
        for place in 0..pairs {
            let (old, new) = (plain.token_text(place), variant.token_text(place));
            let kinds = [plain, variant].map(|script| script.tokens().get(place).map(|token| token.kind));
            if old != new && (kinds[0] != kinds[1] || !kinds[0].is_some_and(says)) {
                return Err(VariantRefusal::Tokens(old.to_owned(), new.to_owned()));
            }
        }
        Ok(())
    }

    /// Compares rows with other names and words, else with other names alone.
    fn rows(&self, subject: &Subject<'_>, structure: &Script) -> Result<RowsProof, VariantRefusal> {
        let agrees = |level: ReplacementLevel| {
            let script = self.written(structure, level)?;
            let mut databases = subject.baseline.iter().take(DATABASES);
            databases.try_for_each(|baseline| self.agrees(&script, level, &baseline.database, &baseline.result))
        };
        match agrees(ReplacementLevel::Words) {
            Err(VariantRefusal::Rows(_)) => agrees(ReplacementLevel::Names).map(|()| RowsProof::Names),
            ended => ended.map(|()| RowsProof::NamesAndWords),
        }
    }

    /// Checks that a script with counterparts gives the counterparts of a result.
    fn agrees(
        &self,
        script: &Script,
        level: ReplacementLevel,
        database: &Database,
        result: &ScriptResult,
    ) -> Result<(), VariantRefusal> {
        let old = &self.original.reference;
        let (schema, parameters) =
            (self.correspondence.schema(&old.schema, level), self.correspondence.parameters(&old.parameters, level));
        let context = ContextRef { schema: &schema, parameters: &parameters, policies: &Policies::default() };
        let tables = database.tables.iter().filter_map(|table| {
            let place = old.schema.tables.iter().position(|known| known.name == table.table)?;
            let types: Vec<&Type> = old.schema.tables[place].columns.iter().map(|column| &column.data_type).collect();
            Some(TableRows { table: schema.tables[place].name.clone(), rows: self.mapped(&table.rows, &types, level) })
        });
        let database = Database { tables: tables.collect() };
        let mut found = embedded::run(script.text(), context, &database)
            .map_err(|error| VariantRefusal::Rows(error.to_string()))?;
        let mut wanted = result.clone();
        for table in &mut wanted.tables {
            let types: Vec<&Type> = table.columns.iter().map(|column| &column.data_type).collect();
            table.rows = self.mapped(&table.rows, &types, level);
        }
        // Tables and columns stand in the same order; their names are those of the correspondence.
        for (found, wanted) in found.tables.iter_mut().zip(&wanted.tables) {
            found.target.clone_from(&wanted.target);
            for (column, wanted) in found.columns.iter_mut().zip(&wanted.columns) {
                column.name.clone_from(&wanted.name);
            }
        }
        match compare(&wanted, &found) {
            Comparison::Equal => Ok(()),
            other => Err(VariantRefusal::Rows(format!("{other:?}").chars().take(300).collect())),
        }
    }

    /// Returns rows of columns of these types with counterparts; values with structs hold the names of their fields.
    fn mapped(&self, rows: &[Row], types: &[&Type], level: ReplacementLevel) -> Vec<Row> {
        let value = |(value, data_type): (&Value, &&Type)| match value {
            Value::Text(text) if level == ReplacementLevel::Names && has_fields(data_type) => {
                Value::Text(self.fields(text))
            }
            Value::Text(text) => Value::Text(self.correspondence.text(text, level)),
            other => other.clone(),
        };
        rows.iter().map(|row| row.iter().zip(types).map(value).collect()).collect()
    }

    /// Returns JSON with counterparts of the names before colons.
    fn fields(&self, json: &str) -> String {
        let parts: Vec<&str> = json.split('"').collect();
        let name = |(place, part): (usize, &&str)| {
            let names = parts.get(place + 1).is_some_and(|next| next.starts_with(':'));
            let new =
                self.correspondence.counterpart(ScriptPart::Name(part), ReplacementLevel::Names).filter(|_| names);
            new.unwrap_or_else(|| (*part).to_owned())
        };
        parts.iter().enumerate().map(name).collect::<Vec<_>>().join("\"")
    }
}

/// Whether values of a type hold structs.
fn has_fields(data_type: &Type) -> bool {
    match data_type {
        Type::Struct(_) => true,
        Type::Array(element) => has_fields(element),
        Type::Map(_, value) => has_fields(value),
        _ => false,
    }
}
