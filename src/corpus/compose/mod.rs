//! Composing references: fresh enterprise scripts from a model of a business and patterns of analysis, offline.

pub mod domain;
