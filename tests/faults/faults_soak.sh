#!/bin/sh
# The same keys repeated many times take no more memory, descriptors or threads at the end than at the beginning.
# promises: E17
. "$(dirname "$0")/lib.sh"
[ -r /proc/self/status ] || { echo "SKIPPED: no /proc here"; exit 77; }
"$program" generate --force --kernels 3000 f.sqlite || exit 1

# One round: zoom and pan, set and clear a filter, panes, a search and its hits, help, and the facts about the export.
round="keys=+++lll---hhh keys=/kind:kernel\\r idle keys=/\\x15\\r idle keys=\\t\\t\\t\\t keys=\\\\gemm\\r keys=nnn keys=h idle keys=h idle keys=0 keys=i idle keys=i"
rounds=40
steps=
i=0
while [ $i -lt $rounds ]; do
    steps="$steps $round"
    i=$((i + 1))
done

# shellcheck disable=SC2086
"$pty" capture=soak $shown $steps idle keys='\e' idle keys='\e' idle keys=q -- "$program" f.sqlite >ended 2>&1 &
runner=$!
child=
while [ -z "$child" ] && kill -0 $runner 2>/dev/null; do child=$(pgrep -P $runner | head -n 1); done
: >samples
while [ -r "/proc/$child/status" ] && awk '/^State:.*Z/ { exit 1 }' "/proc/$child/status" 2>/dev/null; do
    memory=$(awk '/^RssAnon:/ { print $2 }' "/proc/$child/status" 2>/dev/null)
    threads=$(awk '/^Threads:/ { print $2 }' "/proc/$child/status" 2>/dev/null)
    # shellcheck disable=SC2012
    descriptors=$(ls "/proc/$child/fd" 2>/dev/null | wc -l)
    [ -n "$memory" ] && echo "$memory $threads $descriptors" >>samples
    sleep 0.1
done
wait $runner
case $(cat ended) in
"exit=0 ended modes=back screen=back "*) ;;
*) fail "$(cat ended)" ;;
esac

frames=$(grep -ao '\[?2026h' soak | wc -l)
[ "$frames" -ge $((rounds * 4)) ] || fail "only $frames frames: the keys were not done one after the other"

# Compares the maximum of the second quarter with that of the last.
n=$(wc -l <samples)
[ "$n" -ge 20 ] || fail "only $n samples"
most() { # COLUMN FROM TO, in hundredths of the samples
    awk -v c="$1" -v from=$((n * $2 / 100)) -v to=$((n * $3 / 100)) 'NR > from && NR <= to && $c > most { most = $c } END { print most + 0 }' samples
}
early=$(most 1 25 50)
late=$(most 1 75 100)
[ "$late" -le $((early + early / 20 + 512)) ] || fail "memory grows: $early KiB, in the end $late KiB"
# Short-lived workers come and go: at most five at once, with two descriptors each. A leak in each round would be twenty times as large.
[ "$(most 2 75 100)" -le $(($(most 2 0 50) + 5)) ] || fail "threads: $(most 2 0 50), in the end $(most 2 75 100)"
[ "$(most 3 75 100)" -le $(($(most 3 0 50) + 10)) ] || fail "descriptors: $(most 3 0 50), in the end $(most 3 75 100)"
echo "$n samples, $early KiB, in the end $late KiB, $(most 2 75 100) threads, $(most 3 75 100) descriptors"
finish
