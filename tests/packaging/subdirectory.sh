#!/bin/sh
# SPDX-License-Identifier: MIT
# In another project's sources, by add_subdirectory or FetchContent, Sinew brings its libraries and nothing else:
# subdirectory.sh SOURCE_FOLDER SCRATCH_FOLDER COMPILER
set -eu
export LC_ALL=C
source=$1 scratch=$2 compiler=$3

quietly() { "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log"; echo "failed: $*"; exit 1; }; }

rm -rf "$scratch"
mkdir -p "$scratch"
for fetch in OFF ON; do
    quietly cmake -S "$source/tests/packaging/subdirectory" -B "$scratch/$fetch" -D CMAKE_C_COMPILER="$compiler" \
        -D SINEW_SOURCE="$source" -D FETCH=$fetch
done
quietly cmake --build "$scratch/ON"
"$scratch/ON/program" "$source/models/hero.glb"
"$scratch/ON/gl_program"
(cd "$scratch/ON" && ctest -N) | grep -q 'Total Tests: 0' || { echo "Sinew has added its tests"; exit 1; }
quietly cmake --install "$scratch/ON" --prefix "$scratch/prefix"
[ ! -e "$scratch/prefix" ] || { echo "Sinew has installed itself"; exit 1; }
