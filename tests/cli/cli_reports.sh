#!/bin/sh
# Every stats report and every rule of analyze over one fixture, and some over a fixture with rare values, print the CSV in
# every_report.csv.
# NSC_UPDATE=1 rewrites that file; read the difference before you commit it.
. "$(dirname "$0")/lib.sh"

fixtures=$NSC_TEST_SOURCE/tests/fixtures
rm -f every.sqlite odd.sqlite
sqlite3 every.sqlite <"$fixtures/every_report.sql" || fail "the fixture is no SQL"
cat "$fixtures/every_report.sql" "$fixtures/odd_report.sql" | sqlite3 odd.sqlite || fail "the changes are no SQL"

: >got
section() { # COMMAND REPORT[:ARGUMENT...] [option...]
    command=$1 report=$2
    shift 2
    expect 0 "$program" "$command" -r "$report" -f csv "$@" "$file"
    # Shortens the names that the fixture makes very long.
    { echo "== $command $report${*:+ $*}"; sed 's/00\{50,\}/(zeros)/g' out; } >>got
}
file=every.sqlite
for report in $("$program" stats --help-reports | grep -oE '^[a-z_0-9]+'); do section stats "$report"; done
for rule in $("$program" analyze --help-rules | grep -oE '^[a-z_0-9]+'); do section analyze "$rule"; done
for name in base mangled; do
    for report in cuda_gpu_kern_sum cuda_gpu_kern_gb_sum cuda_kern_exec_sum cuda_kern_exec_trace nvtx_kern_sum; do
        section stats "$report:$name"
    done
done
for report in cuda_gpu_kern_sum cuda_gpu_kern_gb_sum cuda_gpu_sum cuda_api_gpu_sum cuda_gpu_trace cuda_kern_exec_sum cuda_kern_exec_trace; do
    section stats "$report:nvtx-name:base"
done
section analyze gpu_gaps:gap=0.01:rows=5
section analyze gpu_gaps:gap=0.01:rows=-1:start=1000000:end=1600000
section analyze gpu_time_util:threshold=1000:chunks=3
section analyze gpu_time_util:threshold=1000:chunks=3:start=1000000:end=2000000
section analyze cuda_api_sync:start=2400000
section stats cuda_kern_exec_sum --filter-time 1.2ms/1.6ms
section stats nvtx_kern_sum --filter-nvtx forward
section stats nvtx_gpu_proj_trace --nvtx-compat 2023
section stats cuda_api_sum --timeunit usec
file=odd.sqlite
for report in cuda_gpu_kern_gb_sum cuda_gpu_kern_sum cuda_gpu_trace cuda_kern_exec_sum nvtx_sum; do section stats "$report"; done

if [ -n "${NSC_UPDATE:-}" ]; then cp got "$fixtures/every_report.csv"; fi
diff -u "$fixtures/every_report.csv" got || fail "a report differs from every_report.csv"

# Some figures are compared with plain SQL, so that every_report.csv cannot be wrong in the same way as the program.
column() { # prints these fields of the report's rows
    report=$1
    shift
    expect 0 "$program" stats -r "$report" -f csv:nohdr every.sqlite
    grep . out | cut -d, -f"$1"
}
same() { # compares ./got with the rows of the query
    sqlite3 -separator , every.sqlite "$2" | sort >want
    sort got >got.sorted
    cmp got.sorted want || fail "$1 differs from SQL"
}
column cuda_gpu_kern_sum 2,3,6,7 >got
same cuda_gpu_kern_sum "SELECT sum(end - start), count(*), min(end - start), max(end - start)
  FROM CUPTI_ACTIVITY_KIND_KERNEL GROUP BY demangledName"
column cuda_gpu_kern_gb_sum 2,3 >got
same cuda_gpu_kern_gb_sum "SELECT sum(end - start), count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL
  GROUP BY demangledName, gridX, gridY, gridZ, blockX, blockY, blockZ"
column cuda_kern_exec_trace 1,2,4,6,7 >got
same cuda_kern_exec_trace "SELECT r.start, r.end - r.start, k.start - r.end, k.end - k.start, k.end - r.start
  FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN CUPTI_ACTIVITY_KIND_RUNTIME r USING (correlationId)"
column osrt_sum 2,3 >got
same osrt_sum "SELECT sum(end - start), count(*) FROM OSRT_API GROUP BY nameId"
column openacc_sum 2,3 >got
same openacc_sum "SELECT sum(end - start), count(*) FROM (SELECT start, end, nameId, lineNo FROM CUPTI_ACTIVITY_KIND_OPENACC_DATA
  UNION ALL SELECT start, end, nameId, lineNo FROM CUPTI_ACTIVITY_KIND_OPENACC_LAUNCH
  UNION ALL SELECT start, end, nameId, lineNo FROM CUPTI_ACTIVITY_KIND_OPENACC_OTHER) GROUP BY nameId, lineNo"
column nvtx_startend_sum 2,3 >got
same nvtx_startend_sum "SELECT end - start, 1 FROM NVTX_EVENTS WHERE eventType = 60"
# A kernel counts in each range of its thread that is open while its launch runs; a kernel without a launch counts in none.
expect 0 "$program" stats -r nvtx_kern_sum -f csv:nohdr every.sqlite
grep . out | awk -F, '$2 == "PushPop" { print $1 "," $6 "," $7 }' |
    awk -F, '{ n[$1] += $2; ns[$1] += $3 } END { for (r in n) print r "," n[r] "," ns[r] }' >got
same nvtx_kern_sum "SELECT iif(n.textId, 'training:registered range', ':' || n.text), count(*), sum(k.end - k.start)
  FROM NVTX_EVENTS n JOIN CUPTI_ACTIVITY_KIND_RUNTIME r ON r.globalTid = n.globalTid AND r.start >= n.start AND r.end <= n.end
  JOIN CUPTI_ACTIVITY_KIND_KERNEL k USING (correlationId) WHERE n.eventType = 59 GROUP BY 1"
# nvtx-name: a kernel counts once, in the range around its launch that begins last; without a range it keeps its name.
column cuda_gpu_kern_sum:nvtx-name:base 2,3,9 >got
same nvtx-name "SELECT sum(k.end - k.start), count(*), coalesce((SELECT coalesce(n.text, t.value) || '/' FROM NVTX_EVENTS n
    LEFT JOIN StringIds t ON t.id = n.textId JOIN CUPTI_ACTIVITY_KIND_RUNTIME r ON r.correlationId = k.correlationId
    WHERE n.eventType IN (59, 60) AND n.globalTid = r.globalTid AND coalesce(n.endGlobalTid, n.globalTid) = n.globalTid
      AND n.start <= r.start AND n.end >= r.end ORDER BY n.start DESC LIMIT 1), '') || s.value AS name
  FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN StringIds s ON s.id = k.shortName GROUP BY name"
finish
