#!/bin/sh
# SPDX-License-Identifier: MIT
# SINEW_NO_RECORDING and the other switches leave out what docs/install.md says, and change no bit of a pose:
# switches.sh SOURCE_FOLDER SCRATCH_FOLDER COMPILER all|few LIBRARY... The libraries are a normal build. The test
# compares them with unoptimised builds of the amalgamated file: with `all`, one for each switch; with `few`, one
# without vectors and one without all parts.
set -eu
export LC_ALL=C
source=$1 scratch=$2 cc=$3 all=${4#few}
shift 4
libraries=$* first=${1%/*}
faults=0
fault() {
    echo "$1"
    faults=$((faults + 1))
}

rm -rf "$scratch"
mkdir -p "$scratch"
"$source/scripts/amalgamate.py" "$scratch"
cd "$scratch"
for program in switches sample; do
    sed 's,<sinew/[a-z]*.h>,"sinew_all.h",' "$source/tests/packaging/$program.c" >$program.c
done

# ---- The library ------------------------------------------------------------------------------------------------

# Warnings find code that is unused without a part. clang also warns about inline functions of headers, because
# sinew.c contains the headers. gcc needs 5 seconds to find misleading indentation in a file of that length, which
# the builds of its sources find.
warnings='-Wall -Wextra -Werror -Wno-misleading-indentation'
case $cc in *clang*) warnings="$warnings -Wno-unused-function" ;; esac

# run NAME: writes the bits of the poses to NAME.bits
run() {
    "./$1" "$source/models/hero.glb" >"$1.bits" || fault "$1: fails as described above"
}
# build NAME DEFINITION...: NAME.o, and a program with it
build() {
    name=$1
    shift
    "$cc" $warnings "$@" -c sinew_all.c -o "$name.o"
    "$cc" $warnings "$@" switches.c "$name.o" -o "$name" -lm
    run "$name"
    cmp normal.bits "$name.bits" || fault "$name: its poses differ from those of the normal build"
}
# build_without_gltf NAME DEFINITION...: the same with a program that needs no file
build_without_gltf() {
    name=$1
    shift
    "$cc" $warnings -D SINEW_NO_GLTF "$@" -c sinew_all.c -o "$name.o"
    "$cc" $warnings -D SINEW_NO_GLTF "$@" sample.c "$name.o" -o "$name" -lm
    [ "$(./"$name")" = 1 ] || fault "$name: samples another position"
}
"$cc" switches.c $libraries -Wl,-rpath,"$first" -o normal -lm
run normal
[ "$(wc -l <normal.bits)" -gt 100 ] || fault "normal: prints no poses"
build no_simd -D SINEW_NO_SIMD
tiers="BODY HUMANOID SCENE GPU IO MOTION"
build_without_gltf none $(printf -- '-D SINEW_NO_%s ' $tiers) -D SINEW_NO_RECORDING -D SINEW_NO_KEYS_U16 -D SINEW_NO_COMPRESSION -D SINEW_NO_SKINNING
if [ -n "$all" ]; then
    for part in RECORDING KEYS_U16 COMPRESSION SKINNING SCENE GPU IO MOTION AVX512 AVX2; do build no_$part -D SINEW_NO_$part; done
    build no_HUMANOID -D SINEW_NO_HUMANOID -D SINEW_NO_IO -D SINEW_NO_MOTION
    build no_BODY -D SINEW_NO_BODY -D SINEW_NO_HUMANOID -D SINEW_NO_SCENE -D SINEW_NO_IO -D SINEW_NO_MOTION
    build_without_gltf no_GLTF
fi

# The library has no kernels of instruction sets that are left out, and on x86-64 it has the others.
kernels_of() { nm $1 2>log | sed -n 's/.* [A-Z] _*sinewi_blend_kernels_\(plain\|128\|avx2\|avx512\)$/\1/p' | sort | tr '\n' ' '; }
if [ -n "$all" ] && [ "$(kernels_of "$libraries")" = '128 avx2 avx512 plain ' ]; then
    [ "$(kernels_of no_AVX512.o)" = '128 avx2 plain ' ] || fault "no_AVX512: has kernels for $(kernels_of no_AVX512.o)"
    [ "$(kernels_of no_AVX2.o)" = '128 plain ' ] || fault "no_AVX2: has kernels for $(kernels_of no_AVX2.o)"
fi
[ "$(kernels_of no_simd.o)" = 'plain ' ] || fault "no_simd: has kernels for $(kernels_of no_simd.o)"

# left_out SWITCH FUNCTION PATTERN: with the switch, sinew_all.h does not declare the function, and builds with it have no
# symbol that matches. The normal library has some.
left_out() {
    switch=$1 function=$2 pattern=$3
    echo "#include \"sinew_all.h\"
          void *function = (void *)$function;" >use.c
    "$cc" -c use.c -o use.o || fault "sinew_all.h does not declare $function"
    if "$cc" -D $switch -c use.c -o use.o 2>log || ! grep -q $function log; then
        cat log
        fault "sinew_all.h declares $function in spite of $switch"
    fi
    for name in none ${all:+no_${switch#SINEW_NO_}}; do
        ! nm "$name.o" | grep -wE "$pattern" || fault "$name: the library has the above"
    done
    nm $libraries 2>log | grep -qwE "$pattern" || fault "the library lacks $pattern"
}
left_out SINEW_NO_RECORDING sinew_mixer_record 'sinew_(mixer|character)_record|sinew_(character_)?replay_[a-z]+'
left_out SINEW_NO_GLTF sinew_gltf_load_file 'sinew_gltf_[a-z_]+'
left_out SINEW_NO_IO sinew_bvh_load_file 'sinew_(bvh|baked)_[a-z_]+'
left_out SINEW_NO_MOTION sinew_graph_bind 'sinew_(graph|animator)_[a-z_]+'
left_out SINEW_NO_SCENE sinew_scene_create 'sinew_scene_[a-z_]+'
left_out SINEW_NO_GPU sinew_bake_create 'sinew_(bake|shader)_[a-z_]+'
left_out SINEW_NO_SKINNING sinew_skin_vertices 'sinew_(skin_(job|vertices|kernels)[a-z0-9_]*|asset_pick(_size)?)'

# ---- CMake and pkg-config ---------------------------------------------------------------------------------------

configure() {
    folder=$1
    shift
    cmake -S "$source" -B "$folder" -D CMAKE_C_COMPILER="$cc" -D SINEW_BUILD_MODELS=OFF \
        -D SINEW_BUILD_EXAMPLES=OFF "$@" >log 2>&1
}
for switch in SINEW_NO_RECORDING ${all:+SINEW_NO_KEYS_U16 SINEW_NO_COMPRESSION SINEW_NO_GLTF SINEW_NO_SKINNING SINEW_NO_SCENE SINEW_NO_GPU SINEW_NO_IO SINEW_NO_MOTION}; do
    configure $switch -D SINEW_BUILD_TOOLS=OFF -D SINEW_BUILD_TESTS=OFF -D $switch=ON || fault "$switch: $(cat log)"
    found=$(sed -n 's/^Cflags:.*-D\(SINEW_NO_[A-Z0-9_]*\)/\1/p' $switch/sinew.pc)
    [ "$found" = $switch ] || fault "$switch: sinew.pc defines '$found'"
    if configure refused-$switch -D SINEW_BUILD_TOOLS=OFF -D $switch=ON || ! grep -q 'SINEW_BUILD_TESTS=OFF' log; then
        fault "$switch: the tests are not refused: $(cat log)"
    fi
done
for switch in SINEW_NO_SIMD ${all:+SINEW_NO_AVX512 SINEW_NO_AVX2}; do
    configure $switch -D SINEW_BUILD_TOOLS=OFF -D SINEW_BUILD_TESTS=OFF -D $switch=ON \
        -D CMAKE_EXPORT_COMPILE_COMMANDS=ON || fault "$switch: $(cat log)"
    grep -q -- "-D$switch" $switch/compile_commands.json || fault "$switch: CMake does not define it"
done
exit $((faults > 0))
