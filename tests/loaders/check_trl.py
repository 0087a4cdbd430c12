# packages: datasets==5.2.0 transformers==5.23.0 jinja2==3.1.6
# without dependencies: trl==1.16.0
# formats: trl-sft trl-dpo trl-kto trl-grpo
"""Rows of every method through TRL's own reading and chat template, and the reward as a trainer calls it."""

import json
import pickle
import subprocess
import sys
import tempfile
from pathlib import Path

import datasets
from shared import EXPORTS, ISSUES, REFERENCES, files, tokenizer
from sqlfault import Reward
from sqlfault.masks import labels, token_mask
from trl.data_utils import apply_chat_template, is_conversational

METHODS = {
    "trl-sft": {"prompt", "completion"},
    "trl-dpo": {"prompt", "chosen", "rejected"},
    "trl-kto": {"prompt", "completion", "label"},
    "trl-grpo": {"prompt"},
}
TEXTS = {"prompt", "completion", "chosen", "rejected", "label"}
tokens = tokenizer()


def load(file):
    return datasets.load_dataset("json", data_files=str(file), split="train")


for method, keys in METHODS.items():
    seen = 0
    for file in files(f"{method}/*.jsonl"):
        for row in load(file):
            assert is_conversational(row), method
            templated = apply_chat_template({key: row[key] for key in keys}, tokens)
            assert templated.keys() == keys, (method, templated.keys())
            assert templated["prompt"].endswith("<|im_start|>assistant\n")
            for answer in keys & {"completion", "chosen", "rejected"}:
                assert templated[answer] == row[answer][0]["content"] + "<|im_end|>\n", (method, answer)
            seen += 1
    print(f"{method}: {seen} rows have {', '.join(sorted(keys))}")

# Offsets of the changed places: Python's own slices, and inside the tokenizer's offsets.
for file in files("trl-sft/*.jsonl"):
    for row in load(file):
        answer = row["completion"][0]["content"]
        for (start, end), (first, last) in zip(row["changed_characters"], row["changed_bytes"], strict=True):
            assert answer[start:end].encode() == answer.encode()[first:last] and start < end
        offsets = tokens(answer, return_offsets_mapping=True)["offset_mapping"]
        changed = row["changed_characters"]
        touched = [any(a < end and start < b for start, end in changed) for a, b in offsets]
        assert any(touched)
        # The mask of DM-SFT: what changed always counts, of the rest about half, and the same half for the same key.
        mask = token_mask(offsets, changed, key=row["instance_id"])
        assert mask == token_mask(offsets, changed, key=row["instance_id"])
        assert all(counts for counts, is_changed in zip(mask, touched) if is_changed)
        rest = [counts for counts, is_changed in zip(mask, touched) if not is_changed]
        assert len(rest) < 50 or 0.2 < sum(rest) / len(rest) < 0.8, sum(rest) / len(rest)
        ids = tokens(answer)["input_ids"]
        assert [one != -100 for one in labels(ids, offsets, changed, key=row["instance_id"])] == [bool(one) for one in mask]

print("masks: changed tokens count, of the others about half")

# The same from the command line, with the tokenizer as the file that models come with.
with tempfile.TemporaryDirectory() as folder:
    file = Path(folder, "tokenizer.json")
    tokens.backend_tokenizer.save(str(file))
    for rows in files("trl-sft/*.jsonl"):
        masked = subprocess.run([sys.executable, "-m", "sqlfault.masks", file, rows], capture_output=True, check=True)
        for row in map(json.loads, masked.stdout.decode().splitlines()):
            cut = tokens(row["completion"][0]["content"], return_offsets_mapping=True, add_special_tokens=False)
            mask = token_mask(cut["offset_mapping"], row["changed_characters"], key=row["instance_id"])
            assert (row["completion_ids"], row["completion_mask"]) == (cut["input_ids"], mask)
print("masks: the same from a tokenizer's file")

# The columns of a row reach the reward by name.
online = [row for file in files("trl-grpo/*.jsonl") for row in load(file)]
reward = pickle.loads(pickle.dumps(Reward(online[0]["run"], workers=2)))
for answers, wanted in ((REFERENCES, 1.0), (ISSUES, 0.0)):
    columns = {name: [row[name] for row in online] for name in online[0] if name != "prompt"}
    completions = [[{"role": "assistant", "content": answers[row["instance_id"]]}] for row in online]
    prompts = [row["prompt"] for row in online]
    scores = reward(prompts=prompts, completions=completions, completion_ids=[[0]] * len(online), **columns)
    assert scores == [wanted] * len(online), scores
reward.grader.close()
print(f"reward {reward.__name__}: {len(online)} references 1, {len(online)} issues 0")
