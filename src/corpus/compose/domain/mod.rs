//! What a business is made of: `seeds/<domain>/domain.yaml`, read and checked.

mod check;
mod line;
mod listed;
mod model;
mod read;
#[cfg(test)]
mod tests;

pub use listed::Listed;
pub use model::{
    Band, Bands, BusinessQuestion, Calendar, CodeValue, Domain, DomainColumn, Entity, EntityFunnel, Figure, FigureUnit,
    FunnelStep, Mirror, Partition, Phase, PopulationRule, Ratio, RepeatedRows, Role, Similar, Table, TableKind, Use,
    Validity, ValidityEnd,
};
pub use read::{DomainError, embedded, read_domain, read_domain_text};
