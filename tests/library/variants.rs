//! Variants of the embedded references, taken as a private folder: nothing of them is left.

use std::collections::{BTreeMap, BTreeSet};

use sqlfault::code::functions::lookup;
use sqlfault::code::schema::read_type;
use sqlfault::code::scope::Scopes;
use sqlfault::code::script::Script;
use sqlfault::code::token::TokenKind;
use sqlfault::corpus::{Reference, embedded};
use sqlfault::score::graph_match;
use sqlfault::variant::{FolderVariant, Variants};

/// Words that are the language's as well as names of some reference: units, fields of dates and parts of types.
const LANGUAGE: [&str; 9] = ["year", "month", "day", "hour", "minute", "week", "all", "timestamp", "cube"];

/// The names that a reference defines: its tables and columns, and what its queries call relations and outputs.
fn names(reference: &Reference) -> BTreeSet<String> {
    let scopes = reference.scopes();
    let tables = reference.schema.tables.iter();
    let schema = tables.flat_map(|table| {
        let parts = table.name.split('.').map(str::to_owned);
        parts.chain(table.columns.iter().map(|column| column.name.clone())).collect::<Vec<_>>()
    });
    let relations = scopes.relations().flat_map(|(_, relation)| {
        let columns = relation.columns.iter().map(|column| column.name.clone());
        columns.chain([relation.name.clone()]).collect::<Vec<_>>()
    });
    let is_own = |name: &String| {
        let language = lookup(name).is_some() || read_type(name).is_ok() || LANGUAGE.contains(&name.as_str());
        !language && name.chars().all(|c| c.is_alphanumeric() || c == '_') && !name.is_empty()
    };
    schema.chain(relations).filter(is_own).collect()
}

fn tokens(script: &Script, kinds: &[TokenKind]) -> BTreeSet<String> {
    let tokens = script.all_tokens().iter().filter(|token| kinds.contains(&token.kind));
    tokens.map(|token| token.span().of(script.text()).trim_matches(['`', '\'', '"']).to_owned()).collect()
}

/// Whether a text is a format of dates, or says nothing without what is syntax in patterns, times and placeholders: it has
/// no two letters in a row, and no digits but 0 and 1.
fn is_syntax(text: &str) -> bool {
    let syntax = r"\[[^\]]*\]|\{[^}]*\}|\(\?\w+|\\+\w|%[-\d.]*\w|\d\d:\d\d(:\d\d)?|^(-\d\d)+|\b(true|false|null)\b";
    let rest = regex::Regex::new(syntax).unwrap().replace_all(text, " ");
    let says = regex::Regex::new(r"\p{L}{2}|[2-9]").unwrap();
    text.chars().all(|c| "yMdHhmsSEua:/- .'T".contains(c)) || !says.is_match(&rest)
}

fn assert_one_to_one(pairs: &BTreeMap<String, String>) {
    let new: BTreeSet<&String> = pairs.values().collect();
    assert_eq!(new.len(), pairs.len(), "two stand for one");
    let same: Vec<_> = new.iter().filter(|new| pairs.contains_key(**new)).collect();
    assert!(same.is_empty(), "both old and new: {same:?}");
}

#[test]
fn nothing_of_the_embedded_references_is_left_in_their_variants() {
    let originals: Vec<Reference> = embedded().into_iter().map(Result::unwrap).collect();
    let FolderVariant { correspondence, scripts } = Variants::new(originals.clone()).unwrap().variant(7, 0, 2).unwrap();
    for pairs in [&correspondence.names, &correspondence.parameters, &correspondence.words] {
        assert_one_to_one(pairs);
    }
    assert!(correspondence.numbers.iter().all(|(old, new)| old != new));

    let names: BTreeSet<String> = originals.iter().flat_map(names).collect();
    let literals: BTreeSet<String> =
        originals.iter().flat_map(|original| tokens(&original.script, &[TokenKind::Text])).collect();
    let refused: Vec<_> = scripts.iter().filter_map(|(id, script)| Some((id, script.as_ref().err()?))).collect();
    assert_eq!((scripts.len(), refused.len()), (54, 0), "{refused:#?}");
    let mut seen = Vec::new();
    for ((id, variant), original) in scripts.iter().zip(&originals) {
        let variant = variant.as_ref().unwrap();
        let Reference { script, schema, schema_text, .. } = &variant.reference;
        assert!(script.is_valid() && Scopes::resolve(script, schema).problems().is_empty(), "{id}");
        assert!(!graph_match(script, &original.script, &original.schema), "{id}: the original's tables are not read");

        let words = [TokenKind::Word, TokenKind::QuotedName];
        let used = [script, &Script::new(schema_text.as_str())].map(|script| tokens(script, &words));
        let used: BTreeSet<String> = used.iter().flatten().map(|word| word.to_lowercase()).collect();
        assert_eq!(used.intersection(&names).collect::<Vec<_>>(), [""; 0], "{id}");
        let texts = tokens(script, &[TokenKind::Text]);
        seen.extend(texts.intersection(&literals).filter(|text| !is_syntax(text)).cloned());
        let comments = [TokenKind::LineComment, TokenKind::BlockComment, TokenKind::Hint, TokenKind::Command];
        assert_eq!(tokens(script, &comments), BTreeSet::new(), "{id}");
        assert!(variant.left.longest_run * 10 < variant.left.tokens, "{id}: {:?}", variant.left);
    }
    assert_eq!(seen, [""; 0], "texts of the originals");
}
