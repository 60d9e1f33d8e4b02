#!/bin/sh
# SPDX-License-Identifier: MIT
# The installed package's sinew_assets bakes assets while a program is built, and bakes changed ones again: assets.sh
# SOURCE_FOLDER SCRATCH_FOLDER BUILD_FOLDER COMPILER
set -eu
export LC_ALL=C
source=$1 scratch=$2 build=$3 compiler=$4
quietly() { "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log"; echo "failed: $*"; exit 1; }; }
fail() { echo "$@"; exit 1; }

rm -rf "$scratch"
mkdir -p "$scratch/game/art"
for component in development command; do
    quietly cmake --install "$build" --prefix "$scratch/prefix" --component $component
done
sinew=$scratch/prefix/bin/sinew
cp "$source/tests/packaging/bake_assets/CMakeLists.txt" "$scratch/game"
cat >"$scratch/game/game.c" <<'EOT'
#include <sinew/all.h>
#include <stdio.h>
int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        sinew_asset *asset;
        sinew_error error;
        if (sinew_baked_asset_load_file(argv[i], NULL, &asset, &error) != SINEW_OK) return puts(error.message), 1;
        printf("%d clips, +%s is up\n", (int)asset->clip_count, asset->up == SINEW_UP_Z ? "Z" : "Y");
        sinew_asset_destroy(asset);
    }
    return 0;
}
EOT
cp "$source/models/sword.glb" "$scratch/game/art/sword.glb"
cp "$source/models/golem.glb" "$scratch/game/art/small.glb"
# A .gltf with its own .bin: one node that moves to +X.
cat >"$scratch/game/art/hero one.gltf" <<'EOT'
{"asset": {"version": "2.0"}, "nodes": [{"name": "a"}], "buffers": [{"uri": "keys%20of%20it.bin", "byteLength": 32}],
 "bufferViews": [{"buffer": 0, "byteLength": 8}, {"buffer": 0, "byteOffset": 8, "byteLength": 24}],
 "accessors": [{"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1]},
  {"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC3"}],
 "animations": [{"name": "Go", "samplers": [{"input": 0, "output": 1}], "channels": [{"sampler": 0, "target": {"node": 0,
  "path": "translation"}}]}]}
EOT
zero='\000\000\000\000' one='\000\000\200\077' two='\000\000\000\100'
printf "$zero$one$zero$zero$zero$one$zero$zero" >"$scratch/game/art/keys of it.bin"

for generator in Ninja 'Unix Makefiles'; do
    tool=ninja
    [ "$generator" = Ninja ] || tool=make
    command -v $tool >/dev/null || { echo "SKIPPED: no $tool"; continue; }
    made="$scratch/$tool"
    quietly cmake -G "$generator" -S "$scratch/game" -B "$made" -D CMAKE_C_COMPILER="$compiler" \
        -D CMAKE_PREFIX_PATH="$scratch/prefix"
    quietly cmake --build "$made" --parallel 2
    "$made/game" "$made/assets/hero one.sinew" "$made/assets/sword.sinew" "$made/small.sinew" >"$scratch/said" || fail "not baked"
    [ "$("$made/game" "$made/turned/sword.sinew")" = '0 clips, +Z is up' ] || fail "$tool: OPTIONS are ignored"
    [ "$(wc -c <"$made/small.optimized.glb")" -lt "$(wc -c <"$scratch/game/art/small.glb")" ] || fail "$tool: isn't optimized"

    # Nothing is baked again without a change; a .bin that a .gltf names is one, and only its asset is baked.
    ls -l --time-style=full-iso "$made"/assets/*.sinew "$made"/*.sinew >"$scratch/before"
    quietly cmake --build "$made"
    ls -l --time-style=full-iso "$made"/assets/*.sinew "$made"/*.sinew | cmp - "$scratch/before" || fail "$tool: bakes again"
    sleep 1
    printf "$zero$one$zero$zero$zero$two$zero$zero" >"$scratch/game/art/keys of it.bin"
    quietly cmake --build "$made"
    changed=$(ls -l --time-style=full-iso "$made"/assets/*.sinew "$made"/*.sinew | diff - "$scratch/before" | sed -n 's/^< .*\///p')
    [ "$changed" = 'hero one.sinew' ] || fail "$tool: a changed .bin bakes '$changed'"
    "$sinew" pose "$made/assets/hero one.sinew" --clip Go --time 1 | grep -q '2\.000' || fail "$tool: the changed key isn't baked"
    printf "$zero$one$zero$zero$zero$one$zero$zero" >"$scratch/game/art/keys of it.bin"
done
