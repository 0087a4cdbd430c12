"""Make training pairs on a Spark cluster.

    spark-submit --master spark://HOST:7077 python/sqlfault_train_cluster.py OUT SHARDS [--program PROGRAM] [ARGUMENT ...]
    sqlfault train --join OUT/* --out PAIRS

Each shard is one `sqlfault train --shard K/SHARDS --jobs 1 --out OUT/K` with the further ARGUMENTs, such as --pairs 100000,
which is the number of pairs of a shard. OUT is a folder that all nodes share; PROGRAM is where every node has this program
[sqlfault]. A shard whose process or executor dies goes on elsewhere where it was cut off, and so does the same command
started again.
"""

import argparse
import ctypes
import os
import signal
import subprocess
import sys

from pyspark import SparkContext

#: What Linux sends to a process when its parent is gone (prctl).
PARENT_DEATH_SIGNAL = 1


def end_with_parent():
    """No shard goes on without its executor: another one may already be writing in its place."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PARENT_DEATH_SIGNAL, signal.SIGKILL)


def make(number, shards, out, program, arguments):
    """Makes a shard, or what is missing of it. Raises RuntimeError with the program's own words where it fails."""
    shard = ["--shard", "%d/%d" % (number, shards), "--resume", "--jobs", "1", "--out", os.path.join(out, str(number))]
    done = subprocess.run([program, "train", *shard, *arguments], capture_output=True, text=True, preexec_fn=end_with_parent)
    if done.returncode != 0:
        raise RuntimeError("shard %d ended with %d: %s" % (number, done.returncode, done.stderr[-2000:]))
    return done.stdout.splitlines()[0]


def main(out, shards, program, arguments):
    context = SparkContext(appName="sqlfault train")
    numbers = context.parallelize(range(1, shards + 1), shards)
    for said in numbers.map(lambda number: make(number, shards, os.path.abspath(out), program, arguments)).collect():
        print(said)
    context.stop()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", metavar="OUT")
    parser.add_argument("shards", metavar="SHARDS", type=int)
    parser.add_argument("--program", metavar="PROGRAM", default="sqlfault")
    options, further = parser.parse_known_args()
    main(options.out, options.shards, options.program, further)
