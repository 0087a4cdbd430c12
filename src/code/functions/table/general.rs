//! Functions about NULL, types, calls, chance and the session.

use super::super::Argument::{Any, Boolean, Number, Plain, Text};
use super::super::ArgumentForm::{AsDouble, AsText};
use super::super::function::Function;
use super::super::{Returns, Special, UnsupportedReason};
use super::row::{generator, scalar, window};

#[rustfmt::skip]
pub(super) static FUNCTIONS: &[Function] = &[
    scalar("assert_true").of(1, 2, &[Boolean, Any]).gives(Returns::Special).refused(UnsupportedReason::Fails),
    scalar("bigint").of(1, 1, &[Any]).gives(Returns::BigInt).by_rule(Special::Cast),
    scalar("binary").of(1, 1, &[Any]).gives(Returns::Binary).refused(UnsupportedReason::Bytes),
    scalar("boolean").of(1, 1, &[Any]).gives(Returns::Boolean).by_rule(Special::Cast),
    scalar("coalesce").of_at_least(1, &[Any]).gives(Returns::Common(0)).null_if_all().by_rule(Special::Coalesce),
    window("counter_diff").of_at_least(0, &[Any]).gives(Returns::Special).refused(UnsupportedReason::Counter),
    scalar("current_path").of(0, 0, &[Any]).gives(Returns::Text).refused(UnsupportedReason::Session),
    scalar("date").of(1, 1, &[Any]).gives(Returns::Date).by_rule(Special::Cast),
    scalar("decimal").of(1, 1, &[Any]).gives(Returns::Decimal(10, 0)).by_rule(Special::Cast),
    scalar("double").of(1, 1, &[Any]).gives(Returns::Double).by_rule(Special::Cast),
    scalar("equal_null").of(2, 2, &[Any]).gives(Returns::Boolean).by_rule(Special::EqualNull),
    scalar("float").of(1, 1, &[Any]).gives(Returns::Double).by_rule(Special::Cast),
    scalar("if").of(3, 3, &[Boolean, Any]).gives(Returns::Common(1)).null_if_any_from(1).by_rule(Special::If),
    scalar("ifnull").same_as("coalesce").of(2, 2, &[Any]).gives(Returns::Common(0)).null_if_all().by_rule(Special::Coalesce),
    scalar("input_file_block_length").of_at_least(0, &[Any]).gives(Returns::Special).refused(UnsupportedReason::Session),
    scalar("input_file_block_start").of_at_least(0, &[Any]).gives(Returns::Special).refused(UnsupportedReason::Session),
    scalar("int").of(1, 1, &[Any]).gives(Returns::Int).by_rule(Special::Cast),
    scalar("isnan").of(1, 1, &[Number]).gives(Returns::Boolean).never_null().by_library(&[AsDouble]),
    scalar("isnotnull").of(1, 1, &[Any]).gives(Returns::Boolean).never_null().by_rule(Special::IsNotNull),
    scalar("isnull").of(1, 1, &[Any]).gives(Returns::Boolean).never_null().by_rule(Special::IsNull),
    scalar("java_method").of_at_least(2, &[Text, Text, Plain]).gives(Returns::Text).refused(UnsupportedReason::Program),
    scalar("nanvl").of(2, 2, &[Number]).gives(Returns::Double).by_library(&[AsDouble]),
    scalar("nullif").of(2, 2, &[Any]).gives(Returns::Same(0)).by_rule(Special::NullIf),
    scalar("nvl").same_as("coalesce").of(2, 2, &[Any]).gives(Returns::Common(0)).null_if_all().by_rule(Special::Coalesce),
    scalar("nvl2").of(3, 3, &[Any]).gives(Returns::Common(1)).null_if_any_from(1).by_rule(Special::Nvl2),
    generator("python_worker_logs").of_at_least(0, &[Any]).gives(Returns::Special),
    scalar("raise_error").of(1, 1, &[Plain]).gives(Returns::Special).refused(UnsupportedReason::Fails),
    generator("range").of(1, 4, &[Any]).gives(Returns::Special),
    scalar("reflect").of_at_least(2, &[Text, Text, Plain]).gives(Returns::Text).refused(UnsupportedReason::Program),
    scalar("smallint").of(1, 1, &[Any]).gives(Returns::Int).by_rule(Special::Cast),
    generator("sql_keywords").of(0, 0, &[Any]).gives(Returns::Special).refused(UnsupportedReason::Language),
    scalar("string").of(1, 1, &[Any]).gives(Returns::Text).by_rule(Special::Cast),
    scalar("timestamp").of(1, 1, &[Any]).gives(Returns::Timestamp).by_rule(Special::Cast),
    scalar("tinyint").of(1, 1, &[Any]).gives(Returns::Int).by_rule(Special::Cast),
    scalar("try_parse_url").of(2, 3, &[Plain]).gives(Returns::Text).by("h_parse_url", &[AsText]),
    scalar("try_reflect").of_at_least(0, &[Any]).gives(Returns::Special).refused(UnsupportedReason::Program),
    scalar("try_to_number").of(2, 2, &[Plain]).gives(Returns::Special).by_rule(Special::ByName),
    scalar("try_url_decode").of(1, 1, &[Plain]).gives(Returns::Text).by("h_url_decode", &[AsText]),
    scalar("typeof").of(1, 1, &[Any]).gives(Returns::Text).never_null().by_rule(Special::ByName),
    scalar("user").without_brackets().of(0, 0, &[Any]).gives(Returns::Text).refused(UnsupportedReason::Session),
];
