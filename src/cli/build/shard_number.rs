//! Reads which part of a run is to be made.

use crate::pipeline::Shard;

/// Reads a part and the number of parts, as `2/5`.
pub fn shard(text: &str) -> Result<Shard, String> {
    let numbers = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
    match numbers {
        Some((number, of)) if 1 <= number && number <= of => Ok(Shard { number, of }),
        _ => Err("expected the part and the number of parts, as `2/5`".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::shard;
    use crate::pipeline::Shard;

    #[test]
    fn shards_are_numbered_from_one() {
        assert_eq!(shard("2/5"), Ok(Shard { number: 2, of: 5 }));
        for wrong in ["0/5", "6/5", "2", "/", "a/b", "1/0", "-1/2"] {
            assert!(shard(wrong).is_err(), "{wrong}");
        }
    }
}
