# packages: datasets==5.2.0 transformers==5.8.0 jinja2==3.1.6 loguru==0.7.3 skyrl-gym==0.4.0
# without dependencies: skyrl==0.3.0
# formats: skyrl
"""SkyRL's PromptDataset reads the rows; its gym makes the environment of each and steps it."""

import importlib.util
import sysconfig
from pathlib import Path

import skyrl_gym
from shared import EXPORTS, ISSUES, REFERENCES, files, rows, tokenizer


def module(path):
    specification = importlib.util.spec_from_file_location(path.stem, path)
    loaded = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(loaded)
    return loaded


# By its place: the package around it imports torch.
PromptDataset = module(Path(sysconfig.get_path("purelib"), "skyrl/train/dataset/dataset.py")).PromptDataset
module(EXPORTS / "skyrl/environment.py")

seen = 0
for file in files("skyrl/*.jsonl"):
    dataset = PromptDataset(str(file), tokenizer(), 100_000, num_workers=1)
    written = rows(file)
    assert len(dataset) == len(written)
    for index in range(len(dataset)):
        prompt, name, extras, _ = dataset[index]
        assert prompt == written[index]["prompt"] and name == "sqlfault"
        task = extras["reward_spec"]["ground_truth"]
        for answers, wanted in ((REFERENCES, 1.0), (ISSUES, 0.0)):
            environment = skyrl_gym.make(name, env_config={}, extras=extras)
            first, _ = environment.init(prompt)
            assert first == prompt
            step = environment.step(answers[task])
            assert step["done"] and step["reward"] == wanted and step["observations"] == [], (task, step)
        seen += 1
assert seen == len(REFERENCES)
print(f"{seen} rows: references 1, issues 0, by PromptDataset and skyrl_gym.make")
