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
    while read -r file ids; do
        name=$(basename "$file" | sed 's/\.[a-z]*$//')
        case $file in
        tests/fuzz/*) test=fuzz/${name#fuzz_} ;;
        tests/*) test=$(echo "$file" | cut -d/ -f2)/$name ;;
        *) test=$file ;;
        esac
        for id in $ids; do echo "$test $id"; done
    done | sort >"$work/tests"
# The same from the table.
sed -n 's/^| \([A-F][0-9]*\) | .* | \(.*\) |$/\1 \2/p' docs/TESTING.md | tr -d '`,' |
    while read -r id tests; do
        for test in $tests; do echo "$test $id"; done
    done | sort >"$work/table"
diff "$work/tests" "$work/table" || { echo "< promised by a test, > by the table of docs/TESTING.md"; exit 1; }
[ "$(wc -l <"$work/tests")" -gt 100 ] || { echo "only $(wc -l <"$work/tests") promises were found"; exit 1; }
for part in A:49 B:18 C:16 D:18 E:20 F:10; do
    n=1
    while [ $n -le "${part#*:}" ]; do
        rows=$(grep -c "^| ${part%:*}$n |" docs/TESTING.md) || true
        [ "$rows" = 1 ] || { echo "${part%:*}$n has $rows rows in docs/TESTING.md"; exit 1; }
        n=$((n + 1))
    done
done
