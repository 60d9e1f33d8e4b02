// What is wrong or wasteful in a glTF file, and what to do about it: rules with stable ids, and the findings of one
// file. What can be mended without changing the motion is mended by lint_fix.
#ifndef LINT_LINT_H
#define LINT_LINT_H

#include "reference/document.h"

typedef enum lint_severity {
    LINT_ERROR,   // it cannot be played, or not as it was meant
    LINT_WARNING, // it looks wrong in some player, or in some moment
    LINT_NOTE     // it wastes something, or may have been meant
} lint_severity;

typedef enum lint_rule_id {
    LINT_REFUSED,
    LINT_NOT_FINITE,
    LINT_JSON_KEY_REPEATED,
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
    LINT_LOOP_SEAM,
    LINT_CHANNEL_REPEATED,
    LINT_TRACK_AT_REST,
    LINT_TRACK_CONSTANT,
    LINT_TRACK_DUPLICATE,
    LINT_TIMES_DUPLICATE,
    LINT_KEYS_DENSE,
    LINT_WEIGHTS_COUNT,
    LINT_WEIGHTS_WITHOUT_TARGETS,
    LINT_MARKER_OUTSIDE,
    LINT_MARKER_TWICE,
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

// Sentences for people; the id, and the severity, stay what they are.
typedef struct lint_rule {
    const char *id;
    lint_severity severity;
    bool mended; // by lint_fix, as far as the rule's advice says
    const char *title;
    const char *why;
    const char *advice;
} lint_rule;

extern const lint_rule lint_rules[LINT_RULE_COUNT];

const char *lint_severity_name(lint_severity severity);

typedef struct lint_finding {
    lint_rule_id rule;
    const char *place;   // animations[2].samplers[0].output: key 7
    const char *message; // what is there, in numbers
    size_t bytes;        // that the file could do without; 0 where that is not what the rule is about
} lint_finding;

typedef struct lint_report {
    sinew_arena arena; // everything below
    int32_t count, capacity;
    lint_finding *findings; // rule by rule, and in the file's order
    int32_t of_rule[LINT_RULE_COUNT];
    int32_t of_severity[LINT_NOTE + 1];
    char error[512]; // why the file cannot be looked into, when lint_file returned false
} lint_report;

// Looks into a file. False where it cannot be read at all: it is no glTF, or it needs what is not there. A file that
// breaks the specification is a finding. The decoder is for compressed buffer views and may be NULL. lint_end in
// either case.
bool lint_file(lint_report *report, const char *path, sinew_meshopt_decode decode, void *decode_user);
void lint_end(lint_report *report);

// A file, mended.
typedef struct lint_mended {
    sinew_arena arena;
    const uint8_t *glb; // [size]
    size_t size;
    size_t size_before;               // of the file and of the buffers beside it
    int32_t of_rule[LINT_RULE_COUNT]; // how many things were mended
    const char
        *kept_for;   // an extension that may refer to any data, so that none was taken out; NULL: there is none
    char error[512]; // why there is nothing, when lint_fix returned false
} lint_mended;

// Mends what the rules say is mended. The result is one .glb with all its buffers inside; whatever is not mended is
// byte for byte what it was. False where the file cannot be read or is refused. lint_mended_end in either case.
bool lint_fix(lint_mended *mended, const char *path, sinew_meshopt_decode decode, void *decode_user);
void lint_mended_end(lint_mended *mended);

#endif
