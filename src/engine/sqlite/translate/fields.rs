//! How SQLite takes a field of a struct or map.

use crate::code::types::Type;

/// Returns how a field of a value of this type is read: the function, the stored name and the field's type.
pub(super) fn field_step(base: &Type, name: &str) -> (&'static str, String, Type) {
    match base {
        Type::Map(_, value) => ("h_get_key(", name.to_owned(), (**value).clone()),
        Type::Struct(fields) => {
            let found = fields.iter().find(|(field, _)| field.eq_ignore_ascii_case(name));
            let (stored, data_type) = found.cloned().unwrap_or((name.to_owned(), Type::Unknown));
            ("h_get_field(", stored, data_type)
        }
        Type::Array(element) => {
            let (function, stored, field) = field_step(element, name);
            (function, stored, Type::Array(Box::new(field)))
        }
        _ => ("h_get_field(", name.to_owned(), Type::Unknown),
    }
}
