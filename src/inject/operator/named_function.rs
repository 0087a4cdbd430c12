//! Operators that are written in Rust.

use super::super::proposal::Proposals;
use super::super::script_context::ScriptContext;

/// An operator that needs more than a primitive can say.
pub(super) struct NamedFunction {
    /// The name by which taxonomy files refer to it.
    pub(super) name: &'static str,
    /// Adds its proposals for a script.
    pub(super) propose: fn(&ScriptContext<'_>, &mut Proposals),
}
