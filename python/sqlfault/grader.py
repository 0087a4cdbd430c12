"""Scores of answers, from a pool of processes."""

import asyncio
import os
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sqlfault import _program
from sqlfault._worker import Worker, WorkerDied


#: The most bytes of an answer that the program reads; a longer one is too large, however much longer it is.
LARGEST_ANSWER = 512 * 1024


def _cut(answer):
    """An answer of at most a few bytes more than what is read: a line of any length would not be taken at all."""
    written = answer.encode("utf-8", "surrogatepass")
    if len(written) <= LARGEST_ANSWER:
        return answer
    return written[: LARGEST_ANSWER + 8].decode("utf-8", "replace")


class GraderError(RuntimeError):
    """An answer could not be judged; the message has the program's own reason."""


class Grader:
    """Scores answers to the tasks of a run.

    Threads, event loops and forked or spawned processes may share one: each process has a pool of its own, started
    when it is first used. A worker that is killed, or takes longer than `timeout` seconds for one answer, is replaced.

    Raises FileNotFoundError where there is no such run or no program.
    """

    def __init__(self, run, *, workers=None, program=None, options=(), timeout=120.0):
        if not any(Path(run, folder, "tasks.jsonl").is_file() for folder in ("public", "")):
            raise FileNotFoundError(f"{run} is not a run of sqlfault: it has no tasks.jsonl")
        if workers is not None and workers < 1:
            raise ValueError(f"workers is at least 1, not {workers}")
        settings = {
            "run": str(Path(run).resolve()),
            "workers": workers or os.cpu_count() or 1,
            "program": _program.find(program),
            "options": tuple(options),
            "timeout": float(timeout),
        }
        self.__setstate__(settings)

    def score(self, instance_id, predict_sql):
        """The score of one answer, or None for an id that the run does not have.

        `predict_sql` is SQL or a model's whole reply; None counts as a missing answer. Raises TypeError where it is
        neither, GraderError where the answer cannot be judged.
        """
        if predict_sql is not None and not isinstance(predict_sql, str):
            raise TypeError(f"predict_sql is a str or None, not {type(predict_sql).__name__}")
        answer = None if predict_sql is None else _cut(predict_sql)
        reply = self._ask({"instance_id": str(instance_id), "predict_sql": answer})
        if reply.get("problem") == "unknown_task":
            return None
        if "error" in reply:
            raise GraderError(reply["error"])
        return reply

    def score_many(self, answers):
        """The scores of many answers, pairs of id and SQL, in their order; all workers take part."""
        answers = list(answers)
        scores = [None] * len(answers)

        def judge(places):
            for place in places:
                scores[place] = self.score(*answers[place])

        list(self._executor().map(judge, self._shares(answers)))
        return scores

    def _shares(self, answers):
        """The places of answers, a share for a worker at a time: answers to one task together, but in as many shares as
        give every worker several."""
        tasks = {}
        for place, (instance_id, _) in enumerate(answers):
            tasks.setdefault(str(instance_id), []).append(place)
        most = max(1, len(answers) // (4 * self._settings["workers"]))
        return [places[start : start + most] for places in tasks.values() for start in range(0, len(places), most)]

    async def score_async(self, instance_id, predict_sql):
        """`score` without blocking the event loop."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._executor(), self.score, instance_id, predict_sql)

    async def score_many_async(self, answers):
        """`score_many` without blocking the event loop."""
        return list(await asyncio.gather(*(self.score_async(*answer) for answer in answers)))

    def query(self, instance_id, sql):
        """What a query gives on the public sample database of a task, as the program prints it: the rows as a table, or
        the engine's message. Raises GraderError where the task is unknown or has no sample."""
        command = [self._settings["program"], "query", self._settings["run"], str(instance_id)]
        timeout = self._settings["timeout"]
        try:
            done = subprocess.run(command, input=sql.encode("utf-8", "replace"), capture_output=True, timeout=timeout)
        except subprocess.TimeoutExpired as error:
            raise GraderError(f"the query takes longer than {timeout} seconds") from error
        said = done.stdout.decode("utf-8", "replace")
        # Code 1: the engine refuses or ends the query, and says so in place of rows.
        if done.returncode not in (0, 1):
            raise GraderError(done.stderr.decode("utf-8", "replace").strip())
        return said

    def close(self):
        """Ends the workers. The next answer starts new ones."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None and pool.owner == os.getpid():
            pool.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if getattr(self, "_pool", None) is not None:
            self.close()

    def __getstate__(self):
        return self._settings

    def __setstate__(self, settings):
        self._settings = settings
        self._lock = threading.Lock()
        self._pool = None

    def _ask(self, request):
        return self._own_pool().ask(request)

    def _executor(self):
        return self._own_pool().executor

    def _own_pool(self):
        """The pool of this process. A forked child has its parent's in memory, and must not use its pipes."""
        pool = self._pool
        if pool is not None and pool.owner == os.getpid():
            return pool
        if pool is not None:
            # The lock may have been held by a thread that the fork left behind.
            self._lock = threading.Lock()
        with self._lock:
            if self._pool is None or self._pool.owner != os.getpid():
                self._pool = _Pool(self._settings)
            return self._pool


class _Slot:
    """A place for a worker, and the task that was judged there last."""

    def __init__(self):
        self.worker = None
        self.task = None


class _Pool:
    """The workers of one process."""

    def __init__(self, settings):
        self.owner = os.getpid()
        self._command = [settings["program"], "score", settings["run"], "--stdin", *settings["options"]]
        self._timeout = settings["timeout"]
        self._count = settings["workers"]
        # Slots without a worker get one when they are needed.
        self._idle = [_Slot() for _ in range(self._count)]
        self._given_back = threading.Condition()
        self._executor = None
        self._lock = threading.Lock()

    @property
    def executor(self):
        with self._lock:
            if self._executor is None:
                self._executor = ThreadPoolExecutor(max_workers=self._count, thread_name_prefix="sqlfault")
            return self._executor

    def ask(self, request):
        slot = self._take(request["instance_id"])
        try:
            for attempt in (1, 2):
                fresh = slot.worker is None
                slot.worker = slot.worker or Worker(self._command, self._timeout)
                try:
                    return slot.worker.ask(request)
                except WorkerDied as error:
                    slot.worker = None
                    # A worker killed between two answers says nothing about this one: it is asked again, once.
                    if fresh or attempt == 2:
                        raise GraderError(str(error)) from None
        finally:
            self._give_back(slot)

    def pids(self):
        """The process ids of the idle workers."""
        with self._given_back:
            return [slot.worker.pid for slot in self._idle if slot.worker is not None]

    def _take(self, task):
        """An idle slot: the one that judged this task last, since its worker has it ready, else the last used one."""
        with self._given_back:
            self._given_back.wait_for(lambda: self._idle)
            at = next((at for at, slot in enumerate(self._idle) if slot.task == task), -1)
            slot = self._idle.pop(at)
        slot.task = task
        return slot

    def _give_back(self, slot):
        with self._given_back:
            self._idle.append(slot)
            # Whoever waits for any slot and whoever waits for all of them wait here.
            self._given_back.notify_all()

    def close(self):
        with self._lock:
            executor, self._executor = self._executor, None
        if executor is not None:
            executor.shutdown(wait=True)
        with self._given_back:
            self._given_back.wait_for(lambda: len(self._idle) == self._count)
            ended, self._idle = self._idle, [_Slot() for _ in range(self._count)]
            self._given_back.notify_all()
        for slot in ended:
            if slot.worker is not None:
                slot.worker.close()
