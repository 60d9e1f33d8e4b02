// SPDX-License-Identifier: MIT
// The measured skeletons.
#ifndef BENCH_RIG_H
#define BENCH_RIG_H

#include <sinew/skin.h>

// Creates a person with 60 joints (spine, limbs with twist joints, five fingers with three joints per hand), or 200
// joints with hair, a coat and a face. In meters, Y up, with every joint in the skin.
sinew_skeleton *bench_rig_create(int32_t joint_count);

// Binds all nodes in their rest pose.
sinew_skin *bench_rig_bind(const sinew_skeleton *skeleton);

#endif
