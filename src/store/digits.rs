//! Digests as text.

/// Returns the bytes as lower-case hexadecimal digits, two a byte.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_byte_has_two_digits() {
        assert_eq!(super::hexadecimal(&[0, 10, 255]), "000aff");
    }
}
