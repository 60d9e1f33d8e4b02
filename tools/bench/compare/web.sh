#!/bin/sh
# SPDX-License-Identifier: MIT
# Sinew in WebAssembly against three.js, in Node and in Chromium: web.sh PACKAGE HERO SCRATCH_FOLDER
# npm fetches three and playwright-core once; where it cannot, there is nothing to compare with (77).
set -u

here=$(dirname "$0")
"$here/../../../tests/web/npm.sh" "$3" three@0.187.0 playwright-core@1.61.1 || exit
exec node --expose-gc "$here/web.mjs" "$3/node_modules" "$1" "$2" "$3"
