"""Do the work items of a plan on a Spark cluster.

    sqlfault build --plan-only --out PLAN --seed 7 ...
    spark-submit --master spark://HOST:7077 python/sqlfault_cluster.py PLAN [PROGRAM [SLICES]] [--seconds SECONDS]
    sqlfault merge PLAN --out RUN

PLAN is a folder that all nodes share (or an hdfs: or s3a: address, copied back before the merge); PROGRAM is where every
node has this program [sqlfault]. The items are dealt into SLICES parts [four a core]. Each part runs through one
`sqlfault worker`; a part whose executor dies is done again elsewhere. An item that takes longer than SECONDS
[3600] is given up, and so is one at which two workers die: another worker does the rest of the part. The log of the
executor says which it was.

Each start keeps its records in a folder of its own, PLAN/records/0, 1, ..., each part as soon as it is done. Whatever ends
it, the same command again does the items that have no record. Items without one are told at the end, with exit code 1.
"""

import argparse
import json
import os
import select
import subprocess
import sys
import time

from pyspark import SparkConf, SparkContext


def number(line):
    """Which item of the plan an item or a record is."""
    entry = json.loads(line)
    return entry.get("outcome", entry).get("planned", entry)["number"]


def answered(worker, item, seconds):
    """The worker's record of an item; None if it takes too long. A worker that dies gives no whole line."""
    deadline = time.monotonic() + seconds
    question, answer = item.encode() + b"\n", bytearray()
    while not answer.endswith(b"\n"):
        writing = [worker.stdin] if question else []
        ready = select.select([worker.stdout], writing, [], max(0, deadline - time.monotonic()))
        if not any(ready):
            return None
        if ready[1]:
            try:
                question = question[os.write(worker.stdin.fileno(), question[: select.PIPE_BUF]) :]
            except BrokenPipeError:
                break
        if ready[0]:
            said = os.read(worker.stdout.fileno(), 1 << 16)
            if not said:
                break
            answer += said
    return bytes(answer)


def end(worker):
    """Ends a worker, stopped ones too. What it has started ends with its pipes."""
    worker.kill()
    worker.stdin.close()
    worker.stdout.close()
    return worker.wait()


def records(items, program, seconds):
    """The records of a part; none of an item that takes too long or at which two workers die."""
    worker = None
    try:
        for item in items:
            for _ in range(2):
                worker = worker or subprocess.Popen([program, "worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
                record = answered(worker, item, seconds)
                if record and record.endswith(b"\n"):
                    yield record[:-1].decode()
                    break
                code = end(worker)
                worker = None
                why = "takes longer than %g seconds" % seconds if record is None else "its worker ended with %d" % code
                print("sqlfault item %d: %s" % (number(item), why), file=sys.stderr)
                if record is None:
                    break
    finally:
        if worker:
            end(worker)


def found(context, pattern):
    """How many files or folders have such a name, wherever the plan is."""
    path = context._jvm.org.apache.hadoop.fs.Path(pattern)
    return len(path.getFileSystem(context._jsc.hadoopConfiguration()).globStatus(path) or [])


def without_record(context, plan):
    """The numbers of the items that no start has done."""
    kept = plan + "/records/*/part-*"
    done = context.textFile(kept).map(number).collect() if found(context, kept) else []
    return sorted(set(context.textFile(plan + "/items.jsonl").map(number).collect()) - set(done))


def main(plan, program, slices, seconds):
    # A part that is done is in its place at once, whatever becomes of the others.
    settings = SparkConf().set("spark.hadoop.mapreduce.fileoutputcommitter.algorithm.version", "2")
    context = SparkContext(appName="sqlfault", conf=settings)
    left = without_record(context, plan)
    if left:
        place = {item: at for at, item in enumerate(left)}
        items = context.textFile(plan + "/items.jsonl").keyBy(number).filter(lambda keyed: keyed[0] in place)
        # Dealt one by one: a repartition would deal tens.
        parts = items.partitionBy(slices or 4 * context.defaultParallelism, lambda item: place[item]).values()
        out = "%s/records/%d" % (plan, found(context, plan + "/records/*"))
        parts.mapPartitions(lambda part: records(part, program, seconds)).saveAsTextFile(out)
        left = without_record(context, plan)
    context.stop()
    if left:
        named = ", ".join(map(str, left[:20])) + (", ..." if left[20:] else "")
        why = "their workers took longer than %g seconds or died twice" % seconds
        print("no record of the items %s: %s" % (named, why), file=sys.stderr)
        print("the same command tries them again, and so does merge", file=sys.stderr)
    return 1 if left else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plan", metavar="PLAN")
    parser.add_argument("program", metavar="PROGRAM", nargs="?", default="sqlfault")
    parser.add_argument("slices", metavar="SLICES", nargs="?", type=int)
    parser.add_argument("--seconds", metavar="SECONDS", type=float, default=3600)
    sys.exit(main(**vars(parser.parse_args())))
