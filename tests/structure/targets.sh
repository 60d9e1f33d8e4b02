#!/bin/sh
# SPDX-License-Identifier: MIT
# Each Makefile target is in its help, has its packages in scripts/setup.sh and a short form in scripts/targets.sh.
# `make clean` only removes the build folder: targets.sh SOURCE_FOLDER
set -u
export LC_ALL=C
cd "$1"
unset MAKEFLAGS MAKELEVEL
faults=0
fault() {
    echo "$1"
    faults=$((faults + 1))
}

targets=$(sed -n 's/^\.PHONY: //p' Makefile)
forms=$(awk "/^forms='/ { inside = 1; next } inside && /^'/ { exit } inside { sub(/:.*/, \"\"); print }" scripts/targets.sh)
for target in $targets; do
    grep -q "^$target: ## " Makefile || fault "make $target: not in the help of the Makefile (## ...)"
    echo "$forms" | grep -qx -- "$target" || fault "make $target: nothing runs it: give it a short form in scripts/targets.sh"
    case $target in
    clean | help | setup) continue ;;
    demo | test) install='--install ' ;; # the README's two commands work on a bare machine
    *) install= ;;
    esac
    grep -q "^	@scripts/setup.sh $install$target\$" Makefile ||
        fault "make $target: does not start with scripts/setup.sh $install$target"
done
for form in $forms; do
    echo " $targets " | grep -q -- " $form " || fault "scripts/targets.sh: the Makefile has no target $form"
done
[ "$(make -n clean)" = 'rm -rf build' ] || fault "make clean: does something else"

echo "$(echo "$targets" | wc -w) targets, $faults faults"
[ $faults = 0 ]
