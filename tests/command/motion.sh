#!/bin/sh
# SPDX-License-Identifier: MIT
# Motion from file to file: mirrored clips, the order of edits, clips without a name, and .bvh files where a command
# reads glTF: motion.sh SINEW MODELS SCRATCH_FOLDER
. "$(dirname "$0")/common.sh"
hero=$models/hero.glb

# member FILE CLIP NAME: the start of a member of a clip in the JSON of info.
member() { "$sinew" info "$1" --json | grep "\"name\":\"$2\"" | grep -o "\"$3\":[^}]*" | head -n 1; }

# refuses MESSAGE COMMAND...: one line with the message, and status 1.
refuses() {
    message=$1
    shift
    "$sinew" "$@" >out 2>err
    same "sinew $*: status" 1 $?
    same "sinew $*: lines" 1 "$(grep -c '^sinew: ' err)" # beside notes on a .bvh file
    grep -qF -- "$message" err || fault "sinew $*: '$(cat err)' does not say '$message'"
}

# ---- Mirrored clips ----

"$sinew" bake "$hero" --clip StrafeLeft --mirror --as Mirrored -o mirrored.glb || fault "no mirrored clip"
velocity=$(member mirrored.glb StrafeLeft velocity)
same "the velocity of StrafeLeft" '"velocity":[1.1' "$(echo "$velocity" | cut -c1-15)"
velocity=$(member mirrored.glb Mirrored velocity)
same "the velocity of its mirror image" '"velocity":[-1.1' "$(echo "$velocity" | cut -c1-16)"
same "its first marker" '"markers":[{"name":"Foot_R","time":0' "$(member mirrored.glb Mirrored markers)"

# Mirrored twice, and with the edits in another order: the same poses within rounding.
# poses FILE CLIP: world positions with four digits, without a sign for zero.
poses() {
    "$sinew" pose "$1" --clip "$2" --time 0.1 | awk '{ for (i = NF - 2; i <= NF; i++) printf "%s ", $i == "-0.000" ? "0.000" : $i; print "" }'
}
"$sinew" bake mirrored.glb --clip Mirrored --mirror --as Twice -o twice.glb || fault "no clip that is mirrored twice"
same "a clip mirrored twice" "$(poses mirrored.glb StrafeLeft)" "$(poses twice.glb Twice)"
"$sinew" bake mirrored.glb --clip StrafeLeft --mirror --range 0.2..0.7 --reverse --close --as First \
    --clip Mirrored --range 0.2..0.7 --reverse --close --as Second -o order.glb || fault "no edited clips"
same "mirrored before and after other edits" "$(poses order.glb First)" "$(poses order.glb Second)"

# ---- Motion capture ----

"$sinew" bake "$hero" --clip Walk -o walk.bvh || fault "no .bvh file"
for command in info 'pose --clip #0' humanoid; do
    # shellcheck disable=SC2086 # a command and its options
    "$sinew" ${command%% *} walk.bvh $(echo "$command" | cut -s -d' ' -f2-) >out 2>err || fault "$command: $(cat err)"
done
refuses "walk.bvh: verify reads glTF files" verify walk.bvh
refuses "walk.bvh: verify reads glTF files" verify walk.bvh --json
refuses "walk.bvh: lint reads glTF files" lint walk.bvh
refuses "walk.bvh: its clips can only be written to a .bvh file, or to a glTF file with --bind" \
    bake walk.bvh --clip '#0' -o no.glb
refuses "walk.bvh: retarget writes clips into a glTF file" retarget "$hero" --onto walk.bvh -o no.glb
refuses "walk.bvh: it has no skin" bench walk.bvh
"$sinew" retarget "$hero" --onto walk.bvh >out || fault "no pairs with a .bvh file"
"$sinew" bake walk.bvh --clip '#0' --mirror -o back.bvh || fault "no mirrored .bvh file"

# ---- Clips without a name ----

cat >motion.vrma <<'GLTF'
{"asset": {"version": "2.0"}, "nodes": [{"name": "a"}],
 "extensionsUsed": ["VRMC_vrm_animation"], "extensions": {"VRMC_vrm_animation": {"specVersion": "1.0",
  "humanoid": {"humanBones": {"head": {"node": 0}}}}},
 "buffers": [{"uri": "motion.bin", "byteLength": 40}], "bufferViews": [{"buffer": 0, "byteLength": 8},
  {"buffer": 0, "byteOffset": 8, "byteLength": 32}],
 "accessors": [{"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1]},
  {"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC4"}],
 "animations": [{"samplers": [{"input": 0, "output": 1}], "channels": [{"sampler": 0, "target": {"node": 0,
  "path": "rotation"}}]}]}
GLTF
zero='\000\000\000\000'
one='\000\000\200\077'
printf "$zero$one$zero$zero$zero$one$zero$one$zero$zero" >motion.bin
"$sinew" retarget motion.vrma --onto "$hero" --only -o vrma.glb >out || fault "a .vrma file is not retargeted"
grep -q 'roles by VRM 1.0 data' out || fault "a .vrma file without its roles: $(cat out)"
"$sinew" info vrma.glb | grep -q "#0 'motion': 1.000 s, 1 channel " || fault "the clip has not the name of its file"
sed 's/"animations": \[{/&"name": "animation", /' motion.vrma >nod.vrma
"$sinew" retarget nod.vrma --onto "$hero" --only -o vrma.glb >out || fault "a named .vrma file is not retargeted"
"$sinew" info vrma.glb | grep -q "#0 'nod': " || fault "a clip that is called animation has not the name of its file"
"$sinew" retarget nod.vrma --onto "$hero" --only --as Yes -o vrma.glb >out || fault "--as is refused"
"$sinew" info vrma.glb | grep -q "#0 'Yes': " || fault "the clip has not the name of --as"
sed 's/{"head": {"node": 0}}}/&, "expressions": {"preset": {"happy": {"node": 0}}}/' motion.vrma >smile.vrma
"$sinew" retarget smile.vrma --onto "$hero" --only -o vrma.glb >out 2>err || fault "a .vrma file with an expression is refused"
same "a dropped expression" "smile.vrma: dropped, because $hero has no matching morph targets or eyes: happy" "$(cat err)"
refuses "--as Two: works with one clip only, but" retarget "$hero" --onto "$hero" --as Two -o no.glb

refuses "no node has a counterpart at a different position" bake motion.vrma --clip '#0' --mirror -o no.glb

# ---- References ----

# reference POSE: how the command describes the source's reference pose.
reference() {
    "$sinew" retarget "$hero" --onto "$models/golem.glb" --clip Walk --source-pose "$1" --json -o posed.glb >out ||
        fault "--source-pose $1 is refused"
    grep -o '"sourceReference":{"kind":"[a-z]*","score":0\.[0-9]' out
}
"$sinew" retarget "$hero" --onto "$models/golem.glb" --clip Walk --json -o rest.glb >out
grep -q '"sourceReference":{"kind":"rest","score":0.99' out || fault "the rest pose is not the reference: $(cat out)"
for pose in rest bind "$hero"; do
    same "the score of $pose" '"sourceReference":{"kind":"given","score":0.9' "$(reference "$pose")"
    cmp -s rest.glb posed.glb || fault "--source-pose $pose gives another file"
done
for pose in Idle@0.5 "$hero#Idle@0.5"; do
    same "the score of $pose" '"sourceReference":{"kind":"given","score":0.6' "$(reference "$pose")"
    ! cmp -s rest.glb posed.glb || fault "--source-pose $pose gives the same file"
done
refuses "--source-pose $models/golem.glb: has fewer than half of the node names" \
    retarget "$hero" --onto "$models/golem.glb" --source-pose "$models/golem.glb"
refuses "no clip 'Nope'" retarget "$hero" --onto "$models/golem.glb" --source-pose "$hero#Nope"
refuses "--target-pose bind: walk.bvh: the file has no skin" retarget "$hero" --onto walk.bvh --target-pose bind

# ---- Curves of another file ----

printf '%s' '{"asset":{"version":"2.0"},"nodes":[{"name":"Hips"}],"extras":{"glow":1},"buffers":[{"byteLength":8,
"uri":"data:application/octet-stream;base64,AAAAAAAAgD8="}],"bufferViews":[{"buffer":0,"byteLength":8}],"accessors":[
{"bufferView":0,"componentType":5126,"type":"SCALAR","count":2,"min":[0],"max":[1]}],"animations":[{"name":"Wave",
"samplers":[{"input":0,"output":0}],"channels":[{"sampler":0,"target":{"path":"pointer","extensions":{
"KHR_animation_pointer":{"pointer":"/extras/glow"}}}}],"extras":{"curves":{"Grip":{"times":[0,1],"values":[0,2]}}}}]}' >other.gltf
printf '%s' '{"asset":{"version":"2.0"},"nodes":[{"name":"Hips"}]}' >bare.gltf
"$sinew" bake bare.gltf --clip Wave --bind other.gltf --min-match 0 -o curved.glb 2>err || fault "no clip with a curve"
same "what is left out" "sinew: other.gltf: 'Wave': dropped 1 curve that bare.gltf does not have: /extras/glow" "$(cat err)"
same "the curve at 0.5 s" "curve 'Grip' 1" "$("$sinew" pose curved.glb --clip Wave --time 0.5 | grep Grip)"

# A clip with keys that start late: reports where, and how to trim it.
printf '%s' '{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"name":"Hips"}],"animations":[{"name":"Take",
"channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}],"samplers":[{"input":0,"output":1}]}],
"buffers":[{"byteLength":32,"uri":"data:;base64,zcxMQAAAoEAAAAAAAAAAAAAAAAAAAAAAAACAPwAAAAA="}],
"bufferViews":[{"buffer":0,"byteLength":8},{"buffer":0,"byteOffset":8,"byteLength":24}],
"accessors":[{"bufferView":0,"componentType":5126,"count":2,"type":"SCALAR","min":[3.2],"max":[5]},
{"bufferView":1,"componentType":5126,"count":2,"type":"VEC3"}]}' >late.gltf
"$sinew" info late.gltf | grep -q "'Take': 5.000 s, .* at most 2 keys, from 3.200 to 5.000 s)" || fault "info does not say where the keys are"
same "the keys in JSON" '"firstKey":3.20000005,"lastKey":5' "$("$sinew" info late.gltf --json | grep -o '"firstKey":[^,]*,"lastKey":[^,]*')"
"$sinew" lint late.gltf >said
grep -q "starts at 3.2 s and ends at 5 s" said || fault "lint does not say where the clip starts: $(cat said)"
range=$(grep -o 'range [0-9.]*' said | head -n 1)
"$sinew" bake late.gltf --clip '#0' --$range -o trimmed.glb || fault "bake --$range fails"
same "the keys after that" '"firstKey":0,"lastKey":1.79999995' \
    "$("$sinew" info trimmed.glb --json | grep -o '"firstKey":[^,]*,"lastKey":[^,]*')"
"$sinew" lint trimmed.glb | grep -q times-start && fault "the trimmed clip still starts late"

# A range that starts at the first key keeps it.
"$sinew" bake "$hero" --clip Walk --range 0..0.5 --only -o first.glb || fault "bake --range 0..0.5 fails"
for time in 0 0.01 0.25 0.5; do
    "$sinew" pose "$hero" --clip Walk --time $time | cut -c 1-100 >one
    "$sinew" pose first.glb --clip Walk --time $time | cut -c 1-100 >two
    cmp one two || fault "the pose of the range at $time s differs"
done
echo "$faults faults"
[ $faults = 0 ]
