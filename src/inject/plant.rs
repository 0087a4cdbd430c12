//! The entry point for users of the library: from a script and a fault to a mutant.

use sha2::{Digest, Sha256};

use super::{Mutant, Proposal, ScriptContext, propose};
use crate::code::schema::Schema;
use crate::code::scope::Scopes;
use crate::code::script::Script;
use crate::fault::Fault;
use crate::store::hexadecimal;

/// Returns every way to plant a fault in a correct script, in source order.
///
/// To plant many faults in one script, build a `ScriptContext` once and call `propose`.
///
/// ```
/// use sqlfault::{Schema, Script, Taxonomy, sites};
///
/// let taxonomy = Taxonomy::embedded()?;
/// let fault = taxonomy.fault("union-all-made-union").expect("the fault is in the taxonomy");
/// let script = Script::new("SELECT a FROM t UNION ALL SELECT a FROM u UNION ALL SELECT a FROM v");
/// assert_eq!(sites(&script, &Schema::default(), fault).len(), 2);
/// # Ok::<(), sqlfault::TaxonomyError>(())
/// ```
pub fn sites(script: &Script, schema: &Schema, fault: &Fault) -> Vec<Proposal> {
    let Some(operator) = fault.operator() else { return Vec::new() };
    let scopes = Scopes::resolve(script, schema);
    propose(&ScriptContext::new(script, &scopes, schema), operator)
}

/// Returns the mutant that has the fault at this site. Its id is a hash of script, fault and edits.
///
/// ```
/// use sqlfault::{Schema, Script, Taxonomy, plant, sites};
///
/// let taxonomy = Taxonomy::embedded()?;
/// let fault = taxonomy.fault("having-dropped").expect("the fault is in the taxonomy");
/// let script = Script::new("SELECT id, COUNT(*) FROM t GROUP BY id HAVING COUNT(*) > 2");
/// let mutant = plant(&script, fault, &sites(&script, &Schema::default(), fault)[0]);
/// assert_eq!(mutant.text(script.text())?, "SELECT id, COUNT(*) FROM t GROUP BY id");
/// // The edits that repair it are the inverse of those that planted it.
/// let repair = mutant.edits.inverse(script.text());
/// assert_eq!(repair.apply(&mutant.text(script.text())?)?, script.text());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn plant(script: &Script, fault: &Fault, site: &Proposal) -> Mutant {
    let key = hexadecimal(&Sha256::digest(script.text())[..8]);
    Mutant::new(&key, &key, &fault.id, site)
}
