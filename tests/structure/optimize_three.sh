#!/bin/sh
# SPDX-License-Identifier: MIT
# What `sinew optimize` writes is within its promise as three.js shows it, which does not normalize the rotations of linear
# tracks, and its float rotations are unit: optimize_three.sh SINEW MODELS_FOLDER SCRATCH_FOLDER [--all]
# Also for other people's files, where SINEW_ASSETS names a folder of them; without --all every fifth of theirs and of the
# conformance set. Where three.js cannot be had it is skipped (77).
set -u
export LC_ALL=C

sinew=$1 models=$2 scratch=$3 all=${4:-}
here=$(dirname "$0")
"$here/../web/npm.sh" "$scratch/npm" three@0.187.0 meshoptimizer@1.3.0 || exit $?
exec node "$here/optimize_three.mjs" "$scratch/npm/node_modules" "$sinew" "$scratch" "$all" "$models" ${SINEW_ASSETS:+"$SINEW_ASSETS"}
