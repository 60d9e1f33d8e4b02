// SPDX-License-Identifier: MIT
// Lint finds faults and waste in a glTF file, and says what to do about them. Rules have stable ids. lint_file returns
// a file's findings, and lint_fix fixes what can be fixed without changing the motion.
#ifndef LINT_LINT_H
#define LINT_LINT_H

#include "reference/document.h"

typedef enum lint_severity {
    LINT_ERROR,   // the file can't be played or plays wrong
    LINT_WARNING, // the file looks wrong in some players or at some times
    LINT_NOTE     // the file wastes bytes or time, or it's intended
} lint_severity;

typedef enum lint_rule_id {
    LINT_REFUSED,
    LINT_NOT_FINITE,
    LINT_JSON_KEY_REPEATED,
    LINT_PART_IGNORED,
    LINT_MATRIX_SHEAR,
    LINT_MATRIX_ANIMATED,
    LINT_MATRIX_AND_TRS,
    LINT_SCENE_ROOTS,
    LINT_ROTATION_FLIP,
    LINT_SPLINE_FLIP,
    LINT_ROTATION_NOT_UNIT,
    LINT_SPLINE_SINGLE_KEY,
    LINT_TIMES_NOT_FLOAT,
    LINT_TIMES_BOUNDS,
    LINT_TIMES_START,
    LINT_TIMES_NEGATIVE,
    LINT_TIMES_REPEATED,
    LINT_LOOP_SEAM,
    LINT_LOOP_SHORT,
    LINT_CHANNEL_REPEATED,
    LINT_TRACK_REDUNDANT,
    LINT_TRACK_CONSTANT,
    LINT_TRACK_DUPLICATE,
    LINT_TIMES_DUPLICATE,
    LINT_KEYS_DENSE,
    LINT_WEIGHTS_COUNT,
    LINT_WEIGHTS_WITHOUT_TARGETS,
    LINT_MARKER_OUTSIDE,
    LINT_MARKER_TWICE,
    LINT_CURVE_IGNORED,
    LINT_CURVE_TWICE,
    LINT_CURVE_STILL,
    LINT_POINTER_IGNORED,
    LINT_POINTER_INVALID,
    LINT_WEIGHTS_NOT_FINITE,
    LINT_WEIGHTS_SUM,
    LINT_INFLUENCES_SMALL,
    LINT_JOINT_UNUSED,
    LINT_SKIN_ROOTS,
    LINT_SKIN_SKELETON,
    LINT_JOINTS_OUTSIDE,
    LINT_INVERSE_BINDS_MISSING,
    LINT_INVERSE_BINDS_SHORT,
    LINT_INVERSE_BINDS_ROW,
    LINT_INVERSE_BINDS_REST,
    LINT_JOINT_MIRRORED,
    LINT_JOINT_SHEAR,
    LINT_NAME_MISSING,
    LINT_NAME_DUPLICATE,
    LINT_UNUSED_DATA,
    LINT_UNUSED_SAMPLER,
    LINT_UNUSED_OBJECT,
    LINT_UNUSED_NODE,
    LINT_RULE_COUNT
} lint_rule_id;

// A rule. Its texts are English sentences. Ids and severities are stable.
typedef struct lint_rule {
    const char *id;
    lint_severity severity;
    bool fixable; // lint_fix fixes it, as far as the advice says
    const char *title;
    const char *why;
    const char *advice;
} lint_rule;

extern const lint_rule lint_rules[LINT_RULE_COUNT];

const char *lint_severity_name(lint_severity severity);

typedef struct lint_finding {
    lint_rule_id rule;
    const char *location; // animations[2].samplers[0].output: key 7
    const char *message;  // the fault, with numbers
    size_t bytes;         // how much smaller the file would be; 0 if the rule isn't about size
} lint_finding;

typedef struct lint_report {
    sinewi_arena arena; // holds everything below
    int32_t count, capacity;
    lint_finding *findings; // sorted by rule, then in the file's order
    int32_t of_rule[LINT_RULE_COUNT];
    int32_t of_severity[LINT_NOTE + 1];
    char error[512]; // why the file can't be checked, if lint_file returned false
} lint_report;

// Checks a file. Returns false if it can't be read, because it isn't glTF or needs a missing file or extension. If a
// file breaks the specification, that's a finding. The decoder is for compressed buffer views and may be NULL. Call
// lint_end either way.
bool lint_file(lint_report *report, const char *path, sinew_meshopt_decode decode, void *decode_user);
void lint_end(lint_report *report);

typedef struct lint_fixed {
    sinewi_arena arena;
    const uint8_t *glb; // [size]
    size_t size;
    const int32_t *accessors;         // [of the file]; their numbers in the result, or -1 if removed
    size_t size_before;               // includes external buffers
    int32_t of_rule[LINT_RULE_COUNT]; // number of fixes per rule
    const char *kept_for; // an unknown extension that may refer to any data, so nothing was removed; may be NULL
    char error[512];      // why there's no result, if lint_fix returned false
} lint_fixed;

// Fixes the findings of fixable rules. The result is one .glb with all buffers. Everything else stays the same, byte
// for byte. Returns false if the file can't be read or is refused. Call lint_fixed_end either way.
bool lint_fix(lint_fixed *fixed, const char *path, sinew_meshopt_decode decode, void *decode_user);

// Like lint_fix without the fixes. The result is one .glb with all buffers, without unused data.
bool lint_pack(lint_fixed *fixed, const char *path, sinew_meshopt_decode decode, void *decode_user);

// What lint_pack_without leaves out. The caller fills these in afterwards.
typedef struct lint_left_out {
    const bool *animations; // [of the file]; these get empty samplers and channels, which glTF doesn't allow
    const bool *accessors;  // [of the file]; these get no buffer view and aren't sparse; may be NULL
    const bool *members;    // [JSON nodes]; keys to remove; their values are accessors; may be NULL
} lint_left_out;

// Like lint_pack, but leaves out some data.
bool lint_pack_without(lint_fixed *fixed, const char *path, const lint_left_out *left_out,
                       sinew_meshopt_decode decode, void *decode_user);
void lint_fixed_end(lint_fixed *fixed);

#endif
