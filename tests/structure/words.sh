#!/bin/sh
# SPDX-License-Identifier: MIT
# Words that the project does not use: words.sh SOURCE_FOLDER
# words.txt has a pattern for each, and the word to use instead. Texts are read whole; of code, comments and strings.
set -eu
export LC_ALL=C
cd "$1"

texts=$(ls include/sinew/*.h README.md CONTRIBUTING.md SECURITY.md docs/*.md docs/howto/*.md docs/sinew.1 web/package/README.md)
# Files that quote what is not to be used: old names beside the new ones.
texts=$(echo "$texts" | grep -vx 'docs/upgrading.md')
code=$(find src tools examples web models -name node_modules -prune -o \( -name '*.[ch]' -o -name '*.glsl' -o -name '*.wgsl' \
    -o -name '*.js' -o -name '*.mjs' -o -name '*.html' -o -name '*.d.ts' \) -print | sort)
scope=${2:-all} # `texts` or `code` alone, to see where they are

awk -v patterns=tests/structure/words.txt -v texts="$(echo $texts)" '
    BEGIN {
        while ((getline line < patterns) > 0) {
            if (line ~ /^#/ || line == "") continue
            at = index(line, "    ")
            pattern[++count] = substr(line, 1, at - 1)
            rest = substr(line, at); sub(/^ +/, "", rest)
            instead[count] = rest
        }
        split(texts, list, " ")
        for (i in list) whole[list[i]]
    }

    # The comment and the strings of a line of code.
    function spoken(line,    out, at) {
        out = ""
        if (line ~ /^[ \t]*\*/ || line ~ /^[ \t]*#?[ \t]*\/\//) return line
        while (match(line, /"([^"\\]|\\.)*"|\/\/.*|\/\*.*\*\/|>[^<>]+</)) {
            out = out " " substr(line, RSTART, RLENGTH)
            line = substr(line, RSTART + RLENGTH)
        }
        return out
    }

    {
        line = tolower(FILENAME in whole ? $0 : spoken($0))
        if (line == "") next
        gsub(/`[^`]*`/, " ", line) # names are checked where they are declared
        gsub(/[^a-z0-9_ .-]/, " ", line)
        gsub(/ +/, " ", line)
        gsub(/in[ -]+place/, " ", line) # a clip that does not travel
        line = " " line " "
        for (i = 1; i <= count; i++) {
            if (match(line, "[ .(-]" pattern[i] "[ .,;:)-]")) {
                printf "%s:%d: \"%s\": say %s\n", FILENAME, FNR, substr(line, RSTART + 1, RLENGTH - 2), instead[i]
                found++
            }
        }
    }

    END { if (found) print found " words that are not to be used"; exit found > 0 }
' $([ "$scope" = code ] || echo $texts) $([ "$scope" = texts ] || echo $code)
