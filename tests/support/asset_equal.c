// SPDX-License-Identifier: MIT
// Compares two assets field by field.
#include "support/asset_equal.h"

#include <stdlib.h>
#include <string.h>

// The name of the first field that differs is returned. Floats are compared as bits.
#define SAME(field)                                                                                                \
    do {                                                                                                           \
        if (memcmp(&a->field, &b->field, sizeof a->field) != 0) return #field;                                     \
    } while (0)
#define SAME_TEXT(field)                                                                                           \
    do {                                                                                                           \
        if (strcmp(a->field, b->field) != 0) return #field;                                                        \
    } while (0)
#define SAME_ARRAY(field, count)                                                                                   \
    do {                                                                                                           \
        if (!is_same_array(a->field, b->field, (size_t)(count), sizeof *a->field)) return #field;                  \
    } while (0)
#define SAME_EACH(field, count, compare)                                                                           \
    for (int32_t i = 0; i < (count); i++) {                                                                        \
        const char *difference = compare(&a->field[i], &b->field[i]);                                              \
        if (difference) return difference;                                                                         \
    }

// NULL is equal to NULL only, unless the array has no elements.
static bool is_same_array(const void *a, const void *b, size_t count, size_t size) {
    if (count == 0) return true;
    if (!a != !b) return false;
    return !a || memcmp(a, b, count * size) == 0;
}

static const char *compare_skeletons(const sinew_skeleton *a, const sinew_skeleton *b) {
    SAME(node_count);
    SAME(source_count);
    SAME(weight_count);
    SAME(shear_count);
    size_t nodes = (size_t)a->node_count;
    SAME_ARRAY(parents, nodes);
    SAME_ARRAY(subtree_ends, nodes);
    SAME_ARRAY(rest, nodes);
    SAME_ARRAY(source_of_node, nodes);
    SAME_ARRAY(node_of_source, a->source_count);
    SAME_ARRAY(weight_offsets, nodes + 1);
    SAME_ARRAY(rest_weights, a->weight_count);
    SAME(curve_count);
    SAME_ARRAY(rest_curves, a->curve_count);
    for (int32_t i = 0; i < a->curve_count; i++) SAME_TEXT(curve_names[i]);
    SAME_ARRAY(shear_nodes, a->shear_count);
    SAME_ARRAY(shears, a->shear_count);
    for (size_t i = 0; i < nodes; i++) SAME_TEXT(names[i]);
    return NULL;
}

// ---- Clips -------------------------------------------------------------------------------------------------------

static const char *compare_keys(const sinew_clip *a, const sinew_clip *b, int32_t channel) {
    int32_t count = sinew_clip_channel_keys(a, channel, NULL, NULL), width = sinew_clip_key_width(a, channel);
    if (count != sinew_clip_channel_keys(b, channel, NULL, NULL)) return "key count";
    if (width != sinew_clip_key_width(b, channel)) return "key width";
    size_t floats = (size_t)count * (size_t)(width + 1);
    float *first = malloc(floats * sizeof(float)), *second = malloc(floats * sizeof(float));
    if (!first || !second) abort();
    sinew_clip_channel_keys(a, channel, first, first + count);
    sinew_clip_channel_keys(b, channel, second, second + count);
    bool same = memcmp(first, second, floats * sizeof(float)) == 0;
    free(first);
    free(second);
    return same ? NULL : "keys";
}

static const char *compare_timelines(const sinew_timeline *a, const sinew_timeline *b) {
    SAME(key_count);
    SAME(stride);
    SAME(uniform);
    for (int32_t k = 0; k < a->key_count; k++)
        if (sinew_timeline_time(a, k) != sinew_timeline_time(b, k)) return "timeline times";
    return NULL;
}

static const char *compare_markers(const sinew_marker *a, const sinew_marker *b) {
    SAME(time);
    SAME_TEXT(name);
    return NULL;
}

static const char *compare_clips(const sinew_clip *a, const sinew_clip *b) {
    SAME_TEXT(name);
    SAME(duration);
    SAME(channel_count);
    SAME(timeline_count);
    SAME(marker_count);
    SAME(key_format);
    SAME(additive);
    SAME(max_error);
    SAME_ARRAY(channels, a->channel_count);
    SAME_EACH(timelines, a->timeline_count, compare_timelines)
    SAME_EACH(markers, a->marker_count, compare_markers)
    for (int32_t i = 0; i < a->channel_count; i++) {
        const char *difference = compare_keys(a, b, i);
        if (difference) return difference;
    }
    return NULL;
}

// ---- Meshes ------------------------------------------------------------------------------------------------------

static const char *compare_primitives(const sinew_primitive *a, const sinew_primitive *b) {
    SAME(vertex_count);
    SAME(influences);
    SAME(index_count);
    SAME(material);
    SAME(target_count);
    size_t count = (size_t)a->vertex_count;
    SAME_ARRAY(positions, 3 * count);
    SAME_ARRAY(normals, 3 * count);
    SAME_ARRAY(tangents, 4 * count);
    SAME_ARRAY(uvs, 2 * count);
    SAME_ARRAY(colors, 4 * count);
    SAME_ARRAY(joints, count * (size_t)a->influences);
    SAME_ARRAY(weights, count * (size_t)a->influences);
    SAME_ARRAY(indices, a->index_count);
    for (int32_t t = 0; t < a->target_count; t++) {
        SAME_ARRAY(target_positions[t], 3 * count);
        SAME_ARRAY(target_normals[t], 3 * count);
        SAME_ARRAY(target_tangents[t], 3 * count);
    }
    return NULL;
}

static const char *compare_meshes(const sinew_mesh *a, const sinew_mesh *b) {
    SAME_TEXT(name);
    SAME(primitive_count);
    SAME(target_count);
    SAME_EACH(primitives, a->primitive_count, compare_primitives)
    return NULL;
}

static const char *compare_skins(const sinew_skin *a, const sinew_skin *b) {
    SAME_TEXT(name);
    SAME(joint_count);
    SAME_ARRAY(joints, a->joint_count);
    SAME_ARRAY(inverse_binds, a->joint_count);
    return NULL;
}

static const char *compare_mesh_nodes(const sinew_mesh_node *a, const sinew_mesh_node *b) {
    SAME(node);
    SAME(mesh);
    SAME(skin);
    SAME(in_scene);
    SAME(visible);
    return NULL;
}

static const char *compare_bounds(const sinew_bounds *a, const sinew_bounds *b) {
    SAME(box_count);
    SAME_ARRAY(nodes, a->box_count);
    SAME_ARRAY(boxes, a->box_count);
    return NULL;
}

// ---- Surfaces, cameras and lights --------------------------------------------------------------------------------

static const char *compare_materials(const sinew_material *a, const sinew_material *b) {
    SAME_TEXT(name);
    SAME(base_color);
    SAME(base_color_texture);
    SAME(base_color_uv);
    SAME(alpha_mode);
    SAME(alpha_cutoff);
    SAME(double_sided);
    SAME(unlit);
    return NULL;
}

static const char *compare_textures(const sinew_texture *a, const sinew_texture *b) {
    SAME(image);
    SAME(wrap_u);
    SAME(wrap_v);
    SAME(nearest);
    return NULL;
}

static const char *compare_images(const sinew_image *a, const sinew_image *b) {
    SAME_TEXT(name);
    SAME_TEXT(mime_type);
    SAME(size);
    SAME_ARRAY(bytes, a->size);
    return NULL;
}

static const char *compare_cameras(const sinew_camera *a, const sinew_camera *b) {
    SAME_TEXT(name);
    SAME(orthographic);
    SAME(yfov);
    SAME(aspect);
    SAME(xmag);
    SAME(ymag);
    SAME(znear);
    SAME(zfar);
    return NULL;
}

static const char *compare_camera_nodes(const sinew_camera_node *a, const sinew_camera_node *b) {
    SAME(node);
    SAME(camera);
    SAME(in_scene);
    return NULL;
}

static const char *compare_lights(const sinew_light *a, const sinew_light *b) {
    SAME_TEXT(name);
    SAME(kind);
    SAME(color);
    SAME(intensity);
    SAME(range);
    SAME(inner_cone);
    SAME(outer_cone);
    return NULL;
}

static const char *compare_properties(const sinew_animated_property *a, const sinew_animated_property *b) {
    SAME_TEXT(pointer);
    SAME_TEXT(name);
    SAME(target);
    SAME(index);
    SAME(first_curve);
    SAME(component_count);
    SAME(is_bool);
    return NULL;
}

static const char *compare_light_nodes(const sinew_light_node *a, const sinew_light_node *b) {
    SAME(node);
    SAME(light);
    SAME(in_scene);
    SAME(visible);
    return NULL;
}

// ---- VRM data ----------------------------------------------------------------------------------------------------

static const char *compare_expressions(const sinew_vrm_expression *a, const sinew_vrm_expression *b) {
    SAME_TEXT(name);
    SAME(preset);
    SAME(binary);
    SAME(override_mouth);
    SAME(override_blink);
    SAME(override_look_at);
    SAME(morph_count);
    SAME(color_count);
    SAME(texture_count);
    SAME_ARRAY(morphs, a->morph_count);
    SAME_ARRAY(colors, a->color_count);
    SAME_ARRAY(textures, a->texture_count);
    return NULL;
}

static const char *compare_colliders(const sinew_vrm_collider *a, const sinew_vrm_collider *b) {
    SAME(node);
    SAME(shape);
    SAME(inside);
    SAME(offset);
    SAME(tail);
    SAME(normal);
    SAME(radius);
    return NULL;
}

static const char *compare_groups(const sinew_vrm_collider_group *a, const sinew_vrm_collider_group *b) {
    SAME_TEXT(name);
    SAME(collider_count);
    SAME_ARRAY(colliders, a->collider_count);
    return NULL;
}

static const char *compare_springs(const sinew_vrm_spring *a, const sinew_vrm_spring *b) {
    SAME_TEXT(name);
    SAME(subtrees);
    SAME(center);
    SAME(joint_count);
    SAME(group_count);
    SAME_ARRAY(joints, a->joint_count);
    SAME_ARRAY(groups, a->group_count);
    return NULL;
}

static const char *compare_tracks(const sinew_vrm_track *a, const sinew_vrm_track *b) {
    SAME_TEXT(name);
    SAME(preset);
    SAME(node);
    return NULL;
}

static const char *compare_metas(const sinew_vrm_meta *a, const sinew_vrm_meta *b) {
    SAME_TEXT(name);
    SAME_TEXT(version);
    SAME(author_count);
    for (int32_t i = 0; i < a->author_count; i++) SAME_TEXT(authors[i]);
    SAME_TEXT(copyright);
    SAME_TEXT(contact);
    SAME_TEXT(license);
    SAME_TEXT(other_license);
    return NULL;
}

static const char *compare_vrm(const sinew_vrm *a, const sinew_vrm *b, int32_t mesh_node_count) {
    SAME(version);
    SAME(up);
    SAME(constraint_count);
    SAME(expression_count);
    SAME(expression_of_preset);
    SAME(look_at);
    SAME(collider_count);
    SAME(collider_group_count);
    SAME(spring_count);
    SAME(animation.track_count);
    SAME(animation.gaze_node);
    SAME(animation.offset);
    SAME_ARRAY(constraints, a->constraint_count);
    SAME_ARRAY(first_person, mesh_node_count);
    SAME_EACH(expressions, a->expression_count, compare_expressions)
    SAME_EACH(colliders, a->collider_count, compare_colliders)
    SAME_EACH(collider_groups, a->collider_group_count, compare_groups)
    SAME_EACH(springs, a->spring_count, compare_springs)
    SAME_EACH(animation.tracks, a->animation.track_count, compare_tracks)
    return compare_metas(&a->meta, &b->meta);
}

// ---- All of it ---------------------------------------------------------------------------------------------------

static const char *compare_counts(const sinew_asset *a, const sinew_asset *b) {
    SAME(up);
    SAME(clip_count);
    SAME(skin_count);
    SAME(mesh_count);
    SAME(mesh_node_count);
    SAME(material_count);
    SAME(texture_count);
    SAME(image_count);
    SAME(camera_count);
    SAME(camera_node_count);
    SAME(light_count);
    SAME(light_node_count);
    SAME(animated_property_count);
    if (!a->humanoid != !b->humanoid) return "humanoid";
    if (!a->vrm != !b->vrm) return "vrm";
    return compare_skeletons(a->skeleton, b->skeleton);
}

const char *asset_difference(const sinew_asset *a, const sinew_asset *b) {
    const char *counts = compare_counts(a, b);
    if (counts) return counts;
    SAME_EACH(clips, a->clip_count, compare_clips)
    SAME_EACH(skins, a->skin_count, compare_skins)
    SAME_EACH(meshes, a->mesh_count, compare_meshes)
    SAME_EACH(mesh_nodes, a->mesh_node_count, compare_mesh_nodes)
    SAME_EACH(materials, a->material_count, compare_materials)
    SAME_EACH(textures, a->texture_count, compare_textures)
    SAME_EACH(images, a->image_count, compare_images)
    SAME_EACH(cameras, a->camera_count, compare_cameras)
    SAME_EACH(camera_nodes, a->camera_node_count, compare_camera_nodes)
    SAME_EACH(lights, a->light_count, compare_lights)
    SAME_EACH(light_nodes, a->light_node_count, compare_light_nodes)
    SAME_EACH(animated_properties, a->animated_property_count, compare_properties)
    if (a->humanoid) SAME_ARRAY(humanoid, 1);
    const char *vrm = a->vrm ? compare_vrm(a->vrm, b->vrm, a->mesh_node_count) : NULL;
    return vrm ? vrm : compare_bounds(a->bounds, b->bounds);
}

// ---- Motion ------------------------------------------------------------------------------------------------------

typedef struct motion {
    const sinew_asset *asset;
    sinew_pose *pose;
    sinew_affine *model;
    uint64_t hash;
} motion;

static void add(motion *m, const void *bytes, size_t size) {
    const uint8_t *at = bytes;
    for (size_t i = 0; i < size; i++) m->hash = (m->hash ^ at[i]) * UINT64_C(1099511628211);
}

static void add_pose(motion *m) {
    const sinew_skeleton *skeleton = m->asset->skeleton;
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        sinew_transform t = sinew_pose_get(m->pose, i);
        add(m, &t, sizeof t);
    }
    add(m, m->pose->weights, (size_t)skeleton->weight_count * sizeof(float));
}

// Skins the vertices of every primitive, at most the first 2000.
static void add_vertices(motion *m, const float *weights) {
    enum { MOST = 2000 };
    static float morphed[3 * MOST], out[3 * MOST];
    for (int32_t i = 0; i < m->asset->mesh_node_count; i++) {
        const sinew_mesh_node *mesh_node = &m->asset->mesh_nodes[i];
        if (mesh_node->skin < 0) continue;
        const sinew_skin *skin = &m->asset->skins[mesh_node->skin];
        sinew_affine *palette = calloc((size_t)skin->joint_count + 1, sizeof *palette);
        if (!palette) abort();
        sinew_skin_palette(skin, m->model, palette);
        const sinew_mesh *mesh = &m->asset->meshes[mesh_node->mesh];
        for (int32_t k = 0; k < mesh->primitive_count; k++) {
            const sinew_primitive *p = &mesh->primitives[k];
            int32_t count = p->vertex_count < MOST ? p->vertex_count : MOST;
            if (p->influences == 0 || count == 0) continue;
            sinew_morph(p->positions, p->target_positions,
                        weights + m->asset->skeleton->weight_offsets[mesh_node->node], p->target_count, 3 * count,
                        morphed);
            sinew_skin_job job = sinew_primitive_skin_job(p);
            job.positions = morphed;
            job.out_positions = out;
            sinew_skin_vertices(&job, palette, 0, count);
            add(m, out, 3 * (size_t)count * sizeof(float));
        }
        free(palette);
    }
}

static void add_samples(motion *m, const sinew_clip *clip) {
    enum { STEPS = 40 };
    for (int step = -1; step <= STEPS; step++) {
        sinew_clip_sample(clip, (float)step * clip->duration / (STEPS - 1), m->pose);
        add_pose(m);
    }
    sinew_pose_to_model(m->pose, m->model);
    add_vertices(m, m->pose->weights);
}

// Fades from clip to clip, and takes a snapshot on the way.
static void add_mixer(motion *m) {
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = m->asset->skeleton;
    sinew_mixer *mixer;
    if (sinew_mixer_create(&def, &mixer, NULL) != SINEW_OK) abort();
    const size_t nodes = (size_t)m->asset->skeleton->node_count;
    for (int32_t i = 0; i < m->asset->clip_count; i++) {
        sinew_mixer_crossfade_to(mixer, sinew_clip_source(&m->asset->clips[i]), 0.2f, NULL);
        for (int step = 0; step < 12; step++) {
            sinew_mixer_update(mixer, 1.0f / 30.0f);
            add(m, sinew_mixer_model_matrices(mixer), nodes * sizeof(sinew_affine));
            add(m, sinew_mixer_morph_weights(mixer), (size_t)m->asset->skeleton->weight_count * sizeof(float));
        }
    }
    sinew_mixer_destroy(mixer);
}

// The ground speed of each clip and its planted feet, if the shape of the rest pose shows feet.
static void add_speeds(motion *m) {
    sinew_feet feet;
    if (sinew_feet_find(m->asset->skeleton, m->asset->up, &feet, NULL) != SINEW_OK) return;
    for (int32_t i = 0; i < m->asset->clip_count; i++) {
        sinew_clip_speed speed;
        if (m->asset->clips[i].additive || !sinew_clip_measure_speed(&m->asset->clips[i], &feet, &speed)) continue;
        add(m, &speed.velocity, sizeof speed.velocity);
        add(m, &speed.planted, sizeof speed.planted);
    }
}

uint64_t asset_motion_hash(const sinew_asset *asset) {
    motion m = {.asset = asset, .hash = UINT64_C(14695981039346656037)};
    m.model = calloc((size_t)asset->skeleton->node_count + 1, sizeof *m.model);
    if (!m.model || sinew_pose_create(asset->skeleton, NULL, &m.pose) != SINEW_OK) abort();
    for (int32_t i = 0; i < asset->clip_count; i++) add_samples(&m, &asset->clips[i]);
    add_mixer(&m);
    add_speeds(&m);
    sinew_pose_destroy(m.pose);
    free(m.model);
    return m.hash;
}
