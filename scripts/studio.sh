#!/bin/sh
# Gathers the studio, a static page, from its parts: scripts/studio.sh [FOLDER] FOLDER (build/web) has package/ of
# scripts/web.sh, and then studio/, which any web server can serve. Ends with 77 where there is no package.
set -eu
cd "$(dirname "$0")/.."
folder=${1:-build/web}

[ -e "$folder/package/sinew-simd.wasm" ] || {
    echo "SKIPPED: $folder/package, of scripts/web.sh, is not there"
    exit 77
}
rm -rf "$folder/studio"
cp -R web/studio "$folder/studio"
mkdir -p "$folder/studio/shaders" "$folder/studio/models"
cp -R "$folder/package" "$folder/studio/sinew"
cp draw/shaders/* shaders/skin.glsl shaders/skin.wgsl "$folder/studio/shaders"
cp models/hero.glb models/sword.glb "$folder/studio/models"
[ ! -d "$folder/lint" ] || cp "$folder"/lint/*.wasm "$folder/studio"
