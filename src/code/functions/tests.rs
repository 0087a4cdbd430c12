use super::*;
use crate::code::types::Type;
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
fn types_follow_the_arguments() {
    let typed = |name: &str, arguments: &[Type]| lookup(name).unwrap().return_type(arguments);
    assert_eq!(typed("SUM", &[Type::Int]), Type::BigInt);
    assert_eq!(typed("coalesce", &[Type::Null, Type::Date]), Type::Date);
    assert_eq!(typed("coalesce", &[Type::Int, Type::Decimal(5, 2)]), Type::Decimal(12, 2));
    assert_eq!(typed("collect_set", &[Type::String]), Type::Array(Box::new(Type::String)));
    assert_eq!(typed("concat", &[Type::Int, Type::Date]), Type::String);
}
