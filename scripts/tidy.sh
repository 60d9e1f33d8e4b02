#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs clang-tidy on every C file of the project that a build compiles: scripts/tidy.sh BUILD_FOLDER
set -eu

# Assertions count, since they state what the static analyzer cannot know.
# compile_commands.json has one "file" per line. Generated files are excluded, and stb.c, which contains only stb.
root=$(pwd)
awk -F '"' -v root="$root/" -v build="$(cd "$1" && pwd)/" '
    $2 == "file" && index($4, root) == 1 && index($4, build) != 1 && !/\/stb\.c"/ { print substr($4, length(root) + 1) }' \
    "$1/compile_commands.json" | sort -u |
    xargs -n 1 -P "${JOBS:-$(getconf _NPROCESSORS_ONLN)}" clang-tidy --quiet -p "$1" --extra-arg=-UNDEBUG 2>"$1/tidy.log"
