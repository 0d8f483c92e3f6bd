#!/bin/sh
# Reports are opened as exports that nsys makes of them in the cache. A stand-in for nsys copies an export.
. "$(dirname "$0")/lib.sh"
rm -rf work && mkdir work && cd work || exit 1
export NSYSCOPE_CACHE="$PWD/cache/deep" CALLS="$PWD/calls"
unset NSYSCOPE_NSYS NSYSCOPE_CACHE_SIZE CUDA_HOME CUDA_PATH CUDA_ROOT NVHPC_ROOT EBROOTNSIGHTMINSYSTEMS NSIGHT_SYSTEMS_ROOT
"$program" generate --kernels 300 real.sqlite && "$program" generate --kernels 400 --seed 2 real2.sqlite || exit 1
export REAL="$PWD/real.sqlite"
mkdir reports
head -c 3000000 /dev/zero | tr '\0' 'r' >reports/one.nsys-rep
echo other >reports/two.qdrep
folder=$(ls -lA --time-style=full-iso reports)

# nsys_at FOLDER VERSION: the stand-in. It notes each export; $BREAKS is the version that fails.
nsys_at() {
    mkdir -p "$1" && cat >"$1/nsys" <<'END' && sed -i "s/VERSION/$2/" "$1/nsys" && chmod +x "$1/nsys"
#!/bin/sh
[ "$1" = --version ] && { echo "NVIDIA Nsight Systems version VERSION-24343368v0"; exit 0; }
for word; do case $word in --output=*) to=${word#--output=} ;; esac; done
echo "VERSION $*" >>"$CALLS"
case "$OLD $*" in "VERSION "*--include-blobs*) echo "Try 'nsys export --help' for more information." >&2; exit 1 ;; esac
printf 'Processing [==   20%%]\rProcessing [===  60%%]\r'
[ "$BREAKS" = VERSION ] && { cp "$REAL" "$to"; echo "The report is too new." >&2; exit 1; }
[ -z "$SLEEPS" ] || { cp "$REAL" "$to"; exec sleep "$SLEEPS"; }
cp "$REAL" "$to"
echo "[=====100%]"
END
}
calls() { [ "$(cat calls 2>/dev/null | wc -l)" = "$1" ] || fail "$2: $(cat calls)"; }
as_real() { # the answer is that of the real export
    cp out got.out && "$program" summary real.sqlite >want.out 2>&1 && cmp got.out want.out || fail "another answer"
}

# Without nsys, one line with the command.
NSYSCOPE_NSYS='' expect 3 "$program" summary reports/one.nsys-rep
says "where nsys is installed: nsys export --type sqlite -o reports/one.sqlite reports/one.nsys-rep"
[ ! -e cache ] || fail "a cache without an export"
: >reports/three.qdstrm && echo x >reports/three.qdstrm
expect 3 "$program" info reports/three.qdstrm
says "QdstrmImporter"
rm reports/three.qdstrm
NSYSCOPE_NSYS=no/such expect 2 "$program" info reports/one.nsys-rep
says "no/such: cannot be run"

# The newest of PATH and the install folders exports; the next opening exports nothing.
nsys_at path 2023.4.4.54
nsys_at cuda/nsight-systems-2024.10/bin 2024.10.1.7
nsys_at cuda/nsight-systems-2024.9/bin 2024.9.1.8
PATH="$PWD/path:$PATH" CUDA_HOME="$PWD/cuda" expect 0 "$program" summary reports/one.nsys-rep
as_real
[ ! -s err ] || fail "says without a terminal: $(cat err)"
grep -q '^2024.10.1.7 export --type=sqlite .* reports/one.nsys-rep$' calls || fail "not by the newest: $(cat calls)"
expect 0 "$program" summary reports/one.nsys-rep
calls 1 "the second opening exports"
[ "$(stat -c %a cache cache/deep cache/deep/report-* | sort -u)" = 700 ] || fail "modes: $(ls -lR cache)"
[ "$(ls cache/deep)" = "$(cd cache/deep && ls -d report-2dc6c0-*)" ] || fail "in the cache: $(ls cache/deep)"

# The content counts, not the place; the export has the report's name.
mkdir moved && cp reports/one.nsys-rep moved/rank_7.nsys-rep
expect 0 "$program" info moved/rank_7.nsys-rep
prints "/rank_7.sqlite"
calls 1 "a copy is exported again"

# A newer nsys that fails leaves the report to the next; the error is that of the newest.
BREAKS=2024.10.1.7 CUDA_HOME="$PWD/cuda" NSYSCOPE_CACHE="$PWD/cache2" expect 0 "$program" summary reports/two.qdrep
as_real
tail -1 calls | grep -q '^2024.9' || fail "not by the next: $(cat calls)"
BREAKS=2023.4.4.54 expect 3 "$program" summary --nsys path/nsys reports/two.qdrep
says "path/nsys export ended with 1: The report is too new."
[ "$(ls cache/deep | wc -l)" = 1 ] || fail "left in the cache: $(ls cache/deep)"
export NSYSCOPE_NSYS="$PWD/path/nsys"

# Reports and exports mix, and every subcommand takes them. Nothing appears beside them, unless it is asked for.
REAL="$PWD/real2.sqlite" expect 0 "$program" ranks reports/one.nsys-rep reports/two.qdrep real.sqlite
# They have the names that the user knows.
expect 0 "$program" summary reports/one.nsys-rep real.sqlite
prints "0: reports/one "
prints "1: real "
expect 7 "$program" diff --anyway reports/one.nsys-rep reports/two.qdrep # two of one recording
for words in info bins\ --device\ 0 'render --size 80x24' 'sql' 'search gemm' 'skill run top_kernels' schema analyze 'stats -r cuda_gpu_sum' bookmarks; do
    case $words in
        sql) expect 0 "$program" sql reports/two.qdrep 'select count(*) from kernel' ;;
        search*) expect 0 "$program" search reports/two.qdrep gemm ;;
        bookmarks) expect 0 "$program" bookmarks reports/two.qdrep list ;;
        *) expect 0 "$program" $words reports/two.qdrep ;;
    esac
done
[ "$folder" = "$(ls -lA --time-style=full-iso reports)" ] || fail "the folder of the reports changed: $(ls -l reports)"
expect 0 "$program" stats -r cuda_gpu_sum -f csv -o . reports/two.qdrep
[ -s reports/two_cuda_gpu_sum.csv ] || fail "stats -o . is not beside the report: $(ls reports cache/deep)"
rm reports/two_cuda_gpu_sum.csv
calls 5 "exports"

# A folder stands for what is in it; an export beside its report is not told twice, and is opened for it.
expect 0 "$program" summary reports
cp out both.out
expect 0 "$program" summary reports/one.nsys-rep reports/two.qdrep
cmp out both.out || fail "a folder is not its reports"
cp real.sqlite moved/rank_7.sqlite
expect 0 "$program" summary moved
as_real
expect 0 "$program" info moved/rank_7.nsys-rep
prints "  moved/rank_7.sqlite"
touch -d yesterday moved/rank_7.sqlite
expect 0 "$program" info moved/rank_7.nsys-rep
prints "cache/deep/"
mkdir empty
expect 7 "$program" summary empty
says "no export and no report in this folder"
expect 2 "$program" analyze reports
says "2 exports and reports, and nsyscope analyze takes FILE, at most 1"
expect 0 "$program" search real.sqlite empty # a text, not the folder of that name

# The cache keeps its size: what was used longest ago goes.
touch -d '2 days ago' cache/deep/report-6-*
touch -d yesterday cache/deep/report-2dc6c0-*
echo third >reports/three.qdrep
NSYSCOPE_CACHE_SIZE=$(du -sk cache/deep/report-2dc6c0-* | awk '{ print $1 + 20 }')K expect 0 "$program" info reports/three.qdrep
[ "$(ls cache/deep | wc -l)" = 2 ] && [ ! -e cache/deep/report-6-*[0-9a-f]/two.sqlite ] || fail "the limit: $(ls cache/deep/*)"
echo fourth >reports/four.qdrep
NSYSCOPE_CACHE_SIZE=many expect 2 "$program" info reports/four.qdrep
says "NSYSCOPE_CACHE_SIZE"
mkdir shared && chmod 777 shared
NSYSCOPE_CACHE="$PWD/shared" expect 6 "$program" info reports/four.qdrep
says "only you may write"

# A signal ends nsys, and nothing is left.
kept=$(ls cache/deep)
(SLEEPS=30 timeout -s INT 1 "$program" info reports/four.qdrep >out 2>err </dev/null)
[ "$kept" = "$(ls cache/deep)" ] || fail "a cancelled export is left: $(ls cache/deep)"
# The cache is listed, the last used first, and cleared; other files in its folder stay.
echo mine >cache/deep/mine
expect 0 "$program" cache list --format csv
[ "$(cut -d, -f6 out | sed 's,.*/,,' | tr '\n' ' ')" = "file three.sqlite one.sqlite " ] || fail "the list: $(cat out)"
expect 2 "$program" cache everything
expect 0 "$program" cache clear
[ "$(ls cache/deep)" = mine ] || fail "after clear: $(ls cache/deep)"
rm -r cache
expect 0 "$program" cache list
[ ! -e cache ] || fail "a list makes the folder"

# doctor says what is here, and what a report lacks; without rights it would not get the versions.
PATH="$PWD/path:$PATH" CUDA_HOME="$PWD/cuda" TERM=xterm-256color COLORTERM=truecolor expect 0 env -u NSYSCOPE_NSYS "$program" doctor reports/two.qdrep
[ "$(sed -n 's,^nsys .*/\([^/]*\)/[a-z]*/nsys \([0-9.]*\) *$,\1 \2,p' out | head -1)" = "nsight-systems-2024.10 2024.10.1.7" ] || fail "the nsys: $(cat out)"
prints ", 24-bit colours, mouse, clipboard"
grep -q '^CPU samples  *sample rows, .*  nsys profile --sample=process-tree$' out || fail "what is missing: $(cat out)"
[ "$(grep -c OpenMP out)" = 1 ] || fail "not one line of OpenMP: $(cat out)"
grep -q '^OpenMP parallel regions and [0-9]* more  *OpenMP rows  *nsys profile --trace=openmp$' out || fail "OpenMP: $(cat out)"
TERM=vt100 LC_ALL=C expect 3 "$program" doctor no/such.sqlite
prints "vt100, no colours"
prints "ASCII only"

# A folder, by default the current one, is listed with what is below it, the newest first.
mkdir -p listed/deep/.hidden && cp real.sqlite listed/deep/.hidden && cp real.sqlite listed/deep && echo x >listed/new.nsys-rep && echo x >listed/note.txt
touch -d yesterday listed/deep/real.sqlite
expect 0 "$program" listed --format csv
[ "$(sed 1d out | cut -d, -f2- | tr '\n' ' ')" = "2,,,,listed/new.nsys-rep $(stat -c %s real.sqlite),2,5910965,,listed/deep/real.sqlite " ] || fail "the list: $(cat out)"
(cd listed && expect 0 "$program" && grep -q '  ./deep/real.sqlite$' out) || fail "the list of this folder: $(cat listed/out)"
expect 7 "$program" empty
expect 2 "$program" --format csv real.sqlite

# On a terminal a line shows what nsys says, and Esc cancels; an arrow does not.
if command -v script >/dev/null; then
    rm -f typescript early
    (
        n=0
        until grep -q '60 of 100' typescript 2>/dev/null || [ $((n += 1)) -gt 200 ]; do sleep 0.1; done
        printf '\033[A'
        sleep 0.5
        ! grep -q cancelled typescript || : >early
        printf '\033'
    ) | SLEEPS=60 TERM=xterm timeout 50 script -qefc "stty -a; $program info reports/four.qdrep; echo status \$?; stty -a" typescript >/dev/null 2>&1
    [ ! -e early ] || fail "an arrow cancels"
    grep -q 'exporting report 1 of 1 (Esc cancels), 60 of 100' typescript || fail "no progress: $(cat typescript)"
    grep -q 'four.qdrep: the export is cancelled' typescript && grep -q 'status 130' typescript || fail "not cancelled: $(cat typescript)"
    [ "$(grep -c ' icanon .* echo ' typescript)" = 2 ] || fail "the terminal is not as before: $(cat typescript)"
fi
# An old nsys, which refuses an option that it does not know, is asked without it.
OLD=2023.4.4.54 NSYSCOPE_CACHE="$PWD/cache3" expect 0 "$program" summary --nsys path/nsys reports/one.nsys-rep
as_real
# NSC_NSYS names a real nsys, which records three programs and exports them (docs/TESTING.md).
for command in ${NSC_NSYS:+sleep ls true}; do
    "$NSC_NSYS" profile --trace=osrt --sample=none --output="$command" "$command" 0.2 >log 2>&1 # ls fails
    expect 0 "$program" info --nsys "$NSC_NSYS" "$command.nsys-rep"
    prints "nsys       20"
done
finish
