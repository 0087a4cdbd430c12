//! Values that meet predicates: the smallest sensible value of a type for which all predicates on a column hold.

use serde_json::{Map, Value as Json};

use super::calendar;
use super::constraint::{PathStep, Predicate, Requirement, add_asked};
use super::context::{UsualValues, ValueContext};
use super::json_text::{insert_path, json_text, to_json};
use super::length;
use super::pattern;
use super::satisfies::{plain_text, satisfies};
use super::usual::{is_unasked, usual_values};
use crate::code::tree::BinaryOperator;
use crate::code::types::Type;
use crate::corpus::dictionary::ColumnValues;
use crate::engine::table::Value;

/// Returns the strongest of many requirements: as many as one value is held against.
pub fn strongest<'a>(requirements: impl Iterator<Item = Requirement<'a>>) -> Vec<Requirement<'a>> {
    let mut list: Vec<Requirement<'_>> = Vec::new();
    for requirement in requirements {
        add_asked(&mut list, requirement, |known, new| {
            let stronger = new.predicate.zip(known.predicate).is_some_and(|(new, known)| new.is_stronger_than(known));
            known.steps == new.steps && stronger
        });
    }
    list
}

/// Makes a value of `data_type` that meets the requirements as far as they can be met.
pub fn make(data_type: &Type, requirements: &[Requirement<'_>], context: &ValueContext<'_>) -> Value {
    if requirements
        .iter()
        .any(|requirement| requirement.steps.is_empty() && requirement.predicate == Some(&Predicate::Null))
    {
        return Value::Null;
    }
    match data_type {
        Type::Array(element) => json_text(array(element, requirements, context)),
        Type::Map(_, value) => json_text(Json::Object(map(value, requirements, context))),
        Type::Struct(fields) => json_text(Json::Object(structure(fields, requirements, context))),
        Type::String | Type::Unknown | Type::Binary => text(requirements, context),
        other => scalar(other, requirements, context),
    }
}

/// Returns what is asked below a step that `select` accepts.
fn below<'a>(requirements: &[Requirement<'a>], select: impl Fn(&PathStep) -> bool) -> Vec<Requirement<'a>> {
    let matching = requirements.iter().filter(|requirement| requirement.steps.first().is_some_and(&select));
    matching
        .map(|requirement| Requirement { steps: &requirement.steps[1..], predicate: requirement.predicate })
        .collect()
}

fn array(element: &Type, requirements: &[Requirement<'_>], context: &ValueContext<'_>) -> Json {
    let length = requirements.iter().find_map(required_length).unwrap_or_else(|| positions(requirements).max(2));
    let items = (0..length.min(12)).map(|index| {
        let context = ValueContext { row: context.row + index, ..context.clone() };
        to_json(element, make(element, &of_item(requirements, index), &context))
    });
    Json::Array(items.collect())
}

/// Returns what is asked of the item at `index`: of its position and, for the first item, of some element.
fn of_item<'a>(requirements: &[Requirement<'a>], index: usize) -> Vec<Requirement<'a>> {
    below(requirements, |step| *step == PathStep::Item(index) || (index == 0 && *step == PathStep::Element))
}

/// Returns how many items the requirements ask for by position.
fn positions(requirements: &[Requirement<'_>]) -> usize {
    let position = |requirement: &Requirement<'_>| match requirement.steps.first() {
        Some(PathStep::Item(index)) => index + 1,
        _ => 0,
    };
    requirements.iter().map(position).max().unwrap_or(0)
}

fn required_length(requirement: &Requirement<'_>) -> Option<usize> {
    let Some(Predicate::Compare(operator, Value::Integer(length))) = requirement.predicate else { return None };
    if requirement.steps != [PathStep::Length] {
        return None;
    }
    let length = usize::try_from(*length).ok()?;
    Some(match operator {
        BinaryOperator::Greater => length + 1,
        BinaryOperator::Less => length.saturating_sub(1),
        BinaryOperator::NotEqual => length + 1,
        _ => length,
    })
}

fn map(value_type: &Type, requirements: &[Requirement<'_>], context: &ValueContext<'_>) -> Map<String, Json> {
    let mut object = Map::new();
    let keys = below(requirements, |step| *step == PathStep::Key);
    let values = below(requirements, |step| *step == PathStep::MapValue);
    if !keys.is_empty() || !values.is_empty() {
        let key = plain(&text(&keys, &ValueContext { name: "key", ..context.clone() }));
        object.insert(key, to_json(value_type, make(value_type, &values, context)));
    }
    for requirement in requirements {
        if let Some(PathStep::MapKey(key)) = requirement.steps.first() {
            let inner = below(requirements, |step| *step == PathStep::MapKey(key.clone()));
            let context = ValueContext { name: key, ..context.clone() };
            object.insert(key.clone(), to_json(value_type, make(value_type, &inner, &context)));
        }
    }
    if object.is_empty() {
        object.insert(format!("k{}", context.group % 3), to_json(value_type, make(value_type, &[], context)));
    }
    object
}

fn structure(
    fields: &[(String, Type)],
    requirements: &[Requirement<'_>],
    context: &ValueContext<'_>,
) -> Map<String, Json> {
    let mut object = Map::new();
    for (name, data_type) in fields {
        let lower = name.to_lowercase();
        let inner = below(requirements, |step| matches!(step, PathStep::Field(field) if *field == lower));
        let context = ValueContext { name: &lower, ..context.clone() };
        object.insert(name.clone(), to_json(data_type, make(data_type, &inner, &context)));
    }
    object
}

/// Returns the text form of a value.
pub fn plain(value: &Value) -> String {
    plain_text(value).into_owned()
}

/// Makes a text in the form in which it is read: JSON, a separated list, digits, a date, or a word.
fn text(requirements: &[Requirement<'_>], context: &ValueContext<'_>) -> Value {
    let (lengths, others) = length::apart(requirements);
    if lengths.is_empty() {
        return text_of_any_length(requirements, context);
    }
    match text_of_any_length(&others, context) {
        Value::Text(text) => Value::Text(length::brought_to(text, &lengths, &others)),
        other => other,
    }
}

fn text_of_any_length(requirements: &[Requirement<'_>], context: &ValueContext<'_>) -> Value {
    let json: Vec<_> = requirements.iter().filter_map(|requirement| json_path(requirement.steps.first()?)).collect();
    if !json.is_empty() {
        return json_text(json_document(&json, requirements, context));
    }
    let split = requirements.iter().find_map(|requirement| match requirement.steps.first() {
        Some(PathStep::Split(separator)) => Some(separator.clone()),
        _ => None,
    });
    let asks_of_items =
        || below(requirements, |step| matches!(step, PathStep::Split(_))).iter().any(|it| it.predicate.is_some());
    if let Some(UsualValues { values: known @ ColumnValues::List { .. }, .. }) = context.usual
        && !asks_of_items()
    {
        return usual_values(known, &Type::String, context).remove(0);
    }
    if let Some(separator) = split {
        return separated(&separator, requirements, context);
    }
    if let Some(PathStep::Slice(..)) =
        requirements.iter().find_map(|requirement| requirement.predicate.and(requirement.steps.first()))
    {
        return Value::Text(sliced(requirements, context));
    }
    let numeric = requirements.iter().any(|requirement| matches!(requirement.steps.first(), Some(PathStep::Number)));
    if numeric
        && !requirements.iter().any(|requirement| requirement.steps.is_empty() && is_equality(requirement.predicate))
    {
        let inner = below(requirements, |step| *step == PathStep::Number);
        return Value::Text(plain(&scalar(&Type::BigInt, &inner, context)));
    }
    scalar(&Type::String, requirements, context)
}

fn is_equality(predicate: Option<&Predicate>) -> bool {
    matches!(predicate, Some(Predicate::Compare(BinaryOperator::Equal, _) | Predicate::OneOf(_)))
}

fn json_path(step: &PathStep) -> Option<&str> {
    match step {
        PathStep::Json(path) => Some(path),
        _ => None,
    }
}

fn json_document(paths: &[&str], requirements: &[Requirement<'_>], context: &ValueContext<'_>) -> Json {
    let mut document = Json::Object(Map::new());
    for path in paths {
        let inner = below(requirements, |step| json_path(step) == Some(path));
        let last = path.rsplit('.').next().unwrap_or(path).to_lowercase();
        let usual = context.usual.map(|usual| UsualValues { values: &ColumnValues::ByName, ..usual });
        let value = text(&inner, &ValueContext { name: &last, usual, ..context.clone() });
        let leaf = match &value {
            Value::Null => Json::Null,
            other => Json::from(plain(other)),
        };
        insert_path(&mut document, path, leaf);
    }
    document
}

fn separated(separator: &str, requirements: &[Requirement<'_>], context: &ValueContext<'_>) -> Value {
    let inner = below(requirements, |step| matches!(step, PathStep::Split(_)));
    let literal = separator.trim_start_matches(['\\', '[']).trim_end_matches(']');
    let literal = if literal.is_empty() { "," } else { literal };
    let count = inner.iter().find_map(required_length).unwrap_or_else(|| positions(&inner).max(2)).clamp(1, 12);
    let mut items: Vec<String> = (0..count)
        .map(|index| {
            plain(&text(&of_item(&inner, index), &ValueContext { row: context.row + index, ..context.clone() }))
        })
        .collect();
    let joined = items.join(literal);
    // What is asked of the whole text may be met by one of its items.
    let whole: Vec<Requirement<'_>> = requirements.iter().filter(|it| it.steps.is_empty()).copied().collect();
    let meets = |text: &str| {
        let text = Value::Text(text.to_owned());
        whole.iter().all(|requirement| requirement.predicate.is_none_or(|predicate| satisfies(predicate, &text)))
    };
    if meets(&joined) {
        return Value::Text(joined);
    }
    items[count - 1] = plain(&scalar(&Type::String, &whole, context));
    let with_whole = items.join(literal);
    Value::Text(if meets(&with_whole) { with_whole } else { joined })
}

/// The length of a slice that goes on to the end.
const WHOLE_REST: usize = 64;

/// Makes a text of which slices are asked: the default text with the slices put in place.
fn sliced(requirements: &[Requirement<'_>], context: &ValueContext<'_>) -> String {
    let whole: Vec<Requirement<'_>> = requirements
        .iter()
        .filter(|requirement| !matches!(requirement.steps.first(), Some(PathStep::Slice(..))))
        .copied()
        .collect();
    let mut chars: Vec<char> = plain(&scalar(&Type::String, &whole, context)).chars().collect();
    // What is asked of a slice takes the place of the form in which it is read.
    let mut ordered: Vec<&Requirement<'_>> = requirements.iter().collect();
    ordered.sort_by_key(|requirement| requirement.predicate.is_some());
    for requirement in ordered {
        let Some(PathStep::Slice(start, length)) = requirement.steps.first() else { continue };
        let inner = [Requirement { steps: &requirement.steps[1..], predicate: requirement.predicate }];
        let mut piece: Vec<char> = plain(&text(&inner, context)).chars().take(*length).collect();
        // `CAST(substr(day, 6, 2) AS INT) = 3` is met by `03`.
        if inner[0].steps.first() == Some(&PathStep::Number) && inner[0].predicate.is_some() {
            while piece.len() < *length && *length < WHOLE_REST {
                piece.insert(0, '0');
            }
        }
        let end = start - 1 + piece.len();
        while chars.len() < end {
            chars.push('0');
        }
        chars.splice(start - 1..end, piece);
    }
    let text: String = chars.into_iter().collect();
    if text.len() == 10 && calendar::date(&text).is_some() && context.name.contains("time") {
        return format!("{text} {:02}:15:00", 9 + context.row % 10);
    }
    text
}

/// Makes a value without inner structure.
fn scalar(data_type: &Type, requirements: &[Requirement<'_>], context: &ValueContext<'_>) -> Value {
    let asked = if is_unasked(context) { &[] } else { requirements };
    let predicates: Vec<&Predicate> = asked.iter().filter_map(|requirement| requirement.predicate).collect();
    let dated = requirements
        .iter()
        .any(|requirement| matches!(requirement.steps.first(), Some(PathStep::Date | PathStep::Format(_))));
    let candidates = candidates(data_type, &predicates, dated, context);
    let meets_all = |value: &&Value| predicates.iter().all(|predicate| satisfies(predicate, value));
    let meeting: Vec<&Value> = candidates.iter().filter(meets_all).collect();
    // Where values are ordered, the default is preferred: it lies at its level.
    let levelled = meeting.last().filter(|last| context.level.is_some() && candidates.last() == Some(**last)).copied();
    let own = value_of_row(&predicates, context).filter(|value| meets_all(&value));
    let chosen = own
        .as_ref()
        .or(levelled)
        .or_else(|| meeting.get((context.group + context.row) % meeting.len().max(1)).copied());
    let value = chosen.or_else(|| closest(&candidates, &predicates, context)).cloned().unwrap_or(Value::Null);
    let as_written =
        requirements.iter().any(|requirement| requirement.steps.is_empty() && requirement.predicate.is_some());
    if dated && !as_written && *data_type == Type::String {
        return with_time(value, context);
    }
    fit(data_type, value, context)
}

/// Returns the value beyond a bound that is a row's own, where the values of a column are to differ; `None` where they
/// need not, or if there is no bound.
fn value_of_row(predicates: &[&Predicate], context: &ValueContext<'_>) -> Option<Value> {
    use BinaryOperator::{Greater, GreaterOrEqual, Less, LessOrEqual};
    /// More rows than one group has of a scan.
    const MOST_ROWS: usize = 16;
    let distance = i64::try_from(1 + context.group * MOST_ROWS + context.row).ok().filter(|_| context.distinct)?;
    predicates.iter().find_map(|predicate| match predicate {
        Predicate::Compare(Greater | GreaterOrEqual, bound) => neighbour(bound, distance),
        Predicate::Compare(Less | LessOrEqual, bound) => neighbour(bound, -distance),
        _ => None,
    })
}

/// Adds a time to a date that is read by `to_date` alone, if the column's name says that it holds moments.
fn with_time(value: Value, context: &ValueContext<'_>) -> Value {
    match value {
        Value::Text(day) if day.len() == 10 && super::defaults::names_moment(context.name) => {
            Value::Text(format!("{day} {:02}:30:00", 8 + (context.group + context.row) % 12))
        }
        other => other,
    }
}

/// Returns a candidate that satisfies as many predicates as any. Rows take turns, so that predicates that
/// exclude each other are all met.
fn closest<'a>(candidates: &'a [Value], predicates: &[&Predicate], context: &ValueContext<'_>) -> Option<&'a Value> {
    let met = |value: &Value| predicates.iter().filter(|predicate| satisfies(predicate, value)).count();
    let most = candidates.iter().map(met).max()?;
    let best: Vec<&Value> = candidates.iter().filter(|value| met(value) == most).collect();
    best.get((context.row + context.group) % best.len()).copied()
}

/// Returns values worth trying: those near each constant of the predicates, then usual ones and the default.
fn candidates(data_type: &Type, predicates: &[&Predicate], dated: bool, context: &ValueContext<'_>) -> Vec<Value> {
    let mut values = Vec::new();
    for predicate in predicates {
        match predicate {
            Predicate::Compare(operator, value) => {
                if !matches!(operator, BinaryOperator::NotEqual | BinaryOperator::Less | BinaryOperator::Greater) {
                    values.push(value.clone());
                }
                values.extend([-1, 1].iter().filter_map(|step| neighbour(value, *step)));
            }
            Predicate::OneOf(list) => values.extend(list.iter().cloned()),
            Predicate::Between(low, high) => {
                values.extend([high.clone(), low.clone()]);
                values.extend(neighbour(low, 1));
            }
            Predicate::Like(pattern) => values.push(Value::Text(pattern::like_example(pattern, context.row))),
            Predicate::Matches(pattern) => values.push(Value::Text(pattern::regexp_example(pattern))),
            Predicate::Truth(truth) if data_type.is_numeric() || *data_type == Type::Boolean => {
                values.push(Value::Integer(i64::from(*truth)));
            }
            Predicate::Truth(truth) => values.push(Value::Text(truth.to_string())),
            Predicate::NoneOf(_) | Predicate::NotNull | Predicate::Null => {}
        }
    }
    let patterns: Vec<&str> = predicates
        .iter()
        .filter_map(|predicate| match predicate {
            Predicate::Like(pattern) => Some(pattern.as_str()),
            _ => None,
        })
        .collect();
    if patterns.len() > 1 {
        values.push(Value::Text(pattern::example_of_all(&patterns, context.row)));
    }
    let only_free = values.is_empty()
        || predicates.iter().all(|predicate| matches!(predicate, Predicate::Compare(BinaryOperator::NotEqual, _)));
    if only_free {
        values.clear();
    }
    let usual = context.usual.filter(|_| !dated && context.level.is_none());
    values.extend(usual.into_iter().flat_map(|usual| usual_values(usual.values, data_type, context)));
    if values.is_empty() || !only_free || usual.is_none() {
        values.push(match context.usual {
            Some(UsualValues { values: ColumnValues::Times(form), .. }) if *data_type == Type::String => {
                Value::Text(super::defaults::time(*form, context))
            }
            _ => super::defaults::value(data_type, dated, context),
        });
    }
    values
}

/// Returns the value one step away: a number by one, a date by one day.
pub fn neighbour(value: &Value, step: i64) -> Option<Value> {
    match value {
        Value::Integer(number) => Some(Value::Integer(number.saturating_add(step))),
        Value::Real(number) => Some(Value::Real(number + step as f64)),
        Value::Text(text) => match calendar::shift_in_place(text, step) {
            Some(shifted) => Some(Value::Text(shifted)),
            None => text.parse::<i64>().ok().map(|number| Value::Text(number.saturating_add(step).to_string())),
        },
        Value::Null => None,
    }
}

/// Brings a value into the form of its column: a date column takes the date of a timestamp, and so on.
fn fit(data_type: &Type, value: Value, context: &ValueContext<'_>) -> Value {
    if let Value::Real(number) = value
        && matches!(data_type, Type::Double | Type::Decimal(..))
    {
        return Value::Real(data_type.at_scale(number));
    }
    if matches!(
        (data_type, &value),
        (_, Value::Null) | (Type::Int | Type::BigInt, Value::Integer(_)) | (Type::String, Value::Text(_))
    ) {
        return value;
    }
    let text = plain(&value);
    match data_type {
        Type::Date => calendar::shift(&text, 0).map_or(value, Value::Text),
        Type::Timestamp if text.len() == 10 => {
            Value::Text(format!("{text} {:02}:30:00", 8 + (context.group + context.row) % 12))
        }
        Type::Int | Type::BigInt => {
            text.parse::<f64>().map_or(Value::Integer(1), |number| Value::Integer(number as i64))
        }
        Type::Double | Type::Decimal(..) => text.parse::<f64>().map_or(Value::Real(1.0), Value::Real),
        Type::Boolean => Value::Integer(i64::from(matches!(text.as_str(), "1" | "true"))),
        Type::String => Value::Text(text),
        _ => value,
    }
}
