//! How SQLite takes a field of a struct or map.

use crate::code::types::Type;

/// How a field of a value is read.
pub(super) struct FieldStep {
    pub function: &'static str,
    /// The name under which it is stored.
    pub stored: String,
    pub data_type: Type,
}

impl FieldStep {
    /// Returns how the field of this name is read from a value of a type.
    pub fn of(base: &Type, name: &str) -> FieldStep {
        let step = |function, stored: &str, data_type| FieldStep { function, stored: stored.to_owned(), data_type };
        match base {
            Type::Map(_, value) => step("h_get_key(", name, (**value).clone()),
            Type::Struct(fields) => match fields.iter().find(|(field, _)| field.eq_ignore_ascii_case(name)) {
                Some((stored, data_type)) => step("h_get_field(", stored, data_type.clone()),
                None => step("h_get_field(", name, Type::Unknown),
            },
            Type::Array(element) => {
                let of_element = FieldStep::of(element, name);
                FieldStep { data_type: Type::Array(Box::new(of_element.data_type)), ..of_element }
            }
            _ => step("h_get_field(", name, Type::Unknown),
        }
    }
}
