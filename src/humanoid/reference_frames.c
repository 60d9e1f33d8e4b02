// SPDX-License-Identifier: MIT
// Evenly spread frames of an asset's clips, and how the feet are planted in them.
//
// In many rest poses, the feet point down, or are above or below the ground. But a planted foot has a level sole. A
// foot is planted in frames with an upright body where ankle and toes are at their lowest. The mean up direction in the
// foot's own space over these frames tells how to turn the rest pose's foot.
#include "humanoid/reference_frames.h"

#include "humanoid/reference_score.h"

// ---- Frames --------------------------------------------------------------------------------------------------

// A clip with a single frame counts as this long.
#define LEAST_DURATION 0.05f

static float duration_of(const sinew_clip *clip) {
    return clip->duration > LEAST_DURATION ? clip->duration : LEAST_DURATION;
}

static int32_t first_frames(const sinew_asset *asset) {
    return asset->clip_count < SINEWI_REFERENCE_FRAMES / 4 ? asset->clip_count : SINEWI_REFERENCE_FRAMES / 4;
}

int32_t sinewi_reference_frame_count(const sinew_asset *asset) {
    return asset->clip_count > 0 ? SINEWI_REFERENCE_FRAMES : 0;
}

reference_frame sinewi_reference_frame_at(const sinew_asset *asset, int32_t i) {
    const int32_t first = first_frames(asset);
    if (i < first) return (reference_frame){i, 0.0f};
    float total = 0.0f;
    for (int32_t c = 0; c < asset->clip_count; c++) total += duration_of(&asset->clips[c]);
    float at = total * ((float)(i - first) + 0.5f) / (float)(SINEWI_REFERENCE_FRAMES - first);
    int32_t clip = 0;
    for (; clip + 1 < asset->clip_count && at >= duration_of(&asset->clips[clip]); clip++)
        at -= duration_of(&asset->clips[clip]);
    return (reference_frame){clip, at};
}

void sinewi_reference_sample(const sinew_asset *asset, reference_frame frame, sinew_pose *pose) {
    sinew_pose_reset(pose);
    sinew_clip_sample(&asset->clips[frame.clip], frame.time, pose);
}

// ---- Planted feet --------------------------------------------------------------------------------------------

// A foot over all frames.
typedef struct planted_foot {
    int32_t upper, lower, foot, toes; // nodes; toes may be SINEW_NO_NODE
    double leg;                       // length of the leg
    float heights
        [SINEWI_REFERENCE_FRAMES]; // [height_count], summed ankle and toe heights of frames where the leg stands
    int32_t height_count;
    double ground;           // one of these: the height when the foot is planted
    rt_vec foot_up, toes_up; // sums of up, in both nodes' spaces
    double height;           // sum of the ankle's heights
    int32_t count;
} planted_foot;

static double bone_length(const rt_similarity *model, int32_t from, int32_t to) {
    return rt_length(rt_subtract(model[to].position, model[from].position));
}

// Returns false if the leg isn't complete.
static bool start_foot(const sinew_humanoid *humanoid, const rt_similarity *rest, int32_t upper,
                       planted_foot *foot) {
    const int32_t *nodes = &humanoid->nodes[upper];
    if (nodes[0] == SINEW_NO_NODE || nodes[1] == SINEW_NO_NODE || nodes[2] == SINEW_NO_NODE) return false;
    *foot = (planted_foot){.upper = nodes[0], .lower = nodes[1], .foot = nodes[2], .toes = nodes[3]};
    foot->leg = bone_length(rest, nodes[0], nodes[1]) + bone_length(rest, nodes[1], nodes[2]);
    return foot->leg > 0.0;
}

// Sum of the ankle and toe heights. Lowest when the sole is flat on the ground.
static double height_of(const planted_foot *foot, const rt_similarity *model, rt_vec up) {
    const double ankle = rt_dot(model[foot->foot].position, up);
    return ankle + (foot->toes == SINEW_NO_NODE ? ankle : rt_dot(model[foot->toes].position, up));
}

// Whether a leg stands: the foot is more than half a leg below the hip.
static bool stands(const planted_foot *foot, const rt_similarity *model, rt_vec up) {
    return rt_dot(rt_subtract(model[foot->upper].position, model[foot->foot].position), up) > 0.5 * foot->leg;
}

// Inserts a height into the sorted list.
static void add_height(planted_foot *foot, float height) {
    int32_t i = foot->height_count++;
    for (; i > 0 && foot->heights[i - 1] > height; i--) foot->heights[i] = foot->heights[i - 1];
    foot->heights[i] = height;
}

// Adds a frame if the foot is planted in it.
static void add_frame(planted_foot *foot, const rt_similarity *model, rt_vec up) {
    const double slack = 0.01 * foot->leg; // for the sum of ankle and toes
    if (fabs(height_of(foot, model, up) - foot->ground) > slack) return;
    foot->foot_up = rt_add(foot->foot_up, rt_rotate_back(model[foot->foot].rotation, up));
    if (foot->toes != SINEW_NO_NODE)
        foot->toes_up = rt_add(foot->toes_up, rt_rotate_back(model[foot->toes].rotation, up));
    foot->height += rt_dot(model[foot->foot].position, up);
    foot->count++;
}

typedef struct planting {
    const sinew_asset *asset;
    const sinew_humanoid *humanoid;
    sinew_pose *work;
    rt_similarity *model;
    rt_vec up;
    planted_foot feet[2];
} planting;

// Poses a frame. Returns whether the body is upright.
static bool pose_frame(const planting *p, int32_t i) {
    sinewi_reference_sample(p->asset, sinewi_reference_frame_at(p->asset, i), p->work);
    sinewi_reference_models(p->work, p->model);
    const reference_body body = sinewi_reference_read_body(p->humanoid, p->model, p->asset->up);
    return sinewi_reference_is_upright(&body);
}

// The lowest twentieth may be noise, or a step into a hole, so it's skipped.
static void find_ground(planting *p) {
    for (int32_t i = 0; i < sinewi_reference_frame_count(p->asset); i++) {
        if (!pose_frame(p, i)) continue;
        for (int side = 0; side < 2; side++)
            if (stands(&p->feet[side], p->model, p->up))
                add_height(&p->feet[side], (float)height_of(&p->feet[side], p->model, p->up));
    }
    for (int side = 0; side < 2; side++) {
        planted_foot *foot = &p->feet[side];
        if (foot->height_count > 0) foot->ground = (double)foot->heights[foot->height_count / 20];
    }
}

static void add_frames(planting *p) {
    for (int32_t i = 0; i < sinewi_reference_frame_count(p->asset); i++) {
        if (!pose_frame(p, i)) continue;
        for (int side = 0; side < 2; side++)
            if (stands(&p->feet[side], p->model, p->up)) add_frame(&p->feet[side], p->model, p->up);
    }
}

// ---- The reference -------------------------------------------------------------------------------------------

// Rotates a node and everything below it by a model-space rotation. `model` [node_count] must match the pose.
static void turn_node(sinew_pose *pose, const rt_similarity *model, int32_t node, rt_quat by) {
    const rt_quat turned = rt_multiply(by, model[node].rotation);
    sinewi_reference_place(pose, model, node, model[node].position, turned);
}

// Turns a bone to point down.
static void straighten(const planting *p, sinew_pose *pose, int32_t from, int32_t to) {
    sinewi_reference_models(pose, p->model);
    const rt_vec bone = rt_subtract(p->model[to].position, p->model[from].position);
    turn_node(pose, p->model, from, rt_between(bone, rt_scale(p->up, -1.0)));
}

// Levels a node, given where up should be in its space. A node within 10 degrees stays. Returns whether it was turned.
static bool level_node(const planting *p, sinew_pose *pose, int32_t node, rt_vec node_up) {
    const double level = 0.985;
    sinewi_reference_models(pose, p->model);
    const rt_vec is = rt_rotate(p->model[node].rotation, rt_scale(node_up, 1.0 / rt_length(node_up)));
    if (!(rt_dot(is, p->up) < level)) return false;
    turn_node(pose, p->model, node, rt_between(is, p->up));
    return true;
}

// Whether frames show a planted foot, and agree about it.
static bool is_seen(const planted_foot *foot) {
    return foot->count > 0 && rt_length(foot->foot_up) > 0.9 * (double)foot->count;
}

static void level_feet(const planting *p, sinew_pose *pose, sinew_reference *reference) {
    for (int side = 0; side < 2; side++) {
        const planted_foot *foot = &p->feet[side];
        if (reference->kind == SINEW_REFERENCE_CLIP) { // the leg may be raised
            straighten(p, pose, foot->upper, foot->lower);
            straighten(p, pose, foot->lower, foot->foot);
        }
        if (level_node(p, pose, foot->foot, foot->foot_up)) reference->levels_feet = true;
        if (foot->toes != SINEW_NO_NODE) (void)level_node(p, pose, foot->toes, foot->toes_up);
        sinewi_reference_models(pose, p->model);
    }
    // The lower foot is the planted one. The other may never be planted.
    const planted_foot *foot = &p->feet[p->feet[1].ground < p->feet[0].ground];
    const double raised = foot->height / (double)foot->count - rt_dot(p->model[foot->foot].position, p->up);
    const bool is_trusted = reference->kind != SINEW_REFERENCE_CLIP && !reference->levels_feet;
    if (is_trusted && fabs(raised) < 0.02 * foot->leg) return;
    const int32_t hips = p->humanoid->nodes[SINEW_HUMANOID_HIPS];
    const rt_vec position = rt_add(p->model[hips].position, rt_scale(p->up, raised));
    sinewi_reference_place(pose, p->model, hips, position, p->model[hips].rotation);
    reference->raised = (float)raised;
}

void sinewi_reference_plant(const sinew_asset *asset, const sinew_humanoid *humanoid, sinew_pose *work,
                            rt_similarity *model, sinew_pose *pose, sinew_reference *reference) {
    planting p = {.asset = asset, .humanoid = humanoid, .work = work, .model = model, .up = rt_up(asset->up)};
    if (humanoid->nodes[SINEW_HUMANOID_HIPS] == SINEW_NO_NODE) return;
    sinew_pose_reset(work);
    sinewi_reference_models(work, model);
    if (!start_foot(humanoid, model, SINEW_HUMANOID_LEFT_UPPER_LEG, &p.feet[0]) ||
        !start_foot(humanoid, model, SINEW_HUMANOID_RIGHT_UPPER_LEG, &p.feet[1]))
        return;
    find_ground(&p);
    add_frames(&p);
    if (is_seen(&p.feet[0]) && is_seen(&p.feet[1])) level_feet(&p, pose, reference);
}
