//! CAST by source and target type.

use super::{Translated, Translator};
use crate::code::tree::NodeId;
use crate::code::types::Type;

impl Translator<'_> {
    pub fn cast(&mut self, node: NodeId) -> Translated {
        let value = self.only_child(node)?;
        let target = self.type_of(node);
        if *target == Type::Unknown {
            return self.refuse(node, "a cast to this type");
        }
        self.cast_to(value, target)
    }

    /// An explicit conversion; if the type of the source is not known, its value decides.
    pub fn cast_to(&mut self, value: NodeId, target: &Type) -> Translated {
        let source = self.type_of(value);
        if let Type::Array(element) = source
            && *target == Type::String
            && matches!(**element, Type::Int | Type::BigInt | Type::String | Type::Date)
        {
            self.write("('['||h_array_join(");
            self.expression(value)?;
            self.write(",', ','null')||']')");
            return Ok(());
        }
        if source.is_interval() && source != target && *target != Type::String {
            return self.interval_cast(value, target);
        }
        if source.is_nested() && !target.is_nested() {
            return self.refuse(value, "a cast of an array, map or struct");
        }
        if *source != Type::Unknown || target.is_nested() {
            return self.converted(value, target);
        }
        let conversion = match target {
            Type::String => None,
            _ => self.conversion(&Type::String, target),
        };
        if *target == Type::String {
            self.write("h_cast_string(");
        }
        self.with_conversion(conversion, |this| this.expression(value))?;
        self.write(if *target == Type::String { ")" } else { "" });
        Ok(())
    }
}
