#!/bin/sh
# SPDX-License-Identifier: MIT
# No C file is longer than 1,000 lines. A longer one has two subjects: lengths.sh SOURCE_FOLDER
set -eu
export LC_ALL=C
cd "$1"
scripts/c_files.sh | xargs awk '
    FNR == 1001 { print FILENAME ": longer than 1,000 lines"; faults = 1 }
    END { exit faults }'
