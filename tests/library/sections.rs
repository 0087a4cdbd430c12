//! Translating a changed section of a script alone gives what translating the whole script gives.
#![expect(clippy::print_stdout, reason = "the share of mutants that take the short way is a finding")]

use std::collections::HashMap;

use sqlfault::code::scope::ResolvedScript;
use sqlfault::corpus::{Reference, embedded};
use sqlfault::engine::spark_rules::judge;
use sqlfault::engine::sqlite::{ReadingContext, Sections, Sqlite, Translation};
use sqlfault::fault::{Taxonomy, Track};
use sqlfault::inject::{Mutant, ScriptContext, propose};

/// Sites that are tested of each fault in each script.
const OF_EACH: usize = 1;

/// The queries with their generated names (`r5`, `w12`) numbered in order of appearance.
fn renumbered(translation: &Translation) -> Vec<String> {
    translation.queries().map(renumbered_query).collect()
}

fn renumbered_query(sql: &str) -> String {
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut written = String::new();
    let mut rest = sql;
    while let Some(first) = rest.chars().next() {
        let end = match first {
            '\'' | '"' => 1 + rest[1..].find(first).expect("quotes are closed") + 1,
            _ if first.is_alphanumeric() || first == '_' => {
                rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
            }
            _ => first.len_utf8(),
        };
        let (word, behind) = rest.split_at(end);
        let made = word.starts_with(|c: char| "rwgsxlf".contains(c)) && word[1..].parse::<usize>().is_ok();
        if made {
            let next = numbers.len();
            written.push_str(&word[..1]);
            written.push_str(&numbers.entry(word).or_insert(next).to_string());
        } else {
            written.push_str(word);
        }
        rest = behind;
    }
    written
}

/// Translates a changed script as a whole; `None` if it is refused or cannot be run.
fn whole(reference: &Reference, text: &str) -> Option<Translation> {
    let ResolvedScript { script, scopes } =
        ResolvedScript::new(reference.parameters.bind(text).ok()?, &reference.schema);
    if judge(&script, &scopes, &reference.schema).is_some() {
        return None;
    }
    Sqlite::translate(&script, &scopes, &reference.schema, &reference.parameters).ok()
}

fn mutants<'a>(reference: &'a Reference, taxonomy: &'a Taxonomy) -> impl Iterator<Item = Mutant> + 'a {
    let scopes = reference.scopes();
    taxonomy.faults().iter().flat_map(move |fault| {
        let context = ScriptContext::new(&reference.script, &scopes, &reference.schema);
        let proposals = fault.operator().map(|operator| propose(&context, operator)).unwrap_or_default();
        let mutant = |proposal| Mutant::new(&reference.id, &reference.key(), &fault.id, proposal);
        proposals.iter().take(OF_EACH).map(mutant).collect::<Vec<_>>()
    })
}

#[test]
fn the_short_way_says_what_the_long_way_says() {
    let taxonomy = Taxonomy::embedded().unwrap();
    let semantic = |mutant: &Mutant| taxonomy.fault(&mutant.fault).is_some_and(|fault| fault.track == Track::Semantic);
    let (mut short, mut long, mut refused) = (0, 0, 0);
    for reference in embedded().into_iter().map(|reference| reference.expect("a reference reads")) {
        let original = reference.script.text();
        let ResolvedScript { script: bound, scopes } =
            ResolvedScript::new(reference.parameters.bind(original).unwrap(), &reference.schema);
        let setting = ReadingContext { schema: &reference.schema, parameters: &reference.parameters };
        let sections = Sections::new(&reference.script, &bound, &scopes, setting);
        for mutant in mutants(&reference, &taxonomy) {
            let text = mutant.text(original).unwrap();
            let reread = sections.reread(&text, mutant.changed(original), setting);
            let Some(translation) = whole(&reference, &text) else {
                refused += 1;
                assert!(reread.is_none(), "{} {} is refused, but not alone:\n{text}", reference.id, mutant.fault);
                continue;
            };
            match reread {
                Some(reread) => {
                    short += usize::from(semantic(&mutant));
                    assert_eq!(renumbered(&reread), renumbered(&translation), "{} {}", reference.id, mutant.fault);
                    assert!(reread.columns().eq(translation.columns()), "{} {}", reference.id, mutant.fault);
                }
                None => long += usize::from(semantic(&mutant)),
            }
        }
    }
    println!("the short way for {short} of {} semantic mutants; {refused} mutants are refused", short + long);
    assert!(short > 9 * long, "the short way is for most mutants: {short} against {long}");
}
