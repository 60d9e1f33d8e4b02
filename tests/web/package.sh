#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests the package like a user gets it: packed, installed from the tarball into an empty project without a network.
# Runs its README's example there: package.sh PACKAGE MODELS SCRATCH_FOLDER
set -eu
export LC_ALL=C
package=$1 models=$2 scratch=$3

[ -e "$package/sinew-simd.wasm" ] || { echo "SKIPPED: the package is not built"; exit 77; }
rm -rf "$scratch"
mkdir -p "$scratch/project"
export npm_config_cache="$scratch/cache" npm_config_update_notifier=false

tarball=$(cd "$package" && npm pack --offline --silent --pack-destination "$scratch")
tar -tzf "$scratch/$tarball" | sort >"$scratch/files"
for file in package.json README.md LICENSE index.d.ts accessors.js action.js animator.js assemble.js asset.js babylon.d.ts \
    babylon.js batch.js bind.js binding.js blendspace.js callback.js character.d.ts character.js characters.js constants.js core.d.ts core.js core-fetch.d.ts core-fetch.js core-simd.js decoders.js \
    driver.js feet.js fetch.d.ts fetch.js given.js graph.js graph.schema.json ik.js importer.js index.js inline.js interface.js internal.js layer.js layouts.js \
    listeners.js load.js loaded.js mixer.js \
    module.js no-importer.js optimize.d.ts optimize.js react.d.ts react.js retarget.d.ts retarget.js retarget-three.d.ts retarget-three.js rig.js scene.js shared.js sidecar.js simd.js sinew.js snapshot.js solver.js solvers.d.ts solvers.js speed.js spring-bones.js springs.js structs.js \
    three.d.ts three.js vectors.js warp.js sinew-character-plain.wasm sinew-character-simd.wasm sinew-core-plain.wasm sinew-core-simd.wasm sinew-optimize.wasm sinew-plain.wasm sinew-retarget.wasm sinew-simd.wasm sinew-solvers.wasm; do
    echo "package/$file"
done | sort | diff - "$scratch/files" || { echo "$tarball has other files"; exit 1; }

cd "$scratch/project"
echo '{ "name": "project", "private": true, "type": "module" }' >package.json
npm install --offline --no-audit --no-fund --silent "$scratch/$tarball"
[ "$(ls node_modules)" = sinew-animation ] || { echo "npm installs more than the package"; exit 1; }

cp "$models/hero.glb" .
awk '/^```/ { inside = $0 == "```js"; next } inside' \
    node_modules/sinew-animation/README.md >example.js
cat >>example.js <<'EOF'

if (palette.length !== 12 * hero.skins[0].jointCount || !palette.every(Number.isFinite)) throw new Error('the palette');
if (Math.abs(walk.getEffectiveWeight() - 2 / 3) > 1e-5) throw new Error(`the weight ${walk.getEffectiveWeight()}`);
if (!(Math.hypot(hand[12], hand[13], hand[14]) > 0.1)) throw new Error(`the hand at ${hand.slice(12, 15)}`);
if (!(upper.weight === 1 && moving.isActive())) throw new Error('the layers');
const grip = guard.mixer.nodeMatrix(hero.findNode('Grip_R'));
if (Math.abs(at[12] - grip[12] - 2) > 1e-5) throw new Error(`the sword at ${at.slice(12, 15)}`);
console.log(`${sinew.simd}: Walk fades to Run`);
EOF
node example.js
