#!/bin/sh
# SPDX-License-Identifier: MIT
# The examples report a missing file: examples.sh SOURCE_FOLDER BUILD_FOLDER
set -u
export LC_ALL=C
cd "$1"
faults=0 refused=0
fault() {
    echo "$1"
    faults=$((faults + 1))
}

for source in examples/hello.c examples/[0-9]*.c; do
    name=$(basename "$source" .c)
    program=$2/example_$name
    [ -x "$program" ] || continue # it needs what is not installed here
    [ "$name" != 08_from_arrays ] || continue
    case $name in # these take all their files or none
    03_attach) set -- "$1" "$2" no-such-file.glb no-such-file.glb Node Clip ;;
    06_other_files_clip) set -- "$1" "$2" no-such-file.glb no-such-file.glb Clip ;;
    *) set -- "$1" "$2" no-such-file.glb ;;
    esac
    said=$(shift 2; "$program" "$@" 2>&1 >/dev/null)
    status=$?
    [ $status = 1 ] || fault "$name: ends with status $status without its file, not with 1"
    case $said in
    *no-such-file.glb*) refused=$((refused + 1)) ;;
    *) fault "$name: does not say which file is not there: '$said'" ;;
    esac
done
echo "$refused examples refused, $faults faults"
[ $refused -gt 5 ] && [ $faults = 0 ]
