#!/bin/sh
# SPDX-License-Identifier: MIT
# An output is never an input. Tries every sub-command that writes a file, over each file that it reads: by the same
# name, another spelling, a symbolic link, a chain of links and a hard link. Prints the table: overwriting.sh SINEW
# MODELS SCRATCH_FOLDER
. "$(dirname "$0")/common.sh"

mkdir in out
cp "$models/hero.glb" "$models/sword.glb" "$models/hero.graph.json" in
cat >in/a.gltf <<'GLTF'
{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0, "name": "Root"}],
 "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "material": 0}]}],
 "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}], "textures": [{"source": 0}],
 "images": [{"uri": "te%78ture.png"}],
 "buffers": [{"uri": "a.bin", "byteLength": 68}],
 "bufferViews": [{"buffer": 0, "byteLength": 68}],
 "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0,0,0], "max": [1,1,0]},
  {"bufferView": 0, "byteOffset": 36, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1]},
  {"bufferView": 0, "byteOffset": 44, "componentType": 5126, "count": 2, "type": "VEC3"}],
 "animations": [{"name": "Up", "samplers": [{"input": 1, "output": 2}],
                 "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]}],
 "extensionsUsed": ["KHR_audio"], "extensions": {"KHR_audio": {"audio": [{"uri": "steps.mp3"}]}}}
GLTF
zero='\000\000\000\000'
one='\000\000\200\077'
printf "$zero$zero$zero$one$zero$zero$zero$one$zero$zero$one$zero$zero$zero$zero$one$zero" >in/a.bin
printf '\211PNG\r\n\032\nnothing' >in/texture.png
printf 'sound' >in/steps.mp3
printf '{"Up": []}' >in/a.markers.json
"$sinew" humanoid in/hero.glb --map in/hero.map.json >said || fault "no map is written"
cp in/hero.map.json in/other.map.json
cp in/hero.glb in/source.glb
cp in/a.gltf in/b.gltf
cat >in/cycle.graph.json <<'GRAPH'
{"sinewGraph": 1, "parameters": {"go": {"type": "bool"}}, "layers": [{"name": "Base",
 "states": {"A": {"clip": "Walk"}, "B": {"clip": "Run"}},
 "transitions": [{"from": "A", "to": "B", "when": "go"}, {"from": "B", "to": "A", "when": "go"}]}]}
GRAPH
"$sinew" graph test in/cycle.graph.json --asset in/hero.glb --walks 1 -o in/walk.rec >said 2>&1
[ -s in/walk.rec ] || fault "no recording is written"
state() { cat in/* | cksum; }
before=$(state)

# try OUTPUT COMMAND...: runs the command with that output; sets `cell`.
try() {
    output=$1
    shift
    "$sinew" --quiet "$@" "$output" >said 2>&1
    status=$?
    cell="status $status"
    if [ "$(state)" != "$before" ]; then
        echo "$* $output has changed an input: $(cat said)"
        exit 1
    fi
    [ $status != 2 ] || ! grep -q 'would overwrite the input in/' said || cell=kept
    [ $status != 2 ] || ! grep -q 'must end in' said || cell=ending
}

# row ENDING INPUT COMMAND...: the command, which ends in the option of its output, reads in/INPUT.
row() {
    ending=$1 input=in/$2 # of the row: others have names of their own
    shift 2
    cells=
    rm -rf out
    mkdir out
    ln -s "../$input" "out/link.$ending"
    ln -s "link.$ending" "out/chain.$ending"
    ln "$input" "out/hard.$ending"
    for output in "$input" "./in/../$input" "out/link.$ending" "out/chain.$ending" "out/hard.$ending"; do
        try "$output" "$@"
        cells="$cells $cell"
        case $output/$cell in
        */kept) ;;
        *in/*/ending) ;; # of another format by its name
        *) fault "sinew $* $output: $cell: $(cat said)" ;;
        esac
    done
    "$sinew" --quiet "$@" "out/new.$ending" >said 2>&1
    cell=written
    [ -s "out/new.$ending" ] || cell=missing
    [ $cell = written ] || fault "sinew $* out/new.$ending writes nothing: $(cat said)"
    printf '%-14s %-16s %-8s %-8s %-8s %-8s %-8s %s\n' "$(echo "$*" | cut -d ' ' -f 1-2 | sed 's/ in.*//')" "$input" $cells $cell
}

printf '%-14s %-16s %-8s %-8s %-8s %-8s %-8s %s\n' command input same spelled link chain hard new
for name in a.gltf a.bin texture.png steps.mp3 a.markers.json; do
    row obj $name skin in/a.gltf --obj
    row glb $name bake in/b.gltf --clip Up --bind in/a.gltf -o
done
for name in a.gltf a.bin; do
    row glb $name lint in/a.gltf --fix
    row glb $name optimize in/a.gltf -o
    row sinew $name bake-asset in/a.gltf -o
    row bvh $name bake in/a.gltf --clip Up -o
done
row glb b.gltf bake in/b.gltf --clip Up --bind in/a.gltf -o
row glb walk.rec bake in/hero.glb --recording in/walk.rec -o
row json hero.glb bench in/hero.glb --filter 'palette 60' -o
row json hero.glb humanoid in/hero.glb --map
row json other.map.json humanoid in/hero.glb --use in/other.map.json --map
for name in source.glb hero.glb hero.map.json other.map.json; do
    row glb $name retarget in/source.glb --onto in/hero.glb --clip Walk --source-map in/hero.map.json \
        --target-map in/other.map.json -o
done
for name in cycle.graph.json hero.glb source.glb; do
    row rec $name graph test in/cycle.graph.json --asset in/hero.glb --bind in/source.glb --walks 1 -o
done
row svg cycle.graph.json graph plot in/cycle.graph.json -o
for name in cycle.graph.json hero.glb walk.rec source.glb; do
    row svg $name graph plot in/cycle.graph.json --recording in/walk.rec --asset in/hero.glb --bind in/source.glb -o
done
if "$sinew" render in/sword.glb --size 8x8 -o out/picture.png 2>said; then
    for name in a.gltf a.bin texture.png hero.glb sword.glb; do
        row png $name render in/hero.glb --size 8x8 --attach in/sword.glb@Grip_R --with in/a.gltf@1,0,0 -o
    done
    row webp hero.graph.json render in/hero.glb --size 8x8 --frames 2 --graph in/hero.graph.json -o
    for name in a.gltf b.gltf a.bin; do
        row png $name compare in/a.gltf in/b.gltf --picture
    done
else
    echo "SKIPPED: nothing can be drawn"
fi

# ---- Written directly ----

for command in 'skin in/a.gltf --obj' 'bake in/hero.glb --recording in/walk.rec -o' 'humanoid in/hero.glb --map' \
    'graph plot in/hero.graph.json -o'; do
    input=$(echo "$command" | grep -o 'in/[a-z.]*' | tail -n 1)
    "$sinew" $command - 2>said >>"$input"
    same "the status of sinew $command - >>$input" 2 $?
    same "the inputs after sinew $command - >>$input" "$before" "$(state)"
done

# ---- Symbolic links to nothing ----

rm -rf out
mkdir out out/far
ln -s far/new.obj out/dangling.obj
"$sinew" skin in/a.gltf --obj out/dangling.obj || fault "skin --obj through a link to nothing fails"
[ -L out/dangling.obj ] || fault "a link to nothing was replaced by a file"
[ -s out/far/new.obj ] || fault "the file that a link names is not written"
ln -s loop.obj out/loop.obj
"$sinew" skin in/a.gltf --obj out/loop.obj 2>said && fault "a link to itself is written"
grep -q 'cannot be written' said || fault "a link to itself: $(cat said)"
ln -s nowhere/new.obj out/lost.obj
"$sinew" skin in/a.gltf --obj out/lost.obj 2>said && fault "a file in no folder is written"
same "temporary files" '' "$(find . -name '.sinew*')"

echo "$faults faults"
[ $faults = 0 ]
