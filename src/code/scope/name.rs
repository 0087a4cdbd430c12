//! Names as they are compared: without quotes, lower case.

use std::borrow::Cow;

use crate::code::script::unquoted;

/// A lower-case name; most are written so and need no copy.
pub(super) type Name<'a> = Cow<'a, str>;

/// The name an identifier means.
pub(super) fn lower_name(written: &str) -> Name<'_> {
    let name = unquoted(written);
    let is_lower = name.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase());
    if is_lower { Cow::Borrowed(name) } else { Cow::Owned(name.to_lowercase()) }
}
