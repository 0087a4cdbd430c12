# packages: pandas==2.3.3 cloudpickle==3.1.2
# without dependencies: verl==0.9.1
# formats: verl
"""The reward as verl loads it, by path and name, and calls it, by keywords.

`import verl` needs torch; the module that loads rewards does not, and is taken by its place.
"""

import importlib.util
import sysconfig
from pathlib import Path

import cloudpickle
import pandas
from shared import EXPORTS, ISSUES, REFERENCES, files

place = Path(sysconfig.get_path("purelib"), "verl/utils/import_utils.py")
specification = importlib.util.spec_from_file_location("import_utils", place)
import_utils = importlib.util.module_from_spec(specification)
specification.loader.exec_module(import_utils)
compute_score = import_utils.load_extern_object(str(EXPORTS / "verl/reward.py"), "compute_score")
# Ray moves functions between processes so.
compute_score = cloudpickle.loads(cloudpickle.dumps(compute_score))

seen = 0
for file in files("verl/*.jsonl"):
    rows = pandas.read_json(file, lines=True, dtype=False)
    assert list(rows.columns) == ["data_source", "prompt", "ability", "reward_model", "extra_info"]
    for index, row in enumerate(rows.to_dict("records")):
        assert [message["role"] for message in row["prompt"]] == ["system", "user"]
        assert row["extra_info"]["index"] == index and row["extra_info"]["split"] == file.stem
        task = row["reward_model"]["ground_truth"]
        for answers, wanted in ((REFERENCES, 1.0), (ISSUES, 0.0)):
            # What verl's reward managers add to a row's own fields.
            extra = {**row["extra_info"], "num_turns": 2, "rollout_reward_scores": {}}
            result = compute_score(
                data_source=row["data_source"], solution_str=answers[task], ground_truth=task, extra_info=extra
            )
            assert result["score"] == wanted, (task, result)
            assert all(isinstance(value, float) for value in result.values())
        seen += 1
shaped = compute_score("sqlfault", REFERENCES[task], task, extra_info=row["extra_info"], metric="shaped")
assert shaped["score"] == 1.0
assert seen == len(REFERENCES)
print(f"{seen} rows: references 1, issues 0, by verl's loader and its keywords")
