#!/bin/sh
# Copying sends one clipboard request a key press, in base64, and none to a console, which would print it.
# promises: B11
. "$(dirname "$0")/lib.sh"
file=$exports/plain.sqlite

escape=$(printf '\033')

# Prints the text of the first clipboard request. Names may contain text like the rest of such a request, but never its escape.
first_copy() {
    grep -ao "$escape"']52;c;[A-Za-z0-9+/=]*' "$1" | head -n 1 | cut -d';' -f3 | base64 -d
}

ends 0 capture=sent size=30x100 $shown keys='\t' idle keys=q -- "$program" "$file"
is_clean sent
ends 0 capture=sent size=30x100 $shown keys='\t' idle keys=y idle keys=yy idle keys=q -- "$program" "$file"
is_clean --osc52 3 sent
[ -n "$(first_copy sent)" ] || fail "nothing was copied"
# Names with escape sequences are copied as plain text.
ends 0 capture=sent size=30x100 $shown keys='\t' idle keys=yyy idle keys=q -- "$program" "$exports/hostile.sqlite"
is_clean --osc52 3 sent
first_copy sent | LC_ALL=C grep -q '[[:cntrl:]]' && fail "control characters were copied"

TERM=linux
export TERM
ends 0 capture=sent size=30x100 $shown keys=yyy idle keys=q -- "$program" "$file"
grep -aq "$escape]52" sent && fail "a console was asked to copy"
finish
