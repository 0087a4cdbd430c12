//! Optional: models propose mutants, as in the prompts of the paper's appendix G.2, in our own words.
//!
//! A model chooses kinds of mistakes for a script, then writes the script with one of them. What it wrote becomes
//! minimal edits by comparison with the correct script, token by token, and has to pass gates before anything is run:
//! one place, few tokens, and a place and shape at which the operator of the named fault would plant it too. From there
//! on it is a mutant like any other.

mod reject;
mod clients;
mod text_edits;
mod confirm;
mod prompts;
mod reply;
mod reword;
mod drafter;

pub use clients::{DraftError, ModelClients, Sources};
pub use drafter::Drafter;
pub use reject::Reject;
pub use reword::RewordOutcome;
