#!/bin/sh
# What cmake --install puts into a prefix, each completion in its shell, and a program built with the library.
. "$(dirname "$0")/lib.sh"
build=$(dirname "$program")
[ -e "$build/docs/nsyscope.1" ] && [ -e "$build/src/libnsyscope.a" ] || { echo "the build is not whole: NOT TESTED"; exit 77; }

rm -rf work
mkdir work
cd work || exit 1
HOME=$PWD/home
export HOME
cmake --install "$build" --prefix "$HOME/.local" >log || fail "cmake --install: $(tail -3 log)"
[ "$(ls -A . | grep -vxE 'home|log')" = "" ] || fail "more than the prefix: $(ls -A .)"
[ "$(ls -A home)" = .local ] || fail "outside the prefix: $(ls -A home)"
DESTDIR=$PWD/dest cmake --install "$build" --prefix /usr >log || fail "DESTDIR: $(tail -3 log)"
(cd home/.local && find . -type f | sort) >here
(cd dest/usr && find . -type f | sort) >there
cmp -s here there || fail "DESTDIR installs other files: $(diff here there | head -3)"
for file in bin/nsyscope include/nsyscope/trace.h share/man/man1/nsyscope.1 share/bash-completion/completions/nsyscope \
    share/zsh/site-functions/_nsyscope share/fish/vendor_completions.d/nsyscope.fish share/nsyscope/themes/default.theme \
    share/nsyscope/keymaps/vim.keymap share/doc/nsyscope/README.md share/doc/nsyscope/LICENSE share/doc/nsyscope/TOUR.md; do
    [ -s "home/.local/$file" ] || fail "not installed: $file"
done
share=$HOME/.local/share
expect 0 home/.local/bin/nsyscope --version

if command -v bash >/dev/null; then
    expect 0 bash --norc -c ". '$share/bash-completion/completions/nsyscope' && complete -p nsyscope"
    prints nsyscope
fi
if command -v zsh >/dev/null; then
    expect 0 zsh -f -c "fpath=('$share/zsh/site-functions' \$fpath); autoload -Uz compinit && compinit -u -D &&
        autoload +X _nsyscope && print -- \$_comps[nsyscope] \$+functions[_nsyscope]"
    prints "_nsyscope 1"
fi
if command -v fish >/dev/null; then
    expect 0 env XDG_DATA_DIRS="$share" PATH="$HOME/.local/bin:$PATH" fish -c 'complete -C "nsyscope ski"'
    prints skill
fi

if nm "$build/src/libnsyscope.a" | grep -qE '__(asan|tsan|gcov)'; then
    echo "the library is instrumented: NO PROGRAM BUILT WITH IT"
    finish
fi
cat >busy.c <<'END'
#include <inttypes.h>
#include <nsyscope/cover.h>
#include <nsyscope/open.h>
#include <stdio.h>
int main(int argc, char **argv) {
    struct nsc_open_options options = NSC_OPEN_OPTIONS_INIT;
    struct nsc_error error;
    struct nsc_capture *capture;
    struct nsc_trace *trace;
    uint32_t n;
    if (argc != 2 || nsc_capture_open(&capture, argv[1], &options, &error) || nsc_capture_load(&trace, capture, NULL, &error))
        return 1;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n);
    for (uint32_t i = 0; i < n; i++)
        if (nsc_trace_device_covers(trace, i))
            printf("%" PRId64 ",%" PRId64 "\n", tracks[i].gpu, nsc_cover_measure(nsc_trace_device_covers(trace, i)->busy, nsc_trace_extent(trace)));
    nsc_trace_free(trace);
    nsc_capture_close(capture);
}
END
PKG_CONFIG_PATH=$(dirname "$(find "$HOME" -name nsyscope.pc)")
export PKG_CONFIG_PATH
# shellcheck disable=SC2046
${CC:-cc} -Wall -Werror busy.c -o busy $(pkg-config --cflags --libs nsyscope) 2>log || fail "no program with the library: $(head -5 log)"
"$program" generate --force export.sqlite >log
expect 0 "$program" skill run breakdown --whole --format csv export.sqlite
awk -F, 'NR > 1 { print $1 "," $4 + $5 }' out >want
expect 0 ./busy export.sqlite
[ -s out ] && cmp -s out want || fail "the program says $(cat out), the breakdown $(cat want)"
finish
