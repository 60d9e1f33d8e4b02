#!/bin/sh
# SPDX-License-Identifier: MIT
# Retargets animals, paired by names, by shape, by --chain and by map files: animals.sh SINEW MODELS SCRATCH_FOLDER
. "$(dirname "$0")/common.sh"

# refuses MESSAGE COMMAND...: one line with the message, and status 1.
refuses() {
    message=$1
    shift
    "$sinew" "$@" >out 2>err
    same "sinew $*: status" 1 $?
    same "sinew $*: lines" 1 "$(grep -c '' err)"
    grep -qF -- "$message" err || fault "sinew $*: '$(cat err)' does not say '$message'"
}

# animal SIZE PREFIX: a glTF file of an animal that faces +Z. Its clip turns the front left leg by half a radian. Each
# row has a name, the parent's row and the position.
animal() {
    awk -v size="$1" -v prefix="$2" '
        { name[NR] = $1; parent[NR] = $2; at[NR] = $3 * size "," $4 * size "," $5 * size; below[$2] = below[$2] "," NR - 1 }
        END {
            printf "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":["
            for (i = 1; i <= NR; i++) {
                printf "%s{\"name\":\"%s%s\",\"translation\":[%s]", (i > 1 ? ",\n" : ""), prefix, name[i], at[i]
                if (below[i - 1] != "") printf ",\"children\":[%s]", substr(below[i - 1], 2)
                printf "}"
            }
            printf "],\"buffers\":[{\"byteLength\":40,\"uri\":\"data:application/octet-stream;base64,"
            printf "AAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/d1d9PgAAAAAAAAAApQp4Pw==\"}],\"bufferViews\":[{\"buffer\":0,"
            printf "\"byteLength\":8},{\"buffer\":0,\"byteOffset\":8,\"byteLength\":32}],\"accessors\":[{\"bufferView\":0,"
            printf "\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\",\"min\":[0],\"max\":[1]},{\"bufferView\":1,"
            printf "\"componentType\":5126,\"count\":2,\"type\":\"VEC4\"}],\"animations\":[{\"name\":\"Step\",\"samplers\":"
            printf "[{\"input\":0,\"output\":1}],\"channels\":[{\"sampler\":0,\"target\":{\"node\":7,\"path\":\"rotation\"}}]}]}\n"
        }' <<'ROWS'
root - 0 0 0
pelvis 0 0 1 -0.5
chest 1 0 0 1
neck 2 0 0.3 0.2
head 3 0 0.3 0.2
tail1 1 0 0 -0.2
tail2 5 0 -0.1 -0.3
fl1 2 0.2 -0.1 0
fl2 7 0 -0.45 -0.1
fl3 8 0 -0.45 0.1
fr1 2 -0.2 -0.1 0
fr2 10 0 -0.45 -0.1
fr3 11 0 -0.45 0.1
bl1 1 0.2 -0.1 0
bl2 13 0 -0.45 0.1
bl3 14 0 -0.45 -0.1
br1 1 -0.2 -0.1 0
br2 16 0 -0.45 0.1
br3 17 0 -0.45 -0.1
ROWS
}
animal 1 '' >wolf.gltf
animal 2 '' >horse.gltf
animal 2 pony_ >pony.gltf

# place FILE NODE: the position of a node at the end of the clip, in millimetres.
place() {
    "$sinew" pose "$1" --clip Step --time 1 | awk -v node="$2" '
        $0 ~ node "( |$)" { for (i = NF - 2; i <= NF; i++) printf "%d ", $i * 1000 + ($i < 0 ? -0.5 : 0.5); exit }'
}

# ---- By names and by shape ----

"$sinew" retarget wolf.gltf --onto horse.gltf >out || fault "a wolf is not paired with a horse: $(cat out)"
grep -q '19 pairs, size 2.000' out || fault "a wolf onto a horse: $(head -n 1 out)"
for target in horse pony; do
    "$sinew" retarget wolf.gltf --onto $target.gltf --only -o $target.glb >out 2>err || fault "a wolf onto a $target: $(cat err)"
done
same "the foot of the horse" "$(place horse.glb fl3)" "$(place pony.glb pony_fl3)"
[ -n "$(place horse.glb fl3)" ] || fault "no foot"
echo "$(place wolf.gltf fl3)$(place horse.glb fl3)" | awk '{ exit !(($5 - 2 * $2)^2 <= 4 && ($6 - 2 * $3)^2 <= 4) }' ||
    fault "the horse's foot is not at twice the wolf's: $(place wolf.gltf fl3), $(place horse.glb fl3)"
"$sinew" retarget wolf.gltf --onto pony.gltf --json >out || fault "no JSON"
grep -q '"sourceRoles":null,"targetRoles":null' out || fault "animals have roles: $(head -n 1 out)"
grep -q '{"source":9,"target":9,"role":null}' out || fault "no pair of feet: $(cat out)"

# ---- A map of chains ----

"$sinew" humanoid pony.gltf --map pony.json >out 2>err
same "a pony is no humanoid: status" 1 $?
grep -q '^  frontLeftLeg  *pony_fl1 > pony_fl2 > pony_fl3$' out || fault "no leg of the pony: $(cat out)"
grep -qF '"tail": ["pony_tail1", "pony_tail2"]' pony.json || fault "the map has no tail: $(cat pony.json)"
grep -q '"roles"' pony.json && fault "a pony has roles: $(cat pony.json)"
"$sinew" humanoid pony.gltf --use pony.json >out || fault "the pony's own map is refused"
"$sinew" humanoid pony.gltf --use pony.json --json | grep -q '{"name":"tail","nodes":\[5,6\]}' || fault "no chains in JSON"
echo '{"sinewHumanoid": 1, "chains": {"tail": "pony_fl1..pony_fl3"}}' >edited.json
echo '{"sinewHumanoid": 1, "chains": {"tail": ["tail1", "tail2"]}}' >tail.json
"$sinew" retarget wolf.gltf --onto pony.gltf --source-map tail.json --target-map edited.json >out || fault "edited maps are refused"
same "pairs of a tail with three joints" '3 pairs' "$(grep -o '3 pairs' out)"
echo '{"sinewHumanoid": 1, "chains": {"tail": "pony_tail2..pony_tail1"}}' >edited.json
refuses 'edited.json:1:41: "pony_tail1" is not below "pony_tail2"' retarget wolf.gltf --onto pony.gltf --target-map edited.json

# ---- Chains of the command line ----

"$sinew" retarget wolf.gltf --onto pony.gltf --chain tail1..tail2=pony_fl1..pony_fl2 --chain=head=pony_tail1 >out ||
    fault "chains are refused"
grep -q '^  *pony_fl2  *tail2 *$' out || fault "no pair by a chain: $(cat out)"
grep -q '^  *pony_tail1  *head *$' out || fault "no pair of nodes: $(cat out)"
refuses "--chain tail1..tial2=pony_fl1: the source has no node 'tial2'; did you mean 'tail2'?" \
    retarget wolf.gltf --onto pony.gltf --chain tail1..tial2=pony_fl1
refuses "--chain head=pony_hed: the target has no node 'pony_hed'; did you mean 'pony_head'?" \
    retarget wolf.gltf --onto pony.gltf --chain head=pony_hed
refuses "'tail1' is not below 'tail2'" retarget wolf.gltf --onto pony.gltf --chain tail2..tail1=pony_head
refuses "must be SOURCE=TARGET" retarget wolf.gltf --onto pony.gltf --chain tail1..tail2
refuses "is already in an earlier chain" retarget wolf.gltf --onto pony.gltf --chain tail1=pony_head --chain tail2=pony_head

# ---- What can't be paired ----

echo '{"asset":{"version":"2.0"},"nodes":[{"name":"head"},{"name":"tail9"},{"name":"spam"},{"name":"egg"}]}' >bits.gltf
refuses "only 1 of 4 nodes have a pair; the nearest names are 'tail1' and 'tail9'" retarget wolf.gltf --onto bits.gltf
grep -qF -- '--chain' err || fault "no way out: $(cat err)"
refuses "no humanoid was recognized" retarget wolf.gltf --onto "$models/golem.glb"
"$sinew" retarget wolf.gltf --onto "$models/golem.glb" --chain head=mixamorig:Head >out || fault "a chain between a wolf and a golem: $(cat out)"
echo "$faults faults"
[ $faults = 0 ]
