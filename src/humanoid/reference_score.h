// SPDX-License-Identifier: MIT
// Scores of reference poses, with what lowers them most.
#ifndef SINEWI_REFERENCE_SCORE_H
#define SINEWI_REFERENCE_SCORE_H

#include <sinew/humanoid/reference.h>

#include "humanoid/retarget_math.h"

typedef struct reference_score {
    float score;
    const char *fault; // the worst part, as a sentence without a period
} reference_score;

// Where the joints of a body are, by role. Undefined for absent roles.
typedef struct reference_body {
    const sinew_humanoid *humanoid;
    rt_vec up;
    rt_vec positions[SINEW_HUMANOID_ROLE_COUNT];
} reference_body;

// Computes the model transforms of all nodes: `model` [node_count].
void sinewi_reference_models(const sinew_pose *pose, rt_similarity *model);

// Sets a node in model space, given its parent's model transform: moved to `position`, turned to `rotation`.
void sinewi_reference_place(sinew_pose *pose, const rt_similarity *model, int32_t node, rt_vec position,
                            rt_quat rotation);

// Reads a body from these.
reference_body sinewi_reference_read_body(const sinew_humanoid *humanoid, const rt_similarity *model, sinew_up up);

// Returns the score of a pose.
reference_score sinewi_reference_judge(const reference_body *body);

// Returns the direction in which a body faces: level and unit, or 0 if nothing tells it.
rt_vec sinewi_reference_ahead(const reference_body *body);

// Returns the direction from the hips to the shoulders, unit.
rt_vec sinewi_reference_trunk(const reference_body *body);

// Returns whether the shoulders are above the hips, within 45 degrees.
bool sinewi_reference_is_upright(const reference_body *body);

#endif
