#!/bin/sh
# Help, version, and what a wrong command line gets.
. "$(dirname "$0")/lib.sh"

expect 0 "$program" --help
prints "Commands:"
expect 0 "$program" --version
prints "nsyscope "
for command in open info render bins generate bookmarks docs; do
    expect 0 "$program" $command --help
    prints "nsyscope $command"
done
expect 2 "$program"
says "--help"
expect 2 "$program" --no-such-option x.sqlite
says "--no-such-option: no such option"
expect 2 "$program" info --columns 5 x.sqlite
says "not for nsyscope info"
expect 2 "$program" bins x.sqlite --window 10
says "--window needs T0 T1"
expect 2 "$program" bins x.sqlite --stream 7
says "0:7"
expect 2 "$program" generate a.sqlite b.sqlite
says "one OUT.sqlite at a time"
expect 2 "$program" info --trim 5s 4s x.sqlite
says "the end must lie after the start"
expect 2 "$program" "$(printf -- '--\033]0;x\007')"
[ "$(tr -d '\n' <err | LC_ALL=C grep -c '[[:cntrl:]]')" = 0 ] || fail "a control character of argv reached stderr"
expect 2 "$program" docs nothing
says "docs nothing"
for document in man keys roles bash zsh fish; do
    expect 0 "$program" docs $document
    [ -s out ] || fail "docs $document prints nothing"
done
finish
