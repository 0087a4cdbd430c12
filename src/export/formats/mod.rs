//! All formats. The scripts in `tests/loaders` check each with the tool that loads it, or with its schema.

mod messages;
mod rejected_answers;
mod row;
mod row_format;
mod axolotl;
mod harbor;
mod hub;
mod inspect;
mod llamafactory;
mod lm_eval;
mod openai;
mod rewarded;
mod trl;

pub use row::{ExportRow, StaticFile};
pub use row_format::{CANARY, RowFormat};

/// What rows leave out of a run that has controls, unless they are critiques.
pub const CONTROLS: &str = "scripts without a fault, which only `--answers critique` takes";

/// Returns what an export leaves out of runs, as a phrase after "left out"; `controls` says whether it leaves out any.
pub fn left_out(format: &RowFormat, controls: bool) -> String {
    let controls = controls.then_some(CONTROLS);
    let canary = (!format.keeps_canary).then_some(CANARY);
    let parts = [Some(format.leaves_out), controls, canary];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// Every format, in the order of names.
pub const FORMATS: &[RowFormat] = &[
    axolotl::AXOLOTL,
    harbor::HARBOR,
    hub::HUB,
    inspect::INSPECT,
    llamafactory::LLAMAFACTORY,
    lm_eval::LM_EVAL,
    openai::OPENAI,
    rewarded::SKYRL,
    trl::PREFERENCE,
    trl::ONLINE_PROMPTS,
    trl::LABELLED,
    trl::SUPERVISED,
    rewarded::VERL,
];

/// Returns the names of the formats that have a place for trajectories, the last in their order first.
pub fn with_trajectories() -> String {
    let names: Vec<&str> =
        FORMATS.iter().rev().filter(|format| format.trajectory.is_some()).map(|format| format.name).collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => names.concat(),
    }
}

pub fn format(name: &str) -> Option<&'static RowFormat> {
    FORMATS.iter().find(|format| format.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_stand_in_order_and_each_name_once() {
        let names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
        assert!(names.windows(2).all(|pair| pair[0] < pair[1]), "{names:?}");
        assert!(names.iter().all(|name| format(name).is_some()));
    }
}
