"""Apache Spark behind a pipe: one JSON object a line in, one a line out, in order.

Requests (each with "id"; "timeout_ms" ends the Spark job, the caller ends the process):
  {"op": "open", "case": 1, "ansi": false, "tables": [{"name", "columns": [[name, type, is_partition]], "rows": [[text]]}]}
      gives the case a catalogue, temporary views, functions and settings of its own
  {"op": "run", "case": 1, "rows": true, "statements": ["...", ...]}
      checks, analyses and (with rows) executes statements in order, up to the first that is refused
  {"op": "hive", "sql": "..."}   only parses, with Hive's own parser
  {"op": "close", "case": 1}     {"op": "stop"}
Answers: {"id", "status": "ok" | "error" | "denied" | "timeout" | "fault", "spent": {stage: [calls, seconds]}, "wall", ...}
  "spent" is the time inside Spark, by stage; "wall" the time from the request's arrival to its answer.

Statements are untrusted. What may run is decided on Spark's own parsed plan by a list of the node kinds that are
allowed, before anything is analysed or executed.
"""

import contextlib
import datetime
import decimal
import itertools
import json
import logging
import os
import re
import shutil
import sys
import threading
import time
import warnings

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)  # pyspark writes every SQL error to standard error as well
os.environ["TZ"] = "UTC"
ANSWERS = os.fdopen(os.dup(1), "w", buffering=1, encoding="utf-8")
os.dup2(2, 1)  # what the JVM prints must not reach the answers


def send(answer):
    ANSWERS.write(json.dumps(answer, ensure_ascii=False, default=str) + "\n")
    ANSWERS.flush()


try:
    from py4j.protocol import Py4JError, Py4JJavaError, Py4JNetworkError
    from pyspark.errors.exceptions.captured import CapturedException
    from pyspark.sql import DataFrame, SparkSession
except ImportError as missing:
    send({"event": "absent", "message": str(missing)})
    sys.exit(4)

SCRATCH = os.path.abspath(sys.argv[1])
MEMORY = sys.argv[2] if len(sys.argv) > 2 else "2g"
MASTER = sys.argv[3] if len(sys.argv) > 3 else "local[2]"
MOST_ROWS = 100_000

IS_LOCAL = MASTER.startswith("local")
if MASTER.startswith("sc://"):
    send({"event": "refused", "message": "Spark Connect does not show the parsed plan on which untrusted SQL is checked; "
          "give a master: local[N], spark://HOST:PORT, yarn or k8s://..."})
    sys.exit(4)

# What this process spends inside Spark while it serves one request, by stage: calls and seconds.
SPENT = {}


@contextlib.contextmanager
def spent(stage):
    begin = time.perf_counter()
    try:
        yield
    finally:
        entry = SPENT.setdefault(stage, [0, 0.0])
        entry[0] += 1
        entry[1] += time.perf_counter() - begin


SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "OFF",
    "spark.driver.memory": MEMORY,
    "spark.local.dir": SCRATCH + "/local",
    "spark.sql.warehouse.dir": "file:" + SCRATCH + "/warehouse",
    "spark.driver.extraJavaOptions": "-XX:+ExitOnOutOfMemoryError -XX:+UseSerialGC -XX:NewRatio=1 -XX:MetaspaceSize=320m -XX:+DisableExplicitGC -XX:TieredStopAtLevel=1 -Xss8m -Djava.io.tmpdir=" + SCRATCH,
    # Small data: one partition, no generated code, no plan texts for a page that nobody opens.
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.leafNodeDefaultParallelism": "1",
    "spark.default.parallelism": "1",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.buffer.pageSize": "64k",
    "spark.sql.lightweightPlanChangeValidation": "false",
    "spark.sql.autoBroadcastJoinThreshold": "-1",
    "spark.sql.ui.explainMode": "simple",
    "spark.sql.maxPlanStringLength": "100",
    "spark.sql.ui.retainedExecutions": "1",
    "spark.ui.retainedJobs": "1",
    "spark.ui.retainedStages": "1",
    "spark.ui.retainedTasks": "1",
    "spark.sql.optimizer.dynamicPartitionPruning.enabled": "false",
    "spark.sql.optimizer.runtime.bloomFilter.enabled": "false",
    # The same meaning everywhere, and nothing from outside the case.
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.runSQLOnFiles": "false",
    "spark.sql.variable.substitute": "false",
    "spark.sql.legacy.createHiveTableByDefault": "false",
    "spark.sql.sources.partitionOverwriteMode": "dynamic",
    "spark.driver.maxResultSize": "64m",
    "spark.task.maxFailures": "1",
}

if IS_LOCAL:
    # Nobody else may talk to it; executors of a cluster must.
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    SETTINGS.update({"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"})

os.makedirs(SCRATCH, exist_ok=True)
builder = SparkSession.builder.master(MASTER).appName("sqlfault")
for setting, value in SETTINGS.items():
    builder = builder.config(setting, value)
ROOT = builder.getOrCreate()
CONTEXT, JVM = ROOT.sparkContext, ROOT._jvm
CONTEXT.setLogLevel("OFF")
Session = JVM.org.apache.spark.sql.classic.SparkSession
QualifiedTableName = JVM.org.apache.spark.sql.catalyst.QualifiedTableName
LocalRelation = JVM.org.apache.spark.sql.catalyst.plans.logical.LocalRelation
Repartition = JVM.org.apache.spark.sql.catalyst.plans.logical.Repartition
ArraySeq = JVM.scala.collection.immutable.ArraySeq
NONE = JVM.scala.Option.empty()
NO_ROWS = getattr(getattr(JVM.scala.collection.immutable, "Nil$"), "MODULE$")
Dataset = JVM.org.apache.spark.sql.classic.Dataset
SKIP = JVM.org.apache.spark.sql.execution.CommandExecutionMode.SKIP()

# These call any Java method; they are dropped before a case copies the registry.
FORBIDDEN_FUNCTIONS = {"reflect", "java_method", "try_reflect"}
for function in FORBIDDEN_FUNCTIONS:
    with contextlib.suppress(Exception):
        identifier = JVM.org.apache.spark.sql.catalyst.FunctionIdentifier(function)
        JVM.org.apache.spark.sql.catalyst.analysis.FunctionRegistry.builtin().dropFunction(identifier)

PLANS = set(
    "Project Filter Aggregate Join SubqueryAlias Sort GlobalLimit LocalLimit Limit Offset Tail Distinct Deduplicate Union "
    "Except Intersect Generate LateralJoin Window WithWindowDefinition RepartitionByExpression Repartition Sample Pivot Unpivot "
    "Expand LocalRelation OneRowRelation UnresolvedWith UnresolvedHint InsertIntoStatement CreateTableAsSelect CreateTable "
    "CreateView CreateViewCommand CacheTableAsSelect DropTable DropView DropPartitions TruncateTable TruncatePartition UnresolvedTableSpec "
    "OptionList ColumnDefinition HintInfo".split()
)
UNRESOLVED = set(
    "Relation Having InlineTable SubqueryColumnAliases TableValuedFunction TVFAliases Attribute Alias Function Star Generator "
    "Ordinal ExtractValue Regex NamedLambdaVariable WindowExpression Identifier Table TableOrView View PartitionSpec "
    "StarExceptOrReplace StarWithColumns TableOrViewLike FieldName Namespace Expression OrderBy".split()
)
FORMATS = {"", "parquet", "orc"}
CHANGES = {"DeleteFromTable": "DELETE", "UpdateTable": "UPDATE", "MergeIntoTable": "MERGE"}


class Denied(Exception):
    """The statement is of a kind that is not allowed."""


def allowed(name):
    package, short = name.rsplit(".", 1)
    short = short.rstrip("$").rsplit("$", 1)[-1]
    if package.endswith(".catalyst.expressions") or ".catalyst.expressions." in name:
        return True
    if package.endswith(".catalyst.analysis"):
        return short.startswith("Unresolved") and short[10:] in UNRESOLVED or short in ("MultiAlias", "RelationTimeTravel")
    return short in PLANS


def inspect(node):
    """Refuses a parsed plan that holds anything but queries and writes into tables of the case."""
    if isinstance(node, list):
        for item in node:
            inspect(item)
    if not isinstance(node, dict):
        return
    name = node.get("class")
    if isinstance(name, str) and "." in name:
        short = name.rsplit(".", 1)[-1]
        if short in CHANGES:
            raise Denied("Spark does not judge %s: it takes it only for tables of formats that are not here, such as Delta" % CHANGES[short])
        if not allowed(name):
            raise Denied("a statement of kind %s is not allowed" % short)
        if short == "UnresolvedFunction" and function_name(node).lower() in FORBIDDEN_FUNCTIONS:
            raise Denied("the function %s is not allowed" % function_name(node))
        if short == "UnresolvedTableSpec":
            inspect_table(node)
    for value in node.values():
        inspect(value)


def function_name(node):
    parts = node.get("nameParts", "")
    return str(parts[-1] if isinstance(parts, list) and parts else parts).strip("[]").split(",")[-1].strip()


def inspect_table(node):
    provider = node.get("provider")
    if isinstance(provider, str) and provider.lower() not in FORMATS:
        raise Denied("a table in format %s is not allowed" % provider)
    if node.get("location") or node.get("external") is True:
        raise Denied("a table at a place of its own is not allowed")


ALLOWED = set()


def guard(sql, plan):
    if sql in ALLOWED:
        return
    inspect(json.loads(plan.toJSON()))
    if len(ALLOWED) > 10_000:
        ALLOWED.clear()
    ALLOWED.add(sql)


# ---- a case: tables and rows in a catalogue of their own


def quote(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def path(name):
    return ".".join("`%s`" % part.replace("`", "``") for part in name.split("."))


def full_path(name):
    """The path of a table, whatever database is in use."""
    return path(name if "." in name else "work." + name)


WRITTEN = re.compile(
    r"\b(?:insert\s+(?:into|overwrite)(?:\s+table)?|(?:truncate|alter)\s+table|drop\s+(?:table|view)(?:\s+if\s+exists)?"
    r"|create\s+(?:or\s+replace\s+)?(?:table|view)(?:\s+if\s+not\s+exists)?)\s+([`\w]+(?:\s*\.\s*[`\w]+)*)",
    re.I,
)
USED = re.compile(r"\s*use\s+(?:(?:database|schema|namespace)\s+)?([`\w]+)\s*$", re.I)
DROPPED = re.compile(r"\s*drop\s+table\s+(?:if\s+exists\s+)?([`\w]+(?:\s*\.\s*[`\w]+)*)", re.I)
EMPTIED = re.compile(r"\s*(?:truncate|alter)\s+table\b", re.I)
CREATED = re.compile(r"\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?([`\w]+(?:\s*\.\s*[`\w]+)*)", re.I)
VIEW = re.compile(
    r"\s*(?:create\s+(?:or\s+replace\s+)?(?:global\s+)?(?:temp(?:orary)?\s+)?view(?:\s+if\s+not\s+exists)?"
    r"|cache\s+(?:lazy\s+)?table)\s+([`\w]+(?:\s*\.\s*[`\w]+)*)",
    re.I,
)
SESSION_VIEW = re.compile(r"\s*(?:cache\b|create\s+(?:or\s+replace\s+)?(?:global\s+)?temp)", re.I)
DIRECTORY = re.compile(r"\bdirectory\s+('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")", re.I)
# Formats that need Hive itself: any other format holds the same rows. Blanks keep every position.
FORMAT = re.compile(
    r"\bstored\s+as\s+(?:orc|parquet|textfile|rcfile|sequencefile|avro)\b"
    r"|\brow\s+format\s+delimited(?:\s+(?:fields|lines|collection\s+items|map\s+keys)\s+terminated\s+by\s+'[^']*')*",
    re.I,
)


def blanked(match):
    return re.sub(r"\S", " ", match.group())


def plain(name):
    return re.sub(r"[`\s]", "", name).lower()


def session_settings(ansi):
    settings = {setting: value for setting, value in SETTINGS.items() if setting.startswith("spark.sql.")}
    settings["spark.sql.ansi.enabled"] = "true" if ansi else "false"
    settings["spark.sql.storeAssignmentPolicy"] = "ANSI" if ansi else "LEGACY"
    return settings


PROPAGATED = []


def propagate(ansi):
    """Tells the settings to tasks, which learn them from a plan only when it runs as a named query."""
    if PROPAGATED != [ansi]:
        PROPAGATED[:] = [ansi]
        for setting, value in session_settings(ansi).items():
            CONTEXT.setLocalProperty(setting, value)


class Shell:
    """A catalogue with the tables of a schema. It holds no rows: those of a database are laid over it for a while."""

    def __init__(self, number, ansi, tables):
        self.folder = "%s/cases/%s" % (SCRATCH, number)
        self.ansi = ansi
        self.tables = {table["name"].lower(): table for table in tables}
        self.generation = 0
        self.session = None

    def ready(self):
        if self.session is None:
            with spent("load"):
                self.start()
        Session.setActiveSession(self.session)  # the parser reads the settings of the active session
        propagate(self.ansi)
        return self.session

    def start(self):
        self.generation += 1
        session = Session(CONTEXT._jsc.sc())
        settings = session.conf()
        for setting, value in session_settings(self.ansi).items():
            if settings.isModifiable(setting):
                settings.set(setting, value)
        Session.setActiveSession(session)
        self.session, self.databases, self.known, self.laid = session, set(), set(), {}
        self.catalog = session.sessionState().catalog()
        self.database("work")
        session.sql("USE work")
        for name in self.tables:
            self.create(name)

    def database(self, name):
        if name not in self.databases:
            place = "%s/%s/%s" % (self.folder, self.generation, name)
            self.session.sql("CREATE DATABASE IF NOT EXISTS %s LOCATION %s" % (path(name), quote("file:" + place)))
            self.databases.add(name)

    def ensure_database(self, table):
        if "." in table:
            self.database(table.split(".")[0])

    def create(self, name):
        """The table itself, with no rows."""
        table = self.tables[name]
        self.ensure_database(name)
        columns = ", ".join("%s %s" % (path(column), kind) for column, kind, _ in table["columns"])
        partitions = ", ".join(path(column) for column, _, partition in table["columns"] if partition)
        partitioned = " PARTITIONED BY (%s)" % partitions if partitions else ""
        self.session.sql("CREATE TABLE %s (%s) USING parquet%s" % (full_path(name), columns, partitioned))
        self.known.add(name)

    def drop(self, name):
        self.bare(name)
        self.session.sql("DROP TABLE IF EXISTS %s" % full_path(name))
        self.known.discard(name)

    def lay(self, name, relation):
        """From now on the table reads as these rows; it cannot be written meanwhile."""
        if self.laid.get(name) is not relation:
            # One partition, said as a promise: then no join, group or window of it needs an exchange.
            self.catalog.cacheTable(qualified_name(name), Repartition(1, False, relation))
            self.laid[name] = relation

    def bare(self, name):
        """From now on the table is the empty one that can be written."""
        if self.laid.pop(name, None) is not None:
            self.catalog.invalidateCachedTable(qualified_name(name))

    def forget(self):
        """The next run starts from the tables as they were given."""
        self.session = None
        shutil.rmtree(self.folder, ignore_errors=True)


def qualified_name(name):
    database, _, table = name.rpartition(".")
    return QualifiedTableName("spark_catalog", database or "work", table)


class Case:
    """The rows of one fake database, over the catalogue of its schema."""

    def __init__(self, shell, tables):
        self.shell = shell
        self.tables = {table["name"].lower(): table for table in tables}
        self.relations = {}

    def rows_query(self, table):
        names = ["c%d" % at for at in range(len(table["columns"]))]
        cells = zip(names, table["columns"])
        columns = ", ".join("%s AS %s" % (converted(cell, kind), path(name)) for cell, (name, kind, _) in cells)
        if not table["rows"]:
            nulls = ", ".join("CAST(NULL AS %s) AS %s" % (kind, path(name)) for name, kind, _ in table["columns"])
            return "SELECT %s WHERE FALSE" % nulls
        values = (", ".join("NULL" if cell is None else quote(cell) for cell in row) for row in table["rows"])
        return "SELECT %s FROM VALUES %s AS rows(%s)" % (
            columns, ", ".join("(%s)" % row for row in values), ", ".join(names))

    def relation(self, name):
        """The rows of a table as the leaf of a plan."""
        if name not in self.relations:
            machinery = self.shell.session.sessionState()
            query = machinery.sqlParser().parsePlan(self.rows_query(self.tables[name]))
            self.relations[name] = relation_of(Dataset.ofRows(self.shell.session, query).queryExecution())
        return self.relations[name]


def relation_of(execution):
    plan = execution.optimizedPlan()
    if plan.getClass().getSimpleName() == "LocalRelation":
        return plan
    return computed(execution)


def computed(execution):
    """The rows of a query, computed once, as the leaf of a plan."""
    rows = ArraySeq.unsafeWrapArray(execution.executedPlan().executeCollect())
    return LocalRelation(execution.analyzed().output(), rows, False, NONE)


class Script:
    """A script's statements, and what they do to tables by name."""

    def __init__(self, statements):
        self.statements = statements
        self.plain = [plain(statement) for statement in statements]
        used = (USED.match(statement) for statement in statements)
        # The database in use at each statement; "" is that of the case.
        self.databases = list(itertools.accumulate((plain(use[1]) if use else "" for use in used), lambda old, new: new or old))
        self.written = self.named(WRITTEN)
        self.created = {name for names in self.named(CREATED) for name in names}

    def named(self, pattern):
        """The full names of the tables that a pattern finds, by statement."""
        return [[self.full_name(at, name) for name in pattern.findall(statement)]
                for at, statement in enumerate(self.statements)]

    def full_name(self, at, written):
        """The name of a table as the schema has it."""
        name, database = plain(written), self.databases[at]
        return name if "." in name or not database else "%s.%s" % (database, name)

    def times(self, at, name):
        """How often a statement may name a table."""
        database, _, short = name.rpartition(".")
        return self.plain[at].count(short if database and database == self.databases[at] else name)

    def is_real(self):
        """Whether a statement reads what it writes, or empties what others read: then Spark must really write."""
        for at, (statement, written) in enumerate(zip(self.statements, self.written)):
            if EMPTIED.search(statement) or any(self.times(at, name) > written.count(name) for name in written):
                return True
        return False

    def left_views(self, temporary):
        """The views that no later statement mentions, with their places: temporary ones too, or only others."""
        for at, statement in enumerate(self.statements):
            made = VIEW.match(statement)
            if made and (temporary or not SESSION_VIEW.match(statement)):
                name = plain(made[1]) if SESSION_VIEW.match(statement) else self.full_name(at, made[1])
                later = ";".join(self.statements[at + 1:]).replace("`", "").lower()
                mentioned = re.search(r"\b%s\b" % re.escape(name.split(".")[-1].lower()), later)
                if not mentioned:
                    yield at, name

    def is_read_after(self, at, name):
        """Whether a later statement may read a table."""
        return name.split(".")[-1].lower() in ";".join(self.plain[at + 1:])


class MustWrite(Exception):
    """What a table holds after a write must be left to Spark itself."""


class Rows:
    """The rows that the tables hold while a script runs. They are written for real only where nothing else will do."""

    def __init__(self, case, script, is_real):
        self.case, self.shell, self.script, self.is_real = case, case.shell, script, is_real
        self.now, self.made, self.changed = {}, set(), is_real

    def begin(self):
        shell = self.shell
        for name in (name for names in self.script.written for name in names):
            shell.ensure_database(name)
        for name in shell.tables:
            held = self.case.tables.get(name)
            # A table that the script itself makes is in the schema for its reader; it is not there yet.
            if name in self.script.created and not (held and held["rows"]):
                if name in shell.known:
                    shell.drop(name)
                continue
            if name not in shell.known:
                shell.create(name)
            if any(self.script.times(at, name) for at in range(len(self.script.statements))):
                self.fill(name)

    def fill(self, name):
        if self.is_real and any(name in names for names in self.script.written):
            self.shell.bare(name)
            if self.case.tables[name]["rows"]:
                self.shell.session.sql("INSERT INTO %s %s" % (full_path(name), self.case.rows_query(self.case.tables[name])))
            return
        self.now[name] = self.case.relation(name)

    def prepare(self, at):
        """Lays the rows over every table but those that the statement writes."""
        written = self.script.written[at]
        for name, relation in self.now.items():
            if name in written:
                self.shell.bare(name)
            elif self.script.times(at, name):
                self.shell.lay(name, relation)

    def written(self, query, with_rows):
        """The rows of a query, computed once, as the leaf of a plan."""
        with spent("run"):
            if with_rows:
                return computed(Dataset.ofRows(self.shell.session, query).queryExecution())
            return LocalRelation(query.output(), NO_ROWS, False, NONE)

    def write(self, name, written, overwrite, partitions):
        """The table's rows after a write."""
        before = self.now.get(name)
        if before is not None and not before.data().isEmpty():
            if overwrite and partitions:
                raise MustWrite
            if not overwrite:
                rows = before.data().appendedAll(written.data())
                written = LocalRelation(written.output(), rows, False, NONE)
        self.now[name] = written

    def make(self, name, written):
        """A table that the script makes from a query."""
        self.shell.session.sql("CREATE TABLE %s (%s) USING parquet" % (full_path(name), written.schema().toDDL()))
        self.shell.known.add(name)
        self.made.add(name)
        self.now[name] = written

    def end(self):
        if self.changed:
            self.shell.forget()
            return
        if any(self.script.databases):
            self.shell.session.sql("USE work")
        for name in self.made & self.shell.known:
            self.shell.drop(name)


def converted(cell, kind):
    lower = kind.lower()
    if lower.startswith(("array", "map", "struct")):
        return "from_json(%s, %s)" % (cell, quote(kind))
    return "CAST(%s AS %s)" % (cell, kind)


# ---- statements


def value_of(cell):
    """A cell as the caller's tables hold it."""
    if cell is None or isinstance(cell, (int, str)):
        return int(cell) if isinstance(cell, bool) else cell
    if isinstance(cell, float):
        return cell if cell == cell and abs(cell) != float("inf") else {"special": repr(cell)}
    if isinstance(cell, decimal.Decimal):
        return float(cell)
    if isinstance(cell, datetime.datetime):
        return cell.isoformat(sep=" ").rstrip("0").rstrip(".") if cell.microsecond else cell.isoformat(sep=" ")
    if isinstance(cell, datetime.date):
        return cell.isoformat()
    if isinstance(cell, (bytes, bytearray)):
        return bytes(cell).decode("utf-8", "replace")
    if isinstance(cell, (dict, list, tuple)):
        return json.dumps(nested(cell), ensure_ascii=False, separators=(",", ":"))
    return str(cell)


def nested(cell):
    if isinstance(cell, dict):
        return {str(value_of(key)): nested(value) for key, value in cell.items()}
    if hasattr(cell, "asDict"):
        return {name: nested(value) for name, value in zip(cell.__fields__, cell)}
    if isinstance(cell, (list, tuple)):
        return [nested(item) for item in cell]
    return cell if isinstance(cell, bool) else value_of(cell)


def columns_of(plan):
    fields = json.loads(plan.schema().json())["fields"]
    return [field["name"] for field in fields]


def rows_of(session, plan):
    with spent("run"):
        frame = DataFrame(Dataset.ofRows(session, plan), ROOT)
        types = [[field.name, field.dataType.simpleString()] for field in frame.schema.fields]
        rows = frame.collect()
    return types, [[value_of(cell) for cell in row] for row in rows]


def writes_of(analyzed):
    """The writes of an analysed command: (target, overwrite, static partitions, partition columns, query)."""
    kind = analyzed.getClass().getSimpleName()
    if kind == "Union":
        children = analyzed.children()
        return [write for at in range(children.size()) for write in writes_of(children.apply(at)) or []] or None
    if kind == "InsertIntoHadoopFsRelationCommand":
        static, partitions = analyzed.staticPartitions(), analyzed.partitionColumns()
        fixed, iterator = {}, static.iterator()
        while iterator.hasNext():
            pair = iterator.next()
            fixed[pair._1()] = pair._2()
        target = analyzed.catalogTable().get().identifier()
        return [(qualified(target), str(analyzed.mode()) == "Overwrite", fixed,
                 [partitions.apply(at).name() for at in range(partitions.size())], analyzed.query())]
    if kind == "CreateDataSourceTableAsSelectCommand":
        return [(qualified(analyzed.table().identifier()), True, {}, [], analyzed.query())]
    return None


def qualified(identifier):
    database = identifier.database()
    name = identifier.table()
    return name if database.isEmpty() or database.get() == "work" else "%s.%s" % (database.get(), name)


Limit = JVM.org.apache.spark.sql.catalyst.plans.logical.Limit.apply
MOST = getattr(getattr(JVM.org.apache.spark.sql.catalyst.expressions, "Literal$"), "MODULE$").apply(MOST_ROWS)
COMMAND = JVM.org.apache.spark.sql.catalyst.trees.TreePattern.withName("COMMAND")


def statement(rows, at, with_rows, state):
    session, sql = rows.shell.ready(), rows.script.statements[at]
    used = USED.match(sql)
    if used:
        rows.shell.database(plain(used[1]))
        session.sql("USE %s" % path(plain(used[1])))
        return {"kind": "command", "drops": ""}
    machinery = session.sessionState()
    state["stage"] = "load"
    with spent("load"):
        rows.prepare(at)
    state["stage"] = "parse"
    with spent("parse"):
        plan = machinery.sqlParser().parsePlan(sql)
    directory = None
    if plan.getClass().getSimpleName() == "InsertIntoDir":
        # Nothing is written to the place it names: its rows are a result under that name.
        path_named = DIRECTORY.search(sql)
        directory = "directory %s" % path_named[1][1:-1] if path_named else "directory"
        plan = plan.child()
    state["stage"] = "guard"
    guard(sql, plan)
    state["stage"] = "analysis"
    with spent("analysis"):
        execution = machinery.executePlan(plan, SKIP)
        execution.assertAnalyzed()
        analyzed = execution.analyzed()
    writes = writes_of(analyzed)
    is_command = analyzed.containsPattern(COMMAND)
    state["stage"] = "run"
    if writes is None and is_command:
        return command(rows, at)
    creates = analyzed.getClass().getSimpleName() == "CreateDataSourceTableAsSelectCommand"
    if writes and not with_rows:
        state["stage"] = "analysis"
        with spent("analysis"):  # of a command, Spark analyses the queries when it runs
            for *_, query in writes:
                Dataset.ofRows(session, query)
    results, is_written = [], False
    for target, overwrite, fixed, partitions, query in writes or [(directory or "", bool(directory), {}, [], analyzed)]:
        query = Limit(MOST, query)
        if writes and not rows.is_real and (creates or rows.script.is_read_after(at, target)):
            query = rows.written(query, with_rows)
            if creates:
                rows.make(plain(target), query)
            else:
                rows.write(plain(target), query, overwrite, partitions)
        elif writes and rows.is_real:
            is_written |= creates or rows.script.is_read_after(at, target)
        columns, found = rows_of(session, query) if with_rows else ([[name, ""] for name in columns_of(query)], [])
        results.append({"target": target, "overwrite": overwrite, "static": fixed, "partitions": partitions,
                        "columns": columns, "rows": found})
    if is_written:
        with spent("run"):
            session.sql(sql)
    return {"kind": "create" if creates else "write" if writes else "query", "results": results}


def command(rows, at):
    """A statement that gives no rows."""
    sql = rows.script.statements[at]
    gone, created = DROPPED.match(sql), CREATED.search(sql)
    dropped = rows.script.full_name(at, gone[1]) if gone else ""
    made = rows.script.full_name(at, created[1]) if created else ""
    if dropped in rows.made or dropped and dropped not in rows.shell.known:
        rows.shell.bare(dropped)
        rows.now.pop(dropped, None)
        rows.shell.known.discard(dropped)
    elif made and made not in rows.shell.known:
        rows.made.add(made)
        rows.shell.known.add(made)
    else:
        rows.changed = True
    with spent("run"):
        rows.shell.session.sql(sql)
    return {"kind": "command", "drops": dropped}


def view(rows, name, with_rows, state):
    """The rows of a view that a script leaves behind."""
    state["stage"] = "run"
    execution = rows.shell.session.sql("SELECT * FROM %s" % path(name)).queryExecution()
    query = Limit(MOST, execution.analyzed())
    columns, found = rows_of(rows.shell.session, query) if with_rows else ([[name, ""] for name in columns_of(query)], [])
    result = {"target": name, "overwrite": True, "static": {}, "partitions": [], "columns": columns, "rows": found}
    return {"kind": "create", "results": [result]}


def run(request, state):
    case = CASES[request["case"]]
    script = Script([FORMAT.sub(blanked, sql) for sql in request["statements"]])
    with_rows = request.get("rows", True)
    try:
        return attempt(Rows(case, script, script.is_real()), with_rows, state)
    except MustWrite:
        return attempt(Rows(case, script, True), with_rows, state)


def attempt(rows, with_rows, state):
    done = []
    try:
        state["stage"] = "run"
        rows.shell.ready()
        with spent("load"):
            rows.begin()
        for at in range(len(rows.script.statements)):
            state["statement"] = at
            done.append(statement(rows, at, with_rows, state))
        for at, name in rows.script.left_views(all(entry["kind"] == "command" for entry in done)):
            state["statement"] = at
            done[at] = view(rows, name, with_rows, state)
    finally:
        with spent("load"):
            rows.end()
    return {"status": "ok", "statements": done}


HIVE_PLACE = re.compile(r"line (\d+):(\d+) ")


def hive(request, state):
    state["stage"] = "parse"
    try:
        with spent("hive"):
            JVM.org.apache.hadoop.hive.ql.parse.ParseDriver().parse(request["sql"])
        return {"status": "ok"}
    except Py4JJavaError as error:
        message = error.java_exception.getMessage() or ""
        place = HIVE_PLACE.match(message)
        return {
            "status": "error", "stage": "parse", "statement": 0, "class": "ParseException", "sqlstate": "42000",
            "line": int(place[1]) if place else None, "pos": int(place[2]) if place else None,
            "message": "FAILED: ParseException " + message,
        }


# ---- errors


def described(error, stage):
    """Class, SQLSTATE, message and place of an exception: the innermost cause that carries an error class."""
    origin = getattr(error, "_origin", None) or getattr(error, "java_exception", None)
    answer = {"status": "error", "stage": stage, "class": "", "sqlstate": "", "line": None, "pos": None}
    if origin is None:
        return {**answer, "message": str(error)}
    chosen, cause, depth = origin, origin, 0
    while cause is not None and depth < 12:
        with contextlib.suppress(Py4JError, AttributeError, TypeError):
            if cause.getCondition() is not None:
                chosen = cause
                answer["class"] = cause.getCondition()
                answer["sqlstate"] = cause.getSqlState() or ""
        cause, depth = cause.getCause(), depth + 1
    kind = chosen.getClass().getSimpleName()
    answer["message"] = chosen.getMessage() or kind
    with contextlib.suppress(Exception):
        first = chosen.start() if kind == "ParseException" else chosen
        line, position = first.line(), first.startPosition()
        answer["line"] = line.get() if line.isDefined() else None
        answer["pos"] = position.get() if position.isDefined() else None
    with contextlib.suppress(Exception):
        context = chosen.getQueryContext()
        if len(context):
            answer["start"], answer["stop"] = context[0].startIndex(), context[0].stopIndex()
    if kind.endswith("AnalysisException"):
        with contextlib.suppress(Exception):
            # Without the plan, which names folders and differs from run to run.
            answer["message"] = re.split(r"(?<=\d);\n", chosen.getSimpleMessage(), maxsplit=1)[0]
    if kind == "ParseException":
        answer["stage"] = "parse"
    return answer


# ---- the loop

CASES = {}
SHELLS = {}
MOST_SHELLS = 6


def shell_of(ansi, tables):
    """The catalogue of a schema; the one used longest ago goes."""
    key = json.dumps([ansi, [[table["name"], table["columns"]] for table in tables]])
    shell = SHELLS.pop(key, None) or Shell(next(NUMBERS), ansi, tables)
    SHELLS[key] = shell
    if len(SHELLS) > MOST_SHELLS:
        SHELLS.pop(next(iter(SHELLS))).forget()
    return shell


NUMBERS = itertools.count(1)


def serve(request, state):
    operation = request["op"]
    if operation == "open":
        CASES[request["case"]] = case = Case(shell_of(request.get("ansi", False), request["tables"]), request["tables"])
        case.shell.ready()
        return {"status": "ok"}
    if operation == "close":
        CASES.pop(request["case"], None)
        return {"status": "ok"}
    if operation == "run":
        return run(request, state)
    if operation == "hive":
        return hive(request, state)
    return {"status": "fault", "message": "unknown operation"}


def limited(request):
    """Serves a request; a job that takes too long is cancelled."""
    begin = time.perf_counter()
    SPENT.clear()
    state = {"stage": "start", "statement": 0, "late": False}
    group = "request-%s" % request.get("id")
    thread = JVM.java.lang.Thread.currentThread()
    CONTEXT.setJobGroup(group, "", interruptOnCancel=True)

    def end():
        state["late"] = True
        with contextlib.suppress(Exception):
            CONTEXT.cancelJobGroup(group)
            thread.interrupt()

    timer = threading.Timer(request.get("timeout_ms", 60_000) / 1000, end)
    timer.daemon = True
    timer.start()
    try:
        answer = serve(request, state)
    except Denied as error:
        answer = {"status": "denied", "message": str(error)}
    except (Py4JNetworkError, ConnectionError) as error:
        send({"id": request.get("id"), "status": "fault", "message": "Spark has ended: %s" % error})
        os._exit(3)
    except (CapturedException, Py4JJavaError) as error:
        answer = {"status": "timeout"} if state["late"] else described(error, state["stage"])
    except Exception as error:  # a mistake of this file: the caller says so and goes on
        answer = {"status": "fault", "message": repr(error)[:500]}
    finally:
        timer.cancel()
    with contextlib.suppress(Exception):
        JVM.java.lang.Thread.interrupted()  # an interrupt that came too late
    answer.setdefault("statement", state["statement"])
    answer["id"] = request.get("id")
    answer["spent"], answer["wall"] = dict(SPENT), time.perf_counter() - begin
    return answer


send({"event": "ready", "spark": ROOT.version, "java": JVM.java.lang.System.getProperty("java.version")})
for line in sys.stdin:
    if not line.strip():
        continue
    request = json.loads(line)
    if request["op"] == "stop":
        break
    send(limited(request))
gateway = CONTEXT._gateway
with contextlib.suppress(Exception):
    ROOT.stop()
with contextlib.suppress(Exception):
    gateway.shutdown()
    gateway.proc.kill()
shutil.rmtree(SCRATCH, ignore_errors=True)
