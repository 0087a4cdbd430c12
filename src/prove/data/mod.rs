//! Fake databases aimed at a script and at a fault.
//!
//! 1. [`reach`] finds what the script reads and how its expressions reach back to base columns.
//! 2. [`collect`] reads predicates, joins and branches into [`constraint::Constraints`].
//! 3. [`world`] makes rows that meet them, so that every SELECT block has rows.
//! 4. [`aim`] changes such rows at the place where a fault was planted, [`volley`] many of them at once, [`drill`] whole columns.

pub mod aim;
pub mod calendar;
mod classes;
mod clock;
pub mod collect;
pub mod constraint;
mod defaults;
pub mod drill;
pub mod entity;
mod meets;
pub mod merge;
mod odd;
pub mod pattern;
pub mod reach;
pub mod sources;
pub mod value;
pub mod volley;
pub mod world;
