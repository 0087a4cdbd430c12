//! Functions about NULL, types and calls.

use super::super::Argument::{Any, Boolean, Number, Plain, Temporal, Text};
use super::super::FunctionKind::Scalar;
use super::super::Nulls::{Lenient, Strict};
use super::super::{Function, Returns};
use super::function;

#[rustfmt::skip]
pub(super) static FUNCTIONS: &[Function] = &[
    function("assert_true", Scalar, (1, Some(2)), &[Boolean, Any], (Returns::Special, "check", Lenient)),
    function("bigint", Scalar, (1, Some(1)), &[Plain], (Returns::BigInt, "cast", Strict)),
    function("binary", Scalar, (1, Some(1)), &[Any], (Returns::Binary, "cast", Strict)),
    function("boolean", Scalar, (1, Some(1)), &[Plain], (Returns::Boolean, "cast", Strict)),
    function("coalesce", Scalar, (1, None), &[Any], (Returns::Common(0), "null", Lenient)),
    function("date", Scalar, (1, Some(1)), &[Temporal], (Returns::Date, "cast", Strict)),
    function("decimal", Scalar, (1, Some(1)), &[Plain], (Returns::Special, "cast", Strict)),
    function("double", Scalar, (1, Some(1)), &[Plain], (Returns::Double, "cast", Strict)),
    function("equal_null", Scalar, (2, Some(2)), &[Any], (Returns::Boolean, "null", Lenient)),
    function("float", Scalar, (1, Some(1)), &[Plain], (Returns::Double, "cast", Strict)),
    function("if", Scalar, (3, Some(3)), &[Boolean, Any], (Returns::Common(1), "null", Lenient)),
    function("ifnull", Scalar, (2, Some(2)), &[Any], (Returns::Common(0), "null", Lenient)),
    function("int", Scalar, (1, Some(1)), &[Plain], (Returns::Int, "cast", Strict)),
    function("isnan", Scalar, (1, Some(1)), &[Number], (Returns::Boolean, "null", Lenient)),
    function("isnotnull", Scalar, (1, Some(1)), &[Any], (Returns::Boolean, "null", Lenient)),
    function("isnull", Scalar, (1, Some(1)), &[Any], (Returns::Boolean, "null", Lenient)),
    function("java_method", Scalar, (2, None), &[Text], (Returns::Text, "call", Lenient)),
    function("nanvl", Scalar, (2, Some(2)), &[Number], (Returns::Double, "null", Lenient)),
    function("nullif", Scalar, (2, Some(2)), &[Any], (Returns::Same(0), "null", Lenient)),
    function("nvl", Scalar, (2, Some(2)), &[Any], (Returns::Common(0), "null", Lenient)),
    function("nvl2", Scalar, (3, Some(3)), &[Any], (Returns::Common(1), "null", Lenient)),
    function("raise_error", Scalar, (1, Some(1)), &[Plain], (Returns::Special, "check", Lenient)),
    function("reflect", Scalar, (2, None), &[Text], (Returns::Text, "call", Lenient)),
    function("smallint", Scalar, (1, Some(1)), &[Plain], (Returns::Int, "cast", Strict)),
    function("string", Scalar, (1, Some(1)), &[Any], (Returns::Text, "cast", Strict)),
    function("timestamp", Scalar, (1, Some(1)), &[Plain], (Returns::Timestamp, "cast", Strict)),
    function("tinyint", Scalar, (1, Some(1)), &[Plain], (Returns::Int, "cast", Strict)),
    function("typeof", Scalar, (1, Some(1)), &[Any], (Returns::Text, "cast", Lenient)),
];
