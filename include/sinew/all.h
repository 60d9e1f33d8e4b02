// SPDX-License-Identifier: MIT
/// Includes all of Sinew except OpenGL (<sinew/gpu/gl.h>): the core (<sinew/sinew.h>) and the tiers above it.
///
/// To leave a tier out, define SINEW_NO_BODY, SINEW_NO_HUMANOID, SINEW_NO_SCENE, SINEW_NO_GPU, SINEW_NO_IO or
/// SINEW_NO_MOTION.
#ifndef SINEW_ALL_H
#define SINEW_ALL_H

#include "sinew.h"

#if defined(SINEW_NO_BODY) && !(defined(SINEW_NO_HUMANOID) && defined(SINEW_NO_SCENE))
#error "SINEW_NO_BODY needs SINEW_NO_HUMANOID and SINEW_NO_SCENE: they use the body tier"
#endif
#if defined(SINEW_NO_HUMANOID) && !(defined(SINEW_NO_IO) && defined(SINEW_NO_MOTION))
#error "SINEW_NO_HUMANOID needs SINEW_NO_IO and SINEW_NO_MOTION: baked assets and graphs hold humanoids"
#endif

// Body, which runs after the mixer: inverse kinematics, feet, warps, aiming, springs.
#ifndef SINEW_NO_BODY
#include "body/ik_chain.h"
#include "body/ik_body.h"
#include "body/ik.h"
#include "body/feet.h"
#include "body/foot_lock.h"
#include "body/foot_placement.h"
#include "body/root_warp.h"
#include "body/pose_warp.h"
#include "body/aim_offset.h"
#include "body/spring.h"
#endif

// Humanoids: roles, retargeting, mirroring, VRM avatars.
#ifndef SINEW_NO_HUMANOID
#include "humanoid/humanoid.h"
#include "humanoid/reference.h"
#include "humanoid/retarget.h"
#include "humanoid/mirror.h"
#include "humanoid/vrm.h"
#endif

// Scenes: cameras, attachments, culling, picking.
#ifndef SINEW_NO_SCENE
#include "scene/camera.h"
#include "scene/cull.h"
#include "scene/pick.h"
#include "scene/scene.h"
#endif

// GPU data: matrix records, animation textures, shader source code.
#ifndef SINEW_NO_GPU
#include "gpu/gpu_record.h"
#include "gpu/bake.h"
#include "gpu/shader.h"
#endif

// Other file formats: motion capture, baked assets.
#ifndef SINEW_NO_IO
#include "io/bvh.h"
#include "io/baked_asset.h"
#endif

// Behavior: snapshots, crowds, animation graphs, rigs, characters, recordings.
#ifndef SINEW_NO_MOTION
#include "motion/mixer_snapshot.h"
#include "motion/crowd.h"
#include "motion/graph.h"
#include "motion/rig.h"
#include "motion/animator.h"
#include "motion/character.h"
#include "motion/character_crowd.h"
#include "motion/recording.h"
#include "motion/character_recording.h"
#endif

#endif
