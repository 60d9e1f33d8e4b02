// SPDX-License-Identifier: MIT
// Writes an asset's content as JSON. JavaScript reads it once and makes its array views from it. Arrays are addresses
// (0: no array). Their lengths follow from the counts (sinew/asset.h).
#include "text.h"
#include "web.h"

static void add_address(web_text *to, const char *name, const void *address) {
    web_text_add(to, ",\"%s\":%zu", name, (size_t)(uintptr_t)address);
}

// ---- Skeleton, clips, skins ----------------------------------------------------------------------------------

static void add_nodes(web_text *to, const sinew_skeleton *skeleton) {
    web_text_add(to, "\"nodes\":[");
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        web_text_add(to, "%s{\"name\":", web_comma(i));
        web_text_add_string(to, skeleton->names[i]);
        web_text_add(to, ",\"parent\":%d,\"source\":%d,\"firstWeight\":%d,\"weightCount\":%d}",
                     skeleton->parents[i], skeleton->source_of_node[i], skeleton->weight_offsets[i],
                     skeleton->weight_offsets[i + 1] - skeleton->weight_offsets[i]);
    }
    web_text_add(to, "]");
}

static void add_curves(web_text *to, const sinew_skeleton *skeleton) {
    web_text_add(to, ",\"curves\":[");
    for (int32_t i = 0; i < skeleton->curve_count; i++) {
        web_text_add(to, "%s{\"name\":", web_comma(i));
        web_text_add_string(to, skeleton->curve_names[i]);
        web_text_add(to, ",\"rest\":%.9g}", (double)skeleton->rest_curves[i]);
    }
    web_text_add(to, "]");
}

// Writes channels as pairs of a node and a target. Leaves out curve channels, which come last.
static void add_clip(web_text *to, const sinew_clip *clip) {
    web_text_add(to, "{\"name\":");
    web_text_add_string(to, clip->name);
    add_address(to, "address", clip);
    web_text_add(to, ",\"duration\":%.9g,\"markers\":[", (double)clip->duration);
    for (int32_t i = 0; i < clip->marker_count; i++) {
        web_text_add(to, "%s{\"name\":", web_comma(i));
        web_text_add_string(to, clip->markers[i].name);
        web_text_add(to, ",\"time\":%.9g}", (double)clip->markers[i].time);
    }
    web_text_add(to, "],\"channels\":[");
    for (int32_t i = 0; i < clip->channel_count && clip->channels[i].target != SINEW_TARGET_CURVE; i++)
        web_text_add(to, "%s%d,%d", web_comma(i), clip->channels[i].node, (int)clip->channels[i].target);
    web_text_add(to, "]}");
}

static void add_clips(web_text *to, const sinew_asset *asset) {
    web_text_add(to, ",\"clips\":[");
    for (int32_t i = 0; i < asset->clip_count; i++) {
        web_text_add(to, "%s", web_comma(i));
        add_clip(to, &asset->clips[i]);
    }
    web_text_add(to, "]");
}

static void add_skins(web_text *to, const sinew_asset *asset) {
    web_text_add(to, ",\"skins\":[");
    for (int32_t i = 0; i < asset->skin_count; i++) {
        const sinew_skin *skin = &asset->skins[i];
        web_text_add(to, "%s{\"name\":", web_comma(i));
        web_text_add_string(to, skin->name);
        web_text_add(to, ",\"jointCount\":%d", skin->joint_count);
        add_address(to, "joints", skin->joints);
        add_address(to, "inverseBinds", skin->inverse_binds);
        web_text_add(to, "}");
    }
    web_text_add(to, "]");
}

// ---- Meshes --------------------------------------------------------------------------------------------------

static void add_targets(web_text *to, const char *name, const float *const *targets, int32_t count) {
    web_text_add(to, ",\"%s\":[", name);
    for (int32_t i = 0; i < count; i++)
        web_text_add(to, "%s%zu", web_comma(i), targets ? (size_t)(uintptr_t)targets[i] : (size_t)0);
    web_text_add(to, "]");
}

static void add_primitive(web_text *to, const sinew_primitive *primitive) {
    web_text_add(to, "{\"vertexCount\":%d,\"indexCount\":%d,\"influences\":%d,\"material\":%d",
                 primitive->vertex_count, primitive->index_count, primitive->influences, primitive->material);
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
    web_text_add(to, "}");
}

static void add_meshes(web_text *to, const sinew_asset *asset) {
    web_text_add(to, ",\"meshes\":[");
    for (int32_t i = 0; i < asset->mesh_count; i++) {
        const sinew_mesh *mesh = &asset->meshes[i];
        web_text_add(to, "%s{\"name\":", web_comma(i));
        web_text_add_string(to, mesh->name);
        web_text_add(to, ",\"targetCount\":%d,\"primitives\":[", mesh->target_count);
        for (int32_t p = 0; p < mesh->primitive_count; p++) {
            web_text_add(to, "%s", web_comma(p));
            add_primitive(to, &mesh->primitives[p]);
        }
        web_text_add(to, "]}");
    }
    web_text_add(to, "],\"meshNodes\":[");
    for (int32_t i = 0; i < asset->mesh_node_count; i++) {
        const sinew_mesh_node *mesh_node = &asset->mesh_nodes[i];
        web_text_add(to, "%s{\"node\":%d,\"mesh\":%d,\"skin\":%d,\"drawn\":%s}", web_comma(i), mesh_node->node,
                     mesh_node->mesh, mesh_node->skin, web_truth(mesh_node->in_scene && mesh_node->visible));
    }
    web_text_add(to, "]");
}

// ---- Materials and textures -----------------------------------------------------------------------------------

static void add_materials(web_text *to, const sinew_asset *asset) {
    static const char *const modes[] = {"OPAQUE", "MASK", "BLEND"};
    web_text_add(to, ",\"materials\":[");
    for (int32_t i = 0; i < asset->material_count; i++) {
        const sinew_material *m = &asset->materials[i];
        web_text_add(to, "%s{\"name\":", web_comma(i));
        web_text_add_string(to, m->name);
        web_text_add(to, ",\"baseColor\":[%.9g,%.9g,%.9g,%.9g]", (double)m->base_color[0], (double)m->base_color[1],
                     (double)m->base_color[2], (double)m->base_color[3]);
        web_text_add(to, ",\"baseColorTexture\":%d,\"alphaMode\":\"%s\",\"alphaCutoff\":%.9g",
                     m->base_color_texture, modes[m->alpha_mode], (double)m->alpha_cutoff);
        web_text_add(to, ",\"doubleSided\":%s,\"unlit\":%s}", web_truth(m->double_sided), web_truth(m->unlit));
    }
    web_text_add(to, "]");
}

static void add_textures(web_text *to, const sinew_asset *asset) {
    static const char *const wraps[] = {"repeat", "clamp", "mirror"};
    web_text_add(to, ",\"textures\":[");
    for (int32_t i = 0; i < asset->texture_count; i++) {
        const sinew_texture *texture = &asset->textures[i];
        web_text_add(to, "%s{\"image\":%d,\"wrapU\":\"%s\",\"wrapV\":\"%s\",\"nearest\":%s}", web_comma(i),
                     texture->image, wraps[texture->wrap_u], wraps[texture->wrap_v], web_truth(texture->nearest));
    }
    web_text_add(to, "],\"images\":[");
    for (int32_t i = 0; i < asset->image_count; i++) {
        const sinew_image *image = &asset->images[i];
        web_text_add(to, "%s{\"name\":", web_comma(i));
        web_text_add_string(to, image->name);
        web_text_add(to, ",\"mimeType\":");
        web_text_add_string(to, image->mime_type);
        web_text_add(to, ",\"size\":%zu", image->size);
        add_address(to, "bytes", image->bytes);
        web_text_add(to, "}");
    }
    web_text_add(to, "]");
}

const sinew_skeleton *web_asset_skeleton(const sinew_asset *asset) {
    return asset->skeleton;
}

char *web_clip_describe(const sinew_clip *clip) {
    web_text to = {0};
    add_clip(&to, clip);
    return web_text_end(&to);
}

char *web_asset_describe(const sinew_asset *asset) {
    web_text to = {0};
    web_text_add(&to, "{");
    add_nodes(&to, asset->skeleton);
    add_curves(&to, asset->skeleton);
    add_clips(&to, asset);
    add_skins(&to, asset);
    add_meshes(&to, asset);
    add_materials(&to, asset);
    add_textures(&to, asset);
    web_text_add(&to, ",\"memory\":%zu}", asset->memory);
    return web_text_end(&to);
}
