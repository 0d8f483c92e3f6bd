#!/bin/sh
# Each tag of a struct, enum or union that begins with nsc_ is defined once in the tree.
set -eu
cd "${1:-.}"
twice=$(find src include \( -name '*.[ch]' -o -name '*.def' \) -exec grep -hoE '(struct|enum|union) nsc_[a-z0-9_]+ \{' {} + | sort | uniq -d)
[ -z "$twice" ] || { printf 'defined twice: %s\n' "$twice"; exit 1; }
