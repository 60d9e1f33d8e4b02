#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs ESLint on all JavaScript of the project: scripts/eslint.sh SCRATCH_FOLDER
# npm fetches ESLint and what eslint.config.mjs imports into that folder. The exit status is 77 without npm or a network.
set -eu
cd "$(dirname "$0")/.."
scratch=$1

tests/web/npm.sh "$scratch" eslint@10.15.0 @eslint/js@10.0.1 globals@17.14.0
cp eslint.config.mjs "$scratch"
"$scratch/node_modules/.bin/eslint" --config "$scratch/eslint.config.mjs" --max-warnings 0 .
