#!/bin/sh
# No C file is longer than 1,000 lines; past that it holds two things: lengths.sh SOURCE_FOLDER
set -eu
cd "$1"
find include src draw cli models tests examples -name '*.[ch]' -exec awk '
    FNR == 1001 { print FILENAME ": longer than 1,000 lines"; faults = 1 }
    END { exit faults }' {} +
