// What stands beside src/gpu/shaders/skin.wgsl: its constants, the bindings that the variant reads, and functions that read
// them. What it does not read is not bound: WGSL has no preprocessor that would leave a binding out.
#include "gpu/shader_writer.h"

enum { PALETTE_BINDING, DELTAS_BINDING, DRAW_BINDING, ANIMATIONS_BINDING };

// ---- Constants -------------------------------------------------------------------------------------------------

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

static void write_number(sinew_shader_writer *writer, const char *name, int32_t number) {
    sinew_shader_print(writer, "const SINEW_%s = %d;\n", name, number);
}

static void write_constants(sinew_shader_writer *writer, const sinew_shader_def *def) {
    const sinew_shader_variant *v = &def->variant;
    write_number(writer, "GROUP", def->group);
    write_number(writer, "TEXTURE_WIDTH", SINEW_TEXTURE_WIDTH);
    write_number(writer, "INFLUENCES", v->resource == SINEW_GPU_RESOURCE_NONE ? 0 : v->influences);
    sinew_shader_print(writer, "const SINEW_LAYOUT = SINEW_GPU_RECORD_%s;\n", layout_name(v->layout));
    sinew_shader_print(writer, "const SINEW_PER_INSTANCE_TRANSFORM = %s;\n",
                       v->per_instance_transform ? "true" : "false");
    sinew_shader_print(writer, "const SINEW_MORPH = %s;\n", v->morph ? "true" : "false");
}

static void write_locations(sinew_shader_writer *writer, const sinew_shader_def *def) {
    write_number(writer, "POSITION_LOCATION", def->position_location);
    write_number(writer, "NORMAL_LOCATION", def->normal_location);
    write_number(writer, "UV_LOCATION", def->uv_location);
    write_number(writer, "COLOR_LOCATION", def->color_location);
    write_number(writer, "TANGENT_LOCATION", def->tangent_location);
    write_number(writer, "JOINTS_LOCATION", def->joints_location);
    write_number(writer, "WEIGHTS_LOCATION", def->weights_location);
    write_number(writer, "JOINTS2_LOCATION", def->joints2_location);
    write_number(writer, "WEIGHTS2_LOCATION", def->weights2_location);
}

// ---- Bindings --------------------------------------------------------------------------------------------------

static void write_binding(sinew_shader_writer *writer, int binding) {
    sinew_shader_print(writer, "@group(SINEW_GROUP) @binding(%d) ", binding);
}

static void write_reader(sinew_shader_writer *writer, const char *name, const char *value) {
    sinew_shader_print(writer, "fn sinew_%s(i: i32) -> vec4f { return %s; }\n", name, value);
}

static void write_nothing(sinew_shader_writer *writer, const char *name) {
    write_reader(writer, name, "vec4f()");
}

static void write_texture(sinew_shader_writer *writer, int binding, const char *name, const char *texture) {
    write_binding(writer, binding);
    sinew_shader_print(writer, "var %s: texture_2d<f32>;\n", texture);
    sinew_shader_print(writer, "fn sinew_%s(i: i32) -> vec4f { return textureLoad(%s, sinew_texel_at(i), 0); }\n",
                       name, texture);
}

static void write_palette(sinew_shader_writer *writer, const sinew_shader_def *def) {
    if (def->variant.resource == SINEW_GPU_RESOURCE_TEXTURE) {
        write_texture(writer, PALETTE_BINDING, "texel", "sinew_palette");
        return;
    }
    write_binding(writer, PALETTE_BINDING);
    if (def->variant.resource == SINEW_GPU_RESOURCE_BLOCK) {
        sinew_shader_print(writer, "var<uniform> sinew_palette: array<vec4f, %d>;\n", def->record_texels);
    } else {
        sinew_shader_print(writer, "var<storage, read> sinew_palette: array<vec4f>;\n");
    }
    write_reader(writer, "texel", "sinew_palette[i]");
}

static void write_draw(sinew_shader_writer *writer, bool is_read) {
    if (is_read) {
        write_binding(writer, DRAW_BINDING);
        sinew_shader_print(writer, "var<uniform> sinew_draw: vec4i;\n");
    }
    sinew_shader_print(writer, "fn sinew_draw_numbers() -> vec4i { return %s; }\n",
                       is_read ? "sinew_draw" : "vec4i()");
}

static void write_bindings(sinew_shader_writer *writer, const sinew_shader_def *def) {
    const sinew_shader_variant *v = &def->variant;
    const bool is_skinned = v->resource != SINEW_GPU_RESOURCE_NONE && v->influences > 0;
    const bool has_draw = v->per_instance_transform || v->morph;
    const bool is_baked = is_skinned && v->layout == SINEW_GPU_RECORD_BAKED;

    if (!is_skinned && !has_draw) write_nothing(writer, "texel");
    if (is_skinned || has_draw) write_palette(writer, def);
    if (!v->morph) write_nothing(writer, "delta_texel");
    if (v->morph) write_texture(writer, DELTAS_BINDING, "delta_texel", "sinew_deltas");
    if (!is_baked) write_nothing(writer, "animation_texel");
    if (is_baked) write_texture(writer, ANIMATIONS_BINDING, "animation_texel", "sinew_animations");
    write_draw(writer, has_draw);
}

void sinew_shader_write_wgsl(sinew_shader_writer *writer, const sinew_shader_def *def) {
    write_constants(writer, def);
    if (!def->no_attributes) write_locations(writer, def);
    write_bindings(writer, def);
}
