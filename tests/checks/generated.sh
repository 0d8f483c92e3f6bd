#!/bin/sh
# The committed generated documents equal what the program prints, and the README names every subcommand.
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
check capture docs/CAPTURE.md
check findings docs/FINDING_LIST.md
check man docs/man/nsyscope.1
for name in $(sed -n 's/^NSC_COMMAND\(_ALIAS\)\{0,1\}([^"]*"\([a-z -]*\)".*/\2/p' src/cli/command.def); do
    [ "$name" = open ] || grep -q '^| .*`'"\(nsyscope \)\{0,1\}$name\b" README.md || { echo "README.md: no row of the table names $name"; bad=1; }
done
exit $bad
