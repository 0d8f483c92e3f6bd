#!/bin/sh
# Every include must point down: one line a layer, the folders it may include from.
set -eu
cd "${1:-.}/src"
allow() {
    case $1 in
    core)     echo core ;;
    index)    echo core index ;;
    nsys)     echo core index nsys ;;
    analysis) echo core index analysis ;;
    view)     echo core index analysis view ;;
    share)    echo core index analysis view share ;;
    tui)      echo core view tui ;;
    cli)      echo core index nsys analysis view share tui cli ;;
    esac
}
bad=0
for layer in core index nsys analysis view share tui cli; do
    ok=" $(allow $layer) nsyscope "
    for up in $(grep -rhoE '#include "[a-z]+/' "$layer" | sed 's/.*"//; s,/,,' | sort -u); do
        case "$ok" in *" $up "*) ;; *) echo "$layer includes $up/"; bad=1 ;; esac
    done
done
for file in $(grep -rlE '<sqlite3\.h>' . | grep -v '^\./nsys/' || true); do echo "$file includes sqlite3.h"; bad=1; done
for file in $(grep -rlE '<(ncursesw/)?n?curses\.h>' . | grep -v '^\./tui/' || true); do echo "$file includes curses.h"; bad=1; done
exit $bad
