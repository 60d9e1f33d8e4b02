// SPDX-License-Identifier: MIT
// The measured skeletons.
#ifndef BENCH_RIG_H
#define BENCH_RIG_H

#include <sinew/skin.h>

// A person of 60 joints (spine, limbs with twist joints, five fingers of three joints on each hand), or the same with
// hair, a coat and a face: 200 joints. Metres, Y up, every joint in the skin.
sinew_skeleton *bench_rig_create(int32_t joint_count);

// Binds all nodes in their rest pose.
sinew_skin *bench_rig_bind(const sinew_skeleton *skeleton);

#endif
