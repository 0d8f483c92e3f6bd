#!/bin/sh
# The root holds only the entries that docs/ARCHITECTURE.md lists; a stray file, such as a captured screen, is reported.
set -eu
cd "${1:-.}"
git rev-parse --is-inside-work-tree >/dev/null 2>&1 || { echo "not a git checkout: the root is not checked"; exit 77; }
bad=0
for entry in $(git ls-files | cut -d/ -f1 | sort -u); do
    case $entry in
    .* | CMakeLists.txt | CMakePresets.json | LICENSE | README.md | docs | examples | include | packaging | src | tests | themes) ;;
    *) echo "$entry does not belong in the root"; bad=1 ;;
    esac
done
exit $bad
