#!/bin/sh
# SPDX-License-Identifier: MIT
# The programs that draw the pictures for docs/ work, and report what they can't read or write:
# plots.sh MAKE_PLOTS MAKE_SLOPE MAKE_GAZE MAKE_BODY SOURCE_FOLDER SCRATCH_FOLDER
set -u
export LC_ALL=C
make_plots=$1 make_slope=$2 make_gaze=$3 make_body=$4 source=$5 scratch=$6
faults=0
fault() {
    echo "$1"
    faults=$((faults + 1))
}

rm -rf "$scratch"
mkdir -p "$scratch"
"$make_plots" "$source/models/hero.glb" "$scratch" || exit 1
for kept in "$source"/docs/images/mixing/*; do
    grep -q '</svg>' "$scratch/${kept##*/}" || fault "${kept##*/}: is not drawn"
done

# refused WHAT EXPECTED PROGRAM ARGUMENTS...
refused() {
    what=$1 expected=$2
    shift 2
    said=$("$@" 2>&1)
    [ $? = 1 ] || fault "with $what ${1##*/} does not end with status 1"
    case $said in
    *"$expected"*) ;;
    *) fault "with $what ${1##*/} says '$said'" ;;
    esac
}
for program in "$make_plots" "$make_slope" "$make_gaze" "$make_body"; do
    refused "no hero" "none.glb" "$program" "$scratch/none.glb" "$scratch/none"
    refused "another file" "the hero lacks a" "$program" "$source/models/windmill.glb" "$scratch/none"
    refused "no arguments" "usage: ${program##*/}" "$program"
done
refused "no folder" "$scratch/none/fade-curves.svg: cannot be written" "$make_plots" "$source/models/hero.glb" "$scratch/none"

echo "$(ls "$scratch" | wc -l) plots, $faults faults"
[ $faults = 0 ]
