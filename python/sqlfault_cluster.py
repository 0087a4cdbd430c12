"""Do the work items of a plan on a Spark cluster.

    sqlfault build --plan-only --out PLAN --seed 7 ...
    spark-submit --master spark://HOST:7077 python/sqlfault_cluster.py PLAN [PROGRAM [SLICES]]
    sqlfault merge PLAN --out RUN

PLAN is a folder that all nodes share (or an hdfs: or s3a: address, copied back before the merge); PROGRAM is where every
node has this program [sqlfault]. The items are dealt into SLICES parts [four a core]. Each part runs through one
`sqlfault worker`; a part whose worker or executor dies is done again elsewhere, and its records are written once.
"""

import shlex
import sys

from pyspark import SparkContext


def main(plan, program="sqlfault", slices=None):
    context = SparkContext(appName="sqlfault")
    items = context.textFile(plan + "/items.jsonl")
    records = items.repartition(int(slices or 4 * context.defaultParallelism)).pipe(
        shlex.quote(program) + " worker", checkCode=True
    )
    records.saveAsTextFile(plan + "/records")
    context.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
