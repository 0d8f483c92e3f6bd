#!/bin/sh
# Follows the recipes of docs/CONTRIBUTING.md in a copy of the tree, builds the program there, and looks for what each recipe adds.
#
# A step is a line "`FILE`, at the end:", "`FILE`, a new file:" or "`FILE`, below `TEXT`:", where one line of FILE holds TEXT,
# and the block of code below it.
set -eu
tree=$1
work=$2
rm -rf "$work"
mkdir -p "$work/copy" "$work/steps"
(cd "$tree" && tar cf - CMakeLists.txt include src themes docs) | (cd "$work/copy" && tar xf -)
awk -v steps="$work/steps" '
    /^`[^`]*`, .*:$/ { n++; split($0, part, "`"); file = part[2]; how = $0; sub(/^`[^`]*`, /, "", how); sub(/:$/, "", how)
        print file >(steps "/" n ".file"); print how >(steps "/" n ".how") }
    /^```/ { inside = !inside; next }
    inside && n { print >(steps "/" n ".code") }' "$tree/docs/CONTRIBUTING.md"

# step N: applies it.
step() {
    code="$work/steps/$1.code"
    file="$work/copy/$(cat "$work/steps/$1.file")"
    how=$(cat "$work/steps/$1.how")
    case $how in
    "at the end") cat "$code" >>"$file" ;;
    "a new file") [ ! -e "$file" ] && cp "$code" "$file" ;;
    "below "*)
        text=${how#below ?}
        text=${text%?}
        [ "$(grep -cF -- "$text" "$file")" = 1 ] || { echo "not one line of $file holds $text"; exit 1; }
        TEXT=$text awk -v code="$code" '{ print } index($0, ENVIRON["TEXT"]) { while ((getline line <code) > 0) print line }' "$file" >"$file.new"
        mv "$file.new" "$file"
        ;;
    *) echo "no step: $how"; exit 1 ;;
    esac
}

n=0
while [ -e "$work/steps/$((n + 1)).how" ]; do
    n=$((n + 1))
    step $n
done
[ $n -gt 10 ] || { echo "only $n steps were found"; exit 1; }

cmake -S "$work/copy" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS=-O0 -DNSC_TESTS=OFF -DNSC_WERROR=ON >"$work/log"
cmake --build "$work/build" --target nsyscope >"$work/log" 2>&1 || { tail -40 "$work/log"; exit 1; }

program=$work/build/nsyscope
example=$work/example.sqlite
export XDG_STATE_HOME="$work" XDG_CONFIG_HOME="$work" LC_ALL=C.UTF-8
"$program" generate --force "$example" >/dev/null
# shows TEXT ARGUMENT...: the program prints the text.
shows() {
    text=$1
    shift
    "$program" "$@" >"$work/out" 2>&1 || { cat "$work/out"; exit 1; }
    grep -qE -- "$text" "$work/out" || { head -40 "$work/out"; echo "nsyscope $*: no $text"; exit 1; }
}
count=$(sqlite3 "$example" "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_MEMSET WHERE deviceId = 0")
shows "^ *0 +$count " skill run memsets "$example"
shows '"local_memory_per_thread":0' export "$example" --to chrome
shows '\[Streams' render "$example" --size 160x50 --keys Alt-s
shows '^ *S7 compute default *$' render "$example" --size 160x50 --keys Alt-s
shows 'GPU 0.* streams' analyze "$example"
