#!/bin/sh
# SPDX-License-Identifier: MIT
# What `sinew optimize` writes is within its promise for an evaluator that shares nothing with it, and for `sinew compare`; it
# has no error of the Khronos glTF validator that the file had not before; nothing but the animations is changed; and
# optimizing it again gives the same bytes: optimize.sh SINEW MODELS_FOLDER SCRATCH_FOLDER VALIDATOR_FOLDER [--all]
# Also for other people's files, where SINEW_ASSETS names a folder of them. Each is optimized to 0.1, 1 and 5 mm. Without
# --all every fifth of theirs and of the conformance set, fewer runs of each, and at fewer times.
# VALIDATOR_FOLDER is where validator.sh puts the validator; where it or npm's meshoptimizer cannot be had, the test is
# skipped (77).
set -u
export LC_ALL=C

sinew=$1 models=$2 scratch=$3 validator=$4 all=${5:-}
here=$(dirname "$0")
"$here/validator.sh" "$models" "$validator" >/dev/null || exit $?
"$here/../web/npm.sh" "$scratch/npm" meshoptimizer@1.3.0 || exit $?
[ -n "${SINEW_ASSETS:-}" ] || echo "SINEW_ASSETS is not set: no files of other people's are optimized"
exec node "$here/optimize.mjs" "$validator" "$sinew" "$scratch" "$all" "$models" ${SINEW_ASSETS:+"$SINEW_ASSETS"}
