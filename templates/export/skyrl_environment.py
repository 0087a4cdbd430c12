"""The environment for SkyRL: one answer an episode. Import this module before training; it registers `sqlfault`."""

import functools

import skyrl_gym
from skyrl_gym.envs.base_text_env import BaseTextEnv

from sqlfault import Grader


@functools.lru_cache(maxsize=None)
def _grader(run):
    return Grader(run)


class SqlfaultEnv(BaseTextEnv):
    """Scores one answer by the judge of the run that the row names."""

    def __init__(self, env_config=None, extras=None):
        super().__init__()
        extras = extras or {}
        self.instance_id = extras["reward_spec"]["ground_truth"]
        self.run = extras["extra_info"]["run"]

    def step(self, action):
        record = _grader(self.run).score(self.instance_id, action)
        reward = 1.0 if record is not None and record["accepted"] else 0.0
        return {"observations": [], "reward": reward, "done": True, "metadata": record or {}}


skyrl_gym.register(id="sqlfault", entry_point=SqlfaultEnv)
