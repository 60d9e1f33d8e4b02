#!/bin/sh
# SPDX-License-Identifier: MIT
# Every public header compiles alone, as C11, C17 and C++17, with every available compiler, and marks every function
# SINEW_API. Every header, public or not, has its own guard: headers.sh SOURCE_FOLDER
set -u
export LC_ALL=C
cd "$1"

faults=0 compiled=0
check() { # check LANGUAGE STANDARD COMPILER
    command -v "$3" >/dev/null || return 0
    for header in $(cd include && find sinew -name "*.h"); do
        printf '#include <%s>\n' "$header" |
            "$3" -x "$1" -std="$2" -pedantic-errors -Wall -Wextra -Werror -Iinclude -fsyntax-only - || {
            echo "$header: not $2 for $3"
            faults=$((faults + 1))
        }
        compiled=$((compiled + 1))
    done
}

for compiler in gcc clang; do
    check c c11 $compiler
    check c c17 $compiler
done
for compiler in g++ clang++; do
    check c++ c++17 $compiler
done
unmarked=$(grep -nE '^[a-z].*\bsinew_[a-z0-9_]+\(' include/sinew/*.h include/sinew/*/*.h | grep -vE ':(typedef|static inline) ')
if [ -n "$unmarked" ]; then
    echo "$unmarked: without SINEW_API"
    faults=$((faults + 1))
fi

unguarded=$(scripts/c_files.sh | grep '\.h$' | xargs awk '
    FNR == 1 { guard = ""; left++; names[left] = FILENAME }
    guard == "" && /^#ifndef / { guard = $2; next }
    guard == "" || !(left in names) { next }
    $0 != "#define " guard { next }
    guard in owner { print owner[guard] " and " FILENAME ": both have the guard " guard }
    { owner[guard] = FILENAME; delete names[left] }
    END { for (i in names) print names[i] ": without a guard" }')
if [ -n "$unguarded" ]; then
    echo "$unguarded"
    faults=$((faults + 1))
fi
echo "$compiled compilations, $faults faults"
[ $compiled -gt 0 ] && [ $faults -eq 0 ]
