// SPDX-License-Identifier: MIT
// Characters for tests of retargeting: files with roles by hand, rigs derived from their skeletons, and forward kinematics
// in double precision, without the code under test.
#ifndef RETARGET_RIG_H
#define RETARGET_RIG_H

#include "support/exact.h"

// ---- Characters ----------------------------------------------------------------------------------------------

typedef enum character_kind {
    HERO,
    KNIGHT,
    ROBOT,
    GAIT_HUMANOIDS, // have clips of a walk and a run
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
    sinew_humanoid humanoid;              // of the first HUMANOIDS
    sinew_clip *borrowed[BORROWED_CLIPS]; // NULL: none
} character;

extern const char *const character_names[CHARACTERS];

// False if the file is not the project's and SINEW_ASSETS is not set.
bool load_character(character_kind kind, character *c);
void free_character(character *c);

// The clip of that name, of the file or borrowed, which must exist.
const sinew_clip *clip_named(const character *c, const char *name);

// Retargets Walk, Run and Attack of the hero, for a character that has no gaits of its own.
void borrow_clips(character *c, const character *hero);

// Clip i: those of the file, then borrowed ones; or NULL.
const sinew_clip *clip_at(const character *c, int32_t i);

// Sets the role of the node of that name, which must exist.
void set_role(sinew_humanoid *humanoid, const sinew_skeleton *skeleton, const char *role, const char *node);

// ---- Forward kinematics --------------------------------------------------------------------------------------

// The model transform of a node: its matrix, and its rotation as if no node had a scale.
typedef struct exact_node {
    double m[3][4];
    exact_quat rotation;
} exact_node;

exact_vec3 exact_rotate(exact_quat q, exact_vec3 v);
exact_quat exact_unit(exact_quat q);

// [node_count], to be freed.
exact_node *exact_model(const sinew_pose *pose);
exact_vec3 exact_position(const exact_node *node);

// The largest absolute coordinate, at least 1 mm.
double exact_size(const exact_node *nodes, int32_t count);

// The angle between two directions.
double angle_of_directions(exact_vec3 a, exact_vec3 b);

// ---- Derived rigs --------------------------------------------------------------------------------------------

// What a derived rig has of its own. Zeros change nothing, but for `scale`, which must be set.
typedef struct rig_change {
    const char *name;
    double scale;          // of the character
    double armature_scale; // not 0: of a node "Extra" above the hips, rotated by -90 degrees about X
    bool extra_root;       // a node above all others, rotated by -90 degrees about X
    bool faces_back;       // -Z
    bool z_up;
    bool other_axes;   // of each node: random
    bool twist_joints; // between the joints of limbs, and leaves
    bool renamed;
    bool reversed;      // the order of children
    double arms_down;   // radians: upper arms are rotated towards the ground
    bool detached_feet; // children of the node above the hips; not with an armature_scale
    double foot_length; // not 0: relative to the original
} rig_change;

typedef struct derived_rig {
    sinew_skeleton *skeleton;
    sinew_humanoid humanoid;
    int32_t *node_of; // [nodes of the original]
    exact_quat *axes; // [nodes of the original]: the derived node's axes in the original's
    exact_quat facing;
} derived_rig;

derived_rig derive_rig(const sinew_skeleton *skeleton, const sinew_humanoid *humanoid, const rig_change *change);
void free_derived(derived_rig *rig);

#endif
