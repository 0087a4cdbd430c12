"""The scores of the task for the evaluation harness."""

import functools

from sqlfault import Grader

METRICS = ("accepted", "em", "gm", "mb", "ex")


@functools.lru_cache(maxsize=None)
def _grader(run):
    return Grader(run)


def process_results(document, results):
    record = _grader(document["run"]).score(document["instance_id"], results[0])
    return {name: float(record[name]) if record is not None else 0.0 for name in METRICS}
