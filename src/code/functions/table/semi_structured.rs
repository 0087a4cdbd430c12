//! Functions of Avro, Protobuf, XML and variants.

use super::super::Argument::Any;
use super::super::Returns;
use super::super::function::Function;
use super::row::{aggregate, scalar};

#[rustfmt::skip]
pub(super) static FUNCTIONS: &[Function] = &[
    scalar("from_avro").of_at_least(0, &[Any]).gives(Returns::Special),
    scalar("from_protobuf").of_at_least(0, &[Any]).gives(Returns::Special),
    scalar("from_xml").of_at_least(0, &[Any]).gives(Returns::Special),
    scalar("is_valid_variant").of_at_least(0, &[Any]).gives(Returns::Special),
    scalar("is_variant_null").of_at_least(0, &[Any]).gives(Returns::Special),
    scalar("parse_json").of_at_least(0, &[Any]).gives(Returns::Special),
    scalar("schema_of_avro").of_at_least(0, &[Any]).gives(Returns::Special),
    scalar("schema_of_variant").of_at_least(0, &[Any]).gives(Returns::Special),
    aggregate("schema_of_variant_agg").of_at_least(0, &[Any]).gives(Returns::Special),
    scalar("schema_of_xml").of_at_least(0, &[Any]).gives(Returns::Special),
    scalar("to_avro").of_at_least(0, &[Any]).gives(Returns::Special),
    scalar("to_protobuf").of_at_least(0, &[Any]).gives(Returns::Special),
    scalar("to_variant_object").of_at_least(0, &[Any]).gives(Returns::Special),
    scalar("to_xml").of_at_least(0, &[Any]).gives(Returns::Special),
    scalar("try_parse_json").of_at_least(0, &[Any]).gives(Returns::Special),
    scalar("try_variant_array_append").of_at_least(0, &[Any]).gives(Returns::Special),
    scalar("try_variant_get").of_at_least(0, &[Any]).gives(Returns::Special),
    scalar("try_variant_insert").of_at_least(0, &[Any]).gives(Returns::Special),
    scalar("try_variant_set").of_at_least(0, &[Any]).gives(Returns::Special),
    scalar("variant_array_append").of_at_least(0, &[Any]).gives(Returns::Special),
    scalar("variant_delete").of_at_least(0, &[Any]).gives(Returns::Special),
    scalar("variant_explode").of_at_least(0, &[Any]).gives(Returns::Special),
    scalar("variant_explode_outer").of_at_least(0, &[Any]).gives(Returns::Special),
    scalar("variant_get").of_at_least(0, &[Any]).gives(Returns::Special),
    scalar("variant_insert").of_at_least(0, &[Any]).gives(Returns::Special),
    scalar("variant_set").of_at_least(0, &[Any]).gives(Returns::Special),
    scalar("variant_strip_nulls").of_at_least(0, &[Any]).gives(Returns::Special),
    scalar("xpath").of_at_least(0, &[Any]).gives(Returns::Special),
    scalar("xpath_boolean").of_at_least(0, &[Any]).gives(Returns::Special),
    scalar("xpath_double").of_at_least(0, &[Any]).gives(Returns::Special),
    scalar("xpath_float").of_at_least(0, &[Any]).gives(Returns::Special),
    scalar("xpath_int").of_at_least(0, &[Any]).gives(Returns::Special),
    scalar("xpath_long").of_at_least(0, &[Any]).gives(Returns::Special),
    scalar("xpath_number").of_at_least(0, &[Any]).gives(Returns::Special),
    scalar("xpath_short").of_at_least(0, &[Any]).gives(Returns::Special),
    scalar("xpath_string").of_at_least(0, &[Any]).gives(Returns::Special),
];
