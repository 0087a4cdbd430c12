//! Branches over several tables: those that record the same kind of thing, those that should agree.

use super::branch::{BranchSize, figures, reach, rows};
use super::builder::PlanBuilder;
use super::domain::{FigureUnit, Mirror, Role, Similar, Table};
use super::draw::Draw;
use super::piece;
use super::plan::{BlockColumn, PlannedDecision, RowSource};
use super::relation::{ColumnMeaning, OpenRelation, RelationColumn};

/// Returns the text of a table's column in a relation of its rows. If a decision between two columns has replaced it,
/// that is the text of a column with the same role and entity.
pub(super) fn text_of(
    builder: &PlanBuilder<'_>,
    relation: &OpenRelation,
    table: &Table,
    name: &str,
    column: &str,
) -> Option<String> {
    let real = builder.names.column(name, column);
    let found = relation.column(&real).map(|column| column.text.clone());
    found.or_else(|| {
        let known = table.columns.get(column)?;
        let same = |other: &&RelationColumn| {
            other.meaning.role == known.role && other.meaning.entity == known.entity && other.meaning.figure.is_none()
        };
        relation.columns.iter().find(same).map(|column| column.text.clone())
    })
}

/// Returns an output that stays even if nothing reads it.
pub(super) fn output(name: &str, text: String) -> BlockColumn {
    BlockColumn { name: name.to_owned(), text, kept: true, comment: String::new() }
}

/// Returns a relation over a block that reads no table itself.
pub(super) fn over(block: usize, columns: Vec<RelationColumn>, one: &str, many: String, name: &str) -> OpenRelation {
    OpenRelation {
        block,
        columns,
        grain: Vec::new(),
        repeats: Vec::new(),
        one: one.to_owned(),
        many,
        table: name.to_owned(),
        grouped: false,
        fanned: false,
    }
}

/// Plans the figures of tables that record the same kind of thing under different names, one row for each subject.
///
/// # Errors
///
/// If a pattern's template cannot be rendered.
pub fn similar(
    builder: &mut PlanBuilder<'_>,
    name: &str,
    model: &Similar,
    subject: &str,
    effort: BranchSize,
    draw: Draw,
) -> Result<Option<OpenRelation>, minijinja::Error> {
    match united(builder, name, model, effort, draw)? {
        Some((relation, _)) => figures(builder, relation, subject, effort, draw.at("figures")),
        None => Ok(None),
    }
}

/// Plans the rows of tables that record the same kind of thing, under common names. Returns the name of the column with
/// the source table's mark as well.
///
/// # Errors
///
/// If a pattern's template cannot be rendered.
pub fn united(
    builder: &mut PlanBuilder<'_>,
    name: &str,
    model: &Similar,
    effort: BranchSize,
    draw: Draw,
) -> Result<Option<(OpenRelation, String)>, minijinja::Error> {
    let mark = draw.at("mark").one_of(["source", "src", "source_type", "origin_system"]);
    let mut members = Vec::new();
    let mut meanings: Vec<(String, ColumnMeaning)> = Vec::new();
    for (number, (table_name, columns)) in model.tables.iter().enumerate() {
        let Some(relation) = rows(builder, table_name, effort, draw.nth("member", number))? else { return Ok(None) };
        let Some(table) = builder.domain.tables.get(table_name) else { return Ok(None) };
        let mut outputs = Vec::new();
        for (common, sql) in columns.iter() {
            let plain = table.columns.has(sql);
            let text = |column: &str| text_of(builder, &relation, table, table_name, column);
            let text = if plain { text(sql) } else { Some(builder.names.expand(table, sql, text)) };
            let Some(text) = text.filter(|text| !text.contains('{')) else { return Ok(None) };
            outputs.push(output(common, text));
            if number == 0 {
                let column =
                    table.columns.iter().find(|(column, _)| *column == sql || sql.contains(&format!("{{{column}}}")));
                let Some((column_name, column)) = column else { return Ok(None) };
                let meaning = ColumnMeaning::of(table_name, column_name, column);
                meanings.push((common.to_owned(), common_meaning(meaning, plain, model)));
            }
        }
        let value = model.marks.get(table_name).cloned().unwrap_or_default();
        outputs.push(output(mark, format!("'{value}'")));
        let block = &mut builder.plan.blocks[relation.block];
        block.outputs = outputs;
        block.purpose.clone_from(&table.many);
        members.push(relation.block);
    }
    let decided = PlannedDecision::new("equal_rows", "Set Operations")
        .says(
            format!("{} that are equal in all that is taken over all count", model.many),
            format!("{} that are equal in all that is taken over count once", model.many),
        )
        .shown_by("two rows that are equal in all columns taken over");
    let set_operator = builder.plan.decide(draw.at("equal"), decided, ["UNION ALL", "UNION"]);
    let names = vec![format!("{name}_all"), format!("all_{name}")];
    let union = builder.plan.union(members, set_operator, names, format!("{} of all sources", model.many));
    let (block, slot) = builder.plan.block(RowSource::Block(union));
    let mut meaning = ColumnMeaning::plain(Role::Code, "STRING", "source");
    let words = |(_, mark): (&str, &String)| (mark.clone(), format!("from {}", mark.to_lowercase()));
    meaning.values = model.marks.iter().map(words).collect();
    meaning.fresh = true;
    meanings.push((mark.to_owned(), meaning));
    let column =
        |(name, meaning): (String, ColumnMeaning)| RelationColumn { text: piece::column(slot, &name), name, meaning };
    let columns = meanings.into_iter().map(column).collect();
    Ok(Some((over(block, columns, &model.one, model.many.clone(), name), mark.to_owned())))
}

/// Returns what a common column of similar tables means, from what it means in the first.
fn common_meaning(mut meaning: ColumnMeaning, plain: bool, model: &Similar) -> ColumnMeaning {
    meaning.origin.clear();
    meaning.values.clear();
    let figure = match meaning.role {
        Role::Amount => Some((FigureUnit::Amount, "DECIMAL(18,2)", "amount")),
        Role::Quantity => Some((FigureUnit::Quantity, "BIGINT", "quantity")),
        Role::Duration => Some((FigureUnit::Duration, "BIGINT", "time")),
        _ => None,
    };
    if let Some((unit, kind, words)) = figure {
        meaning.figure = Some(unit);
        meaning.kind = kind.to_owned();
        meaning.words = format!("{words} of {}", model.many);
        meaning.missing = false;
    } else if !plain {
        meaning.missing = true;
    }
    meaning
}

/// One of two sides that should agree.
struct ComparedSide {
    block: usize,
    many: String,
    keys: Vec<String>,
    key_kind: String,
    subject: String,
    total: String,
}

/// Plans the sum of the figure `path` of one side, one row for each key.
fn side(
    builder: &mut PlanBuilder<'_>,
    path: &str,
    names: &[&str],
    subject: &str,
    effort: BranchSize,
    draw: Draw,
) -> Result<Option<ComparedSide>, minijinja::Error> {
    let Some((table, _)) = path.split_once('.') else { return Ok(None) };
    builder.ask_for(path);
    let Some(mut relation) = rows(builder, table, effort, draw)? else { return Ok(None) };
    let Some(key) = reach(builder, &mut relation, subject, draw.at("reach")) else { return Ok(None) };
    let keys: Vec<String> = names.iter().map(|name| builder.names.column(table, name)).collect();
    let figure = relation.columns.iter().find(|column| column.meaning.origin == path && !column.meaning.is_foreign());
    let Some(figure) = figure.cloned() else { return Ok(None) };
    // Where the keys make a row unique, there is nothing to add up.
    let is_single = !relation.fanned && relation.grain.iter().all(|name| keys.contains(name));
    let aggregate = |function: &str, text: &str| {
        if is_single { text.to_owned() } else { format!("{function}({text})") }
    };
    let mut outputs = Vec::new();
    let mut groups = Vec::new();
    for name in &keys {
        let Some(column) = relation.column(name) else { return Ok(None) };
        groups.push(column.text.clone());
        outputs.push(output(name, column.text.clone()));
    }
    if !keys.contains(&key) {
        // One row for each key, since the sides are joined by it alone.
        let Some(column) = relation.column(&key) else { return Ok(None) };
        outputs.push(output(&key, aggregate("MAX", &column.text)));
    }
    outputs.push(output(&figure.name, aggregate("SUM", &figure.text)));
    if is_single {
        groups.clear();
    }
    let key_kind = relation.column(&keys[0]).map(|column| column.meaning.kind.clone()).unwrap_or_default();
    let short = builder.names.table(table);
    let block = &mut builder.plan.blocks[relation.block];
    block.outputs = outputs;
    block.groups = groups;
    block.names = vec![format!("{short}_totals"), format!("{short}_side")];
    Ok(Some(ComparedSide {
        block: relation.block,
        many: relation.many,
        keys,
        key_kind,
        subject: key,
        total: figure.name,
    }))
}

/// Plans how far two tables agree that should, one row for each subject.
///
/// # Errors
///
/// If a pattern's template cannot be rendered.
pub fn mirror(
    builder: &mut PlanBuilder<'_>,
    model: &Mirror,
    subject: &str,
    effort: BranchSize,
    draw: Draw,
) -> Result<Option<OpenRelation>, minijinja::Error> {
    let Some(compared) = compared_sides(builder, model, subject, effort, draw)? else { return Ok(None) };
    let effort = BranchSize { enrich: 0, row: 0, measures: effort.measures.clamp(3, 6), ..effort };
    figures(builder, compared.relation, subject, effort, draw.at("figures"))
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
    model: &Mirror,
    subject: &str,
    effort: BranchSize,
    draw: Draw,
) -> Result<Option<Compared>, minijinja::Error> {
    let few = BranchSize { clean: 0, ..effort };
    let first: Vec<&str> = model.r#match.names().collect();
    let second: Vec<&str> = model.r#match.iter().map(|(_, name)| name.as_str()).collect();
    let Some(left) = side(builder, &model.left, &first, subject, few, draw.at("left"))? else { return Ok(None) };
    let Some(right) = side(builder, &model.right, &second, subject, few, draw.at("right"))? else { return Ok(None) };
    let (block, here) = builder.plan.block(RowSource::Block(left.block));
    let there = builder.plan.item(block, RowSource::Block(right.block), String::new());
    let decided = PlannedDecision::new("only_in_second", "JOIN Type Selection")
        .says(
            format!("the comparison of {} has also what stands among the {} alone", model.words, right.many),
            format!("the comparison of {} has only what stands among the {}", model.words, left.many),
        )
        .shown_by("a key that only the second table has");
    let joins = ["FULL OUTER JOIN".to_owned(), "LEFT JOIN".to_owned()];
    let both = builder.plan.decisions.len();
    let join = builder.plan.decide(draw.at("join"), decided, joins);
    let pairs = left.keys.iter().zip(&right.keys);
    let on = pairs.map(|(one, other)| format!("{} = {}", piece::column(here, one), piece::column(there, other)));
    builder.plan.join_last(block, join, on.collect());
    let columns = compared(builder, model, both, subject, [(here, &left), (there, &right)], draw);
    let name = |place: usize| columns[place].name.clone();
    let (subject, state, gap) = (name(0), name(1), name(2));
    let key = columns.get(5).map_or_else(|| subject.clone(), |column| column.name.clone());
    let mut relation = over(block, columns, "comparison", format!("comparisons of {}", model.words), "recon");
    relation.grain = vec![key.clone()];
    let names = vec!["recon_detail".to_owned(), "both_sides".to_owned()];
    relation.close(&mut builder.plan, names, format!("{} side by side", model.words));
    Ok(Some(Compared { relation, subject, state, gap, key }))
}

/// Returns the columns of [`Compared::relation`]. `joined` is the decision over what only the second table has: where
/// it is left out, nothing else provides for it.
fn compared(
    builder: &mut PlanBuilder<'_>,
    model: &Mirror,
    joined: usize,
    subject: &str,
    [(here, left), (there, right)]: [(usize, &ComparedSide); 2],
    draw: Draw,
) -> Vec<RelationColumn> {
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
    let (one, two) = (piece::column(here, &left.total), piece::column(there, &right.total));
    let (key_one, key_two) = (piece::column(here, &left.keys[0]), piece::column(there, &right.keys[0]));
    let state = draw.at("state").one_of(["check_state", "match_status", "recon_status"]);
    let second = format!("WHEN {key_one} IS NULL THEN 'ONLY_SECOND'");
    let second = piece::decision(joined, [second, String::new()]);
    let case = format!(
        "CASE WHEN {key_two} IS NULL THEN 'ONLY_FIRST' {second} \
         WHEN ABS({one} - {two}) {less} {} THEN 'MATCHED' ELSE 'DIFFERENT' END",
        model.tolerance
    );
    let kind = builder.domain.entities.get(subject).map(|entity| entity.kind.clone()).unwrap_or_default();
    let mut key = ColumnMeaning::plain(Role::Reference, &kind, subject);
    key.entity = Some(subject.to_owned());
    key.missing = true;
    let mut status = ColumnMeaning::plain(Role::Code, "STRING", "result of the comparison");
    let only_left = builder.plan.decisions[joined].chosen == 1;
    let states = [
        ("ONLY_FIRST", format!("only among the {}", left.many)),
        ("ONLY_SECOND", format!("only among the {}", right.many)),
        ("MATCHED", "that agree".to_owned()),
        ("DIFFERENT", "that differ".to_owned()),
    ];
    let states = states.into_iter().filter(|(state, _)| !(only_left && *state == "ONLY_SECOND"));
    status.values = states.map(|(state, words)| (state.to_owned(), words)).collect();
    status.fresh = true;
    let mut gap = ColumnMeaning::plain(Role::Measure, "DECIMAL(18,2)", format!("difference between {}", model.words));
    gap.figure = Some(FigureUnit::Amount);
    gap.fresh = true;
    let either = |one: &str, other: &str| {
        let (one, other) = (piece::column(here, one), piece::column(there, other));
        piece::decision(joined, [format!("COALESCE({one}, {other})"), one])
    };
    let both = either(&left.subject, &right.subject);
    let total = |side: &ComparedSide, words: String, text: &str| {
        let mut meaning = ColumnMeaning::plain(Role::Amount, "DECIMAL(18,2)", words);
        meaning.missing = true;
        RelationColumn { name: side.total.clone(), text: text.to_owned(), meaning }
    };
    let mut second = total(right, format!("total of the {}", right.many), &two);
    if second.name == left.total {
        second.name = format!("other_{}", second.name);
    }
    let reference = ColumnMeaning::plain(Role::Key, &left.key_kind, "reference");
    let mut found = vec![
        RelationColumn { name: left.subject.clone(), text: both, meaning: key },
        RelationColumn { name: state.to_owned(), text: case, meaning: status },
        RelationColumn {
            name: "gap_amount".to_owned(),
            text: format!("COALESCE({one}, 0) - COALESCE({two}, 0)"),
            meaning: gap,
        },
        total(left, format!("total of the {}", left.many), &one),
        second,
    ];
    if left.keys[0] != left.subject {
        let text = either(&left.keys[0], &right.keys[0]);
        found.push(RelationColumn { name: left.keys[0].clone(), text, meaning: reference });
    }
    found
}
