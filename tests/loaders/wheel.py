"""The installed wheel: its own program, pool, restart, pickle, unknown ids; then how fast it answers."""

import json
import os
import pickle
import signal
import statistics
import sys
import time
from pathlib import Path

import sqlfault
from sqlfault import Grader

run = Path(sys.argv[1])


def records(name):
    path = next(folder / name for folder in (run / "judge", run / "public", run) if (folder / name).is_file())
    return [json.loads(line) for line in path.read_text().splitlines()]


gold = records("gold.jsonl")
issues = {task["instance_id"]: task["issue_sql"] for task in records("tasks.jsonl")}
right = [(line["instance_id"], line["reference_sql"]) for line in gold]
wrong = [(line["instance_id"], issues[line["instance_id"]]) for line in gold]

assert Path(sqlfault.__file__).is_relative_to(sys.prefix), sqlfault.__file__
with Grader(run, workers=2) as grader:
    assert Path(grader._settings["program"]).is_relative_to(sys.prefix), grader._settings["program"]
    assert all(score["accepted"] for score in grader.score_many(right))
    assert not any(score["accepted"] for score in grader.score_many(wrong))
    assert grader.score("nothing", "SELECT 1") is None
    for pid in grader._own_pool().pids():
        os.kill(pid, signal.SIGKILL)
    assert grader.score(*right[0])["accepted"]
    with pickle.loads(pickle.dumps(grader)) as copy:
        assert copy.score(*right[0])["accepted"]


def seconds(workers, answers):
    with Grader(run, workers=workers) as grader:
        grader.score_many(answers[:4])
        start = time.perf_counter()
        grader.score_many(answers)
        return time.perf_counter() - start


answers = [pair for pairs in zip(right, wrong) for pair in pairs]
count = int(os.environ.get("SQLFAULT_WHEEL_ANSWERS", "400"))
answers = (answers * (count // len(answers) + 1))[:count]
with Grader(run, workers=1) as grader:
    times = []
    for answer in answers:
        start = time.perf_counter()
        grader.score(*answer)
        times.append((time.perf_counter() - start) * 1000)
one, two = (min(seconds(workers, answers) for _ in range(3)) for workers in (1, 2))
print(f"wheel: median {statistics.median(times):.1f} ms an answer, two workers {one / two:.2f} times one")
