#!/bin/sh
# SPDX-License-Identifier: MIT
# Whatever Windows builds compiles with mingw-w64: each file in src and of the command, both amalgamated files, and
# the headers after <windows.h>, which defines near, far and many other words: mingw.sh SOURCE_FOLDER SCRATCH_FOLDER
# Links nothing; `make windows` does, and runs the tests.
set -eu
export LC_ALL=C
source=$1 scratch=$2
cc=x86_64-w64-mingw32-gcc
command -v $cc >/dev/null || {
    echo "SKIPPED: there is no $cc (gcc-mingw-w64-x86-64)"
    exit 77
}

rm -rf "$scratch"
mkdir -p "$scratch"
"$source/scripts/amalgamate.py" "$scratch"
printf '#include <windows.h>\n#include <sinew/all.h>\n#include <sinew/gpu/gl.h>\n' >"$scratch/after_windows.c"
printf '#include <windows.h>\n#include "sinew.h"\n' >"$scratch/two_after_windows.c"

# -Wno-float-conversion: isfinite(double) of that library warns (cmake/options.cmake).
flags='-std=c17 -fsyntax-only -Wall -Wextra -Wconversion -Wno-float-conversion -Werror'
{
    find "$source/src" -name '*.c'
    ls "$scratch"/*.c
} | sort | xargs -n 8 -P "${JOBS:-2}" $cc $flags -Wno-misleading-indentation -I "$source/include" -I "$source/src"

# The command, without what draws and what is of POSIX. It has the functions of meshoptimizer from web/meshopt.
for folder in cli compare continuity files graph lint meshes numbers optimize reference retargeting shrink system write; do
    find "$source/tools/$folder" -name '*.c'
done | grep -vE '/cli/(bench|bench_budget|render.*|temporary|view)\.c$|/(identity|posix)\.c$' | sort |
    xargs -n 8 -P "${JOBS:-2}" $cc $flags -Wno-format -Wno-format-extra-args -Wno-misleading-indentation -D_XOPEN_SOURCE=700 \
        -I "$source/include" -I "$source/src" -I "$source/tools" -I "$source/web/meshopt"
