"""Grade SQL repairs from Python with a running `sqlfault score RUN --stdin`.

One file, no dependencies. Copy it next to your evaluation or training code.

    with Grader("runs/7") as grader:
        score = grader.score("01cf6dd994", "SELECT ...")
        score["accepted"], score["gm"], score["outcome"]

Adapters for Inspect AI (`inspect_scorer`), TRL and verl (`reward`, `compute_score`) and lm-evaluation-harness
(`process_results`) are below; each needs its framework only when it is called.
"""

import json
import subprocess
import threading


class GraderError(RuntimeError):
    """The worker is gone or does not know the task."""


class Grader:
    """A worker process. Threads may share it; answers come back one at a time."""

    def __init__(self, run, program="sqlfault", options=()):
        command = [program, "score", str(run), "--stdin", *options]
        self._lock = threading.Lock()
        self._worker = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )

    def score(self, instance_id, predict_sql):
        """The score record of one answer. `predict_sql` may be None (missing) or a model's whole reply."""
        request = json.dumps({"instance_id": instance_id, "predict_sql": predict_sql})
        with self._lock:
            try:
                self._worker.stdin.write(request + "\n")
                self._worker.stdin.flush()
                line = self._worker.stdout.readline()
            except OSError as error:
                raise GraderError(f"the worker is gone: {error}") from error
        if not line:
            raise GraderError(f"the worker ended with code {self._worker.wait()}")
        record = json.loads(line)
        if "error" in record:
            raise GraderError(record["error"])
        return record

    def close(self):
        """Ends the worker."""
        if self._worker.poll() is None:
            self._worker.stdin.close()
            self._worker.wait()
        self._worker.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def reward(grader, metric="accepted", partial=0.2):
    """A TRL reward function: 1 for a repair that `metric` accepts, `partial` for one that is nearer than the bug, else 0.

    The dataset needs a column `instance_id`; TRL hands columns over as keyword lists.
    """

    def function(completions, instance_id, **_):
        rewards = []
        for completion, task in zip(completions, instance_id):
            text = completion if isinstance(completion, str) else completion[-1]["content"]
            score = grader.score(task, text)
            rewards.append(1.0 if score[metric] else partial if score["mb"] else 0.0)
        return rewards

    return function


def compute_score(grader, metric="accepted"):
    """A verl reward function; `ground_truth` is the task's id."""

    def function(data_source, solution_str, ground_truth, extra_info=None):
        return float(grader.score(ground_truth, solution_str)[metric])

    return function


def process_results(grader):
    """`process_results` of an lm-evaluation-harness task whose documents have `instance_id`."""

    def function(document, results):
        score = grader.score(document["instance_id"], results[0])
        return {metric: float(score[metric]) for metric in ("em", "gm", "mb", "ex", "accepted")}

    return function


def inspect_scorer(grader, metric="accepted"):
    """A scorer for Inspect AI; each sample's id is the task's id."""
    from inspect_ai.scorer import Score, accuracy, scorer, stderr

    @scorer(metrics=[accuracy(), stderr()])
    def sqlfault():
        async def score(state, target):
            record = grader.score(str(state.sample_id), state.output.completion)
            return Score(value=1.0 if record[metric] else 0.0, explanation=record["outcome"], metadata=record)

        return score

    return sqlfault()
