#!/bin/sh
# SPDX-License-Identifier: MIT
# Takes prepared by `sinew bake`: what it finds, prints, writes and refuses: takes.sh SINEW MODELS SCRATCH_FOLDER
. "$(dirname "$0")/common.sh"
hero=$models/hero.glb

# refuses STATUS MESSAGE COMMAND...: one line with the message, and no output.
refuses() {
    expected=$1 message=$2
    shift 2
    "$sinew" "$@" >out 2>err
    same "sinew $*: status" "$expected" $?
    same "sinew $*: lines" 1 "$(grep -c '^sinew' err)" # beside notes on a .bvh file
    grep -qF -- "$message" err || fault "sinew $*: '$(cat err)' does not say '$message'"
    if [ -e no.glb ] || [ -e no.bvh ]; then fault "sinew $*: wrote a file"; fi
}

# poses FILE CLIP TIME: a line for each node with its position in the world.
poses() {
    "$sinew" pose "$1" --clip "$2" --time "$3" --json | tr '{' '\n' | grep -o '"world":\[[^]]*' | tr ',[' '  ' |
        awk '{ print $14, $15, $16 }'
}

# near WHAT METRES: the files `one` and `two` have the same positions, within a distance along each axis.
near() {
    paste one two | awk -v most="$2" '{ for (i = 1; i <= 3; i++) { d = $i - $(i + 3); if (d < 0) d = -d; if (d > far) far = d } }
        END { if (NR == 0 || far > most) { print NR " nodes, " far + 0 " m apart"; exit 1 } }' >apart || fault "$1: $(cat apart)"
}

# hips FILE CLIP TIME: the position of the hips.
hips() { "$sinew" pose "$1" --clip "$2" --time "$3" | awk '$1 == "Hips" { print $(NF - 2), $(NF - 1), $NF }'; }

# ---- Travel ----

"$sinew" bake "$hero" --clip Walk --root-motion Hips --as Travels -o travels.glb >said || fault "no root motion"
grep -qE '^Travels: added to Hips: 1\.1[0-9]+ m/s' said || fault "root motion says: $(cat said)"
"$sinew" info travels.glb | grep -q "'Travels'.* 1.147 m/s" || fault "the speed is another one with root motion"
"$sinew" bake travels.glb --clip Travels --root-motion Hips -o twice.glb >said || fault "no root motion for a clip that travels"
grep -q '^Travels: already travels at 1.147 m/s' said || fault "root motion of a clip that travels says: $(cat said)"
"$sinew" bake travels.glb --clip Travels --in-place --as Back --clip Travels --in-place --root-motion Armature --as Given \
    -o back.glb >said || fault "no clip in place"
grep -q "^Given: removed from Hips: 1.147 m/s, its mean velocity, moved to Armature" said || fault "in place says: $(cat said)"
for time in 0 0.3 0.71 1.05; do
    poses travels.glb Walk $time >one
    poses back.glb Back $time >two
    near "root motion and back at $time s" 0.00001
    same "hips whose travel is given away at $time s" "$(hips travels.glb Travels $time)" "$(hips back.glb Given $time)"
done
same "lines of a pose" "$("$sinew" info "$hero" | sed -n 's/^\([0-9]*\) nodes$/\1/p')" "$(grep -c . one)"

# ---- Keys, noise, ground, feet ----

"$sinew" bake "$hero" --clip Run --fps 24 --smooth 9 --ground --plant-feet --as Clean --only -o clean.glb >said || fault "no clean clip"
grep -qE '^Clean: smoothed at 9 Hz; 19 keys; moved [a-z]+ by [0-9.]+ mm to the ground; planted feet slid [0-9.]+ m/s' said ||
    fault "a clean clip says: $(cat said)"
"$sinew" info clean.glb | grep -q "'Clean': 0.733 s.* 19 keys" || fault "the clip has another number of keys"
"$sinew" bake "$hero" --clip Walk --range 0..0.5 --as Half -o half.glb >said || fault "no half"
same "what an edit without measurements says" "" "$(cat said)"

# ---- Loops ----

"$sinew" bake "$hero" --clip Walk --find-loop >said || fault "no loop found"
grep -qE -- '--range 0\.000\.\.1\.067 +1\.067 s +seam +0\.0[0-9] degrees' said || fault "the loops of Walk: $(cat said)"
same "loops of a part that doesn't repeat" "Walk: 0 loops" "$("$sinew" bake "$hero" --clip Walk --range 0..0.5 --find-loop)"
"$sinew" bake "$hero" --clip Walk --range 0..1.033333 --close --as Closed -o closed.glb >said || fault "no closed loop"
grep -qE '^Closed: added the last frame, 0\.0333' said || fault "the closed loop says: $(cat said)"
poses "$hero" Walk 1.05 >one
poses closed.glb Closed 1.05 >two
near "the added frame" 0.00001

# ---- Pieces ----

"$sinew" bake "$hero" --clip Walk --split markers --only -o pieces.glb >said || fault "no pieces"
same "the pieces" "'Walk_1': 0.533 'Walk_2': 0.533" \
    "$("$sinew" info pieces.glb | sed -n "s/^  #[0-9]* \('Walk_[0-9]*': [0-9.]*\) s.*/\1/p" | tr '\n' ' ' | sed 's/ $//')"
"$sinew" bake "$hero" --clip Walk --split pauses --as One --only -o pieces.glb >said || fault "no piece without a pause"
"$sinew" info pieces.glb | grep -q "'One_1': 1.067 s" || fault "the one piece: $(cat said)"

# ---- Motion capture ----

"$sinew" bake "$hero" --clip Walk -o walk.bvh || fault "no .bvh file"
"$sinew" bake walk.bvh --clip '#0' --find-loop 2>err | grep -q "1.067 s  seam" || fault "no loop in a .bvh file: $(cat err)"
"$sinew" bake walk.bvh --clip '#0' --smooth 8 --ground --root-motion Hips --close -o ready.bvh >said 2>err || fault "no .bvh: $(cat err)"
grep -qE 'added to Hips: 1\.1.* m/s; closed a seam of' said || fault "a .bvh file says: $(cat said)"
for file in ${SINEW_CORPUS:+"$SINEW_CORPUS/bvh/pymo_8walk.bvh" "$SINEW_CORPUS/bvh/oh_walk01.bvh"}; do
    "$sinew" bake "$file" --clip '#0' --find-loop >said 2>err || fault "$file: $(cat err)"
    best=$(grep -o -- '--range [0-9.]*' said | head -n 1)
    # shellcheck disable=SC2086 # an option and its value
    "$sinew" bake "$file" --clip '#0' $best --plant-feet --ground --close -o ready.bvh >said 2>err || fault "$file: $(cat err)"
    "$sinew" bake ready.bvh --clip '#0' --close -o again.bvh 2>err | grep -q 'a seam of 0.00 degrees and 0.0 mm' ||
        fault "$file: the best loop isn't closed"
done
[ -n "${SINEW_CORPUS:-}" ] || echo "SINEW_CORPUS is not set: other people's takes are left out"

# ---- Roles, and what is refused ----

cat >box.gltf <<'GLTF'
{"asset": {"version": "2.0"}, "nodes": [{"name": "Box"}], "buffers": [{"byteLength": 32,
  "uri": "data:;base64,zcxMQAAAoEAAAAAAAAAAAAAAAAAAAAAAAACAPwAAAAA="}], "bufferViews": [{"buffer": 0, "byteLength": 8},
  {"buffer": 0, "byteOffset": 8, "byteLength": 24}], "accessors": [{"bufferView": 0, "componentType": 5126, "count": 2,
  "type": "SCALAR", "min": [3.2], "max": [5]}, {"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC3"}],
 "animations": [{"name": "Slide", "samplers": [{"input": 0, "output": 1}], "channels": [{"sampler": 0, "target": {"node": 0,
  "path": "translation"}}]}]}
GLTF
refuses 1 "pass them with --map" bake box.gltf --clip Slide --in-place -o no.glb
"$sinew" bake box.gltf --clip Slide --fps 10 --close -o box.glb >out || fault "a box has no keys at another rate"
"$sinew" humanoid "$hero" --map roles.json >out || fault "no map"
"$sinew" bake "$hero" --map roles.json --clip Walk --ground -o mapped.glb >out || fault "--map is refused"
refuses 1 "box.json" bake "$hero" --map box.json --clip Walk --ground -o no.glb
refuses 1 "--root-motion Head: must be the hips, 'Hips', or a node above" bake "$hero" --clip Walk --root-motion Head -o no.glb
refuses 1 "no node 'Rot'" bake "$hero" --clip Walk --root-motion Rot -o no.glb
refuses 1 "--smooth 20: must be less than half the key rate, which is 30 per second" bake "$hero" --clip Walk --smooth 20 -o no.glb
refuses 1 "cut one with --find-loop and --range" bake "$hero" --clip Walk --range 0..0.4 --root-motion Hips -o no.glb
refuses 1 "--split makes 2 clips" bake "$hero" --clip Walk --split markers -o no.bvh
refuses 1 "has no markers" bake "$hero" --clip Idle --split markers -o no.glb
refuses 1 "the range is outside the clip" bake "$hero" --clip Walk --range 3..4 --find-loop
refuses 2 "--split beats: must be pauses or markers" bake "$hero" --clip Walk --split beats -o no.glb
refuses 2 "-o is missing" bake "$hero" --clip Walk --find-loop --clip Run
refuses 1 "has several clips; choose one with --clip: 'Idle', " bake "$hero" --ground -o no.glb
"$sinew" bake box.gltf --fps 10 --close -o only.glb >out || fault "the only clip needs no --clip"
cmp -s box.glb only.glb || fault "the only clip differs from the named one"
"$sinew" bake "$hero" --reverse --clip Walk --clip Run -o before.glb >out || fault "an option before --clip is refused"
"$sinew" bake "$hero" --clip Walk --reverse --clip Run -o after.glb >out || fault "an option after --clip is refused"
cmp -s before.glb after.glb || fault "an option before the first --clip is not for that clip"
echo "$faults faults"
[ $faults = 0 ]
