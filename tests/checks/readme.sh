#!/bin/sh
# The README names every subcommand.
set -eu
cd "$1"
bad=0
for name in $(sed -n 's/^NSC_COMMAND\(_ALIAS\)\{0,1\}([^"]*"\([a-z -]*\)".*/\2/p' src/cli/command.def); do
    [ "$name" = open ] || grep -q '^| .*`'"\(nsyscope \)\{0,1\}$name\b" README.md || { echo "README.md: no row of the table names $name"; bad=1; }
done
exit $bad
