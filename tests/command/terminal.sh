#!/bin/sh
# SPDX-License-Identifier: MIT
# Every sub-command escapes names from a file, and arguments, before they reach the terminal. JSON stays JSON:
# terminal.sh SINEW MODELS SCRATCH_FOLDER
. "$(dirname "$0")/common.sh"

# Every name of the file is the same hostile text: an escape sequence, a line break, DEL, C1 as UTF-8, a line
# separator, an override of the writing direction. Then letters, which stay.
name='\u001b[2J\n\u007f\u009b31m\u2028\u202eH\u00fcfte'
shown='\x1b[2J\x0a\x7f\u009b31m\u2028\u202eHüfte'
cat >names.gltf <<GLTF
{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
 "extensionsUsed": ["KHR_lights_punctual", "$name"],
 "extensions": {"KHR_lights_punctual": {"lights": [{"type": "point", "name": "$name"}]}, "$name": {}},
 "cameras": [{"name": "$name", "type": "perspective", "perspective": {"yfov": 1, "znear": 0.1}}],
 "nodes": [{"name": "$name", "children": [1], "rotation": [0.18257419, 0.36514837, 0.54772256, 0.73029674], "camera": 0, "extensions": {"KHR_lights_punctual": {"light": 0}}},
           {"name": "$name", "translation": [0.1, 0.2, 0.3], "mesh": 0, "skin": 0}],
 "skins": [{"name": "$name", "joints": [0, 1]}],
 "materials": [{"name": "$name", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
 "textures": [{"source": 0}], "images": [{"name": "$name", "mimeType": "$name", "uri": "missing.png"}],
 "meshes": [{"name": "$name", "primitives": [{"attributes": {"POSITION": 0}, "material": 0}]}],
 "buffers": [{"uri": "data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA", "byteLength": 36}],
 "bufferViews": [{"buffer": 0, "byteLength": 36}],
 "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0,0,0], "max": [1,1,0]}],
 "animations": [{"name": "$name", "samplers": [], "channels": [], "extras": {"markers": [{"name": "$name", "time": 0},
                                                                                       {"name": "$name", "time": 9}]}}]}
GLTF
cat >refused.gltf <<GLTF
{"asset": {"version": "2.0"}, "extensionsRequired": ["$name"], "nodes": [{"name": "$name"}]}
GLTF
raw=$(printf '\033[2J\n\177\302\23331m\342\200\250\342\200\256H\303\274fte')
cp names.gltf "$raw.gltf"
cp "$models/sword.glb" .

# is_plain WHAT FILE: no control byte but line feeds, no C1 as UTF-8, no separators and overrides, nothing but UTF-8.
is_plain() {
    LC_ALL=C grep -q "$(printf '[\001-\011\013-\037\177]')" "$2" && fault "$1: a control character"
    LC_ALL=C grep -q "$(printf '\302[\200-\237]')" "$2" && fault "$1: a C1 control character"
    LC_ALL=C grep -q "$(printf '\342\200[\250-\256]')" "$2" && fault "$1: a separator or an override"
    iconv -f UTF-8 -t UTF-8 "$2" >/dev/null 2>&1 || fault "$1: not UTF-8"
}

# prints TIMES ARGUMENTS...: the name is printed at least so often, and all that is printed is plain.
prints() {
    times=$1
    shift
    "$sinew" "$@" >out 2>err
    cat out err >all
    is_plain "sinew $(printf '%s ' "$@" | tr -d '\000-\037\177-\377')" all
    found=$(grep -oF -- "$shown" all | wc -l)
    [ "$found" -ge "$times" ] || fault "$1: '$shown' is printed $found times, not $times: $(cat -v all)"
}

for file in names.gltf "$raw.gltf"; do
    prints 10 info "$file"
    prints 2 pose "$file"
    prints 1 skin "$file"
    prints 1 skin "$file" --obj -
    prints 1 lint "$file"
    prints 1 verify "$file" --tolerance 0
    prints 1 pose "$file" --clip nothing
    prints 2 render "$file" --focus nothing -o a.png
    prints 1 render "$file" --sheet --size 8x8 -o a.png
done
prints 1 info refused.gltf
prints 1 lint refused.gltf
prints 2 verify "$raw.gltf" --tolerance 0
prints 1 lint "$raw.gltf" --fix "$raw.glb"
prints 1 bake names.gltf --clip nothing -o a.glb
prints 1 skin names.gltf --obj "nowhere/$raw"

# What is said of arguments.
for command in info pose skin lint view verify bench; do
    prints 1 $command "$raw"
    prints 1 $command sword.glb "$raw"
done
prints 1 render "$raw" -o a.png
prints 1 bake "$raw" --clip a -o a.glb
prints 1 render sword.glb "$raw"
prints 1 replay sword.glb sword.glb "$raw"
for command in info pose skin lint view render replay verify bench; do
    prints 0 $command "--$raw" # cut off: no option is so long
done
prints 1 "$raw"
prints 1 help "$raw"
prints 1 pose names.gltf --time "$raw"
prints 1 pose names.gltf --clip "$raw$raw"
prints 1 render names.gltf --frames "$raw" -o a.png
prints 1 render names.gltf -o "$raw"
prints 1 render names.gltf --with "$raw" -o a.png
prints 1 view names.gltf --size "$raw"
prints 1 bench "$raw" --gpu
prints 1 replay "$raw" sword.glb

# Bytes that are not UTF-8: 0x9b alone is a terminal command where it reads Latin-1.
printf 'x\233\377' >bytes
"$sinew" info "$(cat bytes)" 2>err
same "sinew info of a file that is not UTF-8" 'sinew: x\x9b\xff: there is no such file' "$(cat err)"

# Columns of tables are as wide as what is printed.
echo '{"asset": {"version": "2.0"}, "nodes": [{"name": "\\u001b[2J"}, {"name": "Hips"}, {"name": "\\u202eH\\u00fcfte"}]}' |
    sed 's/\\\\/\\/g' >columns.gltf
"$sinew" pose columns.gltf | sed 1d | LC_ALL=C sed 's/ü/u/; s/^\([0-9]* *[^ ]* *\).*/\1/' | awk '{ print length }' >columns
same "the columns of the pose table" 3 "$(uniq -c columns | awk '{ print $1 }')"

# ---- JSON ----

json='\u001b[2J\u000a\u007f\u009b31m\u2028\u202eHüfte'
for command in info pose lint verify; do
    "$sinew" $command names.gltf --json >out
    is_plain "sinew $command --json" out
    grep -qF -- "$json" out || fault "sinew $command --json lacks the name: $(cat out)"
done
cp names.gltf "$(cat bytes).gltf"
"$sinew" lint "$(cat bytes).gltf" --json >out
is_plain "the JSON of a name that is not UTF-8" out
same "a path that is not UTF-8" '{"file":"x\ufffd\ufffd.gltf"' "$(grep -o '^{"file":"[^"]*"' out)"
if command -v node >/dev/null; then
    "$sinew" info names.gltf --json | node -e '
        const names = JSON.parse(require("fs").readFileSync(0)).nodes.map(node => node.name)
        process.exit(names.every(name => name === "\u001b[2J\n\u007f\u009b31m\u2028\u202eH\u00fcfte") ? 0 : 1)' ||
        fault "the JSON does not read back to the name"
fi
echo "$faults faults"
[ $faults = 0 ]
