"""The reward for verl: reward.custom_reward_function.path=reward.py, name=compute_score.

The worker processes of a run are started once per process and shared by its threads. Another reward than `accepted`:
reward.custom_reward_function.reward_kwargs.metric=shaped.
"""

from sqlfault.rewards import compute_score

__all__ = ["compute_score"]
