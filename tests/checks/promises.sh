#!/bin/sh
# Each fault of tests/checks/promises has a test that names it in a line "promises:", and no test names another.
# No check of a script stands after its last line, where it would never run.
set -eu
cd "$1"
for script in tests/cli/cli_*.sh tests/pty/pty_*.sh tests/faults/faults_*.sh; do
    [ "$(tail -1 "$script")" = finish ] || { echo "$script does not end with finish"; exit 1; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# test id, from the tests: cli/cli_open A25
grep -rE 'promises( of [a-z/]*)?: ' tests --include='*.sh' --include='*.c' | grep -v '^tests/checks/' | sed -n 's/^\(tests\/[^:]*\):[^:]*promises: \([A-F0-9 ]*\).*/\1 \2/p; s/^tests\/[^:]*:.*promises of \(fuzz\/[a-z]*\): \([A-F0-9 ]*\).*/\1 \2/p' |
    awk '{ n = split($1, path, "/"); name = path[n]; sub(/\.[a-z]*$/, "", name); test = path[2] "/" name
        if (path[1] != "tests") test = $1
        else if (path[2] == "fuzz") { sub(/^fuzz_/, "", name); test = "fuzz/" name }
        for (i = 2; i <= NF; i++) print test, $i }' | sort >"$work/tests"
grep -v '^#' tests/checks/promises >"$work/faults"
cut -d ' ' -f 2 "$work/tests" | sort -u >"$work/tested"
grep -v '^[A-F][0-9]* no test: ' "$work/faults" | cut -d ' ' -f 1 | sort >"$work/wanted"
diff "$work/tested" "$work/wanted" || { echo "< promised by a test, > by tests/checks/promises"; exit 1; }
[ "$(wc -l <"$work/tests")" -gt 100 ] || { echo "only $(wc -l <"$work/tests") promises were found"; exit 1; }
# The numbers of a letter ascend from 1, so none is lost.
awk '{ letter = substr($1, 1, 1); if (substr($1, 2) + 0 != ++n[letter]) { print $1 " is not number " n[letter]; exit 1 } }' "$work/faults"
