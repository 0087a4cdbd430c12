"""The reward for verl: reward.custom_reward_function.path=reward.py, name=compute_score.

The worker processes of a run are started once per process and shared by its threads.
"""

import functools

from sqlfault import Grader


@functools.lru_cache(maxsize=None)
def _grader(run):
    return Grader(run)


def compute_score(data_source, solution_str, ground_truth, extra_info=None, metric="accepted", **_):
    """1.0 for a repair that `metric` accepts, else 0.0; the other scores are logged beside it."""
    record = _grader((extra_info or {})["run"]).score(ground_truth, solution_str)
    if record is None:
        return {"score": 0.0}
    scores = {name: float(record[name]) for name in ("accepted", "em", "gm", "mb", "ex")}
    return {"score": scores[metric], **scores}
