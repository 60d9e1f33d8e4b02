#!/bin/sh
# SPDX-License-Identifier: MIT
# The Debian packages have the right files and dependencies: package.sh SOURCE_FOLDER SCRATCH_FOLDER BUILD_FOLDER
set -eu
export LC_ALL=C
source=$1 scratch=$2 build=$3
for tool in dpkg-deb dpkg-shlibdeps file; do
    command -v $tool >/dev/null || {
        echo "SKIPPED: cpack makes no Debian packages without $tool"
        exit 77
    }
done

rm -rf "$scratch"
mkdir -p "$scratch"
cpack -G DEB --config "$build/CPackConfig.cmake" -B "$scratch" >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }

faults=0
fault() { echo "$@"; faults=1; }
contents() { dpkg-deb -c "$1" | awk '{ print $6 }'; }
field() { dpkg-deb -f "$1" "$2"; }
hold() { # hold PACKAGE PATTERN...
    package=$1
    shift
    for pattern; do
        contents "$package" | grep -qE "^\./usr/$pattern\$" || fault "$package: holds no $pattern"
    done
}

set -- "$scratch"/sinew-dev_*.deb
hold "$1" include/sinew/sinew.h include/sinew/gpu/gl.h 'lib/.*libsinew\.(a|so)' 'lib/.*libsinew-gl\.(a|so)' \
    'lib/.*cmake/sinew/sinew-config.cmake' 'lib/.*pkgconfig/sinew.pc' share/doc/sinew-dev/copyright \
    share/doc/sinew-dev/changelog.gz share/sinew/shaders/skin.wgsl
field "$1" Depends | grep -q libc6-dev || fault "$1: does not depend on libc6-dev"

if grep -q 'CPACK_COMPONENTS_ALL.*command' "$build/CPackConfig.cmake"; then
    set -- "$scratch"/sinew_*.deb
    hold "$1" bin/sinew share/man/man1/sinew.1.gz share/bash-completion/completions/sinew share/doc/sinew/copyright
    field "$1" Depends | grep -q 'libc6 ' || fault "$1: does not say which libc6 it needs"
    field "$1" Depends | grep -q 'libwebp' || fault "$1: does not depend on libwebp"
fi

version=$(sed -n 's/^project(sinew VERSION \([0-9.]*\).*/\1/p' "$source/CMakeLists.txt")
for package in "$scratch"/*.deb; do
    [ "$(field "$package" Version)" = "$version-1" ] || fault "$package: has the wrong version"
    dpkg-deb -c "$package" | awk '$2 != "root/root" { print; odd = 1 } END { exit odd }' || fault "$package: is not root's"
    contents "$package" | grep -vE '^\./(usr/(bin|include|lib|share)?.*)?$' && fault "$package: the above is out of place"
done
exit $faults
