use super::*;
use std::collections::HashSet;

#[test]
fn every_part_is_sorted_and_no_name_stands_twice() {
    let mut seen = HashSet::new();
    for part in table::PARTS {
        for pair in part.windows(2) {
            assert!(pair[0].name < pair[1].name, "{} {}", pair[0].name, pair[1].name);
        }
        assert!(part.iter().all(|function| seen.insert(function.name)));
    }
}

#[test]
fn numbers_of_arguments_make_sense() {
    for function in all() {
        assert!(function.maximum.is_none_or(|maximum| maximum >= function.minimum), "{}", function.name);
        assert!(!function.arguments.is_empty(), "{}", function.name);
    }
    let concat_ws = lookup("concat_ws").unwrap();
    assert_eq!([0, 1, 9].map(|count| concat_ws.takes(count)), [false, true, true]);
}

#[test]
fn synonyms_name_known_functions_that_take_the_same() {
    for group in table::SYNONYMS {
        let functions: Vec<_> = group.iter().map(|name| lookup(name).unwrap_or_else(|| panic!("{name}"))).collect();
        for pair in functions.windows(2) {
            assert_eq!((pair[0].kind, pair[0].returns), (pair[1].kind, pair[1].returns), "{group:?}");
        }
    }
    assert_eq!(lookup("substring").unwrap().synonyms().collect::<Vec<_>>(), ["substr"]);
    assert_eq!(lookup("concat").unwrap().synonyms().count(), 0);
}

#[test]
fn relatives_are_what_people_confuse() {
    let relatives: Vec<_> = lookup("rank").unwrap().relatives().map(|function| function.name).collect();
    assert!(["dense_rank", "row_number"].iter().all(|name| relatives.contains(name)), "{relatives:?}");
    assert!(lookup("lower").unwrap().relatives().all(|function| function.name != "lcase"));
}

#[test]
fn a_misspelt_name_finds_its_function() {
    for (wrong, right) in
        [("data_add", "date_add"), ("concat_w", "concat_ws"), ("CONUT", "count"), ("regexp_repalce", "regexp_replace")]
    {
        assert_eq!(nearest(wrong), Some(right));
    }
    assert_eq!(nearest("my_company_udf"), None);
    assert_eq!(nearest("sha256"), Some("sha2"));
    assert_eq!(nearest("fx"), None);
}

#[test]
fn types_follow_the_arguments() {
    let typed = |name: &str, arguments: &[Type]| lookup(name).unwrap().return_type(arguments);
    assert_eq!(typed("SUM", &[Type::Int]), Type::BigInt);
    assert_eq!(typed("coalesce", &[Type::Null, Type::Date]), Type::Date);
    assert_eq!(typed("coalesce", &[Type::Int, Type::Decimal(5, 2)]), Type::Decimal(12, 2));
    assert_eq!(typed("collect_set", &[Type::String]), Type::Array(Box::new(Type::String)));
    assert_eq!(typed("concat", &[Type::Int, Type::Date]), Type::String);
}
