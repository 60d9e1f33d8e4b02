#!/bin/sh
# Gathers the studio, a static page, from its parts: scripts/studio.sh [FOLDER [NODE_MODULES]] FOLDER (build/web) has
# package/ of scripts/web.sh, and then studio/, which any web server can serve. Ends with 77 where there is no package.
# The decoders of files that meshopt or Draco compressed are npm's meshoptimizer and draco3d, of NODE_MODULES, or fetched
# into FOLDER; where they cannot be had, the studio does without.
set -eu
cd "$(dirname "$0")/.."
folder=${1:-build/web}
modules=${2:-$folder/npm/node_modules}

[ -e "$folder/package/sinew-simd.wasm" ] || {
    echo "SKIPPED: $folder/package, of scripts/web.sh, is not there"
    exit 77
}
rm -rf "$folder/studio"
cp -R web/studio "$folder/studio"
mkdir -p "$folder/studio/shaders" "$folder/studio/models"
cp -R "$folder/package" "$folder/studio/sinew"
cp tools/render/shaders/* src/gpu/shaders/skin.glsl src/gpu/shaders/skin.wgsl "$folder/studio/shaders"
cp models/hero.glb models/sword.glb "$folder/studio/models"
[ ! -d "$folder/lint" ] || cp "$folder"/lint/*.wasm "$folder/studio"

[ $# -gt 1 ] || tests/web/npm.sh "$folder/npm" meshoptimizer@1.3.0 draco3d@1.5.7 >/dev/null 2>&1 || true
decoder=$modules/meshoptimizer/meshopt_decoder.mjs
if [ -e "$decoder" ]; then
    mkdir "$folder/studio/meshoptimizer"
    cp "$decoder" "$folder/studio/meshoptimizer/meshopt_decoder.js" # servers know what .js is, and not all know .mjs
    cp "$modules/meshoptimizer/LICENSE.md" "$folder/studio/meshoptimizer"
else
    echo "The studio will not open files that meshopt compressed: npm cannot fetch the decoder, meshoptimizer."
fi
draco=$modules/draco3d
if [ -e "$draco/draco_decoder.wasm" ]; then
    mkdir "$folder/studio/draco3d"
    cp "$draco/draco_decoder_nodejs.js" "$folder/studio/draco3d/draco_decoder.js" # which browsers run as well
    cp "$draco/draco_decoder.wasm" "$draco/package.json" "$draco/README.md" "$folder/studio/draco3d"
else
    echo "The studio will show no meshes that Draco compressed: npm cannot fetch the decoder, draco3d."
fi
