#!/bin/sh
# SPDX-License-Identifier: MIT
# Every relative link in the Markdown files has a target, including headings: links.sh SOURCE_FOLDER
set -eu
export LC_ALL=C
cd "$1"

find . \( -name build -o -name node_modules -o -name '.?*' -o -name shared \) -prune -o -name '*.md' -print | sort |
    xargs awk '
    # The anchor of a heading: lower case, spaces as "-", without punctuation.
    function slug(heading) {
        heading = tolower(heading)
        gsub(/`/, "", heading)
        gsub(/[^a-z0-9 _-]/, "", heading)
        gsub(/ /, "-", heading)
        return heading
    }

    # A path without "." and "..".
    function plain(path) {
        while (sub(/(^|\/)\.\//, "/", path) || sub(/[^\/.]+\/\.\.\//, "", path)) continue
        sub(/^\//, "", path)
        return path
    }

    function note_links(line,    target) {
        while (match(line, /\]\([^)]*\)/)) {
            target = substr(line, RSTART + 2, RLENGTH - 3)
            line = substr(line, RSTART + RLENGTH)
            if (target ~ /^[a-z]+:/) continue # https: and the like
            n++
            to[n] = target; from[n] = FILENAME; at[n] = FNR
        }
    }

    FNR == 1 { inside = 0 }
    /^ *```/ { inside = !inside; next }
    inside { next }
    /^#+ / { heading = $0; sub(/^#+ /, "", heading); headings[plain(FILENAME) "#" slug(heading)] }
    { note_links($0) }

    function wrong(i, why) { printf "%s:%d: %s: %s\n", from[i], at[i], to[i], why; faults++ }

    END {
        for (i = 1; i <= n; i++) {
            path = to[i]
            sub(/#.*/, "", path)
            if (path ~ /^\//) { wrong(i, "is not a relative path"); continue }
            folder = from[i]
            sub(/[^\/]*$/, "", folder)
            path = path == "" ? plain(from[i]) : plain(folder path)
            if (system("test -e \"./" path "\"") != 0) wrong(i, "is not an existing file")
            else if (to[i] ~ /#/ && !((path substr(to[i], index(to[i], "#"))) in headings)) wrong(i, "is not a heading of that file")
        }
        print n + 0 " links, " faults + 0 " faults"
        if (n < 20) print "too few links found: this test reads the wrong folder"
        exit faults > 0 || n < 20
    }'
