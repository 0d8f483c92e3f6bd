#!/bin/sh
# Help, version, completions, and the messages for a wrong command line.
. "$(dirname "$0")/lib.sh"

expect 0 "$program" --help
prints "Commands:"
expect 0 "$program" --version
prints "nsyscope "
prints "commit: "
prints ": SQLite "
prints "sandbox: "
commands=$(sed -n 's/^NSC_COMMAND\(_ALIAS\)\{0,1\}([^"]*"\([a-z-]*\)".*/\2/p' "$NSC_TEST_SOURCE/src/cli/command.def")
[ "$(echo "$commands" | wc -l)" -gt 20 ] || fail "the table of commands was not read"
expect 0 "$program" --help
cp out help
for command in $commands; do
    grep -q "^ *\(nsyscope \)\{0,1\}$command " help || fail "--help does not list $command"
    expect 0 "$program" $command --help
    prints "nsyscope $command"
done

# The completions contain every subcommand; in bash they complete subcommands and options.
for shell in bash zsh fish; do
    expect 0 "$program" docs $shell
    cp out "completion.$shell"
    for command in $commands; do grep -q -- "$command" "completion.$shell" || fail "$shell does not complete $command"; done
done
if command -v bash >/dev/null; then
    cat >complete.sh <<'END'
. ./completion.bash
for command in "$@"; do
    COMP_WORDS=(nsyscope "${command%?}") COMP_CWORD=1 COMPREPLY=()
    _nsyscope
    [[ " ${COMPREPLY[*]} " == *" $command "* ]] || echo "no $command"
    COMP_WORDS=(nsyscope "$command" --hel) COMP_CWORD=2 COMPREPLY=()
    _nsyscope
    [[ "${COMPREPLY[*]}" == *--help* ]] || echo "no option of $command"
done
END
    expect 0 bash complete.sh $commands
    [ -s out ] && fail "bash completes badly: $(head -3 out)"
fi
mkdir -p nothing && (cd nothing && expect 7 "$program" && says "nsyscope --help") || fail "without a file"
expect 2 "$program" --no-such-option x.sqlite
says "--no-such-option: no such option"
expect 2 "$program" tree --formt csv x.sqlite
says "--formt: no such option; the nearest: format; nsyscope tree --help"
expect 2 "$program" info --columns 5 x.sqlite
says "not for nsyscope info"
expect 2 "$program" bins x.sqlite --window 10
says "--window needs T0 T1"
# A time that is none: the error says what a number without a unit means to the option.
expect 2 "$program" bins x.sqlite --window 0.01 0.03
says "--window: '0.01' is not a whole number of nanoseconds; a number without a unit is ns"
expect 2 "$program" viewer x.sqlite --window 1 soon
says "--window: 'soon' is no time: write a number and ns, us, ms, s, m or h; a number without a unit is seconds"
expect 2 "$program" summary x.sqlite --trim soon 2
says "--trim: 'soon' is no time: write a number and ns, us, ms, s, m or h; a number without a unit is seconds"
expect 2 "$program" info x.sqlite --mem much
says "--mem: 'much' is no size: write a number and K, M, G or T"
expect 2 "$program" bins x.sqlite --stream 7
says "0:7"
expect 2 "$program" generate a.sqlite b.sqlite
says "one OUT.sqlite at a time"
expect 2 "$program" info --trim 5s 4s x.sqlite
says "the end must lie after the start"
expect 2 "$program" "$(printf -- '--\033]0;x\007')"
[ "$(tr -d '\n' <err | LC_ALL=C grep -c '[[:cntrl:]]')" = 0 ] || fail "a control character of argv reached stderr"
# A word that is not a file may be a misspelled subcommand: the message names the nearest one. An existing file of that name
# is opened, and a path is always a file.
rm -f sumary
for words in 'sumary' 'sumary x.sqlite' 'sumary x.sqlite --format json'; do
    expect 3 "$program" $words
    says "sumary: no such command, and no such file; the nearest: summary"
done
expect 3 "$program" version
says "the nearest: --version"
expect 3 "$program" qqqqqq
says "qqqqqq: no such command, and no such file; nsyscope --help lists the commands"
expect 3 "$program" ./sumary
says "cannot open ./sumary"
expect 3 "$program" summary.sqlite
says "cannot open summary.sqlite"
: >sumary
expect 3 "$program" sumary
says "sumary is empty"
grep -q nearest err && fail "a file that is there is taken for a subcommand"
rm -f sumary
expect 2 "$program" docs nothing
says "docs nothing"
for document in man keys roles bash zsh fish; do
    expect 0 "$program" docs $document
    [ -s out ] || fail "docs $document prints nothing"
done
finish
