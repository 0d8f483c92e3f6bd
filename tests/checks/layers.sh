#!/bin/sh
# Layers, and rooms of nsys/, analysis/ and view/, include only what the lines below allow; CMake names every source file;
# only two folders use SQLite, one the terminal, and a few files write files.
set -eu
cd "${1:-.}"
bad=0
# may_include FOLDER ALLOWED...: ALLOWED are first path components, or "nsys/ROOM", "analysis/ROOM" and "view/ROOM", that files of FOLDER may include.
may_include() {
    folder=$1
    shift
    ok=" $* "
    for up in $(grep -rhoE '#include "[a-z]+/([a-z]+/)?' "src/$folder" | sed 's/.*"//; s,/$,,' | sort -u); do
        case $up in nsys/* | analysis/* | view/*) ;; *) up=${up%%/*} ;; esac
        case "$ok" in *" $up "*) ;; *) echo "src/$folder includes $up/"; bad=1 ;; esac
    done
}
base="nsyscope core index"
view="view/kit view/model view/scene view/pane view/app"
rooms="names base select ranges device stats skill finding hotspots pith ncu job"
all="$base"
for room in $rooms; do all="$all analysis/$room"; done
may_include core nsyscope core
may_include index $base
pages="$base nsys/pages"
tables="$pages nsys/tables"
jobs="$tables nsys/jobs"
may_include nsys/pages $pages
may_include nsys/tables $tables
may_include nsys/jobs $jobs
may_include nsys/explore $jobs nsys/explore
may_include nsys/generate $tables nsys/generate
may_include query $all nsys/jobs query
may_include view $all $view
may_include share $all view/kit view/model share
may_include serve nsyscope core nsys/jobs share serve
may_include tui nsyscope core view/kit view/app tui
may_include open nsyscope core nsys/jobs open
may_include start nsyscope core nsys/generate view/kit view/pane view/app open tui start
may_include fleet $all fleet
may_include board nsyscope core analysis/job fleet view/kit view/model view/app board
may_include cli $all board fleet nsys/tables nsys/jobs nsys/explore nsys/generate query $view share serve tui open start cli

names="$base analysis/names"
answers="$names analysis/base"
ranges="$answers analysis/ranges"
device="$ranges analysis/device"
skill="$device analysis/select analysis/skill"
may_include analysis/names $names
may_include analysis/base $answers
may_include analysis/select $answers analysis/select
may_include analysis/ranges $ranges
may_include analysis/stats $ranges analysis/stats
may_include analysis/device $device
may_include analysis/skill $skill
may_include analysis/finding $skill analysis/finding
may_include analysis/hotspots $skill analysis/finding analysis/job analysis/hotspots
may_include analysis/pith $ranges analysis/pith
may_include analysis/ncu $ranges analysis/ncu
may_include analysis/job $device analysis/job

may_include view/kit nsyscope core view/kit
may_include view/model $ranges analysis/select view/kit view/model
may_include view/scene $ranges analysis/select view/kit view/model view/scene
may_include view/pane $device analysis/select analysis/finding view/kit view/model view/scene view/pane

for folder in src/analysis/*/; do
    case " $rooms " in *" $(basename "$folder") "*) ;; *) echo "$folder is no room of this check"; bad=1 ;; esac
done
for folder in src/view/*/; do
    case " $view view/keymaps " in *" view/$(basename "$folder") "*) ;; *) echo "$folder is no room of this check"; bad=1 ;; esac
done
for folder in src/nsys/*/; do
    case " pages tables jobs explore generate " in *" $(basename "$folder") "*) ;; *) echo "$folder is no room of this check"; bad=1 ;; esac
done
for file in $(find src/nsys src/analysis src/view -maxdepth 1 -name '*.[ch]'); do echo "$file stands in no room"; bad=1; done
# The kit includes no public header about traces.
for line in $(grep -rhoE '#include "nsyscope/.*"' src/view/kit | grep -vE '/(types|status)\.h"' | sed 's/.*"nsy/nsy/' || true); do echo "src/view/kit includes $line"; bad=1; done
for file in $(grep -rlE '<sqlite3\.h>' src | grep -vE '^src/(nsys|query)/' || true); do echo "$file includes sqlite3.h"; bad=1; done
for file in $(grep -rlE '<(ncursesw/)?n?curses\.h>' src | grep -v '^src/tui/' || true); do echo "$file includes curses.h"; bad=1; done
# Files are written through core/outfile.c and folders through core/outfolder.c. The exceptions: a lock file stays empty, and SQLite fills
# a file that core/outfile.c has opened.
writes='O_CREAT|O_TRUNC|O_WRONLY|OPEN_CREATE|\b(rename|renameat|mkdir|creat|mkstemp)\(|fopen\([^,]*, "[wa]'
for file in $(grep -rlE "$writes" --include='*.c' src | grep -vE '/(outfile|outfolder|store_lock|new_export)\.c$' || true); do
    echo "$file writes beside core/outfile.c"
    bad=1
done
# The tracks of a group end at nsc_group_end. The skip of a track, which steps over the groups of an export too, is for folding.
for line in $(grep -rnE 'track(s(\[[^]]*\])?|\([^()]*\))?(\.|->)skip\b' --include='*.c' src/analysis src/nsys src/cli src/tui | cut -d: -f1,2 || true); do
    echo "$line walks tracks by skip, not to nsc_group_end"
    bad=1
done
lists=$(find src tests -name CMakeLists.txt)
# shellcheck disable=SC2086
find src tests -name '*.c' | awk -v RS='[ \t\n()]+' '
    FILENAME != "-" { folder = FILENAME; sub(/[^\/]*$/, "", folder); listed[folder $0] = 1; next }
    { plain = $0; sub(/\.c$/, "", plain) }
    /./ && !($0 in listed) && !(plain in listed) { print $0 " is built by no CMakeLists.txt"; bad = 1 }
    END { exit bad }' $lists - || bad=1
exit $bad
