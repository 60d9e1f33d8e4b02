#!/bin/sh
# SPDX-License-Identifier: MIT
# Comments of the public headers lead to what there is: header_references.sh SOURCE_FOLDER
# 1. A header that is named stands beside the one that names it, or is named with its folder below include/sinew.
# 2. A function, type or constant of ours that is named is declared in a public header.
# 3. A file of the documentation or the tools that is named exists.
set -eu
export LC_ALL=C
cd "$1"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
faults=0 names=0
fault() {
    echo "$*"
    faults=$((faults + 1))
}

headers=$(find include/sinew -name '*.h')
# What code declares: everything outside comments.
{
    sed -e 's,//.*,,' $headers
    cat src/gpu/shaders/skin.* # and shaders
} | grep -oE '\b(sinew|SINEW)_[A-Za-z0-9_]+' | sort -u >"$scratch/declared"
# A pair of files, a definition, a variable of the environment, a pattern.
printf '%s\n' sinew_all SINEW_SHARED SINEW_SIMD sinew_x_default >>"$scratch/declared"
sort -u -o "$scratch/declared" "$scratch/declared"

for header in $headers; do
    sed -n 's,.*//,//,p' "$header" >"$scratch/comments"
    for name in $(grep -oE '[A-Za-z_/]+\.h\b' "$scratch/comments" | grep -vE '^(sinew\.h|std[a-z]*\.h)$' | sort -u); do
        names=$((names + 1))
        [ -f "$(dirname "$header")/$name" ] || [ -f "include/sinew/${name#sinew/}" ] || [ -f "include/$name" ] ||
            fault "$header: names $name, which is not beside it, nor below include/sinew"
    done
    for name in $(grep -oE '\b(sinew|SINEW)_[A-Za-z0-9_]+' "$scratch/comments" | grep -v '_$' | sort -u | comm -23 - "$scratch/declared"); do
        # Switches of the build; what sinew_shader_preamble defines.
        case $name in SINEW_NO_* | SINEW_*_LOCATION) continue ;; esac
        grep -q "^$name" "$scratch/declared" && continue # the beginning of names
        fault "$header: names $name, which no public header declares"
    done
    for name in $(grep -oE '\b(docs|tools|examples)/[A-Za-z0-9_/.-]+\.[a-z]+' "$scratch/comments" | sort -u); do
        [ -f "$name" ] || fault "$header: names $name, which does not exist"
    done
done
echo "$names names of headers, $faults faults"
[ $names -gt 50 ] && [ $faults = 0 ]
