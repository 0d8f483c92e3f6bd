#!/bin/sh
# Runs the tests of the page: run.sh NODE scripts | NODE page NSYSCOPE CHROMIUM FOLDER. Prints what is missing and skips.
here=$(dirname "$0")
skip() {
    echo "SKIPPED: no $1; install it (Debian: apt-get install $2) to test the page"
    exit 77
}
[ -x "$1" ] || skip node nodejs
[ "$2" = scripts ] && exec "$1" --test "$here/unit.js"
[ -x "$4" ] || skip Chromium chromium
command -v sqlite3 >/dev/null || skip sqlite3 sqlite3
exec "$1" "$here/page.js" "$3" "$4" "$5"
