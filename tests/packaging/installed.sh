#!/bin/sh
# SPDX-License-Identifier: MIT
# CMake and pkg-config find the libraries after they were installed and moved, and a program runs with them:
# installed.sh SOURCE_FOLDER SCRATCH_FOLDER COMPILER static|shared
set -eu
export LC_ALL=C
source=$1 scratch=$2 compiler=$3 kind=$4
packaging=$source/tests/packaging
[ "$kind" = shared ] && shared=ON || shared=OFF

quietly() { "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log"; echo "failed: $*"; exit 1; }; }
fail() { echo "$@"; exit 1; }

rm -rf "$scratch"
mkdir -p "$scratch"
quietly cmake -S "$source" -B "$scratch/build" -D CMAKE_C_COMPILER="$compiler" -D CMAKE_BUILD_TYPE=Debug \
    -D BUILD_SHARED_LIBS=$shared -D SINEW_BUILD_TOOLS=OFF -D SINEW_BUILD_MODELS=OFF -D SINEW_BUILD_TESTS=OFF \
    -D SINEW_BUILD_EXAMPLES=OFF
quietly cmake --build "$scratch/build"
quietly cmake --install "$scratch/build" --prefix "$scratch/first"
mv "$scratch/first" "$scratch/prefix"

cd "$scratch/prefix"
for file in include/sinew/sinew.h include/sinew/gpu/gl.h share/doc/sinew/LICENSE share/sinew/shaders/skin.wgsl; do
    [ -f $file ] || fail "$file is not installed"
done
! command -v glslangValidator >/dev/null || [ -f share/sinew/shaders/skin4.vert.spv ] || fail "no SPIR-V is installed"
if grep -rnE "$source|$scratch|jsmn" lib*/cmake lib*/pkgconfig lib*/*/pkgconfig 2>/dev/null; then
    fail "the above leads out of what was installed"
fi
if [ $kind = shared ]; then
    find . -name 'libsinew.so.*.*.*' | grep -q . || fail "libsinew.so has no version"
fi

# CMake finds its own version, but not the next one.
quietly cmake -S "$packaging/find_package" -B "$scratch/found" -D CMAKE_C_COMPILER="$compiler" \
    -D CMAKE_PREFIX_PATH="$scratch/prefix" -D WANTED=0.1
quietly cmake --build "$scratch/found"
"$scratch/found/gl_program" || fail "gl_program does not run"
"$scratch/found/program" "$source/models/hero.glb" >"$scratch/found.txt" || fail "the program does not run"
if cmake -S "$packaging/find_package" -B "$scratch/not_found" -D CMAKE_C_COMPILER="$compiler" \
    -D CMAKE_PREFIX_PATH="$scratch/prefix" -D WANTED=0.2 >/dev/null 2>&1; then
    fail "version 0.1 passes for 0.2"
fi

# So does pkg-config.
PKG_CONFIG_PATH=$(dirname "$(find "$scratch/prefix" -name sinew.pc)")
export PKG_CONFIG_PATH
quietly "$compiler" "$packaging/program.c" -o "$scratch/program" $(pkg-config --cflags --libs sinew)
quietly "$compiler" "$packaging/gl_program.c" -o "$scratch/gl_program" $(pkg-config --cflags --libs sinew-gl)
LD_LIBRARY_PATH=$(pkg-config --variable=libdir sinew)
export LD_LIBRARY_PATH
"$scratch/gl_program" || fail "gl_program does not run"
"$scratch/program" "$source/models/hero.glb" >"$scratch/pkg-config.txt" || fail "the program does not run"

cmp "$scratch/found.txt" "$scratch/pkg-config.txt"
cat "$scratch/found.txt"
