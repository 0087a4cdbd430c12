"""Writes Spark's answers into a file of queries: python record.py FILE.sql, with pyspark installed.

A file is a list of entries `-- title: …`, the query on one line, `-- types: […]`, one `-- row: […]` for each row. Only
titles and queries are read; everything else is written anew. A query that Spark refuses is an error."""

import datetime
import decimal
import json
import sys

from pyspark.sql import Row, SparkSession

HEAD = "-- Answers of Apache Spark {} with ANSI mode off. Each entry: a title, a query, its column types, its rows as JSON."
NAMES = {"string": "STRING", "tinyint": "INT", "smallint": "INT", "int": "INT", "float": "DOUBLE", "timestamp_ntz": "TIMESTAMP"}


def name(of):
    return of if "<" in of else NAMES.get(of, of.upper())


def plain(value):
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, decimal.Decimal):
        return float(value)
    if isinstance(value, datetime.datetime):
        text = value.isoformat(sep=" ")
        return text.rstrip("0") if "." in text else text
    if isinstance(value, datetime.date):
        return value.isoformat()
    return value


def nested(value):
    if isinstance(value, Row):
        return {name: nested(field) for name, field in zip(value.__fields__, value)}
    if isinstance(value, dict):
        return {str(plain(key)): nested(field) for key, field in value.items()}
    if isinstance(value, list):
        return [nested(item) for item in value]
    return value if isinstance(value, bool) else plain(value)


def entries(path):
    title = None
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            line = line.rstrip("\n")
            if line.startswith("-- title: "):
                title = line
            elif line and not line.startswith("--"):
                yield title, line


def main():
    path = sys.argv[1]
    session = (
        SparkSession.builder.master("local[1]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.ansi.enabled", "false")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.shuffle.partitions", "1")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    out = [HEAD.format(session.version)]
    for title, query in entries(path):
        frame = session.sql(query.rstrip(";"))
        out += ["", title, query, "-- types: " + json.dumps([name(field.dataType.simpleString()) for field in frame.schema.fields])]
        for row in frame.collect():
            cells = [nested(cell) if isinstance(cell, (Row, dict, list)) else plain(cell) for cell in row]
            out.append("-- row: " + json.dumps(cells, ensure_ascii=False))
    session.stop()
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")


main()
