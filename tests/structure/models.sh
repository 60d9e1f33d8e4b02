#!/bin/sh
# SPDX-License-Identifier: MIT
# The demo models are exactly what their program makes. Each is under 1.2 MB, and avatars are under 300 KB:
# models.sh MAKE_MODELS MODELS_FOLDER SCRATCH_FOLDER
# (gcc and clang make the same bytes at any optimisation, because the build doesn't allow contraction of a*b + c.)
set -u
export LC_ALL=C

rm -rf "$3"
mkdir -p "$3"
"$1" "$3" || exit 1
faults=0
for name in $({ (cd "$2" && ls -- *.glb *.vrm); (cd "$3" && ls -- *.glb *.vrm); } | sort -u); do
    cmp "$2/$name" "$3/$name" || { echo "$name: not what the program makes; 'make models' makes it anew"; faults=1; }
done
for model in "$2"/*.glb "$2"/*.vrm; do
    [ "$(wc -c <"$model")" -lt 1200000 ] || { echo "$model: not under 1.2 MB"; faults=1; }
done
for avatar in scout.glb sprite.vrm; do
    [ "$(wc -c <"$2/$avatar")" -lt 300000 ] || { echo "$avatar: not under 300 KB"; faults=1; }
done
exit $faults
