#!/bin/sh
# SPDX-License-Identifier: MIT
# Fetches the tests' npm packages, once: npm.sh SCRATCH_FOLDER NAME@VERSION...
# Without npm or a network, it's skipped (77), along with the tests that need it.
set -u
export LC_ALL=C

scratch=$1
shift
mkdir -p "$scratch"
[ "$(cat "$scratch/fetched" 2>/dev/null)" = "$*" ] && exit 0
npm install --prefix "$scratch" --no-save --no-package-lock --no-audit --no-fund --silent \
    --fetch-retries 1 --fetch-retry-mintimeout 1000 --fetch-timeout 30000 "$@" || {
    echo "SKIPPED: npm cannot fetch $*"
    exit 77
}
echo "$*" >"$scratch/fetched"
