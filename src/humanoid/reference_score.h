// SPDX-License-Identifier: MIT
// Scores of reference poses, and what lowers them most.
#ifndef SINEWI_REFERENCE_SCORE_H
#define SINEWI_REFERENCE_SCORE_H

#include <sinew/humanoid/reference.h>

#include "humanoid/retarget_math.h"

typedef struct reference_score {
    float score;
    const char *fault; // the worst part, as a sentence without a period
} reference_score;

// Joint positions of a body, by role. Undefined for absent roles.
typedef struct reference_body {
    const sinew_humanoid *humanoid;
    rt_vec up;
    rt_vec positions[SINEW_HUMANOID_ROLE_COUNT];
} reference_body;

// Computes the model transforms of all nodes into `model` [node_count].
void sinewi_reference_models(const sinew_pose *pose, rt_similarity *model);

// Moves a node to a position and rotation in model space, given its parent's model transform.
void sinewi_reference_place(sinew_pose *pose, const rt_similarity *model, int32_t node, rt_vec position,
                            rt_quat rotation);

// Reads a body from model transforms.
reference_body sinewi_reference_read_body(const sinew_humanoid *humanoid, const rt_similarity *model, sinew_up up);

// Returns a pose's score.
reference_score sinewi_reference_judge(const reference_body *body);

// Returns the direction that a body faces: horizontal and unit length, or 0 if nothing shows it.
rt_vec sinewi_reference_ahead(const reference_body *body);

// Returns the unit direction from the hips to the shoulders.
rt_vec sinewi_reference_trunk(const reference_body *body);

// Returns whether the shoulders are above the hips, within 45 degrees.
bool sinewi_reference_is_upright(const reference_body *body);

#endif
