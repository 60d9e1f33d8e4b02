// SPDX-License-Identifier: MIT
/// Sinew: skeletal animation at run time. This header is the core: load a file, play and blend its clips, skin its
/// meshes.
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
///     // In each frame:
///     sinew_mixer_update(mixer, dt);
///     sinew_skin_palette(skin, sinew_mixer_model_matrices(mixer), palette); // for the GPU, or for sinew_skin_vertices
///
///     sinew_mixer_destroy(mixer); // before what it plays
///     sinew_asset_destroy(asset);
///     free(palette);
///
/// The headers, in the order of the flow: file -> asset -> mixer -> pose -> model matrices -> palette -> vertices.
/// <sinew/all.h> adds the tiers above, body, humanoid, scene, gpu, io and motion, but not OpenGL: <sinew/gpu/gl.h>.
///
/// While you develop, use a library that was built without NDEBUG (CMake's Debug): it stops at wrong arguments of calls
/// that cannot fail. With NDEBUG most of them do nothing, without a message.
#ifndef SINEW_H
#define SINEW_H

#include "base.h"        // results, errors, allocators
#include "math.h"        // vectors, quaternions, transforms, matrices
#include "gltf.h"        // load a .glb or .gltf file ...
#include "asset.h"       // ... and read what it holds
#include "skeleton.h"    // the nodes of a file
#include "clip.h"        // motions
#include "blend_space.h" // motions blended by a parameter
#include "mask.h"        // a part of a skeleton
#include "mixer.h"       // plays, fades, layers
#include "mixer_pose.h"  // the frame in parts, to edit the pose in between
#include "root_motion.h" // how far a step moves the character
#include "pose.h"        // local transforms, and model matrices from them
#include "skin.h"        // palettes, and vertices on the CPU
#include "bounds.h"      // boxes around poses
#include "batch.h"       // many characters at a time

#endif
