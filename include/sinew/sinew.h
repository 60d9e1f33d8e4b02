// SPDX-License-Identifier: MIT
/// Sinew is a runtime library for skeletal animation. This header includes its core, which loads files, plays and
/// blends clips, and skins meshes.
///
///     sinew_asset *asset;
///     sinew_error error;
///     if (sinew_gltf_load_file("hero.glb", NULL, &asset, &error) != SINEW_OK) return puts(error.message);
///     const sinew_clip *walk = sinew_asset_find_clip(asset, "Walk");
///     if (!walk || asset->skin_count == 0) return puts("hero.glb: needs a skin, and a clip Walk");
///     const sinew_skin *skin = &asset->skins[0];
///     sinew_affine *palette = malloc((size_t)skin->joint_count * sizeof *palette);
///     sinew_mixer_def def = sinew_mixer_default();
///     def.skeleton = asset->skeleton;
///     sinew_mixer *mixer;
///     if (sinew_mixer_create(&def, &mixer, &error) != SINEW_OK) return puts(error.message);
///     sinew_mixer_crossfade_to(mixer, sinew_clip_source(walk), 0.2f, NULL);
///
///     // Every frame:
///     sinew_mixer_update(mixer, dt);
///     sinew_skin_palette(skin, sinew_mixer_model_matrices(mixer), palette); // for the GPU, or for sinew_skin_vertices
///
///     sinew_mixer_destroy(mixer); // before the asset
///     sinew_asset_destroy(asset);
///     free(palette);
///
/// The headers follow the data: file -> asset -> mixer -> pose -> model matrices -> palette -> vertices.
/// <sinew/all.h> adds the tiers above the core: body, humanoid, scene, gpu, io and motion. OpenGL has its own
/// header, <sinew/gpu/gl.h>.
///
/// During development, use a library that was built without NDEBUG, such as CMake's Debug configuration. It asserts
/// if you pass invalid arguments to functions that can't fail. With NDEBUG, you don't get a message: most of these
/// calls do nothing, but some have undefined behavior (see base.h).
#ifndef SINEW_H
#define SINEW_H

#include "base.h"        // results, errors, allocators
#include "math.h"        // vectors, quaternions, transforms, matrices
#include "gltf.h"        // loads .glb and .gltf files
#include "asset.h"       // what a file contains
#include "skeleton.h"    // node hierarchies
#include "clip.h"        // keyframe animation
#include "blend_space.h" // clips blended by parameters
#include "mask.h"        // part of a skeleton
#include "mixer.h"       // plays, fades and layers clips
#include "mixer_pose.h"  // splits a mixer's frame, so you can edit the pose
#include "root_motion.h" // how far the character moves each frame
#include "pose.h"        // local transforms and model matrices
#include "skin.h"        // palettes and CPU skinning
#include "bounds.h"      // bounding boxes for poses
#include "batch.h"       // many characters at once

#endif
