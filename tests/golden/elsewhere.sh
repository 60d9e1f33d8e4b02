#!/bin/sh
# SPDX-License-Identifier: MIT
# Other machines compute the same golden hash, kernels with plain C's bits, and the same blend space weights: 64-bit
# ARM in an emulator, and WebAssembly in Node, with and without vectors: elsewhere.sh SOURCE_FOLDER SCRATCH_FOLDER
# JSMN_FOLDER aarch64|wasm [all] Without `all`, only computes the golden hash, with the two-file library and the
# widest vectors.
set -eu
export LC_ALL=C
source=$1 scratch=$2 jsmn=$3 machine=$4 all=${5:-}

skip() { echo "SKIPPED: $*"; exit 77; }
quietly() { "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log"; echo "failed: $*"; exit 1; }; }
program='int main(void) { return 0; }'

rm -rf "$scratch"
mkdir -p "$scratch"
case $machine in
aarch64)
    compiler=aarch64-linux-gnu-gcc target='' flags='' linking=''
    run='qemu-aarch64 -L /usr/aarch64-linux-gnu'
    builds='-O0' targets='golden test_kernels test_update test_offsets test_held test_blend_space'
    ;;
wasm)
    # The stack of the modules of the package. One that overflows stops the program, instead of writing over its data.
    linking=-Wl,--stack-first,-z,stack-size=131072
    compiler=clang target="--target=wasm32-wasi $linking" flags=-msimd128
    run="node --no-warnings $source/cmake/wasi.mjs"
    ! command -v clang-16 >/dev/null || compiler=clang-16
    builds='-O3 -O0 -O0,-msimd128' targets=golden # the others need setjmp
    ;;
esac
levels='widest scalar'
[ -n "$all" ] || builds=-O0 levels=widest
echo "$program" | "$compiler" $target -x c - -o "$scratch/program" 2>/dev/null ||
    skip "no compiler makes programs for $machine"
$run "$scratch/program" 2>/dev/null || skip "nothing runs programs for $machine"

# The library and its tests, optimised.
if [ -n "$all" ]; then
    # jsmn.h lies among headers of this system, which must not be seen by a compiler for another.
    mkdir "$scratch/jsmn"
    cp "$jsmn/jsmn.h" "$scratch/jsmn"
    quietly cmake -S "$source" -B "$scratch/build" -D CMAKE_TOOLCHAIN_FILE="$source/cmake/toolchain-$machine.cmake" \
        -D CMAKE_C_COMPILER="$compiler" -D CMAKE_C_FLAGS="$flags" -D CMAKE_EXE_LINKER_FLAGS="$linking" \
        -D CMAKE_BUILD_TYPE=Release -D SINEW_WERROR=ON \
        -D JSMN_INCLUDE_DIR="$scratch/jsmn" -D SINEW_BUILD_GL=OFF -D SINEW_BUILD_TOOLS=OFF -D SINEW_BUILD_MODELS=OFF \
        -D SINEW_BUILD_EXAMPLES=OFF
    quietly cmake --build "$scratch/build" --target $targets
    quietly ctest --test-dir "$scratch/build" --output-on-failure --no-tests=error \
        -R '^(golden.*|kernels|update|offsets|held|blend_space)$' \
        -E "$([ $machine = wasm ] && echo '^(kernels|update|offsets|held|blend_space)' || echo '^$')"
    grep -E '^ *[0-9]+/[0-9]+ Test' "$scratch/log"
    [ $machine != aarch64 ] ||
        "$source/tests/structure/fused.sh" aarch64-linux-gnu-objdump "$scratch/build/src/libsinew.a"
fi

# The two files that scripts/amalgamate.py makes, without flags of ours.
command -v python3 >/dev/null || exit 0
quietly "$source/scripts/amalgamate.py" "$scratch"
sed 's,<sinew/all.h>,"sinew_all.h",' "$source/tests/golden/golden.c" >"$scratch/golden.c"
cp "$source"/tests/golden/*.h "$scratch"
for build in $builds; do
    quietly "$compiler" $target $(echo "$build" | tr ',' ' ') "$scratch/sinew_all.c" "$scratch/golden.c" \
        -o "$scratch/golden" -lm
    for level in $levels; do
        echo "sinew_all.c, $build, $level:"
        [ $level = widest ] || export SINEW_SIMD=$level
        $run "$scratch/golden" "$source/tests/golden/hash.txt" "$source"/models/hero.glb "$source"/models/sword.glb "$source"/models/windmill.glb
        unset SINEW_SIMD
    done
done
