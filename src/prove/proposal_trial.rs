//! Values that are proposed for placeholders, and expressions for functions of the user's own, are tried before they are
//! told: if a script cannot be a reference with the likeliest ones, others are taken.

use std::collections::BTreeMap;
use std::fmt;

use super::effort::{Effort, WorkLimit};
use super::reference_refusal::{ReferenceRefusal, missing_functions, way_out_of_functions};
use super::subject::Subject;
use crate::code::parameters::Parameters;
use crate::corpus::{CorpusError, PlaceholderProposals, ProposedFunction, Reference};

/// How often a script is tried with other values.
const MOST_TRIALS: usize = 40;

/// How often what a script lacks is asked for: with a piece of SQL in place more of it can be read.
const MOST_ROUNDS: usize = 4;

/// What a script lacks, with values that were tried.
#[derive(Debug)]
pub struct TriedProposals {
    /// The placeholders; the first value of each is the best that was found.
    placeholders: PlaceholderProposals,
    /// The functions; the first expression of each is the best that was found.
    functions: Vec<ProposedFunction>,
    /// Why the script cannot be a reference even so; `None` if it can.
    refusal: Option<String>,
}

impl fmt::Display for TriedProposals {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let functions = way_out_of_functions(&self.functions);
        match (self.placeholders.values.is_empty(), self.functions.is_empty()) {
            (true, _) => write!(out, "{functions}")?,
            (false, true) => write!(out, "{}", self.placeholders)?,
            (false, false) => write!(out, "{}; besides, {functions}", self.placeholders)?,
        }
        match &self.refusal {
            Some(refusal) => write!(out, "; with these it is still refused: {refusal}"),
            None => write!(out, "; with these the script gives rows"),
        }
    }
}

/// How far a script comes on its way to be a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ReferenceProgress {
    Unread,
    Read,
    Translated,
    Run,
    GivesRows,
    Accepted,
}

/// What became of a script with some values.
struct TrialOutcome {
    progress: ReferenceProgress,
    /// The line of what is refused, 0 if the refusal has none: what stands before it is in order.
    line: usize,
    refusal: Option<String>,
}

/// The search for values with which a script can be a reference.
struct ProposalTrial<'a, Read> {
    given: &'a Parameters,
    /// Reads the script with parameters.
    read: Read,
    placeholders: PlaceholderProposals,
    functions: Vec<ProposedFunction>,
    trials: usize,
}

/// Returns what a script lacks, with the best values that were found for it; `None` if it lacks nothing. `read` reads the
/// script with parameters, `given` are those that the user has bound.
pub fn tried_proposals(
    given: &Parameters,
    read: impl FnMut(Parameters) -> Result<Reference, CorpusError>,
) -> Option<TriedProposals> {
    let mut trial =
        ProposalTrial { given, read, placeholders: PlaceholderProposals::default(), functions: Vec::new(), trials: 0 };
    let first = trial.bind_all();
    if trial.choices() == 0 {
        return None;
    }
    let mut last = trial.improve(first);
    if last.progress == ReferenceProgress::Run {
        last = trial.outcome(Effort::Normal);
    }
    Some(TriedProposals { placeholders: trial.placeholders, functions: trial.functions, refusal: last.refusal })
}

impl<Read: FnMut(Parameters) -> Result<Reference, CorpusError>> ProposalTrial<'_, Read> {
    /// Proposes values for what the script lacks until it lacks nothing more, and returns what becomes of it with them.
    fn bind_all(&mut self) -> TrialOutcome {
        let mut outcome = TrialOutcome { progress: ReferenceProgress::Unread, line: 0, refusal: None };
        for _ in 0..MOST_ROUNDS {
            let known = self.choices();
            let parameters = self.parameters();
            match (self.read)(parameters) {
                Err(CorpusError::PieceOfSql { proposals, .. }) => self.placeholders.append(*proposals),
                Err(error) => return TrialOutcome::unread(&error),
                Ok(reference) => {
                    let missing = reference.parameters.unbound(reference.script.text());
                    if !missing.is_empty() {
                        self.placeholders.append(PlaceholderProposals::of(reference.script.text(), &missing, None));
                    }
                    self.functions.append(&mut missing_functions(&reference));
                    outcome = TrialOutcome::of(&reference, Effort::Low);
                }
            }
            if self.choices() == known {
                break;
            }
        }
        outcome
    }

    /// Tries the other values, one place after the other, and keeps what brings the script farther; then those again that
    /// did not help before.
    fn improve(&mut self, first: TrialOutcome) -> TrialOutcome {
        let mut best = first;
        loop {
            let before = best.reached();
            best = self.improve_each(best);
            if best.progress == ReferenceProgress::Accepted || best.reached() == before || self.trials == MOST_TRIALS {
                return best;
            }
        }
    }

    fn improve_each(&mut self, first: TrialOutcome) -> TrialOutcome {
        let mut best = first;
        for places in self.alike() {
            for at in 1..self.values(places[0]).len() {
                if best.progress == ReferenceProgress::Accepted || self.trials == MOST_TRIALS {
                    return best;
                }
                self.trials += 1;
                places.iter().for_each(|place| self.values(*place).swap(0, at));
                let outcome = self.outcome(Effort::Low);
                if outcome.reached() > best.reached() {
                    best = outcome;
                } else {
                    places.iter().for_each(|place| self.values(*place).swap(0, at));
                }
            }
        }
        best
    }

    /// Returns what becomes of the script with the first values.
    fn outcome(&mut self, effort: Effort) -> TrialOutcome {
        let parameters = self.parameters();
        let read = (self.read)(parameters);
        read.map_or_else(|error| TrialOutcome::unread(&error), |reference| TrialOutcome::of(&reference, effort))
    }

    /// Returns the places whose values are changed together: those with the same ones, as the two ends of a range have, then
    /// each alone.
    fn alike(&mut self) -> Vec<Vec<usize>> {
        let mut by_values: BTreeMap<Vec<String>, Vec<usize>> = BTreeMap::new();
        for place in 0..self.choices() {
            by_values.entry(self.values(place).clone()).or_default().push(place);
        }
        let mut several: Vec<Vec<usize>> = by_values.into_values().filter(|places| places.len() > 1).collect();
        several.sort();
        several.into_iter().chain((0..self.choices()).map(|place| vec![place])).collect()
    }

    /// How many placeholders and functions have proposals.
    fn choices(&self) -> usize {
        self.placeholders.values.len() + self.functions.len()
    }

    /// The values of a placeholder or the expressions of a function, by its place among all.
    fn values(&mut self, place: usize) -> &mut Vec<String> {
        let values = self.placeholders.values.iter_mut().map(|placeholder| &mut placeholder.values);
        let expressions = self.functions.iter_mut().map(|function| &mut function.expressions);
        let mut all = values.chain(expressions);
        all.nth(place).expect("the place is one of those counted")
    }

    /// What the user has bound, with the first value of each that is proposed.
    fn parameters(&self) -> Parameters {
        let mut all = self.given.clone();
        for placeholder in &self.placeholders.values {
            all.insert(placeholder.key.clone(), placeholder.values[0].clone());
        }
        for function in &self.functions {
            all.insert(format!("{}()", function.name), function.expressions[0].clone());
        }
        all
    }
}

impl TrialOutcome {
    fn unread(error: &CorpusError) -> TrialOutcome {
        let line = match error {
            CorpusError::PieceOfSql { piece, .. } => piece.place.line,
            _ => 0,
        };
        TrialOutcome { progress: ReferenceProgress::Unread, line, refusal: Some(error.to_string()) }
    }

    /// How far the script came: of two that fail alike, the one whose failure stands lower comes farther.
    fn reached(&self) -> (ReferenceProgress, usize) {
        (self.progress, self.line)
    }

    /// Makes a script ready.
    fn of(reference: &Reference, effort: Effort) -> TrialOutcome {
        let Err(refusal) = Subject::within(reference, WorkLimit::of_baseline(effort)) else {
            return TrialOutcome { progress: ReferenceProgress::Accepted, line: 0, refusal: None };
        };
        let (progress, line) = match &refusal {
            ReferenceRefusal::Unbound { .. } => (ReferenceProgress::Read, 0),
            ReferenceRefusal::Rejected { place, .. } | ReferenceRefusal::OwnFunction { place, .. } => {
                (ReferenceProgress::Read, place.line)
            }
            ReferenceRefusal::Unsupported { place, .. } => (ReferenceProgress::Translated, place.line),
            ReferenceRefusal::Fails { line, .. } => (ReferenceProgress::Run, *line),
            ReferenceRefusal::Empty { condition } => {
                (ReferenceProgress::Run, condition.as_ref().map_or(0, |condition| condition.line))
            }
            ReferenceRefusal::LeavesNothing => (ReferenceProgress::Run, 0),
            ReferenceRefusal::Nondeterministic { .. } => (ReferenceProgress::GivesRows, 0),
        };
        TrialOutcome { progress, line, refusal: Some(refusal.to_string()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::{ReferenceCard, read_texts};

    const DEFINITIONS: &str =
        "CREATE TABLE t (k STRING, d STRING, v INT); CREATE TABLE u (k STRING, tags ARRAY<STRING>)";

    fn tried(script: &str, given: &[(&str, &str)]) -> Option<String> {
        let given = Parameters::from_iter(given.iter().copied());
        let tried = tried_proposals(&given, |parameters| {
            let card = ReferenceCard { parameters, ..ReferenceCard::default() };
            read_texts("s".to_owned(), script.to_owned(), DEFINITIONS.to_owned(), card)
        });
        tried.map(|tried| tried.to_string())
    }

    #[test]
    fn values_that_serve_are_told() {
        for (script, given, told) in [
            (
                "SELECT k, SUM(v) AS v FROM t WHERE d = '${day}' AND d = last_day(d) GROUP BY k",
                vec![],
                "1 placeholder has no value: 'day' in line 1; bind it, for example by --parameter 'day=2024-03-31', or in \
                 card.yaml or parameters.yaml; with these the script gives rows",
            ),
            (
                "SELECT k FROM t WHERE substr(d, 1, 4) = '${x}' AND v > ${n} AND length(norm(k)) = 3",
                vec![("n", "3")],
                "1 placeholder has no value: 'x' in line 1; bind it, for example by --parameter 'x=2024', or in card.yaml or \
                 parameters.yaml; besides, say what stands for `norm`, as --function 'norm=cast($1 as string)', or in \
                 card.yaml or parameters.yaml; `$1` is the first argument; with these the script gives rows",
            ),
            (
                "INSERT INTO u SELECT k, words(d) FROM t",
                vec![],
                "say what stands for `words`, as --function \"words=split(cast(\\$1 as string), ',')\", or in card.yaml or \
                 parameters.yaml; `$1` is the first argument; with these the script gives rows",
            ),
            (
                "INSERT INTO u SELECT k,\n words(d) FROM t\nUNION ALL SELECT k,\n pieces(d) FROM t",
                vec![],
                "say what stands for `words`, `pieces`, as --function \"words=split(cast(\\$1 as string), ',')\" --function \
                 \"pieces=split(cast(\\$1 as string), ',')\", or in card.yaml or parameters.yaml; `$1` is the first argument; with \
                 these the script gives rows",
            ),
            (
                "INSERT INTO t SELECT k, v.*, 1 FROM u LATERAL VIEW parts(k) v",
                vec![],
                "say what stands for `parts`, as --function \"parts=explode(split(cast(\\$1 as string), ','))\", or in card.yaml or \
                 parameters.yaml; `$1` is the first argument; with these the script gives rows",
            ),
            (
                "INSERT INTO t SELECT v.*, 1 FROM u LATERAL VIEW parts(k) v",
                vec![],
                "say what stands for `parts`, as --function 'parts=stack(1, cast($1 as string), cast($1 as string))', or in \
                 card.yaml or parameters.yaml; `$1` is the first argument; with these the script gives rows",
            ),
            (
                "SELECT k FROM t ${join} WHERE v > ${n}",
                vec![],
                "2 placeholders have no value: 'join' in line 1, 'n' in line 1; bind them, for example by --parameter 'join=' \
                 --parameter 'n=7', or in card.yaml or parameters.yaml; with these the script gives rows",
            ),
        ] {
            assert_eq!(tried(script, &given).as_deref(), Some(told), "{script}");
        }
    }

    #[test]
    fn a_script_that_no_value_helps_says_what_is_in_the_way() {
        let told = tried("SELECT k FROM t WHERE d = '${day}' AND no_such = 1", &[]).unwrap();
        assert!(
            told.contains("'day=2024-03-15'") && told.contains("; with these it is still refused: Spark"),
            "{told}"
        );
        assert!(told.contains("`no_such`"), "{told}");
    }

    #[test]
    fn what_lacks_nothing_is_not_tried() {
        assert_eq!(tried("SELECT k FROM t WHERE d = '${day}' AND d = 'x' AND d = 'y'", &[("day", "z")]), None);
    }
}
