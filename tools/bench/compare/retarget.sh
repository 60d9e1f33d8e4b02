#!/bin/sh
# SPDX-License-Identifier: MIT
# Retargeted motion next to that of three.js and three-vrm: retarget.sh SINEW SCRATCH_FOLDER
# npm fetches three and three-vrm once; where it cannot, there is nothing to compare with (77). With SINEW_ASSETS the
# characters of other people are compared, with SINEW_CORPUS a take that walks in figures of eight.
set -u

here=$(dirname "$0")
"$here/../../../tests/web/npm.sh" "$2" three@0.187.0 @pixiv/three-vrm@3.5.5 @pixiv/three-vrm-core@3.5.5 || exit
set -- "$1" "$2" models/hero.glb:Walk,Run,Attack,Wave models/golem.glb: models/sprite.vrm: models/scout.glb:
if [ -n "${SINEW_ASSETS:-}" ]; then
    set -- "$@" "$SINEW_ASSETS/kaykit/Knight.glb:Walking_A,Running_A,1H_Melee_Attack_Chop,Cheer" \
        "$SINEW_ASSETS/robotexpressive/RobotExpressive.glb:Walking,Running,Punch,Wave"
fi
set -- "$@" +models/hero.glb:Turn
if [ -n "${SINEW_CORPUS:-}" ]; then # takes that turn, on the hero
    "$1" --quiet retarget "$SINEW_CORPUS/bvh/pymo_8walk.bvh" --onto models/hero.glb --only -o "$2/walk.glb" >"$2/log" || exit
    set -- "$@" "+$2/walk.glb:pymo_8walk"
fi
sinew=$1 scratch=$2
shift 2
exec node "$here/retarget.mjs" "$scratch/node_modules" "$sinew" "$scratch" "$@" 2>/dev/null
