"""The tasks of a run for Inspect: inspect eval sqlfault_task.py --model …"""

import functools
import pathlib

from inspect_ai import Task, task
from inspect_ai.dataset import json_dataset
from inspect_ai.scorer import Score, accuracy, scorer, stderr
from inspect_ai.solver import generate

from sqlfault import Grader

SAMPLES = pathlib.Path(__file__).with_name("samples.jsonl")


@functools.lru_cache(maxsize=None)
def _grader(run):
    return Grader(run)


@scorer(metrics=[accuracy(), stderr()])
def accepted():
    async def score(state, target):
        record = await _grader(state.metadata["run"]).score_async(target.text, state.output.completion)
        if record is None:
            return Score(value=0.0, explanation="the run has no such task")
        return Score(value=float(record["accepted"]), explanation=record["outcome"], metadata=record)

    return score


@task
def sqlfault():
    return Task(dataset=json_dataset(str(SAMPLES)), solver=[generate()], scorer=accepted())
