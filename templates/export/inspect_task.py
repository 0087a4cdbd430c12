"""The tasks of a run for Inspect: inspect eval sqlfault_task.py --model …"""

from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import json_dataset
from inspect_ai.solver import generate
from sqlfault.inspect import sqlfault as judged

SAMPLES = Path(__file__).with_name("samples.jsonl")


@task
def sqlfault():
    return Task(dataset=json_dataset(str(SAMPLES)), solver=[generate()], scorer=judged())
