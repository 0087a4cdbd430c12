//! Edge cases of texts: dates in unusual spellings, words that read as booleans, near misses of a pattern, JSON without a
//! field.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde_json::Value as Json;

use crate::code::types::Type;
use crate::prove::data::calendar;

/// Words that read as true or false.
const TRUTHS: [&str; 6] = ["true", "y", "t", "YES", "false", "n"];

/// Returns an edge case of a text; `texts` are the literals of the script near the fault.
pub fn edge_case(text: &str, data_type: &Type, texts: &[String], chance: &mut ChaCha8Rng) -> String {
    let structured = data_type.is_nested() || text.starts_with(['{', '[']);
    match serde_json::from_str::<Json>(text) {
        Ok(mut json) if structured => {
            inside(&mut json, texts, chance);
            json.to_string()
        }
        _ => plain(text, texts, chance),
    }
}

fn plain(text: &str, texts: &[String], chance: &mut ChaCha8Rng) -> String {
    if let Some(forms) = calendar::date(text).filter(|_| text.contains('-')).map(|_| dates(text)) {
        return forms[chance.random_range(0..forms.len())].clone();
    }
    let mut forms: Vec<String> = TRUTHS.iter().map(|word| (*word).to_owned()).collect();
    for base in texts {
        forms.extend([format!("q{base}"), format!("q{}", base.replace('_', "x")), format!("{base}q"), base.clone()]);
    }
    forms[chance.random_range(0..forms.len())].clone()
}

/// Returns forms of a date: without leading zeros, with slashes, followed by an invalid time, after other
/// text, cut short, and empty.
fn dates(text: &str) -> Vec<String> {
    let day = calendar::shift(text, 0).unwrap_or_default();
    let short = day.replace("-0", "-");
    let other = if short == day { day.clone() } else { short.clone() };
    vec![
        other,
        calendar::shift(text, -12).map(|day| day.replace("-0", "-")).unwrap_or_default(),
        day.replace('-', "/"),
        format!("{day} 25:61:00"),
        format!("n/a {day}"),
        day.chars().take(7).collect(),
        String::new(),
    ]
}

fn inside(json: &mut Json, texts: &[String], chance: &mut ChaCha8Rng) {
    match json {
        Json::Array(items) if !items.is_empty() => {
            for item in items.iter_mut() {
                if chance.random_bool(0.6) {
                    inside(item, texts, chance);
                }
            }
        }
        Json::Object(fields) if !fields.is_empty() => {
            let at = chance.random_range(0..fields.len());
            let Some(name) = fields.keys().nth(at).cloned() else { return };
            match (chance.random_bool(0.4), fields.get_mut(&name)) {
                (true, Some(value)) => *value = Json::Null,
                (false, Some(value)) => inside(value, texts, chance),
                (_, None) => {}
            }
        }
        Json::String(text) => *text = plain(text, texts, chance),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use std::collections::BTreeSet;

    #[test]
    fn each_kind_of_text_gets_forms_of_its_own_and_json_stays_json() {
        let mut chance = ChaCha8Rng::from_seed([7; 32]);
        let mut forms = |text: &str, data_type: Type| -> BTreeSet<String> {
            (0..80).map(|_| edge_case(text, &data_type, &["_dry".to_owned()], &mut chance)).collect()
        };
        let dates = forms("2024-03-05 10:00:00", Type::String);
        assert!(dates.contains("2024-3-5") && dates.contains("2024/03/05") && dates.contains(""), "{dates:?}");
        let words = forms("x", Type::String);
        assert!(words.contains("true") && words.contains("qxdry") && words.contains("q_dry"), "{words:?}");
        let json = forms(r#"{"a":"x","b":"y"}"#, Type::String);
        assert!(json.contains(r#"{"a":null,"b":"y"}"#), "{json:?}");
        assert!(json.iter().all(|text| serde_json::from_str::<Json>(text).is_ok()));
    }
}
