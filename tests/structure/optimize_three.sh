#!/bin/sh
# SPDX-License-Identifier: MIT
# Files from `sinew optimize` keep its promise in three.js, which doesn't normalize linear tracks' rotations. Their
# float rotations are unit: optimize_three.sh SINEW MODELS_FOLDER SCRATCH_FOLDER [--all] Also checks other people's
# files, if SINEW_ASSETS names their folder; without --all, every fifth of those and of the conformance set. Skipped
# without three.js (77).
set -u
export LC_ALL=C

sinew=$1 models=$2 scratch=$3 all=${4:-}
here=$(dirname "$0")
"$here/../web/npm.sh" "$scratch/npm" three@0.187.0 meshoptimizer@1.3.0 || exit $?
exec node "$here/optimize_three.mjs" "$scratch/npm/node_modules" "$sinew" "$scratch" "$all" "$models" ${SINEW_ASSETS:+"$SINEW_ASSETS"}
