#!/bin/sh
# Sources have the layout of clang-format, without tabs or trailing white space; skipped without clang-format.
set -eu
cd "${1:-.}"
bad=0
if grep -rnP --include='*.[ch]' --include='*.def' '\t| +$' src include tests; then echo "tabs or trailing spaces"; bad=1; fi
command -v clang-format >/dev/null 2>&1 || { echo "clang-format is missing: layout not checked"; exit 77; }
find src include tests -name '*.[ch]' | sort | xargs -n 64 -P 2 clang-format --dry-run -Werror || bad=1
exit $bad
