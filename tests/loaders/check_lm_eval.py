# packages: lm-eval==0.4.13
# formats: lm-eval
"""The evaluation harness runs the exported task with a model that replays answers."""

import lm_eval
from lm_eval.api.model import LM
from lm_eval.tasks import TaskManager
from shared import EXPORTS, ISSUES, REFERENCES, rows

IDS = {row["prompt"]: row["instance_id"] for row in rows(EXPORTS / "lm-eval/documents.jsonl")}
METRICS = ("accepted", "em", "gm", "mb", "ex", "shaped")


class Replay(LM):
    def __init__(self, answers):
        super().__init__()
        self.answers = answers

    def generate_until(self, requests):
        return [self.answers[IDS[request.args[0]]] for request in requests]

    def loglikelihood(self, requests):
        raise NotImplementedError

    loglikelihood_rolling = loglikelihood


for name, answers, wanted in (("references", REFERENCES, 1.0), ("issues", ISSUES, 0.0)):
    tasks = TaskManager(include_path=str(EXPORTS / "lm-eval"), include_defaults=False)
    results = lm_eval.simple_evaluate(
        model=Replay(answers), tasks=["sqlfault"], task_manager=tasks, bootstrap_iters=0
    )
    scores = {metric: results["results"]["sqlfault"][f"{metric},none"] for metric in METRICS}
    assert scores["accepted"] == wanted, scores
    assert results["n-samples"]["sqlfault"]["effective"] == len(REFERENCES)
    assert wanted == 0.0 or set(scores.values()) == {1.0}, scores
    print(f"{len(REFERENCES)} {name}: {scores}")
