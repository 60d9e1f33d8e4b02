#!/bin/sh
# SPDX-License-Identifier: MIT
# The command's help, its manual page, docs/json.md and its completion agree: command.sh SOURCE_FOLDER SINEW SCRATCH_FOLDER
set -u
export LC_ALL=C
source=$1 sinew=$2 scratch=$3
manual=$source/docs/sinew.1
faults=0
rm -rf "$scratch"
mkdir -p "$scratch"
cp "$source/models/hero.glb" "$source/models/sword.glb" "$scratch"
cd "$scratch" || exit 1

fault() {
    echo "$1"
    faults=$((faults + 1))
}

# same WHAT EXPECTED ACTUAL
same() { [ "$2" = "$3" ] || fault "$1: '$3', not '$2'"; }

# ---- help ----

commands=$("$sinew" help | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p')
[ -n "$commands" ] || fault "sinew help lists no command"
same "sinew --help" "$("$sinew" help)" "$("$sinew" --help)"
for command in $commands; do
    help=$("$sinew" help "$command") || fault "sinew help $command fails"
    for asked in --help -h; do
        same "sinew $command $asked" "$help" "$("$sinew" "$command" $asked)"
    done
    case $help in
    "usage: sinew $command"*) ;;
    *) fault "sinew help $command does not start with its usage" ;;
    esac
    grep -qxF ".B sinew $(echo "$command" | sed 's/-/\\-/g')" "$manual" || fault "docs/sinew.1 has no synopsis of $command"
    for option in $(echo "$help" | grep -oE -- '--[a-z][a-z-]+' | sort -u); do
        grep -qF -- "$(echo "$option" | sed 's/-/\\-/g')" "$manual" ||
            fault "docs/sinew.1 lacks $option, which 'sinew help $command' has"
    done
done
said=$("$sinew" help nonsense 2>&1)
same "the status of sinew help nonsense" 2 $?
case $said in *nonsense*) ;; *) fault "sinew help nonsense says '$said'" ;; esac
same "sinew --quiet info" "$("$sinew" info hero.glb)" "$("$sinew" --quiet info hero.glb)"
same "sinew info --quiet" "$("$sinew" info hero.glb)" "$("$sinew" info --quiet hero.glb)"

# ---- Flags ----

# Options whose help doesn't show a value don't take one.
for command in $commands; do
    flags=$("$sinew" help "$command" | sed -n 's/^  \(--[a-z-]*\)  .*/\1/p')
    for flag in $flags --help --quiet; do
        named=$command
        [ "$command" != graph ] || named='graph check'
        said=$("$sinew" $named hero.glb "$flag=3" 2>&1)
        same "the status of sinew $named $flag=3" 2 $?
        case $said in *"$flag"*) ;; *) fault "sinew $named $flag=3 says '$said'" ;; esac
    done
done

# ---- JSON ----

# members_are_documented COMMAND ARGUMENTS...: all that it prints stand in its section of docs/json.md.
members_are_documented() {
    members=$("$sinew" "$@" --json | grep -oE '"[A-Za-z_]+":' | sort -u)
    [ -n "$members" ] || fault "sinew $* --json has no members"
    for member in $members; do
        awk -v command="sinew $1 " '/^## / { inside = index($0, command) } inside' "$source/docs/json.md" | grep -qF -- "$member" ||
            fault "docs/json.md lacks $member, which 'sinew $*' prints"
    done
}

for command in $commands; do
    "$sinew" help "$command" | grep -q -- '--json' || continue
    [ "$command" != retarget ] || continue # it takes two files
    [ "$command" != bake-asset ] || continue # it writes one
    [ "$command" != compare ] && [ "$command" != optimize ] || continue # they take two files
    [ "$command" != continuity ] || continue # wants a recording, which the test of the command writes
    few='' file=hero.glb
    [ "$command" != bench ] || few=--filter=palette # all rows would take a minute
    [ "$command" != verify ] || file=sword.glb # all poses of the hero would, with sanitizers
    [ "$command" != graph ] || continue # below
    members_are_documented "$command" $file $few
done
cat >vrm.gltf <<'EOT'
{"asset": {"version": "2.0"}, "nodes": [{}], "extensions": {
  "VRMC_vrm": {"meta": {"authors": ["a"]}, "expressions": {"preset": {"happy": {}}}},
  "VRMC_vrm_animation": {"expressions": {"preset": {"happy": {"node": 0}}}}}}
EOT
members_are_documented info vrm.gltf
members_are_documented bake-asset hero.glb -o baked.sinew
rm -f baked.sinew
members_are_documented compare hero.glb sword.glb
members_are_documented optimize sword.glb -o optimized.glb
rm -f optimized.glb
members_are_documented retarget hero.glb --onto hero.glb -o retargeted.glb
rm -f retargeted.glb # completion proposes files
echo '{"sinewGraph":1,"parameters":{"p":{"type":"bool"}},"layers":[{"name":"Base","states":{"A":{}}}]}' >unused.graph.json
members_are_documented graph check unused.graph.json
"$sinew" graph test "$source/models/hero.graph.json" --asset hero.glb --walks 1 --json >walks.json || fault "sinew graph test fails"
for member in $(grep -oE '"[A-Za-z_]+":' walks.json | sort -u); do
    grep -qF -- "$member" "$source/docs/json.md" || fault "docs/json.md lacks $member, which 'sinew graph test' prints"
done
if said=$("$sinew" bench --gpu --filter=gpu-pose 2>&1); then
    members_are_documented bench --gpu '--filter=gpu-send 60 vertices'
else
    echo "SKIPPED: the members of sinew bench --gpu --json: $said"
fi

# ---- Humanoids ----

# A map file has the guessed roles, and gives them back. A file that isn't a humanoid is refused, but its map is
# written.
"$sinew" humanoid hero.glb --map hero.humanoid.json >guessed || fault "sinew humanoid --map fails"
"$sinew" humanoid hero.glb --use hero.humanoid.json >used || fault "sinew humanoid --use fails"
same "sinew humanoid --use" "$(sed 1d guessed)" "$(sed 1d used)"
same "sinew humanoid --map -" "$(cat hero.humanoid.json)" "$("$sinew" humanoid hero.glb --use hero.humanoid.json --map -)"
said=$("$sinew" humanoid sword.glb --map sword.humanoid.json 2>&1 >/dev/null)
same "the status of sinew humanoid sword.glb" 1 $?
case $said in
"sinew: sword.glb: no humanoid was recognized: missing hips, "*) ;;
*) fault "sinew humanoid sword.glb says '$said'" ;;
esac
grep -q '"hips": null' sword.humanoid.json || fault "sinew humanoid writes no map of a sword"
said=$("$sinew" humanoid hero.glb --use sword.humanoid.json 2>&1 >/dev/null)
same "the status of sinew humanoid --use without roles" 1 $?
same "sinew humanoid --use without roles" "sinew: hero.glb: hips is missing" "$said"
"$sinew" humanoid hero.glb --use hero.humanoid.json --map hero.humanoid.json >said 2>&1
same "the status of sinew humanoid over its own map" 2 $?
rm -f hero.humanoid.json sword.humanoid.json # completion proposes files

# ---- Axes ----

# What is turned has the same bounds: z of the file is -y, and y is z.
bounds() { "$sinew" skin hero.glb --clip Run --time 0.2 --up "$1" | sed 's/.*vertices, //'; }
turned=$(bounds y | awk '{
    gsub(/,/, "")
    printf "x %s to %s, y %.4g to %.4g, z %s to %s\n", $2, $4, -$12, -$10, $6, $8
}')
same "sinew skin --up z" "$turned" "$(bounds z)"
same "sinew skin --up" "$("$sinew" skin hero.glb)" "$("$sinew" skin hero.glb --up=y)"
same "the height of sinew pose --up z" "$("$sinew" pose hero.glb | awk '$2 == "Head" { print $(NF - 1) }')" \
    "$("$sinew" pose hero.glb --up z | awk '$2 == "Head" { print $NF }')"

# ---- The manual page ----

if command -v mandoc >/dev/null; then
    mandoc -T lint -W warning "$manual" || fault "docs/sinew.1: mandoc warns"
elif command -v man >/dev/null && man --warnings -E UTF-8 -l /dev/null >/dev/null 2>&1; then
    warnings=$(LC_ALL=C.UTF-8 man --warnings -l "$manual" 2>&1 >/dev/null)
    same "docs/sinew.1: man's warnings" '' "$warnings"
fi

# ---- Completion ----

# complete WORDS...: what bash proposes for the last word, one a line.
complete_words() {
    bash -c '
        source "$1" || exit 1
        shift
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _sinew
        ((${#COMPREPLY[@]})) && printf "%s\n" "${COMPREPLY[@]}"' bash "$source/docs/completion/sinew.bash" "$@"
}

if command -v bash >/dev/null; then
    for command in $commands; do
        complete_words "$sinew" '' | grep -qx "$command" || fault "bash does not propose $command"
        for option in $("$sinew" help "$command" | sed -n 's/^  \(--*[a-z-]*\).*/\1/p'); do
            complete_words "$sinew" "$command" "$option" | grep -qx -- "$option" ||
                fault "bash does not propose $command $option"
        done
    done
    same "completion of help ren" render "$(complete_words "$sinew" help ren)"
    same "completion of a file" hero.glb "$(complete_words "$sinew" info he)"
    same "completion of a clip" Wave "$(complete_words "$sinew" pose hero.glb --clip Wav)"
    same "completion of a clip behind an option" Run "$(complete_words "$sinew" --quiet pose hero.glb --json --clip R)"
    for option in --trail --focus; do
        same "completion of a node" Grip_R "$(complete_words "$sinew" render hero.glb $option Gri)"
    done
    same "completion of the root" Hips "$(complete_words "$sinew" bake hero.glb --root-motion Hi)"
fi
# The same for zsh, with its own helpers replaced by ones that print what they are given.
zsh_words() {
    zsh -f -c '
        compadd() { [[ $1 == -a ]] && print -rl -- ${(P)2} || print -rl -- $@ }
        _describe() { print -rl -- ${${(P)2}%%:*} }
        _files() { print -r -- files $@ }
        _message() { }
        file=$1
        shift
        words=("$@") CURRENT=$# PREFIX=${@[-1]}
        source $file' zsh "$source/docs/completion/_sinew" "$@" | grep "^$(eval "echo \${$#}")"
}

if command -v zsh >/dev/null; then
    for command in $commands; do
        zsh_words "$sinew" "$command" | grep -qx "$command" || fault "zsh does not propose $command"
        for option in $("$sinew" help "$command" | sed -n 's/^  \(--*[a-z-]*\).*/\1/p'); do
            zsh_words "$sinew" "$command" "$option" | grep -qx -- "$option" ||
                fault "zsh does not propose $command $option"
        done
    done
    same "zsh's completion of a clip" Wave "$(zsh_words "$sinew" pose hero.glb --clip Wav)"
    for option in --trail --focus; do
        same "zsh's completion of a node" Grip_R "$(zsh_words "$sinew" render hero.glb $option Gri)"
    done
    same "zsh's completion of the root" Hips "$(zsh_words "$sinew" bake hero.glb --root-motion Hi)"
fi
echo "$(echo $commands | wc -w) commands, $faults faults"
[ $faults = 0 ]
