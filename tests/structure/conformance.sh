#!/bin/sh
# SPDX-License-Identifier: MIT
# The conformance set is exactly what its program makes: conformance.sh MAKE_CONFORMANCE SOURCE_FOLDER SCRATCH_FOLDER
set -u
export LC_ALL=C

set_folder=$2/models/conformance
rm -rf "$3"
mkdir -p "$3/set"
"$1" "$3/set" >"$3/made.md" || exit 1

faults=0
diff -r "$set_folder" "$3/set" || { echo "models/conformance: not what the program makes"; faults=1; }
[ "$(cat "$set_folder"/* | wc -c)" -lt 400000 ] || { echo "models/conformance: not under 400 kB"; faults=1; }
for file in "$set_folder"/*; do
    [ "$(wc -c <"$file")" -lt 5000 ] || [ "${file##*/}" = index.json ] || { echo "$file: not under 5 kB"; faults=1; }
done
[ $faults = 0 ] || echo "'make models' makes them again"
exit $faults
