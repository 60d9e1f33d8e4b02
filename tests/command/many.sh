#!/bin/sh
# SPDX-License-Identifier: MIT
# Many files in one call of retarget, optimize and lint: folders, names, failures, jobs, interruption. Also retarget's
# other outputs, and its messages about .bvh files: many.sh SINEW MODELS SCRATCH_FOLDER
. "$(dirname "$0")/common.sh"
hero=$models/hero.glb golem=$models/golem.glb

# clips FILE: the names of its clips.
clips() { "$sinew" info "$1" 2>/dev/null | sed -n "s/^  #[0-9]* '\(.*\)': [0-9.]* s, .*/\1/p"; }

# duration FILE CLIP
duration() { "$sinew" info "$1" 2>/dev/null | sed -n "s/^  #[0-9]* '$2': \([0-9.]*\) s, .*/\1/p"; }

# positions FILE TIME NAME...: of nodes in the world in millimetres, of the first clip.
positions() {
    file=$1 time=$2
    shift 2
    for node; do
        "$sinew" pose "$file" --clip '#0' --time "$time" 2>/dev/null | awk -v node="$node" '$2 == node {
            for (i = NF - 2; i <= NF; i++) printf "%d ", ($i < 0 ? -1 : 1) * int(($i < 0 ? -$i : $i) * 1000 + 0.5)
            print "" }'
    done
}

# near WHAT EXPECTED ACTUAL: lists of numbers that differ by at most 2.
near() {
    [ -n "$2" ] || fault "$1: nothing to compare"
    printf '%s\n%s\n' "$(echo "$2" | tr '\n' ' ')" "$(echo "$3" | tr '\n' ' ')" | awk -v what="$1" '
        { for (i = 1; i <= NF; i++) all[NR, i] = $i; n[NR] = NF }
        END {
            if (n[1] != n[2]) { print what ": " n[2] " numbers, not " n[1]; exit 1 }
            for (i = 1; i <= n[1]; i++) { d = all[1, i] - all[2, i]; if (d > 2 || d < -2) {
                print what ": " all[2, i] ", not " all[1, i]; exit 1 } }
        }' || faults=$((faults + 1))
}

# ---- Takes ----

mkdir -p takes/deeper other
"$sinew" bake "$hero" --clip Walk -o takes/walk.bvh || fault "no walk.bvh"
"$sinew" bake "$hero" --clip Run -o takes/a-run.BVH.bvh || fault "no a-run.BVH.bvh"
"$sinew" bake "$hero" --clip Wave --only -o takes/hero.glb || fault "no hero.glb of one clip"
"$sinew" bake "$hero" --clip Run -o other/walk.bvh || fault "no other walk.bvh"
cp other/walk.bvh takes/deeper/not-read.bvh
cp other/walk.bvh takes/.hidden.bvh
echo text >takes/notes.txt

"$sinew" retarget takes --onto "$golem" -o folder.glb >said 2>err || fault "a folder is not retargeted: $(cat err)"
same "the clips of a folder, sorted by its files" "a-run.BVH,Wave,walk," "$(clips folder.glb | tr '\n' ',')"
same "lines of takes" 3 "$(grep -c '^takes/.* pairs, ' said)"
grep -q '^takes/walk.bvh: .*size [0-9.]*, roles by names and shape ([01]\.[0-9]*), from the rest pose (score [01]\.[0-9]*); walk: 1.067 s, slide [0-9.]* to [0-9.]* cm/s; .*assumed to be' said ||
    fault "the line of a take lacks something: $(grep walk said)"
"$sinew" retarget takes/walk.bvh other/walk.bvh takes/hero.glb other/walk.bvh --onto "$golem" --only -o names.glb >said 2>err ||
    fault "several sources are not retargeted: $(cat err)"
same "clips of one name" "walk,walk 2,Wave,walk 3," "$(clips names.glb | tr '\n' ',')"
grep -q '^other/walk.bvh: .*; walk 2: 0.733 s' said || fault "the line of a numbered clip has another name"
near "the second walk is the run" "$("$sinew" retarget other/walk.bvh --onto "$golem" --only -o run.glb >/dev/null 2>&1; positions run.glb 0.3 mixamorig:Hips mixamorig:LeftHand)" \
    "$("$sinew" bake names.glb --clip 'walk 2' --only -o second.glb; positions second.glb 0.3 mixamorig:Hips mixamorig:LeftHand)"

# A pose that is pushed over the ground by 1 cm a frame slides by that, scaled.
rate=$(awk '/^Frame Time/ { print 1 / $3 }' takes/walk.bvh)
awk '/^MOTION/ { motion = 1 } motion && NF > 9 { if (!pose) pose = $0; $0 = pose; $1 += frame++ } { print }' takes/walk.bvh >pushed.bvh
"$sinew" retarget pushed.bvh takes/walk.bvh --onto "$golem" --unit cm --only -o pushed.glb >said 2>err || fault "a pushed pose: $(cat err)"
near "the slide of a pushed pose, mm/s" \
    "$(sed -n 's/^pushed.*size \([0-9.]*\), .*/\1/p' said | awk -v rate="$rate" '{ printf "%d %d", 10 * $1 * rate, 10 * $1 * rate }')" \
    "$(sed -n 's/^pushed.*slide \([0-9.]*\) to \([0-9.]*\) cm.*/\1 \2/p' said | awk '{ printf "%d %d", 10 * $1, 10 * $2 }')"

# A curve of a source is one of the output, next to sources without it.
"$sinew" retarget "$hero" --onto "$hero" --clip Walk --only -o plain.gltf >/dev/null || fault "no plain.gltf"
sed 's/"extras":{"markers"/"extras":{"curves":{"Grip":{"times":[0,1],"values":[0,2]}},"markers"/' plain.gltf >curved.gltf
cmp -s plain.gltf curved.gltf && fault "no curve to retarget"
"$sinew" retarget takes/walk.bvh curved.gltf --onto "$golem" --only -o curved.glb >said 2>err || fault "a curve: $(cat err)"
same "the curve at 0.5 s" "curve 'Grip' 1" "$("$sinew" pose curved.glb --clip Walk --time 0.5 | grep Grip)"

# ---- Failures ----

cp "$models/sword.glb" takes/sword.glb
echo 'HIERARCHY' >takes/broken.bvh
"$sinew" retarget takes nofile.glb --onto "$golem" -o some.glb >said 2>err
same "the status with failures" 1 $?
same "what is left of the takes" "a-run.BVH,Wave,walk," "$(clips some.glb | tr '\n' ',')"
same "lines of failures" "sinew: nofile.glb|sinew: takes/broken.bvh|sinew: takes/sword.glb|" "$(cut -d: -f1,2 err | sort | tr '\n' '|')"
grep -q '^3 of 6 sources retargeted' said || fault "the count of the sources is missing: $(tail -n 2 said)"
"$sinew" retarget nofile.glb takes/sword.glb --onto "$golem" -o nothing.glb >said 2>err
same "the status if all fail" 1 $?
[ ! -e nothing.glb ] || fault "a file without a take is written"
"$sinew" retarget takes --onto "$golem" -o json.glb --json >said.json 2>err
same "errors in JSON" 2 "$(grep -c '"error":"takes/' said.json)"
same "takes in JSON" 3 "$(grep -c '"error":null' said.json)"
"$sinew" retarget takes --onto "$golem" --as X -o no.glb >/dev/null 2>err
same "the status of --as for many" 2 $?
"$sinew" retarget takes --onto "$golem" -o no.bvh >/dev/null 2>err
same "the status of a .bvh of many" 2 $?
"$sinew" retarget takes --onto "$golem" -o takes/walk.bvh.glb --json >/dev/null 2>&1
"$sinew" retarget takes --onto "$golem" -o takes/hero.glb >/dev/null 2>err
same "the status of an output that is a take" 2 $?
mkdir -p empty
"$sinew" retarget empty --onto "$golem" >/dev/null 2>err
same "the status of an empty folder" 1 $?
rm takes/sword.glb takes/broken.bvh takes/walk.bvh.glb

# ---- Jobs ----

mkdir many
i=0
while [ $i -lt 12 ]; do
    i=$((i + 1))
    cp takes/walk.bvh many/walk$i.bvh
    cp "$models/sword.glb" many/bad$i.glb
    awk -v i=$i '/^MOTION/ { motion = 1 } motion && NF > 9 { $2 += i } { print }' other/walk.bvh >many/moved$i.bvh
done
for jobs in 1 2 7; do
    "$sinew" retarget many --onto "$hero" -o many$jobs.glb --jobs $jobs >said$jobs 2>err$jobs
    same "the status of --jobs $jobs" 1 $?
    sed -i "s/many$jobs.glb/many.glb/" said$jobs
    for file in many$jobs.glb said$jobs err$jobs; do
        cmp "$file" "$(echo $file | sed "s/$jobs/1/")" || fault "--jobs $jobs writes something else"
    done
done
same "the clips of many" 24 "$(clips many1.glb | grep -c -E '^(walk|moved)[0-9]')"
"$sinew" retarget many --onto "$hero" --jobs 0 >/dev/null 2>&1
same "the status of --jobs 0" 2 $?

# At any time the output is the file that was there, or the whole new one, also after a signal.
before=$(wc -c <"$hero") after=$(wc -c <many1.glb)
for signal in none INT KILL TERM; do
    for wait in 1 2 4 8 16 32; do
        cp "$hero" kept.glb
        "$sinew" retarget many --onto "$hero" -o kept.glb --jobs 2 >/dev/null 2>&1 &
        process=$!
        polls=0
        while kill -0 $process 2>/dev/null; do
            size=$(wc -c <kept.glb)
            [ "$size" = "$before" ] || [ "$size" = "$after" ] || fault "$size bytes of the output are there at some time"
            polls=$((polls + 1))
            [ $signal = none ] || [ $polls -lt $wait ] || kill -$signal $process 2>/dev/null
        done
        wait $process 2>/dev/null
        cmp -s kept.glb "$hero" || cmp -s kept.glb many1.glb || fault "SIG$signal after $wait polls leaves a part of a file"
        [ $signal = KILL ] || [ -z "$(ls -A | grep '^\.sinew-')" ] || fault "SIG$signal leaves a temporary file"
        rm -f .sinew-*
    done
done

# ---- A range ----

"$sinew" retarget "$hero" --onto "$golem" --clip Walk --clip Run --range 0.2..0.6 --only -o range.glb >/dev/null || fault "--range fails"
same "the duration of a range" "0.400 0.400" "$(duration range.glb Walk) $(duration range.glb Run)"
"$sinew" retarget "$hero" --onto "$golem" --clip Walk --only -o whole.glb >/dev/null
joints="mixamorig:Hips mixamorig:RightHand"
near "the start of a range" "$(positions whole.glb 0.2 $joints)" "$(positions range.glb 0 $joints)"
"$sinew" retarget "$hero" --onto "$golem" --clip Walk --range 5..6 -o no.glb >/dev/null 2>err
same "the status of a range outside of the clip" 1 $?

# ---- Other outputs ----

"$sinew" retarget "$golem" --onto "$hero" -o golem.glb >/dev/null 2>&1
"$sinew" retarget "$hero" --onto "$hero" --clip Walk --only -o out.glb >/dev/null || fault "no .glb"
for out in out.gltf out.bvh; do
    "$sinew" retarget "$hero" --onto "$hero" --clip Walk --only -o $out >said || fault "no $out"
    near "the pose of $out" "$(positions out.glb 0.5 Head Hand_L Foot_R)" "$(positions $out 0.5 Head Hand_L Foot_R)"
done
grep -q '"uri":"data:application/octet-stream;base64,' out.gltf || fault "a .gltf lacks its buffer"
"$sinew" lint out.gltf >/dev/null
[ $? -le 1 ] || fault "a .gltf is not readable for lint"
"$sinew" retarget out.gltf --onto "$hero" --only -o again.glb >/dev/null && "$sinew" compare out.glb again.glb >/dev/null ||
    fault "a .gltf is not what the .glb is"
sprite=$models/sprite.vrm
"$sinew" retarget "$hero" --onto "$sprite" --clip Walk --only --fixed-lengths -o out.vrm >/dev/null || fault "no .vrm"
"$sinew" retarget "$hero" --onto "$sprite" --clip Walk -o out.vrma >/dev/null || fault "no .vrma"
"$sinew" humanoid out.vrma | grep -q 'VRM 1.0 data, score 1.00, facing (0.00, 0.00, 1.00)' || fault "a .vrma lacks its roles"
bones='J_Bip_C_Head J_Bip_L_Hand J_Bip_R_Foot'
near "the pose of a .vrma" "$(positions out.vrm 0.5 $bones)" "$(positions out.vrma 0.5 $bones)"
"$sinew" retarget out.vrma --onto "$sprite" --only -o back.vrm >/dev/null || fault "a .vrma is not retargeted"
near "the pose of a .vrma on its avatar" "$(positions out.vrm 0.5 $bones)" "$(positions back.vrm 0.5 $bones)"
"$sinew" retarget "$hero" --onto "$golem" --clip Walk -o no.vrma >/dev/null 2>err
same "the status of a .vrma of a golem" 1 $?
"$sinew" retarget "$hero" --onto "$sprite" -o no.vrma >/dev/null 2>err
same "the status of a .vrma of all clips" 1 $?
[ ! -e no.vrma ] && [ ! -e no.bvh ] && [ ! -e no.glb ] || fault "a refused output is written"

# ---- What a .bvh file does not say ----

# height FILE OPTION...: of the head in the rest pose, in centimetres, and its depth.
height() {
    "$sinew" pose "$@" 2>/dev/null | awk '$2 == "Head" { printf "%.0f %.0f\n", 100 * $(NF - 1), 100 * $NF }'
}
same "the guessed unit" "$(height "$hero" | cut -d' ' -f1)" "$(height takes/walk.bvh | cut -d' ' -f1)"
centimetres=$(height takes/walk.bvh --unit cm)
same "a unit of 0.01" "$centimetres" "$(height takes/walk.bvh --unit 0.01)"
near "inches" "$(echo "$centimetres" | awk '{ print 2.54 * $1, 2.54 * $2 }')" "$(height takes/walk.bvh --unit=in)"
near "millimetres" "$(echo "$centimetres" | awk '{ print 0.1 * $1, 0.1 * $2 }')" "$(height takes/walk.bvh --unit mm)"
# neck FILE OPTION...: from the hips to the head in the rest pose, in centimetres: up, and toward +Z.
neck() {
    "$sinew" pose "$@" 2>/dev/null | awk '$2 == "Hips" { y = $(NF - 1); z = $NF }
        $2 == "Head" { printf "%.0f %.0f\n", 100 * ($(NF - 1) - y), 100 * ($NF - z) }'
}
near "+Z is up in the file" "$(neck takes/walk.bvh --unit cm | awk '{ print $2, -$1 }')" \
    "$(neck takes/walk.bvh --unit cm --file-up z)"
for wrong in --unit=ell --unit=0 --file-up=w --unit; do
    "$sinew" info takes/walk.bvh $wrong >/dev/null 2>err
    same "the status of $wrong" 2 $?
done
size() { "$sinew" retarget takes/walk.bvh --onto "$golem" "$@" 2>/dev/null | sed -n 's/.* size \([0-9.]*\);.*/\1/p'; }
same "the size of inches" "$(size --unit cm | awk '{ printf "%.2f", $1 / 2.54 }')" "$(size --unit in | awk '{ printf "%.2f", $1 }')"
"$sinew" retarget takes/walk.bvh --onto "$golem" --unit in >/dev/null 2>err
! grep -q 'assumed to be' err || fault "a unit that is given is said to be guessed"
if [ -n "${SINEW_CORPUS:-}" ]; then
    "$sinew" retarget "$SINEW_CORPUS/bvh/ad_fair_dab.bvh" "$SINEW_CORPUS/bvh/pb_bvh_test1.bvh" --onto "$hero" >said 2>err
    same "files whose +Z is up" 2 "$(grep -c 'upright along +Z' said)"
    "$sinew" retarget "$SINEW_CORPUS/bvh/pymo_8walk.bvh" --onto "$hero" --unit in >said 2>err || fault "a file in inches fails"
    same "the size of a file in inches" 0.996 "$(sed -n 's/.* size \([0-9.]*\);.*/\1/p' said)"
else
    echo "SKIPPED: files of other people's, without SINEW_CORPUS"
fi

# ---- optimize and lint ----

mkdir characters
cp "$golem" "$models/scout.glb" "$models/sword.glb" characters
"$sinew" optimize characters nofile.glb -o small1 --jobs 1 >said1 2>err1
same "the status of optimize with a failure" 1 $?
"$sinew" optimize characters nofile.glb -o small2 --jobs 2 >said2 2>err2
same "the files of optimize" "golem.glb scout.glb sword.glb " "$(ls small1 | tr '\n' ' ')"
for file in small1/*; do
    cmp "$file" "small2/$(basename "$file")" || fault "optimize --jobs 2 writes another $(basename "$file")"
done
"$sinew" optimize characters/scout.glb -o scout.glb >/dev/null && cmp scout.glb small1/scout.glb || fault "optimize writes something else of many"
same "what optimize says" "$(cat said1)" "$(sed 's/small2/small1/g' said2)"
same "the failure" "sinew: nofile.glb: there is no such file" "$(cat err1)"
"$sinew" optimize characters -o small1 >said1 2>err1 || fault "optimize over its own outputs fails"
"$sinew" optimize characters -o characters >said1 2>err1
same "the status of optimize into its inputs" 2 $?
"$sinew" optimize characters/golem.glb "$golem" -o small3 >said1 2>err1
same "the status of two outputs of one name" 2 $?
[ ! -e small3 ] || fault "optimize writes before it checks"
"$sinew" optimize characters/golem.glb -o small1 >/dev/null || fault "optimize of one file into a folder fails"
"$sinew" optimize characters nofile.glb -o small1 --json >said.json 2>/dev/null
same "the JSON of optimize" "3 1" "$(grep -c '"kept":' said.json) $(grep -c '"failed":' said.json)"

cp late.gltf characters 2>/dev/null
printf '%s' '{"asset":{"version":"2.0"},"nodes":[{"name":"a","rotation":[0,0,0,2]}],"scenes":[{"nodes":[0]}]}' >characters/b.gltf
"$sinew" lint characters nofile.glb --jobs 1 >lint1 2>lint1.err
same "the status of lint" 1 $?
"$sinew" lint characters nofile.glb --jobs 3 >lint3 2>lint3.err
cmp lint1 lint3 && cmp lint1.err lint3.err || fault "lint --jobs 3 says something else"
same "the files of lint in their order" "characters/b.gltf characters/golem.glb characters/scout.glb characters/sword.glb " \
    "$(grep -E '^characters/[^ ]*: ([0-9]+ error|no findings)' lint1 | cut -d: -f1 | tr '\n' ' ')"
same "lint of two files" "$("$sinew" lint characters/scout.glb; "$sinew" lint characters/golem.glb)" \
    "$("$sinew" lint characters/scout.glb characters/golem.glb | sed '$d')"
same "the JSON of lint" 4 "$("$sinew" lint characters --json | grep -c '"file":')"
"$sinew" lint characters --fix fixed.glb >/dev/null 2>&1
same "the status of --fix of many" 2 $?

# ---- Dependency files ----

printf '\000\000\000\000' >'a b.bin'
printf '%s' '{"asset":{"version":"2.0"},"nodes":[{"name":"a"}],"buffers":[{"uri":"a%20b.bin","byteLength":4}]}' >c.gltf
"$sinew" bake-asset c.gltf -o c.sinew --depfile c.d >/dev/null || fault "--depfile fails"
same "the dependency file" 'c.sinew: \|  c.gltf \|  a\ b.bin|' "$(tr '\n' '|' <c.d)"
"$sinew" optimize c.gltf -o c.glb --depfile c.d >/dev/null || fault "optimize --depfile fails"
same "the dependency file of optimize" 'c.glb: \|  c.gltf \|  a\ b.bin|' "$(tr '\n' '|' <c.d)"
"$sinew" bake-asset c.gltf -o c.sinew --depfile 'a b.bin' >/dev/null 2>&1
same "the status of a dependency file that is an input" 2 $?

echo "$faults faults"
[ $faults = 0 ]
