// SPDX-License-Identifier: MIT
// Uses a file as a program would.
#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier,cert-*): posix_memalign
#endif
#include "support/asset_use.h"
#include "support/avatar.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <malloc.h>
#endif

enum { MOST_VERTICES = 256 }; // of each end of a primitive
enum { MOST_JOINTS = 1024 };

// ---- What an asset promises ------------------------------------------------------------------------------------

static bool is_index(int32_t index, int32_t count) {
    return index >= -1 && index < count;
}

static const char *skeleton_fault(const sinew_skeleton *s) {
    for (int32_t i = 0; i < s->node_count; i++) {
        if (s->parents[i] < SINEW_NO_NODE || s->parents[i] >= i) return "a parent that is not before its child";
        if (s->subtree_ends[i] <= i || s->subtree_ends[i] > s->node_count) return "a subtree that ends nowhere";
        if (s->node_of_source[s->source_of_node[i]] != i) return "a node that is not where the map says";
        if (s->weight_offsets[i] > s->weight_offsets[i + 1]) return "morph weights out of order";
    }
    return s->weight_offsets[s->node_count] == s->weight_count ? NULL : "morph weights that nobody has";
}

static const char *clip_fault(const sinew_clip *clip) {
    if (!(clip->duration >= 0.0f) || !isfinite(clip->duration)) return "a clip without a duration";
    for (int32_t i = 0; i < clip->timeline_count; i++) {
        const sinew_timeline *line = &clip->timelines[i];
        for (int32_t k = 1; k < line->key_count; k++) {
            if (!(sinew_timeline_time(line, k) > sinew_timeline_time(line, k - 1)))
                return "key times that do not increase";
        }
        if (sinew_timeline_time(line, line->key_count - 1) > clip->duration) return "a key behind the clip's end";
    }
    for (int32_t i = 0; i < clip->channel_count; i++) {
        const sinew_channel *channel = &clip->channels[i];
        const bool is_curve = channel->target == SINEW_TARGET_CURVE;
        const int32_t count = is_curve ? clip->skeleton->curve_count : clip->skeleton->node_count;
        if (channel->node < 0 || channel->node >= count) return "a channel without a node or curve";
        if (!is_index(channel->timeline, clip->timeline_count)) return "a channel without its timeline";
    }
    return NULL;
}

static const char *primitive_fault(const sinew_primitive *p, const sinew_asset *asset) {
    if (!is_index(p->material, asset->material_count)) return "a primitive without its material";
    if (p->vertex_count > 0 && !p->positions) return "vertices without positions";
    if (p->index_count % 3 != 0) return "indices that make no triangles";
    for (int32_t i = 0; i < p->index_count; i++) {
        if (p->indices[i] >= (uint32_t)p->vertex_count) return "an index out of range";
    }
    for (int32_t v = 0; v < p->vertex_count && p->influences > 0; v++) {
        float sum = 0.0f;
        for (int32_t i = 0; i < p->influences; i++) sum += p->weights[(ptrdiff_t)v * p->influences + i];
        if (!(fabsf(sum - 1.0f) < 1e-5f)) return "weights that do not sum to 1";
    }
    return NULL;
}

static const char *instance_fault(const sinew_mesh_node *mesh_node, const sinew_asset *asset) {
    if (mesh_node->node < 0 || mesh_node->node >= asset->skeleton->node_count) return "an mesh_node without a node";
    if (mesh_node->mesh < 0 || mesh_node->mesh >= asset->mesh_count) return "an mesh_node without a mesh";
    if (!is_index(mesh_node->skin, asset->skin_count)) return "an mesh_node without its skin";
    if (mesh_node->skin < 0) return NULL;
    const sinew_mesh *mesh = &asset->meshes[mesh_node->mesh];
    for (int32_t k = 0; k < mesh->primitive_count; k++) {
        const sinew_primitive *p = &mesh->primitives[k];
        size_t count = (size_t)p->vertex_count * (size_t)p->influences;
        for (size_t i = 0; i < count; i++) {
            if (p->joints[i] >= asset->skins[mesh_node->skin].joint_count) return "a joint that the skin has not";
        }
    }
    return NULL;
}

static const char *bounds_fault(const sinew_asset *asset) {
    const sinew_bounds *bounds = asset->bounds;
    if (!bounds || bounds->skeleton != asset->skeleton) return "no bounds, or of another skeleton";
    for (int32_t i = 0; i < bounds->box_count; i++) {
        if (bounds->nodes[i] < 0 || bounds->nodes[i] >= asset->skeleton->node_count) return "a box without a node";
        if (sinew_box_is_empty(bounds->boxes[i])) return "a box that holds nothing";
    }
    return NULL;
}

// Whether a bind moves a morph weight of its node.
static bool is_morph(const sinew_vrm_morph_bind *bind, const sinew_skeleton *s) {
    return bind->node >= 0 && bind->node < s->node_count && bind->target >= 0 &&
           s->weight_offsets[bind->node] + bind->target < s->weight_offsets[bind->node + 1];
}

static const char *expression_fault(const sinew_vrm_expression *e, const sinew_asset *asset) {
    if (!e->name) return "an expression without a name";
    for (int32_t i = 0; i < e->morph_count; i++) {
        if (!is_morph(&e->morphs[i], asset->skeleton)) return "an expression of a morph target that there is not";
    }
    for (int32_t i = 0; i < e->color_count; i++) {
        if (e->colors[i].material < 0 || e->colors[i].material >= asset->material_count)
            return "a colour of nothing";
    }
    for (int32_t i = 0; i < e->texture_count; i++) {
        if (e->textures[i].material < 0 || e->textures[i].material >= asset->material_count)
            return "a texture of nothing";
    }
    return NULL;
}

static const char *spring_fault(const sinew_vrm *vrm, const sinew_vrm_spring *spring) {
    if (!is_index(spring->center, vrm->skeleton->node_count)) return "a spring without its centre";
    for (int32_t i = 0; i < spring->joint_count; i++) {
        if (spring->joints[i].node < 0 || spring->joints[i].node >= vrm->skeleton->node_count)
            return "a joint without a node";
    }
    for (int32_t i = 0; i < spring->group_count; i++) {
        if (spring->groups[i] < 0 || spring->groups[i] >= vrm->collider_group_count)
            return "a spring without a group";
    }
    return NULL;
}

static const char *collider_fault(const sinew_vrm *vrm) {
    for (int32_t i = 0; i < vrm->collider_count; i++) {
        if (vrm->colliders[i].node < 0 || vrm->colliders[i].node >= vrm->skeleton->node_count)
            return "a collider without a node";
    }
    for (int32_t i = 0; i < vrm->collider_group_count; i++) {
        const sinew_vrm_collider_group *group = &vrm->collider_groups[i];
        for (int32_t k = 0; k < group->collider_count; k++) {
            if (group->colliders[k] < 0 || group->colliders[k] >= vrm->collider_count)
                return "a collider of nothing";
        }
    }
    return NULL;
}

static const char *vrm_fault(const sinew_vrm *vrm, const sinew_asset *asset) {
    const char *fault = collider_fault(vrm);
    if (vrm->skeleton != asset->skeleton) return "VRM data of another skeleton";
    for (int32_t i = 0; i < vrm->constraint_count; i++) {
        const sinew_vrm_constraint *c = &vrm->constraints[i];
        if (c->node < 0 || c->node >= asset->skeleton->node_count || c->source < 0 ||
            c->source >= asset->skeleton->node_count || !(c->weight >= 0.0f && c->weight <= 1.0f))
            return "a constraint of nothing";
    }
    for (int32_t i = 0; i < vrm->expression_count && !fault; i++)
        fault = expression_fault(&vrm->expressions[i], asset);
    for (int32_t i = 0; i < vrm->spring_count && !fault; i++) fault = spring_fault(vrm, &vrm->springs[i]);
    for (int32_t i = 0; i < vrm->animation.track_count; i++) {
        if (vrm->animation.tracks[i].node < 0 || vrm->animation.tracks[i].node >= asset->skeleton->node_count)
            return "a track without a node";
    }
    return is_index(vrm->animation.gaze_node, asset->skeleton->node_count) ? fault : "a gaze without its node";
}

static const char *surface_fault(const sinew_asset *asset) {
    for (int32_t i = 0; i < asset->material_count; i++) {
        if (!is_index(asset->materials[i].base_color_texture, asset->texture_count))
            return "a texture out of range";
    }
    for (int32_t i = 0; i < asset->texture_count; i++) {
        if (!is_index(asset->textures[i].image, asset->image_count)) return "an image out of range";
    }
    return NULL;
}

// Guesses the roles of a humanoid, and reads back what is written of them.
static const char *guess_fault(const sinew_asset *asset) {
    enum { MOST_TEXT = 8192 };
    static char text[MOST_TEXT];
    const sinew_skeleton *skeleton = asset->skeleton;
    sinew_humanoid humanoid, again;
    sinew_humanoid_report report;
    sinew_error error;
    const sinew_result result = sinew_humanoid_guess(skeleton, asset->up, NULL, &humanoid, &report, &error);
    if (result == SINEW_ERROR_OUT_OF_MEMORY) return NULL;
    if (!(report.score >= 0.0f && report.score <= 1.0f)) return "a score out of range";
    if (sinew_humanoid_check(skeleton, asset->up, &humanoid, &report, NULL) != SINEW_OK)
        return "a guess without its node";
    const size_t size = sinew_humanoid_write(skeleton, &humanoid, NULL, text, sizeof text);
    if (size >= sizeof text) return NULL; // long names
    const sinew_result read = sinew_humanoid_read_memory(text, size, skeleton, NULL, &again, NULL, &error);
    if (read == SINEW_ERROR_OUT_OF_MEMORY) return NULL;
    return read == SINEW_OK && memcmp(humanoid.nodes, again.nodes, sizeof again.nodes) == 0
               ? NULL
               : "a map that reads back to other roles";
}

static const char *humanoid_fault(const sinew_asset *asset) {
    sinew_humanoid_report report;
    if (asset->humanoid &&
        sinew_humanoid_check(asset->skeleton, asset->up, asset->humanoid, &report, NULL) != SINEW_OK)
        return "a role without its node";
    return guess_fault(asset);
}

const char *asset_fault(const sinew_asset *asset) {
    const char *fault = skeleton_fault(asset->skeleton);
    for (int32_t i = 0; i < asset->clip_count && !fault; i++) fault = clip_fault(&asset->clips[i]);
    for (int32_t i = 0; i < asset->mesh_count && !fault; i++) {
        const sinew_mesh *mesh = &asset->meshes[i];
        for (int32_t k = 0; k < mesh->primitive_count && !fault; k++)
            fault = primitive_fault(&mesh->primitives[k], asset);
    }
    for (int32_t i = 0; i < asset->mesh_node_count && !fault; i++)
        fault = instance_fault(&asset->mesh_nodes[i], asset);
    if (!fault) fault = bounds_fault(asset);
    if (!fault) fault = humanoid_fault(asset);
    if (!fault && asset->vrm) fault = vrm_fault(asset->vrm, asset);
    return fault ? fault : surface_fault(asset);
}

// ---- Using it ----------------------------------------------------------------------------------------------------

// Keeps the compiler from leaving out what is only read.
static volatile size_t seen;

static void read_bytes(const void *bytes, size_t size) {
    const uint8_t *at = bytes;
    size_t sum = 0;
    for (size_t i = 0; i < size; i += i + 64 < size ? 64 : 1)
        sum += at[i]; // each line of memory, and all of the last
    seen += sum;
}

static void read_surfaces(const sinew_asset *asset) {
    for (int32_t i = 0; i < asset->image_count; i++) {
        read_bytes(asset->images[i].bytes, asset->images[i].size);
        seen += strlen(asset->images[i].name) + strlen(asset->images[i].mime_type);
    }
    for (int32_t i = 0; i < asset->material_count; i++) seen += strlen(asset->materials[i].name);
    for (int32_t i = 0; i < asset->mesh_count; i++) {
        const sinew_mesh *mesh = &asset->meshes[i];
        seen += strlen(mesh->name);
        for (int32_t k = 0; k < mesh->primitive_count; k++) {
            const sinew_primitive *p = &mesh->primitives[k];
            size_t count = (size_t)p->vertex_count;
            if (p->uvs) read_bytes(p->uvs, count * 2 * sizeof(float));
            if (p->colors) read_bytes(p->colors, count * 4 * sizeof(float));
        }
    }
}

// A range of vertices of an instance, morphed and then skinned; model matrices are at least one.
static void skin_range(const sinew_skin *skin, const sinew_primitive *p, const float *weights,
                       const sinew_affine *palette, int32_t first, int32_t count) {
    static float in[2][3 * MOST_VERTICES], out[3][4 * MOST_VERTICES];
    static const float *deltas[2][64];
    const float *const *targets[2] = {p->target_positions, p->target_normals};
    const float *base[2] = {p->positions, p->normals};
    size_t start = 3 * (size_t)first;
    int32_t target_count = p->target_count < 64 ? p->target_count : 64;
    for (int i = 0; i < 2; i++) {
        if (!base[i]) continue;
        for (int32_t t = 0; t < target_count; t++) deltas[i][t] = targets[i][t] ? targets[i][t] + start : NULL;
        sinew_morph(base[i] + start, deltas[i], weights, target_count, 3 * count, in[i]);
    }
    if (p->influences == 0 || !skin) return;
    size_t influences = (size_t)p->influences;
    sinew_skin_job job = sinew_primitive_skin_job(p);
    job.joints = p->joints + (size_t)first * influences;
    job.weights = p->weights + (size_t)first * influences;
    job.positions = in[0];
    job.normals = p->normals ? in[1] : NULL;
    job.tangents = p->tangents ? p->tangents + 4 * (size_t)first : NULL;
    job.out_positions = out[0];
    job.out_normals = out[1];
    job.out_tangents = out[2];
    if (skin->joint_count <= MOST_JOINTS) sinew_skin_vertices(&job, palette, 0, count);
}

static void skin_instances(const sinew_asset *asset, const sinew_affine *model, const float *all_weights) {
    static sinew_affine palette[MOST_JOINTS];
    for (int32_t i = 0; i < asset->mesh_node_count; i++) {
        const sinew_mesh_node *mesh_node = &asset->mesh_nodes[i];
        const sinew_mesh *mesh = &asset->meshes[mesh_node->mesh];
        const sinew_skin *skin = mesh_node->skin >= 0 ? &asset->skins[mesh_node->skin] : NULL;
        if (skin && skin->joint_count <= MOST_JOINTS) sinew_skin_palette(skin, model, palette);
        const float *weights = all_weights + asset->skeleton->weight_offsets[mesh_node->node];
        for (int32_t k = 0; k < mesh->primitive_count; k++) {
            const sinew_primitive *p = &mesh->primitives[k];
            int32_t count = p->vertex_count < MOST_VERTICES ? p->vertex_count : MOST_VERTICES;
            if (count == 0) continue;
            skin_range(skin, p, weights, palette, 0, count);
            skin_range(skin, p, weights, palette, p->vertex_count - count, count);
        }
    }
}

static void *borrow(size_t size, const sinew_allocator *allocator) {
    return allocator ? allocator->allocate(size, 16, allocator->user) : malloc(size);
}

static void give_back_borrowed(void *block, size_t size, const sinew_allocator *allocator) {
    if (allocator) {
        allocator->release(block, size, 16, allocator->user);
    } else {
        free(block);
    }
}

enum { MOST_PICKED = 1 << 20, MOST_INSTANCES = 64 }; // bytes to work in; a ray takes long where they are many

// Where the model is, and what a ray through its middle meets.
static void look_at(const sinew_asset *asset, const sinew_affine *model, const float *weights,
                    const sinew_allocator *allocator) {
    sinew_box box;
    sinew_sphere sphere;
    sinew_bounds_pose(asset->bounds, model, weights, &box, &sphere);
    sinew_ray ray = {{box.min.x - 1.0f, sphere.center.y, sphere.center.z}, {1.0f, 0.01f, 0.0f}};
    size_t size = sinew_asset_pick_size(asset);
    if (size == 0 || size > MOST_PICKED || asset->mesh_node_count > MOST_INSTANCES) return;
    void *scratch = borrow(size, allocator);
    if (!scratch) return;
    sinew_asset_hit hit;
    if (sinew_asset_pick(asset, model, weights, ray, scratch, &hit))
        seen += strlen(asset->skeleton->names[hit.node]);
    give_back_borrowed(scratch, size, allocator);
}

static void sample_clip(const sinew_clip *clip, sinew_pose *pose) {
    const float times[] = {-1.0f, 0.0f, 0.4f * clip->duration, clip->duration, 2.0f * clip->duration + 1.0f};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) sinew_clip_sample(clip, times[i], pose);
    for (int32_t t = 0; t < clip->timeline_count && t < 8; t++) {
        const sinew_timeline *line = &clip->timelines[t];
        sinew_clip_sample(clip, sinew_timeline_time(line, line->key_count / 2), pose);
    }
}

enum { MOST_NODES_SAMPLED = 8 }; // one by one, of each clip

static void sample_nodes(const sinew_clip *clip) {
    const int32_t nodes = clip->skeleton->node_count;
    for (int32_t i = 0; i < nodes && i < MOST_NODES_SAMPLED; i++)
        seen += sinew_clip_sample_node(clip, 0.7f * clip->duration, nodes - 1 - i).rotation.w > 0.5f;
}

// Reads all keys back, each channel into memory that is exactly as long.
static void read_keys(const sinew_clip *clip, const sinew_allocator *allocator) {
    for (int32_t i = 0; i < clip->channel_count; i++) {
        const size_t count = (size_t)sinew_clip_channel_keys(clip, i, NULL, NULL),
                     size = count * (1 + (size_t)sinew_clip_key_width(clip, i)) * sizeof(float);
        float *times = borrow(size, allocator);
        if (!times) return;
        sinew_clip_channel_keys(clip, i, times, times + count);
        read_bytes(times, size);
        give_back_borrowed(times, size, allocator);
    }
}

static void read_event(const sinew_event *event, void *user) {
    (void)user;
    seen += strlen(event->clip->name) + (event->marker ? strlen(event->marker->name) : 0);
}

static void play_clip(sinew_mixer *mixer, const sinew_clip *clip, int32_t index) {
    static const sinew_loop loops[] = {SINEW_LOOP_REPEAT, SINEW_LOOP_ONCE, SINEW_LOOP_PING_PONG};
    sinew_play_def def = sinew_play_default();
    def.loop = loops[index % 3];
    def.speed = index % 2 ? 1.0f : -1.5f;
    sinew_mixer_crossfade_to(mixer, sinew_clip_source(clip), 0.1f, &def);
    sinew_mixer_update(mixer, 0.04f);
    sinew_mixer_advance(mixer, 0.4f * clip->duration);
    sinew_mixer_evaluate(mixer);
    sinew_mixer_to_model(mixer);
    if (index % 8 == 0) sinew_mixer_update(mixer, 1e9f);
}

static void play_all(const sinew_asset *asset, const sinew_allocator *allocator) {
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = asset->skeleton;
    def.max_actions = 4;
    def.hints_per_action = 1; // clips with more timelines search
    def.on_event = read_event;
    if (allocator) def.allocator = *allocator;
    sinew_mixer *mixer;
    if (sinew_mixer_create(&def, &mixer, NULL) != SINEW_OK) return;
    skin_instances(asset, sinew_mixer_model_matrices(mixer), sinew_mixer_morph_weights(mixer));
    for (int32_t i = 0; i < asset->clip_count; i++) play_clip(mixer, &asset->clips[i], i);
    skin_instances(asset, sinew_mixer_model_matrices(mixer), sinew_mixer_morph_weights(mixer));
    look_at(asset, sinew_mixer_model_matrices(mixer), sinew_mixer_morph_weights(mixer), allocator);
    sinew_mixer_destroy(mixer);
}

static void sample_all(const sinew_asset *asset, const sinew_allocator *allocator) {
    sinew_pose *pose;
    if (sinew_pose_create(asset->skeleton, allocator, &pose) != SINEW_OK) return;
    for (int32_t i = 0; i < asset->clip_count; i++) {
        sample_clip(&asset->clips[i], pose);
        sample_nodes(&asset->clips[i]);
    }
    sinew_pose_destroy(pose);
}

static void bind_clip(const sinew_asset *asset, const sinew_clip *clip, const sinew_allocator *allocator) {
    sinew_clip *bound;
    sinew_bind_def def = sinew_bind_default();
    if (allocator) def.allocator = *allocator;
    def.ignore_prefixes = true;
    if (sinew_clip_bind(clip, asset->skeleton, &def, &bound, NULL, NULL) != SINEW_OK) return;
    sinew_clip_destroy(bound);
}

enum { MOST_COPIED = 2, MOST_COMBINED = 16 }; // clips

static void cut_clip(const sinew_clip *clip, const sinew_allocator *allocator) {
    sinew_clip *part;
    const float start = 0.3f * clip->duration, end = 0.6f * clip->duration;
    if (sinew_clip_subclip(clip, start, end, NULL, allocator, &part, NULL) != SINEW_OK) return;
    sample_nodes(part);
    sinew_clip_destroy(part);
}

static void combine_clips(const sinew_asset *asset, const sinew_allocator *allocator) {
    const sinew_clip *clips[MOST_COMBINED];
    sinew_clip *combined[MOST_COMBINED];
    const int32_t given = asset->clip_count < MOST_COMBINED ? asset->clip_count : MOST_COMBINED;
    int32_t count;
    for (int32_t i = 0; i < given; i++) clips[i] = &asset->clips[i];
    if (sinew_clip_combine(clips, given, allocator, combined, &count, NULL, NULL) != SINEW_OK) return;
    for (int32_t i = 0; i < count; i++) {
        sample_nodes(combined[i]);
        sinew_clip_destroy(combined[i]);
    }
}

static void copy_clips(const sinew_asset *asset, const sinew_allocator *allocator) {
    for (int32_t i = 0; i < asset->clip_count; i++) read_keys(&asset->clips[i], allocator);
    for (int32_t i = 0; i < asset->clip_count && i < MOST_COPIED; i++) {
        bind_clip(asset, &asset->clips[i], allocator);
        cut_clip(&asset->clips[i], allocator);
    }
    combine_clips(asset, allocator);
}

enum { MOST_EXPRESSIONS = 256 };

// A frame of an avatar. The constraints give unit rotations wherever the nodes are.
static void use_vrm(const sinew_asset *asset, const sinew_allocator *allocator) {
    static float weights[MOST_EXPRESSIONS];
    const sinew_vrm *vrm = asset->vrm;
    sinew_pose *pose;
    if (vrm->expression_count > MOST_EXPRESSIONS) return;
    if (sinew_pose_create(asset->skeleton, allocator, &pose) != SINEW_OK) return;
    if (asset->clip_count > 0) sinew_clip_sample(&asset->clips[0], 0.5f, pose);
    for (int32_t i = 0; i < vrm->expression_count; i++) {
        weights[i] = 0.6f;
        seen += strlen(vrm->expressions[i].name);
    }
    for (int32_t i = 0; i < vrm->animation.track_count; i++)
        seen += sinew_vrm_track_weight(&vrm->animation.tracks[i], pose) > 0.5f;
    sinew_vrm_gaze_apply(vrm, sinew_vrm_track_gaze(vrm, pose), pose, weights);
    sinew_vrm_expressions_apply(vrm, weights, pose);
    sinew_vrm_expressions_resolve(vrm, weights, weights);
    sinew_vrm_constraints_apply(vrm, pose);
    for (int32_t i = 0; i < vrm->constraint_count; i++) {
        const sinew_quat q = sinew_pose_get(pose, vrm->constraints[i].node).rotation;
        if (!(fabsf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1.0f) < 1e-4f)) abort();
    }
    sinew_pose_destroy(pose);
}

static void mirror_clip(const sinew_mirror *mirror, const sinew_clip *clip, const sinew_allocator *allocator) {
    sinew_clip *mirrored;
    if (sinew_clip_mirror(mirror, clip, NULL, allocator, &mirrored, NULL) == SINEW_OK) sinew_clip_destroy(mirrored);
}

// Poses and mirrors the asset by maps of its roles onto itself, or of names.
static void use_roles(const sinew_asset *asset, const sinew_allocator *allocator) {
    sinew_pose *pose, *target;
    sinew_retarget *map;
    sinew_mirror *mirror;
    if (asset->skeleton->node_count > MOST_JOINTS) return;
    if (sinew_pose_create(asset->skeleton, allocator, &pose) != SINEW_OK) return;
    if (sinew_pose_create(asset->skeleton, allocator, &target) != SINEW_OK) {
        sinew_pose_destroy(pose);
        return;
    }
    sinew_retarget_def def = sinew_retarget_default();
    def.source = def.target = asset->skeleton;
    def.source_humanoid = def.target_humanoid = asset->humanoid;
    if (sinew_retarget_create(&def, &map, NULL) == SINEW_OK) sinew_retarget_pose(map, pose, target);
    sinew_mirror_def mirror_def = sinew_mirror_default();
    mirror_def.skeleton = asset->skeleton;
    mirror_def.humanoid = asset->humanoid;
    if (sinew_mirror_create(&mirror_def, &mirror, NULL) == SINEW_OK) {
        sinew_mirror_pose(mirror, target, pose);
        for (int32_t i = 0; i < asset->clip_count && i < MOST_COPIED; i++)
            mirror_clip(mirror, &asset->clips[i], allocator);
    }
    sinew_mirror_destroy(mirror);
    sinew_retarget_destroy(map);
    sinew_pose_destroy(target);
    sinew_pose_destroy(pose);
}

void asset_use(const sinew_asset *asset, const sinew_allocator *allocator) {
    read_surfaces(asset);
    for (int32_t i = 0; i < asset->skeleton->node_count; i++) seen += strlen(asset->skeleton->names[i]);
    seen += sinew_asset_find_clip(asset, "Run") != NULL;
    sample_all(asset, allocator);
    play_all(asset, allocator);
    copy_clips(asset, allocator);
    if (asset->vrm) use_vrm(asset, allocator);
    use_roles(asset, allocator);
}

// ---- Memory -------------------------------------------------------------------------------------------------------

static void *take_aligned(size_t size, size_t alignment) {
#ifdef _WIN32
    return _aligned_malloc(size, alignment);
#else
    void *block = NULL;
    size_t least = alignment < sizeof(void *) ? sizeof(void *) : alignment;
    return posix_memalign(&block, least, size) == 0 ? block : NULL;
#endif
}

static void *take(size_t size, size_t alignment, void *user) {
    asset_memory *memory = user;
    if (++memory->taken == memory->fail_at) return NULL;
    void *block = take_aligned(size, alignment);
    if (!block) return NULL;
    memset(block, 0xcd, size < 4096 ? size : 4096); // nothing may rely on zeros
    memory->live++;
    memory->bytes += size;
    if (memory->bytes > memory->peak) memory->peak = memory->bytes;
    return block;
}

static void give_aligned_back(void *block) {
#ifdef _WIN32
    _aligned_free(block);
#else
    free(block);
#endif
}

static void give_back(void *block, size_t size, size_t alignment, void *user) {
    asset_memory *memory = user;
    (void)alignment;
    memory->live--;
    memory->bytes -= size;
    give_aligned_back(block);
}

sinew_allocator asset_memory_allocator(asset_memory *memory) {
    return (sinew_allocator){take, give_back, memory};
}

// ---- Trying ------------------------------------------------------------------------------------------------------

static const char *error_fault(const sinew_error *error, sinew_result result, const sinew_asset *asset) {
    if (asset) return "an asset beside an error";
    if (error->result != result) return "an error that says another result";
    if (strlen(error->message) < 5) return "an error without a message";
    return strchr(error->message, '\n') ? "an error of several lines" : NULL;
}

// Loads a copy of a file with the options of its importer.
typedef sinew_result (*asset_loader)(const void *data, size_t size, const void *options, sinew_asset **asset,
                                     sinew_error *error);

static sinew_result load_gltf(const void *data, size_t size, const void *options, sinew_asset **asset,
                              sinew_error *error) {
    return sinew_gltf_load_memory(data, size, options, asset, error);
}

static sinew_result load_bvh(const void *data, size_t size, const void *options, sinew_asset **asset,
                             sinew_error *error) {
    return sinew_bvh_load_memory(data, size, options, asset, error);
}

static const char *try_loader(asset_loader load, const void *data, size_t size, const void *options,
                              asset_memory *memory, sinew_result *result) {
    uint8_t *copy = malloc(size > 0 ? size : 1);
    if (!copy) return "no memory for a copy";
    if (size > 0) memcpy(copy, data, size);
    sinew_asset *asset = (sinew_asset *)copy; // to be overwritten
    sinew_error error = {SINEW_OK, ""};
    *result = load(copy, size, options, &asset, &error);
    free(copy); // the asset must not need it any more
    const char *fault = *result != SINEW_OK ? error_fault(&error, *result, asset) : NULL;
    if (*result == SINEW_OK) {
        const sinew_allocator allocator = asset_memory_allocator(memory);
        fault = asset ? asset_fault(asset) : "neither an asset nor an error";
        if (!fault) asset_use(asset, &allocator);
        sinew_asset_destroy(asset);
    }
    if (!fault && memory->live != 0) fault = "memory that was not given back";
    return fault;
}

const char *asset_try(const void *data, size_t size, const sinew_gltf_options *options, asset_memory *memory,
                      sinew_result *result) {
    asset_memory own = {0};
    if (!memory) memory = &own;
    sinew_gltf_options mine = options ? *options : *with_avatars();
    mine.allocator = asset_memory_allocator(memory);
    return try_loader(load_gltf, data, size, &mine, memory, result);
}

const char *asset_try_bvh(const void *data, size_t size, const sinew_bvh_options *options, asset_memory *memory,
                          sinew_result *result) {
    asset_memory own = {0};
    if (!memory) memory = &own;
    sinew_bvh_options mine = options ? *options : sinew_bvh_default();
    mine.allocator = asset_memory_allocator(memory);
    return try_loader(load_bvh, data, size, &mine, memory, result);
}

// Uses an asset with arbitrary rotations. A constraint only gives unit rotations in the rest pose.
static void use_any_numbers(const sinew_asset *asset, const sinew_allocator *allocator) {
    sinew_asset without_vrm = *asset, at_rest = *asset;
    without_vrm.vrm = NULL;
    at_rest.clip_count = 0;
    asset_use(&without_vrm, allocator);
    asset_use(&at_rest, allocator);
}

const char *asset_try_baked(const void *data, size_t size, bool trusted, asset_memory *memory,
                            sinew_result *result) {
    asset_memory own = {0};
    if (!memory) memory = &own;
    sinew_baked_asset_options options = sinew_baked_asset_default();
    options.borrow = true;
    options.trusted = trusted;
    options.allocator = asset_memory_allocator(memory);
    void *copy = take_aligned(size > 0 ? size : 1, SINEW_BAKED_ASSET_ALIGNMENT);
    if (!copy) return "no memory for a copy";
    if (size > 0) memcpy(copy, data, size);
    sinew_asset *asset = copy; // to be overwritten
    sinew_error error = {SINEW_OK, ""};
    *result = sinew_baked_asset_load_memory(copy, size, &options, &asset, &error);
    const char *fault = *result != SINEW_OK ? error_fault(&error, *result, asset) : NULL;
    if (*result == SINEW_OK) {
        if (!trusted) fault = asset_fault(asset);
        if (!fault) use_any_numbers(asset, &options.allocator);
        sinew_asset_destroy(asset);
    }
    if (!fault && memory->live != 0) fault = "memory that was not given back";
    give_aligned_back(copy);
    return fault;
}
