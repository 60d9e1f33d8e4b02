// SPDX-License-Identifier: MIT
// Checks roles against positions.
#ifndef SINEWI_HUMANOID_SHAPE_H
#define SINEWI_HUMANOID_SHAPE_H

#include <sinew/humanoid/humanoid.h>

// A node's position in model space, from `positions` [node_count] or, if that is NULL, in the rest pose.
sinew_vec3 sinewi_humanoid_position(const sinew_skeleton *skeleton, const sinew_vec3 *positions, int32_t node);

// Whether `node` is `ancestor` or one of its descendants.
bool sinewi_humanoid_is_below(const sinew_skeleton *skeleton, int32_t node, int32_t ancestor);

void sinewi_humanoid_report_init(sinew_humanoid_report *report);

void sinewi_humanoid_add_finding(sinew_humanoid_report *report, sinew_humanoid_finding_kind kind,
                                 const sinew_humanoid *humanoid, int32_t role, int32_t other);

// Multiplies a role's confidence by a factor.
void sinewi_humanoid_lower(sinew_humanoid_report *report, int32_t role, float factor);

// Runs the checks and computes the score, by `positions` or, if NULL, the rest pose. Set the roles' confidences
// and evidence first.
void sinewi_humanoid_judge(const sinew_skeleton *skeleton, const sinew_vec3 *positions, sinew_up up,
                           const sinew_humanoid *humanoid, sinew_humanoid_report *report);

// Like sinew_humanoid_guess, but by `positions` or, if NULL, the rest pose.
sinew_result sinewi_humanoid_guess_in(const sinew_skeleton *skeleton, const sinew_vec3 *positions, sinew_up up,
                                      const sinew_allocator *allocator, sinew_humanoid *humanoid,
                                      sinew_humanoid_report *report, sinew_error *error);

#endif
