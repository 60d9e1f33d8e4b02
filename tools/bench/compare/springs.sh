#!/bin/sh
# SPDX-License-Identifier: MIT
# Spring bones against three-vrm, on a VRM file: springs.sh SPRING_POSE SCRATCH_FOLDER FILE
# npm fetches three and three-vrm once; where it cannot, there is nothing to compare with (77).
set -u

scratch=$2
"$(dirname "$0")/../../../tests/web/npm.sh" "$scratch" three@0.187.0 @pixiv/three-vrm@3.5.5 @pixiv/three-vrm-animation@3.5.5 || exit $?
exec node "$(dirname "$0")/springs.mjs" "$scratch/node_modules" "$1" "$3"
