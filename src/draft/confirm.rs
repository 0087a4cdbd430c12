//! Whether what a model changed is the fault that it names.

use std::collections::BTreeSet;

use super::Reject;
use crate::code::edit::{Edit, Edits};
use crate::code::script::{Script, unquoted};
use crate::code::token::{Token, TokenKind, tokenize};
use crate::code::tree::Kind;
use crate::fault::{Fault, Track};
use crate::inject::{Mutant, Proposal, ScriptContext, propose};

/// Most tokens that a model may change; our own operators change one to three, seldom more.
const MOST_TOKENS: usize = 12;
/// Most edits of one fault: a pair of brackets, or text that moves.
const MOST_EDITS: usize = 3;

/// The script that a mutant is of.
#[derive(Clone, Copy)]
pub struct ScriptKey<'a> {
    pub id: &'a str,
    /// Digest of its text and tables.
    pub key: &'a str,
}

/// Returns the mutant that these edits make, if they are the fault.
///
/// The operator of the fault must propose the same edits, or edits of the same tokens in the same way: other names and
/// values may be written, but no other keyword, function or mark. So the label is what the difference shows, whatever
/// the model says.
///
/// # Errors
///
/// Why they are not the fault.
pub fn confirm(
    context: &ScriptContext<'_>,
    names: &NamesInScope,
    script: ScriptKey<'_>,
    fault: &Fault,
    edits: Edits,
) -> Result<Mutant, Reject> {
    if edits.is_empty() {
        return Err(Reject::Unchanged);
    }
    let cost = Mutant::of_edits(script.id, script.key, &fault.id, edits.clone()).tokens_changed(context.script);
    if !is_one_place(context.script, &edits) {
        return Err(Reject::SeveralPlaces);
    }
    if cost > MOST_TOKENS {
        return Err(Reject::TooLarge);
    }
    let operator = fault.operator().ok_or(Reject::OtherFault)?;
    let proposals = propose(context, operator);
    let wanted = edits.apply(context.text()).map(|text| tokens(&text)).ok();
    let same = |proposal: &&Proposal| proposal.edits.apply(context.text()).map(|text| tokens(&text)).ok() == wanted;
    if let Some(proposal) = proposals.iter().find(same) {
        // The operator's own edits: the mutant is then the same as without a model.
        return Ok(Mutant::new(script.id, script.key, &fault.id, proposal));
    }
    let is_alike = |proposal: &&Proposal| are_alike(context.script, names, fault.track, &edits, &proposal.edits);
    let proposal = proposals.iter().find(is_alike).ok_or(Reject::OtherFault)?;
    let own = Proposal { edits: edits.clone(), ..proposal.clone() };
    Ok(Mutant::new(script.id, script.key, &fault.id, &own))
}

fn tokens(text: &str) -> Vec<String> {
    Script::new(text).lowercase_words()
}

/// Whether there are few edits, all in one statement and within `NEAR` bytes.
fn is_one_place(script: &Script, edits: &Edits) -> bool {
    const NEAR: usize = 400;
    let span = edits.span();
    let spans: Vec<_> = script.statements().iter().map(|id| script.tree().span(*id)).collect();
    // The end of a statement belongs to it: a lost semicolon is a fault of one place.
    let statements = spans.iter().filter(|it| it.start < span.end.max(span.start + 1) && span.start <= it.end).count();
    edits.as_slice().len() <= MOST_EDITS && statements <= 1 && span.len() <= NEAR
}

/// Names that stand in a script or its tables.
pub struct NamesInScope(BTreeSet<String>);

impl NamesInScope {
    pub fn of(context: &ScriptContext<'_>) -> NamesInScope {
        let columns = context
            .schema
            .tables
            .iter()
            .flat_map(|table| table.columns.iter().map(|column| column.name.to_lowercase()));
        let tree = context.tree();
        let written = tree.descendants(tree.root()).filter(|node| tree.kind(*node) == Kind::Identifier);
        NamesInScope(columns.chain(written.map(|node| context.script.name(node))).collect())
    }

    fn has(&self, word: &str) -> bool {
        self.0.contains(&unquoted(word).to_lowercase())
    }
}

/// What one edit does, in tokens of the script.
#[derive(PartialEq, Eq)]
struct EditShape {
    /// The first token that is removed, or before which something is inserted.
    first: usize,
    /// How many tokens are removed.
    gone: usize,
    /// Kinds of the tokens that are inserted.
    kinds: Vec<TokenKind>,
}

impl EditShape {
    fn of(script: &Script, edit: &Edit) -> (EditShape, Vec<String>) {
        let span = edit.span();
        let touches = |token: &&Token| {
            token.span().overlaps(span) || token.span().start < span.start && span.end < token.span().end
        };
        let gone: Vec<&Token> = script.tokens().iter().filter(touches).collect();
        let first = match gone.first() {
            Some(token) => script.token_at(token.span().start),
            None => script.tokens().iter().filter(|token| token.span().end <= span.start).count(),
        };
        // Tokens that are cut are written anew as a whole.
        let head = gone.first().map_or("", |token| &script.text()[token.span().start.min(span.start)..span.start]);
        let tail = gone.last().map_or("", |token| &script.text()[span.end..token.span().end.max(span.end)]);
        let text = format!("{head}{}{tail}", edit.text);
        let written = tokenize(&text).into_iter().filter(|token| !token.kind.is_trivia());
        let (kinds, texts) = written.map(|token| (token.kind, token.span().of(&text).to_owned())).unzip();
        (EditShape { first, gone: gone.len(), kinds }, texts)
    }
}

/// Whether two sets of edits change the same tokens in the same way.
fn are_alike(script: &Script, names: &NamesInScope, track: Track, ours: &Edits, theirs: &Edits) -> bool {
    let pairs = ours.as_slice().iter().zip(theirs.as_slice());
    ours.as_slice().len() == theirs.as_slice().len()
        && pairs.into_iter().all(|(ours, theirs)| {
            let (ours, theirs) = (EditShape::of(script, ours), EditShape::of(script, theirs));
            let mut texts = ours.1.iter().zip(&theirs.1).zip(&ours.0.kinds);
            ours.0 == theirs.0 && texts.all(|((ours, theirs), kind)| may_stand_for(names, track, *kind, ours, theirs))
        })
}

/// Whether the model may write one token where the operator writes another.
fn may_stand_for(names: &NamesInScope, track: Track, kind: TokenKind, ours: &str, theirs: &str) -> bool {
    match kind {
        TokenKind::Text | TokenKind::Number => true,
        TokenKind::Word | TokenKind::QuotedName => {
            let both_new = track == Track::Syntax && !names.has(ours) && !names.has(theirs);
            ours.eq_ignore_ascii_case(theirs) || both_new || names.has(ours) && names.has(theirs)
        }
        _ => ours == theirs,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::schema::Schema;
    use crate::code::scope::Scopes;
    use crate::draft::text_edits::edits_between;
    use crate::fault::Taxonomy;

    const DDL: &str =
        "CREATE TABLE t (id BIGINT, x BIGINT, v DOUBLE, w DOUBLE, dt STRING); CREATE TABLE u (id BIGINT, c STRING);";
    const SQL: &str = "SELECT u.c, SUM(t.v) AS v, COUNT(DISTINCT t.id) AS n\nFROM t\nLEFT JOIN u ON t.id = u.id\nWHERE t.w >= 10 AND t.dt = '2024-01-01'\nGROUP BY u.c;";

    fn judged(fault: &str, old: &str, new: &str) -> Result<(), Reject> {
        let (script, schema) = (Script::new(SQL), Schema::read(DDL).unwrap());
        let scopes = Scopes::resolve(&script, &schema);
        let context = ScriptContext::new(&script, &scopes, &schema);
        let taxonomy = Taxonomy::embedded().unwrap();
        let edits = edits_between(&script, &Script::new(SQL.replace(old, new)));
        let fault = taxonomy.fault(fault).unwrap_or_else(|| panic!("no fault {fault}"));
        confirm(&context, &NamesInScope::of(&context), ScriptKey { id: "s", key: "k" }, fault, edits)
            .map(|mutant| assert_eq!(mutant.fault, fault.id))
    }

    #[test]
    fn a_change_must_be_the_one_that_was_asked_for() {
        for (fault, old, new, wanted) in [
            ("left-join-made-inner", "LEFT JOIN", "JOIN", Ok(())),
            ("left-join-made-inner", "LEFT JOIN", "INNER JOIN", Err(Reject::OtherFault)),
            ("left-join-made-inner", ">= 10", "> 10", Err(Reject::OtherFault)),
            ("left-join-made-inner", "SUM(t.v)", "SUM( t.v )", Err(Reject::Unchanged)),
            ("left-join-made-inner", "AS n\n", "AS n, MAX(t.x) AS y, MIN(t.x) AS z, 1 AS o\n", Err(Reject::TooLarge)),
        ] {
            assert_eq!(judged(fault, old, new), wanted, "{fault}: {old} to {new}");
        }
        let two =
            SQL.replace(">= 10", "> 10").replace("LEFT JOIN", "JOIN").replace("SUM", "AVG").replace("DISTINCT ", "");
        assert_eq!(judged("left-join-made-inner", SQL, &two), Err(Reject::SeveralPlaces));
    }

    /// What an example's mutant would be, were it a model's answer.
    fn example(fault: &Fault, before: &str, after: &str, schema: &str) -> Result<(), Reject> {
        let (script, schema) = (Script::new(before), Schema::read(schema).unwrap_or_default());
        let scopes = Scopes::resolve(&script, &schema);
        let context = ScriptContext::new(&script, &scopes, &schema);
        let edits = edits_between(&script, &Script::new(after));
        confirm(&context, &NamesInScope::of(&context), ScriptKey { id: "s", key: "k" }, fault, edits).map(|_| ())
    }

    #[test]
    fn the_example_of_every_fault_is_that_fault_and_seldom_another() {
        let taxonomy = Taxonomy::embedded().unwrap();
        let (mut missed, mut taken, mut pairs) = (Vec::new(), 0, 0);
        let planted = || taxonomy.faults().iter().filter(|fault| fault.operator().is_some());
        for fault in planted() {
            for shown in &fault.examples {
                let judged = |fault: &Fault| example(fault, &shown.before, &shown.after, &shown.schema);
                if let Err(reject) = judged(fault) {
                    missed.push(format!("{}: {reject}", fault.id));
                }
                let others: Vec<&Fault> = planted().filter(|other| other.id != fault.id).step_by(7).collect();
                pairs += others.len();
                taken += others.iter().filter(|other| judged(other).is_ok()).count();
            }
        }
        assert!(missed.len() * 20 < taxonomy.faults().len(), "{missed:#?}");
        assert!(taken * 50 < pairs, "{taken} of {pairs} examples pass for another fault");
    }
}
