# packages: jsonschema==4.25.1 pyyaml==6.0.3
# formats: openai axolotl
"""OpenAI's and Axolotl's rows by the schemas that they publish: the service needs an account, Axolotl torch."""

import yaml
from jsonschema import validate
from shared import EXPORTS, REFERENCES, files, rows


def messages(*roles):
    turn = {
        "type": "object",
        "properties": {"role": {"enum": list(roles)}, "content": {"type": "string", "minLength": 1}},
        "required": ["role", "content"],
        "additionalProperties": False,
    }
    return {"type": "array", "items": turn, "minItems": 1}


def closed(**properties):
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


# https://platform.openai.com/docs/guides/supervised-fine-tuning and .../direct-preference-optimization
CONVERSATION, ANSWER = messages("system", "user", "assistant"), {**messages("assistant"), "maxItems": 1}
OPENAI = {
    "sft": closed(messages=CONVERSATION),
    "dpo": closed(
        input={"type": "object", "properties": {"messages": messages("system", "user")}, "required": ["messages"]},
        preferred_output=ANSWER,
        non_preferred_output=ANSWER,
    ),
}
for file in files("openai/*.jsonl"):
    for row in rows(file):
        validate(row, OPENAI[file.stem.split("_")[0]])
        if "messages" in row:
            assert row["messages"][-1]["role"] == "assistant"
    print(f"openai {file.stem}: {len(rows(file))} rows")

# https://docs.axolotl.ai/docs/dataset-formats: the fields are those that the configuration beside the rows names.
(section,) = yaml.safe_load((EXPORTS / "axolotl/datasets.yaml").read_text())["datasets"]
assert section["type"] == "chat_template" and section["roles_to_train"] == ["assistant"]
mapping = section["message_property_mappings"]
seen = 0
for file in files("axolotl/sft_*.jsonl"):
    for row in rows(file):
        turns = [{name: turn[mapping[name]] for name in mapping} for turn in row[section["field_messages"]]]
        validate(turns, CONVERSATION)
        assert turns[-1]["role"] == "assistant"
        seen += 1
assert seen == len(REFERENCES)
for file in files("axolotl/dpo_*.jsonl"):
    for row in rows(file):
        validate(row["messages"], messages("system", "user"))
        validate([row["chosen"], row["rejected"]], messages("assistant"))
        assert row["chosen"] != row["rejected"]
    print(f"axolotl {file.stem}: {len(rows(file))} rows")
print(f"axolotl sft: {seen} rows")
