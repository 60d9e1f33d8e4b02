#!/bin/sh
# SPDX-License-Identifier: MIT
# Every declaration in the public headers has a comment. Each function's comment, or its header's first comment, says
# which threads may call it: reference.sh SOURCE_FOLDER SCRATCH_FOLDER
set -u
export LC_ALL=C
mkdir -p "$2"
scratch=$(cd "$2" && pwd)
cd "$1" || exit 1

awk '
    FNR == 1 { head = 1; header_says = 0; comment = "" }
    head && /SPDX/ { next }
    head && /^\/\/\// { if (tolower($0) ~ /thread/) header_says = 1; next }
    { head = 0 }
    /^\/\/\// { comment = comment tolower($0); next }
    /^SINEW_API / {
        functions++
        match($0, /sinew_[a-z0-9_]+\(/)
        name = substr($0, RSTART, RLENGTH - 1)
        if (comment == "") { printf "%s:%d: %s has no comment\n", FILENAME, FNR, name; faults++ }
        else if (!header_says && comment !~ /thread/) { printf "%s:%d: the threads of %s are not stated\n", FILENAME, FNR, name; faults++ }
    }
    { comment = "" }
    END {
        print functions + 0 " functions, " faults + 0 " faults"
        exit faults > 0 || functions < 50
    }' include/sinew/*.h || exit 1

command -v doxygen >/dev/null || {
    echo "SKIPPED: doxygen is not installed, so members without a comment are not found"
    exit 77
}
{
    cat docs/Doxyfile
    echo "OUTPUT_DIRECTORY = \"$scratch\""
} | doxygen - >"$scratch/log" 2>&1
status=$?
cat "$scratch/log"
[ $status = 0 ] && [ ! -s "$scratch/log" ] && [ -s "$scratch/html/mixer_8h.html" ]
