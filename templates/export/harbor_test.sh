#!/bin/sh
# Judges /workspace/answer.sql by the run beside this file. The reward is 1 for an accepted answer, else 0; the other
# scores stand beside it.
set -eu
exec python3 - "$(dirname "$0")/run" "${SQLFAULT_WORKSPACE:-/workspace}/answer.sql" \
  "${SQLFAULT_LOGS:-/logs/verifier}/reward.json" <<'END'
import json
import pathlib
import sys

from sqlfault.rewards import compute_score

run, answer, reward = map(pathlib.Path, sys.argv[1:])
(task,) = [json.loads(line)["instance_id"] for line in (run / "tasks.jsonl").read_text(encoding="utf-8").splitlines()]
text = answer.read_text(encoding="utf-8", errors="replace") if answer.is_file() else None
scores = compute_score(solution_str=text, ground_truth=task, extra_info={"run": str(run)})
scores["reward"] = scores.pop("score")
reward.parent.mkdir(parents=True, exist_ok=True)
reward.write_text(json.dumps(scores))
END
