"""Translates scripts of other dialects to Spark SQL with sqlglot. Requests and answers are lines of JSON; nothing runs."""

import json
import logging
import re
import sys

# A script may nest as deeply as its own reader takes it; parsing needs several frames a level.
DEEPEST = 20_000
# Bytes of memory that the process may take.
MOST_MEMORY = 2 << 30
# What a session or a database administrator does: no result depends on it.
HOUSEKEEPING = (
    "ALTER SESSION", "ANALYZE", "BEGIN", "CALL SYSTEM$", "COMMENT", "COMMIT", "CREATE INDEX", "CREATE UNIQUE INDEX",
    "EXPLAIN", "GRANT", "PRINT", "REVOKE", "ROLLBACK", "SET NOCOUNT", "START TRANSACTION", "VACUUM",
)


def main():
    answers = sys.stdout
    # Nothing but answers may reach the pipe.
    sys.stdout = sys.stderr
    logging.disable(logging.CRITICAL)
    sys.setrecursionlimit(DEEPEST)
    try:
        limit_memory()
        import sqlglot
    except Exception as error:
        return write(answers, {"message": f"{type(error).__name__}: {error}"})
    write(answers, {"version": sqlglot.__version__, "dialects": dialects()})
    for line in sys.stdin:
        request = json.loads(line)
        write(answers, {"id": request["id"], "statements": translated(request["text"], request["dialect"])})


def write(answers, answer):
    answers.write(json.dumps(answer) + "\n")
    answers.flush()


def limit_memory():
    try:
        import resource
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    except (ImportError, ValueError, OSError):
        # Not every system has such limits.
        pass


def dialects():
    from sqlglot.dialects.dialect import Dialect
    return sorted(name for name in Dialect.classes if name and not name.startswith("spark"))


def translated(text, name):
    """Returns each statement of a script with its translation."""
    from sqlglot.dialects.dialect import Dialect
    dialect = Dialect.get_or_raise(name)
    if name in ("tsql", "fabric"):
        # GO ends a batch; it is no statement.
        text = re.sub(r"(?im)^([ \t]*)go([ \t]*)$", r"\1; \2", text)
    try:
        tokens = dialect.tokenize(text)
    except Exception as error:
        return [refused(text.strip(), 1, reason(error))]
    return [statement(text, dialect, tokens, start) for start, tokens in statements(tokens)]


def statements(tokens):
    """Splits tokens at semicolons; yields where the text of each statement starts, and its tokens."""
    start, part = 0, []
    for token in tokens:
        if token.token_type.name != "SEMICOLON":
            part.append(token)
            continue
        if part:
            yield start, part
        start, part = token.end + 1, []
    if part:
        yield start, part


def statement(text, dialect, tokens, start):
    original, line = text[start : tokens[-1].end + 1].strip(), tokens[0].line
    bare = " ".join(text[tokens[0].start : tokens[-1].end + 1].split())
    if bare.upper().startswith(HOUSEKEEPING):
        return {"original": original, "line": line, "translated": "", "lost": ["left out: no result depends on it"]}
    try:
        spark, lost = spark_of(dialect, tokens, text)
    except (Exception, RecursionError, MemoryError) as error:
        return refused(original, line, reason(error))
    return {"original": original, "line": line, "translated": spark, "lost": lost}


def refused(original, line, message):
    return {"original": original, "line": line, "refusal": message}


def spark_of(dialect, tokens, text):
    """Returns a statement in Spark's words, and what sqlglot says it could not carry over."""
    from sqlglot import ErrorLevel, exp
    from sqlglot.dialects.dialect import Dialect
    from sqlglot.errors import UnsupportedError
    parsed = [tree for tree in dialect.parser(error_level=ErrorLevel.IMMEDIATE).parse(tokens, text) if tree is not None]
    if len(parsed) != 1 or isinstance(parsed[0], exp.Command):
        raise UnsupportedError("sqlglot does not know this statement")
    tree = parsed[0]
    if isinstance(tree, exp.Use):
        if tree.args.get("kind") and tree.args["kind"].name.upper() in ("WAREHOUSE", "ROLE", "SECONDARY ROLES"):
            return "", ["left out: no result depends on it"]
        return f"USE {tree.this.sql(dialect='spark')}", []
    if isinstance(tree, (exp.Declare, exp.Set)):
        return assignments(tree)
    generator = Dialect.get_or_raise("spark").generator(pretty=True, unsupported_level=ErrorLevel.IGNORE)
    return generator.generate(tree), list(dict.fromkeys(generator.unsupported_messages))


def assignments(tree):
    """Returns variables as SET statements of Hive's kind, whose values stand for `${name}` in what follows."""
    from sqlglot import exp
    words, lost = [], []
    for item in tree.expressions:
        if isinstance(item, exp.DeclareItem):
            targets = item.this if isinstance(item.this, list) else [item.this]
            value, kind = item.args.get("default") or None, item.args.get("kind")
            if value is not None and isinstance(kind, exp.DataType):
                value = exp.cast(value, kind)
        elif isinstance(item, exp.SetItem) and isinstance(item.this, exp.EQ):
            targets, value = [item.this.this], item.this.expression
        else:
            targets, value = [], None
        for target in targets:
            if value is None:
                lost.append("left out: no value is set")
            else:
                words.append(f"SET hivevar:{target.name}={value.sql(dialect='spark')}")
    return ";\n".join(words), lost if words else lost or ["left out: no result depends on it"]


def reason(error):
    details = getattr(error, "errors", None)
    if details:
        first = details[0]
        return f"{first['description']} in line {first['line']}, at `{first['highlight']}`"
    return str(error).splitlines()[0] if str(error) else type(error).__name__


main()
