//! Makes text safe for a terminal: runs and answers may be foreign, and control characters in them act as commands.

/// Returns the text with control characters and changes of writing direction as escapes.
pub fn escaped(text: &str) -> String {
    escaped_but(text, &[])
}

/// Does the same as [`escaped`], but keeps line breaks.
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
