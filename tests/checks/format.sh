#!/bin/sh
# Sources are as clang-format leaves them, without tabs or trailing white space; skipped where clang-format is absent.
set -eu
cd "${1:-.}"
bad=0
for file in $(find src include tests -name '*.[ch]' -o -name '*.def' | sort); do
    if grep -nP '\t| +$' "$file"; then echo "$file: tab or trailing space"; bad=1; fi
done
command -v clang-format >/dev/null 2>&1 || { echo "clang-format is missing: layout not checked"; exit 77; }
find src include tests -name '*.[ch]' | sort | xargs clang-format --dry-run -Werror || bad=1
exit $bad
