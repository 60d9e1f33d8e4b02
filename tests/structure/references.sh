#!/bin/sh
# SPDX-License-Identifier: MIT
# Comments only refer to what exists: references.sh SOURCE_FOLDER
# In the public headers:
# 1. A header that's named is next to the one that names it, or is named with its folder below include/sinew.
# 2. A function, type or constant of ours that's named is declared in a public header.
# 3. A file of the documentation or the tools that's named exists.
# In the library: a source file that's named exists, and a public header is named with its folder below include.
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

find src -name '*.[ch]' | while read -r file; do
    sed -n 's,.*//,//,p' "$file" | grep -oE '[A-Za-z0-9_/]+\.[ch]\b' | sort -u | while read -r name; do
        case $name in std*.h | windows.h | intrin.h | float.h | math.h) continue ;; esac # the system's
        [ -f "src/$name" ] || [ -f "include/$name" ] || [ -f "include/sinew/$name" ] || [ -f "$(dirname "$file")/$name" ] ||
            [ -f "$name" ] || echo "$file: names $name, which is neither beside it nor below src or include"
    done
done >"$scratch/sources"
cat "$scratch/sources"
faults=$((faults + $(wc -l <"$scratch/sources")))
echo "$names names of headers, $faults faults"
[ $names -gt 50 ] && [ $faults = 0 ]
