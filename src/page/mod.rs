//! Service: pages of HTML and plain tables, filled from templates. Every value is escaped, and a page loads nothing; what
//! pages have in common is in `templates/page`.

mod difference;
mod error;
mod plain;

use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use serde::Serialize;

pub use difference::TextDifference;
pub use error::PageError;
pub use plain::plain;

/// Fills a template of HTML. It may include `style`, and import the macros of `pieces`.
///
/// # Errors
///
/// If the template, which is built into the program, is broken.
pub fn html(template: &'static str, view: &impl Serialize) -> Result<String, PageError> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.add_template("style", include_str!("../../templates/page/style.css"))?;
    environment.add_template("pieces", include_str!("../../templates/page/pieces.html"))?;
    environment.add_template("page", template)?;
    Ok(environment.get_template("page")?.render(Serde(view))?)
}

/// Returns a share from 0 to 1 in percent, with one decimal.
pub fn percent(share: f64) -> String {
    format!("{:.1}", share * 100.0)
}
