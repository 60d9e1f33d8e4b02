#!/bin/sh
# SPDX-License-Identifier: MIT
# Shared libraries export exactly what the headers mark SINEW_API, and only need libc and libm:
# shared.sh SOURCE_FOLDER SCRATCH_FOLDER COMPILER
set -eu
export LC_ALL=C

cmake -S "$1" -B "$2" -D CMAKE_C_COMPILER="$3" -D CMAKE_BUILD_TYPE=Debug -D BUILD_SHARED_LIBS=ON \
    -D SINEW_BUILD_TOOLS=OFF -D SINEW_BUILD_MODELS=OFF -D SINEW_BUILD_TESTS=OFF -D SINEW_BUILD_EXAMPLES=OFF \
    >"$2.log" 2>&1 && cmake --build "$2" >>"$2.log" 2>&1 || {
    cat "$2.log"
    exit 1
}

# A declaration's own name stands before its first parenthesis.
declared() {
    awk '
        /^SINEW_API / { match($0, /sinew_[a-z0-9_]+\(/); name = substr($0, RSTART, RLENGTH - 1) }
        /^SINEW_API / { print name }' "$@" | sort
}
exported() { nm -D --defined-only "$1" | awk '$2 != "A" { print $3 }' | sort; }
needed() { readelf -d "$1" | awk -F '[][]' '/NEEDED/ { print $2 }'; }

# same WHAT EXPECTED ACTUAL (files)
same() {
    diff "$2" "$3" && return
    echo "$1: < stands for what was expected, > for what is there"
    exit 1
}

cd "$1/include/sinew"
find . -name '*.h' ! -name gl.h -exec cat {} + >"$2/core.h"
declared "$2/core.h" >"$2/core.declared"
declared gpu/gl.h >"$2/gl.declared"
exported "$2/src/libsinew.so" >"$2/core.exported"
exported "$2/src/libsinew-gl.so" >"$2/gl.exported"
[ -s "$2/core.declared" ] && [ -s "$2/gl.declared" ]
same libsinew.so "$2/core.declared" "$2/core.exported"
same libsinew-gl.so "$2/gl.declared" "$2/gl.exported"

if needed "$2/src/libsinew.so" | grep -vE '^lib[cm]\.'; then
    echo "libsinew.so needs the above besides libc and libm"
    exit 1
fi
