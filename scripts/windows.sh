#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the libraries for Windows, static and shared, and the command; and runs under wine the tests that need no other
# library, and the command: scripts/windows.sh
# With QUICK=1 only the static library, the command, the golden hash and the test of files.
set -eu
cd "$(dirname "$0")/.."
build=build/windows

# jsmn.h is copied, because the other headers of this system must not be visible to a cross compiler.
mkdir -p $build/jsmn
jsmn=$(echo '#include <jsmn.h>' | ${CC:-cc} -E - | sed -n 's/^# 1 "\(.*jsmn\.h\)".*/\1/p' | head -n 1)
cp "$jsmn" $build/jsmn

export WINEPREFIX="$PWD/$build/wine" WINEDEBUG=-all
unset MAKEFLAGS MAKELEVEL DISPLAY
kinds='OFF ON' targets='' tests=.
[ -z "${QUICK:-}" ] || kinds=OFF targets='golden test_files_windows sinew-command' tests='^(golden.*|files_windows)$'
for shared in $kinds; do
    folder=$build/$([ $shared = ON ] && echo shared || echo static)
    echo "Building $folder"
    {
        cmake -S . -B $folder -D CMAKE_TOOLCHAIN_FILE="$PWD/cmake/toolchain-mingw.cmake" -D CMAKE_BUILD_TYPE=Release \
            -D SINEW_WERROR=ON -D BUILD_SHARED_LIBS=$shared -D JSMN_INCLUDE_DIR="$PWD/$build/jsmn" \
            -D SINEW_BUILD_TOOLS=$([ $shared = ON ] && echo OFF || echo ON) -D SINEW_BUILD_MODELS=OFF -D SINEW_BUILD_EXAMPLES=OFF \
            -D SINEW_BUILD_TESTS=$([ $shared = ON ] && echo OFF || echo ON) &&
            cmake --build $folder --parallel "${JOBS:-$(getconf _NPROCESSORS_ONLN)}" ${targets:+--target $targets}
    } >$folder.log 2>&1 || {
        grep -vE '^(\[|-- )' $folder.log >&2
        exit 1
    }
done

# Wine's services have the output of the program that started them, and end 2 seconds after the last program: each test
# would wait for them. So another program runs meanwhile. It ends with its input, when this script does.
wine cmd /c exit >$build/wine.log 2>&1
rm -f $build/input
mkfifo $build/input
wine cmd <$build/input >/dev/null 2>&1 &
exec 9>$build/input
ctest --test-dir $build/static -R "$tests" -LE soak --output-on-failure 9>&-

# The amalgamated files also compile without flags, and give the same bits.
two=$build/amalgamated
scripts/amalgamate.py $two
sed 's,<sinew/all.h>,"sinew_all.h",' tests/golden/golden.c >$two/golden.c
cp tests/golden/*.h $two
x86_64-w64-mingw32-gcc -O3 $two/sinew_all.c $two/golden.c -o $two/golden.exe
wine $two/golden.exe tests/golden/hash.txt models/hero.glb models/sword.glb models/windmill.glb

# The command gives the bits of this system's.
scripts/build.sh release sinew-command
tests/command/windows.sh build/release/sinew $build/static/sinew.exe models $build/command
echo "$build/static/sinew.exe: the command; $build/static/src and $build/shared/src: the libraries"
