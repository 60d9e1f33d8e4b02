#!/bin/sh
# SPDX-License-Identifier: MIT
# The installed SPIR-V is valid, and has the bindings and attributes in docs/gpu.md: spirv.sh SPIRV_FOLDER
set -u
export LC_ALL=C
cd "$1" || exit 1
command -v spirv-val >/dev/null && command -v spirv-dis >/dev/null || {
    echo "SKIPPED: there are no spirv-val and spirv-dis"
    exit 77
}

# "set:binding" of all that is bound, and the locations of what a vertex has.
interface_of() {
    spirv-dis --raw-id "$1" | awk '
        $1 == "OpDecorate" && $3 == "DescriptorSet" { group[$2] = $4 }
        $1 == "OpDecorate" && $3 == "Binding" { binding[$2] = $4 }
        $1 == "OpDecorate" && $3 == "Location" { location[$2] = $4 }
        $3 == "OpVariable" && $5 == "Input" && $1 in location { print "in " location[$1] }
        END { for (id in group) print group[id] ":" binding[id] }' | sort | tr '\n' ' '
}

faults=0
check() { # check FILE INTERFACE
    spirv-val --target-env vulkan1.0 "$1" || faults=1
    interface=$(interface_of "$1")
    [ "$interface" = "$2 " ] || { echo "$1: has $interface instead of $2"; faults=1; }
}
check skin4.vert.spv '0:0 3:0 3:2 in 0 in 1 in 2 in 3 in 4'
check skin8.vert.spv '0:0 3:0 3:2 in 0 in 1 in 2 in 3 in 4 in 6 in 7'
check skin4_morph.vert.spv '0:0 3:0 3:1 3:2 in 0 in 1 in 2 in 3 in 4'
check skin8_morph.vert.spv '0:0 3:0 3:1 3:2 in 0 in 1 in 2 in 3 in 4 in 6 in 7'
for influences in 4 8; do
    check skin$influences.comp.spv '3:0 3:2 3:4 3:5 3:6 3:7'
    check skin${influences}_morph.comp.spv '3:0 3:1 3:2 3:4 3:5 3:6 3:7'
done
exit $faults
