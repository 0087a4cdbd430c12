//! Misspells names as people do: with a single slip of hand or memory, never as a random string.
//!
//! Which typos there are follows what studies of typing errors agree on: nine in ten misspellings hold one mistake, a
//! lost letter is the commonest, and most letters too many are doubled ones (Pollock and Zamora, "Collection and
//! characterization of spelling errors in scientific and scholarly text", JASIS 34, 1983); few are in the first letter,
//! and neighbours on the keyboard and in the word take each other's place (Yannakoudakis and Fawthrop, "The rules of
//! spelling errors", 1983). The plural and the lost underscore are the forms that these mistakes take in names.

use sha2::{Digest, Sha256};

/// One kind of typo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Typo {
    LostLetter,
    LostUnderscore,
    DoubledLetter,
    Plural,
    NeighbouringKey,
    ExchangedLetters,
}

/// Every typo with its share in per cent: lost letters are commoner than letters too many, these than wrong ones, and
/// these than exchanged ones.
const TYPOS: [(Typo, usize); 6] = [
    (Typo::LostLetter, 26),
    (Typo::LostUnderscore, 10),
    (Typo::DoubledLetter, 16),
    (Typo::Plural, 12),
    (Typo::NeighbouringKey, 20),
    (Typo::ExchangedLetters, 16),
];

/// The letters beside each letter of a QWERTY keyboard: in its row, and those it touches in the rows above and below.
const NEIGHBOURING_KEYS: [(u8, &[u8]); 26] = [
    (b'a', b"qwsz"),
    (b'b', b"vghn"),
    (b'c', b"xdfv"),
    (b'd', b"serfcx"),
    (b'e', b"wsdr"),
    (b'f', b"drtgvc"),
    (b'g', b"ftyhbv"),
    (b'h', b"gyujnb"),
    (b'i', b"ujko"),
    (b'j', b"huikmn"),
    (b'k', b"jiolm"),
    (b'l', b"kop"),
    (b'm', b"njk"),
    (b'n', b"bhjm"),
    (b'o', b"iklp"),
    (b'p', b"ol"),
    (b'q', b"wa"),
    (b'r', b"edft"),
    (b's', b"awedxz"),
    (b't', b"rfgy"),
    (b'u', b"yhji"),
    (b'v', b"cfgb"),
    (b'w', b"qase"),
    (b'x', b"zsdc"),
    (b'y', b"tghu"),
    (b'z', b"asx"),
];

/// Shorter words are not misspelt, because the result would look like another name rather than a typo.
const SHORTEST_WORD: usize = 4;

/// Returns misspellings of `name`, at most one of each kind, in an order drawn by how frequent the kinds are.
///
/// `place` tells the occurrences of a name apart, so that not every use of a column is misspelt in the same way. The
/// same name at the same place always gives the same misspellings.
pub(crate) fn misspellings(name: &str, place: usize) -> Vec<String> {
    if name.len() < SHORTEST_WORD || !name.is_ascii() {
        return Vec::new();
    }
    let mut choice = KeyedChoice::of(name, place);
    let mut left = TYPOS.to_vec();
    let mut list = Vec::new();
    while let Some(at) = draw(&left, &mut choice) {
        let (typo, _) = left.remove(at);
        list.extend(typo.made_in(name, &mut choice).filter(|new| new != name && !list.contains(new)));
    }
    list
}

/// Choices that look random but are fixed by a name and its place, so that the mutants of a site never change.
struct KeyedChoice {
    digest: [u8; 32],
    used: usize,
}

impl KeyedChoice {
    fn of(name: &str, place: usize) -> KeyedChoice {
        let mut hash = Sha256::new();
        hash.update(name.as_bytes());
        hash.update((place as u64).to_le_bytes());
        KeyedChoice { digest: hash.finalize().into(), used: 0 }
    }

    /// Returns a number below `end`. A list of typos needs fewer choices than the digest has pairs of bytes.
    fn below(&mut self, end: usize) -> usize {
        let at = self.used % self.digest.len();
        self.used += 2;
        usize::from(u16::from_le_bytes([self.digest[at], self.digest[at + 1]])) % end
    }

    fn from<T: Copy>(&mut self, list: &[T]) -> Option<T> {
        (!list.is_empty()).then(|| list[self.below(list.len())])
    }
}

/// Draws the index of a typo of `left` in proportion to the shares; `None` if none is left.
fn draw(left: &[(Typo, usize)], choice: &mut KeyedChoice) -> Option<usize> {
    let total = left.iter().map(|(_, share)| share).sum::<usize>();
    let mut ticket = (total > 0).then(|| choice.below(total))?;
    left.iter().position(|(_, share)| {
        let won = ticket < *share;
        ticket = ticket.saturating_sub(*share);
        won
    })
}

impl Typo {
    /// Returns the name with this typo; `None` if the name has no place for it.
    fn made_in(self, name: &str, choice: &mut KeyedChoice) -> Option<String> {
        let bytes = name.as_bytes();
        match self {
            Typo::Plural => {
                let singular = name.strip_suffix(['s', 'S']).filter(|rest| !rest.ends_with(['s', 'S']));
                singular.map(str::to_owned).or_else(|| plural(name))
            }
            Typo::LostUnderscore => {
                let at = name.rfind('_').filter(|at| *at > 0 && at + 1 < name.len())?;
                Some(spliced(name, at, 1, ""))
            }
            Typo::LostLetter => choice.from(&inner_letters(name)).map(|at| spliced(name, at, 1, "")),
            Typo::DoubledLetter => {
                let single = |at: &usize| bytes[at - 1] != bytes[*at] && bytes.get(at + 1) != Some(&bytes[*at]);
                let places: Vec<usize> = inner_letters(name).into_iter().filter(single).collect();
                choice.from(&places).map(|at| spliced(name, at, 0, &name[at..=at]))
            }
            Typo::ExchangedLetters => {
                let inner = inner_letters(name);
                let apart = |at: &usize| inner.contains(&(at + 1)) && !bytes[*at].eq_ignore_ascii_case(&bytes[at + 1]);
                let places: Vec<usize> = inner.iter().copied().filter(apart).collect();
                let swapped = |at: usize| format!("{}{}", &name[at + 1..=at + 1], &name[at..=at]);
                choice.from(&places).map(|at| spliced(name, at, 2, &swapped(at)))
            }
            Typo::NeighbouringKey => {
                let at = choice.from(&inner_letters(name))?;
                let key = choice.from(neighbouring_keys(bytes[at]))?;
                let key = if bytes[at].is_ascii_uppercase() { key.to_ascii_uppercase() } else { key };
                Some(spliced(name, at, 1, &char::from(key).to_string()))
            }
        }
    }
}

/// Returns the keys beside that of a letter, in lower case; empty for anything but a letter.
fn neighbouring_keys(letter: u8) -> &'static [u8] {
    let letter = letter.to_ascii_lowercase();
    NEIGHBOURING_KEYS.iter().find(|(key, _)| *key == letter).map_or(&[], |(_, beside)| beside)
}

fn plural(name: &str) -> Option<String> {
    let last = name.chars().next_back().filter(|last| last.is_ascii_alphabetic() && !matches!(last, 's' | 'S'))?;
    Some(format!("{name}{}", if last.is_ascii_uppercase() { 'S' } else { 's' }))
}

/// Returns the positions of the letters of longer words, without the first letter of each.
fn inner_letters(name: &str) -> Vec<usize> {
    let mut places = Vec::new();
    let mut start = 0;
    for word in name.split(|c: char| !c.is_ascii_alphabetic()) {
        if word.len() >= SHORTEST_WORD {
            places.extend(start + 1..start + word.len());
        }
        start += word.len() + 1;
    }
    places
}

fn spliced(name: &str, at: usize, length: usize, new: &str) -> String {
    format!("{}{new}{}", &name[..at], &name[at + length..])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::code::grammar::ends_an_expression;
    use crate::fault::{Operator, Taxonomy};

    /// Returns the first misspelling of each name at many places, beside the name.
    fn first_typos(names: &[&str]) -> Vec<(String, String)> {
        let places = names.iter().flat_map(|name| (0..200).map(move |place| (*name, place)));
        places.map(|(name, place)| (name.to_owned(), misspellings(name, place).remove(0))).collect()
    }

    fn one_key_apart(name: &str, new: &str) -> bool {
        let differ: Vec<(u8, u8)> = name.bytes().zip(new.bytes()).filter(|(a, b)| a != b).collect();
        let [(old, new)] = differ[..] else { return false };
        neighbouring_keys(old).contains(&new.to_ascii_lowercase())
            && old.is_ascii_uppercase() == new.is_ascii_uppercase()
    }

    #[test]
    fn the_keyboard_is_that_of_three_rows() {
        const ROWS: [&str; 3] = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];
        // A row stands about half a key to the right of the one above it.
        let place = |key: u8| {
            let row = ROWS.iter().position(|row| row.contains(char::from(key))).unwrap();
            (row as f64, ROWS[row].find(char::from(key)).unwrap() as f64 + 0.5 * row as f64)
        };
        for (key, beside) in NEIGHBOURING_KEYS {
            let (row, column) = place(key);
            let near = (b'a'..=b'z').filter(|other| {
                let (other_row, other_column) = place(*other);
                *other != key && (row - other_row).abs() <= 1.0 && (column - other_column).abs() <= 1.0
            });
            let mut listed = beside.to_vec();
            listed.sort_unstable();
            assert_eq!(listed, near.collect::<Vec<u8>>(), "{}", char::from(key));
        }
    }

    #[test]
    fn every_kind_of_typo_is_made_and_a_lost_letter_most_often() {
        let first = first_typos(&["passenger_id", "claim_amount", "billing_cycle"]);
        let share = |is: &dyn Fn(&str, &str) -> bool| {
            first.iter().filter(|(name, new)| is(name, new)).count() as f64 / first.len() as f64
        };
        let keyboard = share(&|name, new| name.len() == new.len() && one_key_apart(name, new));
        let exchanged = share(&|name, new| name.len() == new.len() && !one_key_apart(name, new));
        let lost = share(&|name, new| new.len() < name.len());
        let added = share(&|name, new| new.len() > name.len());
        assert!(lost > added && added > keyboard && keyboard > exchanged, "{lost} {added} {keyboard} {exchanged}");
        assert!(exchanged > 0.1, "{exchanged}");
    }

    /// Every word that the taxonomy's faults called "misspelt" list, with what is written for it.
    fn listed_misspellings() -> Vec<(String, String)> {
        let taxonomy = Taxonomy::embedded().unwrap();
        let misspelt = taxonomy.faults().iter().filter(|fault| fault.id.ends_with("-misspelt"));
        let lists = misspelt.filter_map(|fault| match fault.written_operator()? {
            Operator::MisspellWords(parameters) => Some(&parameters.words),
            Operator::RenameFunction(parameters) => Some(&parameters.names),
            _ => None,
        });
        let pairs = lists.flatten().flat_map(|(word, list)| list.iter().map(|new| (word.clone(), new.clone())));
        pairs.collect()
    }

    #[test]
    fn the_misspellings_that_the_taxonomy_lists_are_typos_and_no_known_words() {
        let vowels = |name: &str, new: &str| {
            let mut differ = name.bytes().zip(new.bytes()).filter(|(old, new)| old != new);
            differ.all(|(old, new)| b"aeiou".contains(&old) && b"aeiou".contains(&new))
        };
        let listed = listed_misspellings();
        assert!(listed.len() > 60, "{}", listed.len());
        let mut by_keyboard = 0;
        for (word, new) in listed {
            let known = ends_an_expression(&new) || crate::code::functions::lookup(&new).is_some();
            assert!(!known, "{new}");
            assert!(strsim::osa_distance(&word, &new) <= 2, "{word} {new}");
            let substituted = word.len() == new.len() && strsim::osa_distance(&word, &new) == 1;
            if substituted && strsim::levenshtein(&word, &new) == 1 {
                by_keyboard += usize::from(one_key_apart(&word, &new));
                assert!(one_key_apart(&word, &new) || vowels(&word, &new), "{word} {new}");
            }
        }
        assert!(by_keyboard > 8, "{by_keyboard}");
    }

    #[test]
    fn short_words_are_not_mistyped() {
        assert!(misspellings("id", 7).is_empty());
        assert!(misspellings("größe", 7).is_empty());
        assert!(misspellings("user_id", 7).iter().all(|new| new == "user_ids" || !new.ends_with("s")));
        assert!((0..50).flat_map(|place| misspellings("a_id_9", place)).all(|new| new == "a_id9"));
    }

    proptest! {
        #[test]
        fn a_typo_is_one_mistake_behind_the_first_letter(name in "[a-z]{1,9}(_[A-Za-z0-9]{1,8}){0,3}", place in 0usize..99) {
            let typos = misspellings(&name, place);
            prop_assert_eq!(&typos, &misspellings(&name, place));
            for typo in &typos {
                prop_assert_eq!(strsim::osa_distance(&name, typo), 1, "{} {}", &name, typo);
                prop_assert_eq!(typo.as_bytes()[0], name.as_bytes()[0]);
                let substituted = name.len() == typo.len() && strsim::levenshtein(&name, typo) == 1;
                prop_assert!(!substituted || one_key_apart(&name, typo), "{} {}", &name, typo);
            }
            let distinct: std::collections::HashSet<&String> = typos.iter().collect();
            prop_assert_eq!(distinct.len(), typos.len());
        }
    }
}
