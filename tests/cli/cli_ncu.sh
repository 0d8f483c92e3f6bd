#!/bin/sh
# Nsight Compute: the plan for an export, the import of its pages, and both together.
. "$(dirname "$0")/lib.sh"

rm -rf one.sqlite with without none ruled
expect 0 "$program" generate --kernels 3000 one.sqlite
sum=$(cksum <one.sqlite)

# The plan is a shell script; a stand-in for ncu prints its words.
mkdir -p bin
cat >bin/ncu <<'SH'
#!/bin/sh
printf '%s\n' "$@"
SH
chmod +x bin/ncu
expect 0 "$program" ncu-plan --top 2 one.sqlite -- ./train "two words"
grep -v '^#' out >plan.sh
"$program" ncu-plan --top 2 --format csv one.sqlite | sed 1d | cut -d, -f1 >planned
[ "$(sort -u planned | wc -l)" = 2 ] || fail "not two kernels: $(sort -u planned)"
[ "$(wc -l <plan.sh)" = "$(wc -l <planned)" ] || fail "$(wc -l <plan.sh) commands, not one a launch"
PATH=$PWD/bin:$PATH sh plan.sh >heard
for word in "two words" "--launch-skip" "--kernel-name-base" "function" "kernel_02"; do
    grep -qx -- "$word" heard || fail "ncu did not hear '$word'"
done
grep -qx 'regex:^(.*)\$' heard || fail "no pattern of a name: $(cat heard)"
expect 0 "$program" ncu-plan --top 1 --range forward --metrics tensor one.sqlite
prints "--nvtx --nvtx-include forward/ --launch-skip"
prints "sm__ops_path_tensor_src_bf16_dst_fp32.sum"
expect 0 "$program" ncu-plan --top 1 --range 'iteration #/1' one.sqlite
prints "--nvtx-include 'regex:^iteration [0-9]+\$/'"
expect 0 "$program" ncu-plan --top 1 --range forward one.sqlite
cp out expected
expect 0 "$program" ncu-plan --top 1 --nvtx-include forward one.sqlite
cmp -s out expected || fail "--nvtx-include differs from --range"
expect 0 "$program" ncu-plan --top 3 --nvtx-exclude backward --format csv one.sqlite
prints "--nvtx --nvtx-exclude backward/ --launch-skip"
expect 2 "$program" ncu-plan --nvtx-exclude backwrd one.sqlite
says "--nvtx-exclude backwrd: no NVTX range has that name"
expect 2 "$program" ncu-plan --nvtx-exclude forward/1 one.sqlite
says "leave out /1"
for processes in all application-only; do
    expect 0 "$program" ncu-plan --top 1 --target-processes $processes one.sqlite -- ./train
    prints "ncu --target-processes $processes --kernel-name-base"
done
expect 2 "$program" ncu-plan --target-processes some one.sqlite
says "--target-processes some: give all|application-only"
expect 0 "$program" ncu-plan --top 1 --launch-count 3 --set roofline --format json one.sqlite -- ./train
prints '"launch_skip"'
prints "--launch-count 3"
prints "--set roofline"

# A kernel with more shapes than a plan holds: the plan says which share its shapes stand for.
expect 0 "$program" ncu-plan --top 1 one.sqlite -- ./train
[ "$(grep -c '^ncu ' out)" -le 16 ] || fail "$(grep -c '^ncu ' out) runs of one kernel"
prints "longest shapes stand for"

# A page without an export: figures in base units; an unknown figure is empty, never 0.
name=$("$program" ncu-plan --top 1 --format csv one.sqlite | sed -n 2p | cut -d, -f1)
cat >page.csv <<CSV
==PROF== Connected
"ID","Process ID","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","dram__bytes_read.sum","gpu__time_duration.sum","sm__ops_path_tensor_src_bf16_dst_fp32.sum","sm__throughput.avg.pct_of_peak_sustained_elapsed"
"","","","","","","","","","Mbyte","us","","%"
"0","7","$name","1","7","","","0","9.0","2","10","4,000,000","n/a"
CSV
expect 0 "$program" ncu-import --peak 1 --format csv page.csv
prints ",1,10000,10000,2000000,"
grep -q "^(unlabeled),1,10000,0.004,0.400,40.0$" out || fail "stages: $(cat out)"
expect 0 "$program" ncu-import page.csv
prints "unknown"

# With an export: a kernel is matched by one of its names.
expect 0 "$program" ncu-import --format csv page.csv one.sqlite
grep -q "$name.*short name$" out || fail "not joined: $(head -3 out)"
expect 0 "$program" ncu-import --format json page.csv one.sqlite
prints '"kind": "nsyscope.ncu"'

# Options that narrow an export need an export.
for narrowing in '--gpu 0' '--trim 0 1' '--filter name=gemm'; do
    expect 2 "$program" ncu-import page.csv $narrowing
    says "${narrowing%% *} narrows the kernels of an export"
done
expect 0 "$program" ncu-import --format csv page.csv one.sqlite --gpu 0 --trim 0 20ms
mv out narrowed
expect 0 "$program" ncu-import --format csv page.csv one.sqlite
cmp -s out narrowed && fail "--trim does not narrow the kernels of the export"

# Rules of the details page, the greatest estimated speed-up first.
sed 's/"Device"/"Elsewhere"/' page.csv >bare.csv
expect 0 "$program" ncu-import bare.csv
grep -qE '(^| )-1( |$)' out && fail "a GPU -1 where the page has no devices: $(cat out)"
cat >rules.csv <<CSV
"ID","Process ID","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","Section Name","Metric Name","Metric Unit","Metric Value","Rule Name","Rule Type","Rule Description","Estimated Speedup Type","Estimated Speedup"
"0","7","$name","1","7","","","0","9.0","GPU Speed Of Light Throughput","Compute (SM) Throughput","%","20","","","","",""
"0","7","$name","1","7","","","0","9.0","GPU Speed Of Light Throughput","DRAM Throughput","%","59","","","","",""
"0","7","$name","1","7","","","0","9.0","SpeedOfLight","","","","SOLBottleneck","INF","balanced","",""
"0","7","$name","1","7","","","0","9.0","SourceCounters","","","","UncoalescedGlobalAccess","OPT","12 excessive sectors","global","41.81"
"0","7","$name","1","7","","","0","9.0","Occupancy","","","","AchievedOccupancy","OPT","few warps","local","85.2"
CSV
expect 0 "$program" ncu-import --format csv rules.csv
grep -n 'AchievedOccupancy,OPT,85.2,local,1,Occupancy,few warps' out >got || fail "no rule with its speed-up: $(cat out)"
[ "$(grep -oE 'AchievedOccupancy|UncoalescedGlobalAccess|SOLBottleneck' out | paste -sd' ')" = "AchievedOccupancy UncoalescedGlobalAccess SOLBottleneck" ] ||
    fail "rules are not in the order of their speed-up"
grep -q ',latency$' out || fail "59 % of DRAM and 20 % of SM are not latency: $(cat out)"
expect 0 "$program" report one.sqlite --out ruled --ncu rules.csv
grep -q 'UncoalescedGlobalAccess' ruled/report.md || fail "report.md has no rules"

expect 2 "$program" ncu-import --peak fast page.csv
says "--peak fast"
printf 'a,b\n1,2\n' >other.csv
expect 3 "$program" ncu-import other.csv
says "other.csv: no table of Nsight Compute: make it by ncu --import REPORT --csv --page raw"
expect 3 "$program" ncu-import nothing.csv
says "nothing.csv"
expect 2 "$program" ncu-plan --top 0 one.sqlite
says "--top 0"
expect 7 "$program" ncu-plan --filter 'name=nothing' one.sqlite
says "no kernels there"
[ "$sum" = "$(cksum <one.sqlite)" ] || fail "the export changed"
# Launch shapes: one name with two shapes gives two rows; the launch number counts all launches of the name, as ncu does.
if command -v sqlite3 >/dev/null; then
    cp one.sqlite shapes.sqlite
    sqlite3 shapes.sqlite "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET gridX = 1 + rowid % 2, gridY = 3, gridZ = 1, blockX = 128, blockY = 1, blockZ = 1, deviceId = 0, globalPid = (SELECT min(globalPid) FROM CUPTI_ACTIVITY_KIND_KERNEL)"
    expect 0 "$program" ncu-plan --top 1000 --format csv shapes.sqlite
    sed 1d out | cut -d, -f1,4,5 | tr -d '"' | sort >plan
    sqlite3 -csv shapes.sqlite "SELECT s.value, printf('grid %dx%dx%d block %dx%dx%d', gridX, gridY, gridZ, blockX, blockY, blockZ) AS shape, count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN StringIds s ON s.id = k.shortName GROUP BY 1, 2" | tr -d '"\r' | sort >sql
    [ -s plan ] && [ -z "$(comm -23 plan sql)" ] || fail "shapes differ: $(comm -23 plan sql | head -3)"
    # The shapes of each kernel cover 80 % of its time, with no shape too many.
    sed 1d out | cut -d, -f1,2 | tr -d '"' >totals
    sqlite3 -csv shapes.sqlite "SELECT s.value, sum(end - start) FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN StringIds s ON s.id = k.shortName GROUP BY 1" | tr -d '"\r' >whole
    awk -F, 'FNR == NR { whole[$1] = $2; next } { if (sum[$1] >= 0.8 * whole[$1]) bad = bad " " $1; sum[$1] += $2 }
        END { for (k in whole) if (sum[k] < 0.8 * whole[k]) bad = bad " " k; if (bad) { print bad; exit 1 } }' whole totals >bad || fail "not 80 % of$(cat bad)"
    [ "$(cut -d, -f1 sql | sort | uniq -d | wc -l)" -gt 2 ] || fail "no kernel has two shapes"
    expect 0 "$program" ncu-plan --top 1 shapes.sqlite -- ./train
    prints "x3x1 block 128x1x1: "
fi
expect 0 "$program" ncu-plan --top 1 --clock-control none --cache-control none --section SpeedOfLight,Occupancy one.sqlite -- ./train
prints "--clock-control none --cache-control none --section SpeedOfLight --section Occupancy --force"
expect 0 "$program" ncu-plan --top 1 --set roofline --section Occupancy one.sqlite -- ./train
prints "--set roofline --section Occupancy --force"
expect 2 "$program" ncu-plan --clock-control fast one.sqlite
says "base|none"
expect 2 "$program" ncu-plan --cache-control some one.sqlite
says "all|none"

# The written report shows counters if --ncu is given.
expect 0 "$program" report one.sqlite --out with --ncu page.csv --html
grep -q '^# Counters of Nsight Compute' with/report.md || fail "report.md has no counters"
grep -q 'upper bound of the stage' with/report.md || fail "report.md does not say what MFU is"
grep -q 'Counters of Nsight Compute' with/report.html || fail "report.html has no counters"
grep -q '"counters": \[' with/report.json || fail "report.json has no counters"
[ -s with/tables/ncu_joined.csv ] && [ -s with/tables/ncu_roofline.csv ] || fail "no tables of counters: $(ls with/tables)"
expect 0 "$program" report one.sqlite --out without
grep -q 'Nsight Compute$' without/report.md && fail "a report without counters has their heading"
grep -q '"counters"' without/report.json && fail "a report without counters has their key"
expect 3 "$program" report one.sqlite --out none --ncu none.csv
[ ! -e none ] || fail "a report was begun without its counters"
finish
