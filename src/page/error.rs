//! Why a page cannot be rendered.

/// Why a page cannot be rendered.
#[derive(Debug, thiserror::Error)]
#[error("the page's template: {0}")]
pub struct PageError(#[from] minijinja::Error);
