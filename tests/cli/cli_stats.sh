#!/bin/sh
# stats and analyze -r: figures that agree with SQL, every format, every argument, and what is refused.
. "$(dirname "$0")/lib.sh"

expect 0 "$program" generate --force --kernels 4000 --layers 3 --streams 2 t.sqlite

# cuda_gpu_kern_sum agrees with plain SQL.
expect 0 "$program" stats -r cuda_gpu_kern_sum -f csv:nohdr t.sqlite
grep . out | sed 's/^[^,]*,//' | awk -F, -v OFS=, '{ print $1, $2, $5, $6 }' | sort >got
sqlite3 -csv t.sqlite "SELECT sum(end - start), count(*), min(end - start), max(end - start)
  FROM CUPTI_ACTIVITY_KIND_KERNEL GROUP BY demangledName" | tr -d '\r' | sort >want
cmp got want || fail "cuda_gpu_kern_sum differs from SQL"
expect 0 "$program" stats -r cuda_gpu_kern_sum -f csv:nohdr --filter-time 10ms/20ms t.sqlite
grep . out | awk -F, '{ n += $3 } END { print n + 0 }' >got
sqlite3 t.sqlite "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE start < 20000000 AND end > 10000000" >want
cmp got want || fail "--filter-time keeps $(cat got), not $(cat want)"

# Ranges of two domains have one tag: "a:b:c". Of two rows that name a domain, the first counts.
rm -f tags.sqlite
sqlite3 tags.sqlite <"$NSC_TEST_SOURCE/tests/fixtures/every_report.sql"
sqlite3 tags.sqlite "DELETE FROM NVTX_EVENTS;
    INSERT INTO NVTX_EVENTS(start, end, eventType, text, globalTid, domainId) VALUES
    (0, NULL, 75, 'a', 111 << 24, 1), (0, NULL, 75, 'late', 111 << 24, 1), (0, NULL, 75, 'a:b', 111 << 24, 2),
    (0, NULL, 75, 'other', 222 << 24, 3), (10, 30, 59, 'b:c', (111 << 24) | 111, 1), (10, 50, 59, 'c', (111 << 24) | 111, 2),
    (60, 70, 59, 'd', (111 << 24) | 111, 3);"
expect 0 "$program" stats -r nvtx_sum -f csv:nohdr tags.sqlite
[ "$(grep . out | cut -d, -f 2,3,10)" = "$(printf '60,2,a:b:c\n10,1,:d')" ] || fail "tags of domains: $(cat out)"

for format in column table csv tsv json hdoc htable; do
    expect 0 "$program" stats -r cuda_gpu_sum -f "$format" t.sqlite
    prints 'CUDA_KERNEL'
done
expect 0 "$program" stats -r cuda_gpu_sum,cuda_api_sum -f json t.sqlite
prints '"Time (%)":'
command -v python3 >/dev/null && {
    expect 0 "$program" stats -r nvtx_gpu_proj_trace -f json t.sqlite
    python3 -c 'import json; json.load(open("out"))' || fail "JSON is not valid"
}
expect 0 "$program" stats -r cuda_gpu_kern_sum t.sqlite
prints ' ** CUDA GPU Kernel Summary (cuda_gpu_kern_sum):'
expect 0 "$program" stats -r cuda_gpu_kern_sum -f csv --timeunit usec t.sqlite
prints 'Total Time (us)'
expect 0 "$program" stats -r cuda_gpu_kern_sum -f csv --timeunit sec t.sqlite
prints 'Total Time (sec)'

# Arguments of reports, options with "=", output files.
expect 0 "$program" stats -r cuda_gpu_kern_sum:base -f csv t.sqlite
expect 0 "$program" stats -r nvtx_sum -f csv --nvtx-compat 2023 t.sqlite
cp out want
expect 0 "$program" stats --report=nvtx_sum --format=csv --nvtx-compat=2023 t.sqlite
cmp out want || fail "--name=value is not --name value"
expect 2 "$program" stats -r nvtx_sum --trim=1s t.sqlite
says 'without "="'
expect 2 "$program" stats -r nvtx_sum --force=yes t.sqlite
says 'takes no value'
rm -rf out_dir; mkdir out_dir
expect 0 "$program" stats -r cuda_gpu_kern_sum:base,cuda_api_sum -f csv -o out_dir/x t.sqlite
[ -s out_dir/x_cuda_gpu_kern_sum_base.csv ] && [ -s out_dir/x_cuda_api_sum.csv ] || fail "no files: $(ls out_dir)"
[ -z "$(tail -c 1 out_dir/x_cuda_api_sum.csv | tr -d '\n')" ] && [ -n "$(tail -1 out_dir/x_cuda_api_sum.csv)" ] ||
    fail "an empty line ends a file"
expect 2 "$program" stats -r cuda_api_sum -f csv -o out_dir/x t.sqlite
says '--force overwrites it'
expect 0 "$program" stats -r cuda_api_sum -f csv -o out_dir/x --force t.sqlite
expect 2 "$program" stats -r cuda_api_sum -o @less t.sqlite
says 'pipe'

# Rules of analyze.
expect 0 "$program" analyze -r gpu_gaps:gap=0.01:rows=3 -f csv t.sqlite
[ "$(grep -c . out)" = 4 ] || fail "rows=3 gives $(grep -c . out) lines"
expect 0 "$program" analyze -r gpu_time_util:chunks=10:threshold=1000 -f csv t.sqlite
expect 0 "$program" analyze -r cuda_api_sync -f csv t.sqlite

# The lists of reports and rules.
expect 0 "$program" stats --help-reports
prints 'cuda_gpu_kern_sum[:nvtx-name][:base|:mangled]'
expect 0 "$program" analyze --help-rules
prints 'gpu_gaps[:rows=N][:gap=MS][:start=NS][:end=NS]'

# An NVTX range as the window.
range=$(sqlite3 t.sqlite "SELECT text FROM NVTX_EVENTS WHERE eventType = 59 AND text IS NOT NULL ORDER BY end - start DESC LIMIT 1")
expect 0 "$program" stats -r cuda_api_sum -f csv --filter-nvtx "$range" t.sqlite
expect 2 "$program" stats -r cuda_api_sum --filter-nvtx 'no such range' t.sqlite

# Mistakes.
expect 2 "$program" stats -r no_such_report t.sqlite
says 'no report is called "no_such_report"'
expect 2 "$program" analyze -r cuda_gpu_kern_sum t.sqlite
says 'no rule is called'
expect 2 "$program" stats -r cuda_api_sum:base t.sqlite
says 'does not take "base"'
expect 2 "$program" analyze -r gpu_gaps:nvtx=step t.sqlite
says 'give --filter-nvtx NAME'
expect 2 "$program" stats -r cuda_api_sum -f yaml t.sqlite
says '--format yaml'
expect 2 "$program" stats -r cuda_api_sum --filter-time 3s t.sqlite
says '--filter-time'
expect 2 "$program" stats -r cuda_api_sum --filter-time 3s/1s t.sqlite
expect 2 "$program" stats -r cuda_api_sum --timeunit days t.sqlite
expect 2 "$program" stats t.sqlite
says '-r'

# Several exports: each has the rows that it has alone, after a column with the file, and its own output files.
expect 0 "$program" generate --force --kernels 600 --layers 2 --seed 5 u.sqlite
alone() { "$program" stats -r "$2" -f csv "$1.sqlite" 2>>err; }
expect 0 "$program" stats -r cuda_gpu_trace,nvtx_sum -f csv u.sqlite t.sqlite
for file in t u; do
    { alone $file cuda_gpu_trace; alone $file nvtx_sum; } | sed '/^$/d; s/^/'$file.sqlite,/ >want
    sed '/^$/d' out | grep -e "^$file.sqlite," >got
    grep -v -e '\.sqlite,Start (ns),' -e '\.sqlite,Time (%),' want | cmp got - || fail "$file.sqlite has other rows among others than alone"
done
[ "$(grep -c '^File,' out)" = 4 ] || fail "$(grep -c '^File,' out) headings, not one for each report of each"
awk -F, '!seen[$1]++ { print $1 }' out | grep . | paste -sd' ' >got
echo 'File u.sqlite t.sqlite' | cmp got - || fail "the exports are not in their order: $(cat got)"
for format in column table hdoc; do
    expect 0 "$program" stats -r cuda_gpu_sum -f $format u.sqlite t.sqlite
    prints 'File'
    prints 'u.sqlite'
    prints 't.sqlite'
done
expect 0 "$program" stats -r cuda_gpu_sum -f json u.sqlite t.sqlite
prints '{"File":"u.sqlite","Time (%)":'
rm -rf out_dir; mkdir -p out_dir/a out_dir/b
cp t.sqlite out_dir/a/x.sqlite
cp u.sqlite out_dir/b/x.sqlite
expect 0 "$program" stats -r nvtx_sum -f csv -o out_dir/all --force out_dir/a/x.sqlite out_dir/b/x.sqlite
alone t nvtx_sum | sed '$d' | cmp - out_dir/all_0_x_nvtx_sum.csv || fail "the first file is not the first export's"
alone u nvtx_sum | sed '$d' | cmp - out_dir/all_1_x_nvtx_sum.csv || fail "the second file is not the second export's"
expect 0 "$program" stats -r nvtx_sum -f csv -o . out_dir/a/x.sqlite out_dir/b/x.sqlite
cmp out_dir/a/x_nvtx_sum.csv out_dir/all_0_x_nvtx_sum.csv || fail "-o . is not the export's own name"
cp u.sqlite out_dir/a/x
expect 2 "$program" stats -r nvtx_sum -o . --force out_dir/a/x out_dir/a/x.sqlite
says 'would write the same files'
sqlite3 u.sqlite "DELETE FROM NVTX_EVENTS"
expect 0 "$program" stats -r nvtx_sum -f csv u.sqlite t.sqlite
says 'SKIPPED: u.sqlite: nvtx_sum: the export does not contain'
expect 7 "$program" stats -r mpi_event_trace u.sqlite t.sqlite
grep -q 'the exports have nothing for any of these reports' err || fail "does not say that there is nothing: $(cat err)"
expect 2 "$program" stats -r nvtx_sum t.sqlite u.sqlite --filter-nvtx "$range"
says 'u.sqlite: --range'
expect 3 "$program" stats -r cuda_api_sum t.sqlite absent.sqlite
says 'absent.sqlite'
[ ! -s out ] || fail "something is printed though an export is missing"
expect 7 "$program" stats -r mpi_event_trace t.sqlite
says 'does not contain MPI event data'
expect 0 "$program" stats -r mpi_event_trace,cuda_api_sum -f csv t.sqlite
says 'SKIPPED: mpi_event_trace'
expect 7 "$program" stats -r cuda_api_sum --filter-time /1ns t.sqlite
says 'in what was asked of'
expect 3 "$program" stats -r cuda_api_sum absent.sqlite
finish
