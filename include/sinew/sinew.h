// SPDX-License-Identifier: MIT
/// Sinew: skeletal animation at run time. This header includes all headers of the core library, in the order of the
/// data flow: file -> asset -> mixer -> pose -> model matrices -> palette -> vertices. OpenGL is separate:
/// <sinew/gpu/gl.h>.
#ifndef SINEW_H
#define SINEW_H

#include "base.h"
#include "math.h"
#include "skeleton.h"
#include "pose.h"
#include "mask.h"
#include "clip.h"
#include "humanoid/humanoid.h"
#include "humanoid/vrm.h"
#include "body/clip_speed.h"
#include "blend_space.h"
#include "root_motion.h"
#include "body/warp.h"
#include "mixer.h"
#include "motion/graph.h"
#include "body/ik_chain.h"
#include "body/ik_body.h"
#include "body/ik.h"
#include "body/pose_warp.h"
#include "body/aim_offset.h"
#include "body/spring.h"
#include "body/foot_contact.h"
#include "humanoid/reference.h"
#include "humanoid/retarget.h"
#include "humanoid/mirror.h"
#include "motion/recording.h"
#include "skin.h"
#include "bounds.h"
#include "scene/cull.h"
#include "batch.h"
#include "asset.h"
#include "io/baked_asset.h"
#include "scene/pick.h"
#include "gpu/gpu_record.h"
#include "gpu/bake.h"
#include "gpu/shader.h"
#include "scene/scene.h"
#include "gltf.h"
#include "io/bvh.h"

#endif
