#!/bin/sh
# SPDX-License-Identifier: MIT
# No object that computes poses calls libm's transcendental functions: their last bits differ between libms:
# trigonometry.sh OBJECT... (Leaves out src/core/gltf*, asset* and src/scene/camera.c: a file is read once, and a
# camera's projection isn't a pose.)
set -eu
export LC_ALL=C

nm -A -u "$@" 2>/dev/null | awk '
    { count++; object = $1; symbol = $NF; sub(/:$/, "", object); sub(/^_/, "", symbol) }
    object ~ /\/(core\/(gltf|asset)|scene\/camera)[a-z_]*\.c/ { next }
    symbol ~ /^(sin|cos|sincos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|asinh|acosh|atanh)[fl]?$/ ||
    symbol ~ /^(exp|exp2|exp10|expm1|log|log2|log10|log1p|pow|cbrt|hypot|erf|erfc|tgamma|lgamma|fma)[fl]?$/ {
        print object ": calls " symbol
        faults = 1
    }
    END {
        if (count == 0) { print "no object calls anything: this test reads the wrong files"; faults = 1 }
        exit faults
    }'
