#!/bin/sh
# Each kind of terminal gets only sequences that it understands, or one line that says why it is refused.
# promises: A45 B9 E11 E12
. "$(dirname "$0")/lib.sh"
file=$exports/plain.sqlite

for term in xterm xterm-256color screen tmux-256color linux vt100 no-such-terminal ../../etc/passwd; do
    ends 0 capture=sent $shown keys=+q -- env TERM=$term "$program" "$file"
    is_clean sent
done
# A terminal without an alternate screen is cleared at the end.
ends 0 capture=sent $shown keys=q -- env TERM=vt100 "$program" "$file"
tail -c 40 sent | grep -aqF "$(printf '\033[H\033[J')" || fail "vt100: the screen is left as it was"
for term in dumb ""; do
    ends 2 capture=sent -- env TERM=$term "$program" "$file"
    grep -q TERM sent || fail "TERM='$term': the line does not name TERM"
done
ends 2 -- env -u TERM "$program" "$file"
# Too few file descriptors: the message names the limit and does not blame the terminal.
told=0
for n in 4 5 6 7 8; do
    "$pty" capture=sent -- sh -c 'ulimit -n "$1" && exec "$2" "$3" -c quit' sh $n "$program" "$file" >got 2>&1
    grep -aq '(TERM)' sent && fail "$n descriptors: the terminal is blamed: $(cat sent)"
    grep -aq 'ulimit -n' sent && told=$((told + 1))
done
[ $told -gt 0 ] || fail "no number of descriptors was too small for the screen"

# Colours: none with NO_COLOR, the palette by default, direct colours only if both sides support them.
ends 0 capture=sent $shown keys=q -- env NO_COLOR=1 "$program" "$file"
grep -aqE '\[[0-9;]*(3[0-7]|4[0-7]|[34]8[;:])[0-9;:]*m' sent && fail "NO_COLOR: colours were sent"
ends 0 capture=sent $shown keys=q -- "$program" "$file"
grep -aqE '38;5;[0-9]+' sent || fail "no colour of the palette was sent"
ends 0 capture=sent $shown keys=q -- "$program" --color 16 "$file"
grep -aqE '38;5;[0-9]{3}' sent && fail "--color 16: more than sixteen"
if infocmp xterm-direct >/dev/null 2>&1; then
    ends 0 capture=sent $shown keys=q -- env COLORTERM=truecolor "$program" "$file"
    grep -aqE '38[:;]2[:;]' sent || fail "COLORTERM=truecolor: no direct colour was sent"
    is_clean sent
fi

# The default theme follows the background that the terminal or COLORFGBG reports; without a report it paints its own.
light='48;5;231'
own='48;5;234'
ends 0 capture=sent $shown keys=q -- env -u COLORFGBG "$program" "$file"
grep -aq "$own" sent || fail "the background is not known, and not painted"
ends 0 capture=sent $shown keys='\e]11;rgb:ffff/ffff/ffff\x07' idle keys=q -- env -u COLORFGBG "$program" "$file"
grep -aq "$light" sent || fail "a light terminal gets no light theme"
is_clean sent
ends 0 capture=sent $shown keys='\e]11;rgb:0000/0000/0000\e\\' idle keys='\f' idle keys=q -- env -u COLORFGBG "$program" "$file"
tail -c 2000 sent | grep -aq "$own" && fail "a dark terminal does not keep its own background"
ends 0 capture=sent $shown keys=q -- env COLORFGBG='0;15' "$program" "$file"
grep -aq "$light" sent || fail "COLORFGBG of a light terminal: no light theme"
ends 0 capture=sent $shown keys=q -- env COLORFGBG='0;15' "$program" --theme dusk "$file"
grep -aq "$light" sent && fail "COLORFGBG replaces a theme that was asked for"

# Locales without UTF-8 get ASCII for all names.
for locale in C POSIX en_US.ISO-8859-1; do
    ends 0 capture=sent $shown keys='+?' idle keys=qq -- env LC_ALL=$locale "$program" "$exports/hostile.sqlite"
    is_clean --ascii sent
done
ends 0 capture=sent $shown keys=q -- env -u LC_ALL LANG=xx_YY.UTF-8 "$program" "$file"
LC_ALL=C grep -aq '[^ -~[:cntrl:]]' sent || fail "a UTF-8 locale that is not installed gets ASCII"

# Standard input that is not a terminal, and no terminal at all.
ends 0 $seen keys=q -- sh -c '"$0" "$1" </dev/null' "$program" "$file"
ends 0 $seen keys=q -- sh -c 'sleep 0.1 | "$0" "$1"' "$program" "$file"
timeout 60 setsid -w "$program" "$file" </dev/null >out 2>err || fail "no terminal at all: status $?"
grep -q CUPTI_ACTIVITY_KIND_KERNEL out || fail "no terminal at all: no report on standard output"
finish
