#!/bin/sh
# SPDX-License-Identifier: MIT
# The plots of docs/mixing.md, docs/howto/ik.md and docs/howto/edit-pose.md are what their program makes, byte for byte; the
# pages show each of them once, with words for those who do not see it, and so the pictures of the slope, the gaze and the body; and
# the programs say what they cannot read or write:
# plots.sh MAKE_PLOTS MAKE_SLOPE MAKE_GAZE MAKE_BODY SOURCE_FOLDER SCRATCH_FOLDER
set -u
export LC_ALL=C
make_plots=$1 make_slope=$2 make_gaze=$3 make_body=$4 source=$5 scratch=$6
kept=$source/docs/images/mixing pages="$source/docs/mixing.md $source/docs/howto/ik.md $source/docs/howto/edit-pose.md"
faults=0
fault() {
    echo "$1"
    faults=$((faults + 1))
}

rm -rf "$scratch"
mkdir -p "$scratch"
"$make_plots" "$source/models/hero.glb" "$scratch" || exit 1
# shown_once FILE, of docs/images
shown_once() {
    shown=$(cat $pages | grep -c "!\[[^]]\{10,\}\](\(\.\./\)\{0,1\}images/$1)")
    [ "$shown" = 1 ] || fault "the pages show $1 $shown times, and not once"
}
for name in $({ (cd "$kept" && ls); (cd "$scratch" && ls); } | sort -u); do
    cmp "$kept/$name" "$scratch/$name" || fault "$name: not what the program makes; 'make plots' makes it anew"
    shown_once "mixing/$name"
done
shown_once slope.webp
shown_once gaze.webp
shown_once body.webp

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
