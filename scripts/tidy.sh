#!/bin/sh
# clang-tidy over every C file of ours that a build compiles: scripts/tidy.sh BUILD_FOLDER
set -eu

# compile_commands.json has one "file" a line. What the build itself generated is not ours to tidy, nor is stb, which
# is all that stb.c holds.
root=$(pwd)
awk -F '"' -v root="$root/" -v build="$(cd "$1" && pwd)/" '
    $2 == "file" && index($4, root) == 1 && index($4, build) != 1 && !/\/stb\.c"/ { print substr($4, length(root) + 1) }' \
    "$1/compile_commands.json" | sort -u |
    xargs -n 1 -P "${JOBS:-$(getconf _NPROCESSORS_ONLN)}" clang-tidy --quiet -p "$1" 2>"$1/tidy.log"
