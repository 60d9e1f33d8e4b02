#!/bin/sh
# SPDX-License-Identifier: MIT
# docs/lint.md and `sinew help lint` have the same rules with the same text: lint.sh SOURCE_FOLDER SINEW
set -u
export LC_ALL=C
page=$1/docs/lint.md sinew=$2

# One rule a line: its id, its severity, "fixed" if --fix fixes it, its title.
from_help=$("$sinew" help lint | awk '
    /^The rules/ { rules = 1; next }
    rules && NF > 2 {
        line = $0
        sub(/^ *[a-z-]+ +[a-z]+ +/, "", line)
        fixed = sub(/^fix +/, "", line) ? " fixed" : ""
        print $1 " " $2 fixed " " line
    }' | sort)
from_page=$(awk '
    /^### / { id = $2 }
    id != "" && /^\*\*[a-z]+\*\*/ {
        line = $0
        gsub(/\*\*/, "", line)
        severity = line
        sub(/[,:].*/, "", severity)
        fixed = line ~ /^[a-z]+, fixed:/ ? " fixed" : ""
        sub(/^[^:]*: /, "", line)
        print id " " severity fixed " " line
        id = ""
    }' "$page" | sort)

count=$(echo "$from_help" | grep -c .)
[ "$count" -gt 20 ] || { echo "sinew help lint lists $count rules"; exit 1; }
headings=$(grep -c '^### ' "$page")
[ "$headings" = "$count" ] || { echo "docs/lint.md has $headings rules, sinew help lint $count"; exit 1; }
[ "$from_help" = "$from_page" ] && { echo "$count rules agree"; exit 0; }
scratch=$(mktemp -d)
echo "$from_help" >"$scratch/help"
echo "$from_page" >"$scratch/page"
diff "$scratch/help" "$scratch/page"
rm -r "$scratch"
exit 1
