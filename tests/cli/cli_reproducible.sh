#!/bin/sh
# A release has the same bytes from two checkouts in two folders.
. "$(dirname "$0")/lib.sh"
for tool in git rpmbuild dpkg-deb; do
    command -v $tool >/dev/null || { echo "$tool is missing: NOT TESTED"; exit 77; }
done
git -C "$NSC_TEST_SOURCE" rev-parse HEAD >log 2>&1 || { echo "the source is no checkout: NOT TESTED"; exit 77; }

rm -rf one two
for folder in one two/deeper; do
    mkdir -p $folder/tmp
    git clone -q "$NSC_TEST_SOURCE" $folder/checkout || fail "git clone"
    TMPDIR=$PWD/$folder/tmp $folder/checkout/packaging/release $folder/release >log 2>&1 || { tail -20 log; fail "packaging/release"; finish; }
done
cmp one/release/SHA256SUMS two/deeper/release/SHA256SUMS || fail "$(diff one/release/SHA256SUMS two/deeper/release/SHA256SUMS)"
[ "$(wc -l <one/release/SHA256SUMS)" = 6 ] || fail "not six files: $(cat one/release/SHA256SUMS)"
finish
