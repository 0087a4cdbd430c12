"""Writes what Spark says of every statement: python record.py, with pyspark 4.3 installed.

Reads `statements.sql` beside it, one statement a line under its section, and writes `verdicts.tsv`: section, stage (`ok`,
`parse` or `analysis`), class of the error, statement. Nothing is run: a statement is parsed and analysed."""

import pathlib
import tempfile

from py4j.protocol import Py4JJavaError
from pyspark.errors.exceptions.captured import CapturedException
from pyspark.sql import SparkSession

TABLES = [
    "t1 (id BIGINT, name STRING, amt DOUBLE, d DATE, ts TIMESTAMP, arr ARRAY<STRING>, m MAP<STRING,STRING>, js STRING, flag BOOLEAN, dt STRING)",
    "t2 (id BIGINT, city STRING, amt DOUBLE, dt STRING)",
    "t3 (id BIGINT, grp STRING, v DOUBLE)",
    "fbt.nt (id BIGINT, name STRING)",
]
HERE = pathlib.Path(__file__).parent


def started():
    session = (
        SparkSession.builder.master("local[1]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.ansi.enabled", "false")
        .config("spark.sql.storeAssignmentPolicy", "LEGACY")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.warehouse.dir", tempfile.mkdtemp())
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    session.sql("CREATE DATABASE fbt")
    for table in TABLES:
        session.sql(f"CREATE TABLE {table} USING parquet")
    session.sql("CREATE TABLE fbt.pt (id BIGINT, name STRING, dt STRING) USING parquet PARTITIONED BY (dt)")
    return session


def verdict(state, sql):
    stage = "parse"
    try:
        plan = state.sqlParser().parsePlan(sql)
        stage = "analysis"
        execution = state.executePlan(plan, getattr(state, "executePlan$default$2")())
        execution.assertAnalyzed()
    except (CapturedException, Py4JJavaError) as error:
        cause = getattr(error, "_origin", None) or error.java_exception
        if cause.getClass().getSimpleName() == "ParseException":
            stage = "parse"
        return stage, cause.getCondition()
    return "ok", ""


def main():
    session = started()
    state = session._jsparkSession.sessionState()
    rows, section = ["section\tstage\tclass\tstatement"], ""
    for line in (HERE / "statements.sql").read_text(encoding="utf-8").splitlines():
        if line.startswith("-- section: "):
            section = line.removeprefix("-- section: ")
        elif line and not line.startswith("--"):
            rows.append("\t".join((section, *verdict(state, line), line)))
    session.stop()
    (HERE / "verdicts.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")


main()
