# python: 3.12
# packages: harbor==0.24.0
# formats: harbor
"""Harbor reads every folder; its oracle through its own tests gives reward 1, the issue 0, and no answer 0."""

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from harbor.models.task.task import Task
from shared import EXPORTS, REFERENCES


def reward(folder, workspace):
    """What tests/test.sh writes, as the verifier reads it."""
    logs = workspace / "logs"
    logs.mkdir()
    run_script(folder / "tests/test.sh", workspace)
    rewards = json.loads((logs / "reward.json").read_text())
    assert all(isinstance(value, float) for value in rewards.values()), rewards
    return rewards["reward"]


def run_script(script, workspace):
    places = {"SQLFAULT_WORKSPACE": str(workspace), "SQLFAULT_LOGS": str(workspace / "logs")}
    subprocess.run(["sh", str(script)], env={**os.environ, **places}, check=True)


seen = []
for folder in sorted(EXPORTS.glob("harbor/*/*/task.toml")):
    folder = folder.parent
    assert Task.is_valid_dir(folder)
    task = Task(folder)
    assert task.name == f"sqlfault/{folder.name}" and "/workspace/answer.sql" in task.instruction
    for kind, wanted in (("oracle", 1.0), ("issue", 0.0), ("nothing", 0.0)):
        with tempfile.TemporaryDirectory() as temporary:
            workspace = Path(temporary)
            if kind == "oracle":
                run_script(task.paths.solve_path, workspace)
            elif kind == "issue":
                shutil.copy(folder / "environment/issue.sql", workspace / "answer.sql")
            assert reward(folder, workspace) == wanted, (folder.name, kind)
    seen.append(folder.name)
assert sorted(seen) == sorted(REFERENCES), seen
print(f"{len(seen)} folders: oracle 1, issue 0, no answer 0")
