#!/bin/sh
# SPDX-License-Identifier: MIT
# docs/graph.md and `sinew help graph` have the same rules with the same text: graph.sh SOURCE_FOLDER SINEW
set -u
export LC_ALL=C
page=$1/docs/graph.md sinew=$2

# One rule a line: its id, its severity, "asset" if it needs --asset, its title.
from_help=$("$sinew" graph check --help | awk '
    /^The rules/ { rules = 1; next }
    rules && NF > 2 {
        line = $0
        sub(/^ *[a-z-]+ +[a-z]+ +/, "", line)
        asset = sub(/^asset +/, "", line) ? " asset" : ""
        print $1 " " $2 asset " " line
    }' | sort)
from_page=$(awk '
    /^### / { id = $2 }
    id != "" && /^\*\*[a-z]+(, with --asset)?\*\*/ {
        line = $0
        gsub(/\*\*/, "", line)
        severity = line
        sub(/[,:].*/, "", severity)
        asset = line ~ /^[a-z]+, with --asset:/ ? " asset" : ""
        sub(/^[^:]*: /, "", line)
        print id " " severity asset " " line
        id = ""
    }' "$page" | sort)

count=$(echo "$from_help" | grep -c .)
[ "$count" -gt 10 ] || { echo "sinew graph check --help lists $count rules"; exit 1; }
[ "$from_help" = "$from_page" ] && { echo "$count rules agree"; exit 0; }
scratch=$(mktemp -d)
echo "$from_help" >"$scratch/help"
echo "$from_page" >"$scratch/page"
diff "$scratch/help" "$scratch/page"
rm -r "$scratch"
exit 1
