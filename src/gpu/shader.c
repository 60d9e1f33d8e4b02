// SPDX-License-Identifier: MIT
// The skinning shaders as text, and the preambles that turn them into variants.
//
// A preamble goes in front of a shader. In GLSL it's macros. In WGSL it's constants, bindings and the functions that
// read them. A variant (`v`) selects the records' resource (sinew/gpu/gpu_record.h), their layout, the influences per
// vertex, and morphing. `writer` is the caller's buffer.
#include <sinew/gpu/shader.h>

#include "base/def_cookie.h"
#include "gpu/shader_texts.h"

#include <stdarg.h>
#include <stdio.h>

const char *sinew_shader_source(sinew_shader_language language) {
    if (language == SINEW_SHADER_LANGUAGE_GLSL) return sinewi_skin_glsl;
    return language == SINEW_SHADER_LANGUAGE_WGSL ? sinewi_skin_wgsl : NULL;
}

const char *sinew_shader_compute_source(sinew_shader_language language) {
    if (language == SINEW_SHADER_LANGUAGE_GLSL) return sinewi_skin_compute_glsl;
    return language == SINEW_SHADER_LANGUAGE_WGSL ? sinewi_skin_compute_wgsl : NULL;
}

sinew_shader_def sinew_shader_default(void) {
    return (sinew_shader_def){
        .language = SINEW_SHADER_LANGUAGE_GLSL,
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
        .cookie = SINEWI_DEF_COOKIE,
    };
}

// ---- Writing text ----------------------------------------------------------------------------------------------

// Text in the caller's buffer. Text that doesn't fit is counted but not written, like with snprintf.
typedef struct shader_writer {
    char *text;
    size_t capacity;
    size_t length; // of the whole text
} shader_writer;

#if defined(__GNUC__) && !defined(__MINGW32__) // MinGW has two printf formats
__attribute__((format(printf, 2, 3)))
#endif
static void
write_text(shader_writer *writer, const char *format, ...) {
    const bool fits = writer->length < writer->capacity;
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(fits ? writer->text + writer->length : NULL,
                                 fits ? writer->capacity - writer->length : 0, format, arguments);
    va_end(arguments);
    if (length > 0) writer->length += (size_t)length;
}

static const char *layout_name(sinew_gpu_record_layout layout) {
    switch (layout) {
    case SINEW_GPU_RECORD_MAT4:
        return "MAT4";
    case SINEW_GPU_RECORD_TRS:
        return "TRS";
    case SINEW_GPU_RECORD_BAKED:
        return "BAKED";
    case SINEW_GPU_RECORD_ROWS:
        break;
    }
    return "ROWS";
}

// ---- GLSL: defines ---------------------------------------------------------------------------------------------

static const char *resource_name(sinew_gpu_resource resource) {
    switch (resource) {
    case SINEW_GPU_RESOURCE_UNIFORMS:
        return "UNIFORMS";
    case SINEW_GPU_RESOURCE_BLOCK:
        return "BLOCK";
    case SINEW_GPU_RESOURCE_TEXTURE:
        return "TEXTURE";
    case SINEW_GPU_RESOURCE_BUFFER:
        return "BUFFER";
    case SINEW_GPU_RESOURCE_STORAGE:
        return "STORAGE";
    case SINEW_GPU_RESOURCE_NONE:
        break;
    }
    return "NONE";
}

static void write_define(shader_writer *writer, const char *name, int32_t number) {
    write_text(writer, "#define SINEW_%s %d\n", name, number);
}

static void write_location_defines(shader_writer *writer, const sinew_shader_def *def) {
    const sinew_shader_variant *v = &def->variant;
    write_define(writer, "POSITION_LOCATION", def->position_location);
    write_define(writer, "NORMAL_LOCATION", def->normal_location);
    write_define(writer, "UV_LOCATION", def->uv_location);
    write_define(writer, "COLOR_LOCATION", def->color_location);
    write_define(writer, "TANGENT_LOCATION", def->tangent_location);
    if (v->per_instance_transform || v->morph) write_define(writer, "DRAW_LOCATION", def->draw_location);
    if (v->influences == 0) return;
    write_define(writer, "JOINTS_LOCATION", def->joints_location);
    write_define(writer, "WEIGHTS_LOCATION", def->weights_location);
    if (v->influences == 4) return;
    write_define(writer, "JOINTS2_LOCATION", def->joints2_location);
    write_define(writer, "WEIGHTS2_LOCATION", def->weights2_location);
}

static void write_record_defines(shader_writer *writer, const sinew_shader_def *def) {
    const sinew_shader_variant *v = &def->variant;
    write_text(writer, "#define SINEW_GPU_RESOURCE_%s\n", resource_name(v->resource));
    write_text(writer, "#define SINEW_GPU_RECORD_%s\n", layout_name(v->layout));
    if (v->resource == SINEW_GPU_RESOURCE_UNIFORMS || v->resource == SINEW_GPU_RESOURCE_BLOCK) {
        write_define(writer, "RECORD_TEXELS", def->record_texels);
    }
    if (v->resource == SINEW_GPU_RESOURCE_STORAGE) write_define(writer, "RECORD_BINDING", def->storage_binding);
    if (v->per_instance_transform) write_text(writer, "#define SINEW_PER_INSTANCE_TRANSFORM\n");
    if (v->morph) write_text(writer, "#define SINEW_MORPH\n");
}

static void write_glsl(shader_writer *writer, const sinew_shader_def *def) {
    const bool has_records = def->variant.resource != SINEW_GPU_RESOURCE_NONE;
    if (def->vulkan) write_define(writer, "VULKAN_SET", def->group);
    write_define(writer, "INFLUENCES", has_records ? def->variant.influences : 0);
    write_define(writer, "TEXTURE_WIDTH", SINEW_TEXTURE_WIDTH);
    if (has_records) write_record_defines(writer, def);
    if (def->no_attributes) {
        write_text(writer, "#define SINEW_NO_ATTRIBUTES\n");
    } else {
        write_location_defines(writer, def);
    }
}

// ---- WGSL: constants, bindings and the functions that read them ------------------------------------------------

// A variant binds only what it reads, because WGSL has no preprocessor to leave out an unused binding.
enum { RECORDS_BINDING, DELTAS_BINDING, DRAW_BINDING, ANIMATIONS_BINDING };

static void write_constant(shader_writer *writer, const char *name, int32_t number) {
    write_text(writer, "const SINEW_%s = %d;\n", name, number);
}

static void write_constants(shader_writer *writer, const sinew_shader_def *def) {
    const sinew_shader_variant *v = &def->variant;
    write_constant(writer, "GROUP", def->group);
    write_constant(writer, "TEXTURE_WIDTH", SINEW_TEXTURE_WIDTH);
    write_constant(writer, "INFLUENCES", v->resource == SINEW_GPU_RESOURCE_NONE ? 0 : v->influences);
    write_text(writer, "const SINEW_LAYOUT = SINEW_GPU_RECORD_%s;\n", layout_name(v->layout));
    write_text(writer, "const SINEW_PER_INSTANCE_TRANSFORM = %s;\n", v->per_instance_transform ? "true" : "false");
    write_text(writer, "const SINEW_MORPH = %s;\n", v->morph ? "true" : "false");
}

static void write_location_constants(shader_writer *writer, const sinew_shader_def *def) {
    write_constant(writer, "POSITION_LOCATION", def->position_location);
    write_constant(writer, "NORMAL_LOCATION", def->normal_location);
    write_constant(writer, "UV_LOCATION", def->uv_location);
    write_constant(writer, "COLOR_LOCATION", def->color_location);
    write_constant(writer, "TANGENT_LOCATION", def->tangent_location);
    write_constant(writer, "JOINTS_LOCATION", def->joints_location);
    write_constant(writer, "WEIGHTS_LOCATION", def->weights_location);
    write_constant(writer, "JOINTS2_LOCATION", def->joints2_location);
    write_constant(writer, "WEIGHTS2_LOCATION", def->weights2_location);
}

static void write_binding(shader_writer *writer, int binding) {
    write_text(writer, "@group(SINEW_GROUP) @binding(%d) ", binding);
}

// Writes the WGSL function sinew_NAME(i), which returns texel i of a resource. It returns zeros if the variant doesn't
// have that resource.
static void write_reader_function(shader_writer *writer, const char *name, const char *value) {
    write_text(writer, "fn sinew_%s(i: i32) -> vec4f { return %s; }\n", name, value);
}

static void write_texture_binding(shader_writer *writer, int binding, const char *name, const char *texture) {
    write_binding(writer, binding);
    write_text(writer, "var %s: texture_2d<f32>;\n", texture);
    write_text(writer, "fn sinew_%s(i: i32) -> vec4f { return textureLoad(%s, sinew_texel_coordinates(i), 0); }\n",
               name, texture);
}

static void write_records_binding(shader_writer *writer, const sinew_shader_def *def) {
    if (def->variant.resource == SINEW_GPU_RESOURCE_TEXTURE) {
        write_texture_binding(writer, RECORDS_BINDING, "texel", "sinew_records");
        return;
    }
    write_binding(writer, RECORDS_BINDING);
    if (def->variant.resource == SINEW_GPU_RESOURCE_BLOCK) {
        write_text(writer, "var<uniform> sinew_records: array<vec4f, %d>;\n", def->record_texels);
    } else {
        write_text(writer, "var<storage, read> sinew_records: array<vec4f>;\n");
    }
    write_reader_function(writer, "texel", "sinew_records[i]");
}

// Writes the binding of the draw's four integers, which locate its records (gpu/gl.h: sinew_gl_draw).
static void write_draw_binding(shader_writer *writer, bool is_read) {
    if (is_read) {
        write_binding(writer, DRAW_BINDING);
        write_text(writer, "var<uniform> sinew_draw: vec4i;\n");
    }
    write_text(writer, "fn sinew_draw_numbers() -> vec4i { return %s; }\n", is_read ? "sinew_draw" : "vec4i()");
}

static void write_bindings(shader_writer *writer, const sinew_shader_def *def) {
    const sinew_shader_variant *v = &def->variant;
    const bool is_skinned = v->resource != SINEW_GPU_RESOURCE_NONE && v->influences > 0;
    const bool has_draw = v->per_instance_transform || v->morph;
    const bool is_baked = is_skinned && v->layout == SINEW_GPU_RECORD_BAKED;

    if (!is_skinned && !has_draw) write_reader_function(writer, "texel", "vec4f()");
    if (is_skinned || has_draw) write_records_binding(writer, def);
    if (!v->morph) write_reader_function(writer, "delta_texel", "vec4f()");
    if (v->morph) write_texture_binding(writer, DELTAS_BINDING, "delta_texel", "sinew_deltas");
    if (!is_baked) write_reader_function(writer, "animation_texel", "vec4f()");
    if (is_baked) write_texture_binding(writer, ANIMATIONS_BINDING, "animation_texel", "sinew_animations");
    write_draw_binding(writer, has_draw);
}

static void write_wgsl(shader_writer *writer, const sinew_shader_def *def) {
    write_constants(writer, def);
    if (!def->no_attributes) write_location_constants(writer, def);
    write_bindings(writer, def);
}

// ---- The preamble ----------------------------------------------------------------------------------------------

// Whether the language has the variant's resource.
static bool has_language_resource(const sinew_shader_def *def) {
    const sinew_gpu_resource resource = def->variant.resource;
    if (def->language == SINEW_SHADER_LANGUAGE_GLSL && !def->vulkan) return true;
    if (def->language != SINEW_SHADER_LANGUAGE_GLSL && def->language != SINEW_SHADER_LANGUAGE_WGSL) return false;
    return resource != SINEW_GPU_RESOURCE_UNIFORMS && resource != SINEW_GPU_RESOURCE_BUFFER;
}

// Whether a variant is consistent. Without records, there can be no instance transform and no morph weights. Uniforms
// and blocks must have a size.
static bool is_valid_variant(const sinew_shader_def *def) {
    const sinew_shader_variant *v = &def->variant;
    if ((unsigned)v->resource > SINEW_GPU_RESOURCE_STORAGE || (unsigned)v->layout > SINEW_GPU_RECORD_BAKED)
        return false;
    if (v->influences != 0 && v->influences != 4 && v->influences != 8) return false;
    if (v->resource == SINEW_GPU_RESOURCE_NONE) return !v->per_instance_transform && !v->morph;
    if (v->layout == SINEW_GPU_RECORD_BAKED && !v->per_instance_transform) return false;
    const bool has_size = v->resource == SINEW_GPU_RESOURCE_UNIFORMS || v->resource == SINEW_GPU_RESOURCE_BLOCK;
    return !has_size || def->record_texels > 0;
}

// Returns the preamble's length and writes as much as fits. Returns 0 if the variant isn't valid.
size_t sinew_shader_preamble(const sinew_shader_def *def, char *text, size_t capacity) {
    if (!SINEWI_IS_DEF(def, "sinew_shader_def: start from sinew_shader_default()")) return 0;
    if (!is_valid_variant(def) || !has_language_resource(def)) return 0;
    shader_writer writer = {.text = text, .capacity = capacity};
    if (def->language == SINEW_SHADER_LANGUAGE_GLSL) {
        write_glsl(&writer, def);
    } else {
        write_wgsl(&writer, def);
    }
    return writer.length;
}
