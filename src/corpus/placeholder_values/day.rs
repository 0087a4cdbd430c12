//! The day that is proposed, as scripts write it.

pub(super) const DAY: &str = "2024-03-15";
pub(super) const MOMENT: &str = "2024-03-15 10:00:00";
pub(super) const MONTH: &str = "2024-03";
pub(super) const FIRST_DAY: &str = "2024-03-01";
pub(super) const COMPACT_DAY: &str = "20240315";
pub(super) const COMPACT_MONTH: &str = "202403";
pub(super) const COMPACT_FIRST_DAY: &str = "20240301";
