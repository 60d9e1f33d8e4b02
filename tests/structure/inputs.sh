#!/bin/sh
# SPDX-License-Identifier: MIT
# The command reads files only through tools/files. That keeps track of them, so no output can be an input. inputs.sh
# SOURCE_FOLDER
set -eu
export LC_ALL=C
cd "$1"

# What opens files by itself: the functions themselves; outputs; programs that are not the command, and the machine's own
# files in /proc.
allowed='^tools/files/|^tools/cli/(output|temporary)\.c:|^tools/plots/|^tools/bench/compare/|^tools/bench/machine\.c:'
found=$(grep -rnE '\b(fopen|freopen|open|openat|sinew_[a-z_]+_load_file|sinew_humanoid_(chains_)?read_file) *\(' tools \
    --include='*.c' --include='*.cc' --include='*.h' | grep -vE "$allowed" || true)
[ -z "$found" ] || {
    echo "$found"
    echo "these open files without tools/files"
    exit 1
}
[ "$(grep -c files_note_to_load tools/files/load.h)" -ge 6 ] || { echo "tools/files/load.h does not note what it loads"; exit 1; }
