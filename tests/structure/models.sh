#!/bin/sh
# SPDX-License-Identifier: MIT
# The demo models are what their program makes, byte for byte, and each is under 1.2 MB:
# models.sh MAKE_MODELS MODELS_FOLDER SCRATCH_FOLDER
# (gcc and clang at any optimisation make the same bytes, because the build allows no contraction of a*b + c.)
set -u
export LC_ALL=C

rm -rf "$3"
mkdir -p "$3"
"$1" "$3" || exit 1
faults=0
for name in $({ (cd "$2" && ls -- *.glb); (cd "$3" && ls -- *.glb); } | sort -u); do
    cmp "$2/$name" "$3/$name" || { echo "$name: not what the program makes; 'make models' makes it anew"; faults=1; }
done
for model in "$2"/*.glb; do
    [ "$(wc -c <"$model")" -lt 1200000 ] || { echo "$model: not under 1.2 MB"; faults=1; }
done
exit $faults
