#!/bin/sh
# SPDX-License-Identifier: MIT
# Arguments: -- ends the options, an empty file name is reported, and an error about a number tells its range:
# arguments.sh SINEW MODELS SCRATCH_FOLDER
. "$(dirname "$0")/common.sh"
cp "$models/sword.glb" "$models/hero.glb" .

# refuses WHY COMMAND...: wrong usage, and the line for it.
refuses() {
    why=$1
    shift
    said=$("$sinew" "$@" 2>&1)
    same "the status of sinew $*" 2 $?
    same "sinew $*" "sinew $1: $why (see 'sinew $1 --help')" "$said"
}

# ---- The end of options ----

cp sword.glb ./--sword.glb
cp sword.glb ./--quiet
cp sword.glb ./-h
expected=$("$sinew" info sword.glb --json)
for name in --sword.glb --quiet -h; do
    same "sinew info -- $name" "$expected" "$("$sinew" info --json -- $name)"
done
same "sinew --quiet info -- --quiet" "$expected" "$("$sinew" --quiet info --json -- --quiet)"
same "sinew skin -- FILE" "$("$sinew" skin sword.glb)" "$("$sinew" skin -- --sword.glb)"
refuses "'--json': unexpected argument" info -- sword.glb --json
refuses "'--': unexpected argument" info -- sword.glb --
refuses "FILE is missing" info --
refuses "FILE is missing" pose --json --
"$sinew" lint sword.glb --json --fix=--fixed.glb >/dev/null
[ -f ./--fixed.glb ] || fault "an output cannot begin with --"
same "sinew info -- of an output" 0 "$("$sinew" info -- --fixed.glb >/dev/null; echo $?)"
"$sinew" render --sheet --size 8x8 -o a.png -- --sword.glb >said 2>&1
case $(cat said) in
*option* | *missing*) fault "sinew render --sheet -o a.png -- --sword.glb says '$(cat said)'" ;;
esac

# ---- Empty names ----

for command in info pose skin bake bake-asset lint optimize compare view render replay continuity verify bench; do
    refuses "the file name is empty" $command ''
    refuses "the file name is empty" $command sword.glb ''
    refuses "the file name is empty" $command -- ''
done
refuses "--obj needs a file name, not ''" skin sword.glb --obj ''
refuses "--obj needs a file name, not ''" skin sword.glb --obj=
refuses "-o needs a file name, not ''" bake sword.glb --clip a -o ''
refuses "two files are needed" compare sword.glb
refuses "--picture needs a file name, not '-'; the report goes to standard output" compare sword.glb sword.glb --picture -
refuses "-o is missing" optimize sword.glb
refuses "FILE is missing" optimize -o a.glb
refuses "-o needs a file name, not '-'; the report goes to standard output" optimize sword.glb -o -
refuses "--tight and --error cannot be used together: --tight is --error 0.15mm" optimize sword.glb -o a.glb --tight --error 1mm
for value in '' 0 -1mm 2m 1km 1mmm; do
    refuses "--error needs a length such as 1mm, above 0 and at most 1m, not '$value'" compare sword.glb sword.glb --error "$value"
done
refuses "--bind needs a file name, not ''" bake sword.glb --clip a --bind '' -o a.glb
refuses "FILE and -o OUT.sinew are required" bake-asset sword.glb
refuses "FILE and -o OUT.sinew are required" bake-asset -o a.sinew
refuses "-o is missing" bake sword.glb --clip a
refuses "FILE is missing" bake --clip a -o a.glb
refuses "--min-match must be between 0 and 1, not '2'" bake sword.glb --clip a --min-match 2 -o a.glb
refuses "--ignore-prefixes, --rotations-only and --min-match need --bind" bake sword.glb --clip a --rotations-only -o a.glb
refuses "--bind needs --clip: a recording already belongs to FILE" bake sword.glb --recording a.rec --bind b.glb -o a.glb
refuses "-o: a .bvh can hold only one clip" bake sword.glb --clip a --clip b -o a.bvh
refuses "--fix needs a file name, not ''" lint sword.glb --fix ''
refuses "--fix needs a file name, not '-'; the report goes to standard output" lint sword.glb --fix -
refuses "-o needs a file name, not ''" render sword.glb -o ''
refuses "-o needs a file name, not ''" bench -o ''
refuses "--budget must be between 0.1 and 1000, not '0'" bench --budget 0
refuses "--budget cannot be used with --gpu or --filter" bench --budget 4 --gpu
refuses "--budget cannot be used with --gpu or --filter" bench --filter all --budget 4
refuses "RECORDING is missing" continuity
refuses "FILE is missing" continuity a.rec
refuses "--degrees must be between 0.001 and 180, not '0'" continuity a.rec sword.glb --degrees 0
refuses "--worst must be a whole number between 0 and 100, not '101'" continuity a.rec sword.glb --worst 101
# shellcheck disable=SC2046
refuses "--springs can be used at most 32 times" render hero.glb $(yes -- '--springs Hair1' | head -33)
refuses "--compare needs a file name, not ''" replay a.rec sword.glb --compare ''
said=$("$sinew" '' 2>&1)
same "the status of sinew ''" 2 $?

# ---- The endings of outputs ----

# ends OPTION ENDINGS COMMAND...: the command, which ends in that option, refuses an output of any other ending, and
# writes nothing. Prints the table.
ends() {
    option=$1 endings=$2
    shift 2
    for ending in glb gltf vrm vrma bvh fbx sinew obj json svg rec png webp GLB bin txt; do
        output=endings/out.$ending
        said=$("$sinew" --quiet "$@" "$option" "$output" 2>&1)
        status=$?
        case " $endings " in
        *" $(echo $ending | tr GLB glb) "*) cell=taken ;;
        *) cell=refused ;;
        esac
        case $said in
        *"must end in"*"not '$output'"*) found=refused ;;
        *) found=taken ;;
        esac
        same "sinew $* $option $output" $cell $found
        [ $found = taken ] || same "the status of sinew $* $option $output" 2 $status
        [ $found = taken ] || [ ! -e "$output" ] || fault "sinew $* $option $output writes"
        printf ' %-7s' $([ $found = taken ] && echo .$ending || echo -)
    done
    echo "  sinew $* $option"
    rm -f endings/*
}
mkdir endings
cp hero.glb hero.vrm
cp hero.glb hero.vrma
cp "$models/hero.graph.json" .
ends -o 'glb bvh' bake hero.glb --clip Walk
ends -o 'glb bvh vrm' bake hero.vrm --clip Walk
ends -o 'glb bvh vrma' bake hero.vrma --clip Walk
ends -o 'glb gltf bvh vrma' retarget hero.glb --onto hero.glb --clip Walk
ends -o 'glb gltf bvh vrm vrma' retarget hero.glb --onto hero.vrm --clip Walk
ends -o glb optimize sword.glb
ends -o sinew bake-asset sword.glb
ends --fix glb lint sword.glb
ends --obj obj skin sword.glb
ends --map json humanoid hero.glb
ends --picture png compare none.glb none.glb
ends -o 'png webp' render none.glb
ends -o svg graph plot hero.graph.json
ends -o rec graph test hero.graph.json --asset none.glb
ends -o json bench none.glb

# ---- Ranges ----

for value in 1e30 -1 nan inf soon '' 1s; do
    refuses "--time must be between 0 and 1000000000, not '$value'" pose sword.glb --time "$value"
    refuses "--time must be between 0 and 1000000000, not '$value'" skin sword.glb --time "$value"
    refuses "--time must be between 0 and 1000000, not '$value'" render sword.glb -o a.png --time "$value"
    refuses "--fps must be between 0.01 and 1000, not '$value'" render sword.glb -o a.webp --fps "$value"
    refuses "--tolerance must be between 0 and 1, not '$value'" verify sword.glb --tolerance "$value"
done
for value in 0 -1 1.5 100000000000000000000 many ''; do
    refuses "--frames must be a whole number between 1 and 3000, not '$value'" \
        render sword.glb -o a.webp --frames "$value"
    refuses "--crowd must be a whole number between 1 and 100000, not '$value'" \
        render sword.glb -o a.png --crowd "$value"
    refuses "--poses must be a whole number between 1 and 100000, not '$value'" \
        render sword.glb -o a.png --crowd 2 --poses "$value"
    refuses "--crowd must be a whole number between 1 and 100000, not '$value'" view sword.glb --crowd "$value"
done
for value in 0x9 9x0 4097x1 1x4097 9 x 1e3x1; do
    refuses "--size must be WIDTHxHEIGHT, each between 1 and 4096, not '$value'" \
        render sword.glb -o a.png --size "$value"
done
for value in 0x0 319x240 320x239 16385x240 9; do
    refuses "--size must be WIDTHxHEIGHT, between 320x240 and 16384x16384, not '$value'" view sword.glb --size "$value"
done
refuses "--recording needs --graph" render sword.glb --recording a.rec -o a.png
refuses "--set cannot be used with --recording" render sword.glb --graph a.json --recording a.rec --set x=1 -o a.png
refuses "--set needs --graph" view sword.glb --set x=1
refuses "--graph needs a FILE" view --graph a.graph.json
refuses "--clip cannot be used with --graph" view sword.glb --graph a.graph.json --clip Swing
refuses "--play-all cannot be used with --graph" view sword.glb --graph a.graph.json --play-all
refuses "--set must be NAME, NAME=VALUE, NAME=X,Y or NAME=X,Y,Z, and @SECONDS between 0 and 3600, not 'x='" \
    view sword.glb --graph a.graph.json --set x=
seconds="CLIP@START:DURATION or CLIP@START:DURATION:once, both between 0 and 3600 seconds"
for value in Run@-1:1 Run@1:3601 Run@1; do
    refuses "--crossfade must be $seconds, not '$value'" render hero.glb -o a.webp --crossfade "$value"
done
input="NAME, NAME=VALUE, NAME=X,Y or NAME=X,Y,Z, and @SECONDS between 0 and 3600"
for value in =1 x= x=1,2,3,4,5,6,7,8 x=y x=1@ x=1@-1 x=1@3601 x=nan x@y; do
    refuses "--set must be $input, not '$value'" render hero.glb -o a.png --graph hero.graph.json --set "$value"
done
place="FILE@X,Y,Z, FILE@X,Y,Z:TURN or FILE@X,Y,Z:TURN:CLIP, X, Y and Z between -10000 and 10000 meters, TURN between \
-360 and 360 degrees"
for value in b.glb@1,2,10001 b.glb@1,2,3:361 b.glb@nan,0,0; do
    refuses "--with must be $place, not '$value'" render hero.glb -o a.png --with "$value"
done
for value in 0 13 3@0 3@3601; do
    refuses "--onion must be N or N@SECONDS, N between 1 and 12, SECONDS above 0 and at most 3600, not '$value'" \
        render hero.glb -o a.png --onion "$value"
done
for value in Head@0 Head@1000001; do
    refuses "--focus must be NODE or NODE@METERS, METERS above 0 and at most 1000000, not '$value'" \
        render hero.glb -o a.png --focus "$value"
done
for value in 2..1 1 1:2 0,5..1 -1..2 nan..1 ' 0..1' ''; do
    refuses "--range needs A..B, A.. or ..B in seconds, 0 <= A < B, such as 0.5..2, not '$value'" \
        bake hero.glb --clip Walk --range "$value" -o a.glb
done

# ranges OPTION... : SECONDS: Idle has 4 s
ranges() {
    seconds=$1
    shift
    "$sinew" bake hero.glb --clip Idle "$@" --only -o ranged.glb || fault "sinew bake $* fails"
    found=$("$sinew" info ranged.glb --json | grep -o '"name":"Idle","duration":[0-9.]*' | sed 's/.*://')
    same "the duration of bake $*" "$seconds" "$found"
}
for value in 0..1 1..2 1.0..2 .5..1.5 1e0..2 3.. ..1 +1..2; do
    ranges 1 --range $value
    ranges 1 --range=$value
done
ranges 0.5 --range 0..0.5
ranges 2 --range 1..3

refuses "--up must be y or z, not 'x'" pose sword.glb --up x
refuses "--time needs a value" pose sword.glb --time
echo "$faults faults"
[ $faults = 0 ]
