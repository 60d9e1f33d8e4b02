// SPDX-License-Identifier: MIT
// The ground of a take is at the lowest node of its feet, in the lowest frames but for a few. The rest pose may float, or be
// sunk: many capture systems write any height there, and the motion says all. Retargeting measures heights from it.
#include "retargeting/ground.h"

#include <math.h>
#include <stdlib.h>

enum { SAMPLES = 128 };

typedef struct measure {
    const sinew_asset *asset;
    const sinew_humanoid *humanoid;
    sinew_affine *model;
} measure;

static sinew_vec3 position_of(const measure *m, int32_t role) {
    const sinew_affine *node = &m->model[m->humanoid->nodes[role]];
    return (sinew_vec3){node->m[0][3], node->m[1][3], node->m[2][3]};
}

static float height_of(const measure *m, int32_t node) {
    return m->model[node].m[m->asset->up == SINEW_UP_Z ? 2 : 1][3];
}

// The height of the lowest of the feet and their descendants.
static float lowest_foot(const measure *m) {
    static const int32_t feet[2] = {SINEW_HUMANOID_LEFT_FOOT, SINEW_HUMANOID_RIGHT_FOOT};
    float lowest = INFINITY;
    for (int side = 0; side < 2; side++) {
        const int32_t foot = m->humanoid->nodes[feet[side]];
        for (int32_t i = foot; i < m->asset->skeleton->subtree_ends[foot]; i++)
            if (height_of(m, i) < lowest) lowest = height_of(m, i);
    }
    return lowest;
}

static bool has_legs(const measure *m) {
    static const int32_t legs[4] = {SINEW_HUMANOID_LEFT_UPPER_LEG, SINEW_HUMANOID_LEFT_FOOT,
                                    SINEW_HUMANOID_RIGHT_UPPER_LEG, SINEW_HUMANOID_RIGHT_FOOT};
    const int32_t hips = m->humanoid->nodes[SINEW_HUMANOID_HIPS];
    for (int i = 0; i < 4; i++) {
        const int32_t node = m->humanoid->nodes[legs[i]];
        const bool is_below = node != SINEW_NO_NODE && hips != SINEW_NO_NODE && node > hips &&
                              node < m->asset->skeleton->subtree_ends[hips];
        if (!is_below) return false;
    }
    return true;
}

static int compare_floats(const void *a, const void *b) {
    const float first = *(const float *)a, second = *(const float *)b;
    return (first > second) - (first < second);
}

// The height of planted feet in the clip. Uses the pose for samples.
static float ground_of(const measure *m, const sinew_clip *clip, sinew_pose *pose) {
    float heights[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) {
        sinew_clip_sample(clip, clip->duration * (float)i / (SAMPLES - 1), pose);
        sinew_pose_to_model(pose, m->model);
        heights[i] = lowest_foot(m);
    }
    qsort(heights, SAMPLES, sizeof *heights, compare_floats);
    return heights[SAMPLES / 10]; // a step bends the foot: its lowest node is higher than when it stands
}

// Moves the hips along the vertical.
static void raise_hips(const measure *m, float by, sinew_pose *rest) {
    const int32_t hips = m->humanoid->nodes[SINEW_HUMANOID_HIPS], parent = m->asset->skeleton->parents[hips];
    sinew_vec3 position = position_of(m, SINEW_HUMANOID_HIPS);
    if (m->asset->up == SINEW_UP_Z) {
        position.z += by;
    } else {
        position.y += by;
    }
    if (parent != SINEW_NO_NODE) position = sinew_affine_point(sinew_affine_inverse(m->model[parent]), position);
    if (!isfinite(position.x) || !isfinite(position.y) || !isfinite(position.z)) return;
    rest->tx[hips] = position.x, rest->ty[hips] = position.y, rest->tz[hips] = position.z;
}

bool retargeting_stand_on_motion(const sinew_asset *asset, const sinew_humanoid *humanoid, sinew_pose *rest) {
    measure m = {asset, humanoid, NULL};
    if (asset->clip_count != 1 || !has_legs(&m)) return true;
    sinew_pose *pose;
    m.model = malloc((size_t)asset->skeleton->node_count * sizeof *m.model);
    if (!m.model || sinew_pose_create(asset->skeleton, NULL, &pose) != SINEW_OK) {
        free(m.model);
        return false;
    }
    const float ground = ground_of(&m, &asset->clips[0], pose);
    sinew_pose_to_model(rest, m.model);
    const sinew_vec3 leg = sinew_vec3_subtract(position_of(&m, SINEW_HUMANOID_LEFT_UPPER_LEG),
                                               position_of(&m, SINEW_HUMANOID_LEFT_FOOT));
    const float fifth = 0.2f * sinew_vec3_length(leg);
    if (fabsf(ground) < fifth) raise_hips(&m, ground - lowest_foot(&m), rest);
    sinew_pose_destroy(pose);
    free(m.model);
    return true;
}
