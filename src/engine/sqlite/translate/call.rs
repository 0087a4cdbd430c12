//! Calls.

use super::refused::refused;
use super::rules::{Form, Rule, Want, rule};
use super::{Reason, Translator, Written};
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;

impl Translator<'_> {
    pub fn call(&mut self, call: NodeId) -> Written {
        let name = self.script.function_name(call);
        let Some(rule) = rule(&name) else { return self.unknown_function(call, name) };
        let arguments = self.script.arguments(call);
        match rule.form {
            Form::Library => {
                self.write("h_");
                self.write(rule.name);
                self.arguments(rule, &arguments)
            }
            Form::Named(written) => {
                self.write(written);
                self.arguments(rule, &arguments)
            }
            Form::Special(special) => self.special(call, special, &name, &arguments),
            Form::Aggregate(written) => self.aggregate(call, rule, written, &arguments),
            Form::Window => self.window_function(call, &name, &arguments),
            Form::Chance => self.nondeterministic(call, &name),
        }
    }

    fn unknown_function<T>(&self, call: NodeId, name: String) -> Written<T> {
        if self.is_generator(call) {
            return self.refuse(call, "a generator inside an expression");
        }
        Err(self.unsupported(
            call,
            match refused(&name) {
                Some(why) => Reason::RefusedFunction { name, why },
                None => Reason::UnknownFunction(name),
            },
        ))
    }

    /// `(…)` with what a rule wants of each argument.
    fn arguments(&mut self, rule: &Rule, arguments: &[NodeId]) -> Written {
        self.write("(");
        self.separated(arguments.iter().enumerate(), ",", |this, (index, argument)| {
            this.argument(*argument, rule.want(index))
        })?;
        self.write(")");
        Ok(())
    }

    /// One argument as wanted.
    pub fn argument(&mut self, argument: NodeId, want: Want) -> Written {
        match want {
            Want::Any => self.expression(argument),
            Want::Text => self.converted(argument, &Type::String),
            Want::Number => self.number_operand(argument),
            Want::Real => self.converted(argument, &Type::Double),
            Want::Whole => self.converted(argument, &Type::BigInt),
            Want::Member => self.element(argument, &Type::Unknown),
        }
    }

    /// The FILTER of a call.
    pub fn filter_of(&self, call: NodeId) -> Option<NodeId> {
        self.child(call, |kind| kind == Kind::Filter)
    }

    /// The OVER of a call.
    pub fn over_of(&self, call: NodeId) -> Option<NodeId> {
        self.child(call, |kind| kind == Kind::Over)
    }
}
