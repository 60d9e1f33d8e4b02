#!/bin/sh
# SPDX-License-Identifier: MIT
# The file pairs from scripts/amalgamate.py compile without flags, as C and as C++, and strictly. A program runs with
# them. However they're compiled, and with any vectors, every bit is as it should be: amalgamated.sh SOURCE_FOLDER
# SCRATCH_FOLDER C_COMPILER [all] Without `all`, only without optimisation: as C with vectors and as C++ without.
set -eu
export LC_ALL=C
source=$1 scratch=$2 cc=$3 all=${4:-}
case $cc in
*clang*) cxx=clang++ ;;
*) cxx=g++ ;;
esac

rm -rf "$scratch"
mkdir -p "$scratch"
"$source/scripts/amalgamate.py" "$scratch"
cd "$scratch"
for program in packaging/program golden/golden; do
    sed -e 's,<sinew/sinew.h>,"sinew.h",' -e 's,<sinew/all.h>,"sinew_all.h",' "$source/tests/$program.c" >"${program#*/}.c"
done
cp "$source"/tests/golden/*.h .

# Nothing but a compiler, and nothing to say.
for pair in sinew sinew_all; do
    "$cc" -c $pair.c -o $pair.o 2>said
    [ ! -s said ] || { cat said; echo "$cc -c $pair.c: says the above"; exit 1; }
done
cp sinew_all.o plain.o
"$cc" program.c sinew.o -o program -lm
./program "$source/models/hero.glb"
# gcc needs 5 seconds to find misleading indentation in a file of that length, which the builds of its sources find.
for standard in c11 ${all:+c17}; do
    "$cc" -std=$standard -pedantic-errors -Wall -Wextra -Werror -Wno-misleading-indentation -fsyntax-only sinew_all.c
done

# Flags that would change the bits of poses are refused (tests/structure/float_rules.sh has them all).
if LC_ALL=C "$cc" -ffast-math -fsyntax-only sinew.c 2>said || ! grep -q 'error.*-fno-fast-math' said; then
    cat said
    echo "$cc -ffast-math sinew.c: is not refused"
    exit 1
fi

faults=0
check() { # check NAME LEVELS COMPILER FLAG...: the bits of golden.c with NAME.o, which is compiled unless it is there
    name=$1 levels=${all:+scalar sse2 avx2 avx512 neon}
    levels=${levels:-$2}
    shift 2
    [ -f "$name.o" ] || "$@" -c sinew_all.c -o "$name.o"
    "$@" -c golden.c -o golden.o
    "$1" golden.o "$name.o" -o golden -lm
    for level in $levels; do
        status=0
        SINEW_SIMD=$level ./golden "$source/tests/golden/hash.txt" "$source"/models/hero.glb "$source"/models/sword.glb "$source"/models/windmill.glb >said 2>&1 || status=$?
        [ $status = 0 ] || [ $status = 77 ] || { cat said; echo "$*: $level"; faults=1; }
    done
}

fast='-O3 -march=native'
check plain "avx2 neon" "$cc"
if command -v $cxx >/dev/null; then
    check cxx17 scalar $cxx -std=c++17 -x c++ -O0
    [ -z "$all" ] || check cxx17fast "" $cxx -std=c++17 -x c++ $fast
fi
if [ -n "$all" ]; then
    check c11 "" "$cc" -std=c11 -O0
    check gnu "" "$cc" $fast
    # Nor is there a fused instruction, where this machine has them.
    "$source/tests/structure/fused.sh" objdump gnu.o || [ $? = 77 ] || faults=1
fi
exit $faults
