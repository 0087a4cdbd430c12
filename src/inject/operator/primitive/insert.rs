//! `insert`: text next to a node or to one of its words.

use crate::code::edit::Edit;
use crate::code::tree::NodeId;
use crate::fault::operator::{Insert, InsertPlace};
use crate::inject::proposal::Proposals;
use crate::inject::removal::joins_words;
use crate::inject::script_context::ScriptContext;
use crate::inject::selection::select;

/// Inserts each text at the place. Words are separated by a blank; a comma or bracket follows the word before it
/// directly.
pub(super) fn insert(context: &ScriptContext<'_>, parameters: &Insert, out: &mut Proposals) {
    for node in select(context, &parameters.at) {
        for point in insertion_points(context, node, &parameters.place) {
            for text in parameters.text.iter() {
                let text = context.keyword(node, text);
                out.push(context.text(), node, vec![insertion(context.text(), &text, &point)]);
            }
        }
    }
}

/// Where a text is inserted.
struct InsertionPoint {
    /// The byte offset.
    at: usize,
    /// Whether the text belongs to the code that starts there rather than to the code that ends there.
    before: bool,
}

fn insertion_points(context: &ScriptContext<'_>, node: NodeId, place: &InsertPlace) -> Vec<InsertionPoint> {
    let span = context.tree().span(node);
    let before = |at| InsertionPoint { at, before: true };
    let after = |at| InsertionPoint { at, before: false };
    let words = |word: &String| context.find_words(node, std::slice::from_ref(word));
    match place {
        InsertPlace::Before => vec![before(span.start)],
        InsertPlace::After => vec![after(span.end)],
        InsertPlace::BeforeWord(word) => {
            words(word).into_iter().map(|(first, _)| before(context.token_span(first).start)).collect()
        }
        InsertPlace::AfterWord(word) => {
            words(word).into_iter().map(|(_, last)| after(context.token_span(last).end)).collect()
        }
    }
}

fn insertion(script: &str, text: &str, point: &InsertionPoint) -> Edit {
    let touches = text.starts_with([',', ')', ';', '(']);
    let opens = script[..point.at].ends_with('(');
    let padded = match point.before {
        true => format!("{text} "),
        false if opens => format!("{text} "),
        false if touches => text.to_owned(),
        false if joins_words(text, &script[point.at..]) => format!(" {text} "),
        false => format!(" {text}"),
    };
    Edit::insertion(point.at, padded)
}
