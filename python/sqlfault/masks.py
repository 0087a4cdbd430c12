"""Which tokens of an answer count in the loss (dynamic-masked fine-tuning, DM-SFT).

The rows of `export --format trl-sft` and of `train` say which characters of the answer differ from the broken script
(`changed_characters`). With the offsets of any tokenizer these become a mask of tokens: changed tokens always count, of
the others a share is left out, so that a model does not learn to copy.

With the file of a tokenizer, `tokenizer.json`, and the package `tokenizers`, whole files of rows get their tokens and masks:

    python -m sqlfault.masks tokenizer.json train.jsonl > masked.jsonl
"""

import hashlib
import json
import sys

SHARE = 0.5
"""The share of unchanged tokens that is left out (Squirrel, appendix C.3.1)."""


def token_mask(offsets, changed, *, share=SHARE, key=""):
    """One number a token: 1 where it counts in the loss, 0 where it does not.

    `offsets` are pairs of first and end character, one for each token, as `offset_mapping` of a tokenizer has them;
    `changed` are such pairs of the row. `key` (the row's id with the epoch, say) chooses which unchanged tokens are left
    out: the same key chooses the same ones. Tokens without a character, such as an end mark, count. Where `changed` is
    empty, as in answers that are edits or critiques, nothing is copied and every token counts.
    """
    if not 0.0 <= share <= 1.0:
        raise ValueError(f"share is a number from 0 to 1, not {share}")
    changed = [(start, end) for start, end in changed]

    def counts(number, first, end):
        if not changed or first == end or any(first < last and start < end for start, last in changed):
            return True
        digest = hashlib.sha256(f"{key}\0{number}".encode()).digest()
        return int.from_bytes(digest[:8], "big") / 2**64 >= share

    return [int(counts(number, first, end)) for number, (first, end) in enumerate(offsets)]


def labels(tokens, offsets, changed, *, share=SHARE, key="", ignored=-100):
    """The token ids of an answer with `ignored` in place of those that do not count, as trainers take labels."""
    mask = token_mask(offsets, changed, share=share, key=key)
    return [token if counts else ignored for token, counts in zip(tokens, mask, strict=True)]


def masked_rows(tokenizer, rows, *, share=SHARE):
    """The rows of `trl-sft` with `completion_ids` and `completion_mask`: the tokens of the wanted answer as the tokenizer
    of this file cuts it, without a chat template, and which of them count."""
    from tokenizers import Tokenizer

    cuts = Tokenizer.from_file(str(tokenizer))
    for row in rows:
        cut = cuts.encode(row["completion"][-1]["content"], add_special_tokens=False)
        mask = token_mask(cut.offsets, row["changed_characters"], share=share, key=row["instance_id"])
        yield {**row, "completion_ids": cut.ids, "completion_mask": mask}


def main(arguments):
    if len(arguments) != 2:
        return "usage: python -m sqlfault.masks TOKENIZER.json ROWS.jsonl > masked.jsonl"
    tokenizer, path = arguments
    with open(path, encoding="utf-8") as lines:
        for row in masked_rows(tokenizer, map(json.loads, lines)):
            print(json.dumps(row, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
