#!/bin/sh
# slurm_array.sh LIST OUT: submits an array job, a task for each export named in the file LIST, and a merge that runs when
# all have ended, whether they failed or not. Prints the number of the merge. Run it again for what failed.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$2"
list=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
out=$(cd "$2" && pwd)
array=$(sbatch --parsable --job-name=sketch --array="1-$(wc -l <"$list")%${AT_ONCE:-64}" --output="$out.%a.log" \
    --wrap="sh '$here/sketch_one.sh' \"\$(sed -n \"\${SLURM_ARRAY_TASK_ID}p\" '$list')\" '$out'")
sbatch --parsable --job-name=merge --dependency="afterany:$array" --output="$out.txt" \
    --wrap="sh '$here/merge_all.sh' '$out'"
