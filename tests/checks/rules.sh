#!/bin/sh
# Each rule of a finding has scenarios: two in which it fires, three in which it is quiet or abstains, one of which abstains.
# The check counts calls of tests/scenarios/loop.h, one for each test function. The rules of idle_cause.def
# have rows in tests/scenarios/idle_rules.c instead.
set -eu
cd "${1:-.}"
told=$(awk '/^[A-Za-z].*\)$/ { f = FILENAME ":" FNR }
    match($0, /(loop_fires|loop_severity|loop_is_quiet|loop_abstains|[ (]advises)\([^"]*"[a-z-]+"/) {
        split(substr($0, RSTART, RLENGTH), part, /[("]/)
        how = $0 ~ /quiet/ ? "quiet" : $0 ~ /abstains/ ? "abstains" : "fires"
        print substr($0, RSTART, RLENGTH), how, f
    }' tests/scenarios/*.c | sed 's/.*"\([a-z-]*\)" /\1 /' | sort -u | cut -d' ' -f1,2)
bad=0
for rule in $({ echo '"waits-for-gpu"'
                grep -hoE '(^ *|\()out, "[a-z-]+"' src/analysis/finding/find_*.c | grep -v healthy
                sed -n 's/^NSC_THRESHOLD([A-Z_]*, \("[^"]*"\).*/\1/p' src/analysis/base/threshold.def; } |
              sed 's/[^"]*"\(.*\)"/\1/; s/,//g' | tr ' ' '\n' | sort -u); do
    for least in "fires 2" "abstains 1" "(quiet|abstains) 3"; do
        n=$(echo "$told" | grep -cxE "$rule ${least% *}" || true)
        [ "$n" -ge "${least#* }" ] || { echo "$rule ${least% *} in $n scenarios, not ${least#* }"; bad=1; }
    done
done
for rule in $(sed -n 's/^NSC_IDLE_CAUSE([A-Z_]*, "\([a-z-]*\)".*/\1/p' src/analysis/finding/idle_cause.def); do
    grep -q "{\"$rule\"," tests/scenarios/idle_rules.c || [ "$rule" = waits-for-requests ] || [ "$rule" = waits-for-gpu ] || { echo "idle_rules.c has no row for $rule"; bad=1; }
done
exit $bad
