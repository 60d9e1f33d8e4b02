#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs `sinew verify` on every demo model and other people's files: verify.sh SINEW FOLDER... Each must be within 2e-6
# of its model's size. $SINEW_ASSETS may name another folder. Files named refused-... aren't valid.
set -u
export LC_ALL=C
sinew=$1
shift
files=0 faults=0 list=$(mktemp)
trap 'rm -f "$list"' EXIT

[ -n "${SINEW_ASSETS:-}" ] || echo "SINEW_ASSETS is not set: no files of other people's are tried"
find "$@" ${SINEW_ASSETS:+"$SINEW_ASSETS"} -name '*.gl[bt]*' ! -name 'refused-*' | sort >"$list"
while IFS= read -r file; do
    files=$((files + 1))
    said=$("$sinew" verify "$file" 2>&1) || {
        faults=$((faults + 1))
        echo "$said"
    }
    echo "$(echo "$said" | grep ' poses of ') ($file)"
done <"$list"
echo "$files files, $faults are off"
[ "$files" -gt 0 ] && [ "$faults" = 0 ]
