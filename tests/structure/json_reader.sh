#!/bin/sh
# SPDX-License-Identifier: MIT
# The JSON reader and Python's json module read the same from every text: json_reader.sh JSON_DUMP MODELS_FOLDER
# SCRATCH_FOLDER [all]. With SINEW_ASSETS, also reads the files in that folder. Without `all`, reads a tenth. Skipped
# without python3.
set -u
command -v python3 >/dev/null || { echo "python3 is missing: the JSON reader is not compared"; exit 77; }
exec python3 "$(dirname "$0")/json_reader.py" "$1" "$3" "$([ "${4:-}" = all ] && echo 1 || echo 0.1)" "$2" ${SINEW_ASSETS:+"$SINEW_ASSETS"}
