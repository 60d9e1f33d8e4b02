// SPDX-License-Identifier: MIT
// Follows the soles' points, and adds up how far the points near the ground move from frame to frame.
#include "cli/retarget_slide.h"

#include <sinew/body/feet.h>

#include <math.h>
#include <stdlib.h>

#define RATE       30.0
#define MAX_FRAMES 4096
#define LOW        0.02 // fraction of the character's height

// A clip's soles in every frame.
typedef struct soles {
    sinew_feet feet;
    int32_t frame_count;
    double step;        // seconds
    sinew_vec3 *points; // [frame_count × foot_count × SINEW_MAX_FOOT_POINTS]
} soles;

static sinew_vec3 *points_of(const soles *s, int32_t frame, int32_t foot) {
    return s->points + ((size_t)frame * (size_t)s->feet.foot_count + (size_t)foot) * SINEW_MAX_FOOT_POINTS;
}

// Returns false if memory runs out.
static bool follow(soles *s, const sinew_clip *clip) {
    sinew_pose *pose = NULL;
    sinew_affine *model = malloc((size_t)clip->skeleton->node_count * sizeof *model);
    s->points =
        malloc((size_t)s->frame_count * (size_t)s->feet.foot_count * SINEW_MAX_FOOT_POINTS * sizeof *s->points);
    const bool has_memory = model && s->points && sinew_pose_create(clip->skeleton, NULL, &pose) == SINEW_OK;
    for (int32_t f = 0; has_memory && f < s->frame_count; f++) {
        sinew_clip_sample(clip, (float)(s->step * (double)f), pose);
        sinew_pose_to_model(pose, model);
        for (int32_t i = 0; i < s->feet.foot_count; i++) {
            const sinew_foot *foot = &s->feet.feet[i];
            for (int32_t k = 0; k < foot->point_count; k++)
                points_of(s, f, i)[k] = sinew_affine_point(model[foot->points[k].node], foot->points[k].point);
        }
    }
    sinew_pose_destroy(pose);
    free(model);
    return has_memory;
}

// Returns a foot's lowest point in a frame.
static int32_t lowest_at(const soles *s, int32_t frame, int32_t foot) {
    const sinew_vec3 *points = points_of(s, frame, foot);
    int32_t lowest = 0;
    for (int32_t k = 1; k < s->feet.feet[foot].point_count; k++)
        if (points[k].y < points[lowest].y) lowest = k;
    return lowest;
}

// Adds how far a foot's lowest point moves while it's near the ground, and for how long.
static void add_slide(const soles *s, int32_t foot, double *distance, double *seconds) {
    float ground = INFINITY;
    for (int32_t f = 0; f < s->frame_count; f++)
        ground = fminf(ground, points_of(s, f, foot)[lowest_at(s, f, foot)].y);
    const float low = ground + (float)LOW * s->feet.height;
    for (int32_t f = 0; f + 1 < s->frame_count; f++) {
        const int32_t k = lowest_at(s, f, foot);
        const sinew_vec3 from = points_of(s, f, foot)[k], to = points_of(s, f + 1, foot)[k];
        if (from.y > low || to.y > low) continue;
        *distance += hypot((double)to.x - (double)from.x, (double)to.z - (double)from.z);
        *seconds += s->step;
    }
}

double cli_retarget_slide(const sinew_clip *clip, const sinew_humanoid *humanoid) {
    soles s = {.step = 1.0 / RATE};
    const int32_t nodes[] = {humanoid->nodes[SINEW_HUMANOID_LEFT_FOOT], humanoid->nodes[SINEW_HUMANOID_RIGHT_FOOT]};
    if (sinew_feet_from_nodes(clip->skeleton, nodes, 2, SINEW_UP_Y, &s.feet, NULL) != SINEW_OK) return -1.0;
    if ((double)clip->duration * RATE > MAX_FRAMES) s.step = (double)clip->duration / MAX_FRAMES;
    s.frame_count = (int32_t)((double)clip->duration / s.step) + 1;
    double distance = 0.0, seconds = 0.0;
    const bool has_memory = follow(&s, clip);
    for (int32_t i = 0; has_memory && i < s.feet.foot_count; i++) add_slide(&s, i, &distance, &seconds);
    free(s.points);
    return seconds > 0.0 ? distance / seconds : -1.0;
}
