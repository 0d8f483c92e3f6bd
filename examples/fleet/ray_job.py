"""ray_job.py LIST OUT: sketches the exports named in LIST by the nodes of a Ray cluster (RAY_ADDRESS), then merges them.

Written without a Ray at hand: only its syntax was checked.
"""
import os
import subprocess
import sys

import ray

PROGRAM = os.environ.get("NSYSCOPE", "nsyscope")


@ray.remote(num_cpus=1, max_retries=2)
def sketch(path):
    done = subprocess.run([PROGRAM, "sketch", path], capture_output=True, check=False)
    return path, done.returncode, done.stdout, done.stderr.decode(errors="replace")


def main(listed, out):
    ray.init(address=os.environ.get("RAY_ADDRESS"))
    with open(listed, encoding="utf-8") as lines:
        pending = [sketch.remote(line.rstrip("\n")) for line in lines if line.strip()]
    os.makedirs(out, exist_ok=True)
    while pending:
        done, pending = ray.wait(pending)
        try:
            path, status, text, why = ray.get(done[0])
        except ray.exceptions.RayError as error:  # its node died too often
            print(f"failed: {error}", file=sys.stderr)
            continue
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
