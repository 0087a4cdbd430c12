//! `--parameter`, `--function` and `--parameters`, the same for every command that reads scripts of the user's own.

use std::path::PathBuf;

use clap::Args;

use super::heading::WHAT;
use crate::code::parameters::Parameters;
use crate::corpus::{CorpusError, parameters};

/// Values for the placeholders of scripts, and expressions for the functions of their own.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = WHAT)]
pub struct ParameterOptions {
    /// A placeholder's value, as `bizdate=2024-03-15`
    #[arg(long, value_name = "KEY=VALUE")]
    parameter: Vec<String>,
    /// An expression that replaces every call of a function of your own, as `geo='upper($1)'`; `$1` is the first argument
    #[arg(long, value_name = "NAME=EXPRESSION")]
    function: Vec<String>,
    /// A YAML file of placeholders and their values, and of functions as `geo(): upper($1)`
    #[arg(long, value_name = "FILE")]
    parameters: Option<PathBuf>,
}

impl ParameterOptions {
    /// Returns the values of the file, with those of the command line before them.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is no list of values.
    pub fn read(&self) -> Result<Parameters, CorpusError> {
        let mut values = self.parameters.as_deref().map_or_else(|| Ok(Parameters::default()), parameters)?;
        for pair in &self.parameter {
            let (key, value) = key_and_value(pair);
            values.insert(key, value);
        }
        for pair in &self.function {
            let (name, expression) = pair.split_once('=').unwrap_or((pair, "NULL"));
            values.insert(format!("{}()", name.trim()), expression);
        }
        Ok(values)
    }
}

/// Splits `KEY=VALUE` at the first equals sign outside of brackets: the key may be a call, as `last_run(job=daily)`.
fn key_and_value(pair: &str) -> (&str, &str) {
    let mut open = 0i32;
    let split = pair.char_indices().find(|(_, sign)| {
        open += i32::from(*sign == '(') - i32::from(*sign == ')');
        *sign == '=' && open <= 0
    });
    match split.map(|(at, _)| at).or_else(|| pair.find('=')) {
        Some(at) => (&pair[..at], &pair[at + 1..]),
        None => (pair, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::key_and_value;

    #[test]
    fn a_key_may_be_a_call_with_named_arguments() {
        let cases = [
            ("dt=2024-03-15", ("dt", "2024-03-15")),
            ("query=a=b", ("query", "a=b")),
            ("last_run(job=daily, part=day)=15", ("last_run(job=daily, part=day)", "15")),
            ("open(=x", ("open(", "x")),
            ("flag", ("flag", "")),
        ];
        for (pair, wanted) in cases {
            assert_eq!(key_and_value(pair), wanted);
        }
    }
}
