// SPDX-License-Identifier: MIT
// Every shader variant that should exist, with its name. The list is written out here again instead of asking the
// library.
#ifndef VARIANTS_H
#define VARIANTS_H

#include <sinew/gpu/shader.h>

#include <stdio.h>

static const char *const source_names[] = {"none", "uniforms", "block", "texture", "buffer", "storage"};
static const char *const layout_names[] = {"rows", "mat4", "trs", "baked"};

enum { VARIANT_COUNT = 6 * 4 * 3 * 2 * 2 };

static inline sinew_shader_variant variant_at(int32_t i) {
    static const int32_t influences[] = {0, 4, 8};
    return (sinew_shader_variant){
        .resource = (sinew_gpu_resource)(i / 48),
        .layout = (sinew_gpu_record_layout)(i / 12 % 4),
        .influences = influences[i / 4 % 3],
        .per_instance_transform = i / 2 % 2 == 1,
        .morph = i % 2 == 1,
    };
}

// A variant without a palette exists. Animation textures are for crowds, whose characters have places.
static inline bool is_there(const sinew_shader_variant *v) {
    if (v->resource == SINEW_GPU_RESOURCE_NONE) {
        return v->layout == SINEW_GPU_RECORD_ROWS && v->influences == 0 && !v->per_instance_transform && !v->morph;
    }
    return v->layout != SINEW_GPU_RECORD_BAKED || v->per_instance_transform;
}

static inline void name_variant(const sinew_shader_variant *v, char *name, size_t size) {
    snprintf(name, size, "%s_%s_%d%s%s", source_names[v->resource], layout_names[v->layout], v->influences,
             v->per_instance_transform ? "_placed" : "", v->morph ? "_morph" : "");
}

#endif
