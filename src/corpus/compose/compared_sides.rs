//! Two tables that should agree, side by side.

use super::builder::PlanBuilder;
use super::domain::{FigureUnit, Reconciliation, Role};
use super::draw::Draw;
use super::fact_figures::{FactSize, figures, rows, subject_column};
use super::piece;
use super::plan::{BlockColumn, PlannedDecision, RowSource};
use super::relation::{ColumnMeaning, OpenRelation, RelationColumn};

/// What is compared of one of two sides: a figure, as `table.figure`, for each value of some columns.
struct SideModel<'m> {
    path: &'m str,
    keys: Vec<&'m str>,
}

/// The rows of one of two sides that should agree.
struct ComparedSide {
    block: usize,
    many: String,
    keys: Vec<String>,
    key_kind: String,
    subject: String,
    total: String,
}

/// Plans the sum of the figure of one side, one row for each key.
fn side(
    builder: &mut PlanBuilder<'_>,
    SideModel { path, keys }: SideModel<'_>,
    fact_size: FactSize,
    draw: Draw,
) -> Result<Option<ComparedSide>, minijinja::Error> {
    let Some((table, _)) = path.split_once('.') else { return Ok(None) };
    builder.ask_for(path);
    let Some(mut relation) = rows(builder, table, fact_size, draw)? else { return Ok(None) };
    let Some(subject) = subject_column(builder, &mut relation, draw.at("reach")) else { return Ok(None) };
    let keys: Vec<String> = keys.iter().map(|name| builder.names.column(table, name)).collect();
    let figure = relation.columns.iter().find(|column| column.meaning.origin == path && !column.meaning.is_foreign());
    let Some(figure) = figure.cloned() else { return Ok(None) };
    // Where the keys make a row unique, there is nothing to add up.
    let is_single = !relation.multiplied && relation.grain.iter().all(|name| keys.contains(name));
    let aggregate = |function: &str, text: &str| {
        if is_single { text.to_owned() } else { format!("{function}({text})") }
    };
    let groups = relation.texts(&keys);
    if groups.len() < keys.len() {
        return Ok(None);
    }
    let mut outputs: Vec<BlockColumn> =
        keys.iter().zip(&groups).map(|(name, text)| BlockColumn::kept(name, text.clone())).collect();
    if !keys.contains(&subject) {
        // One row for each key, since the sides are joined by it alone.
        outputs.push(BlockColumn::kept(&subject, aggregate("MAX", &relation.text(&subject))));
    }
    outputs.push(BlockColumn::kept(&figure.name, aggregate("SUM", &figure.text)));
    let key_kind = relation.column(&keys[0]).map(|column| column.meaning.kind.clone()).unwrap_or_default();
    let short = builder.names.table(table);
    let block = &mut builder.plan.blocks[relation.block];
    block.outputs = outputs;
    block.groups = if is_single { Vec::new() } else { groups };
    block.names = vec![format!("{short}_totals"), format!("{short}_side")];
    let (block, many, total) = (relation.block, relation.many, figure.name);
    Ok(Some(ComparedSide { block, many, keys, key_kind, subject, total }))
}

/// Two sides in one FROM.
struct JoinedSides {
    left: ComparedSide,
    right: ComparedSide,
    /// The slot of the left one.
    here: usize,
    /// The slot of the right one.
    there: usize,
    /// The decision over what only the right one has: where it is left out, nothing else provides for it.
    joined: usize,
}

impl JoinedSides {
    fn left(&self, name: &str) -> String {
        piece::column(self.here, name)
    }

    fn right(&self, name: &str) -> String {
        piece::column(self.there, name)
    }

    /// Returns a column of the left side, or of the right one in rows that only that has.
    fn either(&self, one: &str, other: &str) -> String {
        let one = self.left(one);
        piece::decision(self.joined, [format!("COALESCE({one}, {})", self.right(other)), one])
    }
}

/// Plans how far two tables agree that should, one row for each subject.
///
/// # Errors
///
/// If a pattern's template cannot be rendered.
pub fn compared_totals(
    builder: &mut PlanBuilder<'_>,
    model: &Reconciliation,
    fact_size: FactSize,
    draw: Draw,
) -> Result<Option<OpenRelation>, minijinja::Error> {
    let Some(compared) = compared_sides(builder, model, fact_size, draw)? else { return Ok(None) };
    let fact_size = FactSize { enrich: 0, row: 0, measures: fact_size.measures.clamp(3, 6), ..fact_size };
    figures(builder, compared.relation, fact_size, draw.at("figures"))
}

/// Two tables side by side, one row for each key of either, or of the left one alone, by a decision.
#[derive(Clone, Debug)]
pub struct Compared {
    /// The rows: subject, state, difference, the totals of both sides, and the first key if it is not the subject.
    pub relation: OpenRelation,
    /// Name of the column with the subject.
    pub subject: String,
    /// Name of the column with the state of the comparison.
    pub state: String,
    /// Name of the column with the difference.
    pub gap: String,
    /// Name of the column with the first key.
    pub key: String,
}

/// Plans two tables that should agree, side by side.
///
/// # Errors
///
/// If a pattern's template cannot be rendered.
pub fn compared_sides(
    builder: &mut PlanBuilder<'_>,
    model: &Reconciliation,
    fact_size: FactSize,
    draw: Draw,
) -> Result<Option<Compared>, minijinja::Error> {
    let few = FactSize { clean: 0, ..fact_size };
    let left = SideModel { path: &model.left, keys: model.r#match.names().collect() };
    let right = SideModel { path: &model.right, keys: model.r#match.iter().map(|(_, name)| name.as_str()).collect() };
    let Some(left) = side(builder, left, few, draw.at("left"))? else { return Ok(None) };
    let Some(right) = side(builder, right, few, draw.at("right"))? else { return Ok(None) };
    let (block, here) = builder.plan.block(RowSource::Block(left.block));
    let there = builder.plan.item(block, RowSource::Block(right.block), String::new());
    let decided = PlannedDecision::new("only_in_second", "JOIN Type Selection")
        .says(
            format!("{} without a counterpart belong in the comparison of {} too", right.many, model.words),
            format!("{} without a counterpart are no part of the comparison of {}", right.many, model.words),
        )
        .shown_by("a key that only the second table has");
    let joined = builder.plan.decisions.len();
    let join = builder.plan.decide(draw.at("join"), decided, ["FULL OUTER JOIN", "LEFT JOIN"]);
    let sides = JoinedSides { left, right, here, there, joined };
    let pairs = sides.left.keys.iter().zip(&sides.right.keys);
    let on = pairs.map(|(one, other)| format!("{} = {}", sides.left(one), sides.right(other))).collect();
    builder.plan.join_last(block, join, on);
    let columns = compared_columns(builder, model, &sides, draw);
    let name = |place: usize| columns[place].name.clone();
    let (subject, state, gap) = (name(0), name(1), name(2));
    let key = columns.get(5).map_or_else(|| subject.clone(), |column| column.name.clone());
    let many = format!("comparisons of {}", model.words);
    let mut relation = OpenRelation::over(block, columns, "comparison", &many, "recon");
    relation.grain = vec![key.clone()];
    let names = vec!["recon_detail".to_owned(), "both_sides".to_owned()];
    relation.close(&mut builder.plan, names, format!("{} side by side", model.words));
    Ok(Some(Compared { relation, subject, state, gap, key }))
}

/// Returns the columns of [`Compared::relation`].
fn compared_columns(
    builder: &mut PlanBuilder<'_>,
    model: &Reconciliation,
    sides: &JoinedSides,
    draw: Draw,
) -> Vec<RelationColumn> {
    let JoinedSides { left, right, .. } = sides;
    let state = comparison_state(builder, model, sides, draw);
    let key = ColumnMeaning { missing: true, ..builder.reference_to(&builder.subject) };
    let (one, two) = (sides.left(&left.total), sides.right(&right.total));
    let mut gap = ColumnMeaning::plain(Role::Measure, "DECIMAL(18,2)", format!("difference between {}", model.words));
    gap.figure = Some(FigureUnit::Amount);
    gap.fresh = true;
    let text = format!("COALESCE({one}, 0) - COALESCE({two}, 0)");
    let gap = RelationColumn { name: "gap_amount".to_owned(), text, meaning: gap };
    let total = |side: &ComparedSide, text: String| {
        let meaning = ColumnMeaning::plain(Role::Amount, "DECIMAL(18,2)", format!("total of the {}", side.many));
        RelationColumn { name: side.total.clone(), text, meaning }.nullable()
    };
    let mut second = total(right, two);
    if second.name == left.total {
        second.name = format!("other_{}", second.name);
    }
    let text = sides.either(&left.subject, &right.subject);
    let subject = RelationColumn { name: left.subject.clone(), text, meaning: key };
    let mut found = vec![subject, state, gap, total(left, one), second];
    if left.keys[0] != left.subject {
        let text = sides.either(&left.keys[0], &right.keys[0]);
        let meaning = ColumnMeaning::plain(Role::Key, &left.key_kind, "reference");
        found.push(RelationColumn { name: left.keys[0].clone(), text, meaning });
    }
    found
}

/// Returns the state of each comparison: what only one side has, what agrees, what differs.
fn comparison_state(
    builder: &mut PlanBuilder<'_>,
    model: &Reconciliation,
    sides: &JoinedSides,
    draw: Draw,
) -> RelationColumn {
    let JoinedSides { left, right, joined, .. } = sides;
    let name = draw.at("state").one_of(["check_state", "match_status", "recon_status"]);
    let decided = PlannedDecision::new("tolerance", "Conditional Logic")
        .says(
            format!("{} agree if they differ by less than {}", model.words, model.tolerance),
            format!("{} agree if they differ by {} at most", model.words, model.tolerance),
        )
        .shown_by("a difference of exactly the tolerance");
    // No difference is less than none at all.
    let less = match model.tolerance > 0.0 {
        true => builder.plan.decide(draw.at("tolerance"), decided, ["<", "<="]),
        false => "<=".to_owned(),
    };
    let only_second = format!("WHEN {} IS NULL THEN 'ONLY_SECOND'", sides.left(&left.keys[0]));
    let text = format!(
        "CASE WHEN {} IS NULL THEN 'ONLY_FIRST' {} WHEN ABS({} - {}) {less} {} THEN 'MATCHED' ELSE 'DIFFERENT' END",
        sides.right(&right.keys[0]),
        piece::decision(*joined, [only_second, String::new()]),
        sides.left(&left.total),
        sides.right(&right.total),
        model.tolerance
    );
    let mut states = vec![
        ("ONLY_FIRST", format!("only among the {}", left.many)),
        ("ONLY_SECOND", format!("only among the {}", right.many)),
        ("MATCHED", "that agree".to_owned()),
        ("DIFFERENT", "that differ".to_owned()),
    ];
    if builder.plan.decisions[*joined].chosen == 1 {
        states.remove(1);
    }
    let mut meaning = ColumnMeaning::plain(Role::Code, "STRING", "result of the comparison");
    meaning.values = states.into_iter().map(|(state, words)| (state.to_owned(), words)).collect();
    meaning.fresh = true;
    RelationColumn { name: name.to_owned(), text, meaning }
}
