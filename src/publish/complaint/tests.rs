use proptest::prelude::*;

use super::test_cases::{Case, cases, example, facts, intent};
use super::*;
use crate::corpus::Dictionary;
use crate::corpus::dictionary::TableEntry;
use crate::publish::difference::{Besides, Deviation, ExampleRow, RowKind, Symptom};
use crate::publish::template::Template;

/// The phrases for a script whose tables have words.
fn book() -> PhraseBook {
    let tables = BTreeMap::from([("t".to_owned(), TableEntry::default())]);
    PhraseBook::built_in().unwrap().naming(&Dictionary { tables, ..Dictionary::default() })
}

#[test]
fn names_that_nothing_puts_into_words_stand_as_they_are() {
    let facts = facts("dws_shop_1d", Symptom::MissingRows, (5, 4), example(&[("shop_id", "7")], None));
    let book = PhraseBook::built_in().unwrap();
    for id in 0..200 {
        let case = Case { title: "dws_shop_1d", facts: facts.clone(), intent: intent("all shops are listed") };
        let text = Complaint::compose(&book, &request(&case, &id.to_string()), 0).unwrap().text;
        let result = Facts { table: "result".to_owned(), ..facts.clone() };
        let case = Case { title: "dws_shop_1d", facts: result, intent: intent("all shops are listed") };
        let of_result = Complaint::compose(&book, &request(&case, &id.to_string()), 0).unwrap().text;
        assert!(!of_result.starts_with("the result") && !of_result.contains(". the result"), "{of_result}");
        assert!(text.contains("shop_id 7") && !text.contains("Shop_id"), "{text}");
        assert!(!text.contains("report dws") && !text.contains("dws_shop_1d report"), "{text}");
        assert!(
            text.starts_with(|first: char| first.is_uppercase())
                || text.starts_with("shop_id")
                || text.starts_with("dws_"),
            "{text}"
        );
    }
}

fn request<'a>(case: &'a Case, instance_id: &'a str) -> ComplaintInput<'a> {
    ComplaintInput {
        instance_id,
        title: case.title,
        facts: &case.facts,
        intents: std::slice::from_ref(&case.intent),
        faults: 1,
        hints: HintLevel::Rule,
    }
}

#[test]
fn twelve_complaints_read_as_a_user_would_write_them() {
    let book = book();
    let cases = cases();
    let ids: Vec<String> = (0..cases.len()).map(|index| format!("sample-{index}")).collect();
    let complaint = |(case, id): (&Case, &String)| Complaint::compose(&book, &request(case, id), 0).unwrap().text;
    let texts: Vec<String> = cases.iter().zip(&ids).map(complaint).collect();
    insta::assert_snapshot!(texts.join("\n\n"));
}

#[test]
fn every_symptom_has_ten_phrasings() {
    let book = book();
    for symptom in Symptom::ALL {
        let phrasings: usize = Register::ALL.iter().map(|register| book.phrases(symptom.name(), *register).len()).sum();
        assert!(phrasings >= 10, "{symptom:?} has {phrasings}");
    }
}

#[test]
fn every_phrase_needs_only_facts_that_some_case_has() {
    let book = book();
    let kinds = [None, Some(1), Some(2)];
    let kinds = kinds.map(|values| values.map(|values| RowKind { column: "shop".to_owned(), values }));
    let with_kind =
        |case: Case| kinds.clone().map(|kind| Case { facts: Facts { kind, ..case.facts.clone() }, ..case.clone() });
    let with_besides = |case: Case| {
        Besides::ALL
            .map(|besides| Case { facts: Facts { besides: Some(besides), ..case.facts.clone() }, ..case.clone() })
    };
    let known: BTreeSet<String> = cases()
        .into_iter()
        .flat_map(with_kind)
        .flat_map(with_besides)
        .flat_map(|case| variables(book.vocabulary(), &request(&case, "x"), false).into_keys())
        .collect();
    let parts =
        Symptom::ALL.map(Symptom::name).into_iter().chain(["opening", "intent", "closing", "detail", "besides"]);
    for (part, register) in parts.flat_map(|part| Register::ALL.map(|register| (part, register))) {
        for phrase in book.phrases(part, register) {
            assert!(phrase.needs().is_subset(&known), "{part}: {}", phrase.text());
        }
    }
}

#[test]
fn a_complaint_without_example_still_says_what_is_wrong_and_wanted() {
    let book = book();
    for case in cases() {
        let bare = Facts { example: None, total: None, ..case.facts.clone() };
        let case = Case { facts: bare, ..case };
        for id in ["a", "b", "c", "d", "e", "f"] {
            let text = Complaint::compose(&book, &request(&case, id), 0).unwrap().text;
            assert!(text.to_lowercase().contains(&case.intent.rule.to_lowercase()), "{text}");
        }
    }
}

#[test]
fn a_complaint_says_how_many_faults_there_are_if_there_are_several() {
    let book = book();
    let cases = cases();
    for id in ["a", "b", "c", "d", "e", "f"] {
        for (faults, number) in [(1, None), (2, Some("two")), (4, Some("four")), (12, Some("12"))] {
            let request = ComplaintInput { faults, hints: HintLevel::Symptom, ..request(&cases[0], id) };
            let complaint = Complaint::compose(&book, &request, 0).unwrap();
            let said = complaint.said.contains("faults").then_some(complaint.text.to_lowercase());
            assert_eq!(said.is_some(), number.is_some());
            assert!(said.is_none_or(|text| number.is_some_and(|number| text.contains(number))));
        }
    }
}

#[test]
fn a_blank_cell_is_not_told_as_missing_rows() {
    let book = book();
    let cell = example(&[("shop", "7")], Some(("city", "Lyon", "empty")));
    let facts = facts("shops", Symptom::NullOrEmpty, (30, 29), cell);
    let case = Case { title: "Shops of a country", facts, intent: intent("each shop has a city") };
    for id in 0..200 {
        let complaint = Complaint::compose(&book, &request(&case, &id.to_string()), 0).unwrap();
        assert!(complaint.text.contains("Lyon"), "{}", complaint.text);
    }
}

#[test]
fn complaints_of_all_cases_pass_the_leak_check() {
    use crate::code::edit::Edits;
    use crate::publish::leak::{Secrets, leaks};
    let book = book();
    let repair = Edits::new(Vec::new()).unwrap();
    let secrets = Secrets { fault: "a/b", operator: "a_b", issue_sql: "", repair: &repair, cites_names: false };
    for case in cases() {
        for id in 0..200 {
            let complaint = Complaint::compose(&book, &request(&case, &id.to_string()), 0).unwrap();
            assert_eq!(leaks(&complaint.text, &complaint.quoted, &secrets), [], "{}", complaint.text);
        }
    }
}

#[test]
fn hints_say_how_much_is_told() {
    let book = book();
    let kinds = [1, 2].map(|values| Some(RowKind { column: "shop".to_owned(), values }));
    let others = ["orders report".to_owned()];
    let more = |case: Case| {
        let with = |kind: Option<RowKind>| Facts { kind, others: others.to_vec(), ..case.facts.clone() };
        let same = |facts: Facts| Facts { others_symptom: Some(facts.symptom), ..facts };
        let facts = [case.facts.clone(), with(kinds[0].clone()), same(with(kinds[1].clone()))];
        facts.map(|facts| Case { facts, ..case.clone() })
    };
    for case in cases().into_iter().flat_map(more) {
        let told = |hints| Complaint::compose(&book, &ComplaintInput { hints, ..request(&case, "task") }, 0).unwrap();
        let [rule, figures, symptom] = [HintLevel::Rule, HintLevel::Figures, HintLevel::Symptom].map(told);
        assert!(rule.text.contains(&case.intent.rule) && !figures.text.contains(&case.intent.rule), "{}", figures.text);
        let named = ["report", "title"].into_iter().chain(SYMPTOM_VARIABLES);
        let named: BTreeSet<String> = named.map(str::to_owned).collect();
        assert!(symptom.said.is_subset(&named) && !figures.said.is_subset(&named), "{}", symptom.text);
    }
}

#[test]
fn mixed_hints_tell_no_rule_without_need() {
    let shares = |level| (0..1000).filter(|draw| Hints::Mixed.level(f64::from(*draw) / 1000.0) == level).count();
    assert_eq!([HintLevel::Symptom, HintLevel::Figures, HintLevel::Rule].map(shares), [500, 500, 0]);
    let levels: Vec<HintLevel> = HintLevel::Figures.and_more().collect();
    assert_eq!(levels, [HintLevel::Figures, HintLevel::Rule]);
}

/// The book for a script with these reports.
fn book_of_reports(titles: &[&str]) -> PhraseBook {
    let tables = BTreeMap::from([("t".to_owned(), TableEntry::default())]);
    let reports = titles.iter().map(|title| (title.to_lowercase(), (*title).to_owned())).collect();
    PhraseBook::built_in().unwrap().naming(&Dictionary { tables, reports, ..Dictionary::default() })
}

#[test]
fn a_title_of_several_things_is_what_a_report_is_about() {
    let titles = ["Sales by shop", "Posts against shops", "Open differences", "Changes in claim reserves over 7 days"];
    let book = book_of_reports(&titles);
    let said = titles.map(|title| book.vocabulary().filled_table(&title.to_lowercase()));
    let wanted = ["sales by shop report", "report on posts against shops", "list of open differences"];
    assert_eq!(said, [&wanted[..], &["7-day claim reserve changes report"]].concat()[..]);
}

#[test]
fn a_figure_that_is_too_high_should_be_lower() {
    let book = book();
    for (deviation, words) in [(Deviation::TooHigh, ["too high", "lower"]), (Deviation::TooLow, ["too low", "higher"])]
    {
        let mut row = example(&[("shop", "12")], Some(("sales", "5", "7")));
        row.cell.as_mut().unwrap().deviation = Some(deviation);
        let variables = facts("sales", Symptom::WrongValue, (3, 3), row).variables(book.vocabulary(), false);
        assert_eq!(["deviation", "correction"].map(|name| variables[name].as_str()), words);
    }
}

#[test]
fn one_of_several_reports_is_named_once_and_without_quotes() {
    let book = book_of_reports(&["Bin lifts by zone: revenue view", "Site throughput"]);
    let vocabulary = book.vocabulary();
    let table = "bin lifts by zone: revenue view";
    let cases = cases();
    for (number, case) in cases.iter().cycle().take(400).enumerate() {
        let (name, title) = (vocabulary.filled_table(table), vocabulary.title(table).cloned());
        let facts = Facts { table: name, title, ..case.facts.clone() };
        for hints in [HintLevel::Symptom, HintLevel::Figures] {
            let id = number.to_string();
            let request =
                ComplaintInput { instance_id: &id, title: "x", facts: &facts, intents: &[], faults: 1, hints };
            let text = Complaint::compose(&book, &request, 0).unwrap().text;
            assert_eq!(text.to_lowercase().matches("bin lifts").count(), 1, "{text}");
            assert!(!text.contains('"') && !text.contains("revenue view"), "{text}");
        }
    }
}

#[test]
fn most_complaints_have_no_greeting_and_no_plea() {
    let book = book_of_reports(&["Site throughput"]);
    let (cases, mut openings_of, mut ended) = (cases(), BTreeMap::<_, Vec<bool>>::new(), 0);
    for number in 0..600 {
        let at = number % cases.len();
        let wording = Complaint::compose(&book, &request(&cases[at], &number.to_string()), 0).unwrap().wording;
        let register = wording.split(' ').next().unwrap().to_owned();
        openings_of.entry((at, register)).or_default().push(wording.contains("opening:"));
        ended += usize::from(wording.contains("closing:"));
    }
    let shape = book.shape();
    // Where no sentence that may follow names the report, every complaint begins by naming it, whatever is drawn.
    let drawn: Vec<bool> = openings_of.into_values().filter(|begun| begun.contains(&false)).flatten().collect();
    let begun = drawn.iter().filter(|begun| **begun).count();
    let wanted = drawn.len() * (shape.naming + shape.plain) / 100;
    assert!(drawn.len() > 400 && begun.abs_diff(wanted) < 60, "{begun} of {} have an opening", drawn.len());
    assert!(ended.abs_diff(6 * shape.closing) < 60, "{ended} of 600 end with a plea");
    let openings = Register::ALL.map(|register| book.phrases("opening", register).len());
    assert!(openings.iter().sum::<usize>() >= 60, "{openings:?}");
}

#[test]
fn no_part_begins_with_the_words_of_one_before() {
    let book = book();
    let mut pleas = 0;
    for case in cases() {
        for id in 0..400 {
            let text = Complaint::compose(&book, &request(&case, &id.to_string()), 0).unwrap().text.to_lowercase();
            let found = text.matches("please check").count();
            assert!(found < 2, "{text}");
            pleas += found;
        }
    }
    assert!(pleas > 20, "{pleas} complaints ask for a check");
}

#[test]
fn one_of_several_rows_is_told_as_an_example() {
    let book = book();
    for symptom in [Symptom::MissingRows, Symptom::ExtraRows, Symptom::Duplicates, Symptom::SplitRows] {
        let row = ExampleRow { times: 2, ..example(&[("stop", "ST-17")], None) };
        let facts = facts("stops", symptom, (9, 9), row);
        let count = |rows| match symptom {
            Symptom::MissingRows => Facts { missing: rows, ..facts.clone() },
            Symptom::ExtraRows => Facts { extra: rows, ..facts.clone() },
            _ => Facts { duplicated: rows, ..facts.clone() },
        };
        let known = |rows| count(rows).variables(book.vocabulary(), false);
        assert!(known(1).contains_key("key") && !known(1).contains_key("example"), "{symptom:?}");
        assert!(known(3).contains_key("example") && !known(3).contains_key("key"), "{symptom:?}");
        for id in 0..60 {
            let case = Case { title: "Stops of a day", facts: count(3), intent: intent("x") };
            let input = ComplaintInput { hints: HintLevel::Figures, intents: &[], ..request(&case, "") };
            let id = id.to_string();
            let complaint = Complaint::compose(&book, &ComplaintInput { instance_id: &id, ..input }, 0).unwrap();
            assert!(complaint.said.contains("example"), "{}", complaint.text);
        }
    }
}

#[test]
fn a_row_is_named_by_values_alone_only_where_these_look_like_names() {
    let book = book();
    for (values, brief) in [(&["M-1104"][..], "M-1104"), (&["SH-24", "V-2277"], "SH-24 / V-2277"), (&["7"], "a 7")] {
        let key: Vec<(&str, &str)> = ["a", "b"].into_iter().zip(values.iter().copied()).collect();
        let facts = facts("stops", Symptom::MissingRows, (5, 4), example(&key, None));
        assert_eq!(facts.variables(book.vocabulary(), true)["key"], brief.to_owned());
    }
}

#[test]
fn a_title_of_one_word_is_not_said() {
    let book = book();
    let case = Case { title: "exec", ..cases().remove(0) };
    for id in 0..40 {
        let text = Complaint::compose(&book, &request(&case, &id.to_string()), 0).unwrap().text;
        assert!(!text.contains("exec"), "{text}");
    }
}

/// The files of a templates folder, with the user's rules beside them.
#[test]
fn every_fault_has_ten_phrasings_made_of_parts() {
    use crate::fault::{RULE_VARIABLES, Taxonomy, Track};
    let taxonomy = Taxonomy::embedded().unwrap();
    let book = book();
    let cases = cases();
    let known = RULE_VARIABLES.iter().map(|name| ((*name).to_owned(), (*name).to_owned())).collect();
    for (_, fault) in taxonomy.by_id().filter(|(_, fault)| fault.track == Track::Semantic) {
        let rules: Vec<String> =
            fault.rule.all().map(|wording| Template::read(wording).unwrap().fill(&known).unwrap()).collect();
        let mut intents = BTreeSet::new();
        let mut wholes = BTreeSet::new();
        for attempt in 0..60 {
            let rule = &rules[attempt % rules.len()];
            let case = &cases[attempt % cases.len()];
            let case = Case { intent: intent(rule), title: case.title, facts: case.facts.clone() };
            let id = format!("{}-{attempt}", fault.id);
            let complaint = Complaint::compose(&book, &request(&case, &id), 0).unwrap();
            let said = complaint.wording.split(' ').find(|part| part.starts_with("intent:")).map(str::to_owned);
            intents.insert((rule.clone(), complaint.register, said));
            wholes.insert(complaint.wording);
        }
        assert!(intents.len() >= 10 && wholes.len() >= 10, "{}: {} and {}", fault.id, intents.len(), wholes.len());
    }
}

proptest! {
    #[test]
    fn the_same_id_gives_the_same_words(id in "[0-9a-f]{8}", index in 0usize..12, attempt in 0u32..4) {
        let case = cases().swap_remove(index);
        let book = book();
        let first = Complaint::compose(&book, &request(&case, &id), attempt).unwrap();
        prop_assert_eq!(&first, &Complaint::compose(&book, &request(&case, &id), attempt).unwrap());
    }
}
