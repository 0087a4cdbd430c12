//! Parses and encodes URLs.

use rusqlite::types::Value;

use super::arguments::{Arguments, CallError};
use super::body::{Body, text};

pub(super) const FUNCTIONS: &[(&str, Body)] =
    &[("h_parse_url", parse_url), ("h_url_encode", |a| text(encode(&a.text(0)?))), ("h_url_decode", decode)];

/// The pieces of `scheme://authority/path?query#fragment`.
struct UrlParts<'a> {
    scheme: Option<&'a str>,
    authority: Option<&'a str>,
    path: &'a str,
    query: Option<&'a str>,
    fragment: Option<&'a str>,
}

impl<'a> UrlParts<'a> {
    fn read(source: &'a str) -> Option<Self> {
        if source.contains([' ', '\\', '<', '>', '"', '{', '}', '|', '^', '`']) {
            return None;
        }
        let (rest, fragment) = split(source, '#');
        let (rest, query) = split(rest, '?');
        let is_scheme = |name: &str| name.starts_with(|c: char| c.is_ascii_alphabetic()) && !name.contains(['/', '.']);
        let (scheme, rest) = match rest.split_once(':') {
            Some((scheme, after)) if is_scheme(scheme) => (Some(scheme), after),
            _ => (None, rest),
        };
        let (authority, path) = match rest.strip_prefix("//") {
            Some(after) => {
                let end = after.find('/').unwrap_or(after.len());
                (Some(&after[..end]).filter(|authority| !authority.is_empty()), &after[end..])
            }
            None => (None, rest),
        };
        Some(Self { scheme, authority, path, query, fragment })
    }

    fn user(&self) -> Option<&'a str> {
        self.authority?.rsplit_once('@').map(|(user, _)| user)
    }

    fn host(&self) -> Option<&'a str> {
        let authority = self.authority?;
        let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
        Some(
            host.rsplit_once(':')
                .filter(|(_, port)| port.bytes().all(|b| b.is_ascii_digit()))
                .map_or(host, |(host, _)| host),
        )
    }

    fn parameter(&self, name: &str) -> Option<&'a str> {
        let pairs = self.query?.split('&').filter_map(|pair| pair.split_once('='));
        pairs.into_iter().find(|(key, _)| *key == name).map(|(_, value)| value)
    }
}

fn split(source: &str, by: char) -> (&str, Option<&str>) {
    source.split_once(by).map_or((source, None), |(before, after)| (before, Some(after)))
}

fn parse_url(a: &Arguments<'_>) -> Option<Value> {
    let (source, part) = (a.text(0)?, a.text(1)?);
    let address = UrlParts::read(&source)?;
    if a.len() > 2 {
        let name = a.text(2)?;
        return text(if *part == *"QUERY" { address.parameter(&name)? } else { return None });
    }
    text(match &*part {
        "PROTOCOL" => address.scheme?.to_owned(),
        "AUTHORITY" => address.authority?.to_owned(),
        "USERINFO" => address.user()?.to_owned(),
        "HOST" => address.host()?.to_owned(),
        "PATH" => address.path.to_owned(),
        "QUERY" => address.query?.to_owned(),
        "REF" => address.fragment?.to_owned(),
        "FILE" => match address.query {
            Some(query) => format!("{}?{query}", address.path),
            None => address.path.to_owned(),
        },
        _ => return None,
    })
}

fn encode(source: &str) -> String {
    let mut result = String::new();
    for byte in source.bytes() {
        match byte {
            b' ' => result.push('+'),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'*' => result.push(char::from(byte)),
            other => result.push_str(&format!("%{other:02X}")),
        }
    }
    result
}

fn decode(a: &Arguments<'_>) -> Option<Value> {
    let source = a.text(0)?;
    let mut bytes = Vec::new();
    let mut rest = source.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        bytes.push(match first {
            b'+' => b' ',
            b'%' => {
                let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
                let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
                rest = after.get(2..).unwrap_or_default();
                byte.or_else(|| a.refuse(CallError::Argument))?
            }
            other => *other,
        });
    }
    String::from_utf8(bytes).ok().or_else(|| a.refuse(CallError::Bytes)).and_then(text)
}
