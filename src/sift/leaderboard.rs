//! The leaderboard: solvers by track, in the form of the paper's second table.

use std::collections::BTreeMap;

use serde::Serialize;

use super::mark::AttemptMark;
use crate::fault::Track;

/// Shares of one solver on one track, from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct SolverStanding {
    /// Tasks tried.
    pub n: usize,
    /// Exact match.
    pub em: f64,
    /// Graph match.
    pub gm: f64,
    /// Modify-better.
    pub mb: f64,
    /// Execution.
    pub ex: f64,
    pub accepted: f64,
}

/// Solvers and their shares on the two tracks, those with the greatest sum of accepted shares first.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Leaderboard {
    /// Solver, syntax track, semantic track.
    pub rows: Vec<(String, SolverStanding, SolverStanding)>,
}

impl SolverStanding {
    fn of<'a>(marks: impl Iterator<Item = &'a AttemptMark>) -> SolverStanding {
        let mut standing = SolverStanding::default();
        for mark in marks {
            standing.n += 1;
            let count = |hit: bool| f64::from(u8::from(hit));
            standing.em += count(mark.em);
            standing.gm += count(mark.gm);
            standing.mb += count(mark.mb);
            standing.ex += count(mark.ex);
            standing.accepted += count(mark.accepted);
        }
        let n = standing.n.max(1) as f64;
        let SolverStanding { em, gm, mb, ex, accepted, .. } = standing;
        SolverStanding { n: standing.n, em: em / n, gm: gm / n, mb: mb / n, ex: ex / n, accepted: accepted / n }
    }
}

impl Leaderboard {
    /// Adds up marks; solvers with equal sums are in the order of their names.
    pub fn of(marks: &[AttemptMark]) -> Leaderboard {
        let mut by_solver: BTreeMap<&str, Vec<&AttemptMark>> = BTreeMap::new();
        for mark in marks {
            by_solver.entry(&mark.solver).or_default().push(mark);
        }
        let mut rows: Vec<_> = by_solver
            .into_iter()
            .map(|(solver, marks)| {
                let on = |track| SolverStanding::of(marks.iter().copied().filter(move |mark| mark.track == track));
                (solver.to_owned(), on(Track::Syntax), on(Track::Semantic))
            })
            .collect();
        let sum = |row: &(String, SolverStanding, SolverStanding)| row.1.accepted + row.2.accepted;
        rows.sort_by(|left, right| sum(right).total_cmp(&sum(left)));
        Leaderboard { rows }
    }

    /// Returns a table in Markdown, shares in percent.
    pub fn table(&self) -> String {
        let mut table = String::from(
            "| solver | syntax EM | GM | MB | accepted | semantic EM | GM | MB | EX | accepted |\n\
             |---|---|---|---|---|---|---|---|---|---|\n",
        );
        for (solver, syntax, semantic) in &self.rows {
            let cell = |standing: &SolverStanding, share: f64| {
                if standing.n == 0 { "–".to_owned() } else { format!("{:.2}", share * 100.0) }
            };
            let mut cells = vec![solver.clone()];
            cells.extend([syntax.em, syntax.gm, syntax.mb, syntax.accepted].map(|share| cell(syntax, share)));
            let shares = [semantic.em, semantic.gm, semantic.mb, semantic.ex, semantic.accepted];
            cells.extend(shares.map(|share| cell(semantic, share)));
            table.push_str(&format!("| {} |\n", cells.join(" | ")));
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_by_track_and_the_best_solver_stands_first() {
        let mark = |solver: &str, track, em, gm| AttemptMark {
            solver: solver.to_owned(),
            instance_id: "t".to_owned(),
            track,
            em,
            gm,
            mb: true,
            ex: gm,
            accepted: gm,
        };
        let marks = [
            mark("a", Track::Syntax, false, false),
            mark("b", Track::Syntax, true, true),
            mark("b", Track::Syntax, false, true),
            mark("b", Track::Semantic, false, false),
        ];
        let table = Leaderboard::of(&marks).table();
        let rows: Vec<&str> = table.lines().skip(2).collect();
        assert_eq!(rows[0], "| b | 50.00 | 100.00 | 100.00 | 100.00 | 0.00 | 0.00 | 100.00 | 0.00 | 0.00 |");
        assert_eq!(rows[1], "| a | 0.00 | 0.00 | 100.00 | 0.00 | – | – | – | – | – |");
    }
}
