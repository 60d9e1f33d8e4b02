#!/bin/sh
# SPDX-License-Identifier: MIT
# No instruction in the library multiplies and adds in one: that rounds once where other machines round twice:
# fused.sh OBJDUMP LIBRARY...
set -eu
export LC_ALL=C
objdump=$1
shift
command -v "$objdump" >/dev/null || {
    echo "SKIPPED: there is no objdump"
    exit 77
}

"$objdump" -d --no-show-raw-insn "$@" | awk '
    /^[0-9a-f]+ <.*>:$/ { where = $2 }
    /^ *[0-9a-f]+:/ { count++ }
    # x86-64: vfmadd, vfnmsub, vfmaddsub, ...; 64-bit ARM: fmla, fmls, fmadd, fnmsub, ...
    $2 ~ /^vfn?m(add|sub)/ || $2 ~ /^(fmla|fmls|fmlal2?|fmlsl2?|fcmla|fn?madd|fn?msub)$/ {
        print where " " $0
        faults = 1
    }
    END {
        if (count < 1000) { print "only " count + 0 " instructions: this test reads the wrong files"; faults = 1 }
        exit faults
    }'
