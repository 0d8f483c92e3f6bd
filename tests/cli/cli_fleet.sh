#!/bin/sh
# The scripts of examples/fleet on the engine $NSC_ENGINE, with several workers on this machine: the merged file is that of a
# merge by hand, also when a rank fails, a worker dies, on a rerun, and when a rank is there twice.
. "$(dirname "$0")/lib.sh"
fleet=$(cd "$(dirname "$0")/../../examples/fleet" && pwd)
NSYSCOPE=$program
export NSYSCOPE

skip() {
    echo "$* is missing: NOT TESTED"
    exit 77
}

rm -rf ranks sketches* expected* hosts list
mkdir ranks expected
for rank in 0 1 2 3 4 5; do
    expect 0 "$program" generate --kernels 1000 --devices 1 --seed $rank "$PWD/ranks/rank$rank.sqlite"
done
echo broken >ranks/rank6.sqlite
for rank in 0 1 2 3 4 5 6; do
    echo "$PWD/ranks/rank$rank.sqlite"
done >list
for rank in 0 1 2 3 4 5; do
    expect 0 "$program" sketch "$PWD/ranks/rank$rank.sqlite" -o expected/rank$rank.nsk.json
done
expect 0 "$program" merge expected -o expected.nsk.json
rm -rf others && cp -r expected others && rm others/rank3.nsk.json
expect 0 "$program" merge others -o others.nsk.json
# The program, whose first sketch of rank 3 ends with the process that runs it, as on a node that dies.
cat >dies <<DIES
#!/bin/sh
case "\$*" in
sketch*rank3*) [ -e "$PWD/died" ] || { : >"$PWD/died"; kill -9 \$PPID; exit 1; } ;;
esac
exec "$program" "\$@"
DIES
chmod +x dies

# check COMMAND...: runs an engine's script, which writes to sketches; a second run changes nothing.
check() {
    rm -rf sketches sketches.*
    for run in first second; do
        timeout 300 "$@" >out 2>err </dev/null || fail "$run run: status $?: $*: $(tail -3 err)"
        cmp -s expected.nsk.json sketches.nsk.json || fail "$run run: not the bytes of a merge by hand: $*"
        [ "$run" = second ] || cp expected/rank2.nsk.json sketches/again.nsk.json # a rank twice
    done
    rm -rf sketches sketches.* died
    NSYSCOPE=$PWD/dies timeout 300 "$@" >out 2>err </dev/null # its status is the engine's
    [ -e died ] || fail "nothing died: $*"
    cmp -s expected.nsk.json sketches.nsk.json || cmp -s others.nsk.json sketches.nsk.json || fail "not the bytes of the others: $*"
    timeout 300 "$@" >out 2>err </dev/null || fail "after the death: status $?: $*: $(tail -3 err)"
    cmp -s expected.nsk.json sketches.nsk.json || fail "what died is not made again: $*"
}

case $NSC_ENGINE in
parallel)
    command -v parallel >/dev/null || skip "GNU parallel"
    [ -x /usr/sbin/sshd ] && command -v ssh >/dev/null || skip "an ssh server"
    command -v ssh-keygen >/dev/null || skip ssh-keygen
    rm -rf ssh && mkdir -m 700 ssh
    ssh-keygen -q -t ed25519 -N '' -f ssh/key && ssh-keygen -q -t ed25519 -N '' -f ssh/host || skip "a key"
    mkdir -p /run/sshd 2>/dev/null
    port=$((20000 + $$ % 20000))
    /usr/sbin/sshd -D -p $port -h "$PWD/ssh/host" -o AuthorizedKeysFile="$PWD/ssh/key.pub" -o StrictModes=no \
        -o PidFile=none -o ListenAddress=127.0.0.1 2>ssh/log &
    server=$!
    trap 'kill $server' EXIT
    sleep 1
    login="ssh -p $port -i $PWD/ssh/key -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR"
    $login 127.0.0.1 true 2>>ssh/log || skip "a login by ssh to this machine ($(tail -1 ssh/log))"
    printf '%s\n' "2/$login 127.0.0.1" "1/:" >hosts
    check sh "$fleet/parallel.sh" hosts list sketches
    grep -q 'some exports failed' err || fail "does not name the failed rank"
    ;;
mpi)
    command -v mpirun >/dev/null || skip mpirun
    cat >run <<RUN
mpirun --allow-run-as-root --oversubscribe -n 3 sh "$fleet/mpi.sh" list sketches && sh "$fleet/merge_all.sh" sketches
RUN
    check sh run
    grep -q 'failed: .*rank6' err || fail "does not name the failed rank"
    ;;
dask)
    python=python3
    $python -c 'import distributed' 2>/dev/null || python=/usr/bin/python3 # that of the system's packages
    $python -c 'import distributed' 2>/dev/null || skip "dask.distributed"
    check $python "$fleet/dask_job.py" list sketches
    grep -q 'failed: .*rank6' err || fail "does not name the failed rank"
    ;;
slurm)
    command -v slurmctld >/dev/null && command -v slurmd >/dev/null || skip "Slurm"
    [ "$(id -u)" = 0 ] || skip "the right to start Slurm"
    # One node that is this machine, without munge. Two tasks share it.
    rm -rf slurm && mkdir -p slurm/state slurm/spool
    host=$(hostname -s)
    control=$((20000 + $$ % 20000))
    cat >slurm/slurm.conf <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$control
SlurmdPort=$((control + 1))
AuthType=auth/munge
AuthInfo=socket=$PWD/slurm/munge
CryptoType=crypto/munge
SlurmUser=root
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
StateSaveLocation=$PWD/slurm/state
SlurmdSpoolDir=$PWD/slurm/spool
SlurmctldPidFile=$PWD/slurm/slurmctld.pid
SlurmdPidFile=$PWD/slurm/slurmd.pid
SlurmctldLogFile=$PWD/slurm/slurmctld.log
SlurmdLogFile=$PWD/slurm/slurmd.log
MpiDefault=none
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=10 State=UP OverSubscribe=FORCE:4
CONF
    export SLURM_CONF="$PWD/slurm/slurm.conf"
    dd if=/dev/urandom of=slurm/key bs=128 count=1 2>/dev/null && chmod 600 slurm/key
    command -v munged >/dev/null || skip munged
    munged --foreground --force --key-file="$PWD/slurm/key" --socket="$PWD/slurm/munge" --pid-file="$PWD/slurm/munged.pid" \
        --log-file="$PWD/slurm/munged.log" --seed-file="$PWD/slurm/seed" 2>slurm/munged.err &
    pids=$!
    trap 'kill $pids' EXIT
    sleep 1
    slurmctld -D 2>slurm/ctld.err &
    pids="$pids $!"
    sleep 1
    slurmd -D 2>slurm/slurmd.err &
    pids="$pids $!"
    tries=0
    until sinfo -h -t idle 2>/dev/null | grep -q idle; do
        tries=$((tries + 1))
        [ $tries -lt 40 ] || skip "a Slurm that starts here ($(tail -1 slurm/slurmd.err) $(tail -1 slurm/ctld.err))"
        sleep 1
    done
    HERE=$fleet
    export HERE
    check sbatch --wait --quiet --ntasks-per-node=2 --oversubscribe --output=sketches.log "$fleet/slurm.sh" "$PWD/ranks" "$PWD/sketches"
    grep -q 'failed: .*rank6' sketches.log || fail "does not name the failed rank"
    cat >run <<RUN
merge=\$(sh "$fleet/slurm_array.sh" list sketches) && while squeue -h -j "\$merge" 2>/dev/null | grep -q .; do sleep 1; done
RUN
    check sh run
    ;;
syntax)
    for script in "$fleet"/*.sh; do
        sh -n "$script" || fail "$script"
    done
    for script in "$fleet"/*.py; do
        python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' "$script" || fail "$script"
    done
    if python3 -c 'import yaml' 2>/dev/null; then
        python3 -c 'import sys, yaml; job = yaml.safe_load(open(sys.argv[1])); assert job["spec"]["completionMode"] == "Indexed"' \
            "$fleet/kubernetes.yaml" || fail "kubernetes.yaml"
    fi
    for script in "$fleet"/*.sh "$fleet"/*.py "$fleet"/*.yaml; do
        [ "$(wc -l <"$script")" -le 60 ] || fail "$script has more than 60 lines"
    done
    ;;
esac
finish
