//! Who may see which page.

use rand::TryRng;
use rand::rngs::SysRng;

use crate::store::hexadecimal;

/// An annotator and the secret in the address of their page.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Access {
    pub(super) annotator: String,
    pub(super) token: String,
}

/// 128 random bits of the system, in hexadecimal.
pub(super) fn token() -> Result<String, std::io::Error> {
    let mut bytes = [0u8; 16];
    SysRng.try_fill_bytes(&mut bytes).map_err(std::io::Error::other)?;
    Ok(hexadecimal(&bytes))
}
