# packages: inspect-ai==0.3.285
# formats: inspect
"""Inspect runs the exported task file with a model that replays answers: references have accuracy 1, issues 0."""

import os

from inspect_ai import eval
from inspect_ai.model import ModelAPI, ModelOutput, modelapi
from shared import EXPORTS, ISSUES, REFERENCES, rows

IDS = {row["input"][-1]["content"]: row["id"] for row in rows(EXPORTS / "inspect/samples.jsonl")}
ANSWERS = {"references": REFERENCES, "issues": ISSUES}

# Inspect finds task files below the folder that it is started in.
os.chdir(EXPORTS / "inspect")


@modelapi(name="replay")
class Replay(ModelAPI):
    """Answers as the model's name says. Tokens are not counted: the package fetches a vocabulary for that."""

    async def generate(self, input, tools, tool_choice, config):
        return ModelOutput.from_content(self.model_name, ANSWERS[self.model_name][IDS[input[-1].text]])

    async def count_tokens(self, *_, **__):
        return 1

    async def count_text_tokens(self, *_, **__):
        return 1


for name, wanted in (("references", 1.0), ("issues", 0.0)):
    (log,) = eval(
        "sqlfault_task.py",
        model=f"replay/{name}",
        display="none",
        log_dir=str(EXPORTS / "logs"),
    )
    assert log.status == "success", log.error
    assert len(log.samples) == len(REFERENCES) == log.results.completed_samples
    accuracy = log.results.scores[0].metrics["accuracy"].value
    wrong = [(sample.id, sample.scores) for sample in log.samples if list(sample.scores.values())[0].value != wanted]
    assert accuracy == wanted and not wrong, (accuracy, wrong)
    print(f"{len(log.samples)} {name}: accuracy {accuracy}")
