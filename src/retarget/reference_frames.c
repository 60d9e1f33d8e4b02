// SPDX-License-Identifier: MIT
// Frames of an asset's clips, spread evenly, and what they show of the feet.
//
// Many rest poses have feet that point down, or stand on no ground. A planted foot has a level sole: it is the lowest that
// it gets, does not move, and is below an upright body. Where up is in the foot's own space, on the mean of these frames, tells how to
// turn the foot of the rest pose.
#include "retarget/reference_frames.h"

#include "retarget/reference_score.h"

// ---- Frames --------------------------------------------------------------------------------------------------

// A clip with one frame counts as much as this.
#define LEAST_DURATION 0.05f

static float duration_of(const sinew_clip *clip) {
    return clip->duration > LEAST_DURATION ? clip->duration : LEAST_DURATION;
}

static int32_t first_frames(const sinew_asset *asset) {
    return asset->clip_count < SINEW_REFERENCE_FRAMES / 4 ? asset->clip_count : SINEW_REFERENCE_FRAMES / 4;
}

int32_t sinew_reference_frame_count(const sinew_asset *asset) {
    return asset->clip_count > 0 ? SINEW_REFERENCE_FRAMES : 0;
}

reference_frame sinew_reference_frame_at(const sinew_asset *asset, int32_t i) {
    const int32_t first = first_frames(asset);
    if (i < first) return (reference_frame){i, 0.0f};
    float total = 0.0f;
    for (int32_t c = 0; c < asset->clip_count; c++) total += duration_of(&asset->clips[c]);
    float at = total * ((float)(i - first) + 0.5f) / (float)(SINEW_REFERENCE_FRAMES - first);
    int32_t clip = 0;
    for (; clip + 1 < asset->clip_count && at >= duration_of(&asset->clips[clip]); clip++)
        at -= duration_of(&asset->clips[clip]);
    return (reference_frame){clip, at};
}

void sinew_reference_sample(const sinew_asset *asset, reference_frame frame, sinew_pose *pose) {
    sinew_pose_reset(pose);
    sinew_clip_sample(&asset->clips[frame.clip], frame.time, pose);
}

// ---- Planted feet --------------------------------------------------------------------------------------------

// A foot in all frames.
typedef struct planted_foot {
    int32_t upper, foot, toes; // nodes; toes may be SINEW_NO_NODE
    double leg;                // its length
    double lowest;             // height of the ankle and the toes in the lowest frame, added
    rt_vec foot_up, toes_up;   // sums of up, in the spaces of both nodes
    double height;             // sum of the heights of the ankle
    int32_t count;
} planted_foot;

static double bone_length(const rt_similarity *model, int32_t from, int32_t to) {
    return rt_length(rt_subtract(model[to].position, model[from].position));
}

// False if the leg is not complete.
static bool start_foot(const sinew_humanoid *humanoid, const rt_similarity *rest, int32_t upper,
                       planted_foot *foot) {
    const int32_t *nodes = &humanoid->nodes[upper];
    if (nodes[0] == SINEW_NO_NODE || nodes[1] == SINEW_NO_NODE || nodes[2] == SINEW_NO_NODE) return false;
    *foot = (planted_foot){.upper = nodes[0], .foot = nodes[2], .toes = nodes[3], .lowest = (double)INFINITY};
    foot->leg = bone_length(rest, nodes[0], nodes[1]) + bone_length(rest, nodes[1], nodes[2]);
    return foot->leg > 0.0;
}

// The heights of ankle and toes, added: lowest where the sole is flat on the ground.
static double height_of(const planted_foot *foot, const rt_similarity *model, rt_vec up) {
    const double ankle = rt_dot(model[foot->foot].position, up);
    return ankle + (foot->toes == SINEW_NO_NODE ? ankle : rt_dot(model[foot->toes].position, up));
}

// Whether a leg stands: its foot is more than half a leg below its start.
static bool stands(const planted_foot *foot, const rt_similarity *model, rt_vec up) {
    return rt_dot(rt_subtract(model[foot->upper].position, model[foot->foot].position), up) > 0.5 * foot->leg;
}

static void add_frame(planted_foot *foot, const rt_similarity *model, rt_vec up) {
    const double slack = 0.04; // of the leg, for ankle and toes together
    if (height_of(foot, model, up) > foot->lowest + slack * foot->leg) return;
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

// Poses a frame, and says whether the body is upright.
static bool pose_frame(const planting *p, int32_t i) {
    sinew_reference_sample(p->asset, sinew_reference_frame_at(p->asset, i), p->work);
    sinew_reference_models(p->work, p->model);
    const reference_body body = sinew_reference_read_body(p->humanoid, p->model, p->asset->up);
    return sinew_reference_is_upright(&body);
}

static void find_lowest(planting *p) {
    for (int32_t i = 0; i < sinew_reference_frame_count(p->asset); i++) {
        if (!pose_frame(p, i)) continue;
        for (int side = 0; side < 2; side++) {
            planted_foot *foot = &p->feet[side];
            const double height = height_of(foot, p->model, p->up);
            if (height < foot->lowest && stands(foot, p->model, p->up)) foot->lowest = height;
        }
    }
}

static void add_frames(planting *p) {
    for (int32_t i = 0; i < sinew_reference_frame_count(p->asset); i++) {
        if (!pose_frame(p, i)) continue;
        for (int side = 0; side < 2; side++)
            if (stands(&p->feet[side], p->model, p->up)) add_frame(&p->feet[side], p->model, p->up);
    }
}

// ---- The reference -------------------------------------------------------------------------------------------

// Turns a node, given where up should be in its space. Returns the cosine of the angle, or 1 if it stays.
static double level_node(const planting *p, sinew_pose *pose, int32_t node, rt_vec node_up) {
    const double level = 0.985; // within 10 degrees
    sinew_reference_models(pose, p->model);
    const rt_quat rotation = p->model[node].rotation;
    const rt_vec is = rt_rotate(rotation, rt_scale(node_up, 1.0 / rt_length(node_up)));
    const double cosine = rt_dot(is, p->up);
    if (!(cosine < level)) return 1.0;
    const rt_quat turned = rt_multiply(rt_between(is, p->up), rotation);
    const int32_t parent = pose->skeleton->parents[node];
    const rt_quat above = parent == SINEW_NO_NODE ? rt_identity() : p->model[parent].rotation;
    const rt_quat local = rt_normalize(rt_multiply(rt_conjugate(above), turned));
    pose->rx[node] = (float)local.x, pose->ry[node] = (float)local.y;
    pose->rz[node] = (float)local.z, pose->rw[node] = (float)local.w;
    return cosine;
}

// Raises the pose: by the node above the hips that has no parent.
static void raise_pose(sinew_pose *pose, int32_t hips, rt_vec by) {
    while (pose->skeleton->parents[hips] != SINEW_NO_NODE) hips = pose->skeleton->parents[hips];
    const rt_vec root = rt_add(rt_pose_translation(pose, hips), by);
    pose->tx[hips] = (float)root.x, pose->ty[hips] = (float)root.y, pose->tz[hips] = (float)root.z;
}

// Whether frames show a foot planted, and agree on how it is.
static bool is_seen(const planted_foot *foot) {
    return foot->count > 0 && rt_length(foot->foot_up) > 0.9 * (double)foot->count;
}

static void level_feet(const planting *p, sinew_pose *pose, sinew_reference *reference) {
    double raised = 0.0;
    for (int side = 0; side < 2; side++) {
        const planted_foot *foot = &p->feet[side];
        const double turned = level_node(p, pose, foot->foot, foot->foot_up);
        if (foot->toes != SINEW_NO_NODE) (void)level_node(p, pose, foot->toes, foot->toes_up);
        reference->levels_feet = reference->levels_feet || turned < 1.0;
        raised += 0.5 * (foot->height / (double)foot->count - rt_dot(p->model[foot->foot].position, p->up));
    }
    if (fabs(raised) < 0.02 * p->feet[0].leg) return;
    raise_pose(pose, p->humanoid->nodes[SINEW_HUMANOID_HIPS], rt_scale(p->up, raised));
    reference->raised = (float)raised;
}

void sinew_reference_plant(const sinew_asset *asset, const sinew_humanoid *humanoid, sinew_pose *work,
                           rt_similarity *model, sinew_pose *pose, sinew_reference *reference) {
    planting p = {.asset = asset, .humanoid = humanoid, .work = work, .model = model, .up = rt_up(asset->up)};
    sinew_pose_reset(work);
    sinew_reference_models(work, model);
    if (!start_foot(humanoid, model, SINEW_HUMANOID_LEFT_UPPER_LEG, &p.feet[0]) ||
        !start_foot(humanoid, model, SINEW_HUMANOID_RIGHT_UPPER_LEG, &p.feet[1]))
        return;
    find_lowest(&p);
    add_frames(&p);
    if (is_seen(&p.feet[0]) && is_seen(&p.feet[1])) level_feet(&p, pose, reference);
}
