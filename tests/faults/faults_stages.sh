#!/bin/sh
# Each request of the screen to the program (a row of effect.def) does no harm at any stage of loading: before anything is shown,
# while names are read, while the first rows are shown, and after loading.
# A read that never returns holds the load at its stage.
# promises: F6
. "$(dirname "$0")/lib.sh"
"$program" generate --force --kernels 1500 f.sqlite || exit 1

# keys_of EFFECT: prints the keys that make the screen request it.
keys_of() {
    case $1 in
    DETAILS) echo '\x1b[C\x1b[B\r' ;;
    SAVE) echo 'Bhere\r' ;;
    REPAINT) echo '\x0c' ;;
    SUSPEND) echo '\x1a' ;;
    BELL | REFUSED) echo ':nosuch\r' ;;
    REDRAW) echo '++--' ;;
    WORK) echo '/name:a\r' ;;
    COPY) echo 'y' ;;
    SETTINGS) echo 'CwC' ;;
    SHARE) echo 'Bhere\r:bookmarks write shared.json\r' ;;
    TERMINAL) echo ':set mouse off\r' ;;
    QUERY) echo ':sql SELECT count(*) FROM StringIds\r' ;;
    QUERY_STOP) echo ':sql SELECT count(*) FROM StringIds a, StringIds b\r\x1b' ;;
    EXPORT) echo ':export csv all out.csv\r' ;;
    CANCEL_EXPORT) echo ':export csv all out.csv\r\x1b' ;;
    BUILD) echo 't' ;;
    FINDINGS) echo 'e' ;;
    ALIGN) echo ':align start\r' ;;
    RELOAD) echo ':reload\r' ;;
    THEME) echo ':theme light\r' ;;
    QUIT) echo 'q' ;;
    CANCEL_LOAD) echo '\x1b' ;;
    *) fail "no keys for the effect $1" && echo q ;;
    esac
}

# asks STAGE N EFFECT: requests EFFECT while every read from the Nth on waits.
asks() {
    rm -rf state config out.csv shared.json
    keys=$(keys_of "$3")
    rm -f gate
    got=$("$pty" size=30x120 idle keys="$keys" idle shot=screen keys='\x1b\x1b' idle keys='qq' -- \
        env XDG_CONFIG_HOME="$PWD/config" NSC_FAULT_FILE=f.sqlite NSC_FAULT=pread:hold:$2:ever NSC_FAULT_GATE="$PWD/gate" \
        LD_PRELOAD=./fault_read.so "$program" f.sqlite 2>&1)
    case $got in
    "exit=0 ended modes=back screen=back late="[ns]*) ;;
    *) fail "$1, $3: $got" ;;
    esac
}

# The number of reads before a stage is searched for, since it changes with what the program reads.
early=
for n in 100 120 140 160 180 200 220 240; do
    asks search $n REDRAW
    grep -q 'loading' screen && grep -q 'GPU 0' screen && early="$early $n"
done
[ -n "$early" ] || fail "no stage shows the first rows"
early=$(echo $early | cut -d' ' -f1)
for effect in $(sed -n 's/^NSC_EFFECT(\([A-Z_]*\)).*/\1/p' "$tests/../src/view/app/effect.def"); do
    for stage in "nothing 1" "names 60" "first-rows $early" "all 1000000"; do
        # shellcheck disable=SC2086 # two words
        asks $stage $effect
        case $stage.$effect in
        all*.EXPORT) [ -s out.csv ] || fail "nothing was exported when all was read" ;;
        all*.SHARE) [ -s shared.json ] || fail "no bookmarks were shared when all was read" ;;
        first-rows*.EXPORT)
            grep -q 'still being read' screen || fail "it is not said why nothing is exported yet"
            [ -e out.csv ] && fail "the first rows were exported as if they were all"
            ;;
        esac
    done
done
finish
