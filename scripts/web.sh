#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the WebAssembly modules and assembles the npm package: scripts/web.sh [FOLDER]
# FOLDER (build/web) then has package/, which npm can pack or install, and modules/, which only the studio uses: those of
# its lint report and of the check of its graphs.
# The exit status is 77 without clang and wasi-libc for WebAssembly.
set -eu
cd "$(dirname "$0")/.."
folder=${1:-build/web}
compiler=clang
! command -v clang-16 >/dev/null || compiler=clang-16

mkdir -p "$folder"
echo 'int main(void) { return 0; }' |
    "$compiler" --target=wasm32-wasi -x c - -o "$folder/probe.wasm" 2>"$folder/log" || {
    echo "SKIPPED: $compiler cannot build for WebAssembly; install wasi-libc, lld and clang's run-time library for it"
    exit 77
}

# Ninja starts compilers with less work in between than make. A folder that has been configured keeps its own.
if [ ! -f "$folder/build/CMakeCache.txt" ] && command -v ninja >/dev/null; then
    CMAKE_GENERATOR=${CMAKE_GENERATOR:-Ninja}
    export CMAKE_GENERATOR
fi

unset MAKEFLAGS MAKELEVEL
{
    cmake -S . -B "$folder/build" -D CMAKE_TOOLCHAIN_FILE="$PWD/cmake/toolchain-wasm.cmake" \
        -D CMAKE_C_COMPILER="$compiler" -D CMAKE_BUILD_TYPE=Release -D SINEW_WERROR=ON \
        -D SINEW_BUILD_GL=OFF -D SINEW_BUILD_TOOLS=OFF -D SINEW_BUILD_MODELS=OFF -D SINEW_BUILD_TESTS=OFF -D SINEW_BUILD_EXAMPLES=OFF &&
        cmake --build "$folder/build" --parallel "${JOBS:-$(getconf _NPROCESSORS_ONLN)}" \
            --target sinew-web-simd sinew-web-plain sinew-web-core-simd sinew-web-core-plain sinew-web-character-simd sinew-web-character-plain sinew-web-lint sinew-web-graph sinew-web-retarget sinew-web-optimize sinew-web-solvers
} >"$folder/log" 2>&1 || {
    cat "$folder/log" >&2
    exit 1
}

rm -rf "$folder/package"
cp -R web/package "$folder/package"
cp LICENSE "$folder/package"
scripts/web_constants.py "$folder/package"
scripts/web_constants.py - | "$compiler" --target=wasm32-wasi -std=c17 -I include -I web -fsyntax-only -x c -

# wasm-opt of npm's binaryen makes the modules 6 % smaller. Without it they give the same bits. The first KiB of the memory
# is the end of the stack, which overflows there.
tests/web/npm.sh "$folder/binaryen" binaryen@132.0.0 >/dev/null || echo "binaryen: npm cannot fetch it; the modules will be larger"
optimizer=$folder/binaryen/node_modules/.bin/wasm-opt

# add_module KIND OPTION...: OPTION... are the extensions of WebAssembly that the module uses.
add_module() {
    module=sinew-$1.wasm
    shift
    if [ -e "$optimizer" ]; then
        "$optimizer" -Os --low-memory-unused --enable-mutable-globals "$@" "$folder/build/web/$module" -o "$folder/package/$module"
    else
        cp "$folder/build/web/$module" "$folder/package"
    fi
    chmod 644 "$folder/package/$module" # the linker sets the executable bit
}
# inline_module MODULE TO: a module with SIMD as a string.
inline_module() {
    {
        echo '// SPDX-License-Identifier: MIT'
        echo "// $1: base64 of gzip."
        printf "export default '"
        gzip -9 -n -c "$folder/package/$1" | base64 | tr -d '\n'
        echo "';"
    } >"$folder/package/$2"
}

for kind in '' core- character-; do
    add_module "${kind}simd" --enable-simd --enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext
    add_module "${kind}plain"
done
for kind in '' core-; do
    inline_module "sinew-${kind}simd.wasm" "${kind}simd.js"
done

add_module retarget
add_module optimize
add_module solvers

mkdir -p "$folder/modules"
for module in sinew-lint.wasm sinew-graph.wasm; do
    cp "$folder/build/web/$module" "$folder/modules"
    chmod 644 "$folder/modules/$module"
done
