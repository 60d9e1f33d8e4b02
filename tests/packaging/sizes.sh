#!/bin/sh
# SPDX-License-Identifier: MIT
# A program that samples one clip, and one with the whole library, are at most as large as docs/install.md says:
# sizes.sh SOURCE_FOLDER SCRATCH_FOLDER COMPILER PROCESSOR [all] Without `all`, only for SSE2 and with everything:
# each set of flags compiles for ten seconds. Sizes are what `size` prints for code and constants. The limits are for
# Linux on x86-64 and this compiler's family, with a margin of about 5 % for other versions. The program that
# docs/install.md builds with gcc may have 64 KB, without 16-bit keys: making those also measures their error.
set -eu
export LC_ALL=C
source=$1 scratch=$2 cc=$3 processor=$4 all=${5:-}
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

# compile FLAG...: sinew.o and sample.o, with the flags of docs/install.md and FLAG...
compile() {
    flags=$*
    "$cc" -Os -DNDEBUG -ffunction-sections -fdata-sections "$@" -c sample.c sinew.c
}
# check LIMIT FLAG...: the size of the program, linked with FLAG...
check() {
    limit=$1
    shift
    "$cc" sample.o sinew.o -o sample -s "$@" -lm
    printed=$(./sample)
    bytes=$(size sample | awk 'NR == 2 {print $1 + $2}')
    echo "$bytes bytes, at most $limit: $flags $*"
    if [ "$printed" != 1 ] || [ "$bytes" -gt "$limit" ]; then
        echo "the above is too large, or its program prints '$printed' instead of 1"
        faults=$((faults + 1))
    fi
}
# limits COLLECTED WHOLE FLAG...: compiles with FLAG...; the sizes without and with unused sections
limits() {
    collected=$1 whole=$2
    shift 2
    compile "$@"
    check $collected -Wl,--gc-sections
    check $whole
}
no_u16=-DSINEW_NO_KEYS_U16
no_avx="$no_u16 -DSINEW_NO_AVX512 -DSINEW_NO_AVX2"
no_parts='-DSINEW_NO_GLTF -DSINEW_NO_SKINNING'
if "$cc" --version | grep -q clang; then
    limits 102500 502000 $no_avx
    if [ -n "$all" ]; then
        limits 90000 386000 $no_avx $no_parts
        limits 157000 624000 $no_u16
        limits 131000 562000 $no_u16 -DSINEW_NO_AVX512
        limits 80500 453000 $no_u16 -DSINEW_NO_SIMD
        compile -Oz -DSINEW_NO_SIMD -DSINEW_NO_KEYS_U16
        check 72500 -Wl,--gc-sections
    fi
else
    limits 65536 414000 $no_avx
    if [ -n "$all" ]; then
        limits 65536 313000 $no_avx $no_parts
        limits 99000 496000 $no_u16
        limits 85000 457000 $no_u16 -DSINEW_NO_AVX512
        limits 52000 380000 $no_u16 -DSINEW_NO_SIMD
    fi
fi
exit $((faults > 0))
