#!/bin/sh
# SPDX-License-Identifier: MIT
# Checks that every entry of mutants.txt can be planted: its file exists, its old text occurs exactly once, its tests
# exist, and names are unique: check.sh SOURCE_FOLDER [BUILD_FOLDER [MUTANTS]]
# Takes a second; run.sh, which plants and builds, takes minutes per entry. For an old text that is gone, prints the line
# of the file that is most like its first missing line.
set -eu
export LC_ALL=C
source=$1 build=${2:-} entries=${3:-$1/tests/mutants/mutants.txt}

# The tests are those of the build folder, and those with a source file: a build may leave them out for want of a library.
# Those named shaders_ need Node, and are not checked.
tests=$(cd "$source/tests/unit" && ls test_*.c | sed 's/^test_//; s/\.c$//')
[ -z "$build" ] || tests="$tests $(ctest --test-dir "$build" -N | sed -n 's/^ *Test *#[0-9]*: //p')"

awk -v root="$source" -v tests="$(echo $tests)" -f "$source/tests/mutants/check.awk" "$entries"
