// SPDX-License-Identifier: MIT
// Characters for tests of retargeting: files with roles set by hand, and rigs derived from their skeletons. Forward
// kinematics is in double precision, without the code under test.
#ifndef RETARGET_RIG_H
#define RETARGET_RIG_H

#include "support/exact.h"

// ---- Characters ----------------------------------------------------------------------------------------------

typedef enum character_kind {
    HERO,
    KNIGHT,
    ROBOT,
    GAIT_HUMANOIDS, // have walk and run clips
    GOLEM = GAIT_HUMANOIDS,
    SPRITE,
    SCOUT,
    HUMANOIDS,
    ENEMY = HUMANOIDS,
    FOX,
    GREENMAN,
    KENNEY,
    CHARACTERS
} character_kind;

enum { BORROWED_CLIPS = 3 };

typedef struct character {
    sinew_asset *asset;
    const sinew_skeleton *skeleton;
    sinew_humanoid humanoid;              // for the first HUMANOIDS
    sinew_clip *borrowed[BORROWED_CLIPS]; // NULL if there aren't any
} character;

extern const char *const character_names[CHARACTERS];

// Returns false for a file that isn't the project's if SINEW_ASSETS isn't set.
bool load_character(character_kind kind, character *c);
void free_character(character *c);

// The file's or a borrowed clip of this name, which must exist.
const sinew_clip *clip_named(const character *c, const char *name);

// Retargets the hero's Walk, Run and Attack to a character that has no gaits.
void borrow_clips(character *c, const character *hero);

// Clip i, or NULL. The file's come first, then borrowed ones.
const sinew_clip *clip_at(const character *c, int32_t i);

// Sets a role to the node of this name, which must exist.
void set_role(sinew_humanoid *humanoid, const sinew_skeleton *skeleton, const char *role, const char *node);

// ---- Forward kinematics --------------------------------------------------------------------------------------

// A node's model transform: its matrix, and its rotation without any scales.
typedef struct exact_node {
    double m[3][4];
    exact_quat rotation;
} exact_node;

exact_vec3 exact_rotate(exact_quat q, exact_vec3 v);
exact_quat exact_unit(exact_quat q);

// [node_count]. The caller frees it.
exact_node *exact_model(const sinew_pose *pose);
exact_vec3 exact_position(const exact_node *node);

// The largest absolute coordinate, at least 1 mm.
double exact_size(const exact_node *nodes, int32_t count);

// The angle between two directions.
double angle_of_directions(exact_vec3 a, exact_vec3 b);

// ---- Derived rigs --------------------------------------------------------------------------------------------

// How a derived rig differs. Zeros change nothing, except for `scale`, which must be set.
typedef struct rig_change {
    const char *name;
    double scale;          // the character's
    double armature_scale; // if not 0, the scale of a node "Extra" above the hips, rotated by -90 degrees about X
    bool extra_root;       // adds a node above all others, rotated by -90 degrees about X
    bool faces_back;       // -Z
    bool z_up;
    bool other_axes;   // random axes for each node
    bool twist_joints; // between limbs' joints, and leaves
    bool renamed;
    bool reversed;      // reverses the order of children
    double arms_down;   // radians: rotates the upper arms towards the ground
    bool detached_feet; // makes the feet children of the node above the hips; not with an armature_scale
    double foot_length; // if not 0, relative to the original
} rig_change;

typedef struct derived_rig {
    sinew_skeleton *skeleton;
    sinew_humanoid humanoid;
    int32_t *node_of; // [the original's nodes]
    exact_quat *axes; // [the original's nodes]: the derived node's axes in the original's
    exact_quat facing;
} derived_rig;

derived_rig derive_rig(const sinew_skeleton *skeleton, const sinew_humanoid *humanoid, const rig_change *change);
void free_derived(derived_rig *rig);

#endif
