"""Grade SQL repairs from Python.

    from sqlfault import Grader

    with Grader("runs/7") as grader:
        score = grader.score("01cf6dd994", "SELECT ...")
        score["accepted"], score["gm"], score["outcome"]

`Grader` keeps a pool of `sqlfault score RUN --stdin` processes, one for each worker. `sqlfault.rewards` has reward
functions for TRL, verl and lm-evaluation-harness, `sqlfault.inspect` a scorer for Inspect AI. Nothing but the standard
library is needed.
"""

from sqlfault.grader import Grader, GraderError
from sqlfault.rewards import METRICS, Reward, compute_score, process_results

__all__ = ["METRICS", "Grader", "GraderError", "Reward", "compute_score", "process_results"]
