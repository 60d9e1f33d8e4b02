#!/bin/sh
# SPDX-License-Identifier: MIT
# Every global symbol in the libraries starts with sinew_, or sinewi_ if no header declares it, to avoid clashes:
# symbols.sh LIBRARY...
set -eu
export LC_ALL=C

for library; do
    nm -g "$library" 2>/dev/null | awk -v library="$library" '
        NF != 3 || $2 == "U" || $2 == "w" || $2 == "v" { next } # what is used, not defined
        { count++ }
        $3 ~ /^_?sinewi?_/ { next }
        $3 ~ /^__odr_asan/ { next } # clang marks what the address sanitizer watches
        { print library ": defines " $3; faults = 1 }
        END {
            if (count == 0) { print library ": defines nothing"; faults = 1 }
            exit faults
        }'
done
