#!/bin/sh
# The plots of docs/mixing.md and docs/howto/ik.md are what their program makes, byte for byte; the pages show each of them once, with words
# for those who do not see it; and the program says what it cannot read or write: plots.sh MAKE_PLOTS SOURCE_FOLDER SCRATCH_FOLDER
set -u
make_plots=$1 source=$2 scratch=$3
kept=$source/docs/images/mixing pages="$source/docs/mixing.md $source/docs/howto/ik.md"
faults=0
fault() {
    echo "$1"
    faults=$((faults + 1))
}

rm -rf "$scratch"
mkdir -p "$scratch"
"$make_plots" "$source/models/hero.glb" "$scratch" || exit 1
for name in $({ (cd "$kept" && ls); (cd "$scratch" && ls); } | sort -u); do
    cmp "$kept/$name" "$scratch/$name" || fault "$name: not what the program makes; 'make plots' makes it anew"
    shown=$(cat $pages | grep -c "!\[[^]]\{10,\}\](\(\.\./\)\{0,1\}images/mixing/$name)")
    [ "$shown" = 1 ] || fault "the pages show $name $shown times, and not once"
done

# refused WHAT EXPECTED MAKE_PLOTS'S ARGUMENTS...
refused() {
    what=$1 expected=$2
    shift 2
    said=$("$make_plots" "$@" 2>&1)
    [ $? = 1 ] || fault "with $what it does not end with status 1"
    case $said in
    *"$expected"*) ;;
    *) fault "with $what it says '$said'" ;;
    esac
}
refused "no folder" "$scratch/none/fade-curves.svg: cannot be written" "$source/models/hero.glb" "$scratch/none"
refused "no hero" "none.glb" "$scratch/none.glb" "$scratch"
refused "another file" "the hero lacks a clip" "$source/models/windmill.glb" "$scratch"
refused "no arguments" "usage: make-plots"

echo "$(ls "$scratch" | wc -l) plots, $faults faults"
[ $faults = 0 ]
