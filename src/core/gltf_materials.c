// SPDX-License-Identifier: MIT
// Images, textures and materials. Only a material's base color and alpha are loaded.
//
// Images keep their encoded bytes, and the caller decodes them. A texture is an image with a sampler, which has wrap
// modes and a filter. Elements outside of the loaded subset (gltf_subset.c) are skipped.
#include "core/gltf_import.h"

#include <string.h>

// ---- Images --------------------------------------------------------------------------------------------------------

// Detects an image's media type from its first bytes. Returns "" if it is unknown.
static const char *detect_media_type(const uint8_t *bytes, size_t size) {
    static const struct {
        size_t offset;
        const char *head, *type;
    } formats[] = {
        {0, "\x89PNG\r\n\x1A\n", "image/png"}, {0, "\xFF\xD8\xFF", "image/jpeg"}, {8, "WEBP", "image/webp"},
        {0, "\xABKTX 20\xBB", "image/ktx2"},   {4, "ftypavif", "image/avif"},     {0, "DDS ", "image/vnd-ms.dds"},
    };
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        size_t length = strlen(formats[i].head);
        if (size < formats[i].offset + length) continue;
        if (memcmp(bytes + formats[i].offset, formats[i].head, length) == 0) return formats[i].type;
    }
    return "";
}

static bool copy_bytes(sinewi_import *g, const uint8_t *bytes, size_t size, sinew_image *image) {
    uint8_t *copy = sinewi_gltf_array(g, g->arena, uint8_t, size);
    if (!copy) return false;
    if (size > 0) memcpy(copy, bytes, size);
    image->bytes = copy;
    image->size = size;
    return true;
}

// Copies a view's bytes to the asset, once for all images that use the view.
static bool load_image_from_view(sinewi_import *g, sinewi_json_value value, sinew_image *image) {
    int32_t view;
    if (!sinewi_gltf_get_required_index(g, value, "bufferView", g->view_values.count, "bufferViews", &view))
        return false;
    if (!sinewi_gltf_load_view(g, view)) return false;
    sinewi_gltf_view *v = &g->views[view];
    image->bytes = v->image;
    image->size = v->length;
    if (!v->image && !copy_bytes(g, v->data, v->length, image)) return false;
    v->image = image->bytes;
    return true;
}

// Returns whether to leave an image empty and log it if it fails to load, because characters move without it. This
// covers URIs that are rejected or can't be read. The import still fails if it reaches a limit, runs out of memory or
// finds a `uri` that isn't a string.
static bool may_leave_image_empty(const sinewi_import *g, sinewi_json_value uri) {
    bool exhausted = g->error->result == SINEW_ERROR_LIMIT || g->error->result == SINEW_ERROR_OUT_OF_MEMORY;
    return !exhausted && sinewi_json_kind_of(&g->json, uri) == SINEWI_JSON_STRING;
}

static bool load_image_from_uri(sinewi_import *g, int32_t index, sinewi_json_value uri, char *mime,
                                size_t mime_size, sinew_image *image) {
    sinewi_gltf_bytes bytes;
    if (!sinewi_gltf_load_uri(g, uri, g->arena, mime, mime_size, &bytes)) {
        if (!may_leave_image_empty(g, uri)) return false;
        sinewi_gltf_log(g, "images[%d].uri: %s; the image is left empty", (int)index, g->error->message);
        return true;
    }
    image->bytes = bytes.data;
    image->size = bytes.size;
    if (!bytes.is_borrowed) return true;
    bool copied = copy_bytes(g, bytes.data, bytes.size, image);
    sinewi_gltf_release_bytes(g, &bytes);
    return copied;
}

// Reads an image's bytes and media type. The type comes from the file, from the data URI, or from the first bytes.
static bool read_image(sinewi_import *g, int32_t index, sinew_image *image) {
    sinewi_json_value value = g->image_values.values[index];
    sinewi_json_value uri = sinewi_json_get(&g->json, value, "uri");
    char mime[32] = "";
    g->current = value;
    if (!sinewi_gltf_get_string(g, value, "name", g->arena, &image->name)) return false;
    if (!sinewi_gltf_get_string(g, value, "mimeType", g->arena, &image->mime_type)) return false;
    bool read = uri != SINEWI_JSON_ABSENT ? load_image_from_uri(g, index, uri, mime, sizeof mime, image)
                                          : load_image_from_view(g, value, image);
    if (!read) return false;
    if (image->mime_type[0] != '\0') return true;
    const char *type = mime[0] != '\0' ? mime : detect_media_type(image->bytes, image->size);
    image->mime_type = sinewi_arena_string(g->arena, type, strlen(type));
    return image->mime_type || sinewi_gltf_fail_memory(g);
}

bool sinewi_gltf_read_images(sinewi_import *g) {
    const sinewi_gltf_values *values = &g->image_values;
    sinew_image *images = sinewi_gltf_zeros(g, g->arena, sinew_image, (size_t)values->loaded_count);
    if (!images) return false;
    for (int32_t i = 0; i < values->count; i++) {
        int32_t index = sinewi_gltf_loaded_index(values, i);
        if (index >= 0 && !read_image(g, i, &images[index])) return false;
    }
    g->current = 0;
    g->asset->images = images;
    g->asset->image_count = values->loaded_count;
    return true;
}

// ---- Textures ------------------------------------------------------------------------------------------------------

#define GL_NEAREST         9728
#define GL_CLAMP_TO_EDGE   33071
#define GL_MIRRORED_REPEAT 33648
#define GL_REPEAT          10497

typedef struct sampler {
    sinew_wrap wrap_u, wrap_v;
    bool nearest;
} sampler;

static bool read_wrap(sinewi_import *g, sinewi_json_value object, const char *key, sinew_wrap *wrap) {
    int64_t value = GL_REPEAT;
    if (!sinewi_gltf_get_integer(g, object, key, 0, INT32_MAX, &value)) return false;
    *wrap = value == GL_CLAMP_TO_EDGE     ? SINEW_WRAP_CLAMP
            : value == GL_MIRRORED_REPEAT ? SINEW_WRAP_MIRROR
                                          : SINEW_WRAP_REPEAT;
    return true;
}

static bool read_sampler(sinewi_import *g, sinewi_json_value object, sampler *s) {
    int64_t filter = 0;
    if (!sinewi_gltf_get_integer(g, object, "magFilter", 0, INT32_MAX, &filter)) return false;
    s->nearest = filter == GL_NEAREST;
    return read_wrap(g, object, "wrapS", &s->wrap_u) && read_wrap(g, object, "wrapT", &s->wrap_v);
}

const char *const sinewi_gltf_image_extensions[SINEWI_GLTF_IMAGE_EXTENSIONS] = {
    "EXT_texture_webp", "EXT_texture_avif", "KHR_texture_basisu", "MSFT_texture_dds"};

// Finds a texture's image from its source, or from an extension for a newer format.
bool sinewi_gltf_image_of_texture(sinewi_import *g, sinewi_json_value texture, const char **extension,
                                  int32_t *image) {
    int32_t count = g->image_values.count;
    if (extension) *extension = NULL;
    if (!sinewi_gltf_get_index(g, texture, "source", count, "images", image)) return false;
    for (size_t i = 0; *image < 0 && i < SINEWI_GLTF_IMAGE_EXTENSIONS; i++) {
        const char *name = sinewi_gltf_image_extensions[i];
        sinewi_json_value value = sinewi_gltf_get_extension(g, texture, name);
        if (!sinewi_gltf_get_index(g, value, "source", count, "images", image)) return false;
        if (extension && *image >= 0) *extension = name;
    }
    return true;
}

static bool read_texture(sinewi_import *g, int32_t texture_index, const sampler *samplers, int32_t sampler_count,
                         sinew_texture *texture) {
    int32_t index, image;
    const char *extension;
    sinewi_json_value value = g->texture_values.values[texture_index];
    if (!sinewi_gltf_image_of_texture(g, value, &extension, &image)) return false;
    if (!sinewi_gltf_get_index(g, value, "sampler", sampler_count, "samplers", &index)) return false;
    if (extension)
        sinewi_gltf_log(g, "textures[%d]: images[%d] uses a format from the extension %s", (int)texture_index,
                        (int)image, extension);
    texture->image = sinewi_gltf_loaded_index(&g->image_values, image);
    if (index < 0) return true;
    texture->wrap_u = samplers[index].wrap_u;
    texture->wrap_v = samplers[index].wrap_v;
    texture->nearest = samplers[index].nearest;
    return true;
}

bool sinewi_gltf_read_textures(sinewi_import *g) {
    const sinewi_gltf_values *values = &g->texture_values;
    sinewi_gltf_list samplers;
    if (!sinewi_gltf_get_list(g, 0, "samplers", SINEWI_JSON_OBJECT, &samplers)) return false;
    sampler *read = sinewi_gltf_zeros(g, &g->scratch, sampler, (size_t)samplers.count);
    sinew_texture *out = sinewi_gltf_zeros(g, g->arena, sinew_texture, (size_t)values->loaded_count);
    if (!read || !out) return false;
    for (int32_t i = 0; i < samplers.count; i++)
        if (!read_sampler(g, samplers.values[i], &read[i])) return false;
    for (int32_t i = 0; i < values->count; i++) {
        int32_t index = sinewi_gltf_loaded_index(values, i);
        if (index >= 0 && !read_texture(g, i, read, samplers.count, &out[index])) return false;
    }
    g->asset->textures = out;
    g->asset->texture_count = values->loaded_count;
    return true;
}

// ---- Materials -----------------------------------------------------------------------------------------------------

// Reads KHR_texture_transform. It can select another set of texture coordinates.
static bool read_texture_transform(sinewi_import *g, sinewi_json_value info, sinewi_gltf_uv_transform *t,
                                   int64_t *uv_set) {
    sinewi_json_value extension = sinewi_gltf_get_extension(g, info, "KHR_texture_transform");
    t->present = extension != SINEWI_JSON_ABSENT;
    t->scale[0] = t->scale[1] = 1.0f;
    return sinewi_gltf_get_floats(g, extension, "offset", 2, t->offset) &&
           sinewi_gltf_get_float(g, extension, "rotation", &t->rotation) &&
           sinewi_gltf_get_floats(g, extension, "scale", 2, t->scale) &&
           sinewi_gltf_get_integer(g, extension, "texCoord", 0, 255, uv_set);
}

// A material's members with its base color.
typedef struct base_color {
    sinewi_json_value model;   // the object that has the factor
    const char *factor;        // the factor's key
    sinewi_json_value texture; // may be ABSENT
} base_color;

// Finds the base color in the metallic-roughness model, or else in the older extension.
static bool find_base_color(sinewi_import *g, sinewi_json_value value, base_color *b) {
    if (!sinewi_gltf_get_object(g, value, "pbrMetallicRoughness", &b->model)) return false;
    sinewi_json_value old = sinewi_gltf_get_extension(g, value, "KHR_materials_pbrSpecularGlossiness");
    bool is_old = b->model == SINEWI_JSON_ABSENT && old != SINEWI_JSON_ABSENT;
    if (is_old) b->model = old;
    b->factor = is_old ? "diffuseFactor" : "baseColorFactor";
    return sinewi_gltf_get_object(g, b->model, is_old ? "diffuseTexture" : "baseColorTexture", &b->texture);
}

static bool read_texture_index(sinewi_import *g, sinewi_json_value info, int32_t *texture) {
    return sinewi_gltf_get_required_index(g, info, "index", g->texture_values.count, "textures", texture);
}

// Finds the texture for a material's base color, or -1. Selecting a subset needs it before materials are read.
bool sinewi_gltf_base_color_texture(sinewi_import *g, sinewi_json_value material, int32_t *texture) {
    base_color b;
    *texture = -1;
    if (!find_base_color(g, material, &b)) return false;
    return b.texture == SINEWI_JSON_ABSENT || read_texture_index(g, b.texture, texture);
}

static bool read_base_color(sinewi_import *g, sinewi_json_value value, sinew_material *m,
                            sinewi_gltf_uv_transform *t) {
    base_color b;
    int32_t texture;
    int64_t uv_set = 0;
    if (!find_base_color(g, value, &b) || !sinewi_gltf_get_floats(g, b.model, b.factor, 4, m->base_color))
        return false;
    if (b.texture == SINEWI_JSON_ABSENT) return true;
    bool read = read_texture_index(g, b.texture, &texture) &&
                sinewi_gltf_get_integer(g, b.texture, "texCoord", 0, 255, &uv_set) &&
                read_texture_transform(g, b.texture, t, &uv_set);
    if (!read) return false;
    m->base_color_texture = sinewi_gltf_loaded_index(&g->texture_values, texture);
    m->base_color_uv = (int32_t)uv_set;
    return true;
}

// Replaces an invalid material, because primitives refer to materials by index.
static sinew_material make_material(void) {
    return (sinew_material){
        .name = "", .base_color = {1.0f, 1.0f, 1.0f, 1.0f}, .base_color_texture = -1, .alpha_cutoff = 0.5f};
}

static bool read_material(sinewi_import *g, sinewi_json_value value, sinew_material *m,
                          sinewi_gltf_uv_transform *t) {
    static const char *const modes[] = {"OPAQUE", "MASK", "BLEND", NULL};
    *m = make_material();
    int mode = SINEW_ALPHA_OPAQUE;
    bool read = sinewi_gltf_get_string(g, value, "name", g->arena, &m->name) && read_base_color(g, value, m, t) &&
                sinewi_gltf_get_word(g, value, "alphaMode", modes, &mode) &&
                sinewi_gltf_get_float(g, value, "alphaCutoff", &m->alpha_cutoff) &&
                sinewi_gltf_get_bool(g, value, "doubleSided", &m->double_sided);
    if (!read) return false;
    m->alpha_mode = mode < 0 ? SINEW_ALPHA_OPAQUE : (sinew_alpha_mode)mode;
    m->unlit = sinewi_gltf_get_extension(g, value, "KHR_materials_unlit") != SINEWI_JSON_ABSENT;
    return true;
}

bool sinewi_gltf_read_materials(sinewi_import *g) {
    const sinewi_gltf_values *values = &g->material_values;
    size_t count = (size_t)values->loaded_count;
    sinew_material *materials = sinewi_gltf_zeros(g, g->arena, sinew_material, count);
    g->uv_transforms = sinewi_gltf_zeros(g, &g->scratch, sinewi_gltf_uv_transform, count);
    if (!materials || !g->uv_transforms) return false;
    for (int32_t i = 0; i < values->count; i++) {
        int32_t index = sinewi_gltf_loaded_index(values, i);
        if (index < 0) continue;
        if (read_material(g, values->values[i], &materials[index], &g->uv_transforms[index])) continue;
        if (!sinewi_gltf_leave_out(g, "materials[%d]", (int)i)) return false;
        materials[index] = make_material();
        g->uv_transforms[index] = (sinewi_gltf_uv_transform){.present = false};
    }
    g->asset->materials = materials;
    g->asset->material_count = values->loaded_count;
    return true;
}
