#!/bin/sh
# SPDX-License-Identifier: MIT
# A program that samples one clip is at most as large as docs/guide.md says: sizes.sh SOURCE_FOLDER SCRATCH_FOLDER
# COMPILER PROCESSOR
# Sizes are those that `size` prints for code and constants. The limits are for Linux on x86-64 and this compiler's family, with
# a margin of about 5 % for other versions.
set -eu
export LC_ALL=C
source=$1 scratch=$2 cc=$3 processor=$4
case $(uname -s)-$processor in
Linux-x86_64) ;;
*) echo "SKIPPED: the limits are for Linux on x86-64" && exit 77 ;;
esac
command -v size >/dev/null || { echo "SKIPPED: no size, of binutils" && exit 77; }
faults=0

rm -rf "$scratch"
mkdir -p "$scratch"
"$source/scripts/amalgamate.py" "$scratch"
sed 's,<sinew/sinew.h>,"sinew.h",' "$source/tests/packaging/sample.c" >"$scratch/sample.c"
cd "$scratch"

# check LIMIT FLAG...: builds the program with the command of docs/guide.md, and FLAG...
check() {
    limit=$1
    shift
    "$cc" -Os -DNDEBUG -ffunction-sections -fdata-sections "$@" sample.c sinew.c -o sample -s -Wl,--gc-sections -lm
    printed=$(./sample)
    bytes=$(size sample | awk 'NR == 2 {print $1 + $2}')
    echo "$bytes bytes, at most $limit: $*"
    if [ "$printed" != 1 ] || [ "$bytes" -gt "$limit" ]; then
        echo "the above is too large, or its program prints '$printed' instead of 1"
        faults=$((faults + 1))
    fi
}
no_avx='-DSINEW_NO_AVX512 -DSINEW_NO_AVX2'
if "$cc" --version | grep -q clang; then
    check 169000
    check 139000 -DSINEW_NO_AVX512
    check 105000 $no_avx
    check 77000 -DSINEW_NO_SIMD
    check 65536 -Oz -DSINEW_NO_SIMD -DSINEW_NO_KEYS_U16
else
    check 102000
    check 86000 -DSINEW_NO_AVX512
    check 65536 $no_avx
    check 50000 -DSINEW_NO_SIMD
fi
exit $((faults > 0))
