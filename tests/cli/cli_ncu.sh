#!/bin/sh
# Nsight Compute: what is planned from an export, what is read of its pages, and the two together.
. "$(dirname "$0")/lib.sh"

rm -f one.sqlite
expect 0 "$program" generate --kernels 3000 one.sqlite
sum=$(cksum <one.sqlite)

# The plan is a script a shell can run: a stand-in hears the words.
mkdir -p bin
cat >bin/ncu <<'SH'
#!/bin/sh
printf '%s\n' "$@"
SH
chmod +x bin/ncu
expect 0 "$program" ncu-plan --top 2 one.sqlite -- ./train "two words"
grep -v '^#' out >plan.sh
[ "$(wc -l <plan.sh)" = 2 ] || fail "not two commands: $(cat plan.sh)"
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
expect 0 "$program" ncu-plan --top 1 --launch-count 3 --set roofline --format json one.sqlite -- ./train
prints '"launch_skip"'
prints "--launch-count 3"
prints "--set roofline"

# A page, alone: figures in base units; unknown is empty, never 0.
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

# Beside an export: the same kernel is found, by one of its names.
expect 0 "$program" ncu-import --format csv page.csv one.sqlite
grep -q "$name.*short name$" out || fail "not joined: $(head -3 out)"
expect 0 "$program" ncu-import --format json page.csv one.sqlite
prints '"kind": "nsyscope.ncu"'

expect 2 "$program" ncu-import --peak fast page.csv
says "--peak fast"
printf 'a,b\n1,2\n' >other.csv
expect 3 "$program" ncu-import other.csv
says "no table of Nsight Compute"
expect 3 "$program" ncu-import nothing.csv
says "nothing.csv"
expect 2 "$program" ncu-plan --top 0 one.sqlite
says "--top 0"
expect 7 "$program" ncu-plan --filter 'name=nothing' one.sqlite
says "no kernels there"
[ "$sum" = "$(cksum <one.sqlite)" ] || fail "the export changed"
finish
