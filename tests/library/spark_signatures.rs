//! The function catalogue against what Spark says of calls with arguments of every type.

use sqlfault::code::functions::lookup;
use sqlfault::code::schema::read_type;
use sqlfault::code::types::Type;

const REFUSED: &str = "REFUSED";

/// What the catalogue says of a call: its type, or that Spark refuses it.
fn told(name: &str, arguments: &[Type]) -> String {
    let function = lookup(name).unwrap_or_else(|| panic!("{name} is not in the catalogue"));
    let taken = arguments.iter().enumerate().all(|(at, given)| function.argument(at).accepts(given));
    if taken { function.return_type(arguments).to_string() } else { REFUSED.to_owned() }
}

fn types(text: &str) -> Vec<Type> {
    text.split(';').map(|text| read_type(text).unwrap_or_else(|_| panic!("{text}"))).collect()
}

/// `(call, what Spark says, what the catalogue says)` for every recorded call.
fn answers() -> Vec<(String, String, String)> {
    let mut answers = Vec::new();
    for line in include_str!("../data/spark_signatures.tsv").lines().skip(1) {
        let [name, pattern, cases]: [&str; 3] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        for case in cases.split('|') {
            let (given, expected) = case.split_once('=').unwrap();
            let arguments = pattern.replace('*', given);
            let found = told(name, &types(&arguments));
            answers.push((format!("{name}({arguments})"), expected.to_owned(), found));
        }
    }
    answers
}

fn listed(answers: &[(String, String, String)], of: impl Fn(&str, &str) -> bool) -> Vec<String> {
    let differing = answers.iter().filter(|(_, expected, found)| expected != found && of(expected, found));
    differing.map(|(call, expected, found)| format!("{call}: Spark says {expected}, we say {found}")).collect()
}

#[test]
fn calls_are_taken_and_typed_as_spark_does() {
    let answers = answers();
    assert!(answers.len() > 5000);
    let refused = listed(&answers, |_, found| found == REFUSED);
    assert!(refused.is_empty(), "refused though Spark takes them:\n{}", refused.join("\n"));
    let typed = listed(&answers, |expected, found| expected != REFUSED && !found.contains("UNKNOWN"));
    assert!(typed.is_empty(), "typed otherwise than by Spark:\n{}", typed.join("\n"));
}

#[test]
fn at_most_one_call_in_fifty_is_taken_though_spark_refuses_it() {
    let answers = answers();
    let taken = listed(&answers, |expected, _| expected == REFUSED);
    assert!(taken.len() * 50 <= answers.len(), "{} of {}:\n{}", taken.len(), answers.len(), taken.join("\n"));
}

#[test]
fn the_type_of_at_most_one_call_in_twenty_is_unknown() {
    let answers = answers();
    let unknown = listed(&answers, |_, found| found.contains("UNKNOWN"));
    assert!(unknown.len() * 20 <= answers.len(), "{} of {}:\n{}", unknown.len(), answers.len(), unknown.join("\n"));
}
