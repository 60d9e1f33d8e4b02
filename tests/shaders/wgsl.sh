#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs a WebGPU program in Node with Dawn, which Chromium also uses: wgsl.sh PROGRAM SCRATCH_FOLDER ARGUMENT...
# npm fetches it once. The test is skipped if it can't (77).
set -u
export LC_ALL=C

dawn=webgpu@0.6.2
program=$1 scratch=$2
shift 2
if [ ! -d "$scratch/node_modules/webgpu" ]; then
    mkdir -p "$scratch"
    npm install --prefix "$scratch" --no-save --no-package-lock --no-audit --no-fund --silent \
        --fetch-retries 1 --fetch-retry-mintimeout 1000 --fetch-timeout 30000 "$dawn" || {
        echo "SKIPPED: npm cannot fetch $dawn"
        exit 77
    }
fi
exec node "$program" "$scratch/node_modules/webgpu/index.js" "$@"
