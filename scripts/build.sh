#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds a preset, or some targets of it: scripts/build.sh PRESET [TARGET...]
# Prints one line, and if the build fails, the log without progress lines.
set -eu

preset=$1
shift
log=build/$preset.log
mkdir -p build
echo "Building $preset${1:+: $*}"

if [ $# -eq 0 ]; then
    options='-D SINEW_BUILD_TESTS=ON -D SINEW_WERROR=ON'
elif [ "${1#test_}" != "$1" ]; then
    options='-D SINEW_BUILD_TESTS=ON' # defines the target
elif [ ! -f "build/$preset/CMakeCache.txt" ]; then
    # A build of the command alone needs no test libraries, and no warnings as errors of another compiler.
    options='-D SINEW_BUILD_TESTS=OFF -D SINEW_WERROR=OFF'
else
    options=''
fi

# Ninja finds in no time that there is nothing to do; make takes seconds. A folder that has been configured keeps its own.
if [ ! -f "build/$preset/CMakeCache.txt" ] && command -v ninja >/dev/null; then
    CMAKE_GENERATOR=${CMAKE_GENERATOR:-Ninja}
    export CMAKE_GENERATOR
fi

unset MAKEFLAGS MAKELEVEL # this is a build of its own, with its own number of jobs
{
    cmake --preset "$preset" $options &&
        cmake --build --preset "$preset" --parallel "${JOBS:-$(getconf _NPROCESSORS_ONLN)}" ${1:+--target "$@"}
} >"$log" 2>&1 || {
    grep -vE '^(\[|-- )' "$log" >&2
    exit 1
}
