#!/bin/sh
# SPDX-License-Identifier: MIT
# Draws the demo: scripts/demo.sh SINEW_COMMAND OUTPUT_FOLDER [PIXELS]
# The hero idles, walks, runs, strikes with the sword in the right hand, and idles again; a windmill turns.
set -eu

sinew=$1
out=$2
pixels=${3:-480}
mkdir -p "$out"

# The last Idle starts at 0 s of its clip and is at 1 s when the 175 frames end, where the first one started: the animation
# loops.
hero() {
    "$sinew" render models/hero.glb --attach models/sword.glb@Grip_R --clip Idle --time 1 --crossfade Walk@1.5:0.4 \
        --crossfade Run@3.5:0.4 --crossfade Attack@5.2:0.2:once --crossfade Idle@6.3:0.4 "$@"
}

hero --fps 24 --frames 175 --size "${pixels}x$pixels" -o "$out/hero.webp"
echo "The hero, walking, running and striking: $out/hero.webp (plays in any browser)"
hero --fps 2.5 --sheet 6x3 --size "$((pixels / 2))x$((pixels / 2))" -o "$out/hero.png"
echo "The same as a sheet:                     $out/hero.png"
"$sinew" render models/windmill.glb --clip Gust --fps 24 --size "${pixels}x$pixels" -o "$out/windmill.webp"
echo "A windmill, without a skin:              $out/windmill.webp"
"$sinew" render models/hero.glb --clip Attack --time 0.42 --attach models/sword.glb@Grip_R \
    --with models/hero.glb@1.6,0,0.6:-100:Walk --with models/windmill.glb@-3.4,0,-18:25 \
    --with models/eye.gltf@0.2,1.2,7.4:-3 --camera Eye --frames 1 --size "$((pixels * 4 / 3))x$((pixels * 5 / 6))" \
    -o "$out/scene.webp"
echo "All of them in one scene:                $out/scene.webp"
