// SPDX-License-Identifier: MIT
// Makes animation textures: samples every frame of every clip, and measures the error between frames.
//
// A frame is a palette: one 3x4 matrix per joint, in SINEWI_BAKE_ROWS texels of four numbers. A texture's
// joints are the skin's joints, then nodes. The skin's matrices map mesh space to model space. The nodes'
// matrices are model matrices. A GPU blends two frames linearly, so between frames a texture differs from the
// clip. The error is the largest distance of any vertex, in meters in model space. `b` is the baker, which is
// the state while a texture is made.
#include <sinew/gpu/shader.h>

#include "base/def_cookie.h"
#include "base/fail.h"
#include "base/memory.h"
#include "gpu/bake_object.h"
#include "gpu/gpu_half.h"

#include <float.h>
#include <math.h>
#include <string.h>

// The largest index that a float represents exactly.
#define MAX_BAKE_TEXELS 16777216

// A parabola's maximum is at most a sixteenth above its value at the nearest quarter of the interval.
#define PARABOLA_FACTOR (17.0f / 16.0f)

typedef struct baker {
    const sinew_bake_def *def;
    const sinew_skeleton *skeleton;
    const sinew_skin *skin; // may be NULL
    int32_t joint_count;    // the skin's joints, plus the nodes
    int32_t clip_count;
    double frame_count; // over all clips
    sinew_error *error;
    sinewi_bake_object *object;
    sinew_bake_clip *clips; // these four are the object's arrays
    sinew_box *boxes;
    int32_t *nodes;
    void *texels;
    sinewi_arena scratch;
    sinew_pose *pose;
    sinew_affine *model, *palette;
} baker;

sinew_bake_def sinew_bake_default(void) {
    return (sinew_bake_def){.frame_rate = 30.0f, .format = SINEW_BAKE_FLOAT, .cookie = SINEWI_DEF_COOKIE};
}

// ---- Checks --------------------------------------------------------------------------------------------------

// A clip from the definition or, by default, from the asset.
static const sinew_clip *get_clip(const baker *b, int32_t index) {
    return b->def->clips ? b->def->clips[index] : &b->def->asset->clips[index];
}

// Number of frames in a clip. They divide it evenly, from its start to its end. Returned as a double, because the
// range is checked later.
static double count_frames(const sinew_clip *clip, float rate) {
    if (!(clip->duration > 0.0f)) return 1.0;
    double intervals = floor((double)clip->duration * (double)rate + 0.5);
    return 1.0 + (intervals > 1.0 ? intervals : 1.0);
}

static sinew_result check_nodes(const baker *b) {
    const sinew_bake_def *def = b->def;
    if (def->node_count < 0 || (def->node_count > 0 && !def->nodes))
        return sinewi_fail(b->error, SINEW_ERROR_ARGUMENT, "bake: node_count is %d%s", def->node_count,
                           def->node_count < 0 ? "; it must be 0 or more" : ", but nodes is NULL");
    if (def->node_count > MAX_BAKE_TEXELS)
        return sinewi_fail(b->error, SINEW_ERROR_LIMIT, "bake: %d nodes, but the limit is %d", def->node_count,
                           MAX_BAKE_TEXELS);
    for (int32_t i = 0; i < def->node_count; i++) {
        if (def->nodes[i] < 0 || def->nodes[i] >= b->skeleton->node_count)
            return sinewi_fail(b->error, SINEW_ERROR_ARGUMENT, "bake: nodes[%d]: node %d, but the skeleton has %d",
                               i, def->nodes[i], b->skeleton->node_count);
    }
    return SINEW_OK;
}

static sinew_result check_joints(baker *b) {
    const sinew_bake_def *def = b->def;
    if (def->skin < -1 || def->skin >= def->asset->skin_count)
        return sinewi_fail(b->error, SINEW_ERROR_ARGUMENT, "bake: skin %d, but the asset has %d", def->skin,
                           def->asset->skin_count);
    b->skin = def->skin >= 0 ? &def->asset->skins[def->skin] : NULL;
    b->joint_count = (b->skin ? b->skin->joint_count : 0) + def->node_count;
    if (b->joint_count > 0) return SINEW_OK;
    return sinewi_fail(b->error, SINEW_ERROR_ARGUMENT, "bake: skin %d has no joints, and there are no nodes",
                       def->skin);
}

static sinew_result check_clips(baker *b) {
    const sinew_bake_def *def = b->def;
    b->clip_count = def->clips ? def->clip_count : def->asset->clip_count;
    if (b->clip_count <= 0) return sinewi_fail(b->error, SINEW_ERROR_ARGUMENT, "bake: no clips");
    for (int32_t i = 0; i < b->clip_count; i++) {
        const sinew_clip *clip = get_clip(b, i);
        if (!clip || clip->skeleton != b->skeleton)
            return sinewi_fail(b->error, SINEW_ERROR_ARGUMENT,
                               "bake: clips[%d] is NULL or belongs to a different skeleton", i);
        if (clip->additive)
            return sinewi_fail(b->error, SINEW_ERROR_ARGUMENT,
                               "bake: clips[%d], \"%s\", is additive; bake the clip that it was made from", i,
                               clip->name);
    }
    return SINEW_OK;
}

// Counts the frames and checks that a float can index all texels exactly.
static sinew_result check_size(baker *b) {
    float rate = b->def->frame_rate;
    if (!(rate > 0.0f && rate <= FLT_MAX))
        return sinewi_fail(b->error, SINEW_ERROR_ARGUMENT,
                           "bake: frame_rate is %g; it must be more than 0 and finite", (double)rate);
    for (int32_t i = 0; i < b->clip_count; i++) b->frame_count += count_frames(get_clip(b, i), rate);
    double texels = b->frame_count * SINEWI_BAKE_ROWS * (double)b->joint_count;
    if (texels <= MAX_BAKE_TEXELS) return SINEW_OK;
    return sinewi_fail(b->error, SINEW_ERROR_LIMIT,
                       "bake: %.0f frames with %d joints need %.0f texels, but the limit is %d; bake fewer clips, "
                       "or fewer frames per second",
                       b->frame_count, b->joint_count, texels, MAX_BAKE_TEXELS);
}

static sinew_result check_def(baker *b) {
    sinew_result result = SINEWI_CHECK_DEF(b->def, "sinew_bake_def: start from sinew_bake_default()", b->error);
    if (result != SINEW_OK) return result;
    if (!b->def->asset) return sinewi_fail(b->error, SINEW_ERROR_ARGUMENT, "bake: asset is NULL");
    if (b->def->format != SINEW_BAKE_HALF && b->def->format != SINEW_BAKE_FLOAT) {
        return sinewi_fail(b->error, SINEW_ERROR_ARGUMENT,
                           "bake: format is %d; it must be SINEW_BAKE_HALF or SINEW_BAKE_FLOAT",
                           (int)b->def->format);
    }
    b->skeleton = b->def->asset->skeleton;
    result = check_nodes(b);
    if (result == SINEW_OK) result = check_joints(b);
    if (result == SINEW_OK) result = check_clips(b);
    return result == SINEW_OK ? check_size(b) : result;
}

// ---- Memory --------------------------------------------------------------------------------------------------

// Bytes per texel.
static size_t get_texel_size(const baker *b) {
    return 4 * (b->def->format == SINEW_BAKE_HALF ? sizeof(sinewi_half) : sizeof(float));
}

static int32_t count_texture_rows(const baker *b) {
    int32_t texels = (int32_t)b->frame_count * SINEWI_BAKE_ROWS * b->joint_count;
    return (texels + SINEW_TEXTURE_WIDTH - 1) / SINEW_TEXTURE_WIDTH;
}

// Computes the addresses of the object's arrays in its memory block. They stay NULL while the size is measured.
static void lay_out(sinewi_layout *layout, baker *b) {
    size_t texels = (size_t)count_texture_rows(b) * SINEW_TEXTURE_WIDTH;
    b->object = sinewi_layout_array(layout, sinewi_bake_object, 1, SINEWI_ALIGNMENT);
    b->texels = sinewi_layout_take(layout, texels, get_texel_size(b), SINEWI_ALIGNMENT);
    b->clips = sinewi_layout_array(layout, sinew_bake_clip, (size_t)b->clip_count, SINEWI_ALIGNMENT);
    b->boxes = sinewi_layout_array(layout, sinew_box, (size_t)b->joint_count, sizeof(float));
    b->nodes = sinewi_layout_array(layout, int32_t, (size_t)b->def->node_count, sizeof(int32_t));
}

// Numbers the frames of all clips consecutively.
static void init_clips(baker *b) {
    int32_t frame = 0;
    for (int32_t i = 0; i < b->clip_count; i++) {
        const sinew_clip *clip = get_clip(b, i);
        int32_t count = (int32_t)count_frames(clip, b->def->frame_rate);
        float rate = count > 1 ? (float)((double)(count - 1) / (double)clip->duration) : b->def->frame_rate;
        b->clips[i] = (sinew_bake_clip){clip, frame, count, rate, 0.0f};
        frame += count;
    }
}

static sinew_result allocate_object(baker *b) {
    sinewi_layout measure = {0};
    lay_out(&measure, b);
    b->object = NULL;
    sinewi_layout layout = {(char *)sinewi_allocate(&b->def->allocator, measure.size, SINEWI_ALIGNMENT), 0};
    if (!layout.base) return sinewi_fail_memory(b->error);
    lay_out(&layout, b);
    int32_t height = count_texture_rows(b);
    *b->object = (sinewi_bake_object){
        .bake =
            {
                .asset = b->def->asset,
                .skin = b->def->skin,
                .joint_count = b->joint_count,
                .node_count = b->def->node_count,
                .nodes = b->nodes,
                .clip_count = b->clip_count,
                .clips = b->clips,
                .frame_count = (int32_t)b->frame_count,
                .format = b->def->format,
                .width = SINEW_TEXTURE_WIDTH,
                .height = height,
                .texels = b->texels,
                .size = (size_t)height * SINEW_TEXTURE_WIDTH * get_texel_size(b),
            },
        .boxes = b->boxes,
        .allocator = b->def->allocator,
        .size = measure.size,
    };
    memset(b->texels, 0, b->object->bake.size);
    init_clips(b);
    for (int32_t i = 0; i < b->def->node_count; i++) b->nodes[i] = b->def->nodes[i];
    return SINEW_OK;
}

static sinew_result allocate_scratch(baker *b) {
    sinewi_arena_init(&b->scratch, &b->def->allocator);
    size_t nodes = (size_t)b->skeleton->node_count, joints = (size_t)b->joint_count;
    b->model = (sinew_affine *)sinewi_arena_take(&b->scratch, nodes, sizeof(sinew_affine), SINEWI_ALIGNMENT);
    b->palette = (sinew_affine *)sinewi_arena_take(&b->scratch, joints, sizeof(sinew_affine), SINEWI_ALIGNMENT);
    if (b->model && b->palette && sinew_pose_create(b->skeleton, &b->def->allocator, &b->pose) == SINEW_OK)
        return SINEW_OK;
    return sinewi_fail_memory(b->error);
}

// ---- Bounds --------------------------------------------------------------------------------------------------

// Bounds of a vertex for morph weights from 0 to 1.
static sinew_box vertex_box(const sinew_primitive *primitive, size_t vertex) {
    const float *position = primitive->positions + 3 * vertex;
    float min[3] = {position[0], position[1], position[2]}, max[3] = {position[0], position[1], position[2]};
    for (int32_t t = 0; t < primitive->target_count; t++) {
        const float *targets = primitive->target_positions[t];
        for (int i = 0; targets && i < 3; i++) {
            float delta = targets[3 * vertex + (size_t)i];
            min[i] += delta < 0.0f ? delta : 0.0f;
            max[i] += delta > 0.0f ? delta : 0.0f;
        }
    }
    return (sinew_box){{min[0], min[1], min[2]}, {max[0], max[1], max[2]}};
}

// Extends each joint's box by the vertices that it moves, in mesh space.
static sinew_result extend_boxes_of_skin(baker *b, const sinew_mesh *mesh, const sinew_primitive *primitive) {
    size_t influences = (size_t)primitive->influences;
    for (size_t v = 0; v < (size_t)primitive->vertex_count; v++) {
        sinew_box box = vertex_box(primitive, v);
        for (size_t k = v * influences; k < (v + 1) * influences; k++) {
            uint16_t joint = primitive->joints[k];
            if (joint >= b->skin->joint_count)
                return sinewi_fail(b->error, SINEW_ERROR_ARGUMENT,
                                   "bake: mesh \"%s\": vertex %d uses joint %d, but skin %d has %d joints",
                                   mesh->name, (int)v, joint, b->def->skin, b->skin->joint_count);
            if (primitive->weights[k] > 0.0f) b->boxes[joint] = sinew_box_union(b->boxes[joint], box);
        }
    }
    return SINEW_OK;
}

// Extends the boxes of texture nodes that carry a mesh without a skin.
static void extend_boxes_of_node(baker *b, int32_t node, const sinew_primitive *primitive) {
    sinew_box *boxes = b->boxes + sinewi_bake_skin_joints(&b->object->bake);
    for (int32_t i = 0; i < b->def->node_count; i++) {
        if (b->nodes[i] != node) continue;
        for (size_t v = 0; v < (size_t)primitive->vertex_count; v++)
            boxes[i] = sinew_box_union(boxes[i], vertex_box(primitive, v));
    }
}

// Extends the boxes by the vertices of a mesh node. The texture's skin skins it, or one of the
// texture's nodes carries it.
static sinew_result extend_boxes_by_instance(baker *b, const sinew_mesh_node *mesh_node) {
    const sinew_mesh *mesh = &b->def->asset->meshes[mesh_node->mesh];
    sinew_result result = SINEW_OK;
    for (int32_t i = 0; i < mesh->primitive_count && result == SINEW_OK; i++) {
        const sinew_primitive *primitive = &mesh->primitives[i];
        if (mesh_node->skin < 0 || primitive->influences == 0) {
            extend_boxes_of_node(b, mesh_node->node, primitive);
        } else if (mesh_node->skin == b->def->skin) {
            result = extend_boxes_of_skin(b, mesh, primitive);
        }
    }
    return result;
}

// Computes the bounds of the vertices that each joint of the texture moves. The error is measured at their corners.
static sinew_result compute_boxes(baker *b) {
    const sinew_asset *asset = b->def->asset;
    for (int32_t i = 0; i < b->joint_count; i++) b->boxes[i] = sinew_box_empty();
    sinew_result result = SINEW_OK;
    for (int32_t i = 0; i < asset->mesh_node_count && result == SINEW_OK; i++)
        result = extend_boxes_by_instance(b, &asset->mesh_nodes[i]);
    return result;
}

// ---- Frames --------------------------------------------------------------------------------------------------

// Samples a clip and computes the model matrices.
static void sample_model_matrices(baker *b, const sinew_clip *clip, float time) {
    sinew_clip_sample(clip, time, b->pose);
    sinew_pose_to_model(b->pose, b->model);
}

// Samples a clip and computes the palette: the skin's matrices, then the nodes' model matrices.
static void sample_palette(baker *b, const sinew_clip *clip, float time) {
    sample_model_matrices(b, clip, time);
    if (b->skin) sinew_skin_palette(b->skin, b->model, b->palette);
    sinew_affine *nodes = b->palette + sinewi_bake_skin_joints(&b->object->bake);
    for (int32_t i = 0; i < b->def->node_count; i++) nodes[i] = b->model[b->nodes[i]];
}

// Stores one number in the texture. Returns false if it isn't finite or is too large for the format.
static bool store_number(baker *b, size_t index, float number) {
    if (b->def->format == SINEW_BAKE_HALF) {
        if (!(fabsf(number) < SINEWI_HALF_OVERFLOW)) return false;
        ((sinewi_half *)b->texels)[index] = sinewi_half_from_float(number);
        return true;
    }
    ((float *)b->texels)[index] = number;
    return fabsf(number) <= FLT_MAX;
}

static sinew_result fail_number(const baker *b, const sinew_clip *clip, float time, int32_t joint, float number) {
    bool half = b->def->format == SINEW_BAKE_HALF && fabsf(number) <= FLT_MAX;
    int32_t node = sinewi_bake_node(&b->object->bake, joint);
    return sinewi_fail(b->error, SINEW_ERROR_LIMIT,
                       "bake: clip \"%s\" at %g s: the matrix of joint %d, \"%s\", contains %g: %s", clip->name,
                       (double)time, joint, b->skeleton->names[node], (double)number,
                       half ? "SINEW_BAKE_HALF holds up to 65504; use SINEW_BAKE_FLOAT" : "it must be finite");
}

// Time of a frame in the clip, in seconds.
static float get_frame_time(const sinew_bake_clip *clip, int32_t frame) {
    if (clip->frame_count == 1) return 0.0f;
    return (float)((double)clip->clip->duration * (double)frame / (double)(clip->frame_count - 1));
}

// Samples a clip at a frame's time and stores the palette.
static sinew_result store_frame(baker *b, const sinew_bake_clip *clip, int32_t frame) {
    float time = get_frame_time(clip, frame);
    sample_palette(b, clip->clip, time);
    const float *numbers = b->palette->m[0];
    size_t count = 12 * (size_t)b->joint_count, first = (size_t)(clip->first_frame + frame) * count;
    for (size_t i = 0; i < count; i++) {
        if (!store_number(b, first + i, numbers[i]))
            return fail_number(b, clip->clip, time, (int32_t)(i / 12), numbers[i]);
    }
    return SINEW_OK;
}

static sinew_result store_clip(baker *b, const sinew_bake_clip *clip) {
    sinew_result result = SINEW_OK;
    for (int32_t i = 0; i < clip->frame_count && result == SINEW_OK; i++) result = store_frame(b, clip, i);
    return result;
}

// ---- Errors --------------------------------------------------------------------------------------------------

// A timeline's first key time after `time`. Infinity after the last key.
static float find_key_after(const sinew_timeline *timeline, float time) {
    int32_t low = 0, high = timeline->key_count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (sinew_timeline_time(timeline, middle) > time) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low < timeline->key_count ? sinew_timeline_time(timeline, low) : INFINITY;
}

// A clip's first key time after `time`, over all its timelines. Infinity after the last key.
static float find_first_key_after(const sinew_clip *clip, float time) {
    float first = INFINITY;
    for (int32_t i = 0; i < clip->timeline_count; i++) {
        float key = find_key_after(&clip->timelines[i], time);
        if (key < first) first = key;
    }
    return first;
}

// Raises a clip's error to the error at a time, if that is larger.
static void raise_error_at(baker *b, sinew_bake_clip *clip, float time) {
    sinew_bake_state state = sinew_bake_play((int32_t)(clip - b->clips));
    state.tracks[0].loop = SINEW_LOOP_ONCE;
    state.tracks[0].time = time;
    sample_model_matrices(b, clip->clip, time);
    float error = sinew_bake_distance(&b->object->bake, &state, b->model);
    if (error > clip->error) clip->error = error;
}

// Measures the error between two times, `from` excluded. No key or frame lies between them, so the difference is a
// smooth curve, close to a parabola.
static void measure_interval(baker *b, sinew_bake_clip *clip, float from, float to) {
    for (int quarter = 1; quarter < 4; quarter++)
        raise_error_at(b, clip, from + (to - from) * 0.25f * (float)quarter);
    raise_error_at(b, clip, nextafterf(to, from));
    raise_error_at(b, clip, to);
}

// Measures the error between all frames and keys of a clip.
static void measure_clip(baker *b, sinew_bake_clip *clip) {
    raise_error_at(b, clip, 0.0f);
    float from = 0.0f;
    for (int32_t i = 1; i < clip->frame_count; i++) {
        float end = get_frame_time(clip, i);
        while (from < end) {
            float key = find_first_key_after(clip->clip, from), to = key < end ? key : end;
            measure_interval(b, clip, from, to);
            from = to;
        }
    }
    clip->error *= PARABOLA_FACTOR;
    if (clip->error > b->object->bake.error) b->object->bake.error = clip->error;
}

// ---- Creating ------------------------------------------------------------------------------------------------

static sinew_result bake_texture(baker *b) {
    sinew_result result = compute_boxes(b);
    for (int32_t i = 0; i < b->clip_count && result == SINEW_OK; i++) result = store_clip(b, &b->clips[i]);
    for (int32_t i = 0; i < b->clip_count && result == SINEW_OK; i++) measure_clip(b, &b->clips[i]);
    return result;
}

// Checks the definition, allocates the texture, stores all frames and measures the error.
sinew_result sinew_bake_create(const sinew_bake_def *def, sinew_bake **bake, sinew_error *error) {
    *bake = NULL;
    baker b = {.def = def, .error = error};
    sinew_result result = check_def(&b);
    if (result != SINEW_OK) return result;
    result = allocate_object(&b);
    if (result == SINEW_OK) result = allocate_scratch(&b);
    if (result == SINEW_OK) result = bake_texture(&b);
    sinew_pose_destroy(b.pose);
    sinewi_arena_free(&b.scratch);
    if (result == SINEW_OK) {
        *bake = &b.object->bake;
    } else if (b.object) {
        sinew_bake_destroy(&b.object->bake);
    }
    return result;
}

void sinew_bake_destroy(sinew_bake *bake) {
    if (!bake) return;
    sinewi_bake_object *object = (sinewi_bake_object *)bake;
    sinew_allocator allocator = object->allocator;
    sinewi_release(&allocator, object, object->size, SINEWI_ALIGNMENT);
}
