//! Scores one answer.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use super::accepted::Findings;
use super::answer_text::{AnswerRequest, AnswerText, TaskTexts, TextComparison, TextReader, TextRequest};
use super::benchmark::{Benchmark, Task};
use super::outcome::{AnswerOutcome, Score};
use super::predictions::Prediction;
use super::targets::TargetRequest;
use super::task_data::TaskData;
use crate::engine::Engine;
use crate::engine::child::{Allowance, InProcess, RunVerdict, TrialReply, TrialRequest, TrialRunner, Worker};
use crate::engine::table::Database;
use crate::parallel::shielded;
use crate::reply::LARGEST;

/// How many targeted databases an answer runs on at a time; the rest is spared once one of them shows a difference.
const TARGETED_AT_ONCE: usize = 24;

/// Where answers run.
#[derive(Clone, Debug)]
pub enum Isolation {
    /// In a child process of this program that is killed at its limits.
    Process(PathBuf),
    /// In this process, under the limits that can be watched from inside. Only for trusted answers.
    InProcess,
    /// On another engine, which supervises its own process.
    Engine(Arc<dyn Engine>),
}

#[derive(Clone, Debug)]
pub struct JudgeSettings {
    /// Whether answers are run, rather than only compared by text and graph.
    pub execute: bool,
    pub allowance: Allowance,
    pub isolation: Isolation,
    /// How many further runs of reference and answer, in turn, are timed; 0 for no [`Score::ves`].
    pub repeats: u32,
}

impl JudgeSettings {
    /// Returns the settings for an engine. The embedded one runs answers in a child process, since a run may come from
    /// anybody; any other runs them itself, and is given a minute for each.
    pub fn for_engine(engine: &Arc<dyn Engine>) -> JudgeSettings {
        let mut settings = JudgeSettings::default();
        if engine.external().is_some() {
            settings.isolation = Isolation::Engine(Arc::clone(engine));
            settings.allowance.milliseconds = 60_000;
        }
        settings
    }
}

impl Default for JudgeSettings {
    /// Runs answers in a child process, except in a harness that links this crate and is not this program.
    fn default() -> Self {
        let isolation = Worker::program().map_or(Isolation::InProcess, Isolation::Process);
        JudgeSettings { execute: true, allowance: Allowance::default(), isolation, repeats: 0 }
    }
}

/// Scores answers to the tasks of a benchmark. It can be shared between threads.
#[derive(Debug)]
pub struct Judge<'a> {
    benchmark: &'a Benchmark,
    settings: JudgeSettings,
    /// Idle sessions, at most one for each thread that has scored.
    sessions: Mutex<Vec<JudgeSession>>,
}

/// The state that one thread keeps from answer to answer.
#[derive(Debug)]
struct JudgeSession {
    runner: AnswerRunner,
    texts: TextPlace,
    /// The id of the last task for which an answer had to run beyond the suite, and the databases for that.
    data: Option<(String, TaskData)>,
}

#[derive(Debug)]
enum AnswerRunner {
    Child(Worker),
    Here(Box<TrialRunner<InProcess>>),
    Engine(Box<TrialRunner<Arc<dyn Engine>>>),
}

/// Where the texts of answers are read. An engine that supervises its own process does not supervise this.
#[derive(Debug)]
enum TextPlace {
    Child(Worker),
    Here(Box<TextReader>),
}

impl TextPlace {
    fn of(isolation: &Isolation) -> TextPlace {
        let program = match isolation {
            Isolation::Process(program) => Some(program.clone()),
            Isolation::InProcess => None,
            Isolation::Engine(_) => Worker::program(),
        };
        program.map_or_else(|| TextPlace::Here(Box::default()), |program| TextPlace::Child(Worker::new(&program)))
    }

    /// Reads an answer.
    ///
    /// # Errors
    ///
    /// If reading exceeds the allowance or crashes.
    fn read(&mut self, request: TextRequest, allowance: Allowance) -> Result<AnswerText, RunVerdict> {
        match self {
            TextPlace::Child(worker) => worker.delegate(&AnswerRequest::Text(request), allowance),
            TextPlace::Here(reader) => shielded("an answer", || reader.read(&request, &mut || {}))
                .map_err(|panic| RunVerdict::Crashed { message: panic.to_string() }),
        }
    }

    /// Returns databases targeted at an answer. The list is empty if generating them exceeds the allowance or crashes.
    fn targets(&mut self, request: TargetRequest, allowance: Allowance) -> Vec<Database> {
        match self {
            TextPlace::Child(worker) => worker.delegate(&AnswerRequest::Targets(request), allowance),
            TextPlace::Here(_) => Ok(request.databases(&mut || {})),
        }
        .unwrap_or_default()
    }
}

impl<'a> Judge<'a> {
    /// Returns a judge that runs answers under the default limits.
    pub fn new(benchmark: &'a Benchmark) -> Judge<'a> {
        Judge::with(benchmark, JudgeSettings::default())
    }

    /// Returns a judge with the given settings.
    pub fn with(benchmark: &'a Benchmark, settings: JudgeSettings) -> Judge<'a> {
        Judge { benchmark, settings, sessions: Mutex::default() }
    }

    /// Returns the score of an answer; `None` if the benchmark has no such task.
    pub fn score(&self, instance_id: &str, predict_sql: &str) -> Option<Score> {
        self.benchmark.answerable(instance_id).map(|task| self.answer(task, predict_sql))
    }

    /// Returns the score of a line of a predictions file, or of a task that has none.
    pub fn prediction(&self, task: &Task, prediction: Option<&Prediction>) -> Score {
        let zero = |outcome| Score::zero(&task.record.instance_id, task.record.track(), outcome);
        match prediction {
            None | Some(Prediction::Absent | Prediction::Null) => zero(AnswerOutcome::Missing),
            Some(Prediction::WrongType) => zero(AnswerOutcome::WrongType),
            Some(Prediction::Duplicate) => zero(AnswerOutcome::Duplicate),
            Some(Prediction::Text(text)) => self.answer(task, text),
        }
    }

    /// Returns the score of an answer to a task of the benchmark.
    pub fn answer(&self, task: &Task, answer: &str) -> Score {
        let zero = |outcome| Score::zero(&task.record.instance_id, task.record.track(), outcome);
        if answer.len() > LARGEST {
            return zero(AnswerOutcome::TooLarge);
        }
        let lock = || self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        let idle = lock().pop();
        let mut session = idle.unwrap_or_else(|| self.session());
        // After a panic the session is not put back, so that nothing half-done is used again.
        let score = shielded(&task.record.instance_id, || {
            let score = session.score(task, answer, &self.settings, zero(AnswerOutcome::NotRun));
            lock().push(session);
            score
        });
        score.unwrap_or_else(|panic| Score { detail: Some(panic.to_string()), ..zero(AnswerOutcome::Unjudged) })
    }

    fn session(&self) -> JudgeSession {
        let runner = match &self.settings.isolation {
            Isolation::Process(program) => AnswerRunner::Child(Worker::new(program)),
            Isolation::InProcess => AnswerRunner::Here(Box::default()),
            Isolation::Engine(engine) => AnswerRunner::Engine(Box::new(TrialRunner::new(Arc::clone(engine)))),
        };
        JudgeSession { runner, texts: TextPlace::of(&self.settings.isolation), data: None }
    }
}

impl JudgeSession {
    fn score(&mut self, task: &Task, answer: &str, settings: &JudgeSettings, zero: Score) -> Score {
        let request = TextRequest { task: TaskTexts::of(task), answer: answer.to_owned() };
        let (sql, texts) = match self.texts.read(request, settings.allowance) {
            Ok(AnswerText::Sql { sql, comparison }) => (sql, comparison),
            Ok(AnswerText::Without { outcome, detail }) => return Score { outcome, detail, ..zero },
            Err(verdict) => {
                let (outcome, detail) = AnswerOutcome::of(&verdict);
                return Score { outcome, detail, ..zero };
            }
        };
        let sql = sql.as_str();
        let reply = settings.execute.then(|| self.suite(task, sql, settings)).flatten();
        let (outcome, detail) = match &reply {
            Some(reply) => AnswerOutcome::of(&reply.verdict),
            None => (AnswerOutcome::NotRun, None),
        };
        let ex = outcome == AnswerOutcome::Equal;
        let witness = task.databases.first().map(PathBuf::as_path);
        let mut findings = reply.as_ref().map(|reply| Findings::of(zero.track, &reply.verdict, witness));
        if let (Some(found), None, true) = (&mut findings, texts.credit, ex) {
            found.held_out = self.held_out(task, sql, settings);
            if found.held_out != Some(false) {
                found.targeted = self.targeted(task, sql, settings);
            }
        }
        let credit = texts.credit.or_else(|| findings.and_then(Findings::credit));
        let ves = reply.filter(|_| settings.repeats > 0).map(|reply| if ex { efficiency(&reply) } else { 0.0 });
        let TextComparison { em, em_normalised, gm, mb, place, .. } = texts;
        let accepted = credit.is_some();
        let place = Some(place);
        Score { outcome, detail, em, em_normalised, gm, mb, ex, accepted, credit, findings, place, ves, ..zero }
    }

    /// Runs an answer on the task's suite; `None` if the suite is empty and the engine accepts the answer.
    fn suite(&mut self, task: &Task, sql: &str, settings: &JudgeSettings) -> Option<TrialReply> {
        let reply = self.run(&TrialRequest { databases: task.databases.clone(), ..request(task, sql, settings) });
        let blind = task.databases.is_empty() && reply.verdict == RunVerdict::Equal;
        (!blind).then_some(reply)
    }

    fn data(&mut self, task: &Task) -> &TaskData {
        let id = &task.record.instance_id;
        let last = self.data.take().filter(|(known, _)| known == id);
        let (_, data) = self.data.insert(last.unwrap_or_else(|| (id.clone(), TaskData::of(task))));
        data
    }

    /// Whether an answer gives the reference's results on the held-out databases; `None` if none of them can judge it.
    fn held_out(&mut self, task: &Task, sql: &str, settings: &JudgeSettings) -> Option<bool> {
        let held_out = self.data(task).held_out.clone();
        self.agrees(held_out, request(task, sql, settings))
    }

    /// Whether an answer gives the reference's results on the databases targeted at it; `None` if none of them can
    /// judge it. Only the embedded engine is asked: another one takes as long for one database as it does for all.
    fn targeted(&mut self, task: &Task, sql: &str, settings: &JudgeSettings) -> Option<bool> {
        if matches!(self.runner, AnswerRunner::Engine(_)) {
            return None;
        }
        let targets = TargetRequest::new(task, &self.data(task).suite, sql);
        let targeted = self.texts.targets(targets, settings.allowance);
        let mut found = None;
        for part in targeted.chunks(TARGETED_AT_ONCE) {
            found = self.agrees(part.to_vec(), request(task, sql, settings)).or(found);
            if found == Some(false) {
                break;
            }
        }
        found
    }

    /// Whether an answer gives the reference's results on databases that exist in memory only; `None` if none of them
    /// can judge it.
    fn agrees(&mut self, others: Vec<Database>, request: TrialRequest) -> Option<bool> {
        let reply = self.run(&TrialRequest { others, repeats: 0, ..request });
        // Limits apply to the suite; an answer that kept them there is not refused for exceeding them here.
        let unclear = matches!(reply.verdict, RunVerdict::Unjudged { .. } | RunVerdict::Exceeded { .. });
        (!unclear && reply.databases > 0).then_some(reply.verdict == RunVerdict::Equal)
    }

    fn run(&mut self, request: &TrialRequest) -> TrialReply {
        match &mut self.runner {
            AnswerRunner::Child(worker) => worker.answer(request),
            AnswerRunner::Here(runner) => runner.answer(request, || {}),
            AnswerRunner::Engine(runner) => runner.answer(request, || {}),
        }
    }
}

/// Returns a request without databases.
fn request(task: &Task, sql: &str, settings: &JudgeSettings) -> TrialRequest {
    TrialRequest {
        schema_ddl: task.record.schema_ddl.clone(),
        parameters: task.record.parameters.clone(),
        reference_sql: task.gold.reference_sql.clone(),
        predict_sql: sql.to_owned(),
        tables: task.gold.read_tables.clone(),
        databases: Vec::new(),
        others: Vec::new(),
        allowance: settings.allowance,
        policies: task.gold.provenance.policies.clone(),
        repeats: settings.repeats,
    }
}

/// Returns the valid efficiency score of an answer with equal results, as defined by BIRD and SQLCritic: the square
/// root of the reference's time over the answer's.
///
/// Each time is the sum over the task's databases of the best of all runs, which alternate in one process; the minimum
/// is one microsecond. On Spark it is Spark's own time for parsing, analysing and running the script, without loading
/// tables and without communication.
fn efficiency(reply: &TrialReply) -> f64 {
    let microseconds = |time: u64| time.max(1) as f64;
    (microseconds(reply.reference_microseconds) / microseconds(reply.predict_microseconds)).sqrt()
}
