//! Shares in per cent: some scripts give 0.0312, others 3.12.

use super::plan::Plan;
use super::relation::OpenRelation;

/// Ends of names of shares.
const ENDS: [&str; 3] = ["_share", "_rate", "_ratio"];

/// Turns the shares of a result into per cent with so many decimals, under a name that says so, also in sentences.
pub fn in_percent(plan: &mut Plan, relation: &mut OpenRelation, decimals: usize) {
    for place in 0..relation.columns.len() {
        let Some(quotient) = quotient(&relation.columns[place].text) else { continue };
        let text = format!("ROUND({quotient} * 100, {decimals})");
        let old = relation.columns[place].name.clone();
        let new = percent_name(&old);
        let name = if relation.column(&new).is_some() { old.clone() } else { new };
        let block = &mut plan.blocks[relation.block];
        for output in block.outputs.iter_mut().filter(|output| output.name == old) {
            output.name.clone_from(&name);
            output.text.clone_from(&text);
        }
        let column = &mut relation.columns[place];
        column.text = text;
        column.meaning.words = format!("{} (%)", column.meaning.words);
        column.name.clone_from(&name);
        let (was, is) = (format!("`{old}`"), format!("`{name}`"));
        let sentences = plan.decisions.iter_mut().flat_map(|decided| &mut decided.sentences);
        let notes = plan.notes.iter_mut().map(|(_, note)| note);
        sentences.chain(notes).for_each(|text| *text = text.replace(&was, &is));
    }
}

fn percent_name(name: &str) -> String {
    let stem = ENDS.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    format!("{stem}_pct")
}

/// Returns the quotient in a text that is a quotient rounded to four decimals; `None` for any other.
fn quotient(text: &str) -> Option<&str> {
    let inner = text.strip_prefix("ROUND(")?.strip_suffix(", 4)")?;
    let (mut depth, mut divided) = (0, false);
    for (place, letter) in inner.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            '/' if depth == 0 => divided = true,
            ',' if depth == 0 => return None,
            '+' | '-' if depth == 0 && inner[place..].get(1..2) == Some(" ") => return None,
            _ => {}
        }
        if depth < 0 {
            return None;
        }
    }
    divided.then_some(inner)
}

#[cfg(test)]
mod tests {
    use super::{percent_name, quotient};

    #[test]
    fn only_plain_quotients_become_percentages() {
        assert_eq!(quotient("ROUND(a / NULLIF(b - c, 0), 4)"), Some("a / NULLIF(b - c, 0)"));
        assert_eq!(quotient("ROUND(a / b - 1, 4)"), None);
        assert_eq!(quotient("ROUND(AVG(a), 4)"), None);
        assert_eq!(quotient("ROUND(a / b, 4) + ROUND(c / d, 4)"), None);
        assert_eq!(percent_name("fare_share"), "fare_pct");
    }
}
