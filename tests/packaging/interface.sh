#!/bin/sh
# SPDX-License-Identifier: MIT
# scripts/interface.py's JSON agrees with the headers: every function once, and the same sizes, offsets, values and
# types, checked by a compiler. The headers follow the rules of base.h: interface.sh SOURCE_FOLDER SCRATCH_FOLDER
# COMPILER
set -eu
export LC_ALL=C
source=$1 scratch=$2 compiler=$3

rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch"
"$source/scripts/interface.py" interface.json
"$source/tests/packaging/interface_rules.py" interface.json
"$source/tests/packaging/interface.py" interface.json check.c | sort >described
grep -hoE '^SINEW_API [^(]*\(' "$source"/include/sinew/*.h "$source"/include/sinew/*/*.h | grep -oE 'sinew_[a-z0-9_]+\($' | tr -d '(' | sort >declared
[ -s declared ]
diff declared described || { echo "<: in the headers, >: in the JSON"; exit 1; }

# The sizes are for machines with 8-byte pointers.
echo 'typedef int test[sizeof(void *) == 8 ? 1 : -1];' | "$compiler" -x c -fsyntax-only - 2>/dev/null || exit 77
"$compiler" -std=c11 -pedantic-errors -I"$source/include" check.c -o check
./check || { echo "the value of a floating-point constant differs"; exit 1; }
echo "$(wc -l <declared) functions, $(grep -c offsetof check.c) fields"
