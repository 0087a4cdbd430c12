//! Types of other platforms, mapped to Spark's.

use crate::code::schema::read_type;
use crate::code::types::Type;

/// The Spark type that stands for a type of another platform, and what is lost by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mapped {
    pub data_type: Type,
    /// What the other type says and Spark's does not; `None` if a script cannot see the difference.
    pub loss: Option<&'static str>,
}

/// Maps a type as DDL, an information schema or a catalogue writes it; `None` if it is unknown.
pub(super) fn mapped(written: &str) -> Option<Mapped> {
    // T-SQL writes `[decimal](10,2)`.
    let bare = written.trim().strip_prefix('[').map(|rest| rest.replacen(']', "", 1));
    let written = bare.as_deref().unwrap_or(written).trim().trim_matches(['"', '`']).trim();
    let lower = written.to_lowercase();
    if let Some(element) = array_element(&lower) {
        let element = mapped(element)?;
        return Some(Mapped { data_type: Type::Array(Box::new(element.data_type)), loss: element.loss });
    }
    // ClickHouse says of a type that it may be missing, or that it has few values.
    let wrapped = ["nullable(", "lowcardinality("].into_iter().find_map(|name| lower.strip_prefix(name));
    if let Some(inside) = wrapped.and_then(|rest| rest.strip_suffix(')')) {
        return mapped(inside);
    }
    if let Some(nested) = nested(&lower) {
        return Some(nested);
    }
    let (name, arguments) = match lower.split_once('(') {
        Some((name, rest)) => (name.trim(), rest.split_once(')').map_or(rest, |(arguments, _)| arguments)),
        None => (lower.as_str(), ""),
    };
    let zone = lower.contains("with time zone") || lower.contains("with local time zone");
    let exact = |data_type| Some(Mapped { data_type, loss: None });
    let losing = |data_type, loss| Some(Mapped { data_type, loss: Some(loss) });
    match name.split(" with").next().unwrap_or(name).trim_end_matches(" unsigned").trim() {
        "number" | "numeric" | "decimal" | "bignumeric" | "bigdecimal" | "money" | "smallmoney" => {
            number(name, arguments)
        }
        "int64" | "int8" | "bigserial" | "serial8" | "uinteger" | "uint32" => exact(Type::BigInt),
        "ubigint" | "uint64" => exact(Type::Decimal(20, 0)),
        "hugeint" | "uhugeint" | "int128" | "int256" | "uint128" | "uint256" => {
            losing(Type::Decimal(38, 0), "more than 38 digits are cut")
        }
        "int" | "integer" if lower.ends_with("unsigned") => exact(Type::BigInt),
        "int2" | "int4" | "mediumint" | "serial" | "smallserial" | "year" | "byteint" | "utinyint" | "usmallint"
        | "int16" | "int32" | "uint8" | "uint16" => exact(Type::Int),
        "float4" | "float8" | "float64" | "float" | "float32" | "real" | "double precision" | "binary_double"
        | "binary_float" => exact(Type::Double),
        "bool" | "bit" => exact(Type::Boolean),
        "varchar2"
        | "nvarchar"
        | "nvarchar2"
        | "nchar"
        | "bpchar"
        | "character varying"
        | "national character varying"
        | "text"
        | "ntext"
        | "longtext"
        | "mediumtext"
        | "tinytext"
        | "clob"
        | "citext"
        | "name"
        | "fixedstring"
        | "sysname" => exact(Type::String),
        "uuid" | "uniqueidentifier" | "inet" | "cidr" | "enum" | "set" | "enum8" | "enum16" | "ipv4" | "ipv6" => {
            losing(Type::String, "its format is not checked")
        }
        "json" | "jsonb" | "variant" | "object" | "super" | "xml" | "hstore" => {
            losing(Type::String, "its structure is text")
        }
        "geography" | "geometry" | "point" | "polygon" => losing(Type::String, "its shape is text"),
        "time" | "timetz" => losing(Type::String, "a time of day is text"),
        "bytea" | "blob" | "bytes" | "varbinary" | "image" | "longblob" | "mediumblob" | "tinyblob" | "raw" => {
            exact(Type::Binary)
        }
        "timestamptz" | "datetimeoffset" | "timestamp_tz" => losing(Type::Timestamp, "its time zone is lost"),
        "timestamp" if zone => losing(Type::Timestamp, "its time zone is lost"),
        "timestamp"
        | "timestamp without time zone"
        | "datetime"
        | "datetime2"
        | "datetime64"
        | "smalldatetime"
        | "timestamp_ntz"
        | "timestamp_ltz" => exact(Type::Timestamp),
        "date32" => exact(Type::Date),
        // Without arguments at the second try: MySQL's display widths (`tinyint(1)`) say nothing of the values.
        name => exact(read_type(written).or_else(|_| read_type(name)).ok()?),
    }
}

/// Returns the element type of `INT[]`, `ARRAY(INT)` or `ARRAY<INT>`; text for `ARRAY` alone. `None` if it is no array.
fn array_element(lower: &str) -> Option<&str> {
    if lower == "array" {
        return Some("string");
    }
    let bracketed = lower.strip_prefix("array(").and_then(|rest| rest.strip_suffix(')'));
    let angled = || lower.strip_prefix("array<").and_then(|rest| rest.strip_suffix('>'));
    lower.strip_suffix("[]").or(bracketed).or_else(angled)
}

/// Maps `MAP(k, v)`, `STRUCT(a INT, …)`, `ROW(…)` and the same in angle brackets; `None` if it is none of these.
fn nested(lower: &str) -> Option<Mapped> {
    let open = lower.find(['(', '<'])?;
    let inside = lower[open + 1..].strip_suffix([')', '>'])?;
    let parts = parts(inside);
    let losses = |parts: &[Mapped]| parts.iter().find_map(|part| part.loss);
    match lower[..open].trim() {
        "map" => {
            let types: Option<Vec<Mapped>> = parts.iter().map(|part| mapped(part)).collect();
            let [key, value] = <[Mapped; 2]>::try_from(types?).ok()?;
            let loss = key.loss.or(value.loss);
            Some(Mapped { data_type: Type::Map(Box::new(key.data_type), Box::new(value.data_type)), loss })
        }
        "struct" | "row" => {
            let field = |part: &&str| {
                let (name, data_type) = part.trim().split_once([' ', ':'])?;
                Some((name.trim_matches(['"', '`']).to_owned(), mapped(data_type)?))
            };
            let (names, types): (Vec<String>, Vec<Mapped>) =
                parts.iter().map(field).collect::<Option<Vec<_>>>()?.into_iter().unzip();
            let loss = losses(&types);
            let types = types.into_iter().map(|part| part.data_type);
            Some(Mapped { data_type: Type::Struct(names.into_iter().zip(types).collect()), loss })
        }
        _ => None,
    }
}

/// Returns the parts of a list between commas, those in brackets aside.
fn parts(list: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    for (at, sign) in list.char_indices() {
        match sign {
            '(' | '<' => depth += 1,
            ')' | '>' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&list[start..]);
    parts
}

/// Maps exact numbers to DECIMAL; without arguments, whose meaning differs by platform, to DECIMAL(38,10).
fn number(name: &str, arguments: &str) -> Option<Mapped> {
    if name.contains("money") {
        return Some(Mapped { data_type: Type::Decimal(19, 4), loss: None });
    }
    let mut parts = arguments.split(',').map(|part| part.trim().parse::<u8>());
    let (precision, scale) = (parts.next().and_then(Result::ok), parts.next().and_then(Result::ok));
    let (data_type, loss) = match (precision, scale) {
        (Some(precision), scale) if precision <= 38 => (Type::Decimal(precision, scale.unwrap_or(0)), None),
        (Some(_), _) => (Type::Decimal(38, scale.unwrap_or(0).min(38)), Some("more than 38 digits are cut")),
        (None, _) => (Type::Decimal(38, 10), Some("digits behind the tenth are cut")),
    };
    Some(Mapped { data_type, loss })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_other_platforms_have_one_of_ours() {
        let cases = [
            ("INT64", "BIGINT", false),
            ("NUMBER(38,0)", "DECIMAL(38,0)", false),
            ("numeric", "DECIMAL(38,10)", true),
            ("character varying(255)", "STRING", false),
            ("timestamp with time zone", "TIMESTAMP", true),
            ("timestamp(6) without time zone", "TIMESTAMP", false),
            ("timestamptz", "TIMESTAMP", true),
            ("VARIANT", "STRING", true),
            ("integer[]", "ARRAY<INT>", false),
            ("array(varchar)", "ARRAY<STRING>", false),
            ("ARRAY<INT64>", "ARRAY<BIGINT>", false),
            ("double precision", "DOUBLE", false),
            ("bit", "BOOLEAN", false),
            ("int(11) unsigned", "BIGINT", false),
            ("smallint unsigned", "INT", false),
            ("tinyint(1)", "INT", false),
            ("money", "DECIMAL(19,4)", false),
            ("bigint", "BIGINT", false),
            ("map<string,int>", "MAP<STRING, INT>", false),
            ("MAP(VARCHAR, INTEGER)", "MAP<STRING, INT>", false),
            ("STRUCT<sku STRING, tags ARRAY<INT64>>", "STRUCT<sku: STRING, tags: ARRAY<BIGINT>>", false),
            ("row(a bigint, j json)", "STRUCT<a: BIGINT, j: STRING>", true),
            ("HUGEINT", "DECIMAL(38,0)", true),
            ("ubigint", "DECIMAL(20,0)", false),
        ];
        for (written, ours, loses) in cases {
            let found = mapped(written).unwrap_or_else(|| panic!("{written} is not known"));
            assert_eq!((found.data_type.to_string().as_str(), found.loss.is_some()), (ours, loses), "{written}");
        }
        assert_eq!(mapped("wibble"), None);
    }
}
