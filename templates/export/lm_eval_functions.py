"""The documents and scores of the task for the evaluation harness."""

from pathlib import Path

import datasets
from sqlfault.rewards import process_results

__all__ = ["documents", "process_results"]


def documents(**_settings):
    """The documents beside this file, from whatever folder the harness is started."""
    return datasets.load_dataset("json", data_files={"test": str(Path(__file__).with_name("documents.jsonl"))})
