"""A scorer for Inspect AI."""

from functools import lru_cache

from inspect_ai.scorer import Score, accuracy, scorer, stderr

from sqlfault.grader import Grader
from sqlfault.rewards import value


@scorer(metrics=[accuracy(), stderr()])
def sqlfault(run=None, metric="accepted", **settings):
    """Scores by one metric; a sample's id is the task's id. An unknown id has no score.

    The run is `run` or, where that is None, the one that a sample's metadata name.
    """

    @lru_cache(maxsize=8)
    def grader(folder):
        return Grader(folder, **settings)

    async def score(state, target):
        record = await grader(run or state.metadata["run"]).score_async(state.sample_id, state.output.completion)
        if record is None:
            return None
        return Score(value=value(record, metric), explanation=record["outcome"], metadata=record)

    return score
