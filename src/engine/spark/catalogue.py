"""Tells the tables of databases in the catalogue of the user's own Spark: requests and answers are lines of JSON.

The settings are those of SPARK_CONF_DIR and of the folder in which the user started the command. Nothing is written."""

import contextlib
import json
import os
import sys

# Nothing but answers may reach the pipe, whatever Spark prints.
ANSWERS = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


def main():
    # Relative folders in the settings, such as that of a metastore, are meant from there.
    os.chdir(sys.argv[2])
    try:
        session = started()
    except Exception as error:
        return write({"message": words(error)})
    write({"spark": session.version})
    for line in sys.stdin:
        request = json.loads(line)
        write({"id": request["id"], **tables(session, request["database"])})
    with contextlib.suppress(Exception):
        session.stop()


def started():
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[1]").appName("sqlfault").config("spark.ui.enabled", "false")
    settings = os.environ.get("SPARK_CONF_DIR", "")
    # Hive's catalogue would be made anew where there is none.
    if os.path.exists("metastore_db") or os.path.exists(os.path.join(settings, "hive-site.xml")):
        builder = builder.enableHiveSupport()
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session


def tables(session, database):
    try:
        listed = session.catalog.listTables(database)
    except Exception as error:
        return {"message": words(error)}
    found, unread = [], []
    for table in listed:
        if table.isTemporary:
            continue
        try:
            found.append({"name": table.name, "comment": table.description or "", "columns": columns(session, database, table)})
        except Exception as error:
            unread.append("%s: %s" % (table.name, words(error)))
    return {"tables": found, "unread": unread}


def columns(session, database, table):
    path = "%s.`%s`" % (database, table.name.replace("`", "``"))
    return [
        {
            "name": column.name,
            "type": column.dataType,
            "nullable": column.nullable,
            "partition": column.isPartition,
            "comment": column.description or "",
        }
        for column in session.catalog.listColumns(path)
    ]


def words(error):
    return (str(error).splitlines() or [type(error).__name__])[0]


def write(answer):
    ANSWERS.write(json.dumps(answer) + "\n")
    ANSWERS.flush()


main()
