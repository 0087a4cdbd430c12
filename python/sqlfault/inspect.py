"""A scorer for Inspect AI."""

from inspect_ai.scorer import Score, accuracy, scorer, stderr

from sqlfault.grader import Grader
from sqlfault.rewards import value


@scorer(metrics=[accuracy(), stderr()])
def sqlfault(run, metric="accepted", **settings):
    """Scores by one metric; a sample's id is the task's id. An unknown id has no score."""
    grader = Grader(run, **settings)

    async def score(state, target):
        record = await grader.score_async(state.sample_id, state.output.completion)
        if record is None:
            return None
        return Score(value=value(record, metric), explanation=record["outcome"], metadata=record)

    return score
