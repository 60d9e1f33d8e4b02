// The skinning shaders as text, and what stands before them.
#include "gpu/shader_texts.h"
#include "gpu/shader_writer.h"
#include "core/def_cookie.h"

#include <stdarg.h>
#include <stdio.h>

const char *sinew_shader_source(sinew_shader_language language) {
    if (language == SINEW_SHADER_GLSL) return sinew_skin_glsl;
    return language == SINEW_SHADER_WGSL ? sinew_skin_wgsl : NULL;
}

const char *sinew_shader_compute_source(sinew_shader_language language) {
    if (language == SINEW_SHADER_GLSL) return sinew_skin_compute_glsl;
    return language == SINEW_SHADER_WGSL ? sinew_skin_compute_wgsl : NULL;
}

sinew_shader_def sinew_shader_default(void) {
    return (sinew_shader_def){
        .language = SINEW_SHADER_GLSL,
        .variant = {.resource = SINEW_GPU_RESOURCE_BLOCK, .layout = SINEW_GPU_RECORD_ROWS, .influences = 4},
        .record_texels = 384,
        .group = 3,
        .storage_binding = 3,
        .position_location = 0,
        .normal_location = 1,
        .uv_location = 2,
        .joints_location = 3,
        .weights_location = 4,
        .color_location = 5,
        .joints2_location = 6,
        .weights2_location = 7,
        .tangent_location = 8,
        .draw_location = 9,
        .cookie = SINEW_DEF_COOKIE,
    };
}

void sinew_shader_print(sinew_shader_writer *writer, const char *format, ...) {
    const bool fits = writer->length < writer->capacity;
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(fits ? writer->text + writer->length : NULL,
                                 fits ? writer->capacity - writer->length : 0, format, arguments);
    va_end(arguments);
    if (length > 0) writer->length += (size_t)length;
}

// ---- Variants that there are -----------------------------------------------------------------------------------

static bool is_array(sinew_gpu_resource source) {
    return source == SINEW_GPU_RESOURCE_UNIFORMS || source == SINEW_GPU_RESOURCE_BLOCK;
}

static bool has_language(const sinew_shader_def *def) {
    const sinew_gpu_resource source = def->variant.resource;
    if (def->language == SINEW_SHADER_GLSL && !def->vulkan) return true;
    if (def->language != SINEW_SHADER_GLSL && def->language != SINEW_SHADER_WGSL) return false;
    return source != SINEW_GPU_RESOURCE_UNIFORMS && source != SINEW_GPU_RESOURCE_BUFFER;
}

// Without a palette there is nothing to skin, place or weigh by; one that is an array has a size.
static bool is_variant(const sinew_shader_def *def) {
    const sinew_shader_variant *v = &def->variant;
    if ((unsigned)v->resource > SINEW_GPU_RESOURCE_STORAGE || (unsigned)v->layout > SINEW_GPU_RECORD_BAKED)
        return false;
    if (v->influences != 0 && v->influences != 4 && v->influences != 8) return false;
    if (v->resource == SINEW_GPU_RESOURCE_NONE) return !v->per_instance_transform && !v->morph;
    if (v->layout == SINEW_GPU_RECORD_BAKED && !v->per_instance_transform) return false;
    return !is_array(v->resource) || def->record_texels > 0;
}

int32_t sinew_shader_preamble(const sinew_shader_def *def, char *text, size_t capacity) {
    if (!SINEW_IS_DEF(def, "sinew_shader_def: start from sinew_shader_default()")) return -1;
    if (!is_variant(def) || !has_language(def)) return -1;
    sinew_shader_writer writer = {.text = text, .capacity = capacity};
    if (def->language == SINEW_SHADER_GLSL)
        sinew_shader_write_glsl(&writer, def);
    else
        sinew_shader_write_wgsl(&writer, def);
    return (int32_t)writer.length;
}
