//! Pools connections, one for each thread and join strategy. A connection has functions and guards, and holds the rows
//! of the database it last ran on.
//!
//! For databases of the same schema the tables stay and only the rows that differ are written, so that queries which run
//! on many databases stay prepared.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use rusqlite::backup::Backup;
use rusqlite::{Connection, Statement};

use super::functions::Turn;
use super::guard::{RunAllowance, protect};
use super::held_rows::HeldRows;
use super::load::{LoadedDatabase, creation, quoted};
use super::work::add_preparation;
use super::{failures, functions};
use crate::code::schema::TableDefinition;
use crate::engine::table::Row;

thread_local! {
    static WORKER: RefCell<Option<PooledConnection>> = const { RefCell::new(None) };
    static SCANNING: RefCell<Option<PooledConnection>> = const { RefCell::new(None) };
}

/// Makes this thread forget the queries that it ran and the texts that it parsed for them, so that work is counted as on
/// a new thread.
pub fn forget_earlier_runs() {
    functions::forget_texts();
    for worker in [&WORKER, &SCANNING] {
        worker.with_borrow(|slot| {
            if let Some(worker) = slot {
                worker.queries.borrow_mut().clear();
                worker.connection.flush_prepared_statement_cache();
            }
        });
    }
}

/// How a connection finds the rows of a join.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JoinStrategy {
    /// By indexes that SQLite builds for the query.
    Indexes,
    /// By reading tables from end to end, and unordered results of queries backwards.
    Scans,
}

/// How many prepared statements a connection keeps: those of a script and its mutant, and one or two for each table.
const KEPT_STATEMENTS: usize = 128;

pub(super) struct PooledConnection {
    pub connection: Connection,
    pub budget: Arc<RunAllowance>,
    /// How rows of the same rank follow each other.
    pub turn: Arc<Turn>,
    /// The id of the database whose rows the connection holds; 0 for none.
    loaded: u64,
    /// The tables of its schema.
    definitions: Arc<Vec<TableDefinition>>,
    /// The rows that its tables hold, by the position of their definitions.
    held: HashMap<usize, HeldRows>,
    /// Tables created for scripts, which are empty between runs.
    scratch: HashSet<String>,
    /// The queries that ran last, the most recent first.
    queries: RefCell<VecDeque<String>>,
    /// A connection in which tables are defined and then copied from, because the main one may not drop any.
    template: Option<Connection>,
}

impl PooledConnection {
    fn new(plan: JoinStrategy) -> rusqlite::Result<PooledConnection> {
        let mut connection = Connection::open_in_memory()?;
        if plan == JoinStrategy::Scans {
            connection.execute_batch("PRAGMA automatic_index=OFF; PRAGMA reverse_unordered_selects=ON")?;
        }
        connection.set_prepared_statement_cache_capacity(KEPT_STATEMENTS);
        let budget = Arc::new(RunAllowance::default());
        let turn = Arc::<Turn>::default();
        functions::register_within(&connection, &budget, &turn)?;
        failures::register(&connection)?;
        protect(&mut connection, &budget)?;
        Ok(PooledConnection {
            connection,
            budget,
            turn,
            loaded: 0,
            definitions: Arc::default(),
            held: HashMap::new(),
            scratch: HashSet::new(),
            queries: RefCell::default(),
            template: None,
        })
    }

    /// Prepares a query and reads its rows. Only a query that comes a second time is kept prepared: for such statements
    /// SQLite allocates all memory from the system, which costs a tenth of preparing and running one once.
    pub fn query<T>(&self, sql: &str, read: impl FnOnce(&mut Statement<'_>) -> T) -> rusqlite::Result<T> {
        if self.ran_before(sql) {
            return Ok(read(&mut *self.connection.prepare_cached(sql)?));
        }
        add_preparation(sql);
        Ok(read(&mut self.connection.prepare(sql)?))
    }

    fn ran_before(&self, sql: &str) -> bool {
        let mut queries = self.queries.borrow_mut();
        let place = queries.iter().position(|query| query == sql);
        let known = place.and_then(|place| queries.remove(place));
        let ran = known.is_some();
        queries.truncate(KEPT_STATEMENTS - 1);
        queries.push_front(known.unwrap_or_else(|| sql.to_owned()));
        ran
    }

    /// Runs `work` on this thread's connection with a copy of `database` and these empty tables.
    pub fn with<T>(
        database: &LoadedDatabase,
        scratch: &[(String, usize)],
        plan: JoinStrategy,
        work: impl FnOnce(&PooledConnection) -> T,
    ) -> rusqlite::Result<T> {
        let worker = if plan == JoinStrategy::Scans { &SCANNING } else { &WORKER };
        worker.with_borrow_mut(|slot| {
            let worker = match slot {
                Some(worker) => worker,
                None => slot.insert(PooledConnection::new(plan)?),
            };
            let ready = worker.load(database).and_then(|()| worker.make(scratch));
            match ready {
                Ok(()) => Ok(work(worker)),
                Err(error) => {
                    *slot = None;
                    Err(error)
                }
            }
        })
    }

    /// Loads the rows of the database, unless the connection holds them already.
    fn load(&mut self, database: &LoadedDatabase) -> rusqlite::Result<()> {
        if self.loaded == database.id {
            return Ok(());
        }
        self.loaded = 0;
        if !have_same_names(&self.definitions, &database.definitions) {
            self.define(database)?;
        }
        self.definitions.clone_from(&database.definitions);
        let connection = &self.connection;
        connection.prepare_cached("BEGIN")?.execute([])?;
        let emptied =
            self.held.keys().copied().filter(|held| database.filled.iter().all(|table| table.definition != *held));
        for definition in emptied.collect::<Vec<_>>() {
            self.hold(definition, &[])?;
        }
        for table in &database.filled {
            self.hold(table.definition, &table.rows)?;
        }
        self.connection.prepare_cached("COMMIT")?.execute([])?;
        self.loaded = database.id;
        Ok(())
    }

    /// Makes a table hold these rows.
    fn hold(&mut self, definition: usize, rows: &[Row]) -> rusqlite::Result<()> {
        let held = self.held.entry(definition).or_default();
        held.become_rows(&self.connection, &self.definitions[definition], rows)
    }

    /// Replaces all tables by those of another schema.
    fn define(&mut self, database: &LoadedDatabase) -> rusqlite::Result<()> {
        self.connection.flush_prepared_statement_cache();
        self.scratch.clear();
        self.held.clear();
        self.definitions = Arc::default();
        let tables = match &self.template {
            Some(tables) => {
                clear(tables)?;
                tables
            }
            None => self.template.insert(Connection::open_in_memory()?),
        };
        tables.execute_batch(&format!("BEGIN;{}COMMIT", creation(&database.definitions)))?;
        Backup::new(tables, &mut self.connection)?.step(-1)?;
        Ok(())
    }

    /// Creates the tables that a script needs and that no earlier run has created.
    fn make(&mut self, scratch: &[(String, usize)]) -> rusqlite::Result<()> {
        for (name, width) in scratch {
            if self.scratch.contains(name) {
                continue;
            }
            let columns: Vec<String> = (0..*width).map(|column| format!("c{column}")).collect();
            self.connection.execute_batch(&format!("CREATE TABLE {}({})", quoted(name), columns.join(",")))?;
            self.scratch.insert(name.clone());
        }
        Ok(())
    }
}

/// Whether two schemas have the same tables and columns by name: SQLite knows nothing else of them.
fn have_same_names(one: &Arc<Vec<TableDefinition>>, other: &Arc<Vec<TableDefinition>>) -> bool {
    let have_same = |(one, other): (&TableDefinition, &TableDefinition)| {
        let columns = one.columns.iter().map(|column| &column.name);
        one.name == other.name && columns.eq(other.columns.iter().map(|column| &column.name))
    };
    Arc::ptr_eq(one, other) || one.len() == other.len() && one.iter().zip(other.iter()).all(have_same)
}

/// Drops all tables.
fn clear(connection: &Connection) -> rusqlite::Result<()> {
    let mut all = connection.prepare_cached("SELECT name FROM sqlite_master WHERE type = 'table'")?;
    let names: Vec<String> = all.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let drops: String = names.iter().map(|name| format!("DROP TABLE {};", quoted(name))).collect();
    connection.execute_batch(&format!("BEGIN;{drops}COMMIT"))
}
