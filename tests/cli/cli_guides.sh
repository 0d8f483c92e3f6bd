#!/bin/sh
# Each command in the guides runs, with stand-ins for nsys and launchers; each query returns rows; help opens each guide.
. "$(dirname "$0")/lib.sh"

command -v sqlite3 >/dev/null || { echo "no sqlite3: skipped"; exit 77; }
guides=$NSC_TEST_SOURCE/docs/guides
rm -rf work && mkdir -p work/bin && cd work || exit 1
work=$PWD

# Stand-ins: nsys knows its subcommands and options and refuses others; launchers run the words after their own options.
cat >bin/nsys <<'END'
#!/bin/sh
die() { echo "nsys: $*" >&2; exit 9; }
profile="trace sample cpuctxsw backtrace python-backtrace python-sampling pytorch cudabacktrace cuda-memory-usage cuda-graph-trace gpu-metrics-devices gpu-metrics-frequency nic-metrics delay duration capture-range capture-range-end nvtx-capture env-var output force-overwrite stats trace-fork-before-exec osrt-threshold session-new kill wait"
known() { for o in $profile; do [ "$o" = "$1" ] && return 0; done; return 1; }
out=report
options() { # up to the first word that is not an option
    used=0
    while [ $# -gt 0 ]; do
        case $1 in
        -o) out=$2; used=$((used + 2)); shift 2 ;;
        --*=*) n=${1%%=*}; known "${n#--}" || die "no option $1"; used=$((used + 1)); shift ;;
        -*) die "no option $1" ;;
        *) break ;;
        esac
    done
}
word=$1; [ $# -gt 0 ] && shift
case $word in
--version) echo "NVIDIA Nsight Systems version 2025.1" ;;
status) [ "$1" = --environment ] || die "status $1" ;;
profile)
    case " $* " in *" --capture-range=nvtx "*) case " $* " in *" --nvtx-capture="*) ;; *) die "a range without a name" ;; esac ;; esac
    options "$@"; shift $used
    [ $# -gt 0 ] || die "no program"
    command -v "$1" >/dev/null || die "cannot start $1"
    "$@" || die "$1 failed"
    [ -d "$(dirname "$out")" ] || out=$(basename "$out")
    echo report >"$out.nsys-rep" ;;
launch) options "$@"; shift $used; [ $# -gt 0 ] || die "no program"; "$@" ;;
start | stop | cancel | shutdown)
    for i in "$@"; do case $i in --session=* | --kill=* | -o | [a-z]*) ;; *) die "no option $i" ;; esac; done ;;
sessions) [ "$1" = list ] || die "sessions $1" ;;
export)
    for i in "$@"; do
        case $i in --type=sqlite | --force-overwrite=true | --include-blobs=true | --lazy=*) ;; -o | --output) ;; *.sqlite) to=$i ;; *.nsys-rep) from=$i ;; *) die "no option $i" ;; esac
    done
    [ -e "$from" ] || die "no report $from"
    cp "$EXAMPLE" "$to" ;;
stats) [ "$1 $3" = "--report --format" ] || die "stats $*" ;;
*) die "no command $word" ;;
esac
END
for launcher in srun mpirun docker kubectl torchrun; do
    cat >bin/$launcher <<'END'
#!/bin/sh
while [ $# -gt 0 ] && [ "$1" != nsys ]; do shift; done
[ $# -eq 0 ] || exec "$@"
END
done
for program_name in python ncu; do printf '#!/bin/sh\nexit 0\n' >bin/$program_name; done
ln -s "$program" bin/nsyscope
chmod +x bin/*
PATH=$work/bin:$PATH
export PATH
"$program" generate --force --kernels 1500 --layers 3 example.sqlite || fail "no example"
EXAMPLE=$work/example.sqlite
export EXAMPLE
cp example.sqlite rank0.sqlite
"$program" generate --kernels 1500 --layers 3 --seed 2 rank1.sqlite
cp -r "$guides/scenarios" .

# blocks KIND FILE: prints the fenced blocks of this kind, and "#end" after each.
blocks() { awk -v kind="$1" '$0 == "```" kind { on = 1; next } /^```/ { if (on) print "#end"; on = 0; next } on' "$2"; }

n=0
for guide in "$guides"/[01]*.md; do
    name=$(basename "$guide" .md)
    [ "$(wc -l <"$guide")" -le 250 ] || fail "$name has $(wc -l <"$guide") lines"
    grep -q '^Sources: ' "$guide" || fail "$name names no sources"
    grep -q "$(printf '\t')" "$guide" && fail "$name holds a tab"
    LC_ALL=C grep -q '[^ -~]' "$guide" && fail "$name is not ASCII"
    blocks sh "$guide" | grep -v '^#end$' >commands
    while IFS= read -r line; do
        n=$((n + 1))
        timeout 60 sh -c "$line" >out 2>err </dev/null || fail "$name: status $?: $line: $(head -2 err)"
        grep -q '^nsys: ' err && fail "$name: $line: $(cat err)"
    done <commands
    blocks sql "$guide" | awk -v RS='#end\n' 'NF { gsub(/\n/, " "); print }' >queries
    while IFS= read -r query; do
        n=$((n + 1))
        "$program" sql example.sqlite "$query" --format csv >out 2>err || fail "$name: $query: $(cat err)"
        [ "$(wc -l <out)" -gt 1 ] || fail "$name: no row: $query"
    done <queries
    if command -v python3 >/dev/null; then
        blocks python "$guide" | grep -v '^#end$' >code.py
        python3 -c 'import ast, sys; ast.parse(open("code.py").read())' || fail "$name: the Python does not parse"
    fi
    # Links between the guides, and to pictures, lead to files.
    for link in $(grep -o '](\([^)]*\))' "$guide" | sed 's/](\(.*\))/\1/' | grep -v '^http'); do
        [ -e "$guides/${link%%#*}" ] || fail "$name: nothing at $link"
    done
    topic=${name#??-}
    expect 0 "$program" help "$topic"
    cmp -s out "$guide" || fail "help $topic prints something else"
    expect 0 "$program" render example.sqlite --size 90x30 -c "help $topic"
    prints "$(head -1 "$guide" | cut -c3-30)"
done
[ "$n" -gt 90 ] || fail "only $n commands were run"

# The recipes are a command too. The skill for agents is short, begins with its name, and names only what the program has.
expect 0 "$program" recipes
cmp -s out "$guides/10-recipes.md" || fail "recipes prints something else"
skill=$NSC_TEST_SOURCE/docs/agents/nsyscope/SKILL.md
[ "$(wc -l <"$skill")" -lt 200 ] && [ "$(sed -n 2p "$skill")" = "name: nsyscope" ] || fail "the skill is no skill"
for word in $(grep -o '`nsyscope [a-z-]*' "$skill" | cut -d ' ' -f 2 | sort -u); do expect 0 "$program" "$word" --help; done
for topic in $(sed -n 's/^- `nsyscope help \(.*\)`: guides.*/\1/p' "$skill" | tr -d '`,'); do expect 0 "$program" help "$topic"; done

# analyze finds the four patterns of the guide, and the guide has a picture of each.
finds() { expect 0 "$program" analyze "$1.sqlite"; head -6 out >head; grep -qi "$2" head || fail "$1 is not found: $(head -2 out)"; }
finds idle "is idle for"
finds transfers "copies between host and GPU 0 are exposed"
expect 0 "$program" analyze launches.sqlite
prints "starves on small launches"
expect 0 "$program" analyze cpu.sqlite
prints "in the range postprocess"
# The program prints the findings that the guide quotes.
for pattern in idle transfers launches cpu; do "$program" analyze $pattern.sqlite; done >findings
grep -oE 'finding is "[^"]*"|below it "[^"]*"|, and "[^"]*"' "$guides/09-reading.md" | sed 's/.*"\(.*\)"/\1/' >quotes
[ "$(wc -l <quotes)" -ge 6 ] || fail "only $(wc -l <quotes) findings are quoted"
while IFS= read -r quote; do grep -qF "$quote" findings || fail "the guide quotes '$quote', which nothing prints"; done <quotes
for picture in idle transfers launches cpu; do
    head -1 "pictures/$picture.svg" | grep -q '^<' || fail "$picture.svg is no picture"
    grep -q '<svg' "$guides/pictures/$picture.svg" || fail "the guide has no picture $picture.svg"
done

# help finds a topic by name, number or word of its title, describes commands, and uses a pager only on a terminal.
expect 0 "$program" help
prints "nvtx"
expect 0 "$program" help slurm
prints "# Containers, Slurm, Kubernetes"
expect 0 "$program" help 9
prints "# Reading a timeline"
expect 0 "$program" help bins
prints "nsyscope bins"
expect 2 "$program" help nvxt
says "the nearest: nvtx"
if command -v script >/dev/null; then
    printf '#!/bin/sh\necho "paged $*"; cat >paged\n' >bin/pager
    chmod +x bin/pager
    PAGER='pager -x' timeout 20 script -qc "$program help nvtx" typed >/dev/null 2>&1 </dev/null
    grep -q 'paged -x' typed || fail "no pager on a terminal"
    cmp -s paged "$guides/03-nvtx.md" || fail "the pager got something else"
fi
finish
