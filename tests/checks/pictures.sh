#!/bin/sh
# The pictures in README.md, docs/TOUR.md and docs/JOBS.md equal what the program draws, and the steps there are those of the tour. NSC_UPDATE=1
# draws the pictures again.
#
# A picture is a block of code below a comment with the options of render: <!-- picture: --size 100x24 --keys 'Y' -->. One that begins
# with "job" is of a simulated job.
set -eu
program=$1
cd "$2"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$program" generate --force "$folder/example.sqlite" >/dev/null
python3 tests/fleet/simulate.py "$folder/job" 32 200 fifth 1
bad=0
for page in README.md docs/TOUR.md docs/JOBS.md; do
    : >"$folder/page"
    state=text
    while IFS= read -r line || [ -n "$line" ]; do
        case $state,$line in
        text,'<!-- picture: '*' -->')
            options=${line#'<!-- picture: '}
            options=${options%' -->'}
            case $options in job*) ;; *) options="example.sqlite $options" ;; esac
            state=picture
            ;;
        picture,'```')
            printf '%s\n' "$line" >>"$folder/page"
            (cd "$folder" && eval "XDG_STATE_HOME=$folder XDG_CONFIG_HOME=$folder LC_ALL=C.UTF-8 \"$program\" render $options") |
                sed 's/ *$//' >>"$folder/page"
            state=drawn
            continue
            ;;
        drawn,'```') state=text ;;
        drawn,*) continue ;;
        esac
        printf '%s\n' "$line" >>"$folder/page"
    done <"$page"
    if ! cmp -s "$folder/page" "$page"; then
        if [ -n "${NSC_UPDATE:-}" ]; then
            cp "$folder/page" "$page"
        else
            diff -u "$page" "$folder/page" || true
            echo "$page is stale: NSC_UPDATE=1 ctest -R checks/pictures draws it again"
            bad=1
        fi
    fi
done
# The steps without their pictures, and the keys of the pictures that are there: the same screen is not drawn twice.
awk '/^## /{ inside = $0 == "## Seven steps" } inside && /^### /{ on = 1 } !inside { on = 0 } on' docs/TOUR.md >"$folder/steps"
"$program" docs tour >"$folder/tour"
for page in steps tour; do sed '/^<!-- picture/d; /^```$/,/^```$/d' "$folder/$page" | cat -s >"$folder/$page.text"; done
diff "$folder/steps.text" "$folder/tour.text" || { echo "docs/TOUR.md has other steps than nsyscope docs tour"; bad=1; }
grep '^<!-- picture' "$folder/steps" | grep -vxFf "$folder/tour" && { echo "docs/TOUR.md has pictures of other keys than nsyscope docs tour"; bad=1; }
exit $bad
