//! `insert`: text next to a node or to one of its words.

use crate::code::edit::Edit;
use crate::code::tree::NodeId;
use crate::fault::operator::{Insert, InsertPlace};
use crate::inject::ground::Ground;
use crate::inject::proposal::Proposals;
use crate::inject::removal::joins_words;
use crate::inject::selection::select;

/// Puts each text at the place; words are kept apart by a blank, a comma or bracket touches the word before it.
pub(super) fn insert(ground: &Ground<'_>, parameters: &Insert, out: &mut Proposals) {
    for node in select(ground, &parameters.at) {
        for place in places(ground, node, &parameters.place) {
            for text in parameters.text.iter() {
                let text = ground.keyword(node, text);
                out.push(ground.text(), node, vec![insertion(ground.text(), &text, place)]);
            }
        }
    }
}

/// A byte, and whether the text comes before what stands there rather than behind it.
type Place = (usize, bool);

fn places(ground: &Ground<'_>, node: NodeId, place: &InsertPlace) -> Vec<Place> {
    let span = ground.tree().span(node);
    let words = |word: &String| ground.find_words(node, std::slice::from_ref(word));
    match place {
        InsertPlace::Before => vec![(span.start, true)],
        InsertPlace::After => vec![(span.end, false)],
        InsertPlace::BeforeWord(word) => {
            words(word).into_iter().map(|(first, _)| (ground.token_span(first).start, true)).collect()
        }
        InsertPlace::AfterWord(word) => {
            words(word).into_iter().map(|(_, last)| (ground.token_span(last).end, false)).collect()
        }
    }
}

fn insertion(script: &str, text: &str, (at, before): Place) -> Edit {
    let touches = text.starts_with([',', ')', ';', '(']);
    let opens = script[..at].ends_with('(');
    let padded = match before {
        true => format!("{text} "),
        false if opens => format!("{text} "),
        false if touches => text.to_owned(),
        false if joins_words(text, &script[at..]) => format!(" {text} "),
        false => format!(" {text}"),
    };
    Edit::insertion(at, padded)
}
