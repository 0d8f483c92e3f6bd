#!/bin/sh
# The static program needs no other file: it runs in a folder that holds only it and an export, without /dev, on every terminal.
. "$(dirname "$0")/lib.sh"

command -v unshare >/dev/null && unshare --map-root-user chroot / true 2>/dev/null || { echo "no right to change the root: NOT TESTED"; exit 77; }
program=$NSC_STATIC_BUILD/nsyscope
ldd "$program" 2>&1 | grep -q 'not a dynamic executable' || fail "the program depends on $(ldd "$program")"

rm -rf empty
mkdir empty
cp "$program" empty/nsyscope
cp "$exports/plain.sqlite" empty/export.sqlite
inside() {
    env -i PATH="$PATH" unshare --map-root-user chroot empty /nsyscope "$@"
}
set -f
for words in --version --help 'docs man' 'info export.sqlite' 'summary export.sqlite' 'skill run idle export.sqlite' 'analyze export.sqlite' \
    'render export.sqlite' 'sql export.sqlite SELECT*FROM/**/kernel' 'export export.sqlite --to perfetto'; do
    # shellcheck disable=SC2086
    inside $words >here 2>err || fail "status $?: $words: $(head -3 err)"
    [ -s here ] || fail "prints nothing: $words"
done
set +f
inside --version >version
for part in 'commit: ' 'linked in: SQLite [0-9]' 'ncurses [0-9]' 'zlib [0-9]' 'libunistring [0-9]' 'sandbox: '; do
    grep -q "$part" version || fail "--version says no '$part': $(cat version)"
done
(cd empty && "$program" render export.sqlite) >outside
inside render export.sqlite >inside
cmp -s inside outside || fail "render differs inside: $(diff inside outside | head -5)"

# inside_on TERM VARIABLE...: the screen inside, on a terminal of this kind.
inside_on() {
    type=$1
    shift
    ends 0 capture=sent $shown keys=+q -- env -u LC_ALL TERM="$type" "$@" unshare --map-root-user chroot empty /nsyscope export.sqlite
}
for type in xterm xterm-256color tmux tmux-256color screen screen-256color linux vt100 alacritty kitty xterm-kitty foot wezterm no-such-terminal; do
    inside_on $type LANG=en_US.UTF-8
    is_clean sent
    LC_ALL=C grep -aq '[^ -~[:cntrl:]]' sent || fail "$type: no UTF-8 without files of locales"
    inside_on $type LANG=C
    is_clean --ascii sent
done
inside_on xterm-256color COLORTERM=truecolor LANG=C.UTF-8
grep -aqE '38[:;]2[:;]' sent || fail "COLORTERM=truecolor: no direct colour was sent"
finish
