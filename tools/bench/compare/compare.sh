#!/bin/sh
# SPDX-License-Identifier: MIT
# Sinew against three.js, on the same hero: compare.sh SINEW BLENDED_POSE HERO SCRATCH_FOLDER
# npm fetches three once; where it cannot, there is nothing to compare with (77).
set -u

three=three@0.187.0
scratch=$4
if [ ! -d "$scratch/node_modules/three" ]; then
    mkdir -p "$scratch"
    npm install --prefix "$scratch" --no-save --no-package-lock --no-audit --no-fund --silent \
        --fetch-retries 1 --fetch-retry-mintimeout 1000 --fetch-timeout 30000 "$three" || {
        echo "SKIPPED: npm cannot fetch $three"
        exit 77
    }
fi
exec node "$(dirname "$0")/three.mjs" "$scratch/node_modules/three" "$1" "$2" "$3"
