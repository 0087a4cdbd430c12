//! The values of string literals.

/// The value of a string literal as written; adjacent literals (`'a' 'b'`) are one value.
///
/// Follows Spark 4: a backslash escapes, a doubled quote stands for itself, and `\%` and `\_` keep their backslash
/// because LIKE needs it.
pub fn text_value(literal: &str) -> String {
    let mut value = String::with_capacity(literal.len());
    let mut rest = literal.chars().peekable();
    let mut quote = None;
    while let Some(next) = rest.next() {
        match quote {
            None if next == 'r' || next == 'R' => raw(&mut value, &mut rest),
            None if next == '\'' || next == '"' => quote = Some(next),
            None => {}
            Some(open) if next == open => {
                if rest.next_if_eq(&open).is_some() {
                    value.push(open);
                } else {
                    quote = None;
                }
            }
            Some(_) if next == '\\' => escaped(&mut value, &mut rest),
            Some(_) => value.push(next),
        }
    }
    value
}

/// Returns a text as a literal.
pub fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

/// The rest of `r'…'`, in which nothing is escaped.
fn raw(value: &mut String, rest: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    if let Some(quote) = rest.next() {
        value.extend(rest.by_ref().take_while(|next| *next != quote));
    }
}

fn escaped(value: &mut String, rest: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    match rest.next() {
        Some('n') => value.push('\n'),
        Some('t') => value.push('\t'),
        Some('r') => value.push('\r'),
        Some('b') => value.push('\u{8}'),
        Some(first @ ('0' | '1')) => octal(first, value, rest),
        Some('Z') => value.push('\u{1a}'),
        Some(wildcard @ ('%' | '_')) => value.extend(['\\', wildcard]),
        Some('u') => unicode(value, rest),
        Some(other) => value.push(other),
        None => value.push('\\'),
    }
}

/// `\001`: three octal digits up to `\177`; `\0` alone is the NUL character.
fn octal(first: char, value: &mut String, rest: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    let digits: String = std::iter::once(first).chain(rest.clone().take(2)).collect();
    match u8::from_str_radix(&digits, 8) {
        Ok(code) if digits.len() == 3 => {
            value.push(char::from(code));
            rest.nth(1);
        }
        _ => value.push(if first == '0' { '\0' } else { first }),
    }
}

/// `\uXXXX`; a `\u` without four hexadecimal digits is the letter `u`.
fn unicode(value: &mut String, rest: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    let digits: String = rest.clone().take(4).take_while(char::is_ascii_hexdigit).collect();
    let code = if digits.len() == 4 { u32::from_str_radix(&digits, 16).ok() } else { None };
    match code.and_then(char::from_u32) {
        Some(character) => {
            value.push(character);
            for _ in 0..4 {
                rest.next();
            }
        }
        None => value.push('u'),
    }
}

#[cfg(test)]
mod tests {
    use super::text_value;

    #[test]
    fn literals_have_the_value_that_spark_gives_them() {
        let cases = [
            ("'a'", "a"),
            ("\"it's\"", "it's"),
            ("'it''s'", "it's"),
            (r"'it\'s'", "it's"),
            (r"'a\\b'", r"a\b"),
            (r"'100\%'", r"100\%"),
            ("'a' 'b'", "ab"),
            (r"'\u4e2d'", "中"),
            (r"'\d'", "d"),
            (r"'\001|\101'", "\u{1}|A"),
            (r"'\0|\18|\400'", "\0|18|400"),
            ("''", ""),
            (r"r'a\d' 'e'", r"a\de"),
        ];
        for (literal, value) in cases {
            assert_eq!(text_value(literal), value, "{literal}");
        }
    }
}
