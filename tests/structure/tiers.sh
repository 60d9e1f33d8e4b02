#!/bin/sh
# SPDX-License-Identifier: MIT
# A header's name tells which files implement it, and a name's prefix tells who may use it: tiers.sh SOURCE_FOLDER
# 1. src/TIER/x*.c implements include/sinew/TIER/x.h, of the core include/sinew/x.h: file names start with a header's.
# 2. Public headers declare sinew_ or SINEW_ names. Names shared only inside the library are sinewi_ or SINEWI_.
# 3. Header guards have unique names.
set -eu
export LC_ALL=C
cd "$1"
faults=0
fault() {
    echo "$*"
    faults=$((faults + 1))
}

files=0
for file in src/core/*.c src/body/*.c src/humanoid/*.c src/scene/*.c src/gpu/*.c src/io/*.c src/motion/*.c; do
    tier=${file#src/} name=${file##*/}
    headers=include/sinew/${tier%%/*}
    [ "${tier%%/*}" != core ] || headers=include/sinew
    stem=${name%.c}
    while [ ! -f "$headers/$stem.h" ]; do
        [ "$stem" != "${stem%_*}" ] || { fault "$file: no header of $headers has the beginning of its name" && break; }
        stem=${stem%_*}
    done
    files=$((files + 1))
done

# The names in code: without comments and strings.
names() {
    cat "$@" | sed -e 's://.*::' -e 's/"[^"]*"//g' | grep -oE '\bsinewi?_[A-Za-z0-9_]+|\bSINEWI?_[A-Za-z0-9_]+' | sort -u
}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
names $(find include -name '*.h') >"$scratch/public"
names $(find src -name '*.[ch]') >"$scratch/used"
# What a build defines.
printf '%s\n' SINEW_NO_AVX2 SINEW_NO_AVX512 SINEW_NO_SIMD SINEW_NO_KEYS_U16 SINEW_NO_COMPRESSION SINEW_SMALL_CHUNKS >>"$scratch/public"
sort -u -o "$scratch/public" "$scratch/public"
for name in $(grep -v -i '^sinewi_' "$scratch/used" | comm -23 - "$scratch/public"); do
    fault "$name: no public header declares it: it must start with sinewi_ or SINEWI_"
done
for name in $(grep -i '^sinewi_' "$scratch/public"); do
    fault "$name: in a public header, but it starts as a private name does"
done

for guard in $(scripts/c_files.sh | grep '\.h$' | xargs grep -hE -A1 '^#ifndef [A-Z0-9_]+_H$' | sed -n 's/^#define //p' | sort | uniq -d); do
    fault "$guard: the guard of more than one header"
done

# A function is declared in one header, at the start of a line.
functions() { cat "$@" | grep -c '^SINEW_API '; }
printf 'public functions: core %s' "$(functions include/sinew/*.h)"
for tier in include/sinew/*/; do printf ', %s %s' "$(basename "$tier")" "$(functions "$tier"*.h)"; done
echo ", all $(functions $(find include -name '*.h'))"
echo "$files files of the tiers, $(wc -l <"$scratch/public") public names, $faults faults"
[ "$faults" = 0 ] && [ "$files" -gt 100 ]
