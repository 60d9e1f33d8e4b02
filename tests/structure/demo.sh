#!/bin/sh
# SPDX-License-Identifier: MIT
# `make demo` makes what it promises, drawn small here: demo.sh SOURCE_FOLDER SINEW_COMMAND SCRATCH_FOLDER
set -eu
export LC_ALL=C
cd "$1"

rm -rf "$3"
scripts/demo.sh "$2" "$3" 32
magic() { od -An -c -N 12 "$1" | tr -d ' \n'; }
for animation in hero windmill scene; do
    case $(magic "$3/$animation.webp") in
    RIFF*WEBP) ;;
    *) echo "$animation.webp is no WebP"; exit 1 ;;
    esac
done
case $(magic "$3/hero.png") in
*PNG*) ;;
*) echo "hero.png is no PNG"; exit 1 ;;
esac
