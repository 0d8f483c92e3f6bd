"""spark-submit spark_job.py LIST OUT: sketches the exports named in LIST by the executors of a Spark cluster, then merges them.

Written without a Spark at hand: only its syntax was checked.
"""
import os
import subprocess
import sys

from pyspark.sql import SparkSession

PROGRAM = os.environ.get("NSYSCOPE", "nsyscope")


def sketch(path):
    done = subprocess.run([PROGRAM, "sketch", path], capture_output=True, check=False)
    return path, done.returncode, done.stdout, done.stderr.decode(errors="replace")


def main(listed, out):
    with open(listed, encoding="utf-8") as lines:
        paths = [line.rstrip("\n") for line in lines if line.strip()]
    context = SparkSession.builder.appName("sketch").getOrCreate().sparkContext
    os.makedirs(out, exist_ok=True)
    # a slice for each export; toLocalIterator keeps one slice at a time in the driver
    for path, status, text, why in context.parallelize(paths, max(len(paths), 1)).map(sketch).toLocalIterator():
        if status:
            print(f"failed: {path}: {why.strip()}", file=sys.stderr)
            continue
        name = os.path.splitext(os.path.basename(path))[0]
        with open(os.path.join(out, name + ".nsk.json"), "wb") as file:
            file.write(text)
    here = os.path.dirname(os.path.abspath(__file__))
    return subprocess.run(["sh", os.path.join(here, "merge_all.sh"), out], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
