// What stands before src/gpu/shaders/skin.glsl: its defines.
#include "gpu/shader_writer.h"

static const char *source_define(sinew_palette_source source) {
    switch (source) {
    case SINEW_PALETTE_UNIFORMS:
        return "#define SINEW_PALETTE_UNIFORMS\n";
    case SINEW_PALETTE_BLOCK:
        return "#define SINEW_PALETTE_BLOCK\n";
    case SINEW_PALETTE_TEXTURE:
        return "#define SINEW_PALETTE_TEXTURE\n";
    case SINEW_PALETTE_BUFFER:
        return "#define SINEW_PALETTE_BUFFER\n";
    case SINEW_PALETTE_STORAGE:
        return "#define SINEW_PALETTE_STORAGE\n";
    case SINEW_PALETTE_NONE:
        break;
    }
    return "";
}

static const char *layout_define(sinew_palette_layout layout) {
    switch (layout) {
    case SINEW_LAYOUT_MAT4:
        return "#define SINEW_LAYOUT_MAT4\n";
    case SINEW_LAYOUT_TRS:
        return "#define SINEW_LAYOUT_TRS\n";
    case SINEW_LAYOUT_BAKED:
        return "#define SINEW_LAYOUT_BAKED\n";
    case SINEW_LAYOUT_ROWS:
        break;
    }
    return "#define SINEW_LAYOUT_ROWS\n";
}

static void write_number(sinew_shader_writer *writer, const char *name, int32_t number) {
    sinew_shader_print(writer, "#define SINEW_%s %d\n", name, number);
}

static void write_locations(sinew_shader_writer *writer, const sinew_shader_def *def) {
    const sinew_shader_variant *v = &def->variant;
    write_number(writer, "POSITION_LOCATION", def->position_location);
    write_number(writer, "NORMAL_LOCATION", def->normal_location);
    write_number(writer, "UV_LOCATION", def->uv_location);
    write_number(writer, "COLOR_LOCATION", def->color_location);
    write_number(writer, "TANGENT_LOCATION", def->tangent_location);
    if (v->placed || v->morph) write_number(writer, "DRAW_LOCATION", def->draw_location);
    if (v->influences == 0) return;
    write_number(writer, "JOINTS_LOCATION", def->joints_location);
    write_number(writer, "WEIGHTS_LOCATION", def->weights_location);
    if (v->influences == 4) return;
    write_number(writer, "JOINTS2_LOCATION", def->joints2_location);
    write_number(writer, "WEIGHTS2_LOCATION", def->weights2_location);
}

static void write_palette(sinew_shader_writer *writer, const sinew_shader_def *def) {
    const sinew_shader_variant *v = &def->variant;
    sinew_shader_print(writer, "%s%s", source_define(v->source), layout_define(v->layout));
    if (v->source == SINEW_PALETTE_UNIFORMS || v->source == SINEW_PALETTE_BLOCK) {
        write_number(writer, "PALETTE_TEXELS", def->palette_texels);
    }
    if (v->source == SINEW_PALETTE_STORAGE) write_number(writer, "PALETTE_BINDING", def->storage_binding);
    if (v->placed) sinew_shader_print(writer, "#define SINEW_PLACED\n");
    if (v->morph) sinew_shader_print(writer, "#define SINEW_MORPH\n");
}

void sinew_shader_write_glsl(sinew_shader_writer *writer, const sinew_shader_def *def) {
    const bool has_palette = def->variant.source != SINEW_PALETTE_NONE;
    if (def->vulkan) write_number(writer, "VULKAN_SET", def->group);
    write_number(writer, "INFLUENCES", has_palette ? def->variant.influences : 0);
    write_number(writer, "TEXTURE_WIDTH", SINEW_TEXTURE_WIDTH);
    if (has_palette) write_palette(writer, def);
    if (def->no_attributes) {
        sinew_shader_print(writer, "#define SINEW_NO_ATTRIBUTES\n");
    } else {
        write_locations(writer, def);
    }
}
