#!/bin/sh
# SPDX-License-Identifier: MIT
# Inputs must be regular files within the limits. Tries each input of each sub-command as a device, a pipe, a folder,
# a huge file and a missing one. Prints the table: reading.sh SINEW MODELS SCRATCH_FOLDER
. "$(dirname "$0")/common.sh"
cp "$models/hero.glb" "$models/hero.graph.json" .
cp hero.glb other.glb
cat >a.gltf <<'GLTF'
{"asset": {"version": "2.0"}, "nodes": [{}], "buffers": [{"uri": "input", "byteLength": 20}],
 "bufferViews": [{"buffer": 0, "byteLength": 20}],
 "accessors": [{"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1]},
  {"bufferView": 0, "componentType": 5126, "count": 1, "type": "VEC3"}],
 "animations": [{"samplers": [{"input": 0, "output": 1}],
                 "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]}]}
GLTF
echo '{"asset": {"version": "2.0"}, "nodes": [{}], "animations": [{"samplers": [], "channels": []}]}' >b.gltf
cat >cycle.graph.json <<'GRAPH'
{"sinewGraph": 1, "parameters": {"go": {"type": "bool"}}, "layers": [{"name": "Base",
 "states": {"A": {"clip": "Walk"}, "B": {"clip": "Run"}},
 "transitions": [{"from": "A", "to": "B", "when": "go"}, {"from": "B", "to": "A", "when": "go"}]}]}
GRAPH
"$sinew" graph test cycle.graph.json --asset hero.glb --walks 1 -o walk.rec >said 2>&1

# A huge file is refused before it is read; a sanitizer needs more memory than that.
memory=8000000 # KiB
(ulimit -v $memory && "$sinew" --version) >said 2>&1 || memory=unlimited

# Makes the file $2 of the kind $1.
make() {
    rm -rf "$2"
    case $1 in
    device) ln -s /dev/zero "$2" ;;
    pipe) mkfifo "$2" ;;
    folder) mkdir "$2" ;;
    huge) truncate -s 100G "$2" ;; # sparse: stores nothing
    esac
}

# What is said of the kind $1.
expected_of() {
    case $1 in
    device) echo 'this is a device, not a regular file' ;;
    pipe) echo 'this is a pipe, not a regular file' ;;
    folder) echo 'this is a directory\|the folder has no files' ;; # some commands take folders
    huge) echo 'larger than\|memory limit\|out of memory' ;;
    absent) echo 'there is no such file' ;;
    esac
}

# row INPUT COMMAND...: the command reads the file INPUT.
row() {
    input=$1
    shift
    cells=
    for kind in device pipe folder huge absent; do
        make $kind "$input"
        (
            ulimit -v $memory
            exec timeout 60 "$sinew" --quiet "$@"
        ) >said 2>&1
        status=$?
        cell=refused
        [ $status = 1 ] && grep -q "$(expected_of $kind)" said || cell="status $status"
        [ "$input/$kind/$status" != b.markers.json/absent/0 ] || cell=optional
        case $cell in
        refused | optional) ;;
        *) fault "sinew $*: $kind: status $status: $(head -c 300 said)" ;;
        esac
        cells="$cells $cell"
    done
    rm -rf "$input"
    printf '%-8s %-8s %-8s %-8s %-8s sinew %s\n' $cells "$(echo "$*" | sed "s|$input|INPUT|")"
}

printf '%-8s %-8s %-8s %-8s %-8s %s\n' device pipe folder huge absent command
for command in info pose skin verify lint humanoid; do row input $command input; done
row in.bvh info in.bvh
row in.sinew info in.sinew
row input lint input --fix out.glb
row input optimize input -o out.glb
row input compare input hero.glb
row input compare hero.glb input
row input bake-asset input -o out.sinew
row input bake input --clip Walk -o out.glb
row input bake hero.glb --clip Walk --bind input -o out.glb
row input bake hero.glb --recording input -o out.glb
row input retarget input --onto hero.glb
row input retarget hero.glb --onto input
row input retarget hero.glb --onto other.glb --source-map input
row input retarget hero.glb --onto other.glb --target-map input
row input humanoid hero.glb --use input
row input replay input hero.glb
row input replay walk.rec input
row input replay walk.rec hero.glb --compare input
row input continuity input hero.glb
row input continuity walk.rec input
row input graph check input
row input graph check hero.graph.json --asset input
row input graph check hero.graph.json --asset hero.glb --bind input
row input replay walk.rec hero.glb --bind input
row input continuity walk.rec hero.glb --bind input
row input graph test hero.graph.json --asset hero.glb --bind input
row input graph test input --asset hero.glb
row input graph test hero.graph.json --asset input
row input graph plot input -o out.svg
row input graph plot hero.graph.json --recording input --asset hero.glb -o out.svg
row input graph plot hero.graph.json --recording walk.rec --asset input -o out.svg
row input render input -o out.png
row input render hero.glb --graph input -o out.png
row input render hero.glb --attach input@Grip_R -o out.png
row input render hero.glb --with input@1,0,0 -o out.png
row input bench input --filter 'palette 60'
row input info a.gltf
row input verify a.gltf
row b.markers.json info b.gltf

# Standard input is a file, or a pipe.
same "sinew info /dev/stdin" "$("$sinew" info hero.glb | sed 's|hero.glb|/dev/stdin|')" "$("$sinew" info /dev/stdin <hero.glb)"
same "sinew info of a pipe" 'sinew: /dev/stdin: this is a pipe, not a regular file' "$(cat hero.glb | "$sinew" info /dev/stdin 2>&1)"

echo "$faults faults"
[ $faults = 0 ]
