//! The entry point for users of the library: from a mutant to its proof.

use super::subject::Subject;
use super::trial::{Candidate, Verdict, try_semantic, try_syntax};
use crate::code::schema::Schema;
use crate::code::script::Script;
use crate::corpus::{Dictionary, Reference, ReferenceCard};
use crate::engine::table::Database;
use crate::fault::{Fault, Track};
use crate::inject::Mutant;

/// What shows that a mutant is wrong.
#[derive(Clone, Debug, PartialEq)]
pub enum MutantProof {
    /// The engine refuses it with this message, at the statement that was edited.
    Rejected(String),
    /// It gives other rows than the correct script on this database, the smallest that was found.
    Killed(Database),
}

/// Why no mutant of a script can be proved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotProvable(String);

/// Searches for a proof that a mutant is wrong; `None` if none is found, or the mutant is shown to be equivalent.
///
/// The embedded engine judges, without ANSI mode. Every call makes the databases on which the script gives rows, which
/// takes a tenth of a second or more for a long script.
///
/// # Errors
///
/// If `script` is not a correct script that gives rows, the same in any order of its input, or `mutant` is not of it.
///
/// ```
/// use sqlfault::{MutantProof, Schema, Script, Taxonomy, plant, prove, sites};
///
/// let taxonomy = Taxonomy::embedded()?;
/// let fault = taxonomy.fault("select-list-comma-missing").expect("the fault is in the taxonomy");
/// let schema = Schema::read("CREATE TABLE t (a INT, b INT)")?;
/// let script = Script::new("SELECT a AS x, b AS y FROM t");
/// let mutant = plant(&script, fault, &sites(&script, &schema, fault)[0]);
/// let proof = prove(&script, &schema, fault, &mutant)?;
/// assert!(matches!(proof, Some(MutantProof::Rejected(message)) if message.starts_with("[PARSE_SYNTAX_ERROR]")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn prove(
    script: &Script,
    schema: &Schema,
    fault: &Fault,
    mutant: &Mutant,
) -> Result<Option<MutantProof>, NotProvable> {
    let original = script.text();
    let text = mutant.text(original).map_err(|error| NotProvable(error.to_string()))?;
    let reference = reference(script, schema);
    let subject = Subject::new(&reference).map_err(|refusal| NotProvable(refusal.to_string()))?;
    let nodes = subject.bound_nodes(mutant.nodes());
    let candidate = Candidate { text: &text, changed: mutant.changed(original), about: &nodes };
    let verdict = match fault.track {
        Track::Syntax => try_syntax(&subject, &candidate),
        Track::Semantic => try_semantic(&subject, &candidate),
    };
    Ok(match verdict {
        Verdict::Rejected { rejection, .. } => Some(MutantProof::Rejected(rejection.message)),
        Verdict::Killed { witness, .. } => Some(MutantProof::Killed(witness)),
        _ => None,
    })
}

/// Returns a script without a card; placeholders have the values that the script itself sets.
fn reference(script: &Script, schema: &Schema) -> Reference {
    let card = ReferenceCard::default();
    Reference {
        id: "script".to_owned(),
        parameters: card.parameters.with_assignments(script),
        card,
        schema_text: String::new(),
        schema: schema.clone(),
        script: script.clone(),
        decisions: Vec::new(),
        dictionary: Dictionary::default(),
        translation: None,
        inferred: Vec::new(),
        files: Vec::new(),
    }
}
