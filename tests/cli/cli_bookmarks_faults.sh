#!/bin/sh
# A save that is killed before any system call, or meets any error in one, leaves the whole old file or the whole new one, and says "saved" of no other; skipped where strace is absent.
. "$(dirname "$0")/lib.sh"

rm -rf work && mkdir work && cd work || exit 1
export XDG_STATE_HOME="$PWD/state"
strace -f -o trace true 2>err || { echo "strace is missing or may not trace: skipped"; exit 77; }
expect 0 "$program" generate --kernels 100 a.sqlite
for i in 1 2 3; do expect 0 "$program" bookmarks a.sqlite add --at ${i}s --name "old-$i"; done
file=$(ls -d state/nsyscope/*.json)
cp "$file" old.json

save() { # OPTIONS OF strace...
    strace -f -o /dev/null "$@" "$program" bookmarks a.sqlite add --at 9s --name new >out 2>err </dev/null
}

# Puts the start back: a whole file, or one that is cut in its last line.
restart() {
    rm -f state/nsyscope/*
    cp "$1" "$file"
}

# look START WHAT: after a save with a fault.
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

try_all() { # START
    restart "$1"
    "$program" bookmarks a.sqlite list 2>/dev/null | grep -c old- >kept
    strace -f -o trace "$program" bookmarks a.sqlite add --at 9s --name new >/dev/null 2>&1
    awk '{ sub(/^[0-9]+ +/, "") } match($0, /^[a-z0-9_]+\(/) { name = substr($0, 1, RLENGTH - 1); n[name]++
           if (/state\/nsyscope/) seen = 1
           if (seen && name !~ /^(exit_group|mmap|munmap|brk|mprotect|getpid)$/) print name, n[name] }' trace >calls
    [ "$(wc -l <calls)" -gt 15 ] || fail "only $(wc -l <calls) calls were seen in a save"
    while read -r name n; do
        for fault in signal=KILL error=EIO error=ENOSPC error=EINTR; do
            restart "$1"
            save -e "inject=$name:$fault:when=$n"
            got=$?
            look "$1" "$fault in $name $n"
        done
    done <calls
}

try_all old.json
head -c $(($(wc -c <old.json) - 60)) old.json >cut.json
try_all cut.json
finish
