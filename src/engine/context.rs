//! What a script needs in addition to its text and its data.

use std::collections::BTreeMap;

use super::policy::Policies;
use super::spark_rules::Rejection;
use crate::code::parameters::Parameters;
use crate::code::schema::{Schema, SchemaError};

/// The schema, the parameters and the platform's policies under which scripts of a task run.
#[derive(Debug, Default)]
pub struct ExecutionContext {
    pub schema: Schema,
    /// Values of placeholders.
    pub parameters: Parameters,
    /// What the platform forbids beyond the engine.
    pub policies: Policies,
}

/// An [`ExecutionContext`] by reference; its parts may belong to several values.
#[derive(Clone, Copy, Debug)]
pub struct ContextRef<'a> {
    pub schema: &'a Schema,
    /// Values of placeholders.
    pub parameters: &'a Parameters,
    /// What the platform forbids beyond the engine.
    pub policies: &'a Policies,
}

impl ExecutionContext {
    /// Builds the context of a task from the contents of its record.
    pub fn read(
        ddl: &str,
        parameters: &BTreeMap<String, String>,
        policies: Policies,
    ) -> Result<ExecutionContext, SchemaError> {
        Ok(ExecutionContext { schema: Schema::read(ddl)?, parameters: parameters.iter().collect(), policies })
    }

    pub fn by_ref(&self) -> ContextRef<'_> {
        ContextRef { schema: &self.schema, parameters: &self.parameters, policies: &self.policies }
    }
}

impl ContextRef<'_> {
    /// Returns why a policy refuses a script that the engine accepts; `None` if all policies accept it.
    pub fn policy_rejection(self, text: &str) -> Option<Rejection> {
        self.policies.refuse(text, self.schema, self.parameters)
    }
}
