#!/bin/sh
# Every text of a file is cleaned before it is printed: hostile names in each text column of each table, through every subcommand,
# skill, report, format and pane; hostile settings, skills, themes and keymaps; pages keep their structure. Skipped without python3.
# promises: B1 B3 B4 B5 B12 B17 C3 C6 C16
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || { echo "SKIPPED: no python3"; exit 77; }
rm -rf work && mkdir work && cd work || exit 1
expect 0 "$program" generate --kernels 300 a.sqlite
python3 "$NSC_TEST_SOURCE/tests/cli/gates.py" "$program" a.sqlite >found 2>&1 || fail "$(cat found)"
cd .. && rm -rf work
finish
