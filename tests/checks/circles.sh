#!/bin/sh
# Files that need each other form a circle. A circle has at most 5 files in src/view and 4 in any other folder of src.
# A file needs the headers that it includes, and the files that define the functions that it calls.
# Prints the largest circle of each folder.
set -eu
cd "${1:-.}/src"
if ! command -v ctags >/dev/null 2>&1; then
    echo "ctags is missing: circles not checked"
    exit 77
fi
bad=0
for layer in core index nsys analysis view share tui cli; do
    files=$(find "$layer" -name '*.[ch]' | sort)
    limit=4
    [ "$layer" != view ] || limit=5
    {
        # shellcheck disable=SC2086
        ctags --c-kinds=f -x $files | awk '$1 ~ /^nsc_/ { print "defines", $1, $4 }'
        # shellcheck disable=SC2086
        grep -oE '#include "[^"]+"|\bnsc_[a-z0-9_]+\(' $files | sed 's/#include "//; s/"$//; s/($//' | tr ':' ' ' | sed 's/^/uses /'
    } | awk -v layer="$layer" -v limit="$limit" '
        $1 == "defines" { at[$2] = $3; next }
        { n++; from[n] = $2; to[n] = $3 }
        END {
            for (i = 1; i <= n; i++) {
                if (to[i] !~ /\// && from[i] ~ /\.h$/) continue # a prototype
                t = to[i] ~ /\// ? to[i] : (to[i] in at ? at[to[i]] : "")
                if (t != "" && t != from[i] && index(t, layer "/") == 1) { edge[from[i] SUBSEP t] = 1; node[from[i]]; node[t] }
            }
            for (e in edge) { split(e, pair, SUBSEP); next_of[pair[1]] = next_of[pair[1]] " " pair[2] }
            for (start in node) {
                split("", seen); top = 1; stack[1] = start
                while (top > 0) {
                    here = stack[top--]; m = split(next_of[here], out, " ")
                    for (k = 1; k <= m; k++) if (!(out[k] in seen)) { seen[out[k]]; stack[++top] = out[k] }
                }
                for (other in seen) reach[start SUBSEP other] = 1
            }
            for (a in node) {
                size = 0; names = ""
                for (b in node) if (reach[a SUBSEP b] && reach[b SUBSEP a]) { size++; names = names " " b }
                if (size > most) { most = size; which = names }
            }
            print "src/" layer ": the largest circle has " (most ? most : 0) " files" (most > 1 ? ":" which : "")
            exit most > limit
        }' || { echo "src/$layer: at most $limit are allowed"; bad=1; }
done
exit $bad
