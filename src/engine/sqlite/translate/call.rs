//! Calls.

use super::{Reason, Translated, Translator};
use crate::code::functions::{ArgumentForm, Embedded, Function, UnsupportedReason, lookup};
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;

impl Translator<'_> {
    pub fn call(&mut self, call: NodeId) -> Translated {
        let name = self.script.function_name(call);
        let Some(function) = lookup(&name) else { return self.unknown_function(call, name) };
        let arguments = self.script.arguments(call);
        if let (true, [unit, first, second]) = (function.takes_unit, &*arguments) {
            return self.date_by_unit(function.canonical_name(), *unit, *first, *second);
        }
        match function.embedded {
            Embedded::Library => {
                self.write("h_");
                self.write(function.name);
                self.arguments(function, &arguments)
            }
            Embedded::Named(written) => {
                self.write(written);
                self.arguments(function, &arguments)
            }
            Embedded::Rule(special) => self.special(call, special, &name, &arguments),
            Embedded::Aggregate(written) => self.aggregate(call, function, written, &arguments),
            Embedded::Window => self.window_function(call, &name, &arguments),
            Embedded::Refused(UnsupportedReason::Chance | UnsupportedReason::Clock | UnsupportedReason::RowOrder) => {
                self.nondeterministic(call, &name)
            }
            Embedded::Refused(why) => Err(self.unsupported(call, Reason::RefusedFunction { name, why })),
            Embedded::Generator(_) | Embedded::Unknown => self.unknown_function(call, name),
        }
    }

    fn unknown_function<T>(&self, call: NodeId, name: String) -> Translated<T> {
        if self.is_generator(call) {
            return self.refuse(call, "a generator inside an expression");
        }
        Err(self.unsupported(call, Reason::UnknownFunction(name)))
    }

    /// The arguments in brackets, each converted to what the function wants.
    fn arguments(&mut self, function: &Function, arguments: &[NodeId]) -> Translated {
        self.write("(");
        self.separated(arguments.iter().enumerate(), ",", |this, (index, argument)| {
            this.argument(*argument, function.want(index))
        })?;
        self.write(")");
        Ok(())
    }

    /// One argument, converted as wanted.
    pub fn argument(&mut self, argument: NodeId, want: ArgumentForm) -> Translated {
        match want {
            ArgumentForm::AsIs => self.expression(argument),
            ArgumentForm::AsText => self.converted(argument, &Type::String),
            ArgumentForm::AsNumber => self.number_operand(argument),
            ArgumentForm::AsDouble => self.converted(argument, &Type::Double),
            ArgumentForm::AsWhole => self.converted(argument, &Type::BigInt),
            ArgumentForm::AsMember => self.element(argument, &Type::Unknown),
        }
    }

    pub fn filter_of(&self, call: NodeId) -> Option<NodeId> {
        self.child(call, |kind| kind == Kind::Filter)
    }

    pub fn over_of(&self, call: NodeId) -> Option<NodeId> {
        self.child(call, |kind| kind == Kind::Over)
    }
}
