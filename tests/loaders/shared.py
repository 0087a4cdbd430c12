"""What the checks of several loaders need."""

import json
import sys
from pathlib import Path

EXPORTS, RUN = Path(sys.argv[1]), Path(sys.argv[2])


def rows(path):
    """The rows of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def files(pattern):
    """Exported files by a pattern below the folder of exports; there is at least one."""
    found = sorted(EXPORTS.glob(pattern))
    assert found, f"no file {pattern} in {EXPORTS}"
    return found


def fenced(sql):
    """SQL as a model gives it."""
    return f"Here is the script.\n\n```sql\n{sql}\n```\n"


#: Right and wrong answers by id of the task: the reference, and the issue as it was.
REFERENCES = {row["instance_id"]: fenced(row["reference_sql"]) for row in rows(RUN / "judge/gold.jsonl")}
ISSUES = {row["instance_id"]: fenced(row["issue_sql"]) for row in rows(RUN / "public/tasks.jsonl")}
assert REFERENCES.keys() == ISSUES.keys() and REFERENCES, "the run has no tasks"


def tokenizer():
    """A tokenizer made here, of words, with a chat template: nothing is fetched."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    words = Tokenizer(models.WordLevel({"[UNK]": 0, "<|im_start|>": 1, "<|im_end|>": 2}, unk_token="[UNK]"))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    tokens = PreTrainedTokenizerFast(tokenizer_object=words, unk_token="[UNK]", eos_token="<|im_end|>")
    tokens.chat_template = (
        "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{{ m['content'] }}<|im_end|>\n{% endfor %}"
        "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
    )
    return tokens
