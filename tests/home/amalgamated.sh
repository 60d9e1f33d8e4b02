#!/bin/sh
# The two files that scripts/amalgamate.py makes compile without flags, as C and as C++, and strictly; a program runs
# with them; and however they are compiled, every bit comes out as in the build: amalgamated.sh SOURCE_FOLDER
# SCRATCH_FOLDER BITS_PROGRAM C_COMPILER
set -eu
source=$1 scratch=$2 bits=$3 cc=$4
model=$source/models/hero.glb
case $cc in
*clang*) cxx=clang++ ;;
*) cxx=g++ ;;
esac

rm -rf "$scratch"
mkdir -p "$scratch"
"$source/scripts/amalgamate.py" "$scratch"
cd "$scratch"
for program in program bits; do
    sed 's,<sinew/sinew.h>,"sinew.h",' "$source/tests/home/$program.c" >$program.c
done

# Nothing but a compiler, and nothing to say.
"$cc" -c sinew.c -o plain.o
"$cc" program.c plain.o -o program -lm
./program "$model"
for standard in c11 c17; do
    "$cc" -std=$standard -pedantic-errors -Wall -Wextra -Werror -fsyntax-only sinew.c
done

wanted=$("$bits" "$model")
faults=0
compare() { # compare NAME COMPILER FLAG...
    name=$1 compiler=$2
    shift 2
    "$compiler" "$@" -c sinew.c -o "$name.o"
    "$compiler" "$@" -c bits.c -o bits.o
    "$compiler" bits.o "$name.o" -o bits -lm
    got=$(./bits "$model")
    [ "$got" = "$wanted" ] || { echo "$compiler $*: $got, not $wanted"; faults=1; }
}

fast='-O3 -march=native'
compare c11 "$cc" -std=c11 -O0
compare c17 "$cc" -std=c17 $fast
compare gnu "$cc" $fast
if command -v $cxx >/dev/null; then
    compare cxx17 $cxx -std=c++17 -x c++ -O0
    compare cxx17fast $cxx -std=c++17 -x c++ $fast
fi

# Nor is there a fused instruction, where this machine has them.
if command -v objdump >/dev/null && objdump -d gnu.o | grep -E '\<(vfn?m(add|sub)|fmla|fmls|fn?m(add|sub))'; then
    echo "$cc $fast: contracts"
    faults=1
fi
exit $faults
