#!/bin/sh
# SPDX-License-Identifier: MIT
# A page and the help of a command have the same rules with the same text:
# rules.sh PAGE IN_HELP ON_PAGE COMMAND...
# IN_HELP is the word of the help, and ON_PAGE that of the page, for rules that need an option or have one.
set -u
export LC_ALL=C
page=$1 in_help=$2 on_page=$3
shift 3

# One rule a line: its id, its severity, "marked" if it has the word, its title.
from_help=$("$@" --help | awk -v word="$in_help" '
    /^The rules/ { rules = 1; next }
    rules && NF > 2 {
        line = $0
        sub(/^ *[a-z-]+ +[a-z]+ +/, "", line)
        marked = sub("^" word " +", "", line) ? " marked" : ""
        print $1 " " $2 marked " " line
    }' | sort)
from_page=$(awk -v word="$on_page" '
    /^### / { id = $2 }
    id != "" && /^\*\*[a-z]+(, [a-z -]+)?\*\*/ {
        line = $0
        gsub(/\*\*/, "", line)
        severity = line
        sub(/[,:].*/, "", severity)
        marked = line ~ "^[a-z]+, " word ":" ? " marked" : ""
        sub(/^[^:]*: /, "", line)
        print id " " severity marked " " line
        id = ""
    }' "$page" | sort)

count=$(echo "$from_help" | grep -c .)
[ "$count" -gt 10 ] || { echo "the help lists $count rules"; exit 1; }
[ "$from_help" = "$from_page" ] && { echo "$count rules agree"; exit 0; }
scratch=$(mktemp -d)
echo "$from_help" >"$scratch/help"
echo "$from_page" >"$scratch/page"
diff "$scratch/help" "$scratch/page"
rm -r "$scratch"
exit 1
