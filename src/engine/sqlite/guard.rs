//! Guards a connection: limits on sizes, a list of what SQL may do, and a budget for each run.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::time::Instant;

use rusqlite::Connection;
use rusqlite::config::DbConfig;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;

use super::limits::{Limits, RunErrorKind};
use super::work::add_instructions;

/// How many instructions run between two checks of the budget.
const STEP: u64 = 1000;
/// Steps from which on a call of a function is accounted for.
const LARGE_CALL: usize = 4096;
/// How many steps of a function take as long as one instruction.
const STEPS_OF_AN_INSTRUCTION: u64 = 8;
/// Nanoseconds between two checks of memory, each of which reads `/proc`.
const BETWEEN_MEASUREMENTS: u64 = 4_000_000;

/// Largest text or row, in bytes: functions of SQLite that take quadratic time stay under a few seconds.
const LARGEST_VALUE: i32 = 1 << 20;

/// Limits on queries. A query that exceeds one is refused before it runs.
const SIZES: [(Limit, i32); 9] = [
    (Limit::SQLITE_LIMIT_LENGTH, LARGEST_VALUE),
    (Limit::SQLITE_LIMIT_SQL_LENGTH, 1 << 20),
    (Limit::SQLITE_LIMIT_COLUMN, 2000),
    (Limit::SQLITE_LIMIT_EXPR_DEPTH, 1000),
    (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 500),
    (Limit::SQLITE_LIMIT_VDBE_OP, 1_000_000),
    (Limit::SQLITE_LIMIT_ATTACHED, 0),
    (Limit::SQLITE_LIMIT_TRIGGER_DEPTH, 1),
    (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
];

/// Sets limits and switches, then restricts what SQL may do from then on.
pub(super) fn protect(connection: &mut Connection, budget: &Arc<RunAllowance>) -> rusqlite::Result<()> {
    connection.execute_batch("PRAGMA temp_store=MEMORY; PRAGMA cache_size=-16000; PRAGMA trusted_schema=OFF")?;
    for (limit, most) in SIZES {
        connection.set_limit(limit, most)?;
    }
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    // A translation writes names in double quotes, which must never be taken for text, whatever SQLite's build says.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DDL, false)?;
    let watched = Arc::clone(budget);
    connection.progress_handler(STEP as i32, Some(move || watched.spend(STEP)))?;
    connection.authorizer(Some(permission))
}

/// Allows reading, and writing of tables inside the transaction of a run, but no files, settings or extensions.
fn permission(context: AuthContext<'_>) -> Authorization {
    let allowed = match context.action {
        AuthAction::Select | AuthAction::Read { .. } | AuthAction::Recursive | AuthAction::Transaction { .. } => true,
        AuthAction::Insert { .. } | AuthAction::Delete { .. } | AuthAction::CreateTable { .. } => true,
        // This is part of CREATE TABLE; the defensive mode refuses it anywhere else.
        AuthAction::Update { table_name, .. } => table_name == "sqlite_master",
        AuthAction::Function { function_name } => {
            !["load_extension", "fts3_tokenizer", "readfile", "writefile", "edit"]
                .iter()
                .any(|name| function_name.eq_ignore_ascii_case(name))
        }
        _ => false,
    };
    if allowed { Authorization::Allow } else { Authorization::Deny }
}

/// What is left for the current run. It is shared with the progress handler of the connection.
#[derive(Debug)]
pub(crate) struct RunAllowance {
    started: Instant,
    instructions: AtomicU64,
    /// Nanoseconds after `started`.
    deadline: AtomicU64,
    /// Nanoseconds after `started`.
    measured: AtomicU64,
    /// Resident bytes at the first measurement of a run; 0 before it.
    resident_before: AtomicU64,
    memory: AtomicU64,
    exceeded: AtomicU8,
}

impl Default for RunAllowance {
    fn default() -> Self {
        RunAllowance {
            started: Instant::now(),
            instructions: AtomicU64::new(u64::MAX),
            deadline: AtomicU64::new(u64::MAX),
            measured: AtomicU64::new(0),
            resident_before: AtomicU64::new(0),
            memory: AtomicU64::new(u64::MAX),
            exceeded: AtomicU8::new(0),
        }
    }
}

const INSTRUCTIONS: u8 = 1;
const TIME: u8 = 2;
const MEMORY: u8 = 3;

impl RunAllowance {
    pub fn start(&self, limits: &Limits) {
        let now = self.started.elapsed().as_nanos() as u64;
        let time = u64::try_from(limits.time.as_nanos()).unwrap_or(u64::MAX);
        self.instructions.store(limits.instructions, Ordering::Relaxed);
        self.deadline.store(now.saturating_add(time), Ordering::Relaxed);
        self.measured.store(now, Ordering::Relaxed);
        self.resident_before.store(0, Ordering::Relaxed);
        self.memory.store(limits.memory as u64, Ordering::Relaxed);
        self.exceeded.store(0, Ordering::Relaxed);
    }

    /// Ends a run. Between runs nothing is limited.
    pub fn stop(&self) {
        self.instructions.store(u64::MAX, Ordering::Relaxed);
        self.deadline.store(u64::MAX, Ordering::Relaxed);
        self.memory.store(u64::MAX, Ordering::Relaxed);
    }

    /// Returns the limit that was exceeded, if any.
    pub fn exceeded(&self) -> Option<RunErrorKind> {
        match self.exceeded.load(Ordering::Relaxed) {
            INSTRUCTIONS => Some(RunErrorKind::Instructions),
            TIME => Some(RunErrorKind::Time),
            MEMORY => Some(RunErrorKind::Memory),
            _ => None,
        }
    }

    /// Accounts for the work of a call that takes so many steps of a few nanoseconds, each of which is far less than an
    /// instruction; true refuses the call. Small calls cost nothing: the instructions around them do.
    pub fn spend_steps(&self, steps: usize) -> bool {
        steps >= LARGE_CALL && self.spend(steps as u64 / STEPS_OF_AN_INSTRUCTION)
    }

    /// Accounts for instructions; true stops the query.
    fn spend(&self, count: u64) -> bool {
        add_instructions(count);
        let left = self.instructions.load(Ordering::Relaxed);
        self.instructions.store(left.saturating_sub(count), Ordering::Relaxed);
        let now = self.started.elapsed().as_nanos() as u64;
        let exceeded = if left < count {
            INSTRUCTIONS
        } else if now > self.deadline.load(Ordering::Relaxed) {
            TIME
        } else if self.grows_too_much(now) {
            MEMORY
        } else {
            return false;
        };
        self.exceeded.store(exceeded, Ordering::Relaxed);
        true
    }

    fn grows_too_much(&self, now: u64) -> bool {
        if now.saturating_sub(self.measured.load(Ordering::Relaxed)) < BETWEEN_MEASUREMENTS {
            return false;
        }
        self.measured.store(now, Ordering::Relaxed);
        let Some(resident) = resident_bytes() else { return false };
        let before = self.resident_before.load(Ordering::Relaxed);
        if before == 0 {
            self.resident_before.store(resident, Ordering::Relaxed);
            return false;
        }
        resident.saturating_sub(before) > self.memory.load(Ordering::Relaxed)
    }
}

/// Returns the resident memory of the process; `None` if the system does not report it. SQLite's own heap limit is not
/// used, because it needs statistics that cost a quarter of a run's time (see `.cargo/config.toml`).
fn resident_bytes() -> Option<u64> {
    const PAGE: u64 = 4096;
    let statistics = std::fs::read_to_string("/proc/self/statm").ok()?;
    statistics.split_whitespace().nth(1)?.parse::<u64>().ok().map(|pages| pages * PAGE)
}
