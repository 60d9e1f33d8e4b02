// SPDX-License-Identifier: MIT
// Writes the content of an asset as JSON. JavaScript reads it once, and makes its array views from it. Arrays are
// addresses, 0 for none; their lengths follow from the counts (sinew/asset.h).
#include "web.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Text ----------------------------------------------------------------------------------------------------

// A growing text. After a failed allocation it takes no more.
typedef struct text {
    char *bytes;
    size_t length, capacity;
    bool failed;
} text;

static bool grow(text *to, size_t more) {
    if (to->failed) return false;
    if (more < to->capacity - to->length) return true;
    size_t capacity = 2 * (to->capacity + more);
    char *bytes = realloc(to->bytes, capacity);
    if (!bytes) {
        to->failed = true;
        return false;
    }
    to->bytes = bytes;
    to->capacity = capacity;
    return true;
}

// Appends less than 256 bytes: it is not for strings of the file.
__attribute__((format(printf, 2, 3))) static void add(text *to, const char *format, ...) {
    if (!grow(to, 256)) return;
    va_list arguments;
    va_start(arguments, format);
    to->length += (size_t)vsnprintf(to->bytes + to->length, 256, format, arguments);
    va_end(arguments);
}

static void add_string(text *to, const char *string) {
    if (!grow(to, 6 * strlen(string) + 3)) return; // at most \u001f for each byte
    char *end = to->bytes + to->length;
    *end++ = '"';
    for (; *string; string++) {
        unsigned char c = (unsigned char)*string;
        if (c < 0x20) {
            end += snprintf(end, 7, "\\u%04x", c);
            continue;
        }
        if (c == '"' || c == '\\') *end++ = '\\';
        *end++ = (char)c;
    }
    *end++ = '"';
    to->length = (size_t)(end - to->bytes);
}

static void add_address(text *to, const char *name, const void *address) {
    add(to, ",\"%s\":%zu", name, (size_t)(uintptr_t)address);
}

static const char *comma(int32_t index) {
    return index > 0 ? "," : "";
}

static const char *truth(bool value) {
    return value ? "true" : "false";
}

// ---- Skeleton, clips, skins ----------------------------------------------------------------------------------

static void add_nodes(text *to, const sinew_skeleton *skeleton) {
    add(to, "\"nodes\":[");
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        add(to, "%s{\"name\":", comma(i));
        add_string(to, skeleton->names[i]);
        add(to, ",\"parent\":%d,\"source\":%d,\"firstWeight\":%d,\"weightCount\":%d}", skeleton->parents[i],
            skeleton->source_of_node[i], skeleton->weight_offsets[i],
            skeleton->weight_offsets[i + 1] - skeleton->weight_offsets[i]);
    }
    add(to, "]");
}

static void add_clips(text *to, const sinew_asset *asset) {
    add(to, ",\"clips\":[");
    for (int32_t i = 0; i < asset->clip_count; i++) {
        const sinew_clip *clip = &asset->clips[i];
        add(to, "%s{\"name\":", comma(i));
        add_string(to, clip->name);
        add_address(to, "address", clip);
        add(to, ",\"duration\":%.9g,\"markers\":[", (double)clip->duration);
        for (int32_t m = 0; m < clip->marker_count; m++) {
            add(to, "%s{\"name\":", comma(m));
            add_string(to, clip->markers[m].name);
            add(to, ",\"time\":%.9g}", (double)clip->markers[m].time);
        }
        add(to, "],\"channels\":[");
        for (int32_t c = 0; c < clip->channel_count; c++) {
            add(to, "%s%d,%d", comma(c), clip->channels[c].node, (int)clip->channels[c].target);
        }
        add(to, "]}");
    }
    add(to, "]");
}

static void add_skins(text *to, const sinew_asset *asset) {
    add(to, ",\"skins\":[");
    for (int32_t i = 0; i < asset->skin_count; i++) {
        const sinew_skin *skin = &asset->skins[i];
        add(to, "%s{\"name\":", comma(i));
        add_string(to, skin->name);
        add(to, ",\"jointCount\":%d", skin->joint_count);
        add_address(to, "joints", skin->joints);
        add_address(to, "inverseBinds", skin->inverse_binds);
        add(to, "}");
    }
    add(to, "]");
}

// ---- Meshes --------------------------------------------------------------------------------------------------

static void add_targets(text *to, const char *name, const float *const *targets, int32_t count) {
    add(to, ",\"%s\":[", name);
    for (int32_t i = 0; i < count; i++)
        add(to, "%s%zu", comma(i), targets ? (size_t)(uintptr_t)targets[i] : (size_t)0);
    add(to, "]");
}

static void add_primitive(text *to, const sinew_primitive *primitive) {
    add(to, "{\"vertexCount\":%d,\"indexCount\":%d,\"influences\":%d,\"material\":%d", primitive->vertex_count,
        primitive->index_count, primitive->influences, primitive->material);
    add_address(to, "positions", primitive->positions);
    add_address(to, "normals", primitive->normals);
    add_address(to, "tangents", primitive->tangents);
    add_address(to, "uvs", primitive->uvs);
    add_address(to, "colors", primitive->colors);
    add_address(to, "joints", primitive->joints);
    add_address(to, "weights", primitive->weights);
    add_address(to, "indices", primitive->indices);
    add_targets(to, "targetPositions", primitive->target_positions, primitive->target_count);
    add_targets(to, "targetNormals", primitive->target_normals, primitive->target_count);
    add_targets(to, "targetTangents", primitive->target_tangents, primitive->target_count);
    add(to, "}");
}

static void add_meshes(text *to, const sinew_asset *asset) {
    add(to, ",\"meshes\":[");
    for (int32_t i = 0; i < asset->mesh_count; i++) {
        const sinew_mesh *mesh = &asset->meshes[i];
        add(to, "%s{\"name\":", comma(i));
        add_string(to, mesh->name);
        add(to, ",\"targetCount\":%d,\"primitives\":[", mesh->target_count);
        for (int32_t p = 0; p < mesh->primitive_count; p++) {
            add(to, "%s", comma(p));
            add_primitive(to, &mesh->primitives[p]);
        }
        add(to, "]}");
    }
    add(to, "],\"instances\":[");
    for (int32_t i = 0; i < asset->instance_count; i++) {
        const sinew_mesh_instance *instance = &asset->instances[i];
        add(to, "%s{\"node\":%d,\"mesh\":%d,\"skin\":%d,\"drawn\":%s}", comma(i), instance->node, instance->mesh,
            instance->skin, truth(instance->in_scene && instance->visible));
    }
    add(to, "]");
}

// ---- Materials and textures -----------------------------------------------------------------------------------

static void add_materials(text *to, const sinew_asset *asset) {
    static const char *const modes[] = {"OPAQUE", "MASK", "BLEND"};
    add(to, ",\"materials\":[");
    for (int32_t i = 0; i < asset->material_count; i++) {
        const sinew_material *m = &asset->materials[i];
        add(to, "%s{\"name\":", comma(i));
        add_string(to, m->name);
        add(to, ",\"baseColor\":[%.9g,%.9g,%.9g,%.9g]", (double)m->base_color[0], (double)m->base_color[1],
            (double)m->base_color[2], (double)m->base_color[3]);
        add(to, ",\"baseColorTexture\":%d,\"alphaMode\":\"%s\",\"alphaCutoff\":%.9g", m->base_color_texture,
            modes[m->alpha_mode], (double)m->alpha_cutoff);
        add(to, ",\"doubleSided\":%s,\"unlit\":%s}", truth(m->double_sided), truth(m->unlit));
    }
    add(to, "]");
}

static void add_textures(text *to, const sinew_asset *asset) {
    static const char *const wraps[] = {"repeat", "clamp", "mirror"};
    add(to, ",\"textures\":[");
    for (int32_t i = 0; i < asset->texture_count; i++) {
        const sinew_texture *texture = &asset->textures[i];
        add(to, "%s{\"image\":%d,\"wrapU\":\"%s\",\"wrapV\":\"%s\",\"nearest\":%s}", comma(i), texture->image,
            wraps[texture->wrap_u], wraps[texture->wrap_v], truth(texture->nearest));
    }
    add(to, "],\"images\":[");
    for (int32_t i = 0; i < asset->image_count; i++) {
        const sinew_image *image = &asset->images[i];
        add(to, "%s{\"name\":", comma(i));
        add_string(to, image->name);
        add(to, ",\"mimeType\":");
        add_string(to, image->mime_type);
        add(to, ",\"size\":%zu", image->size);
        add_address(to, "bytes", image->bytes);
        add(to, "}");
    }
    add(to, "]");
}

char *web_asset_describe(const sinew_asset *asset) {
    text to = {NULL, 0, 0, false};
    add(&to, "{");
    add_nodes(&to, asset->skeleton);
    add_clips(&to, asset);
    add_skins(&to, asset);
    add_meshes(&to, asset);
    add_materials(&to, asset);
    add_textures(&to, asset);
    add(&to, ",\"memory\":%zu}", asset->memory);
    if (!to.failed) return to.bytes;
    free(to.bytes);
    return NULL;
}
