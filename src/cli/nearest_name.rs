//! The names that a user may have meant.

/// Returns `; did you mean …?` with up to three known names that are near; empty if none is.
pub(super) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let shared = |id: &str| {
        let words = |text: &str| text.split('-').map(str::to_owned).collect::<Vec<_>>();
        words(id).iter().filter(|word| words(name).contains(word)).count()
    };
    let near = known.filter(|id| strsim::damerau_levenshtein(name, id) <= 3 || shared(id) >= 2);
    let mut near: Vec<&str> = near.collect();
    near.sort_by_key(|id| strsim::damerau_levenshtein(name, id));
    match near.get(..3.min(near.len())) {
        Some([first, rest @ ..]) => {
            let others: String = rest.iter().map(|id| format!(" or {id}")).collect();
            format!("; did you mean {first}{others}?")
        }
        _ => String::new(),
    }
}
