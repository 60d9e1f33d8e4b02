#!/bin/sh
# SPDX-License-Identifier: MIT
# Plants the faults of mutants.txt in a copy of the tree, one at a time. Every test that an entry names must fail:
# tests/mutants/run.sh [NAME...] CHECK_ONLY=1 only checks that each fault can be planted, in a second. Builds only
# part of the copy: test NAME is the target test_NAME.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
"$here/plant.py" check "$@"
[ -z "${CHECK_ONLY:-}" ] || exit 0

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM
tree=$scratch/tree
build=$scratch/build
unset MAKEFLAGS MAKELEVEL

mkdir "$tree"
for part in "$root"/*; do
    case ${part##*/} in
    build | node_modules) ;;
    *) cp -Rp "$part" "$tree" ;;
    esac
done
cmake -S "$tree" -B "$build" -D CMAKE_BUILD_TYPE=None -D SINEW_BUILD_MODELS=OFF -D SINEW_BUILD_EXAMPLES=OFF >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }

build_tests() {
    targets=''
    for test in "$@"; do targets="$targets test_$test"; done
    cmake --build "$build" --parallel "${JOBS:-$(getconf _NPROCESSORS_ONLN)}" --target $targets >"$scratch/log" 2>&1
}

passes() { ctest --test-dir "$build" --timeout 180 -R "^$1\$" --no-tests=error >"$scratch/log" 2>&1; }

names=${*:-$("$here/plant.py" names)}
all_tests=$("$here/plant.py" tests "$@")
echo "Without a fault"
build_tests $all_tests || { cat "$scratch/log"; exit 1; }
for test in $all_tests; do
    passes "$test" || { cat "$scratch/log"; echo "$test fails without any fault"; exit 1; }
done

caught=0 survived='' broken=''
for name in $names; do
    planted=$("$here/plant.py" plant "$tree" "$name")
    file=${planted%% *}
    tests=${planted#* }
    if ! build_tests $tests; then
        grep -m 3 'error' "$scratch/log" || cat "$scratch/log"
        echo "$name: does not compile"
        broken="$broken $name"
    else
        unaware=''
        for test in $tests; do
            if passes "$test"; then unaware="$unaware $test"; fi
        done
        if [ -z "$unaware" ]; then
            echo "$name: caught by $tests"
            caught=$((caught + 1))
        else
            echo "$name: NOT CAUGHT by$unaware"
            survived="$survived $name"
        fi
    fi
    cp "$root/$file" "$tree/$file" # a new date, so it's compiled again
done

echo "$caught mutants caught, $(echo $survived | wc -w) survived, $(echo $broken | wc -w) did not compile"
[ -z "$survived$broken" ]
