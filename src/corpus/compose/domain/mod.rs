//! Models of businesses: `domains/<domain>/domain.yaml`, read and checked. `docs/domain_models.md` describes the file.

mod line_number;
mod listed;
mod column;
mod question;
mod model;
mod check;
mod determined;
mod read;
#[cfg(test)]
mod tests;

pub use column::{CodeValue, DomainColumn, Figure, FigureUnit, LifecyclePhase, PopulationRule, Role};
pub use listed::Listed;
pub use model::{Domain, Table, TableKind, Use, Validity, ValidityEnd};
pub use question::{ANALYSES, BusinessQuestion, EntityFunnel, FunnelStep, Ratio, Reconciliation, STORIES, Similar};
pub use read::{DomainError, embedded, read_domain};
