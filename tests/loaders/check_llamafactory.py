# packages: datasets==4.0.0 huggingface_hub==0.36.0
# without dependencies: llamafactory==0.9.5
# formats: llamafactory
"""LLaMA-Factory's reading of dataset_info.json and its converters.

The package imports torch and peft from `extras`, which the parser and the converters need for nothing but logging and
two names; these are given here, the parser and the converters are the released ones.
"""

import importlib
import logging
import sys
import sysconfig
import types
from enum import Enum
from pathlib import Path

import datasets
from shared import EXPORTS, REFERENCES

ROOT = Path(sysconfig.get_path("purelib"), "llamafactory")


def stand_in(name, **members):
    module = types.ModuleType(name)
    vars(module).update(members)
    module.__path__ = [str(ROOT.joinpath(*name.split(".")[1:]))]
    sys.modules[name] = module


class Role(str, Enum):
    USER, ASSISTANT, SYSTEM = "user", "assistant", "system"
    FUNCTION, OBSERVATION = "function", "observation"


log = logging.getLogger("llamafactory")
log.warning_rank0 = log.warning_rank0_once = log.warning
logs = types.SimpleNamespace(get_logger=lambda name: log)
stand_in("llamafactory")
stand_in("llamafactory.data")
stand_in("llamafactory.data.data_utils", Role=Role)
stand_in("llamafactory.extras", logging=logs)
stand_in("llamafactory.extras.constants", DATA_CONFIG="dataset_info.json")
stand_in("llamafactory.extras.misc", use_modelscope=lambda: False, use_openmind=lambda: False)
parser = importlib.import_module("llamafactory.data.parser")
converter = importlib.import_module("llamafactory.data.converter")

folder = EXPORTS / "llamafactory"
names = [file.stem for file in folder.glob("*.jsonl")]
supervised = 0
for name in sorted(names):
    (attributes,) = parser.get_dataset_list([f"sqlfault_{name}"], str(folder))
    file = folder / attributes.dataset_name
    assert attributes.load_from == "file" and file.is_file()
    arguments = types.SimpleNamespace(media_dir=str(folder))
    convert = converter.get_dataset_converter(attributes.formatting, attributes, arguments)
    rows = datasets.load_dataset("json", data_files=str(file), split=attributes.split)
    for row in rows:
        converted = convert(row)
        assert [turn["role"] for turn in converted["_prompt"]] == ["user"] and converted["_prompt"][0]["content"]
        responses = [turn["role"] for turn in converted["_response"]]
        assert responses == ["assistant"] * (2 if attributes.ranking else 1), (name, responses)
        contents = {turn["content"] for turn in converted["_response"]}
        assert len(contents) == len(responses) and all(contents), "chosen and rejected differ"
        assert converted["_system"], "the system text is lost"
    supervised += 0 if attributes.ranking else len(rows)
    print(f"{name}: {len(rows)} rows, {attributes.formatting}{', ranking' if attributes.ranking else ''}")
assert supervised == len(REFERENCES) and any(name.startswith("dpo") for name in names)
