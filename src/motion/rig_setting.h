// SPDX-License-Identifier: MIT
// The settings of each kind of step: their keys in a file, where they are in sinew_rig_step, and what they may be. The
// reader and the check of structs use the same tables.
#ifndef SINEWI_RIG_SETTING_H
#define SINEWI_RIG_SETTING_H

#include <sinew/motion/rig.h>

// What a setting is.
typedef enum sinewi_setting_type {
    SINEWI_SETTING_NUMBER,    // a float from `min` to `max`
    SINEWI_SETTING_VECTOR,    // three finite floats
    SINEWI_SETTING_STRING,    // a text
    SINEWI_SETTING_INPUT,     // the step's input, a parameter of one of `types`
    SINEWI_SETTING_GOAL,      // the goal or the pole, from a node or a parameter of one of `types`
    SINEWI_SETTING_NODE,      // the step's next node
    SINEWI_SETTING_NODES,     // all of them, as an array
    SINEWI_SETTING_METHOD,    // of a chain
    SINEWI_SETTING_RESTARTS,  // of a chain
    SINEWI_SETTING_END,       // what a limb's end does
    SINEWI_SETTING_GRID,      // of an aim offset: yaws and pitches
    SINEWI_SETTING_CLIPS,     // of an aim offset
    SINEWI_SETTING_MASK,      // of an aim offset
    SINEWI_SETTING_EFFECTORS, // of a body
    SINEWI_SETTING_CHAINS,    // of springs
    SINEWI_SETTING_COLLIDERS  // of springs
} sinewi_setting_type;

// Sets of parameter types, as sums of 1 << sinew_parameter_type.
enum {
    SINEWI_TRANSFORMS = 1 << SINEW_PARAMETER_TRANSFORM,
    SINEWI_PLACES = SINEWI_TRANSFORMS | 1 << SINEW_PARAMETER_VECTOR3
};

typedef struct sinewi_rig_setting {
    const char *name; // the key; NULL ends a list
    sinewi_setting_type type;
    size_t offset;  // in sinew_rig_step
    float min, max; // of a number; FLT_MAX means that there's no upper limit
    int types;      // of a goal's or input's parameter
    bool required;  // in a file
} sinewi_rig_setting;

typedef struct sinewi_rig_kind {
    const char *word;                   // the key of the settings' object
    const char *owner;                  // for messages, such as "a limb"
    const sinewi_rig_setting *settings; // in the order in which they are read
    const char *node_rule;              // which nodes it takes, for messages
    int least_nodes, most_nodes;
} sinewi_rig_kind;

#define SINEWI_RIG_KIND_COUNT (SINEW_RIG_CALLBACK + 1)

// Returns a kind, which must exist.
const sinewi_rig_kind *sinewi_rig_kind_of(sinew_rig_kind kind);

// What a parameter of one of `types` is called, such as "a vector3 or a transform".
const char *sinewi_rig_types_text(int types);

// Writes what a number may be, such as "0 to 1".
typedef struct sinewi_range_text {
    char text[48];
} sinewi_range_text;
sinewi_range_text sinewi_rig_range_text(float min, float max);

#endif
