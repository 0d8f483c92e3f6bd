#!/bin/sh
# The skill for agents follows the published rules, names only what the program has, and is installed where each agent looks for it.
. "$(dirname "$0")/lib.sh"
skill=$NSC_TEST_SOURCE/docs/agents/nsyscope/SKILL.md
guides=$NSC_TEST_SOURCE/docs/guides

[ "$(wc -l <"$skill")" -lt 200 ] || fail "the skill has 200 lines or more"
[ "$(sed -n '1p;2p;4p' "$skill" | tr '\n' ' ')" = "--- name: nsyscope --- " ] || fail "no frontmatter"
[ "$(sed -n 's/^description: //p' "$skill" | wc -c)" -le 1024 ] || fail "the description is long"
for word in $(grep -o '`nsyscope [a-z-]*' "$skill" | cut -d ' ' -f 2 | sort -u); do expect 0 "$program" "$word" --help; done
"$program" docs zsh >options
for option in $(grep -oE -- '--[a-z][a-z-]+' "$skill" | sort -u); do grep -qF -- "'$option[" options || fail "the skill names $option"; done

expect 0 "$program" skill install
cmp -s out "$skill" || fail "it prints something else"
rm -rf home
mkdir home
for place in claude:.claude codex:.agents cursor:.cursor; do
    folder=home/${place#*:}/skills/nsyscope
    expect 0 "$program" skill install --for "${place%:*}" --to home
    cmp -s "$folder/SKILL.md" "$skill" || fail "$folder: no skill"
    for guide in "$guides"/*.md; do
        cmp -s "$guide" "$folder/references/$(basename "$guide" | cut -c 4-)" || fail "$folder: lacks $guide"
    done
    echo mine >"$folder/SKILL.md"
    expect 2 "$program" skill install --for "${place%:*}" --to home
    says "exists"
    expect 0 "$program" skill install --for "${place%:*}" --to home --force
    cmp -s "$folder/SKILL.md" "$skill" || fail "$folder: not replaced"
done
for reference in $(grep -oE 'references/[a-z]+\.md' "$skill"); do [ -f "home/.claude/skills/nsyscope/$reference" ] || fail "no $reference"; done
expect 2 "$program" skill install --for emacs
says "give claude|codex|cursor"
expect 6 "$program" skill install --to none/there
says none
finish
