//! The words of one kind, as `templates/complaint/words.yaml` has them.

use serde::Deserialize;

use crate::publish::template::Template;

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident { $($field:ident: $kind:ty),* })*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Debug, Deserialize)]
            #[serde(deny_unknown_fields)]
            #[allow(missing_docs, reason = "`templates/complaint/words.yaml` documents each field where its words stand")]
            pub struct $name {
                $(pub $field: $kind,)*
            }
        )*
    };
}

words! {
    /// A cell of a report.
    ValueWords {
        when_true: String, when_false: String, yes: String, no: String, empty: String, nothing: String, blank: String
    }
    /// Rows of a report where others are missing or too many.
    BesidesWords {
        wrong_values: String, extra_rows: String, extra_row: String, missing_rows: String, missing_row: String,
        other_columns: String
    }
    /// How many rows.
    RowWords { none: String, one: String, several: Template }
    /// How often a row stands there.
    TimesWords { one: String, two: String, several: Template }
    /// How the key of a row is said, such as "shop 12".
    KeyWords { part: Template, column: Template, separator: String, values: String, day: Template, grand_total: String }
    /// Several names or values in a sentence.
    ListWords { last: String, alternative: String, separator: String }
    /// How a user refers to a table.
    ReportWords {
        of: Template, on: Template, list: Template, named: Template, other: Template, result: String, file: String, nth: Template, nth_file: Template,
        places: Vec<String>, again: String, again_first: String, nouns: Vec<String>, listed: Vec<String>, joining: Vec<String>
    }
    /// What stands in for a missing value.
    DefaultWords { zero: String, empty_text: String }
    /// How to say whether the boundary value itself meets a comparison.
    BoundaryWords { included: String, excluded: String }
    /// The direction of an ordering.
    DirectionWords {
        latest_first: String, earliest_first: String, highest_first: String, lowest_first: String,
        alphabetical: String, reverse_alphabetical: String
    }
    /// To which side figures are wrong.
    DeviationWords { too_high: String, too_low: String }
    /// A condition on one column.
    ConditionWords {
        equal: Template, not_equal: Template, less: Template, less_or_equal: Template, greater: Template,
        greater_or_equal: Template, between: Template, filled: Template, missing: Template
    }
}

impl ValueWords {
    /// Returns the words for a report whose flags read as an answer, not as the script writes them.
    pub(super) fn with_answers(&self) -> ValueWords {
        ValueWords { when_true: self.yes.clone(), when_false: self.no.clone(), ..self.clone() }
    }
}

/// Whether a text would be read as a part of the sentence that cites it without quotes: plain words, signs alone or between
/// words, a mark at the end, or a quotation mark of its own.
pub(in super::super) fn is_read_on(text: &str) -> bool {
    let are_plain_words = text.len() > 1 && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b' ');
    let are_signs = |word: &str| !word.contains(char::is_alphanumeric);
    let is_quoted = text.starts_with(['\'', '"']) || text.ends_with(['\'', '"']);
    are_plain_words || is_quoted || text.ends_with(['.', ',', ';', ':', '!', '?']) || text.split(' ').any(are_signs)
}

/// Fills a template of the vocabulary; [`Vocabulary::read`] has checked its variables.
pub(in super::super) fn filled(template: &Template, variables: &[(&str, &str)]) -> String {
    let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    template.fill(&variables).unwrap_or_default()
}
