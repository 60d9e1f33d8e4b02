// SPDX-License-Identifier: MIT
// sprite.h - the parts of the sprite's source.
#ifndef MODELS_SPRITE_H
#define MODELS_SPRITE_H

#include "body.h"

/// The meshes of the file. Face has the morph targets.
enum sprite_mesh { SPRITE_BODY, SPRITE_FACE, SPRITE_HAIR, SPRITE_MESHES };

enum sprite_feature { EYE, LASHES, BROW, LIPS, MOUTH };

/// The vertices of a feature of the face that expressions move.
typedef struct sprite_region {
    enum sprite_feature feature;
    int side; ///< 0: left, 1: right
    int part; ///< that it is grown from
    size_t first, count;
} sprite_region;

enum { SPRITE_REGIONS = 16 };

typedef struct sprite_face {
    int skin; ///< the part
    sprite_region regions[SPRITE_REGIONS];
    int region_count;
} sprite_face;

sprite_face sprite_add_face(parts *all, const rig *r);
void sprite_add_hair(parts *all, const rig *r);

enum sprite_morph {
    BLINK_L,
    BLINK_R,
    SMILE_L,
    SMILE_R,
    VOWEL_A,
    VOWEL_I,
    VOWEL_U,
    VOWEL_E,
    VOWEL_O,
    BROWS_UP,
    BROWS_SAD,
    BROWS_ANGRY,
    MOUTH_SMILE,
    MOUTH_SAD,
    SPRITE_MORPHS
};

extern const char *const sprite_morph_names[SPRITE_MORPHS];

/// Adds the irises to the grown face, closes its mouth, which is grown open, and computes the offsets of all morph
/// targets: arrays of the vertex count, which the caller frees.
void sprite_finish_face(mesh *face, const rig *r, const parts *all, sprite_face *f, vec3 *offsets[SPRITE_MORPHS]);

/// The name of a joint in the file.
void sprite_node_name(char *to, size_t size, const joint *j);

/// Adds the VRM data. `nodes` are those of the joints, `meshes` those of the meshes.
void sprite_add_vrm(glb *g, const rig *r, const int *nodes, const int *meshes);

#endif
