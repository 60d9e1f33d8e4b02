// What stands before src/gpu/shaders/skin.glsl: its defines.
#include "gpu/shader_writer.h"

static const char *source_define(sinew_gpu_resource source) {
    switch (source) {
    case SINEW_GPU_RESOURCE_UNIFORMS:
        return "#define SINEW_GPU_RESOURCE_UNIFORMS\n";
    case SINEW_GPU_RESOURCE_BLOCK:
        return "#define SINEW_GPU_RESOURCE_BLOCK\n";
    case SINEW_GPU_RESOURCE_TEXTURE:
        return "#define SINEW_GPU_RESOURCE_TEXTURE\n";
    case SINEW_GPU_RESOURCE_BUFFER:
        return "#define SINEW_GPU_RESOURCE_BUFFER\n";
    case SINEW_GPU_RESOURCE_STORAGE:
        return "#define SINEW_GPU_RESOURCE_STORAGE\n";
    case SINEW_GPU_RESOURCE_NONE:
        break;
    }
    return "";
}

static const char *layout_define(sinew_gpu_record_layout layout) {
    switch (layout) {
    case SINEW_GPU_RECORD_MAT4:
        return "#define SINEW_GPU_RECORD_MAT4\n";
    case SINEW_GPU_RECORD_TRS:
        return "#define SINEW_GPU_RECORD_TRS\n";
    case SINEW_GPU_RECORD_BAKED:
        return "#define SINEW_GPU_RECORD_BAKED\n";
    case SINEW_GPU_RECORD_ROWS:
        break;
    }
    return "#define SINEW_GPU_RECORD_ROWS\n";
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
    if (v->per_instance_transform || v->morph) write_number(writer, "DRAW_LOCATION", def->draw_location);
    if (v->influences == 0) return;
    write_number(writer, "JOINTS_LOCATION", def->joints_location);
    write_number(writer, "WEIGHTS_LOCATION", def->weights_location);
    if (v->influences == 4) return;
    write_number(writer, "JOINTS2_LOCATION", def->joints2_location);
    write_number(writer, "WEIGHTS2_LOCATION", def->weights2_location);
}

static void write_palette(sinew_shader_writer *writer, const sinew_shader_def *def) {
    const sinew_shader_variant *v = &def->variant;
    sinew_shader_print(writer, "%s%s", source_define(v->resource), layout_define(v->layout));
    if (v->resource == SINEW_GPU_RESOURCE_UNIFORMS || v->resource == SINEW_GPU_RESOURCE_BLOCK) {
        write_number(writer, "RECORD_TEXELS", def->record_texels);
    }
    if (v->resource == SINEW_GPU_RESOURCE_STORAGE) write_number(writer, "RECORD_BINDING", def->storage_binding);
    if (v->per_instance_transform) sinew_shader_print(writer, "#define SINEW_PER_INSTANCE_TRANSFORM\n");
    if (v->morph) sinew_shader_print(writer, "#define SINEW_MORPH\n");
}

void sinew_shader_write_glsl(sinew_shader_writer *writer, const sinew_shader_def *def) {
    const bool has_palette = def->variant.resource != SINEW_GPU_RESOURCE_NONE;
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
