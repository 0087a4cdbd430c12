//! Variants of all scripts of a folder by one correspondence.

use std::collections::BTreeSet;

use super::correspondence::Correspondence;
use super::original::Original;
use super::proof::{Variant, VariantInProgress, VariantRefusal};
use super::vocabulary::BusinessWords;
use crate::code::script::Script;
use crate::code::tree::Kind;
use crate::corpus::compose::domain::{Domain, DomainError, embedded};
use crate::corpus::compose::draw::Draw;
use crate::corpus::compose::writing::Styles;
use crate::corpus::{Reference, ReferenceCard};
use crate::parallel::{map, shielded};
use crate::prove::Subject;
use crate::prove::preparation::Preparation;
use crate::store::yaml::YamlFileError;

/// Makes variants of the scripts of a folder.
pub struct Variants {
    originals: Vec<Original>,
    domains: Vec<Domain>,
    styles: Styles,
    /// Words of all businesses.
    words: BTreeSet<String>,
}

pub struct FolderVariant {
    /// The new name, word or value for each of the originals.
    pub correspondence: Correspondence,
    /// For each script its original's id, and the variant or why there is none.
    pub scripts: Vec<(String, Result<Variant, VariantRefusal>)>,
}

/// Why no variants can be made.
#[derive(Debug, thiserror::Error)]
pub enum VariantsError {
    /// A domain model in the binary does not read: a bug.
    #[error(transparent)]
    Domain(#[from] DomainError),
    /// A style in the binary does not read: a bug.
    #[error(transparent)]
    Style(#[from] YamlFileError),
}

impl Variants {
    /// Takes the scripts of a folder.
    pub fn new(references: Vec<Reference>) -> Result<Variants, VariantsError> {
        let domains = embedded().into_iter().collect::<Result<Vec<_>, _>>()?;
        let words = domains.iter().flat_map(|domain| BusinessWords::new(domain).words()).collect();
        let originals = references.into_iter().map(Original::new).collect();
        Ok(Variants { originals, domains, styles: Styles::embedded()?, words })
    }

    /// Makes variant `number` of a random seed with so many workers; it depends on neither them nor other variants.
    pub fn variant(&self, seed: u64, number: u64, jobs: usize) -> Option<FolderVariant> {
        let draw = Draw::new(seed, number).at("like");
        let domain = draw.at("domain").pick(&self.domains)?;
        let style = self.styles.draw(draw.at("style"))?;
        let vocabulary = BusinessWords::new(domain);
        let correspondence = Correspondence::draw(&self.originals, &vocabulary, &self.words, draw);
        let script = |(place, original): (usize, &Original)| {
            let draw = draw.nth("script", place);
            let making = VariantInProgress { original, correspondence: &correspondence, style: &style, draw };
            let id = format!("{}_{:02}/script_{:02}", domain.domain, number + 1, place + 1);
            let card = card(domain, original, &correspondence);
            let made = || {
                Subject::prepared(&original.reference, Preparation::Judging)
                    .map_err(|refusal| VariantRefusal::Original(refusal.to_string()))
                    .and_then(|subject| making.variant(&subject, id, card))
            };
            let made = shielded(&original.reference.id, made).unwrap_or_else(|panic| Err(panic.into()));
            (original.reference.id.clone(), made)
        };
        let scripts = map(jobs, self.originals.iter().enumerate(), script);
        Some(FolderVariant { correspondence, scripts })
    }
}

/// What names of tables begin with and titles leave out.
const LAYERS: [&str; 3] = ["dwd", "ods", "dim"];

/// A card that says no more than the new names: it does not say what the original is for, and names it by a digest.
fn card(domain: &Domain, original: &Original, correspondence: &Correspondence) -> ReferenceCard {
    let main = main_table(&original.script).unwrap_or_default();
    let name = correspondence.names.get(&main).map_or("result", String::as_str);
    let title = name.split('_').filter(|word| !LAYERS.contains(word)).collect::<Vec<_>>().join(" ");
    ReferenceCard {
        domain: domain.domain.clone(),
        title,
        source_script: Some(original.reference.source_key()),
        translated_from: original.reference.card.translated_from.clone(),
        ..ReferenceCard::default()
    }
}

/// The last table that a script writes, else the first that it reads.
fn main_table(script: &Script) -> Option<String> {
    let tree = script.tree();
    let tables = || tree.descendants(tree.root()).filter(|node| tree.kind(*node) == Kind::Table);
    let writes = |node: &crate::code::tree::NodeId| {
        tree.parent(*node).is_some_and(|parent| {
            matches!(tree.kind(parent), Kind::Insert { .. } | Kind::CreateTable | Kind::InsertBranch { .. })
        })
    };
    tables().filter(writes).last().or_else(|| tables().next()).map(|table| script.last_name(table))
}
