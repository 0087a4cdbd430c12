"""Runs the program for hours, kills it at random moments, and says whether anything grew or was lost.

    python3 tests/soak/soak.py soak  --program target/release/sqlfault --seconds 3600
    python3 tests/soak/soak.py kills --program target/release/sqlfault --kills 100 [--only build,merge]

`soak` repeats build, repair, sift, refill, shards, merge and check, each killed at a random moment and then gone on with.
Beside them one `score --stdin`, one `worker` and one `review` serve all the time, hostile questions among the others.
Every round notes their memory, open files, threads and children, the most memory of each verb, and what is left of
processes and temporary files. `kills` kills each verb that writes files at random moments, goes on as a user would, and
compares every byte with an undisturbed run; `prove` has a Spark that accepts everything.

The last line is one object of JSON with what was measured; the exit code is 1 if anything grew, differed or was left.
Linux only; needs Python 3.9 and nothing else. `tests/commands/soak.rs` runs a short form of both.
"""

import argparse
import json
import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

from corpus import hostile_answers, write_corpus, write_spark

SIZES = ["--source", "scripts", "--seed", "7", "--syntax", "6", "--semantic", "6"]
SOLVERS = ["--solver", "position", "linter", "spelling"]
# A measure has grown when the last quarter of the rounds needs this much more than the second.
MOST_GROWTH = 1.10
SPARE_KILOBYTES = 4096


class Wrong(Exception):
    """Something that must not happen."""


class Bench:
    """A folder of its own in which the program runs, with its own folder for temporary files."""

    def __init__(self, program, seed):
        self.root = Path(tempfile.mkdtemp(prefix="sqlfault-soak-"))
        # A copy, so that a build of the program under test does not change it, and its processes are known by it.
        self.program = self.root / "sqlfault"
        shutil.copy2(program, self.program)
        self.temporary = self.root / "tmp"
        self.temporary.mkdir()
        self.random = random.Random(seed)
        self.peaks = {}
        write_corpus(self.root / "scripts")
        write_spark(self.root)

    def close(self):
        shutil.rmtree(self.root, ignore_errors=True)

    def start(self, arguments, **pipes):
        # Standard error goes to a file of its own so that no pipe fills up.
        errors = open(self.root / "errors.txt", "a")
        pipes.setdefault("stdout", subprocess.DEVNULL)
        environment = {**os.environ, "TMPDIR": str(self.temporary)}
        environment |= {"SQLFAULT_PYTHON": str(self.root / "python"), "JAVA_HOME": str(self.root / "java")}
        command = [str(self.program), *map(str, arguments)]
        child = subprocess.Popen(command, cwd=self.root, stderr=errors, env=environment, **pipes)
        errors.close()
        return child

    def wait(self, child, verb):
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        self.peaks.setdefault(verb, []).append(usage.ru_maxrss)
        return child.returncode

    def run(self, *arguments, allowed=(0,)):
        started = time.monotonic()
        code = self.wait(self.start(arguments), arguments[0])
        if code not in allowed:
            raise Wrong(f"{' '.join(map(str, arguments))} ended with {code}: {self.last_error()}")
        return time.monotonic() - started

    def killed(self, moment, *arguments):
        """Kills the program after so many seconds; says whether it was still under way."""
        child = self.start(arguments)
        try:
            child.wait(timeout=moment)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
            return True
        return False

    def last_error(self):
        return (self.root / "errors.txt").read_text(errors="replace")[-500:]

    def copy(self, source, target):
        shutil.rmtree(self.root / target, ignore_errors=True)
        shutil.copytree(self.root / source, self.root / target)

    def remove(self, *names):
        for name in names:
            shutil.rmtree(self.root / name, ignore_errors=True)

    def processes(self):
        """Ids of the processes that run this program."""
        found = set()
        for entry in Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and os.readlink(entry / "exe").startswith(str(self.program)):
                    found.add(int(entry.name))
            except OSError:
                pass
        return found


def contents(root):
    """Every file below a folder with its bytes."""
    if root.is_file():
        return {"": root.read_bytes()}
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def compare(one, other, what):
    left, right = contents(one), contents(other)
    differ = sorted(name for name in left.keys() | right.keys() if left.get(name) != right.get(name))
    if differ:
        raise Wrong(f"{what}: these files differ: {', '.join(differ[:10])}")


# Kills


class Verb:
    """A verb that writes: how it is started, how it is gone on with, and what it leaves."""

    def __init__(self, name, arguments, resume=None, before=None, out="killed", allowed=(0,), is_done=lambda bench: False):
        self.name, self.arguments, self.out, self.allowed = name, arguments, out, allowed
        # Whether all was written before the kill, for a verb that does not write over what is whole.
        self.is_done = is_done
        self.resume = resume if resume is not None else arguments
        self.before = before or (lambda bench: bench.remove(out))


def verbs():
    going_on = lambda arguments: [*arguments, "--resume"]
    build = ["build", *SIZES, "--out", "killed"]
    composed = ["build", "--seed", "7", "--syntax", "1", "--semantic", "1", "--out", "killed"]
    rich = ["build", *SIZES, "--faults-per-task", "1..2", "--controls", "4", "--out", "killed"]
    shard = ["build", *SIZES, "--shard", "1/2", "--out", "killed"]
    merge = ["merge", "part-1", "part-2", "--out", "killed"]
    train = ["train", "--pairs", "8", "--pairs-per-script", "4", "--jobs", "2", "--out", "killed"]
    copied = lambda source: lambda bench: bench.copy(source, "killed")

    def fresh(name):
        return lambda bench: (bench.root / name).unlink(missing_ok=True)

    def is_exported(bench):
        names = [path.name for path in (bench.root / "killed").glob("*")]
        return bool(names) and not any(name.endswith(".partial") for name in names)

    return [
        Verb("build", build, going_on(build)),
        Verb("build of composed scripts", composed, going_on(composed)),
        Verb("build with controls and several faults", rich, going_on(rich), allowed=(0, 1)),
        Verb("build --shard", shard, going_on(shard)),
        Verb("merge", merge, going_on(merge)),
        Verb("build --refill", ["build", "--refill", "killed", "--source", "scripts"], before=copied("sifted"), allowed=(0, 1)),
        Verb("repair", ["repair", "killed", *SOLVERS], before=copied("run")),
        Verb("sift", ["sift", "killed", "--too-easy-above", "0.3"], before=copied("tried")),
        Verb("compose", ["compose", "--count", "3", "--out", "killed"]),
        Verb("export", ["export", "run", "--format", "trl-sft", "--out", "killed"], is_done=is_exported),
        Verb("score", ["score", "run", "answers.jsonl", "--scores", "scores.jsonl"], before=fresh("scores.jsonl"), out="scores.jsonl"),
        Verb("score --html", ["score", "run", "answers.jsonl", "--html", "page.html"], before=fresh("page.html"), out="page.html"),
        Verb("train", train, going_on(train)),
        Verb("train --join", ["train", "--join", "pairs-1", "pairs-2", "--out", "killed"]),
        Verb("prove", ["prove", "killed"], before=copied("run"), allowed=(0, 1)),
        Verb("prove --certify", ["prove", "killed", "--certify"], before=copied("run"), allowed=(0, 1)),
        Verb("review --import", ["review", "killed", "--import", "filled.jsonl"], before=copied("run")),
        Verb("review --apply", ["review", "killed", "--apply"], before=copied("reviewed")),
        Verb("review --export", ["review", "reviewed", "--export", "sheet.jsonl"], before=fresh("sheet.jsonl"), out="sheet.jsonl"),
        Verb("report", ["report", "sifted", "--html", "page.html"], before=fresh("page.html"), out="page.html"),
        Verb("audit", ["audit", "killed", "--json"], before=copied("run"), allowed=(0, 1)),
    ]


def prepare(bench):
    """The runs that the verbs start from."""
    bench.run("build", *SIZES, "--out", "run")
    for number in "12":
        bench.run("build", *SIZES, "--shard", f"{number}/2", "--out", f"part-{number}")
    bench.copy("run", "tried")
    bench.run("repair", "tried", *SOLVERS)
    bench.copy("tried", "sifted")
    bench.run("sift", "sifted", "--too-easy-above", "0.3")
    gold = [json.loads(line) for line in open(bench.root / "run/judge/gold.jsonl")]
    answers = [{"instance_id": line["instance_id"], "predict_sql": line["reference_sql"]} for line in gold]
    write_lines(bench.root / "answers.jsonl", answers)
    for number in "12":
        bench.run("train", "--pairs", "8", "--pairs-per-script", "4", "--shard", f"{number}/2", "--out", f"pairs-{number}")
    judge(bench)


def judge(bench):
    """Three people judge a run."""
    bench.copy("run", "reviewed")
    filled = []
    for name in ["ann", "bob", "eve"]:
        bench.run("review", "reviewed", "--annotator", name, "--export", "sheet.jsonl")
        lines = [json.loads(line) for line in open(bench.root / "sheet.jsonl")]
        filled += [{**line, "verdict": "fair", "at": "2026-01-01T00:00:00.000Z"} for line in lines]
    write_lines(bench.root / "filled.jsonl", filled)
    bench.run("review", "reviewed", "--import", "filled.jsonl")


def write_lines(path, records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records))


def undisturbed(bench, verb):
    verb.before(bench)
    duration = bench.run(*verb.arguments, allowed=verb.allowed)
    whole, out = bench.root / f"whole of {verb.name}", bench.root / verb.out
    shutil.rmtree(whole, ignore_errors=True)
    if whole.is_file():
        whole.unlink()
    shutil.copytree(out, whole) if out.is_dir() else shutil.copy(out, whole)
    return whole, duration


def kill_verb(bench, verb, wanted):
    """Kills a verb so many times while it is under way, and goes on with it each time."""
    whole, duration = undisturbed(bench, verb)
    kills = attempts = 0
    started = time.monotonic()
    while kills < wanted and attempts < 6 * wanted + 20:
        attempts += 1
        verb.before(bench)
        moment = duration * bench.random.random()
        if bench.killed(moment, *verb.arguments):
            kills += 1
            if not verb.is_done(bench):
                bench.run(*verb.resume, allowed=verb.allowed)
        else:
            # It was over already: this machine has become faster since the measurement.
            duration *= 0.97
        compare(whole, bench.root / verb.out, f"{verb.name} killed after {moment:.3f} s")
    if kills < wanted:
        raise Wrong(f"{verb.name}: only {kills} of {attempts} were still under way when they were killed")
    return {"verb": verb.name, "kills": kills, "seconds": round(time.monotonic() - started, 1)}


def kills(bench, wanted, only):
    prepare(bench)
    told = []
    for verb in verbs():
        if not only or verb.name in only:
            told.append(kill_verb(bench, verb, wanted))
            print(json.dumps(told[-1]), flush=True)
    left = bench.processes()
    if left:
        raise Wrong(f"processes are left: {left}")
    temporary = sorted(entry.name for entry in bench.temporary.iterdir())
    if temporary:
        raise Wrong(f"temporary files are left: {', '.join(temporary[:10])}")
    return {"kills": told}


# Soak


def watched(process):
    """Memory, open files, threads and children of a process, its children's memory among it."""
    task = Path(f"/proc/{process}")
    status = dict(line.split(":", 1) for line in (task / "status").read_text().splitlines())
    children = [int(child) for tid in (task / "task").iterdir() for child in (tid / "children").read_text().split()]
    return {
        "kilobytes": int(status["VmRSS"].split()[0]),
        "files": len(list((task / "fd").iterdir())),
        "threads": int(status["Threads"]),
        "children": len(children),
        "kilobytes of children": sum(resident(child) for child in children),
    }


def resident(process):
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("VmRSS:")), 0)


class Lines:
    """A process that answers lines on its standard input with lines on its standard output."""

    def __init__(self, bench, *arguments):
        self.name = " ".join(arguments[:1])
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self.child = bench.start(arguments, bufsize=0, **pipes)
        self.reader = self.child.stdout

    def ask(self, line):
        # A long line fills the pipe before the process has read it.
        writer = threading.Thread(target=self.child.stdin.write, args=(line.encode() + b"\n",))
        writer.start()
        answer = b""
        while not answer.endswith(b"\n"):
            part = os.read(self.reader.fileno(), 1 << 20)
            if not part:
                raise Wrong(f"{self.name} ended with {self.child.wait()}")
            answer += part
        writer.join()
        return json.loads(answer)

    def stop(self):
        self.child.stdin.close()
        if self.child.wait(timeout=60) != 0:
            raise Wrong(f"{self.name} ended with {self.child.returncode}")


class Review:
    """The review page, asked as its own script asks it."""

    name = "review"

    def __init__(self, bench, run):
        self.child = bench.start(["review", run, "--annotator", "ann"], stdout=subprocess.PIPE)
        told = b""
        while b"http://" not in told or not told.split(b"http://")[1].count(b"\n"):
            part = os.read(self.child.stdout.fileno(), 1 << 16)
            if not part:
                raise Wrong("review ended before it served")
            told += part
        self.address = "http://" + told.split(b"http://")[1].split()[0].decode()

    def look(self):
        with urllib.request.urlopen(self.address, timeout=60) as answer:
            return len(answer.read())

    def stop(self):
        self.child.send_signal(signal.SIGINT)
        self.child.wait(timeout=60)


def killed_then(bench, moment, arguments, resume=None, allowed=(0,)):
    bench.killed(bench.random.random() * moment, *arguments)
    return bench.run(*(resume or arguments), allowed=allowed)


def cycle(bench, durations):
    """One round; `durations` has what the steps took in the round before."""
    def step(name, arguments, resume=None, allowed=(0,)):
        usual = durations.get(name, 0.2)
        killed_then(bench, usual, arguments, resume, allowed)
        # What it takes when it is not disturbed is known from runs that were killed early.
        durations[name] = max(usual * 0.9, min(usual * 1.5, 5))

    bench.remove("round", "merged", "round-1", "round-2")
    build = ["build", *SIZES, "--out", "round"]
    step("build", build, [*build, "--resume"])
    compare(bench.root / "run", bench.root / "round", "a build")
    for number in "12":
        shard = ["build", *SIZES, "--shard", f"{number}/2", "--out", f"round-{number}"]
        step(f"shard {number}", shard, [*shard, "--resume"])
    merge = ["merge", "round-1", "round-2", "--out", "merged"]
    step("merge", merge, [*merge, "--resume"])
    compare(bench.root / "run", bench.root / "merged", "a merge")
    step("repair", ["repair", "round", *SOLVERS])
    step("sift", ["sift", "round", "--too-easy-above", "0.3"])
    compare(bench.root / "sifted", bench.root / "round", "repair and sift")
    step("refill", ["build", "--refill", "round", "--source", "scripts"], allowed=(0, 1))
    step("check", ["check", "round"])


def serve(bench, servers, scoring, working):
    """Asks the processes that serve all the time."""
    tasks = [json.loads(line) for line in open(bench.root / "answers.jsonl")]
    for hostile in bench.random.sample(hostile_answers(), 3):
        score = scoring.ask(json.dumps({"instance_id": tasks[0]["instance_id"], "predict_sql": hostile}))
        if score.get("accepted") is not False:
            raise Wrong(f"a hostile answer is accepted: {hostile[:80]}: {score}")
    # Last, so that the children that hostile answers ended are there again when everything is measured.
    for answer in tasks:
        score = scoring.ask(json.dumps(answer))
        if score.get("accepted") is not True:
            raise Wrong(f"a right answer is not accepted: {score}")
    items = (bench.root / "plan/items.jsonl").read_text().splitlines()
    if "script" not in working.ask(bench.random.choice(items)):
        raise Wrong("the worker gave no record")
    servers[-1].look()


def grown(values, spare=0):
    """Whether the last quarter of some values is more than the second."""
    if len(values) < 8:
        return False
    quarter = len(values) // 4
    before, after = statistics.median(values[quarter : 2 * quarter]), statistics.median(values[-quarter:])
    return after > before * MOST_GROWTH and after > before + spare


def soak(bench, seconds):
    prepare(bench)
    bench.run("build", *SIZES, "--plan-only", "--out", "plan")
    # The page holds its run and writes into it.
    bench.copy("run", "reviewed")
    bench.peaks.clear()
    scoring, working = Lines(bench, "score", "run", "--stdin", "--time-limit", "2"), Lines(bench, "worker")
    servers = [scoring, working, Review(bench, "reviewed")]
    durations, rounds, started = {}, [], time.monotonic()
    while time.monotonic() - started < seconds or not rounds:
        cycle(bench, durations)
        serve(bench, servers, scoring, working)
        own = {server.child.pid for server in servers}
        state = {server.name: watched(server.child.pid) for server in servers}
        known = own | {int(child) for pid in own for tid in Path(f"/proc/{pid}/task").iterdir()
                       for child in (tid / "children").read_text().split()}
        left = bench.processes() - known
        if left:
            raise Wrong(f"processes are left after round {len(rounds)}: {left}")
        state["temporary files"] = len(list(bench.temporary.rglob("*")))
        rounds.append(state)
        print(json.dumps({"round": len(rounds), "seconds": round(time.monotonic() - started), **state}), flush=True)
    for server in servers:
        server.stop()
    return verdict(rounds, bench.peaks, time.monotonic() - started)


def verdict(rounds, peaks, seconds):
    """What was measured, and what of it grew."""
    told, growing = {}, []
    for name in [name for name in rounds[0] if name != "temporary files"]:
        for measure in rounds[0][name]:
            values = [state[name][measure] for state in rounds]
            told[f"{name}: {measure}"] = [min(values), int(statistics.median(values)), max(values)]
            spare = SPARE_KILOBYTES if measure.startswith("kilobytes") else 0
            # A child that was ended at its limit is started anew by the next answer: its memory says nothing.
            if measure != "kilobytes of children" and grown(values, spare):
                growing.append(f"{name}: {measure}")
    for verb, values in peaks.items():
        told[f"{verb}: most kilobytes"] = [min(values), int(statistics.median(values)), max(values)]
        if grown(values, SPARE_KILOBYTES):
            growing.append(f"{verb}: most kilobytes")
    files = [state["temporary files"] for state in rounds]
    told["temporary files"] = [min(files), int(statistics.median(files)), max(files)]
    if files[-1] > files[0]:
        growing.append("temporary files")
    if growing:
        raise Wrong(f"these grew: {', '.join(growing)}: {json.dumps(told)}")
    return {"rounds": len(rounds), "seconds": round(seconds), "least, middle and most": told}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("mode", choices=["soak", "kills"])
    parser.add_argument("--program", default="target/release/sqlfault")
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--only", default="", help="verbs of `kills`, with commas between them")
    parser.add_argument("--seed", type=int, default=19)
    options = parser.parse_args()
    bench = Bench(options.program, options.seed)
    try:
        if options.mode == "soak":
            told = soak(bench, options.seconds)
        else:
            told = kills(bench, options.kills, [name for name in options.only.split(",") if name])
    except Wrong as wrong:
        print(json.dumps({"wrong": str(wrong)}))
        return 1
    finally:
        for process in bench.processes():
            os.kill(process, signal.SIGKILL)
        bench.close()
    print(json.dumps(told))
    return 0


if __name__ == "__main__":
    sys.exit(main())
