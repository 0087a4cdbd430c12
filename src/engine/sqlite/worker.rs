//! One connection a thread, with functions and guards, that holds a copy of the database it last ran on.

use std::cell::RefCell;
use std::collections::HashSet;
use std::sync::{Arc, PoisonError};

use rusqlite::Connection;
use rusqlite::backup::Backup;

use super::functions;
use super::guard::{Budget, protect};
use super::load::LoadedDatabase;

thread_local! {
    static WORKER: RefCell<Option<Worker>> = const { RefCell::new(None) };
}

pub(super) struct Worker {
    pub connection: Connection,
    pub budget: Arc<Budget>,
    /// Id of the database that the connection holds; 0 for none.
    loaded: u64,
    /// Tables made for scripts. They are empty between runs.
    scratch: HashSet<String>,
}

impl Worker {
    fn new() -> rusqlite::Result<Worker> {
        let mut connection = Connection::open_in_memory()?;
        functions::register(&connection)?;
        super::run::register(&connection)?;
        let budget = Arc::new(Budget::default());
        protect(&mut connection, &budget)?;
        Ok(Worker { connection, budget, loaded: 0, scratch: HashSet::new() })
    }

    /// Runs `work` on this thread's connection with a copy of `database` and these empty tables.
    pub fn with<T>(
        database: &LoadedDatabase,
        scratch: &[(String, usize)],
        work: impl FnOnce(&Worker) -> T,
    ) -> rusqlite::Result<T> {
        WORKER.with_borrow_mut(|slot| {
            let worker = match slot {
                Some(worker) => worker,
                None => slot.insert(Worker::new()?),
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

    /// Runs `work`, which reads no table, on this thread's connection.
    pub fn any<T>(work: impl FnOnce(&Worker) -> T) -> rusqlite::Result<T> {
        WORKER.with_borrow_mut(|slot| match slot {
            Some(worker) => Ok(work(worker)),
            None => Ok(work(slot.insert(Worker::new()?))),
        })
    }

    /// Copies the image, unless the connection holds it already.
    fn load(&mut self, database: &LoadedDatabase) -> rusqlite::Result<()> {
        if self.loaded == database.id {
            return Ok(());
        }
        self.loaded = 0;
        self.scratch.clear();
        let image = database.image.lock().unwrap_or_else(PoisonError::into_inner);
        Backup::new(&image, &mut self.connection)?.step(-1)?;
        self.loaded = database.id;
        Ok(())
    }

    /// Makes the tables that a script needs and earlier runs have not made.
    fn make(&mut self, scratch: &[(String, usize)]) -> rusqlite::Result<()> {
        for (name, width) in scratch {
            if self.scratch.contains(name) {
                continue;
            }
            let columns: Vec<String> = (0..*width).map(|column| format!("c{column}")).collect();
            let quoted = name.replace('"', "\"\"");
            self.connection.execute_batch(&format!("CREATE TABLE \"{quoted}\"({})", columns.join(",")))?;
            self.scratch.insert(name.clone());
        }
        Ok(())
    }
}
