#!/bin/sh
# Sources are as clang-format leaves them, without tabs or trailing white space; skipped where clang-format is absent.
set -eu
cd "${1:-.}"
bad=0
if grep -rnP --include='*.[ch]' --include='*.def' '\t| +$' src include tests; then echo "tabs or trailing spaces"; bad=1; fi
command -v clang-format >/dev/null 2>&1 || { echo "clang-format is missing: layout not checked"; exit 77; }
find src include tests -name '*.[ch]' | sort | xargs -n 64 -P 2 clang-format --dry-run -Werror || bad=1
exit $bad
