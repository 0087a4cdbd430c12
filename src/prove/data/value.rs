//! Values that meet predicates: the smallest sensible value of a type for which all predicates on a column hold.

use chrono::NaiveTime;
use serde_json::{Map, Value as Json};

use super::calendar;
use super::constraint::{PathStep, Predicate, Requirement, add_asked};
use super::context::{UsualValues, ValueContext};
use super::json_text::{insert_path, json_text, to_json};
use super::length;
use super::satisfies::satisfies;
use super::scalar::{plain, scalar};
use super::usual::usual_values;
use crate::code::tree::BinaryOperator;
use crate::code::types::Type;
use crate::corpus::dictionary::ColumnValues;
use crate::engine::sqlite::functions::formatted_moment;
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
    let of_whole = requirements.iter().filter(|requirement| requirement.steps.is_empty());
    let (null, others): (Vec<&Predicate>, Vec<&Predicate>) =
        of_whole.filter_map(|requirement| requirement.predicate).partition(|predicate| **predicate == Predicate::Null);
    // Where something else is asked elsewhere, rows take turns.
    if !null.is_empty() && (others.is_empty() || (context.group + context.row).is_multiple_of(2)) {
        return Value::Null;
    }
    if let [Predicate::OneOf(whole)] = others[..]
        && !whole.is_empty()
        && requirements.iter().all(|requirement| requirement.steps.is_empty() || requirement.predicate.is_none())
        && (data_type.is_nested() || requirements.len() > 1)
    {
        return whole[(context.group + context.row) % whole.len()].clone();
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

/// Makes a text in the form in which it is read: JSON, a separated list, digits, a date, or a word.
fn text(requirements: &[Requirement<'_>], context: &ValueContext<'_>) -> Value {
    let (lengths, others) = length::split_lengths(requirements);
    if lengths.is_empty() {
        return text_of_any_length(requirements, context);
    }
    match text_of_any_length(&others, context) {
        Value::Text(text) => Value::Text(length::with_length(text, &lengths, &others)),
        other => other,
    }
}

fn text_of_any_length(requirements: &[Requirement<'_>], context: &ValueContext<'_>) -> Value {
    let json: Vec<_> = requirements.iter().filter_map(|requirement| json_path(requirement.steps.first()?)).collect();
    if !json.is_empty() {
        return json_text(json_document(&json, requirements, context));
    }
    let pairs = requirements.iter().find_map(|requirement| match requirement.steps.first() {
        Some(PathStep::Pairs(between, within)) => Some((between, within)),
        _ => None,
    });
    if let Some((between, within)) = pairs {
        let inner = below(requirements, |step| matches!(step, PathStep::Pairs(..)));
        let entries = map(&Type::String, &inner, context).into_iter();
        let entries = entries.map(|(key, value)| format!("{key}{within}{}", value.as_str().unwrap_or_default()));
        return Value::Text(entries.collect::<Vec<_>>().join(between));
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
    let parsed = requirements.iter().find_map(|requirement| match requirement.steps.first() {
        Some(PathStep::Parsed(format)) => Some(format),
        _ => None,
    });
    if let Some(format) = parsed
        && let Some(text) = in_format(format, requirements, context)
    {
        return Value::Text(text);
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

/// Makes a day or moment and writes it in the format in which it is read; `None` if the format cannot be written.
fn in_format(format: &str, requirements: &[Requirement<'_>], context: &ValueContext<'_>) -> Option<String> {
    let inner = below(requirements, |step| matches!(step, PathStep::Parsed(_)));
    let data_type = if format.contains(['H', 'h']) { Type::Timestamp } else { Type::Date };
    let moment = plain(&scalar(&data_type, &inner, context));
    let time = moment.get(11..).and_then(|time| NaiveTime::parse_from_str(time, "%H:%M:%S").ok()).unwrap_or_default();
    formatted_moment(&calendar::date(&moment)?.and_time(time), format)
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
        // A field that is compared with numbers is one, as it is read with a type.
        let is_number = || inner.iter().any(|it| it.predicate.is_some_and(names_number));
        let leaf = match &value {
            Value::Null => Json::Null,
            Value::Text(text) if is_number() => {
                text.parse::<i64>().map_or_else(|_| Json::from(text.as_str()), Json::from)
            }
            other => Json::from(plain(other)),
        };
        insert_path(&mut document, path, leaf);
    }
    document
}

fn names_number(predicate: &Predicate) -> bool {
    match predicate {
        Predicate::Compare(_, value) | Predicate::Between(value, _) => value.as_number().is_some(),
        _ => false,
    }
}

fn separated(separator: &str, requirements: &[Requirement<'_>], context: &ValueContext<'_>) -> Value {
    let inner = below(requirements, |step| matches!(step, PathStep::Split(_)));
    let literal = separator.trim_start_matches(['\\', '[']).trim_end_matches(']');
    let literal = if literal.is_empty() { "," } else { literal };
    let count = inner.iter().find_map(required_length).unwrap_or_else(|| positions(&inner).max(2)).clamp(1, 12);
    let items: Vec<String> = (0..count)
        .map(|index| {
            plain(&text(&of_item(&inner, index), &ValueContext { row: context.row + index, ..context.clone() }))
        })
        .collect();
    let joined = items.join(literal);
    // What is asked of the whole text may be met by its last item or its first, or by a text that is one item alone.
    let whole: Vec<Requirement<'_>> = requirements.iter().filter(|it| it.steps.is_empty()).copied().collect();
    let meets = |text: &str| {
        let text = Value::Text(text.to_owned());
        whole.iter().all(|requirement| requirement.predicate.is_none_or(|predicate| satisfies(predicate, &text)))
    };
    if meets(&joined) {
        return Value::Text(joined);
    }
    let met = plain(&scalar(&Type::String, &whole, context));
    let with_item = |at: usize| {
        let mut items = items.clone();
        items[at].clone_from(&met);
        items.join(literal)
    };
    let asks_of_items = inner.iter().any(|requirement| requirement.predicate.is_some());
    let texts = [with_item(count - 1), with_item(0)].into_iter().chain((!asks_of_items).then(|| met.clone()));
    Value::Text(texts.into_iter().find(|text| meets(text)).unwrap_or(joined))
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
