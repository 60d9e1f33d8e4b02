#!/bin/sh
# SPDX-License-Identifier: MIT
# Compiler flags that would change the poses' bits stop the build, with a message that names a flag that helps:
# float_rules.sh SOURCE_FOLDER COMPILER
# Runs nothing, so it covers other processors. Skips a case by name if the compiler lacks its flags.
set -u
export LC_ALL=C
cd "$1"
cc=$2
faults=0 cases=0 skipped=0
fault() {
    echo "$1"
    faults=$((faults + 1))
}

compile() { "$@" -std=c17 -ffreestanding -Isrc -x c -fsyntax-only - 2>&1; }
header='#include "base/float_rules.h"'

has() { # has COMPILER FLAGS...: whether they compile anything
    command -v "$1" >/dev/null && echo 'int one = 1;' | compile "$@" >/dev/null && return
    echo "SKIPPED: $*: not in this compiler"
    skipped=$((skipped + 1))
    return 1
}

refuses() { # refuses ADVICE COMPILER FLAGS...
    advice=$1
    shift
    has "$@" || return 0
    said=$(echo "$header" | compile "$@") && fault "$*: compiles"
    case $said in
    *"$advice"*) ;;
    *) fault "$*: does not advise $advice: $said" ;;
    esac
    cases=$((cases + 1))
}

takes() { # takes COMPILER FLAGS...
    has "$@" || return 0
    said=$(echo "$header" | compile "$@") || fault "$*: $said"
    cases=$((cases + 1))
}

# ---- Fast mathematics -------------------------------------------------------------------------------------------

takes "$cc"
takes "$cc" -O3
refuses -fno-fast-math "$cc" -ffast-math
refuses -fno-fast-math "$cc" -Ofast
takes "$cc" -Ofast -fno-fast-math
refuses -fno-finite-math-only "$cc" -ffinite-math-only
case $("$cc" --version) in
*clang*) echo "SKIPPED: parts of -ffast-math: clang has no macros for them" ;;
*)
    refuses -fno-fast-math "$cc" -funsafe-math-optimizations
    refuses -fno-fast-math "$cc" -freciprocal-math
    ;;
esac

# ---- Wider intermediate results ---------------------------------------------------------------------------------

sse='-msse2 -mfpmath=sse'
refuses "$sse" "$cc" -mfpmath=387
refuses "$sse" "$cc" -mfpmath=both
refuses "$sse" "$cc" -m32 -mfpmath=387
takes "$cc" -m32 $sse
takes "$cc" -mavx512fp16
for clang in "$cc" clang; do
    refuses "$sse" $clang --target=i386-linux-gnu
    takes $clang --target=i386-linux-gnu -msse2
    takes $clang --target=s390x-linux-gnu
done
takes aarch64-linux-gnu-gcc -march=armv8.2-a+fp16

# What a compiler for another processor would say, such as gcc for s390x with -std=c17, said by hand.
says() { echo "-U__FLT_EVAL_METHOD__ -D__FLT_EVAL_METHOD__=$1"; }
advice=-fexcess-precision=fast
! echo | "$cc" -dM -E - | grep -qE '__(x86_64|i386)__' || advice=$sse
if "$cc" --version | grep -q clang; then
    echo "SKIPPED: other values of FLT_EVAL_METHOD: clang lets none be defined"
else
    for value in 0 16 32; do takes "$cc" $(says $value); done
    for value in -1 1 2; do refuses "$advice" "$cc" $(says $value); done
    refuses -fexcess-precision=fast "$cc" -U__x86_64__ -U__i386__ $(says 1)
fi

# ---- Every file that computes with floats -----------------------------------------------------------------------

files=0
for file in $(scripts/c_files.sh | grep '^src/.*\.c$' | grep -v '^src/gpu/gl'); do
    grep -qwE 'float|double|base/simd\.h|kernels/[a-z_]*\.h' "$file" || continue
    files=$((files + 1))
    "$cc" -std=c17 -Iinclude -Isrc -ffast-math -fsyntax-only "$file" 2>&1 |
        grep -q 'float_rules\.h.*error.*-fno-fast-math' || fault "$file: compiles with -ffast-math"
done
[ $files -gt 70 ] || fault "only $files files compute: this test reads the wrong folder"

echo "$cases cases, $files files, $skipped skipped, $faults faults"
[ $cases -gt 4 ] && [ $faults = 0 ]
