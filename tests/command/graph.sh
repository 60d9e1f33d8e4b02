#!/bin/sh
# SPDX-License-Identifier: MIT
# sinew graph: its usage, the exit statuses of `check`, and its messages about files: graph.sh SINEW MODELS
# SCRATCH_FOLDER
. "$(dirname "$0")/common.sh"

# refuses WHY COMMAND ARGUMENTS...: wrong usage of `sinew COMMAND`, and the line for it.
refuses() {
    why=$1 command=$2
    shift 2
    said=$("$sinew" $command "$@" 2>&1)
    same "the status of sinew $command $*" 2 $?
    same "sinew $command $*" "sinew $command: $why (see 'sinew $command --help')" "$said"
}

refuses 'COMMAND is missing' graph
case $("$sinew" graph hero.graph.json 2>&1) in
"sinew graph: 'hero.graph.json': unknown command; the commands are check"*) ;;
*) fault "sinew graph hero.graph.json does not list the commands" ;;
esac
refuses '--nonsense: unknown option' graph --nonsense
refuses 'FILE is missing' 'graph check'
refuses "'other': unexpected argument" 'graph check' hero.graph.json other
refuses 'the file name is empty' 'graph check' ''
refuses '--asset needs a value' 'graph check' hero.graph.json --asset
refuses "--json takes no value, not '1'" 'graph check' hero.graph.json --json=1
same 'the help of graph check' "$("$sinew" graph check --help)" \
    "$("$sinew" help graph | sed -n '/^usage: sinew graph check/,/^usage: sinew graph test/p' | sed '$d')"

# checks STATUS ARGUMENTS...: the status; what is printed is in the file said.
checks() {
    expected=$1
    shift
    "$sinew" graph check "$@" >said 2>&1
    same "the status of sinew graph check $*" "$expected" $?
}

has() { grep -qF -- "$1" said || fault "sinew graph check does not say '$1', but '$(cat said)'"; }

graph() { echo '{"sinewGraph":1,"parameters":{"go":{"type":"bool"}},"layers":[{"name":"Base",'"$1"'}]}'; }

checks 0 "$models/hero.graph.json" --asset "$models/hero.glb"
has 'no findings'
graph '"states":{"A":{}}' >note.json
checks 0 note.json
has 'note parameter-unused'
has '0 errors, 0 warnings, 1 note'
graph '"states":{"A":{},"B":{}},"transitions":[{"from":"A","to":"B","when":"go"}]' >warning.json
checks 1 warning.json
has 'line 1: Base/B: No transition leads out of this state.'
graph '"states":{"A":{"clip":"Wallk"}},"transitions":[{"from":"A","to":"A","when":"go && elapsed > 1"}]' >clip.json
checks 0 clip.json
checks 1 clip.json --asset "$models/hero.glb"
has "Do: Did you mean 'Walk'?"
checks 1 clip.json --asset missing.glb
has 'missing.glb'
checks 1 missing.json
has 'missing.json'
echo '{' >broken.json
checks 1 broken.json
has 'broken.json'

# The guide's picture is what the command draws; 'make plots' redraws it.
here=$PWD
(cd "$models/.." && "$sinew" graph plot models/hero.graph.json -o "$here/hero.svg") || fault 'the plot of the hero'
cmp hero.svg "$models/../docs/images/graph.svg" || fault 'docs/images/graph.svg is not what the command draws'

# ---- Clips of several files ----

states='"states":{"A":{"clip":"Run"},"B":{"clip":"Walk"}},"transitions":[{"from":"A","to":"B","when":"go"},{"from":"B","to":"A"'
graph "$states,\"when\":\"!go\"}]" >two.json
graph "$states,\"when\":\"go\"}]" >cycle.json
"$sinew" bake "$models/hero.glb" --clip Walk --only -o walk.glb || fault 'a file with one clip'
"$sinew" bake "$models/hero.glb" --clip Run --only -o run.glb || fault 'a file with another clip'
checks 1 two.json --asset walk.glb
has "Base/A"
checks 0 two.json --asset walk.glb --bind run.glb
refuses '--bind needs --asset' 'graph check' two.json --bind run.glb
"$sinew" graph test two.json --asset walk.glb --walks 1 >said 2>&1 && fault 'graph test plays a clip that is missing'
"$sinew" graph test two.json --asset walk.glb --bind run.glb --walks 2 --degrees 90 >said 2>&1 ||
    fault "graph test of two files: $(cat said)"
"$sinew" graph test cycle.json --asset walk.glb --bind run.glb --walks 1 -o cycle.rec >said 2>&1
grep -qF "replay the first with 'sinew replay cycle.rec walk.glb --bind run.glb'" said || fault "graph test: $(cat said)"
for command in 'replay cycle.rec walk.glb' 'continuity cycle.rec walk.glb --degrees 180' \
    'graph plot cycle.json --recording cycle.rec --asset walk.glb -o cycle.svg'; do
    "$sinew" $command >said 2>&1 && fault "sinew $command plays a clip that is missing"
    grep -q 'which is missing here' said || fault "sinew $command: $(tail -c 300 said)"
    "$sinew" $command --bind run.glb >said 2>&1 || fault "sinew $command --bind run.glb: $(tail -c 300 said)"
    "$sinew" $command --bind walk.glb --bind run.glb >said 2>&1 || fault "sinew $command of three files: $(tail -c 300 said)"
done
"$sinew" graph check two.json --asset walk.glb --bind "$models/windmill.glb" >said 2>&1 && fault 'clips of another skeleton are bound'
grep -qF "'sinew retarget'" said || fault "graph check: $(cat said)"
"$sinew" replay cycle.rec walk.glb --bind "$models/sword.glb" >said 2>&1 && fault 'a file without clips is bound'
grep -q 'sword.glb: it has no clips' said || fault "a file without clips: $(cat said)"

echo "$faults faults"
[ $faults = 0 ]
