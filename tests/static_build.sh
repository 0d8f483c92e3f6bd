#!/bin/sh
# Builds the static program once for the tests that try it: static_build.sh SOURCE BUILD.
mkdir -p "$2" && cd "$2" || exit 1
cmake -S "$1" -B . -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS=-O0 -DNSC_TESTS=OFF -DNSC_WERROR=ON -DNSC_STATIC=ON >log 2>&1 &&
    cmake --build . >>log 2>&1 || { tail -40 log; exit 1; }
! grep 'warning:' log # of the linker
