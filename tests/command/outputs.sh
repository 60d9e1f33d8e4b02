#!/bin/sh
# SPDX-License-Identifier: MIT
# What the command writes: an output is never an input, under any name; a full disk leaves the old file; permissions
# and links stay: outputs.sh SINEW MODELS SCRATCH_FOLDER
. "$(dirname "$0")/common.sh"

# What is in the folder, with the contents.
state() { find . -type f | sort | xargs cksum && find . -type l | sort | xargs ls -l; }

# ---- A model of several files ----

mkdir model elsewhere
cat >model/a.gltf <<'GLTF'
{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
 "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "material": 0}]}],
 "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}], "textures": [{"source": 0}],
 "images": [{"uri": "te%78ture.png"}, {"uri": "data:image/png;base64,AAAA"}],
 "buffers": [{"uri": "a.bin", "byteLength": 36}],
 "bufferViews": [{"buffer": 0, "byteLength": 36}],
 "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0,0,0], "max": [1,1,0]}],
 "animations": [{"name": "Still", "samplers": [], "channels": []}],
 "extensionsUsed": ["KHR_audio"], "extensions": {"KHR_audio": {"audio": [{"uri": "steps.mp3"}]}}}
GLTF
zeros='\000\000\000\000'
one='\000\000\200\077'
printf "$zeros$zeros$zeros$one$zeros$zeros$zeros$one$zeros" >model/a.bin
printf '\211PNG\r\n\032\nnothing' >model/texture.png
printf 'sound' >model/steps.mp3
printf '{"Still": []}' >model/a.markers.json
cp "$models/sword.glb" model/b.glb
ln -s a.bin model/link.png
ln model/a.bin model/hard.png
ln -s ../model/b.glb elsewhere/link.glb
"$sinew" info model/a.gltf >/dev/null || fault "the model cannot be read"

# ---- Inputs: overwriting.sh has the table ----

before=$(state)

# refuses INPUT COMMAND...: a line that names the input, status 2, and no file has changed.
refuses() {
    input=$1
    shift
    said=$("$sinew" "$@" 2>&1 >/dev/null)
    same "the status of sinew $*" 2 $?
    case $said in
    "sinew $1: "*"would overwrite the input $input; choose another file (see 'sinew $1 --help')") ;;
    *) fault "sinew $* says '$said'" ;;
    esac
    [ "$(state)" = "$before" ] || {
        fault "sinew $* has changed a file"
        exit 1
    }
}

ln -s ../model/b.glb elsewhere/link.obj
before=$(state)
refuses model/b.glb skin model/b.glb --obj elsewhere/link.obj
refuses elsewhere/link.glb lint elsewhere/link.glb --fix model/b.glb
said=$("$sinew" skin model/b.glb --obj - 2>&1 >>model/b.glb)
same "the status of skin --obj - onto its input" 2 $?
same "the files after that" "$before" "$(state)"

# ---- Good results ----

"$sinew" skin model/b.glb --obj - >expected.obj || fault "skin --obj - fails"
(umask 027 && "$sinew" skin model/b.glb --obj new.obj) || fault "skin --obj fails"
same "the permissions of a new file" -rw-r----- "$(ls -l new.obj | cut -c 1-10)"
cmp expected.obj new.obj || fault "an output is not what standard output has"
echo old >old.obj
chmod 604 old.obj
ln -s old.obj link.obj
"$sinew" skin model/b.glb --obj link.obj || fault "skin --obj through a link fails"
same "the permissions of an old file" -rw----r-- "$(ls -l old.obj | cut -c 1-10)"
[ -L link.obj ] || fault "a link was replaced by a file"
cmp expected.obj old.obj || fault "a file was not replaced through a link"
"$sinew" skin model/b.glb --obj /dev/stdout | cmp expected.obj - || fault "/dev/stdout in a pipe"
{ echo first; "$sinew" skin model/b.glb --obj /dev/stdout; echo last; } >all.obj
{ echo first; cat expected.obj; echo last; } | cmp - all.obj || fault "/dev/stdout in the middle of a file"
mkfifo pipe
cat pipe >piped.obj &
"$sinew" skin model/b.glb --obj pipe || fault "skin --obj to a pipe fails"
wait $!
cmp expected.obj piped.obj || fault "a pipe does not get what standard output has"
[ -p pipe ] || fault "a pipe was replaced by a file"
rm -f pipe

# ---- Bad targets and full disks ----

# fails WHY COMMAND...: one line that ends in WHY, status 1, and no file has changed.
fails() {
    why=$1
    shift
    before=$(state)
    said=$(
        trap '' XFSZ
        ulimit -f "$limit"
        "$sinew" --quiet "$@" 2>&1 >/dev/null
    )
    same "the status of sinew $*" 1 $?
    case $said in
    *'
'*) fault "sinew $* says more than a line: '$said'" ;;
    "sinew: "*": "*"$why") ;;
    *) fault "sinew $* says '$said', not '$why'" ;;
    esac
    same "the files after sinew $*" "$before" "$(state)"
}

limit=unlimited
fails "cannot be written: No such file or directory" skin model/b.glb --obj nowhere/a.obj
fails "cannot be written: Is a directory" skin model/b.glb --obj model
fails "cannot be written: Is a directory" lint model/b.glb --fix model
fails "cannot be written: Is a directory" bake "$models/hero.glb" --clip Walk -o model
fails "cannot be written: Is a directory" bench --filter nothing -o model
full="not everything could be written"
if [ -c /dev/full ]; then
    fails "$full: No space left on device" skin model/b.glb --obj /dev/full
    fails "$full: No space left on device" lint model/b.glb --fix /dev/full
    fails "$full: No space left on device" optimize "$models/hero.glb" -o /dev/full
    fails "$full: No space left on device" bake "$models/hero.glb" --clip Walk -o /dev/full
    fails "$full: No space left on device" bake-asset model/b.glb -o /dev/full
    fails "$full: No space left on device" bake-asset "$models/hero.glb" -o /dev/full
    fails "$full: No space left on device" retarget "$models/hero.glb" --onto "$models/hero.glb" --clip Walk -o /dev/full
    fails "$full: No space left on device" humanoid "$models/hero.glb" --map /dev/full
    fails "$full: No space left on device" graph plot "$models/hero.graph.json" -o /dev/full
    fails "$full: No space left on device" bench --filter 'palette 60' -o /dev/full
    [ -c /dev/full ] || fault "/dev/full was removed"
fi
limit=8 # blocks
for ending in glb sinew json; do
    echo old >old.$ending
    ln -s old.$ending link.$ending
done
for target in old fresh link; do
    fails "$full: File too large" skin model/b.glb --obj $target.obj
    fails "$full: File too large" lint model/b.glb --fix $target.glb
    fails "$full: File too large" bake-asset model/b.glb -o $target.sinew
    fails "$full: File too large" bake-asset "$models/hero.glb" -o $target.sinew
    fails "$full: File too large" bake "$models/hero.glb" --clip Walk -o $target.glb
done
limit=0
fails "$full: File too large" bench --filter 'palette 60' -o old.json
if "$sinew" render model/b.glb --size 64x64 -o picture.png 2>/dev/null; then
    limit=unlimited
    ln -s /dev/full full.png
    ln -s /dev/full full.webp
    fails "$full: No space left on device" render model/b.glb --size 64x64 -o full.png
    fails "$full: No space left on device" render model/b.glb --size 64x64 --frames 2 -o full.webp
    cp picture.png picture.webp
    limit=1 # which the libraries below OpenGL stand
    fails "$full: File too large" render model/b.glb -o picture.png
    fails "$full: File too large" render model/b.glb --frames 9 -o picture.webp
    before=$(state)
    said=$("$sinew" render model/b.glb --camera none -o picture.png 2>&1) && fault "a camera that is not there is found"
    same "the files after a failed render" "$before" "$(state)"
else
    echo "SKIPPED: nothing can be drawn"
fi
same "temporary files" '' "$(find . -name '.sinew*')"

# ---- Standard output ----

if [ -c /dev/full ]; then
    full="sinew: standard output: $full: No space left on device"
    for arguments in --help --version help 'help render' 'info --help' 'pose -h' 'skin --help' 'lint --help' \
        'view --help' 'render --help' 'replay --help' 'verify --help' 'bench --help' 'info model/b.glb' \
        'info model/b.glb --json' 'pose model/b.glb' 'skin model/b.glb' 'skin model/b.glb --json' \
        'skin model/b.glb --obj -' 'lint model/b.glb' 'verify model/b.glb --json' 'bench --filter nothing --help'; do
        said=$("$sinew" --quiet $arguments 2>&1 >/dev/full)
        same "the status of sinew $arguments >/dev/full" 1 $?
        same "sinew $arguments >/dev/full" "$full" "$said"
    done
fi
echo "$faults faults"
[ $faults = 0 ]
