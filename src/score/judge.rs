//! One answer → its score.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use super::accepted::Findings;
use super::answer_text::{AnswerText, TaskTexts, TextComparison, TextReader, TextRequest};
use super::benchmark::{Benchmark, Task};
use super::outcome::{AnswerOutcome, Score};
use super::predictions::Prediction;
use super::task_data::TaskData;
use crate::engine::Engine;
use crate::engine::child::{Allowance, InProcess, RunVerdict, TrialReply, TrialRequest, TrialRunner, Worker};
use crate::engine::table::Database;
use crate::parallel::shielded;
use crate::reply::LARGEST;

/// Targeted databases that an answer runs on before the next ones are sent.
const TARGETED_AT_ONCE: usize = 24;

/// Where answers run.
#[derive(Clone, Debug)]
pub enum Isolation {
    /// In a child process of this program that is ended at its limits.
    Process(PathBuf),
    /// In this process, under the limits that can be watched from inside. For answers that are trusted.
    InProcess,
    /// On another engine, which watches over its own process.
    Engine(Arc<dyn Engine>),
}

/// How to judge.
#[derive(Clone, Debug)]
pub struct JudgeSettings {
    /// Run answers, rather than compare texts and graphs alone.
    pub execute: bool,
    /// What one answer may use.
    pub allowance: Allowance,
    /// Where answers run.
    pub isolation: Isolation,
    /// More runs of reference and answer in turn, for their times; 0 for no [`Score::ves`].
    pub repeats: u32,
}

impl Default for JudgeSettings {
    /// In a child process, except in a harness that links this crate and has no such program.
    fn default() -> Self {
        let isolation = Worker::program().map_or(Isolation::InProcess, Isolation::Process);
        JudgeSettings { execute: true, allowance: Allowance::default(), isolation, repeats: 0 }
    }
}

/// Scores answers to the tasks of a benchmark. Threads may share it.
#[derive(Debug)]
pub struct Judge<'a> {
    benchmark: &'a Benchmark,
    settings: JudgeSettings,
    /// One for each thread that has scored.
    sessions: Mutex<Vec<JudgeSession>>,
}

/// What one thread keeps from answer to answer.
#[derive(Debug)]
struct JudgeSession {
    runner: AnswerRunner,
    texts: TextPlace,
    /// The last task of which an answer needed them, and its databases beyond the suite.
    data: Option<(String, TaskData)>,
}

#[derive(Debug)]
enum AnswerRunner {
    Child(Worker),
    Here(Box<TrialRunner<InProcess>>),
    Engine(Box<TrialRunner<Arc<dyn Engine>>>),
}

/// Where the texts of answers are read: an engine that watches over its own process does not watch over this.
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

    /// What an answer says; how reading it ended where it has no end, or ends its process.
    fn read(&mut self, request: TextRequest, allowance: Allowance) -> Result<AnswerText, RunVerdict> {
        match self {
            TextPlace::Child(worker) => worker.delegate(&request, allowance),
            TextPlace::Here(reader) => shielded("an answer", || reader.read(&request, &mut || {}))
                .map_err(|panic| RunVerdict::Crashed { message: panic.to_string() }),
        }
    }
}

impl<'a> Judge<'a> {
    /// A judge that runs answers under the default limits.
    pub fn new(benchmark: &'a Benchmark) -> Judge<'a> {
        Judge::with(benchmark, JudgeSettings::default())
    }

    /// A judge with settings of one's own.
    pub fn with(benchmark: &'a Benchmark, settings: JudgeSettings) -> Judge<'a> {
        Judge { benchmark, settings, sessions: Mutex::default() }
    }

    /// The score of an answer; `None` if the benchmark has no such task.
    pub fn score(&self, instance_id: &str, predict_sql: &str) -> Option<Score> {
        self.benchmark.task(instance_id).map(|task| self.answer(task, predict_sql))
    }

    /// The score of a line of a predictions file; `None` stands for a task without one.
    pub fn prediction(&self, task: &Task, prediction: Option<&Prediction>) -> Score {
        let zero = |outcome| Score::zero(&task.record.instance_id, task.record.track(), outcome);
        match prediction {
            None | Some(Prediction::Absent | Prediction::Null) => zero(AnswerOutcome::Missing),
            Some(Prediction::WrongType) => zero(AnswerOutcome::WrongType),
            Some(Prediction::Duplicate) => zero(AnswerOutcome::Duplicate),
            Some(Prediction::Text(text)) => self.answer(task, text),
        }
    }

    /// The score of an answer to a task of the benchmark.
    pub fn answer(&self, task: &Task, answer: &str) -> Score {
        let zero = |outcome| Score::zero(&task.record.instance_id, task.record.track(), outcome);
        if answer.len() > LARGEST {
            return zero(AnswerOutcome::TooLarge);
        }
        let lock = || self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        let idle = lock().pop();
        let mut session = idle.unwrap_or_else(|| self.session());
        // A panic of this program costs this answer and this session.
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

    /// Runs an answer on the task's suite; `None` if there is none and nothing refuses the answer.
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

    /// Whether an answer gives the reference's results on the held-out databases; `None` if none of them can judge.
    fn held_out(&mut self, task: &Task, sql: &str, settings: &JudgeSettings) -> Option<bool> {
        let held_out = self.data(task).held_out.clone();
        self.agrees(held_out, request(task, sql, settings))
    }

    /// The same on the databases targeted at the answer. On another engine than the embedded one they are not run: each
    /// of them takes as long there as all of them here.
    fn targeted(&mut self, task: &Task, sql: &str, settings: &JudgeSettings) -> Option<bool> {
        if matches!(self.runner, AnswerRunner::Engine(_)) {
            return None;
        }
        let targeted = self.data(task).targeted(sql);
        let mut found = None;
        for part in targeted.chunks(TARGETED_AT_ONCE) {
            found = self.agrees(part.to_vec(), request(task, sql, settings)).or(found);
            if found == Some(false) {
                break;
            }
        }
        found
    }

    /// Whether an answer gives the reference's results on databases that are in no file.
    fn agrees(&mut self, further: Vec<Database>, request: TrialRequest) -> Option<bool> {
        let reply = self.run(&TrialRequest { further, repeats: 0, ..request });
        // Limits are about the suite: an answer that keeps them there has shown what it needs.
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

/// A request without any database.
fn request(task: &Task, sql: &str, settings: &JudgeSettings) -> TrialRequest {
    TrialRequest {
        schema_ddl: task.record.schema_ddl.clone(),
        parameters: task.record.parameters.clone(),
        reference_sql: task.gold.reference_sql.clone(),
        predict_sql: sql.to_owned(),
        databases: Vec::new(),
        further: Vec::new(),
        allowance: settings.allowance,
        policies: task.gold.provenance.policies.clone(),
        repeats: settings.repeats,
    }
}

/// The valid efficiency score of one answer with equal results, as BIRD and SQLCritic have it: the square root of the
/// reference's time over the answer's. Each time is the sum over the task's databases of the best of all runs, taken in
/// turn in one process; one microsecond is the least. On Spark it is Spark's own time for reading, resolving and running
/// the script, without the loading of tables and the way to its process.
fn efficiency(reply: &TrialReply) -> f64 {
    let microseconds = |time: u64| time.max(1) as f64;
    (microseconds(reply.reference_microseconds) / microseconds(reply.predict_microseconds)).sqrt()
}
