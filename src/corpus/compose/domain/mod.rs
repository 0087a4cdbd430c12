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
    Band, Bands, Calendar, Column, Domain, Entity, Figure, FigureUnit, Funnel, FunnelStep, Kind, Mirror, Partition,
    Phase, Question, Ratio, Repeats, Role, Rule, Similar, Table, Use, Validity, ValidityEnd, Value,
};
pub use read::{DomainError, embedded, read_domain, read_domain_text};
