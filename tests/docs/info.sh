#!/bin/sh
# SPDX-License-Identifier: MIT
# The output of `sinew info` for a small file with several objects on its nodes, for a clip's markers, and for the
# hero's ground speeds: info.sh SINEW SCRATCH_FOLDER MODELS
set -u
export LC_ALL=C
sinew=$1 scratch=$2 models=$3
faults=0
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch" || exit 1

# same WHAT EXPECTED ACTUAL
same() {
    [ "$2" = "$3" ] && return
    printf '%s is\n%s\nnot\n%s\n' "$1" "$3" "$2"
    faults=$((faults + 1))
}

# Node 1 carries a mesh, a camera and a light; node 3 the same camera; node 2, below 3, is hidden with all it carries.
cat >Fox.gltf <<'GLTF'
{"asset": {"version": "2.0"}, "extensionsUsed": ["KHR_lights_punctual", "KHR_node_visibility"],
 "extensions": {"KHR_lights_punctual": {"lights": [{"type": "point", "name": "Lamp"}, {"type": "point", "name": "Sun"}]}},
 "cameras": [{"name": "Eye", "type": "perspective", "perspective": {"yfov": 1, "znear": 0.1}},
             {"name": "Other", "type": "perspective", "perspective": {"yfov": 1, "znear": 0.1}}],
 "meshes": [{"name": "Body", "primitives": [{"attributes": {}}]}],
 "nodes": [{"name": "Root", "children": [1, 3]},
           {"name": "All", "mesh": 0, "skin": 0, "camera": 0, "extensions": {"KHR_lights_punctual": {"light": 1}}},
           {"name": "Deep", "mesh": 0, "extensions": {"KHR_lights_punctual": {"light": 1},
                                                      "KHR_node_visibility": {"visible": false}}},
           {"name": "Eyes", "camera": 0, "children": [2]}],
 "skins": [{"name": "Bones", "joints": [3, 2]}, {"name": "More", "joints": [3]}],
 "animations": [{"name": "Walk", "extras": {"markers": [{"name": "\"left\"", "time": 0}]}}, {"name": "Run"}]}
GLTF
echo '{"Run": [{"name": "hit", "time": 0}, {"name": "", "time": 0}]}' >Fox.markers.json

text=$("$sinew" info Fox.gltf) || faults=$((faults + 1))
json=$("$sinew" info Fox.gltf --json) || faults=$((faults + 1))

same "the text of the nodes" "4 nodes
  Root  #0
    All  #1, mesh 'Body' with skin 0, camera 'Eye', light 'Sun'
    Eyes  #3, joint, camera 'Eye'
      Deep  #2, joint, mesh 'Body', light 'Sun', hidden" "$(echo "$text" | sed -n '/^4 nodes/,/^2 skins/p' | sed '$d')"
same "the text of the markers" "  no ground speeds: feet: found no matching limbs that end at the bottom of the rest pose; name the feet with --foot
  #0 'Walk'
    0.000 s  \"left\"
  #1 'Run'
    0.000 s  hit
    0.000 s  (unnamed)" "$(echo "$text" | sed -n '/^2 clips/,/^1 mesh/p' | sed "1d; \$d; s/': .*/'/")"
same "the JSON of the markers" '"markers":[{"name":"\"left\"","time":0}]
"markers":[{"name":"hit","time":0},{"name":"","time":0}]' "$(echo "$json" | grep -o '"markers":\[[^]]*\]')"
same "the JSON of the nodes" 'null false false
0 false false
3 true true
0 true false' "$(echo "$json" | sed -n 's/.*"parent":\([a-z0-9]*\),"joint":\([a-z]*\),"hidden":\([a-z]*\)}.*/\1 \2 \3/p')"
same "the JSON of who carries cameras and lights" '"nodes":[1,3]
"nodes":[]
"nodes":[]
"nodes":[1,2]' "$(echo "$json" | grep -o '"nodes":\[[0-9,]*\]')"
same "the text of the bounds" "0 boxes moved by joints and nodes" "$(echo "$text" | tail -n 1)"

# The speeds of models/hero.h are 1.15 and 3.1 m/s: of Walk, Run, WalkBack, StrafeLeft and StrafeRight.
hero=$("$sinew" info "$models/hero.glb" | grep -E "the feet|^  #.*': [0-9.]* s,")
same "the ground speeds" "  ground speeds measured with the feet Foot_L, Foot_R
stands
1.147 m/s (0.000 right, 1.147 forward), spread 0.013
3.095 m/s (0.000 right, 3.095 forward), spread 0.012
stands
stands
stands
stands
1.147 m/s (0.000 right, -1.147 forward), spread 0.011
1.149 m/s (-1.149 right, 0.001 forward), spread 0.012
1.149 m/s (1.149 right, 0.001 forward), spread 0.012
stands" "$(echo "$hero" | sed 's/^  #.*B, //')"
same "the ground speeds by the toes" "  ground speeds measured with the feet Toes_R, Toes_L" \
    "$("$sinew" info "$models/hero.glb" --foot Toes_R --foot=Toes_L | grep "the feet")"
same "no ground speeds in JSON" '"feet":[],
"groundSpeed":null
"groundSpeed":null' "$(echo "$json" | grep -oE '"feet":.*|"groundSpeed":[^,]*')"
same "the ground speeds in JSON" '"feet":[{"node":40,"name":"Foot_L"},{"node":41,"name":"Foot_R"}],
"gait":"stands","speed":0,"velocity":[0,0,0]
"gait":"moves"
"gait":"moves"
"gait":"stands","speed":0,"velocity":[0,0,0]
"gait":"stands","speed":0,"velocity":[0,0,0]
"gait":"stands","speed":0,"velocity":[0,0,0]
"gait":"stands","speed":0,"velocity":[0,0,0]
"gait":"moves"
"gait":"moves"
"gait":"moves"
"gait":"stands","speed":0,"velocity":[0,0,0]' "$("$sinew" info "$models/hero.glb" --json |
    grep -oE '"feet":.*|"gait":"stands","speed":0,"velocity":\[[^]]*\]|"gait":"moves"')"

refused=$("$sinew" info "$models/hero.glb" --foot Foot_L --foot Toes_L 2>&1)
same "the status of feet below one another" 1 $?
case $refused in
*"feet: node 64 (Toes_L) is below node 63 (Foot_L), or is the same node") ;;
*) same "the message for feet below one another" "" "$refused" ;;
esac
same "the JSON of the bounds" '"bounds":{"boxes":0,"min":null,"max":null}' "$(echo "$json" | grep -o '"bounds":{[^}]*}')"

# A triangle on a node 10 m away along x.
cat >Triangle.gltf <<'GLTF'
{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
 "nodes": [{"mesh": 0, "translation": [10, 0, 0]}],
 "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
 "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3, "min": [0, 0, 0], "max": [2, 1, 0]}],
 "bufferViews": [{"buffer": 0, "byteLength": 36}],
 "buffers": [{"byteLength": 36, "uri": "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAgD8AAAAA"}]}
GLTF
same "the text of a triangle's bounds" "1 box moved by joints and nodes; the rest pose is 2 x 1 x 0 m" \
    "$("$sinew" info Triangle.gltf | tail -n 1 | sed 's/[0-9.]*e-[0-9]* m$/0 m/')"
same "the JSON of a triangle's bounds" 1 "$("$sinew" info Triangle.gltf --json | grep -c \
    '"bounds":{"boxes":1,"min":\[9\.9999[0-9]*,-[0-9.e-]*,-[0-9.e-]*],"max":\[12\.0000[0-9]*,1\.0000[0-9]*,[0-9.e-]*]}')"
echo "$faults faults"
[ $faults = 0 ]
