// SPDX-License-Identifier: MIT
// The checks of roles by a pose.
#ifndef SINEW_HUMANOID_SHAPE_H
#define SINEW_HUMANOID_SHAPE_H

#include <sinew/humanoid.h>
#include <sinew/pose.h>

// The position of a node in model space, in a pose; NULL: the rest pose.
sinew_vec3 sinew_humanoid_position(const sinew_skeleton *skeleton, const sinew_pose *pose, int32_t node);

// Whether `node` is `ancestor` or one of its descendants.
bool sinew_humanoid_is_below(const sinew_skeleton *skeleton, int32_t node, int32_t ancestor);

void sinew_humanoid_report_init(sinew_humanoid_report *report);

void sinew_humanoid_add_finding(sinew_humanoid_report *report, sinew_humanoid_finding_kind kind,
                                const sinew_humanoid *humanoid, int32_t role, int32_t other);

// Multiplies the confidence of a role.
void sinew_humanoid_lower(sinew_humanoid_report *report, int32_t role, float factor);

// Runs the checks in a pose and sets the score; NULL: the rest pose. Confidences and evidence of the roles are set.
void sinew_humanoid_judge(const sinew_skeleton *skeleton, const sinew_pose *pose, sinew_up up,
                          const sinew_humanoid *humanoid, sinew_humanoid_report *report);

// sinew_humanoid_guess in a pose; NULL: the rest pose.
sinew_result sinew_humanoid_guess_in(const sinew_skeleton *skeleton, const sinew_pose *pose, sinew_up up,
                                     const sinew_allocator *allocator, sinew_humanoid *humanoid,
                                     sinew_humanoid_report *report, sinew_error *error);

// sinew_humanoid_check in a pose; NULL: the rest pose.
sinew_result sinew_humanoid_check_in(const sinew_skeleton *skeleton, const sinew_pose *pose, sinew_up up,
                                     const sinew_humanoid *humanoid, sinew_humanoid_report *report,
                                     sinew_error *error);

#endif
