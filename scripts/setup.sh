#!/bin/sh
# SPDX-License-Identifier: MIT
# What make targets need: scripts/setup.sh [--install] TARGET...
#
# If something is missing, it prints the packages and how to install them, and the exit status is 1. With --install it says what
# it installs, and does: on Debian and Ubuntu with apt-get (through sudo unless root), on macOS with brew. NO_INSTALL=1 forbids
# that. If nothing is missing it prints nothing.
# Checks test for a program, header or library, not for a package: other installations count.
set -eu

installs=false
if [ "${1:-}" = --install ]; then
    installs=true
    shift
fi
targets=${*:-demo}
cc=${CC:-cc}
system=$(uname -s)

# ---- Checks --------------------------------------------------------------------------------------------------

command_there() { command -v "$1"; }
module_there() { pkg-config --exists "$1"; }

header_there() {
    case $system in
    Darwin) echo "#include <$1>" | $cc -I/opt/homebrew/include -I/usr/local/include -E - ;;
    *) echo "#include <$1>" | $cc -E - ;;
    esac
}

# A file in the library folders, such as a driver that is loaded at run time. The compiler finds it, or prints its bare
# name.
library_there() { [ -e "$($cc -print-file-name="$1")" ]; }

# A font, in the folders that tools/render/CMakeLists.txt searches.
font_there() {
    find -L /usr/share/fonts /usr/local/share/fonts /opt/homebrew/share/fonts /Library/Fonts "${HOME:-}/Library/Fonts" \
        -name "$1" 2>/dev/null | grep -q .
}

cmake_there() {
    cmake --version | awk '
        NR == 1 { split($3, v, "."); enough = v[1] > 3 || v[1] == 3 && v[2] >= 22 }
        END { exit !enough }'
}

# The run-time library of clang's sanitizers, a separate package in Debian.
clang_sanitizers_there() { ls "$(clang -print-resource-dir)"/lib/*/libclang_rt.asan*; }
clang_major() { clang -dumpversion 2>/dev/null | cut -d. -f1; }

# need 'Debian packages' 'brew formulas' CHECK ARGUMENTS: adds the packages if the check fails.
need() {
    debian_names=$1 brew_names=$2
    shift 2
    case "$debian " in *" $debian_names "*) return 0 ;; esac
    if ! "$@" >/dev/null 2>&1; then
        missing="${missing:+$missing, }${2:-${1%_there}}"
        debian="$debian $debian_names"
        brew="$brew${brew_names:+ $brew_names}"
    fi
}

# The same for optional Debian packages, without which tests are skipped or the command lacks a feature: they are added
# only if they exist.
wish() {
    for name in $1; do apt-cache show "$name" >/dev/null 2>&1 || return 0; done
    names=$1
    shift
    need "$names" '' "$@"
}

# ---- Requirements of the targets -----------------------------------------------------------------------------

needs_of_build() {
    need 'gcc libc6-dev' '' header_there stdio.h
    need cmake cmake cmake_there
    need pkg-config pkg-config command_there pkg-config
    need libmeshoptimizer-dev '' header_there meshoptimizer.h
    need libstb-dev '' header_there stb/stb_image.h
    need libwebp-dev webp module_there libwebpmux
    need libepoxy-dev libepoxy module_there epoxy
    need libegl-dev '' module_there egl
    need libglfw3-dev glfw module_there glfw3
    need fonts-dejavu-core font-dejavu font_there DejaVuSans.ttf
    wish 'libdraco-dev g++' draco_there
}

# Without it, or without a C++ compiler, the command leaves meshes compressed by Draco empty.
draco_there() { header_there draco/draco_features.h && command_there c++; }

# OpenGL without a display: Mesa behind EGL, and its software driver.
needs_of_drawing() {
    [ "$system" = Linux ] || return 0
    need libegl-mesa0 '' library_there libEGL_mesa.so.0
    need libgl1-mesa-dri '' library_there dri/swrast_dri.so
    need libgles2 '' library_there libGLESv2.so.2 # libepoxy opens it for OpenGL ES, and aborts without it
}

# A virtual display, its keys and mouse, and file drops; without them that test is skipped.
needs_of_window_tests() {
    [ "$system" = Linux ] || return 0
    need xvfb '' command_there Xvfb
    need xdotool '' command_there xdotool
    need libx11-dev '' header_there X11/Xlib.h
}

# Compilers for 64-bit ARM and for WebAssembly, and an emulator for the former; Node runs the latter.
wasm_there() {
    [ -e /usr/lib/wasm32-wasi/libc.a ] && command -v wasm-ld-16 &&
        [ -e "$(clang-16 -print-resource-dir)/lib/wasi/libclang_rt.builtins-wasm32.a" ]
}
needs_of_other_machines() {
    [ "$system" = Linux ] || return 0
    wish 'gcc-aarch64-linux-gnu libc6-dev-arm64-cross' command_there aarch64-linux-gnu-gcc
    wish qemu-user command_there qemu-aarch64
    wish gcc-mingw-w64-x86-64 command_there x86_64-w64-mingw32-gcc
    wish 'clang-16 lld-16 libclang-rt-16-dev-wasm32 wasi-libc' wasm_there
}

needs_of_windows() {
    need gcc-mingw-w64-x86-64 mingw-w64 command_there x86_64-w64-mingw32-gcc
    need 'wine wine64' wine-stable command_there wine
}

need_clang() {
    need clang '' command_there clang
    version=$(clang_major) # unknown until clang is installed: the second pass adds it
    [ -z "$version" ] || need "libclang-rt-$version-dev" '' clang_sanitizers_there
}

needs_of_tests() {
    wish ninja-build command_there ninja # builds without it take longer
    needs_of_window_tests
    need libcmocka-dev cmocka module_there cmocka
    need libjsmn-dev jsmn header_there jsmn.h
    need g++ '' command_there c++
    need_clang
    need glslang-tools glslang command_there glslangValidator
    wish spirv-tools command_there spirv-val
    wish libvulkan-dev header_there vulkan/vulkan.h
    need doxygen doxygen command_there doxygen
    needs_of_npm
    wish chromium chromium_there
    need python3 python command_there python3
    wish dpkg-dev command_there dpkg-shlibdeps
    wish file command_there file
}

chromium_there() { command -v chromium || command -v chromium-browser || command -v google-chrome; }

needs_of_npm() {
    need nodejs node command_there node
    need npm node command_there npm
    [ "$system" != Linux ] || need ca-certificates '' [ -e /etc/ssl/certs/ca-certificates.crt ] # npm fetches by https
}

needs_of_web() {
    need 'gcc libc6-dev' '' header_there stdio.h
    need cmake cmake cmake_there
    need 'clang-16 lld-16 libclang-rt-16-dev-wasm32 wasi-libc' '' wasm_there
    need python3 python command_there python3
}

needs_of_target() {
    case $1 in
    demo | plots) needs_of_build; needs_of_drawing ;;
    models | bench) needs_of_build ;;
    bench-compare | bench-optimize)
        needs_of_build
        needs_of_npm
        ;;
    check) needs_of_build; needs_of_drawing; needs_of_tests ;;
    test | soak) needs_of_build; needs_of_drawing; needs_of_tests; needs_of_other_machines ;;
    coverage)
        needs_of_build; needs_of_drawing; needs_of_tests
        need gcovr gcovr command_there gcovr
        ;;
    tidy)
        needs_of_build; needs_of_drawing; needs_of_tests; needs_of_npm
        need clang-tidy llvm command_there clang-tidy
        need clang-format clang-format command_there clang-format
        ;;
    sweep | fuzz)
        needs_of_build
        need libcmocka-dev cmocka module_there cmocka
        need libjsmn-dev jsmn header_there jsmn.h
        need_clang
        ;;
    mutants)
        needs_of_build; needs_of_drawing
        need python3 python command_there python3
        need libcmocka-dev cmocka module_there cmocka
        need libjsmn-dev jsmn header_there jsmn.h
        ;;
    docs) need doxygen doxygen command_there doxygen ;;
    format) need clang-format clang-format command_there clang-format ;;
    amalgamate)
        need 'gcc libc6-dev' '' header_there stdio.h
        need python3 python command_there python3
        ;;
    interface) need python3 python command_there python3 ;;
    package)
        needs_of_build; needs_of_drawing; needs_of_tests
        need dpkg-dev '' command_there dpkg-shlibdeps
        need file '' command_there file # cpack runs it
        ;;
    web | studio) needs_of_web ;;
    fuzz-web)
        needs_of_web
        need nodejs node command_there node
        ;;
    bench-web)
        needs_of_web
        needs_of_npm
        need chromium '' chromium_there
        ;;
    windows)
        needs_of_build
        need libjsmn-dev jsmn header_there jsmn.h
        need python3 python command_there python3
        needs_of_windows
        ;;
    *)
        echo "setup: '$1': unknown target" >&2
        exit 2
        ;;
    esac
}

look() {
    missing='' debian='' brew=''
    for target in $targets; do needs_of_target "$target"; done
}

# ---- Installing ----------------------------------------------------------------------------------------------

give_up() {
    echo "make $targets: missing: $missing; \`make setup FOR='$targets'\` installs:" >&2
    echo "  Debian, Ubuntu: apt-get install --no-install-recommends$debian" >&2
    [ -z "$brew" ] || echo "  macOS:          brew install$brew" >&2
    [ "$system" != Darwin ] || echo "  (Homebrew has no stb, meshoptimizer and EGL; install them by hand)" >&2
    exit 1
}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# Reads apt-get's output and reports once that it waits: note_waiting SECONDS_WAITED. (Not awk, which may read in blocks.)
note_waiting() {
    noted=$1
    while IFS= read -r line; do
        case $noted$line in
        0*'Could not get lock'*)
            echo "setup: waiting up to $lock_seconds s for another program that installs packages" >&2
            noted=1
            ;;
        esac
    done
}

# One run of apt-get, its output in $log. apt-get waits for the lock of dpkg, but not for that of the package lists.
run_apt() {
    {
        as_root env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get -y -o DPkg::Lock::Timeout="$lock_seconds" "$@" 2>&1
        echo $? >"$log.status"
    } | tee "$log" | note_waiting "$waited"
    return "$(cat "$log.status")"
}
lists_are_locked() { grep -q 'Could not get lock .*/lists/lock' "$log"; }

# Prints apt-get's output only when it fails.
lock_seconds=600
apt() {
    log=$(mktemp)
    status=0 waited=0
    run_apt "$@" || status=$?
    while [ $status != 0 ] && lists_are_locked && [ $waited -lt $lock_seconds ]; do
        sleep 5
        status=0 waited=$((waited + 5))
        run_apt "$@" || status=$?
    done
    [ $status = 0 ] || cat "$log" >&2
    rm -f "$log" "$log.status"
    return $status
}

updated=false
install() {
    echo "make $targets: installing$1"
    if [ "$system" = Darwin ]; then
        brew install $2
        return
    fi
    # A package source that does not respond is ignored: only a failure of the install counts.
    $updated || apt update || echo "setup: apt-get update failed; continuing with the current lists" >&2
    updated=true
    apt install --no-install-recommends $1
}

can_install() {
    $installs && [ -z "${NO_INSTALL:-}" ] || return 1
    if [ "$system" = Darwin ]; then
        [ -n "$brew" ] && command -v brew >/dev/null
    else
        command -v apt-get >/dev/null && { [ "$(id -u)" = 0 ] || command -v sudo >/dev/null; }
    fi
}

look
for round in 1 2; do
    [ -n "$missing" ] || exit 0
    can_install || give_up
    install "$debian" "$brew" || give_up
    look
done
[ -z "$missing" ] || give_up
