#!/bin/sh
# A save of bookmarks that is killed before any system call, or meets an error in one, leaves the whole old file or the whole
# new one, and reports "saved" only if the new one is there. Skipped without strace.
# promises: D1 D3 D18 E20
. "$(dirname "$0")/lib.sh"

rm -rf work && mkdir work && cd work || exit 1
# Saves wait for the disk, and this script makes thousands: a folder in memory, if there is one, makes them fast.
memory=$(mktemp -d /dev/shm/nsyscope-faults-XXXXXX 2>/dev/null || mktemp -d "$PWD/faults-XXXXXX") && cd "$memory" || exit 1
trap 'rm -rf "$memory"' EXIT
export XDG_STATE_HOME="$PWD/state"
strace -f -o trace true 2>err || { echo "strace is missing or may not trace: skipped"; exit 77; }
expect 0 "$program" generate --kernels 100 a.sqlite
for i in 1 2 3; do expect 0 "$program" bookmarks a.sqlite add --at ${i}s --name "old-$i"; done
file=$(ls -d state/nsyscope/*.json)
cp "$file" old.json

save() { # CALL FAULT
    strace -f --seccomp-bpf -o /dev/null -e "trace=$1" -e "inject=$1:$2" "$program" bookmarks a.sqlite add --at 9s --name new >out 2>err </dev/null
}

# restart FILE: starts again with this file of bookmarks, whole or cut in its last line.
restart() {
    rm -f state/nsyscope/*
    cp "$1" "$file"
}

# look START WHAT: checks the file and the messages after a save with a fault.
look() {
    saved=$got
    [ "$saved" -lt 128 ] && [ "$saved" != 0 ] && [ ! -s err ] && fail "$2: status $saved, but nothing is said"
    ls state/nsyscope/*.tmp >/dev/null 2>&1 && [ "$saved" -lt 128 ] && ! echo "$2" | grep -q unlink && fail "$2: a temporary file is left"
    if cmp -s "$1" "$file"; then
        [ "$saved" = 0 ] && fail "$2: says saved, is not"
        return
    fi
    expect 0 "$program" bookmarks a.sqlite list
    [ ! -s err ] || fail "$2: damaged: $(cat err)"
    [ "$(grep -c old- out) $(grep -c new out)" = "$(cat kept) 1" ] || fail "$2: lost some"
    [ "$1" = old.json ] || cat "$file".bad-* | cmp -s "$1" - || fail "$2: the damaged file is not kept"
}

# Repeats a save once for each system call that it makes, with the fault in that call.
try_all() { # START FAULT
    restart "$1"
    "$program" bookmarks a.sqlite list 2>/dev/null | grep -c old- >kept
    strace -f -o trace "$program" bookmarks a.sqlite add --at 9s --name new >/dev/null 2>&1
    awk '{ sub(/^[0-9]+ +/, "") } match($0, /^[a-z0-9_]+\(/) { name = substr($0, 1, RLENGTH - 1); n[name]++
           if (/state\/nsyscope/) seen = 1
           if (seen && name !~ /^(exit_group|mmap|munmap|brk|mprotect|getpid)$/) print name, n[name] }' trace >calls
    [ "$(wc -l <calls)" -gt 15 ] || fail "only $(wc -l <calls) calls were seen in a save"
    while read -r name n; do
        restart "$1"
        save "$name" "$2:when=$n"
        got=$?
        look "$1" "$2 in $name $n"
    done <calls
}

head -c $(($(wc -c <old.json) - 60)) old.json >cut.json
# Tries the faults in parallel, each in its own folder.
for fault in signal=KILL error=EIO error=ENOSPC error=EINTR; do
    mkdir "$fault"
    (
        cp a.sqlite old.json cut.json "$fault" && cd "$fault" || exit 1
        export XDG_STATE_HOME="$PWD/state"
        mkdir -p state/nsyscope
        try_all old.json $fault
        try_all cut.json $fault
        exit "$failures"
    ) >"$fault.log" 2>&1 &
    echo "$! $fault" >>running
done
while read -r child fault; do
    wait "$child" || fail "$fault: $(cat "$fault.log")"
done <running
cd / || exit 1
finish
