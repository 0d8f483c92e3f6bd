#!/bin/sh
# The table of docs/TESTING.md and the lines "promises:" of the tests say the same, and each fault has one row.
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
# The same from the table.
sed -n 's/^| \([A-F][0-9]*\) | .* | \(.*\) |$/\1 \2/p' docs/TESTING.md | tr -d '`,' |
    awk '{ for (i = 2; i <= NF; i++) print $i, $1 }' | sort >"$work/table"
diff "$work/tests" "$work/table" || { echo "< promised by a test, > by the table of docs/TESTING.md"; exit 1; }
[ "$(wc -l <"$work/tests")" -gt 100 ] || { echo "only $(wc -l <"$work/tests") promises were found"; exit 1; }
awk -F'|' '/^\| [A-F][0-9]+ \|/ { gsub(/ /, "", $2); rows[$2]++ }
    END { n = split("A:49 B:18 C:16 D:18 E:20 F:10", parts, " ")
        for (p = 1; p <= n; p++) { split(parts[p], part, ":")
            for (i = 1; i <= part[2]; i++) if (rows[part[1] i] != 1) { print part[1] i " has " rows[part[1] i] + 0 " rows in docs/TESTING.md"; bad = 1 } }
        exit bad }' docs/TESTING.md
