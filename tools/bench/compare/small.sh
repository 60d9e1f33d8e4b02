#!/bin/sh
# SPDX-License-Identifier: MIT
# `sinew optimize` next to gltfpack and gltf-transform: small.sh SINEW SCRATCH_FOLDER FILE...
# Prints a table of bytes of animation and of the largest displacement, both by `sinew compare`, and one of bytes of the whole
# files with `sinew optimize --meshes`. npm fetches the tools once; where it cannot, there is nothing to compare with (77). SINEW_ASSETS
# and SINEW_CORPUS add other people's characters; SINEW_CHARACTERS is a folder of further .glb files for the second table.
set -u

here=$(dirname "$0")
sinew=$1 scratch=$2
shift 2
"$here/../../../tests/web/npm.sh" "$scratch" gltfpack@1.3.0 @gltf-transform/cli@4.5.1 || exit
tools=$scratch/node_modules/.bin
if [ -n "${SINEW_ASSETS:-}" ]; then
    set -- "$@" "$SINEW_ASSETS/kaykit/Knight.glb" "$SINEW_ASSETS/robotexpressive/RobotExpressive.glb" \
        "$SINEW_ASSETS/bevy/Fox.glb" "$SINEW_ASSETS/raylib/greenman.glb" "$SINEW_ASSETS/godot-demos/enemy.glb"
fi

# cell MADE: its bytes of animation and its error; "-" if it was not made.
cell() {
    [ -f "$1" ] || { printf ' | -'; return; }
    "$sinew" compare "$file" "$1" --json 2>/dev/null | node -e '
        const { files, worst } = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
        const kib = (files[1].animationData + files[1].animationJson) / 1000, mm = worst.millimetres;
        process.stdout.write(` | ${kib.toFixed(1)} KB, ${mm.toFixed(mm < 10 ? 2 : 0)} mm`);'
}

# size_of MADE: the bytes of a file.
size_of() {
    [ -f "$1" ] || { printf ' | -'; return; }
    printf ' | %s KB' "$(wc -c <"$1" | awk '{ printf "%.1f", $1 / 1000 }')"
}

# error_of MADE: its displacement in millimetres. Where its vertices do not correspond to the authored ones, gltfpack's grid of 14 bits
# is added, which displaces a vertex of 1.8 m by up to 0.095 mm.
error_of() {
    "$sinew" compare "$file" "$1" --json 2>/dev/null | node -e '
        const { worst, carriedVertices } = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
        process.stdout.write((worst.bound + (carriedVertices > 0 ? 0.095 : 0)).toFixed(3));'
}

recipe() {
    "$sinew" lint "$file" --fix "$made.fixed.glb" >/dev/null
    "$tools/gltfpack" -i "$made.fixed.glb" -o "$made.recipe.glb" -cc -af 0 -kn -ke >/dev/null
}

echo '| file | authored | gltfpack | gltf-transform optimize | lint --fix, gltfpack -cc -af 0 -kn -ke | sinew optimize | gltfpack -cc -af 0 -ar 16 -at 24 | sinew optimize --tight |'
echo '|---|---|---|---|---|---|---|---|'
for file; do
    name=$(basename "$file" .glb)
    made=$scratch/$name
    rm -f "$made".*
    recipe
    "$tools/gltfpack" -i "$file" -o "$made.default.glb" -cc -kn >/dev/null
    "$tools/gltf-transform" optimize "$file" "$made.transform.glb" --compress meshopt --texture-compress false --flatten false \
        --join false --instance false --palette false --simplify false >/dev/null 2>&1
    "$tools/gltfpack" -i "$made.fixed.glb" -o "$made.fine.glb" -cc -af 0 -ar 16 -at 24 -kn -ke >/dev/null
    "$sinew" optimize "$file" -o "$made.optimized.glb" >/dev/null
    "$sinew" optimize "$file" -o "$made.tight.glb" --tight >/dev/null
    printf '| %s' "$name"
    for made_by in authored default transform recipe optimized fine tight; do
        [ "$made_by" != authored ] || { cp "$file" "$made.authored.glb"; }
        cell "$made.$made_by.glb"
    done
    echo ' |'
done

for folder in "${SINEW_CORPUS:+$SINEW_CORPUS/characters}" "${SINEW_CHARACTERS:-}"; do
    for file in "$folder"/*.glb; do
        [ ! -f "$file" ] || set -- "$@" "$file"
    done
done

# The last column has the error that gltfpack's result has, or less.
echo
echo '| file | authored | recipe | its error | sinew optimize | --meshes | its error | --meshes at the error of the recipe | its error |'
echo '|---|---|---|---|---|---|---|---|---|'
wins=0 files=0
for file; do
    name=$(basename "$file" .glb)
    made=$scratch/$name
    [ -f "$made.recipe.glb" ] || recipe
    [ -f "$made.recipe.glb" ] || continue # gltfpack refuses the file
    error=$(error_of "$made.recipe.glb")
    [ -f "$made.optimized.glb" ] || "$sinew" optimize "$file" -o "$made.optimized.glb" >/dev/null
    "$sinew" optimize "$file" -o "$made.meshes.glb" --meshes >/dev/null
    "$sinew" optimize "$file" -o "$made.equal.glb" --meshes --error "${error}mm" >/dev/null
    printf '| %s' "$name"
    size_of "$file"
    size_of "$made.recipe.glb"
    printf ' | %s mm' "$error"
    size_of "$made.optimized.glb"
    for made_by in meshes equal; do
        size_of "$made.$made_by.glb"
        printf ' | %s mm' "$(error_of "$made.$made_by.glb")"
    done
    echo ' |'
    files=$((files + 1))
    [ "$(wc -c <"$made.equal.glb")" -ge "$(wc -c <"$made.recipe.glb")" ] || wins=$((wins + 1))
done
echo
echo "smaller than the recipe at no larger error: $wins of $files files"
