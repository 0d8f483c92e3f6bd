#!/bin/sh
# Limits: 60 .c and .h files a folder, 600 lines a file, 60 lines a function with a 90th percentile of 25, 60000 bytes of page scripts,
# and the code lines of each room in tests/checks/budget.
set -eu
cd "${1:-.}"
bad=0
find src include -name '*.[ch]' -o -name '*.def' | sort | xargs wc -l | awk '
    $2 != "total" && $1 > 600 { print $2 ": " $1 " lines, more than 600"; bad = 1 } END { exit bad }' || bad=1
scripts=$(cat $(find src/share/viewer -name '*.js') | wc -c)
if [ "$scripts" -gt 60000 ]; then echo "src/share/viewer: $scripts bytes of .js, more than 60000"; bad=1; fi
for folder in $(find src include -type d); do
    files=$(find "$folder" -maxdepth 1 -name '*.[ch]' | wc -l)
    if [ "$files" -gt 60 ]; then echo "$folder: $files files of .c and .h, more than 60"; bad=1; fi
done
echo "$(find src include -name '*.[ch]' -o -name '*.def' | xargs cat | wc -l) source lines;" \
    "$(find src include -name '*.h' | xargs wc -l | awk '$1 <= 30 && $2 != "total"' | wc -l) headers of at most 30 lines; $scripts bytes of scripts"
# Prints the code lines of the folders: lines that hold more than blanks and comments.
code_lines() {
    find "$@" -type f \( -name '*.[ch]' -o -name '*.def' -o -name '*.js' -o -name '*.css' -o -name '*.sql' \) -print0 | xargs -0 awk '
        FNR == 1 { inside = 0 }
        { line = $0
            if (inside) { if (!(at = index(line, "*/"))) next; line = substr(line, at + 2); inside = 0 }
            while ((at = index(line, "/*"))) {
                rest = substr(line, at + 2); line = substr(line, 1, at - 1)
                if ((end = index(rest, "*/"))) line = line substr(rest, end + 2); else { inside = 1; break }
            }
            if (line ~ /[^ \t]/ && line !~ /^[ \t]*\/\//) n++ }
        END { print n + 0 }'
}
sum=0
while read -r room most folders; do
    case $room in '#' | '') continue ;; esac
    # shellcheck disable=SC2086
    lines=$(cd src && code_lines $folders)
    sum=$((sum + lines))
    echo "$room: $lines code lines of $most"
    if [ "$lines" -gt "$most" ]; then echo "$room has more code lines than tests/checks/budget allows"; bad=1; fi
done <tests/checks/budget
echo "$sum code lines"
if ! command -v ctags >/dev/null 2>&1; then
    echo "ctags is missing: function sizes not checked"
    exit 77
fi
lengths=$(find src -name '*.c' | sort | xargs ctags --languages=C --fields=+ne --c-kinds=f -o - | awk -F'\t' '
    !/^!/ { l = 0; e = 0
        for (i = 4; i <= NF; i++) { if ($i ~ /^line:/) l = substr($i, 6); if ($i ~ /^end:/) e = substr($i, 5) }
        if (e) print e - l + 1, $2, $1 }' | sort -n)
total=$(printf '%s\n' "$lengths" | wc -l)
printf '%s\n' "$lengths" | awk '$1 > 60 { print $2 ": " $3 " has " $1 " lines, more than 60"; bad = 1 } END { exit bad }' || bad=1
p50=$(printf '%s\n' "$lengths" | sed -n "$((total * 50 / 100 + 1))p" | cut -d' ' -f1)
p90=$(printf '%s\n' "$lengths" | sed -n "$((total * 90 / 100 + 1))p" | cut -d' ' -f1)
echo "$total functions: median $p50 lines, 90th percentile $p90"
if [ "$p90" -gt 25 ]; then echo "the 90th percentile is more than 25"; bad=1; fi
exit $bad
