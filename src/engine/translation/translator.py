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
HOUSEKEEPING = re.compile(
    r"(?i)(ALTER SESSION|ANALYZE|COMMENT ON|COMMIT|CREATE (UNIQUE )?INDEX|EXPLAIN|GRANT|PRINT|REVOKE|ROLLBACK"
    r"|SET NOCOUNT|START TRANSACTION|VACUUM)\b|BEGIN( TRAN| TRANSACTION| WORK)?$"
)
LEFT_OUT = "left out: no result depends on it"


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
    session = Session(name, dialect)
    return [session.statement(text, tokens, start) for start, tokens in statements(tokens)]


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


def refused(original, line, message):
    return {"original": original, "line": line, "refusal": message}


class Session:
    """Translates the statements of one script, and remembers the variables that they declare."""

    def __init__(self, name, dialect):
        self.name, self.dialect = name, dialect
        # Elsewhere SET without `@` sets what the platform has, such as a search path.
        self.sets_variables = name in ("snowflake", "bigquery", "databricks")
        self.variables = set()
        # Comments before statements that are left out: the first says what a script is for.
        self.comments = []

    def statement(self, text, tokens, start):
        original, line = text[start : tokens[-1].end + 1].strip(), tokens[0].line
        bare = " ".join(text[tokens[0].start : tokens[-1].end + 1].split())
        if HOUSEKEEPING.match(bare):
            self.comments += tokens[0].comments
            return {"original": original, "line": line, "translated": "", "lost": [LEFT_OUT]}
        try:
            spark, lost = self.spark(tokens, text)
        except (Exception, RecursionError, MemoryError) as error:
            return refused(original, line, reason(error))
        return {"original": original, "line": line, "translated": spark, "lost": lost}

    def spark(self, tokens, text):
        """Returns a statement in Spark's words, and what sqlglot says it could not carry over."""
        from sqlglot import ErrorLevel, exp
        from sqlglot.dialects.dialect import Dialect
        from sqlglot.errors import UnsupportedError
        if self.name == "redshift":
            tokens = without_storage(tokens)
        trees = self.dialect.parser(error_level=ErrorLevel.IMMEDIATE).parse(tokens, text)
        if len(trees) != 1 or trees[0] is None or isinstance(trees[0], exp.Command):
            raise UnsupportedError("sqlglot does not know this statement")
        tree = trees[0]
        if isinstance(tree, (exp.Use, exp.Declare, exp.Set)):
            self.comments += tokens[0].comments
        if isinstance(tree, exp.Use):
            kind = tree.args.get("kind")
            of_session = kind is not None and kind.name.upper() not in ("DATABASE", "SCHEMA", "CATALOG")
            return ("", [LEFT_OUT]) if of_session else (f"USE {tree.this.sql(dialect='spark')}", [])
        if isinstance(tree, (exp.Declare, exp.Set)):
            return self.assignments(tree)
        for column in list(tree.find_all(exp.Column)):
            if not column.table and column.name in self.variables:
                column.replace(exp.Parameter(this=exp.Var(this=column.name)))
        with_digits(tree, self.name)
        with_views(tree)
        with_calls(tree, self.name)
        lost = plain_columns(tree) if defines_columns(tree) else []
        for stored in list(tree.find_all(exp.TransientProperty, exp.VolatileProperty)):
            stored.pop()
        tree.add_comments(self.comments, prepend=True)
        self.comments = []
        generator = Dialect.get_or_raise("spark").generator(pretty=True, unsupported_level=ErrorLevel.IGNORE)
        spark = generator.generate(tree)
        # Spark has no temporary tables, but temporary views.
        spark = re.sub(r"\ACREATE (OR REPLACE )?TEMPORARY TABLE (\S+) AS\b", r"CREATE \1TEMPORARY VIEW \2 AS", spark)
        return spark, list(dict.fromkeys(lost + generator.unsupported_messages))

    def assignments(self, tree):
        """Returns variables as SET statements of Hive's kind, whose values stand for `${name}` in what follows."""
        words = []
        for target, value in self.assigned(tree):
            self.variables.add(target.name)
            if value is not None:
                words.append(f"SET hivevar:{target.name}={value.sql(dialect='spark')}")
        return ";\n".join(words), [] if words else [LEFT_OUT]

    def assigned(self, tree):
        """Yields each variable that a statement declares or sets, with its value."""
        from sqlglot import exp
        for item in tree.expressions:
            if isinstance(item, exp.DeclareItem):
                value, kind = item.args.get("default") or None, item.args.get("kind")
                if value is not None and isinstance(kind, exp.DataType):
                    value = exp.cast(value, kind)
                for target in item.this if isinstance(item.this, list) else [item.this]:
                    yield target, value
            elif isinstance(item, exp.SetItem) and isinstance(item.this, (exp.EQ, exp.PropertyEQ)):
                target = item.this.this
                if self.sets_variables or isinstance(target, exp.Parameter):
                    yield target, item.this.expression


# Types that Spark has under another name.
SAME = {
    "ARRAY": "ARRAY<STRING>", "BIGSERIAL": "BIGINT", "BIT": "BOOLEAN", "CHAR": "STRING", "DATETIME": "TIMESTAMP",
    "DATETIME2": "TIMESTAMP", "INT": "INT", "LONGTEXT": "STRING", "MEDIUMINT": "INT", "MEDIUMTEXT": "STRING",
    "NAME": "STRING", "NCHAR": "STRING", "NVARCHAR": "STRING", "SERIAL": "INT", "SMALLDATETIME": "TIMESTAMP",
    "SMALLINT": "SMALLINT", "SMALLSERIAL": "SMALLINT", "TEXT": "STRING", "TIMESTAMPNTZ": "TIMESTAMP",
    "TINYINT": "TINYINT", "TINYTEXT": "STRING", "UINT": "BIGINT", "UMEDIUMINT": "INT", "USMALLINT": "INT",
    "UTINYINT": "SMALLINT", "VARCHAR": "STRING", "YEAR": "INT",
}
# Types of which Spark keeps less.
LESS = {
    "ENUM": "STRING", "ENUM16": "STRING", "ENUM8": "STRING", "GEOGRAPHY": "STRING", "GEOMETRY": "STRING",
    "INET": "STRING", "JSON": "STRING", "JSONB": "STRING", "MONEY": "DECIMAL(19, 4)", "OBJECT": "STRING",
    "SET": "STRING", "SMALLMONEY": "DECIMAL(10, 4)", "SUPER": "STRING", "TIME": "STRING", "TIMESTAMPLTZ": "TIMESTAMP",
    "TIMESTAMPTZ": "TIMESTAMP", "TIMETZ": "STRING", "UBIGINT": "BIGINT", "UNIQUEIDENTIFIER": "STRING",
    "UUID": "STRING", "VARIANT": "STRING", "XML": "STRING",
}
# What DECIMAL without digits means; Spark's has ten, none of them behind the point.
DIGITS = {
    "bigquery": (38, 9), "duckdb": (18, 3), "materialize": (38, 9), "postgres": (38, 9), "presto": (38, 0),
    "redshift": (18, 0), "trino": (38, 0), "tsql": (18, 0),
}


def with_digits(tree, name):
    """Writes out the digits of DECIMAL."""
    from sqlglot import exp
    for kind in tree.find_all(exp.DataType):
        if name in DIGITS and kind.this == exp.DataType.Type.DECIMAL and not kind.expressions:
            kind.set("expressions", [exp.DataTypeParam(this=exp.Literal.number(digits)) for digits in DIGITS[name]])


def with_views(tree):
    """Makes a LATERAL VIEW of Snowflake's FLATTEN where no more of it is read than the value."""
    from sqlglot import exp
    for lateral in list(tree.find_all(exp.Lateral)):
        select, call = lateral.find_ancestor(exp.Select), lateral.this
        value = call.this if isinstance(call, exp.Explode) else None
        if select is None or not isinstance(value, exp.Kwarg) or value.this.name.upper() != "INPUT":
            continue
        read = {column.name.upper() for column in select.find_all(exp.Column) if column.table == lateral.alias}
        if not read <= {"VALUE"}:
            continue
        alias = exp.TableAlias(this=exp.to_identifier(lateral.alias), columns=[exp.to_identifier("value")])
        view = exp.Lateral(this=exp.Explode(this=value.expression), view=True, alias=alias)
        (lateral.parent if isinstance(lateral.parent, exp.Join) else lateral).pop()
        select.append("laterals", view)


def with_calls(tree, name):
    """Writes what sqlglot passes on as it is, though Spark has other words for it."""
    from sqlglot import exp
    for node in list(tree.walk()):
        if isinstance(node, exp.EQ) and isinstance(node.expression, exp.Any):
            array = node.expression.this.unnest()
            if isinstance(array, exp.Array):
                node.replace(exp.In(this=node.this, expressions=array.expressions))
        elif isinstance(node, exp.PercentileCont) and node.expression and not isinstance(node.parent, exp.WithinGroup):
            node.replace(exp.Anonymous(this="PERCENTILE", expressions=[node.this, node.expression]))
        elif isinstance(node, exp.Anonymous) and node.name.upper() == "FORMAT_DATETIME":
            node.set("this", "DATE_FORMAT")
        elif isinstance(node, exp.ArrayAgg) and isinstance(node.this, exp.Order) and len(node.this.expressions) == 1:
            node.replace(sorted_array(node.this.this, node.this.expressions[0]))
        elif isinstance(node, exp.Window) and node.this.name.upper() == "RATIO_TO_REPORT" and node.this.expressions:
            value = node.this.expressions[0]
            node.this.replace(exp.Sum(this=value.copy()))
            node.replace(exp.Paren(this=exp.Div(this=value, expression=node.copy())))
        elif isinstance(node, exp.Sum) and isinstance(node.this, exp.Predicate) and name == "mysql":
            # MySQL counts what is true.
            node.set("this", exp.cast(node.this, "INT"))


def sorted_array(value, key):
    """Returns what collects values in the order of a key; values with the same key are in their own order."""
    from sqlglot import parse_one
    pair = f"NAMED_STRUCT('o', {key.this.sql(dialect='spark')}, 'v', {value.sql(dialect='spark')})"
    pairs = f"ARRAY_SORT(COLLECT_LIST({pair}))"
    pairs = f"REVERSE({pairs})" if key.args.get("desc") else pairs
    return parse_one(f"TRANSFORM({pairs}, s -> s.v)", dialect="spark")


def without_storage(tokens):
    """Leaves out how Redshift stores columns, which sqlglot reads in few places."""
    if [token.text.upper() for token in tokens[:1]] != ["CREATE"]:
        return tokens
    kept, depth = [], 0
    for at, token in enumerate(tokens):
        word = token.text.upper()
        depth += (word == "(") - (word == ")")
        is_encoding = word == "ENCODE" or at and tokens[at - 1].text.upper() == "ENCODE"
        if not (depth and (is_encoding or word in ("DISTKEY", "SORTKEY"))):
            kept.append(token)
    return kept


def defines_columns(tree):
    from sqlglot import exp
    return isinstance(tree, exp.Create) and tree.kind == "TABLE" and isinstance(tree.this, exp.Schema)


def plain_columns(tree):
    """Reduces a table's definition to its columns; returns what is lost, in words."""
    from sqlglot import exp
    lost = []
    for column in tree.this.find_all(exp.ColumnDef):
        if isinstance(column.kind, exp.DataType):
            column.set("kind", plain_type(column.kind, column.name, lost))
        if column.parent is tree.this:
            column.set("constraints", plain_constraints(column.constraints))
    tree.this.set("expressions", [part for part in tree.this.expressions if isinstance(part, exp.ColumnDef)])
    tree.set("properties", None)
    tree.set("indexes", None)
    return lost


def plain_constraints(constraints):
    """Returns whether a column may be NULL, and its comment; no result depends on the other constraints."""
    from sqlglot import exp
    required = (exp.NotNullColumnConstraint, exp.PrimaryKeyColumnConstraint)
    kept = [part for part in constraints if isinstance(part.kind, exp.CommentColumnConstraint)]
    if any(isinstance(part.kind, required) and not part.kind.args.get("allow_null") for part in constraints):
        kept.insert(0, exp.ColumnConstraint(kind=exp.NotNullColumnConstraint()))
    return kept


def plain_type(kind, column, lost):
    from sqlglot import exp
    name = kind.this.name if isinstance(kind.this, exp.DataType.Type) else str(kind.this)
    if name in LESS:
        lost.append(f"{column}: of {name} no more than {LESS[name]} is kept")
        return exp.DataType.build(LESS[name], dialect="spark")
    if name in SAME and not (name == "ARRAY" and kind.expressions):
        return exp.DataType.build(SAME[name], dialect="spark")
    inner = [plain_type(part, column, lost) if isinstance(part, exp.DataType) else part for part in kind.expressions]
    kind.set("expressions", inner)
    return kind


def reason(error):
    details = getattr(error, "errors", None)
    if details:
        first = details[0]
        return f"{first['description']} in line {first['line']}, at `{first['highlight']}`"
    return str(error).splitlines()[0] if str(error) else type(error).__name__


main()
