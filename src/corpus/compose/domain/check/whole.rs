//! Checks of the model as a whole: enough of everything, and names that refer to something.

use super::checker::ModelChecker;
use crate::code::schema::read_type;
use crate::corpus::compose::domain::column::Role;
use crate::corpus::compose::domain::model::{Domain, TableKind};
use crate::corpus::compose::domain::question::{ANALYSES, STORIES};

/// Least tables of each kind in a model.
const LEAST: [(TableKind, usize); 10] = [
    (TableKind::Event, 3),
    (TableKind::Snapshot, 1),
    (TableKind::History, 1),
    (TableKind::Dimension, 2),
    (TableKind::Rate, 1),
    (TableKind::CodeList, 1),
    (TableKind::Link, 1),
    (TableKind::Calendar, 1),
    (TableKind::Plan, 1),
    (TableKind::Exclusion, 1),
];
/// Least questions of a model.
const QUESTIONS: usize = 6;
/// Least columns with `confused` in a model.
const CONFUSED: usize = 6;
/// Least rules, and least figures with two forms, in a model.
const TWO_FORMS: usize = 6;

pub(super) fn check(checker: &mut ModelChecker<'_>) {
    let domain = checker.domain;
    checker.name("domain", &domain.domain);
    checker.name("prefix", &domain.prefix);
    checker.expect((2..=5).contains(&domain.prefix.len()), "prefix", || "two to five letters".to_owned());
    checker.expect(domain.teams.len() >= 3, "teams", || "three or more teams".to_owned());
    checker.expect(domain.readers.len() >= 3, "readers", || "three or more readers".to_owned());
    enough(checker, domain);
    for (name, entity) in domain.entities.iter() {
        let at = format!("entities.{name}");
        checker.name(&at, name);
        checker.words(&at, &entity.one);
        checker.words(&at, &entity.many);
        checker.expect(read_type(&entity.kind).is_ok(), &at, || format!("`{}` is not a type", entity.kind));
        checker.expect(entity.looks.len() >= 2, &at, || "two or more keys as they look".to_owned());
    }
    questions(checker, domain);
    comparisons(checker, domain);
    funnels(checker, domain);
}

fn enough(checker: &mut ModelChecker<'_>, domain: &Domain) {
    checker.expect(domain.entities.len() >= 4, "entities", || "four or more entities".to_owned());
    for (kind, least) in LEAST {
        let count = domain.tables.iter().filter(|(_, table)| table.kind == kind).count();
        checker.expect(count >= least, "tables", || format!("{least} or more tables of kind {kind:?}, not {count}"));
    }
    checker.expect(domain.tables.len() <= 18, "tables", || "eighteen tables at most".to_owned());
    let columns = || domain.tables.iter().flat_map(|(_, table)| table.columns.iter());
    let confused = columns().filter(|(_, column)| !column.confused.is_empty()).count();
    checker.expect(confused >= CONFUSED, "tables", || format!("{CONFUSED} or more columns with `confused`"));
    let rules: usize = domain.tables.iter().map(|(_, table)| table.rules.len()).sum();
    checker.expect(rules >= TWO_FORMS, "tables", || format!("{TWO_FORMS} or more `rules`"));
    let figures = domain.tables.iter().flat_map(|(_, table)| table.figures.iter());
    let two = figures.filter(|(_, figure)| figure.otherwise.is_some()).count();
    checker.expect(two >= TWO_FORMS, "tables", || format!("{TWO_FORMS} or more figures with `otherwise`"));
    for role in [Role::List, Role::Map, Role::Json, Role::Status, Role::Flag, Role::Quantity, Role::Amount] {
        checker.expect(columns().any(|(_, column)| column.role == role), "tables", || {
            format!("a column with role {role:?}")
        });
    }
}

fn questions<'a>(checker: &mut ModelChecker<'a>, domain: &'a Domain) {
    checker.expect(domain.questions.len() >= QUESTIONS, "questions", || format!("{QUESTIONS} or more questions"));
    for (name, question) in domain.questions.iter() {
        let at = format!("questions.{name}");
        for words in [&question.title, &question.reader, &question.purpose] {
            checker.words(&at, words);
        }
        checker.expect(domain.entities.has(&question.subject), &at, || {
            format!("its subject `{}` is not an entity", question.subject)
        });
        checker.expect(question.facts.len() >= 2, &at, || "two or more facts".to_owned());
        known(checker, &at, "answer", &question.answers, &ANALYSES);
        known(checker, &at, "story", &question.stories, &STORIES);
        for figure in &question.figures {
            checker.figure(&at, figure, false);
            let table = figure.split('.').next().unwrap_or_default();
            let is_fact = question.facts.iter().any(|fact| fact == table);
            checker.expect(is_fact, &at, || format!("`{figure}` is a figure of none of its facts"));
        }
        for fact in &question.facts {
            checker.expect(reaches(domain, fact, &question.subject), &at, || {
                format!(
                    "`{fact}` is not an event or snapshot that refers to `{}`, itself or by a dimension",
                    question.subject
                )
            });
        }
    }
}

/// Notes a problem for each of `names` that is none of `all`.
fn known(checker: &mut ModelChecker<'_>, at: &str, what: &str, names: &[String], all: &[&str]) {
    for name in names {
        checker.expect(all.contains(&name.as_str()), at, || {
            format!("there is no {what} `{name}`; there are {}", all.join(", "))
        });
    }
}

/// Whether rows of a table belong to one `subject`: by a column of their own, or by one of a dimension they refer to.
pub(super) fn reaches(domain: &Domain, table: &str, subject: &str) -> bool {
    let Some(table) =
        domain.tables.get(table).filter(|table| matches!(table.kind, TableKind::Event | TableKind::Snapshot))
    else {
        return false;
    };
    let entities = || table.columns.iter().filter_map(|(_, column)| column.entity.as_deref());
    let dimension = |entity: &str| {
        let dimensions =
            domain.tables.iter().map(|(_, table)| table).filter(|table| table.kind == TableKind::Dimension);
        dimensions
            .filter(move |table| table.entity.as_deref() == Some(entity))
            .any(|table| table.columns.iter().any(|(_, column)| column.entity.as_deref() == Some(subject)))
    };
    entities().any(|entity| entity == subject) || entities().any(dimension)
}

fn comparisons<'a>(checker: &mut ModelChecker<'a>, domain: &'a Domain) {
    for (name, ratio) in domain.ratios.iter() {
        let at = format!("ratios.{name}");
        checker.name(&at, name);
        checker.words(&at, &ratio.words);
        checker.figure(&at, &ratio.top, true);
        checker.figure(&at, &ratio.bottom, true);
    }
    for (name, similar) in domain.similar.iter() {
        let at = format!("similar.{name}");
        checker.expect(similar.tables.len() >= 2, &at, || "two or more tables".to_owned());
        let mut names: Vec<Vec<&str>> = Vec::new();
        for (table_name, columns) in similar.tables.iter() {
            names.push(columns.names().collect());
            checker.expect(similar.marks.has(table_name), &at, || format!("`{table_name}` has no mark"));
            let Some(table) = domain.tables.get(table_name) else {
                checker.wrong(&at, format!("there is no table `{table_name}`"));
                continue;
            };
            for (_, source) in columns.iter().filter(|(_, source)| !table.columns.has(source)) {
                checker.sql(&at, table, source);
            }
        }
        let alike = names.windows(2).all(|pair| pair[0] == pair[1]);
        checker.expect(alike, &at, || "its tables give the same names in the same order".to_owned());
    }
    for (name, reconciliation) in domain.mirrors.iter() {
        let at = format!("mirrors.{name}");
        checker.words(&at, &reconciliation.words);
        checker.figure(&at, &reconciliation.left, false);
        checker.figure(&at, &reconciliation.right, false);
        let sides = [checker.split(&at, &reconciliation.left), checker.split(&at, &reconciliation.right)];
        if let [Some((left, _)), Some((right, _))] = sides {
            let there =
                reconciliation.r#match.iter().all(|(here, other)| left.columns.has(here) && right.columns.has(other));
            checker.expect(there && !reconciliation.r#match.is_empty(), &at, || {
                "`match` names columns of both".to_owned()
            });
        }
    }
}

fn funnels(checker: &mut ModelChecker<'_>, domain: &Domain) {
    for (name, funnel) in domain.funnels.iter() {
        let at = format!("funnels.{name}");
        checker.words(&at, &funnel.words);
        checker.expect(domain.entities.has(&funnel.entity), &at, || format!("no entity `{}`", funnel.entity));
        checker.expect(funnel.steps.len() >= 3, &at, || "three or more steps".to_owned());
        for (step_name, step) in funnel.steps.iter() {
            let at = format!("{at}.steps.{step_name}");
            let Some(table) = domain.tables.get(&step.table).filter(|table| table.kind == TableKind::Event) else {
                checker.wrong(&at, format!("`{}` is not an event", step.table));
                continue;
            };
            let refers = table.columns.get(&step.entity).and_then(|column| column.entity.as_ref());
            checker.expect(refers == Some(&funnel.entity), &at, || {
                format!("`{}` is not a column that refers to `{}`", step.entity, funnel.entity)
            });
            let time = table.columns.get(&step.time).is_some_and(|column| column.role == Role::Time);
            checker.expect(time, &at, || format!("`{}` is not a time of the table", step.time));
            if let Some(when) = &step.when {
                checker.sql(&at, table, when);
            }
        }
    }
}
