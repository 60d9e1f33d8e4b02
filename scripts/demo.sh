#!/bin/sh
# SPDX-License-Identifier: MIT
# Draws the demo: scripts/demo.sh SINEW_COMMAND OUTPUT_FOLDER [PIXELS]
# The hero, driven by an animation graph, idles, walks, runs, jumps, strikes twice while walking, strafes and is hit; a
# windmill turns. Hair and scarf swing by the springs of the file.
set -eu

sinew=$1
out=$2
pixels=${3:-480}
mkdir -p "$out"

# After 176 frames the clip of Idle is at its start again: the animation loops.
hero() {
    "$sinew" render models/hero.glb --attach models/sword.glb@Grip_R --springs file --wind 0,0,-1 --graph models/hero.graph.json \
        --set move=0,1.15@0.5 --set move=0,3.1@1.6 --set jump@2.5 --set move=0,1.15@3.7 --set attack@3.9 \
        --set attack@4.5 --set move=1.15,0@5.2 --set move=0,0@5.9 --set hit@6.25 "$@"
}

hero --fps 24 --frames 176 --size "${pixels}x$pixels" -o "$out/hero.webp"
echo "The hero, driven by a graph:             $out/hero.webp (plays in any browser)"
hero --fps 2.5 --sheet 6x3 --size "$((pixels / 2))x$((pixels / 2))" -o "$out/hero.png"
echo "The same as a sheet:                     $out/hero.png"
"$sinew" render models/hero.glb --clip Run --springs file --wind 0,0,-3.1 --with models/hero.glb@-1.1,0,0:0:Run --from 130 \
    --fps 30 --frames 22 --size "${pixels}x$pixels" -o "$out/springs.webp"
echo "Springs, and keyed hair and scarf:       $out/springs.webp"
"$sinew" render models/windmill.glb --clip Gust --fps 24 --size "${pixels}x$pixels" -o "$out/windmill.webp"
echo "A windmill, without a skin:              $out/windmill.webp"
"$sinew" render models/hero.glb --clip Attack --time 0.42 --attach models/sword.glb@Grip_R \
    --with models/hero.glb@1.6,0,0.6:-100:Walk --with models/windmill.glb@-3.4,0,-18:25 \
    --with models/eye.gltf@0.2,1.2,7.4:-3 --camera Eye --frames 1 --size "$((pixels * 4 / 3))x$((pixels * 5 / 6))" \
    -o "$out/scene.webp"
echo "All of them in one scene:                $out/scene.webp"
