"""Reward functions of trainers and harnesses.

TRL calls `f(prompts=, completions=, completion_ids=, **columns)` and names a reward after `__name__`; verl loads
`compute_score` by file and name and calls it with keywords; lm-evaluation-harness calls `process_results(doc, results)`.
"""

from functools import lru_cache

from sqlfault.grader import Grader

#: Rewards by name: a metric of the score record, or `shaped`, which gives part of the reward to an answer that is nearer
#: to the reference than the issue is (MB).
METRICS = ("accepted", "em", "gm", "mb", "ex", "shaped")


def value(score, metric="accepted", partial=0.2):
    """The reward from 0 to 1 that a score has by a metric; None for None, so that trainers skip the sample."""
    if metric not in METRICS:
        raise ValueError(f"{metric} is not a reward; there are {', '.join(METRICS)}")
    if score is None:
        return None
    if metric == "shaped":
        return 1.0 if score["accepted"] else partial if score["mb"] else 0.0
    return float(score[metric])


def text_of(completion):
    """The text of a completion: itself, or the content of its last message."""
    return completion if isinstance(completion, str) else completion[-1]["content"]


class Reward:
    """A reward function for TRL, one for each metric: `reward_funcs=[Reward(run), Reward(run, "mb")]`.

    The dataset has a column `instance_id`. Picklable; `async` trainers may call it too, in a thread of their own.
    """

    def __init__(self, run, metric="accepted", *, partial=0.2, grader=None, **settings):
        value(None, metric)
        self.grader = grader or Grader(run, **settings)
        self.metric, self.partial = metric, partial
        self.__name__ = f"sqlfault_{metric}"

    def __call__(self, completions, instance_id, **_columns):
        answers = [(task, text_of(completion)) for completion, task in zip(completions, instance_id, strict=True)]
        return [value(score, self.metric, self.partial) for score in self.grader.score_many(answers)]


@lru_cache(maxsize=8)
def _grader(run):
    return Grader(run)


def compute_score(data_source=None, solution_str=None, ground_truth=None, extra_info=None, **settings):
    """verl's reward: `ground_truth` is the task's id, `extra_info["run"]` (or the keyword `run`) the run's folder.

    Gives `score` and, for the logs, every metric; an unknown id has score 0.
    """
    run = settings.get("run") or (extra_info or {}).get("run")
    if run is None:
        raise KeyError("compute_score needs the run's folder: extra_info['run'] or the keyword run")
    metric = settings.get("metric", "accepted")
    score = _grader(str(run)).score(ground_truth, solution_str)
    metrics = {name: value(score, name) or 0.0 for name in METRICS}
    return {"score": metrics[metric], **metrics}


def process_results(document, results):
    """lm-evaluation-harness: documents have `instance_id` and `run`."""
    score = _grader(str(document["run"])).score(document["instance_id"], results[0])
    return {name: value(score, name) or 0.0 for name in METRICS}
