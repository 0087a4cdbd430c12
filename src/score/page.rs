//! Renders the report as one HTML page: tables and plots of all groups, up to two files of answers side by side, and no
//! external resources.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::failing::FailingTask;
use super::paired_test::PairedTest;
use super::summary::{METRICS, MetricShares, Summary};
use crate::page::{PageError, html, percent};

/// A file of answers and its results.
#[derive(Clone, Copy, Debug)]
pub struct AnswerFile<'a> {
    pub name: &'a str,
    pub summary: &'a Summary,
    /// What is wrong with the file.
    pub problems: &'a [String],
    /// The tasks whose answers are not accepted.
    pub failing: &'a [FailingTask],
}

/// What a page of scores shows.
#[derive(Clone, Copy, Debug)]
pub struct ScorePage<'a> {
    pub title: &'a str,
    /// Facts about the run, by name.
    pub facts: &'a BTreeMap<String, String>,
    /// One file of answers, or two that answer the same tasks.
    pub sides: &'a [AnswerFile<'a>],
    /// What two files get right task by task.
    pub pairings: &'a [PairedTest],
}

/// Names of the metrics, in the order of [`METRICS`].
const HEADS: [&str; 6] = ["EM", "EM norm", "GM", "MB", "EX", "accepted"];
/// Dimensions of a [`Summary`], their titles, and whether their tables are open at first.
const DIMENSIONS: [(&str, &str, bool); 6] = [
    ("level1", "Level 1", true),
    ("level2", "Level 2", false),
    ("level3", "Level 3", false),
    ("fault", "Fault", false),
    ("domain", "Domain", true),
    ("length", "Length of the script", true),
];

/// Selects a track's part of a summary.
type TrackScores = fn(&Summary) -> &MetricShares;
/// Tracks, with their titles.
const TRACKS: [(&str, TrackScores); 3] =
    [("all tasks", |all| &all.overall), ("syntax", |all| &all.syntax), ("semantic", |all| &all.semantic)];

/// The data for the template.
#[derive(Serialize)]
struct PageView<'a> {
    title: &'a str,
    facts: &'a BTreeMap<String, String>,
    files: Vec<File<'a>>,
    metrics: [&'a str; 6],
    charts: Vec<Chart<'a>>,
    sections: Vec<PageSection<'a>>,
    outcomes: Vec<Ending>,
    pairings: Vec<PairedCounts<'a>>,
}

#[derive(Serialize)]
struct File<'a> {
    name: &'a str,
    n: usize,
    ves: Option<String>,
    problems: &'a [String],
    failing: &'a [FailingTask],
}

#[derive(Serialize)]
struct Chart<'a> {
    label: String,
    height: usize,
    rows: Vec<ChartRow<'a>>,
}

#[derive(Serialize)]
struct ChartRow<'a> {
    name: &'a str,
    y: usize,
    sides: Vec<PlotMark>,
}

/// A share and its interval in a plot, in pixels.
#[derive(Serialize)]
struct PlotMark {
    file: usize,
    low: f64,
    at: f64,
    high: f64,
    y: usize,
    words: String,
}

#[derive(Serialize)]
struct PageSection<'a> {
    title: &'a str,
    open: bool,
    lines: Vec<SectionLine>,
}

#[derive(Serialize)]
struct SectionLine {
    group: String,
    sides: Vec<LineSide>,
}

#[derive(Serialize)]
struct LineSide {
    n: usize,
    shares: Vec<String>,
    interval: String,
    localised: String,
    #[serde(flatten)]
    mark: PlotMark,
}

#[derive(Serialize)]
struct Ending {
    name: String,
    bars: Vec<Bar>,
}

#[derive(Serialize)]
struct Bar {
    count: usize,
    share: f64,
}

#[derive(Serialize)]
struct PairedCounts<'a> {
    metric: &'a str,
    both: usize,
    only_first: usize,
    only_second: usize,
    neither: usize,
    p: String,
}

/// Renders the page.
pub fn page(shown: ScorePage<'_>) -> Result<String, PageError> {
    let ScorePage { title, facts, sides, pairings } = shown;
    let view = PageView {
        title,
        facts,
        files: sides.iter().map(file).collect(),
        metrics: HEADS,
        charts: charts(sides),
        sections: sections(sides),
        outcomes: outcomes(sides),
        pairings: pairings.iter().map(split).collect(),
    };
    html(include_str!("../../templates/score/report.html"), &view)
}

fn file<'a>(side: &AnswerFile<'a>) -> File<'a> {
    let overall = &side.summary.overall;
    let ves = overall.ves.map(percent);
    File { name: side.name, n: overall.n, ves, problems: side.problems, failing: side.failing }
}

/// Returns the shares of a tally in the order of [`METRICS`].
fn shares(tally: &MetricShares) -> [f64; 6] {
    [tally.em, tally.em_normalised, tally.gm, tally.mb, tally.ex, tally.accepted]
}

/// The position of a plot, in pixels.
#[derive(Clone, Copy)]
struct PlotFrame {
    left: f64,
    /// The width of a share of 1.
    width: f64,
    y: usize,
}

/// Places a metric of a tally in a plot.
fn mark(file: usize, tally: &MetricShares, metric: usize, frame: PlotFrame) -> PlotMark {
    let PlotFrame { left, width, y } = frame;
    let share = shares(tally)[metric];
    let [low, high] = tally.intervals.get(METRICS[metric]).copied().unwrap_or([share; 2]);
    let pixel = |share: f64| ((left + share * width) * 10.0).round() / 10.0;
    let words = format!("{} {} ({} to {})", HEADS[metric], percent(share), percent(low), percent(high));
    PlotMark { file, low: pixel(low), at: pixel(share), high: pixel(high), y, words }
}

/// Returns one chart per track with one row per metric.
fn charts<'a>(sides: &[AnswerFile<'_>]) -> Vec<Chart<'a>> {
    let chart = |(label, tally): (&str, TrackScores)| {
        let n = sides.first().map_or(0, |side| tally(side.summary).n);
        let row = |(metric, name): (usize, &&'a str)| {
            let top = 36 + metric * 26;
            let marks = sides.iter().enumerate();
            let marks = marks
                .map(|(file, side)| {
                    let frame = PlotFrame { left: 200.0, width: 500.0, y: top - 4 + file * 9 };
                    mark(file, tally(side.summary), metric, frame)
                })
                .collect();
            ChartRow { name, y: top, sides: marks }
        };
        let rows = HEADS.iter().enumerate().map(row).collect();
        (n > 0).then(|| Chart { label: format!("{label} ({n})"), height: 36 + 6 * 26 + 14, rows })
    };
    TRACKS.into_iter().filter_map(chart).collect()
}

fn sections<'a>(sides: &[AnswerFile<'_>]) -> Vec<PageSection<'a>> {
    let lines = TRACKS.iter().map(|(name, tally)| line((*name).to_owned(), sides, |summary| Some(tally(summary))));
    let first = PageSection { title: "Track", open: true, lines: lines.collect() };
    let others = DIMENSIONS.iter().map(|(dimension, title, open)| {
        let of = |side: &AnswerFile<'_>| {
            side.summary.by.get(*dimension).into_iter().flatten().map(|(name, _)| name.clone()).collect::<Vec<_>>()
        };
        let groups: BTreeSet<String> = sides.iter().flat_map(of).collect();
        let group = |name: String| {
            let wanted = name.clone();
            line(name, sides, move |summary| summary.by.get(*dimension)?.get(&wanted))
        };
        PageSection { title, open: *open, lines: groups.into_iter().map(group).collect() }
    });
    std::iter::once(first).chain(others).collect()
}

fn line(group: String, sides: &[AnswerFile<'_>], tally: impl Fn(&Summary) -> Option<&MetricShares>) -> SectionLine {
    let side = |(file, side): (usize, &AnswerFile<'_>)| {
        let tally = tally(side.summary)?;
        let [low, high] = tally.intervals.get("accepted").copied().unwrap_or_default();
        Some(LineSide {
            n: tally.n,
            shares: shares(tally).map(percent).to_vec(),
            interval: format!("{} – {}", percent(low), percent(high)),
            localised: percent(tally.localised),
            mark: mark(file, tally, METRICS.len() - 1, PlotFrame { left: 8.0, width: 200.0, y: 8 }),
        })
    };
    SectionLine { group, sides: sides.iter().enumerate().filter_map(side).collect() }
}

fn outcomes(sides: &[AnswerFile<'_>]) -> Vec<Ending> {
    let names: BTreeSet<&String> = sides.iter().flat_map(|side| side.summary.overall.outcomes.keys()).collect();
    let bar = |side: &AnswerFile<'_>, name: &str| {
        let count = side.summary.overall.outcomes.get(name).copied().unwrap_or(0);
        Bar { count, share: count as f64 / side.summary.overall.n.max(1) as f64 }
    };
    let ending = |name: &String| Ending {
        name: name.replace('_', " "),
        bars: sides.iter().map(|side| bar(side, name)).collect(),
    };
    names.into_iter().map(ending).collect()
}

fn split(pairing: &PairedTest) -> PairedCounts<'_> {
    let PairedTest { metric, both, only_first, only_second, neither, p } = pairing;
    let head = METRICS.iter().position(|known| known == metric).map_or(metric.as_str(), |place| HEADS[place]);
    let p = if *p < 0.0001 { "< 0.0001".to_owned() } else { format!("{p:.4}") };
    PairedCounts { metric: head, both: *both, only_first: *only_first, only_second: *only_second, neither: *neither, p }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::Track;
    use crate::page::TextDifference;

    fn summary(accepted: f64) -> Summary {
        let tally = MetricShares { n: 12, gm: accepted, accepted, ..MetricShares::default() };
        let mut summary = Summary { overall: tally.clone(), semantic: tally.clone(), ..Summary::default() };
        summary.overall.outcomes.insert("other_rows".to_owned(), 3);
        let groups = summary.by.entry("domain".to_owned()).or_default();
        groups.insert("<b>bank & co</b>".to_owned(), tally);
        summary
    }

    #[test]
    fn text_of_others_is_escaped_and_nothing_comes_from_outside() {
        let summary = summary(0.5);
        let problems = ["line 3: no task is called <script>alert(1)</script>".to_owned()];
        let hostile = "</pre><script>alert(1)</script><img src=x>";
        let failing = [FailingTask {
            id: hostile.to_owned(),
            track: Track::Semantic,
            domain: hostile.to_owned(),
            faults: hostile.to_owned(),
            outcome: "other rows".to_owned(),
            detail: Some(hostile.to_owned()),
            context: hostile.to_owned(),
            answer: Some(TextDifference::read(&format!("@@ -1 +1 @@ {hostile}\n+{hostile}\n"))),
            repair: TextDifference::read(&format!("-{hostile}\n")),
        }];
        let side = AnswerFile { name: "a\"<i>.jsonl", summary: &summary, problems: &problems, failing: &failing };
        let facts = BTreeMap::from([(hostile.to_owned(), hostile.to_owned())]);
        let html = page(ScorePage { title: "run <1>", facts: &facts, sides: &[side], pairings: &[] }).unwrap();
        assert_eq!(html.matches("&lt;script&gt;alert(1)").count(), 11, "{html}");
        for hostile in
            ["<script", "<b>", "<i>.", "<img", "run <1>", "http:", "https:", "=\"x", "href=", "@import", "url("]
        {
            assert!(!html.contains(hostile), "{hostile}");
        }
        assert!(html.contains("&lt;b&gt;bank &amp; co&lt;&#x2f;b&gt;"), "{html}");
    }

    #[test]
    fn every_element_that_is_opened_is_closed_and_two_files_stand_side_by_side() {
        let (first, second) = (summary(0.5), summary(1.0));
        let sides = [("a", &first), ("b", &second)].map(|(name, summary)| AnswerFile {
            name,
            summary,
            problems: &[],
            failing: &[],
        });
        let both =
            PairedTest { metric: "gm".to_owned(), both: 6, only_first: 0, only_second: 6, neither: 0, p: 0.03125 };
        let facts = BTreeMap::new();
        let html = page(ScorePage { title: "run", facts: &facts, sides: &sides, pairings: &[both] }).unwrap();
        for element in ["html", "table", "tbody", "tr", "td", "th", "svg", "details", "ul", "p", "circle"] {
            let opened = html.matches(&format!("<{element} ")).count() + html.matches(&format!("<{element}>")).count();
            assert_eq!(opened, html.matches(&format!("</{element}>")).count(), "{element}");
        }
        // Each row of a section or chart has one mark per file.
        assert_eq!(html.matches("<circle class=\"file0\"").count(), html.matches("<circle class=\"file1\"").count());
        assert!(html.contains(">0.0312<") || html.contains(">0.0313<"), "{html}");
    }
}
