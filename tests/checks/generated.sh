#!/bin/sh
# The committed generated documents are what the program prints now.
set -eu
program=$1
cd "$2"
bad=0
check() {
    if ! "$program" docs "$1" | diff -u "$2" -; then
        echo "$2 is stale: nsyscope docs $1 >$2"
        bad=1
    fi
}
check keys docs/KEYS.md
check roles docs/ROLES.md
check reports docs/REPORTS.md
check skills docs/SKILL_LIST.md
check man docs/man/nsyscope.1
exit $bad
