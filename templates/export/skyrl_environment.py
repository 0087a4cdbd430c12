"""The environment for SkyRL: one answer an episode. Import this module before training; it registers `sqlfault`."""

import skyrl_gym
from skyrl_gym.envs.base_text_env import BaseTextEnv
from sqlfault.rewards import compute_score


class SqlfaultEnv(BaseTextEnv):
    """Scores one answer by the judge of the run that the row names."""

    def __init__(self, env_config=None, extras=None):
        super().__init__()
        extras = extras or {}
        self.instance_id = extras["reward_spec"]["ground_truth"]
        self.extra_info = extras["extra_info"]

    def step(self, action):
        scores = compute_score(solution_str=action, ground_truth=self.instance_id, extra_info=self.extra_info)
        return {"observations": [], "reward": scores["score"], "done": True, "metadata": scores}


skyrl_gym.register(id="sqlfault", entry_point=SqlfaultEnv)
