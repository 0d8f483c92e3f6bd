"""dask_job.py LIST OUT [SCHEDULER]: sketches the exports named in LIST by the workers of a Dask cluster, as nsys recipe does.

SCHEDULER is an address (tcp://host:8786); without it, WORKERS processes of this machine. The sketches come back over the
network, so that the workers write nothing; each must see its exports and have nsyscope.
"""
import os
import subprocess
import sys

from dask.distributed import Client, LocalCluster, as_completed

PROGRAM = os.environ.get("NSYSCOPE", "nsyscope")


def sketch(path):
    done = subprocess.run([PROGRAM, "sketch", path], capture_output=True, check=False)
    return path, done.returncode, done.stdout, done.stderr.decode(errors="replace")


def main(listed, out, scheduler=None):
    with open(listed, encoding="utf-8") as lines:
        paths = [line.rstrip("\n") for line in lines if line.strip()]
    cluster = None if scheduler else LocalCluster(n_workers=int(os.environ.get("WORKERS", "2")), threads_per_worker=1,
                                                  dashboard_address=None)
    os.makedirs(out, exist_ok=True)
    with Client(scheduler or cluster) as client:
        # retries: a worker that dies gives its exports to another one
        futures = client.map(sketch, paths, retries=2, pure=False)
        for future in as_completed(futures):
            try: # a sketch that died with its worker is made again meanwhile
                path, status, text, why = future.result()
            except Exception as error:
                print(f"failed: {error}", file=sys.stderr)
                continue
            if status:
                print(f"failed: {path}: {why.strip()}", file=sys.stderr)
                continue
            name = os.path.splitext(os.path.basename(path))[0]
            with open(os.path.join(out, name + ".nsk.json"), "wb") as file:
                file.write(text)
    if cluster:
        cluster.close()
    here = os.path.dirname(os.path.abspath(__file__))
    return subprocess.run(["sh", os.path.join(here, "merge_all.sh"), out], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
