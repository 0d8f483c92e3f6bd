#!/bin/sh
#SBATCH --job-name=sketch
#SBATCH --ntasks-per-node=1
# sbatch --nodes=N slurm.sh EXPORTS OUT: one task a node sketches the exports in the folder EXPORTS, then all are merged.
#
# EXPORTS is shared here, and each task takes its part. If each node has its own (/scratch/...), set LOCAL=1.
# OUT is shared. HERE is the folder of these scripts; sbatch runs a copy of this file elsewhere.
set -u
HERE=${HERE:-$SLURM_SUBMIT_DIR}
export HERE LOCAL="${LOCAL:-}"
mkdir -p "$2"
# --no-kill: a node that dies takes only its own exports with it.
srun --no-kill --wait=0 sh -c '
    i=0
    for export in "$1"/*.sqlite "$1"/*.nsys-rep; do
        [ -e "$export" ] || continue
        i=$((i + 1))
        [ -n "$LOCAL" ] || [ $((i % SLURM_NTASKS)) = "$SLURM_PROCID" ] || continue
        sh "$HERE/sketch_one.sh" "$export" "$2"
    done' task "$1" "$2" || echo "some exports failed" >&2
sh "$HERE/merge_all.sh" "$2"
