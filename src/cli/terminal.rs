//! What may reach a terminal: texts of runs and answers are strangers', and control characters in them are commands.

/// The text with control characters and changes of writing direction written out, so that it only shows.
pub fn escaped(text: &str) -> String {
    escaped_but(text, &[])
}

/// As [`escaped`], with line breaks kept.
pub fn escaped_lines(text: &str) -> String {
    escaped_but(text, &['\n'])
}

fn escaped_but(text: &str, kept: &[char]) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        let turns = matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}');
        if (letter.is_control() || turns) && !kept.contains(&letter) {
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
    }
}
