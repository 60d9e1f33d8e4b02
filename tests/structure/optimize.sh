#!/bin/sh
# SPDX-License-Identifier: MIT
# Files from `sinew optimize` keep its promise, for an evaluator that shares nothing with it and for `sinew compare`.
# The Khronos glTF validator finds no new errors in them. Only the animations change. Optimizing them again gives the
# same bytes: optimize.sh SINEW MODELS_FOLDER SCRATCH_FOLDER VALIDATOR_FOLDER [--all] Also checks other people's
# files, if SINEW_ASSETS names their folder. Optimizes each to 0.1, 1 and 5 mm. Without --all, checks every fifth of
# those and of the conformance set, with fewer runs and fewer times. validator.sh puts the validator into
# VALIDATOR_FOLDER. Without it or npm's meshoptimizer, the test is skipped (77).
set -u
export LC_ALL=C

sinew=$1 models=$2 scratch=$3 validator=$4 all=${5:-}
here=$(dirname "$0")
"$here/validator.sh" "$models" "$validator" >/dev/null || exit $?
"$here/../web/npm.sh" "$scratch/npm" meshoptimizer@1.3.0 || exit $?
[ -n "${SINEW_ASSETS:-}" ] || echo "SINEW_ASSETS is not set: no files of other people's are optimized"
exec node "$here/optimize.mjs" "$validator" "$sinew" "$scratch" "$all" "$models" ${SINEW_ASSETS:+"$SINEW_ASSETS"}
