#!/bin/sh
# SPDX-License-Identifier: MIT
# Baked assets: each sub-command that only loads a file prints the same for it as for the .glb. The others refuse it:
# baked.sh SINEW MODELS SCRATCH_FOLDER
. "$(dirname "$0")/common.sh"
cp "$models/hero.glb" "$models/sword.glb" .

"$sinew" bake-asset hero.glb -o hero.sinew >said || fault "sinew bake-asset fails"
"$sinew" bake-asset sword.glb -o sword.sinew >said || fault "sinew bake-asset fails"
"$sinew" bake-asset hero.glb --up z -o z.sinew >said || fault "sinew bake-asset --up z fails"
"$sinew" bake-asset hero.glb --u16 -o u16.sinew --json >said || fault "sinew bake-asset --u16 fails"
same "bytes of sinew bake-asset --json" "$(wc -c <u16.sinew | tr -d ' ')" "$(sed 's/.*"bytes":\([0-9]*\).*/\1/' said)"
[ "$(wc -c <u16.sinew)" -lt "$(wc -c <hero.sinew)" ] || fault "keys of 16 bits are not smaller"

# ---- The same output ----

# prints COMMAND...: the same for hero.glb and hero.sinew, except memory.
prints() {
    command=$1
    shift
    "$sinew" "$command" hero.glb "$@" >glb || fault "sinew $command hero.glb $* fails"
    "$sinew" "$command" hero.sinew "$@" >baked || fault "sinew $command hero.sinew $* fails"
    for file in glb baked; do
        sed 's/"memory":[0-9]*//g; s/hero\.sinew/hero.glb/g' $file >$file.text
    done
    cmp glb.text baked.text >&2 || fault "sinew $command hero.sinew $* prints something else"
}
prints info --json
prints pose --clip Walk --time 0.3 --json
prints skin --clip Run --time 0.2 --json
prints humanoid --json
"$sinew" render hero.glb --clip Walk --size 64x64 --attach sword.glb@Grip_R -o glb.png >said || fault "sinew render fails"
"$sinew" render hero.sinew --clip Walk --size 64x64 --attach sword.sinew@Grip_R -o baked.png >said ||
    fault "sinew render hero.sinew fails"
cmp glb.png baked.png || fault "sinew render draws something else"
same "sinew pose z.sinew --up z" "$("$sinew" pose hero.glb --up z --json | sed 's/hero.glb//')" \
    "$("$sinew" pose z.sinew --up z --json | sed 's/z.sinew//')"

# ---- Refused ----

# refuses WHY COMMAND...: status 1, one line, and no output file.
refuses() {
    why=$1
    shift
    said=$("$sinew" "$@" 2>&1)
    same "the status of sinew $*" 1 $?
    same "sinew $*" "sinew: $why" "$said"
    [ ! -e out.glb ] || fault "sinew $* writes out.glb"
}
from='the glTF file that it was baked from'
refuses "hero.sinew: is a baked asset, not $from; lint reads glTF files" lint hero.sinew
refuses "hero.sinew: is a baked asset, not $from; lint reads glTF files" lint hero.sinew --fix out.glb
refuses "hero.sinew: is a baked asset, not $from; verify reads glTF files" verify hero.sinew
refuses "hero.sinew: is a baked asset, not $from; only glTF files can be compared or optimized" compare hero.glb hero.sinew
refuses "hero.sinew: is a baked asset, not $from; only glTF files can be compared or optimized" optimize hero.sinew -o out.glb
refuses "hero.sinew: is a baked asset, not $from; its clips can only be written to a .bvh file, or to a glTF file with --bind" bake hero.sinew --clip Walk -o out.glb
refuses "hero.sinew: is a baked asset, not $from; retarget writes clips into a glTF file" retarget hero.glb --onto hero.sinew --clip Walk -o out.glb
refuses 'hero.sinew: is already baked' bake-asset hero.sinew -o out.sinew
refuses 'hero.sinew: was baked with +Y up and cannot be converted; bake it again with --up' pose hero.sinew --up z
head -c 100000 hero.sinew >short.sinew
refuses "short.sinew: is truncated or damaged: it has 100000 bytes of $(wc -c <hero.sinew | tr -d ' ')" info short.sinew
"$sinew" bake hero.glb --clip Walk --bind hero.sinew --as Again -o again.glb >said || fault "a clip of a baked asset is not bound"

echo "$faults faults"
[ $faults = 0 ]
