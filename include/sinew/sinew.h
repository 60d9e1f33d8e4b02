// SPDX-License-Identifier: MIT
/// Sinew: skeletal animation at run time. This header includes all headers of the core library, in the order of the
/// data flow: file -> asset -> mixer -> pose -> model matrices -> palette -> vertices. OpenGL is separate:
/// <sinew/gl.h>.
#ifndef SINEW_H
#define SINEW_H

#include "base.h"
#include "math.h"
#include "skeleton.h"
#include "pose.h"
#include "mask.h"
#include "clip.h"
#include "humanoid.h"
#include "vrm.h"
#include "clip_speed.h"
#include "blend_space.h"
#include "root_motion.h"
#include "warp.h"
#include "mixer.h"
#include "graph.h"
#include "ik_chain.h"
#include "ik_body.h"
#include "ik.h"
#include "pose_warp.h"
#include "aim_offset.h"
#include "spring.h"
#include "foot_contact.h"
#include "reference.h"
#include "retarget.h"
#include "mirror.h"
#include "recording.h"
#include "skin.h"
#include "bounds.h"
#include "cull.h"
#include "batch.h"
#include "asset.h"
#include "baked_asset.h"
#include "pick.h"
#include "gpu_record.h"
#include "bake.h"
#include "shader.h"
#include "scene.h"
#include "gltf.h"
#include "bvh.h"

#endif
