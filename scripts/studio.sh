#!/bin/sh
# SPDX-License-Identifier: MIT
# Assembles the studio, a static page: scripts/studio.sh [FOLDER [NODE_MODULES]]
# FOLDER (build/web) has package/ from scripts/web.sh, and afterwards studio/, which any web server can serve. The exit
# status is 77 without the package. The decoders of files compressed by meshopt or Draco are npm's meshoptimizer and
# draco3d, from NODE_MODULES or fetched into FOLDER; without them the studio does not open such files.
set -eu
cd "$(dirname "$0")/.."
folder=${1:-build/web}
modules=${2:-$folder/npm/node_modules}

[ -e "$folder/package/sinew-simd.wasm" ] || {
    echo "SKIPPED: $folder/package is missing; run scripts/web.sh first"
    exit 77
}
rm -rf "$folder/studio"
cp -R web/studio "$folder/studio"
mkdir -p "$folder/studio/shaders" "$folder/studio/models"
cp -R "$folder/package" "$folder/studio/sinew"
cp tools/render/shaders/background.vert tools/render/shaders/wire.frag "$folder/studio/shaders"
cp src/gpu/shaders/skin.glsl src/gpu/shaders/skin.wgsl "$folder/studio/shaders"
cp models/hero.glb models/hero.graph.json models/hero.character.json models/sword.glb "$folder/studio/models"
[ ! -d "$folder/modules" ] || cp "$folder"/modules/*.wasm "$folder/studio"

[ $# -gt 1 ] || tests/web/npm.sh "$folder/npm" meshoptimizer@1.3.0 draco3d@1.5.7 >/dev/null 2>&1 || true
decoder=$modules/meshoptimizer/meshopt_decoder.mjs
if [ -e "$decoder" ]; then
    mkdir "$folder/studio/meshoptimizer"
    cp "$decoder" "$folder/studio/meshoptimizer/meshopt_decoder.js" # not every server knows the type of .mjs
    cp "$modules/meshoptimizer/LICENSE.md" "$folder/studio/meshoptimizer"
else
    echo "meshoptimizer: npm cannot fetch it; the studio will not open files compressed by meshopt"
fi
draco=$modules/draco3d
if [ -e "$draco/draco_decoder.wasm" ]; then
    mkdir "$folder/studio/draco3d"
    cp "$draco/draco_decoder_nodejs.js" "$folder/studio/draco3d/draco_decoder.js" # also runs in browsers
    cp "$draco/draco_decoder.wasm" "$draco/package.json" "$draco/README.md" "$folder/studio/draco3d"
else
    echo "draco3d: npm cannot fetch it; the studio will not show meshes compressed by Draco"
fi
