#!/bin/sh
# SPDX-License-Identifier: MIT
# Under wine, the Windows command prints and writes the same bytes as this system's command. Names are UTF-8,
# backslashes and drives are paths, and no output overwrites an input: windows.sh SINEW SINEW_EXE MODELS_FOLDER
# SCRATCH_FOLDER
set -u
export LC_ALL=C.UTF-8 WINEDEBUG=-all # wine reads the names of files by the locale
here=$(cd "$(dirname "$1")" && pwd)/$(basename "$1") there=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
models=$(cd "$3" && pwd) scratch=$4
faults=0 cases=0
fault() {
    printf '%s\n' "$1"
    faults=$((faults + 1))
}

rm -rf "$scratch"
mkdir -p "$scratch/sub"
cp "$models/hero.glb" "$models/golem.glb" "$models/hero.graph.json" "$scratch"
cp "$models/hero.glb" "$scratch/sub"
cp "$models/hero.glb" "$scratch/Mäuse 猫🐎.glb"
cd "$scratch" || exit 1
exe() { wine "$there" --quiet "$@"; }

# same OUT ARGUMENTS...: both print the same, end alike and write the same file OUT, unless that is "-".
same() {
    out=$1
    shift
    cases=$((cases + 1))
    "$here" --quiet "$@" >expected.txt 2>expected.err
    expected=$?
    [ "$out" = - ] || mv "$out" expected.out
    exe "$@" >said.txt 2>said.err
    status=$?
    [ $status = $expected ] || fault "$*: ends with $status, not $expected: $(cat said.err)"
    cmp said.txt expected.txt || fault "$*: prints something else"
    cmp said.err expected.err || fault "$*: says something else: $(cat said.err)"
    [ "$out" = - ] || cmp "$out" expected.out || fault "$*: writes something else"
}

same - info hero.glb
same - info 'Mäuse 猫🐎.glb'
same - pose hero.glb --clip Walk --time 0.3
same - pose hero.glb --clip Run --time 0.17 --json
same - lint hero.glb
same - lint none.glb
same - verify hero.glb
same - compare hero.glb golem.glb
same - graph check hero.graph.json --asset hero.glb
same small.glb optimize hero.glb -o small.glb
same small.glb optimize hero.glb --meshes --error 2mm -o small.glb
same 'größer.glb' retarget hero.glb --onto golem.glb -o 'größer.glb'
same library.glb retarget hero.glb sub none.glb --onto golem.glb --jobs 2 -o library.glb
same - lint golem.glb sub none.glb --jobs 2
same small/golem.glb optimize golem.glb sub -o small --jobs 2
same baked.glb bake hero.glb --clip Walk -o baked.glb
same baked.sinew bake-asset hero.glb -o baked.sinew
same - bake hero.glb --clip Walk -o -

# What is special there: backslashes, a drive, an output that exists, and outputs that are inputs.
exe info 'sub\hero.glb' | sed 's/^sub.//' >said.txt
"$here" --quiet info hero.glb | cmp - said.txt || fault 'sub\hero.glb: something else'
drive="Z:$(pwd | tr '/' '\\')\\hero.glb"
exe info "$drive" >said.txt || fault "$drive: cannot be read"
exe optimize hero.glb -o small.glb >said.txt || fault "an output that exists is not replaced"
for output in hero.glb ./HERO.GLB 'sub\..\hero.glb' "$drive"; do
    exe optimize hero.glb -o "$output" >said.txt 2>said.err
    status=$?
    [ $status = 2 ] || fault "-o $output: ends with $status, not 2: $(cat said.err)"
    cmp "$models/hero.glb" hero.glb || fault "-o $output: overwrites the input"
done
for command in render view bench; do
    exe $command hero.glb >said.txt 2>said.err
    status=$?
    [ $status = 1 ] && grep -q "this build of the command has no $command" said.err || fault "$command: $status: $(cat said.err)"
done
ls -A | grep '^[.]sinew-' && fault "a temporary file remains"

echo "$cases commands, $faults faults"
[ $faults = 0 ]
