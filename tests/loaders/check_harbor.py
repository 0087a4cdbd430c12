# python: 3.12
# packages: harbor==0.24.0
# formats: harbor
"""Harbor reads every folder; its oracle through its own tests gives reward 1, the issue 0, and no answer 0.

Where a task has a public sample, its environment answers a query with rows."""

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from harbor.models.task.task import Task
from shared import EXPORTS, REFERENCES, RUN


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


def answers_a_query(environment, name):
    """Whether a query on the sample, as instruction.md puts it, gives rows."""
    sample = json.loads((environment / f"run/samples/{name}.json").read_text(encoding="utf-8"))
    table = next(table["table"] for table in sample["tables"] if table["rows"])
    program = os.environ["SQLFAULT_PROGRAM"]
    query = [program, "query", "run", name, "--json"]
    said = subprocess.run(query, cwd=environment, input=f"SELECT * FROM {table}", capture_output=True, text=True, check=True)
    return bool(json.loads(said.stdout)["tables"][0]["rows"])


seen, queried = [], 0
for folder in sorted(EXPORTS.glob("harbor/*/*/task.toml")):
    folder = folder.parent
    assert Task.is_valid_dir(folder)
    task = Task(folder)
    assert task.name == f"sqlfault/{folder.name}" and "/workspace/answer.sql" in task.instruction
    has_sample = (RUN / f"public/samples/{folder.name}.json").is_file()
    assert has_sample == (folder / "environment/run").is_dir() == ("sqlfault query" in task.instruction), folder.name
    assert not has_sample or answers_a_query(folder / "environment", folder.name), folder.name
    queried += has_sample
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
print(f"{len(seen)} folders: oracle 1, issue 0, no answer 0; {queried} answer queries")
