#!/bin/sh
# SPDX-License-Identifier: MIT
# No branch in the library depends on unwritten memory. Runs the golden session and its hash with clang's memory
# sanitizer and the two-file library: uninitialized.sh SOURCE_FOLDER SCRATCH_FOLDER GOLDEN_ARGUMENT...
set -eu
export LC_ALL=C
source=$1 scratch=$2
shift 2
command -v clang >/dev/null || { echo "SKIPPED: clang is not installed" && exit 77; }

rm -rf "$scratch"
mkdir -p "$scratch"
"$source/scripts/amalgamate.py" "$scratch"
cd "$scratch"
sed 's,<sinew/all.h>,"sinew_all.h",' "$source/tests/golden/golden.c" >golden.c
cp "$source"/tests/golden/*.h .
sanitize='-O1 -g1 -fsanitize=memory -fno-omit-frame-pointer'
clang $sanitize golden.c -o probe -c 2>/dev/null || { echo "SKIPPED: clang has no memory sanitizer here" && exit 77; }
clang $sanitize golden.c sinew_all.c -o golden -lm
./golden "$@"
