#!/bin/sh
# SPDX-License-Identifier: MIT
# Lists every C file of the project, one per line: scripts/c_files.sh [SOURCE_FOLDER]
cd "${1:-.}" || exit 1
find . \( -name build -o -name node_modules -o -name '.?*' \) -prune -o -name '*.[ch]' -print | sed 's,^\./,,' | sort
