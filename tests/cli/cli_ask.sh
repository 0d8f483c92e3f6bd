#!/bin/sh
# ask: questions in words, the evidence for a user's language model, and skills that a user writes as SQL; then analyze.
. "$(dirname "$0")/lib.sh"

expect 0 "$program" generate --force --kernels 2000 --layers 3 t.sqlite

# goes SKILL QUESTION: ask answers the question with this skill.
goes() {
    expect 0 "$program" ask t.sqlite "$2" --format csv
    grep -q "^Check with,nsyscope skill run $1[ ]" out || fail "'$2' goes not to $1: $(cat out)"
}
goes idle 'why are there bubbles?'

# A shell reads the words of the "Check with" line as they were meant.
expect 0 "$program" ask t.sqlite 'how much time does "a;b$c it'"'"'s" take?' --format csv
sed -n 's/^Check with,.* -p \(.*\) FILE.*/printf %s \1/p' out >line
expect 0 sh line
prints 'name=a;b$c it'"'"'s'
goes idle 'Why is the GPU idle'
goes top_kernels 'which kernels are the hottest'
# A recording without work of a GPU: no GPU is healthy, and the answer is not that of another question.
for question in 'why is the GPU idle' 'are there bubbles?'; do
    expect 0 "$program" ask t.sqlite "$question" --tables nvtx
    prints 'No GPU has work there, so nothing is idle.'
done
# A program reads that such a sentence is no answer.
for words in 'idle --tables nvtx' 'xyzzy' 'idle'; do
    # shellcheck disable=SC2086
    expect 0 "$program" ask t.sqlite $words --format json
    prints "\"status\": \"$([ "$words" = idle ] && echo ok || echo empty)\""
done
expect 0 "$program" ask t.sqlite 'is the GPU bound by the CPU' --tables nvtx
grep -q 'lost events' out && fail "another question is answered: $(cat out)"
prints 'No GPU has work there.'
goes iteration_stats 'which training steps are slow?'
expect 0 "$program" ask t.sqlite 'xyzzy'
prints 'This is no question'
for format in table csv tsv json md; do
    expect 0 "$program" ask t.sqlite 'bubbles' --format $format
    prints 'is idle for'
done

# The language model gets the question and the evidence, never the export. It may be a pipeline.
expect 0 "$program" ask t.sqlite "bubbles; \$(touch owned) \`touch owned\`" --llm 'cat >evidence | true; echo "42"'
prints 42
grep -qF 'Question: bubbles; $(touch owned) `touch owned`' evidence || fail 'the question is not in the evidence'
grep -q '| GPU |' evidence || fail 'the evidence has no tables'
[ ! -e owned ] || fail 'the question was run by a shell'
expect 2 "$program" ask t.sqlite bubbles --llm 'exit 3'
says 'ended with status 3'
env --ignore-signal=CHLD true 2>/dev/null && expect 0 timeout -s KILL 20 env --ignore-signal=CHLD "$program" ask t.sqlite bubbles --llm 'cat >/dev/null'
expect 2 "$program" ask t.sqlite
says 'a question in quotes'

rm -f started
expect 3 "$program" ask missing.sqlite bubbles --llm 'touch started'
[ ! -e started ] || fail 'the command runs without evidence'

# Skills that the user wrote.
rm -rf config
mkdir -p config/nsyscope/skills
XDG_CONFIG_HOME=$PWD/config
export XDG_CONFIG_HOME
cat >config/nsyscope/skills/big.sql <<'SQL'
-- name: big_copies
-- question: Which copies are the largest?
-- words: large* big copy*
-- columns: start, bytes
SELECT start, bytes FROM CUPTI_ACTIVITY_KIND_MEMCPY ORDER BY bytes DESC LIMIT 3
SQL
printf 'SELECT 1 AS one\n' >config/nsyscope/skills/plain.sql
expect 0 "$program" skill list
prints 'Which copies are the largest?'
prints 'yours'
expect 0 "$program" skill run big_copies t.sqlite --format csv
[ "$(sed -n 1p out)" = start,bytes ] || fail "columns are $(sed -n 1p out)"
expect 0 "$program" skill run plain t.sqlite --format json
prints '"key": "plain"'
goes big_copies 'which copies are big and large?'
# A query of the trace has the scope of the options and all files; one of the export's tables does not.
printf -- '-- words: census*\nSELECT count(*) AS n FROM kernel\n' >config/nsyscope/skills/census.sql
for options in '' '--gpu 0' '--filter dur>40us'; do
    # shellcheck disable=SC2086
    expect 0 "$program" skill run census t.sqlite $options --format csv
    # shellcheck disable=SC2086
    [ "$(sed -n 2p out)" = "$("$program" sql t.sqlite $options 'SELECT count(*) FROM kernel' --format csv | sed -n 2p)" ] ||
        fail "census $options: $(sed -n 2p out)"
done
cp t.sqlite again.sqlite
kernels=$("$program" sql t.sqlite 'SELECT 2 * count(*) FROM kernel' --format csv | sed -n 2p)
expect 0 "$program" skill run census t.sqlite again.sqlite --format csv
[ "$(sed -n 2p out)" = "$kernels" ] || fail "census of two: $(sed -n 2p out), not $kernels"
goes census 'what says the census?'
# 100 MB of evidence are cut at the end of a line, and the user and the model are told.
cat >config/nsyscope/skills/avalanche.sql <<'SQL'
-- words: avalanche
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) SELECT i, printf('%.*c', 50000, 'x') AS t FROM n
SQL
expect 0 "$program" ask t.sqlite 'where is the avalanche?' --llm 'tail -n 3 | cut -c 1-30'
says 'the evidence is cut at 64 MiB'
prints 'Note: the evidence is cut here'
sed -n 1p out | grep -q '^| [0-9]* | x' || fail "cut within a line: $(cat out)"
rm config/nsyscope/skills/avalanche.sql
expect 2 "$program" skill run big_copies t.sqlite -p limit=3
says 'takes no parameters'
# A skill about the trace has parameters, units, a window and notes, and comes before one of the program.
cat >config/nsyscope/skills/long.sql <<'SQL'
-- name: long_kernels
-- param: limit count 2 "most rows; 0: all"
-- param: least duration 1us "the shortest"
-- column name text "Kernel"
-- column dur_ns ns "Time"
-- note-if: SELECT printf('%d in all.', count(*)) FROM kernel
-- empty: No kernel is so long.
SELECT short AS name, dur AS dur_ns FROM kernel WHERE dur >= :least
ORDER BY dur DESC, id
SQL
"$program" sql t.sqlite 'SELECT short AS name, dur AS dur_ns FROM kernel WHERE dur >= 1000 ORDER BY dur DESC, id LIMIT 2' --format csv >want 2>>err
expect 0 "$program" skill run long_kernels t.sqlite --format csv
sed '/^$/,$d' out | cmp - want || fail "a skill says something else than its query: $(cat out)"
[ "$(sed -n '2,$p' want | wc -l)" = 2 ] || fail "the query has no rows"
n=$("$program" sql t.sqlite 'SELECT count(*) AS n FROM kernel' --filter 'dur>5us' --format csv 2>>err | sed -n 2p)
expect 0 "$program" skill run long_kernels t.sqlite --filter 'dur>5us'
prints "$n in all."
expect 0 "$program" skill run long_kernels t.sqlite -p least=1000s
prints 'No kernel is so long.'
expect 2 "$program" skill run long_kernels t.sqlite -p least=x
says 'the shortest'
for name in schema_inspect idle; do # a file, and a skill in C
    printf -- '-- name: %s\nSELECT 7 AS mine\n' "$name" >config/nsyscope/skills/own.sql
    expect 0 "$program" skill run "$name" t.sqlite --format csv
    [ "$(sed -n 1p out)" = mine ] || fail "the program's $name comes before the user's"
    expect 0 "$program" skill list
    [ "$(grep -c "^$name " out)" = 1 ] || fail "$name is listed twice"
done
expect 0 "$program" ask t.sqlite 'how long is the GPU idle?' # the program's sentence, of its own skill
prints 'is idle for'
rm config/nsyscope/skills/own.sql

printf 'DELETE FROM StringIds\n' >config/nsyscope/skills/writes.sql
printf -- '-- name: ../x\nSELECT 1\n' >config/nsyscope/skills/bad.sql
expect 2 "$program" skill run writes t.sqlite
grep -q 'bad.sql:1: a skill.s name has' err || fail 'a bad name is not told'
grep -q 'skill writes: queries only read' err || fail "a writing query is not refused: $(cat err)"

# analyze runs all skills and continues if one fails.
expect 0 "$program" analyze t.sqlite
prints 'Findings by the time that could be saved'
prints 'big_copies'
prints 'queries only read'
for format in csv tsv json md; do
    expect 0 "$program" analyze t.sqlite --format $format
done
expect 0 "$program" analyze t.sqlite --range 'iteration #/1'
expect 7 "$program" analyze t.sqlite --trim 100000 100001

finish
