#!/bin/sh
# The static program for AArch64, built on another processor and run by qemu, answers like this one.
. "$(dirname "$0")/lib.sh"
source=$NSC_TEST_SOURCE

for tool in aarch64-linux-gnu-gcc qemu-aarch64-static dpkg-deb; do
    command -v $tool >/dev/null || { echo "$tool is missing: NOT TESTED"; exit 77; }
done
[ -d sysroot/usr ] || "$source/packaging/sysroot" arm64 sysroot >log 2>&1 || { rm -rf sysroot; echo "the packages cannot be had: NOT TESTED: $(tail -1 log)"; exit 77; }
cmake -S "$source" -B build -G Ninja -DCMAKE_TOOLCHAIN_FILE="$source/packaging/aarch64.cmake" -DNSC_SYSROOT="$PWD/sysroot" -DCMAKE_BUILD_TYPE=Debug \
    -DCMAKE_C_FLAGS=-O0 -DNSC_TESTS=OFF -DNSC_WERROR=ON -DNSC_STATIC=ON -DNSC_SMALL="$NSC_SMALL" >log 2>&1 &&
    cmake --build build --target nsyscope >log 2>&1 || { tail -40 log; exit 1; }
file=$(od -An -j 18 -N 2 -t u2 build/nsyscope | tr -d ' ')
[ "$file" = 183 ] || fail "the machine of the file is $file, not AArch64's 183"

"$program" generate --force export.sqlite >log || fail "cannot make an export"
for words in 'info export.sqlite' 'summary export.sqlite' 'skill run idle export.sqlite' 'analyze export.sqlite' 'render export.sqlite' \
    'stats export.sqlite' 'diff export.sqlite export.sqlite' 'docs keys'; do
    # shellcheck disable=SC2086
    "$program" $words >here 2>&1
    status=$?
    # shellcheck disable=SC2086
    qemu-aarch64-static build/nsyscope $words >there 2>&1
    [ $? = $status ] || fail "$words: another status than $status"
    sed -i '/^  memory /d' here there # info: of this run
    cmp -s here there || fail "$words: $(diff here there | head -5)"
done
expect 0 qemu-aarch64-static build/nsyscope --version
prints "linked in: SQLite "
finish
