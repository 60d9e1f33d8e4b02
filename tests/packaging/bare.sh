#!/bin/sh
# SPDX-License-Identifier: MIT
# Without the tools' and tests' libraries, everything else is configured, built and run like in docs/hello.md. The
# rest is left out, with a warning that says what to install: bare.sh SOURCE_FOLDER SCRATCH_FOLDER COMPILER
set -u
source=$1 scratch=$2
export CC="$3" LC_ALL=C
faults=0
fault() {
    echo "$1"
    faults=$((faults + 1))
}

rm -rf "$scratch"
mkdir -p "$scratch"
unset MAKEFLAGS MAKELEVEL

# configure NAME ARGUMENTS...: into $scratch/NAME, with what CMake prints in NAME.log
configure() {
    name=$1
    shift
    (cd "$source" && cmake "$@" -B "$scratch/$name") >"$scratch/$name.log" 2>&1 || {
        cat "$scratch/$name.log"
        fault "$name: does not configure"
    }
    tests=$(ctest --test-dir "$scratch/$name" -N 2>/dev/null | sed -n 's/^ *Test *#[0-9]*: //p')
    targets=$(cmake --build "$scratch/$name" --target help | sed -n 's/^\.\.\. \([^ ]*\).*/\1/p')
}
# What CMake prints is broken into lines.
warns() { # warns NAME WORDS
    tr -s ' \n' '  ' <"$scratch/$1.log" | grep -qF "$2" || fault "$1: does not say '$2'"
}
list_has() { echo "$1" | grep -qx "$2"; }

# with_modules PATTERN: a folder with all modules of pkg-config but those
with_modules() {
    folder=$(mktemp -d "$scratch/modules.XXXXXX")
    for place in $(pkg-config --variable pc_path pkg-config | tr ':' ' '); do
        for module in "$place"/*.pc; do
            [ ! -e "$module" ] || echo "$module" | grep -qE "/($1)\.pc$" || ln -sf "$module" "$folder"
        done
    done
    echo "$folder"
}

# ---- A compiler and CMake alone -------------------------------------------------------------------------

configure bare -S . -D CMAKE_BUILD_TYPE=Debug -D PKG_CONFIG_EXECUTABLE="$scratch/none" -D STB_INCLUDE_DIR=OFF \
    -D MESHOPTIMIZER_LIBRARY=OFF -D SINEW_FONT=OFF -D JSMN_INCLUDE_DIR=OFF
warns bare 'The sinew command and its tests are left out.'
warns bare 'pkg-config libwebp-dev libepoxy-dev libegl-dev libglfw3-dev libstb-dev libmeshoptimizer-dev fonts-dejavu-core'
warns bare 'Tests that are C programs are left out. Missing, by Debian'
warns bare 'pkg-config libcmocka-dev libjsmn-dev'
for test in golden structure_includes docs_links example_hello; do
    list_has "$tests" $test || fault "bare: has no test $test"
done
cmake --build "$scratch/bare" --parallel "${JOBS:-2}" >"$scratch/build.log" 2>&1 || {
    tail -n 20 "$scratch/build.log"
    fault "bare: does not build"
}
(cd "$source" && "$scratch/bare/examples/example_hello") | grep -q 'the sword is .* above the ground' ||
    fault "bare: the program of docs/hello.md does not run"

# ---- One library less -------------------------------------------------------------------------------------------

if command -v pkg-config >/dev/null; then
    PKG_CONFIG_LIBDIR=$(with_modules 'cmocka')
    export PKG_CONFIG_LIBDIR
    configure without-cmocka --preset release
    warns without-cmocka 'names: libcmocka-dev. Install'
    if grep -q 'The sinew command' "$scratch/without-cmocka.log"; then
        echo "SKIPPED: the command without cmocka: this machine lacks other libraries"
    else
        list_has "$targets" sinew-command || fault "without-cmocka: has no target sinew-command"
        list_has "$tests" docs_command || fault "without-cmocka: has no test docs_command"
    fi
    PKG_CONFIG_LIBDIR=$(with_modules 'glfw3|libwebpdemux')
    configure without-glfw -S .
    warns without-glfw 'names: libglfw3-dev. Install'
    list_has "$targets" sinew-command && fault "without-glfw: has a target sinew-command"
else
    echo "SKIPPED: one library less: there is no pkg-config to hide it from"
fi
echo "$faults faults"
[ $faults = 0 ]
