//! Makes text safe for a terminal: runs and answers may be foreign, and control characters in them act as commands.

/// Returns the text with control characters and changes of writing direction as escapes.
pub fn escaped(text: &str) -> String {
    escaped_but(text, &[])
}

/// Does the same as [`escaped`], but keeps line breaks.
pub fn escaped_lines(text: &str) -> String {
    escaped_but(text, &['\n'])
}

/// Returns a value as a line of JSON that is no command to a terminal either: what JSON leaves as it is of control
/// characters and changes of writing direction is escaped as well.
pub fn escaped_json(value: &serde_json::Value) -> String {
    let mut line = String::new();
    for letter in value.to_string().chars() {
        if letter.is_control() || turns(letter) {
            // All of them have four hexadecimal digits at most.
            line.push_str(&format!("\\u{:04x}", u32::from(letter)));
        } else {
            line.push(letter);
        }
    }
    line
}

/// Whether a character changes the direction of writing.
fn turns(letter: char) -> bool {
    matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
}

fn escaped_but(text: &str, kept: &[char]) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        if (letter.is_control() || turns(letter)) && !kept.contains(&letter) {
            shown.extend(letter.escape_unicode());
        } else {
            shown.push(letter);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_to_a_terminal_are_written_out_and_other_text_stays() {
        let title = "a\u{1b}]0;owned\u{7}b\n\u{202e}c";
        assert_eq!(escaped(title), "a\\u{1b}]0;owned\\u{7}b\\u{a}\\u{202e}c");
        assert_eq!(escaped_lines("x\ny\r"), "x\ny\\u{d}");
        assert_eq!(escaped("naïve ☃ 上海"), "naïve ☃ 上海");
        let json = escaped_json(&serde_json::json!({ "a": "\u{1b}\u{9b}\u{202e}é" }));
        assert_eq!(json, "{\"a\":\"\\u001b\\u009b\\u202eé\"}");
    }
}
