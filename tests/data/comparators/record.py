"""Records what other comparators say about the results of cases.json: peers.json.

Origin: the functions as published, run on the very rows that the two queries of a case give (results.json, written by
`UPDATE=1 cargo test --test library comparators`). Each peer is a checkout of its repository:

    defog-ai/sql-eval b833324 (2025-08-15)             eval/eval.py: compare_df, subset_df
    taoyds/test-suite-sql-eval e97acc5 (2022-08-02)    exec_eval.py: result_eq
    bird-bench/BIRD-CRITIC-1 f408d6c (2026-03-24)      evaluation/src/postgresql_test_utils.py: ex_base
    xlang-ai/Spider2 e12c5f1e (2025-11-07)             spider2-lite/evaluation_suite/evaluate.py: compare_pandas_table

    python -m venv venv && venv/bin/pip install "pandas<3"
    venv/bin/python record.py SQL_EVAL TEST_SUITE BIRD_CRITIC SPIDER2

Only the functions named are taken out of their files, with what they call: the rest of each needs servers. Timestamps
are Python datetimes and arrays lists, as the drivers of these peers give them. Queries are not run again.
"""

import ast
import collections
import datetime
import itertools
import json
import math
import random
import re
import sys
from collections import defaultdict
from itertools import chain, product
from pathlib import Path
from typing import Any, List, Set, Tuple

import pandas as pd
from pandas.testing import assert_frame_equal, assert_series_equal

HERE = Path(__file__).parent


def functions(path, names, **more):
    """The functions with these names, as they stand in a file."""
    tree = ast.parse(Path(path).read_text())
    tree.body = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name in names]
    space = dict(globals(), **more)
    exec(compile(tree, str(path), "exec"), space)
    return space


def value(cell, type_name):
    if cell is None:
        return None
    if type_name == "Timestamp":
        return datetime.datetime.strptime(cell, "%Y-%m-%d %H:%M:%S")
    if type_name.startswith("Array"):
        return json.loads(cell)
    return cell


def rows(result):
    return [tuple(value(cell, name) for cell, name in zip(row, result["types"])) for row in result["rows"]]


def frame(result):
    return pd.DataFrame(rows(result), columns=result["columns"])


def said(verdict):
    try:
        return "equal" if bool(verdict()) else "different"
    except Exception as error:
        return f"fails: {type(error).__name__}"


def main():
    sql_eval, test_suite, bird_critic, spider = map(Path, sys.argv[1:])
    defog = functions(sql_eval / "eval/eval.py",
                      ["deduplicate_columns", "normalize_table", "compare_df", "subset_df"])
    suite = functions(test_suite / "exec_eval.py", [
        "permute_tuple", "unorder_row", "quick_rej", "multiset_eq", "get_constraint_permutation", "result_eq"])
    results = {}
    critic = functions(bird_critic / "evaluation/src/postgresql_test_utils.py", ["preprocess_results", "ex_base"],
                       date=datetime.date, datetime=datetime.datetime,
                       execute_queries=lambda sqls, *_: (results[sqls[0]], False, False))
    spider = functions(spider / "spider2-lite/evaluation_suite/evaluate.py", ["compare_pandas_table"])
    random.seed(1)
    told = []
    known = {case["id"]: case for case in json.loads((HERE / "cases.json").read_text())["cases"]}
    for recorded in json.loads((HERE / "results.json").read_text()):
        case, gold, answer = known[recorded["id"]], recorded["reference"], recorded["answer"]
        ordered = "order by" in case["reference"].lower()
        results.update(gold=rows(gold), answer=rows(answer))
        asked = (case["category"], case["question"])
        told.append({
            "id": case["id"],
            "compare_df": said(lambda: defog["compare_df"](
                frame(gold), frame(answer), *asked, case["reference"], case["answer"])),
            "subset_df": said(lambda: defog["subset_df"](frame(gold), frame(answer), *asked)),
            "test_suite": said(lambda: suite["result_eq"](rows(gold), rows(answer), order_matters=ordered)),
            "bird_critic": said(lambda: critic["ex_base"](["answer"], ["gold"], "", None)),
            "spider2": said(lambda: spider["compare_pandas_table"](
                frame(answer), frame(gold), ignore_order=case["category"] != "order_by")),
        })
    (HERE / "peers.json").write_text(json.dumps(told, indent=1) + "\n")


main()
