//! The scripts of a run against published benchmarks: the rows of table 1 of the Squirrel paper.

use serde::Serialize;

use crate::fault::Track;
use crate::publish::record::ScriptComplexity;
use crate::score::Task;

/// Name, tasks, and the means of tokens, lines, functions, depth and width, as the paper prints them.
const PUBLISHED: &str = include_str!("../../templates/report/shapes.tsv");

/// Means over the scripts of a benchmark.
#[derive(Debug, PartialEq, Serialize)]
pub struct ShapeRow {
    /// The track of this run; `None` for a published benchmark.
    pub track: Option<Track>,
    /// The name of a published benchmark.
    pub name: String,
    pub tasks: usize,
    /// Tokens, lines, functions, depth and width of the tree.
    pub means: Vec<f64>,
}

/// Returns the tracks of this run, then published benchmarks.
pub(super) fn rows(tasks: &[Task]) -> Vec<ShapeRow> {
    let own = [Track::Syntax, Track::Semantic].into_iter().filter_map(|track| own(tasks, track));
    own.chain(PUBLISHED.lines().filter_map(published)).collect()
}

fn own(tasks: &[Task], track: Track) -> Option<ShapeRow> {
    let scripts: Vec<ScriptComplexity> =
        tasks.iter().filter(|task| task.record.track() == track).map(|task| task.gold.complexity).collect();
    let mean = |of: fn(&ScriptComplexity) -> usize| scripts.iter().map(of).sum::<usize>() as f64 / scripts.len() as f64;
    let means = [
        mean(|script| script.tokens),
        mean(|script| script.lines),
        mean(|script| script.functions),
        mean(|script| script.ast_depth),
        mean(|script| script.ast_width),
    ];
    let row = ShapeRow { track: Some(track), name: String::new(), tasks: scripts.len(), means: means.to_vec() };
    (row.tasks > 0).then_some(row)
}

fn published(line: &str) -> Option<ShapeRow> {
    let mut cells = line.split('\t');
    let (name, tasks) = (cells.next()?.to_owned(), cells.next()?.parse().ok()?);
    Some(ShapeRow { track: None, name, tasks, means: cells.filter_map(|cell| cell.parse().ok()).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_rows_are_whole() {
        let rows = rows(&[]);
        assert_eq!(rows.len(), PUBLISHED.lines().count());
        assert!(rows.iter().all(|row| row.means.len() == 5 && row.tasks > 0), "{rows:?}");
    }
}
