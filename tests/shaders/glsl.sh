#!/bin/sh
# SPDX-License-Identifier: MIT
# The reference compiler accepts every variant for OpenGL and OpenGL ES. The variants for Vulkan become SPIR-V that
# the validator accepts: glsl.sh VARIANTS_FOLDER
set -eu
export LC_ALL=C
cd "$1"

count() { set -- $1; [ -e "$1" ] && echo $#; }

echo "$(count 'gl/*') shaders for OpenGL"
glslangValidator -t gl/*.vert gl/*.comp >said || { cat said; exit 1; }

# A compiler takes as long to start as for ten shaders, so it gets both of a variant.
one_variant='
    mkdir -p "$1"
    cd "$1"
    rm -f vert.spv comp.spv
    glslangValidator -V "../../vulkan/$1.vert" "../../vulkan/$1.comp" >said || { cat said; exit 1; }
    command -v spirv-val >/dev/null || exit 0
    for stage in vert comp; do spirv-val --target-env vulkan1.0 $stage.spv || { echo "$1: $stage.spv"; exit 1; }; done'
echo "$(count 'vulkan/*') shaders for Vulkan"
mkdir -p spirv
cd spirv
for shader in ../vulkan/*.vert; do basename "$shader" .vert; done | xargs -P 2 -I NAME sh -c "$one_variant" sh NAME
command -v spirv-val >/dev/null || echo "SKIPPED: there is no spirv-val, so nobody looked into the SPIR-V"
