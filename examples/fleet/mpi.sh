#!/bin/sh
# mpirun -n N mpi.sh LIST OUT: process i of N sketches every N-th export named in LIST. Then, once: merge_all.sh OUT.
# Open MPI, MPICH and srun number their processes by different variables. No process waits for another, so one that dies
# takes only its own exports with it (mpirun may end the others: --mca orte_abort_on_non_zero_status 0).
set -u
rank=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-${SLURM_PROCID:-0}}}
size=${OMPI_COMM_WORLD_SIZE:-${PMI_SIZE:-${SLURM_NTASKS:-1}}}
mkdir -p "$2"
awk -v rank="$rank" -v size="$size" '(NR - 1) % size == rank' "$1" | while read -r export; do
    sh "$(dirname "$0")/sketch_one.sh" "$export" "$2"
done
exit 0
