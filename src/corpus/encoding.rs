//! The text of a file that others wrote: in UTF-8, in UTF-16 with its mark, or in an encoding of older editors such as
//! GB18030.

use std::io::{Error, ErrorKind};

/// The text of a file.
pub(super) struct DecodedFile {
    /// The text, without a byte order mark.
    pub text: String,
    /// The encoding that it had; `None` if that was UTF-8.
    pub encoding: Option<&'static str>,
}

impl DecodedFile {
    /// Reads the bytes of a file.
    ///
    /// # Errors
    ///
    /// If they are text in no encoding that is known; without the feature `cli`, if they are not UTF-8.
    pub fn of(bytes: Vec<u8>) -> Result<DecodedFile, Error> {
        match String::from_utf8(bytes) {
            Ok(mut text) => {
                if text.starts_with('\u{feff}') {
                    text.remove(0);
                }
                Ok(DecodedFile { text, encoding: None })
            }
            Err(other) => decoded(other.as_bytes())
                .ok_or_else(|| Error::new(ErrorKind::InvalidData, "the file is text in no encoding that is known")),
        }
    }
}

#[cfg(feature = "cli")]
fn decoded(bytes: &[u8]) -> Option<DecodedFile> {
    use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
    use encoding_rs::Encoding;

    let guessed = || {
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
        detector.feed(bytes, true);
        detector.guess(None, Utf8Detection::Deny)
    };
    let encoding = Encoding::for_bom(bytes).map_or_else(guessed, |(encoding, _)| encoding);
    let (text, encoding, has_errors) = encoding.decode(bytes);
    // No script holds the character 0, most other files do.
    let is_text = !has_errors && !text.contains('\0');
    is_text.then(|| DecodedFile { text: text.into_owned(), encoding: Some(encoding.name()) })
}

#[cfg(not(feature = "cli"))]
fn decoded(_bytes: &[u8]) -> Option<DecodedFile> {
    None
}

#[cfg(all(test, feature = "cli"))]
mod tests {
    use super::*;

    #[test]
    fn texts_of_older_editors_are_read() {
        let script = "-- 全部订单\nSELECT order_id FROM orders WHERE city = '上海'; -- 按城市统计订单数量和金额";
        let utf16: Vec<u8> = std::iter::once(0xfeff).chain(script.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        let spanish = "-- Cálculo del saldo de la nómina por periodo y año\nSELECT saldo FROM nomina";
        for (bytes, text, encoding) in [
            (encoding_rs::GB18030.encode(script).0.into_owned(), script, Some("GBK")),
            (utf16, script, Some("UTF-16LE")),
            (encoding_rs::WINDOWS_1252.encode(spanish).0.into_owned(), spanish, Some("windows-1252")),
            (format!("\u{feff}{script}").into_bytes(), script, None),
        ] {
            let read = DecodedFile::of(bytes).unwrap();
            assert_eq!((read.encoding, read.text.as_str()), (encoding, text));
        }
    }

    #[test]
    fn what_is_no_text_is_refused() {
        for bytes in [&b"\x7fELF\x02\x01\x01\0\0\xff"[..], b"\xff\xfe\x00", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"] {
            let error = DecodedFile::of(bytes.to_vec()).err().map(|error| error.kind());
            assert_eq!(error, Some(ErrorKind::InvalidData), "{bytes:?}");
        }
    }
}
