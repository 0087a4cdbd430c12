//! The value of one cell of a generated row.

use super::super::constraint::{Chain, Constraint, PathStep, Predicate, Requirement, ScanColumn, ValuePath};
use super::super::context::ValueContext;
use super::super::value::{make, strongest};
use super::{Generator, GeneratorOptions, RowPosition, convert};
use crate::code::schema::TableColumn;
use crate::code::tree::BinaryOperator;
use crate::code::types::Type;
use crate::corpus::dictionary::ColumnValues;
use crate::engine::table::Value;

/// How many levels a hierarchy has, its first row included.
const LEVELS: usize = 3;

/// What the value of a class depends on.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct ClassValueKey {
    class: usize,
    group: usize,
    rotation: usize,
    shared_values: bool,
}

impl Generator<'_> {
    pub(super) fn value(
        &self,
        definition: &TableColumn,
        source: ScanColumn,
        position: RowPosition,
        options: GeneratorOptions,
    ) -> Value {
        if let Some((gives, before)) = self.row_before(source, position)
            && let Some(column) = self.definition(gives)
        {
            return convert(self.value(column, gives, before, options), &definition.data_type);
        }
        let offset = self.group_offset(source, options) + options.first_group;
        let shift = usize::from(self.classes.is_shifted(source));
        if let Some(class) = self.classes.of_column(source) {
            let group = (position.group + shift) % options.groups + offset;
            let position = RowPosition { group, ..position };
            return convert(self.class_value(class, position, options), &definition.data_type);
        }
        let shared = options.shared_values && self.classes.is_shared_column(source);
        let agrees = self.rows_needed[source.scan] > 1 && self.constraints.within_scan.contains(&source);
        let group = if shared { self.first_sharing(position.group) } else { position.group };
        let row = if shared || agrees { 0 } else { position.row };
        let context = ValueContext {
            name: &definition.name,
            // A value that must differ from another is that of another row and group: numbers, words and days all show it.
            group: group + offset + 2 * shift,
            row: row + shift,
            day: &self.day,
            level: self.classes.level_of_column(source),
            distinct: self.constraints.varied.contains(&source),
            usual: self.usual(source),
        };
        self.free_value(definition, source, &context, position, options)
    }

    /// Returns the column and the row from which the key of a row in a hierarchy takes its value: those of the row one
    /// level above. `None` for the first row of a hierarchy, which every third group begins, and for other columns.
    fn row_before(&self, source: ScanColumn, position: RowPosition) -> Option<(ScanColumn, RowPosition)> {
        let chain = self.constraints.chains.iter().find(|chain| chain.key == source)?;
        let follows = !position.group.is_multiple_of(LEVELS);
        follows.then(|| {
            let before = RowPosition { scan: chain.gives.scan, group: position.group - 1, row: 0 };
            (chain.gives, before)
        })
    }

    /// Returns how many groups further on a column takes its values from. What the rows of a hierarchy give, and the
    /// keys of its first rows, are moved behind all groups, so that they differ from all other values and no row comes
    /// before itself.
    fn group_offset(&self, source: ScanColumn, options: GeneratorOptions) -> usize {
        let table = |scan: usize| &self.lineage.scans[scan].table;
        let same_class = |other: ScanColumn| {
            let class = self.classes.of_column(source);
            class.is_some() && class == self.classes.of_column(other)
        };
        let is_first_key = |chain: &Chain| {
            chain.key.column == source.column
                && chain.key.scan != source.scan
                && table(chain.key.scan) == table(source.scan)
                && self.classes.of_column(source).is_none()
        };
        let gives = |chain: &Chain| chain.gives == source || same_class(chain.gives);
        let chains = || self.constraints.chains.iter();
        if chains().any(gives) {
            return options.groups;
        }
        if chains().any(is_first_key) { 2 * options.groups } else { 0 }
    }

    /// Returns the value that all members of a class share in a group.
    fn class_value(&self, class: usize, position: RowPosition, options: GeneratorOptions) -> Value {
        let GeneratorOptions { rotation, shared_values, .. } = options;
        let key = ClassValueKey { class, group: position.group, rotation, shared_values };
        if let Some(value) = self.class_values.borrow().get(&key) {
            return value.clone();
        }
        let value = self.new_class_value(class, position.group, options);
        self.class_values.borrow_mut().insert(key, value.clone());
        value
    }

    /// Makes the value of a class in the type of the column of which most is asked, so that its conditions can be met.
    fn new_class_value(&self, class: usize, group: usize, options: GeneratorOptions) -> Value {
        let members = &self.classes.members[class];
        let whole_columns = || members.iter().filter(|path| path.steps.is_empty()).map(|path| path.source);
        let most_asked = whole_columns().max_by_key(|source| self.demands(*source));
        let model = most_asked.or_else(|| Some(members.first()?.source)).and_then(|source| self.definition(source));
        let numeric =
            whole_columns().filter_map(|source| self.definition(source)).any(|column| column.data_type.is_numeric());
        let data_type = match model {
            _ if numeric => Type::BigInt,
            Some(column) if !column.data_type.is_nested() => column.data_type.clone(),
            _ => Type::String,
        };
        let shared = options.shared_values && self.classes.is_shared(class);
        let group = if shared { self.first_sharing(group) } else { group };
        let name = model.map_or("key", |column| &column.name);
        let level = self.classes.level(members);
        let known = whole_columns().filter_map(|source| self.usual(source));
        let usual = known.max_by_key(|usual| matches!(usual.values, ColumnValues::Keys(_)));
        let varied = members.iter().any(|path| self.constraints.varied.contains(&path.source));
        // A key that must have no partner is told from those of other groups that HAVING counts.
        let is_tested = |path: &ValuePath| self.constraints.absent.contains(&path.source.scan);
        let is_alone = self.constraints.group_size > 1 && members.iter().any(is_tested);
        let distinct = varied || is_alone || !options.shared_values;
        let context = ValueContext { name, row: 0, group, day: &self.day, level, distinct, usual };
        let mut requirements = strongest(members.iter().flat_map(|path| self.requirements_of(path)));
        let alternative = whole_columns()
            .find_map(|source| self.alternative(source, group + options.rotation))
            .filter(|constraint| constraint.predicate != Predicate::Null);
        requirements.extend(
            alternative
                .map(|constraint| Requirement { steps: &constraint.steps, predicate: Some(&constraint.predicate) }),
        );
        self.in_form(make(&data_type, &requirements, &context), class, group)
    }

    /// Brings a joined value into the letter case and the length in which it is compared.
    fn in_form(&self, value: Value, class: usize, group: usize) -> Value {
        let members = &self.classes.members[class];
        let Value::Text(mut text) = value else { return value };
        let length = members.iter().filter_map(|path| match path.steps.last() {
            Some(PathStep::Slice(_, length)) => Some(*length),
            _ => None,
        });
        if let Some(length) = length.min().filter(|length| *length < text.chars().count()) {
            let initial: String = text.chars().take(1).collect();
            let number = format!("{initial}{:0width$}", 10 + group, width = length.saturating_sub(1));
            text = number.chars().take(length).collect();
        }
        match members.iter().find_map(|path| self.constraints.letter_case.get(path)) {
            Some(PathStep::Lower) => Value::Text(text.to_lowercase()),
            Some(_) => Value::Text(text.to_uppercase()),
            None => Value::Text(text),
        }
    }

    /// Returns what is asked of a path: the predicates and forms of its column that lie beyond its steps.
    fn requirements_of(&self, path: &ValuePath) -> Vec<Requirement<'_>> {
        let depth = path.steps.len();
        let required = self.constraints.required.get(&path.source).into_iter().flatten();
        let predicates = required.filter(|constraint| constraint.steps.starts_with(&path.steps)).map(|constraint| {
            Requirement { steps: &constraint.steps[depth..], predicate: Some(&constraint.predicate) }
        });
        let forms = self.constraints.forms.get(&path.source).into_iter().flatten();
        let forms = forms
            .filter(|steps| steps.len() > depth && steps.starts_with(&path.steps))
            .map(|steps| Requirement { steps: &steps[depth..], predicate: None });
        predicates.chain(forms).collect()
    }

    /// Returns how much is asked of a column; predicates weigh more than forms.
    fn demands(&self, source: ScanColumn) -> usize {
        let required = self.constraints.required.get(&source).map_or(0, Vec::len);
        required * 10 + self.constraints.forms.get(&source).map_or(0, |forms| forms.len())
    }

    pub(super) fn definition(&self, source: ScanColumn) -> Option<&TableColumn> {
        self.schema.table(&self.lineage.scans[source.scan].table)?.columns.get(source.column)
    }

    /// Makes the value of a column that is in no class as a whole, with the values of classes put in place inside it.
    fn free_value(
        &self,
        definition: &TableColumn,
        source: ScanColumn,
        context: &ValueContext<'_>,
        position: RowPosition,
        options: GeneratorOptions,
    ) -> Value {
        let inner = self.classes.paths_by_column.get(&source).into_iter().flatten();
        let keys: Vec<(&[PathStep], Predicate)> = inner
            .map(|(steps, class)| (steps.as_slice(), self.class_value(*class, position, options)))
            .map(|(steps, value)| (steps, Predicate::Compare(BinaryOperator::Equal, value)))
            .collect();
        let mut requirements = self.requirements_of(&ValuePath { source, steps: Vec::new() });
        requirements.retain(|requirement| {
            requirement.predicate.is_none() || !keys.iter().any(|(steps, _)| *steps == requirement.steps)
        });
        requirements.extend(keys.iter().map(|(steps, predicate)| Requirement { steps, predicate: Some(predicate) }));
        let turn = match (options.one_alternative, options.shared_values) {
            (true, true) => self.first_sharing(position.group),
            (true, false) => position.group,
            (false, _) => context.group + context.row,
        };
        let alternative = self.alternative(source, turn + options.rotation);
        let alternative = alternative.filter(|constraint| !keys.iter().any(|(steps, _)| *steps == constraint.steps));
        requirements.extend(
            alternative
                .map(|constraint| Requirement { steps: &constraint.steps, predicate: Some(&constraint.predicate) }),
        );
        make(&definition.data_type, &requirements, context)
    }

    /// Returns the alternative that this rotation takes for a column; one rotation in `n + 1` takes none.
    pub(super) fn alternative(&self, source: ScanColumn, rotation: usize) -> Option<&Constraint> {
        let alternatives: Vec<&Constraint> = self
            .constraints
            .alternatives
            .iter()
            .filter(|(at, _)| *at == source)
            .map(|(_, constraint)| constraint)
            .collect();
        alternatives.get(rotation % (alternatives.len() + 1)).copied()
    }
}
