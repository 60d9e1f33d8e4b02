// SPDX-License-Identifier: MIT
// The format of written states. All numbers are little-endian:
//
//   header     magic (4 bytes), version (u32), size of everything (u64), checksum of everything after the header (u64)
//   sections   tag (4 bytes), size (u32), content
//
// A count is written in groups of 7 bits, lowest first, with the top bit set in all bytes but the last. Strings end with
// a zero. A reader skips sections that it doesn't know, so new ones don't need a new version. Sections can be in any
// order. The strings and objects that others refer to by number come last, because they are found while writing.
//
// A lane is a node, or the padding behind the last node of a block, whose lanes are all alike. A value is a morph weight
// or a curve, or such padding.
#ifndef SINEWI_MIXER_SNAPSHOT_FORMAT_H
#define SINEWI_MIXER_SNAPSHOT_FORMAT_H

#include <sinew/motion/mixer_snapshot.h>

#include "core/mixer_evaluation.h"
#include "base/byte_reader.h"

#define SINEWI_STATE_MAGIC   "SnwT"
#define SINEWI_STATE_VERSION 1
#define SINEWI_STATE_HEADER  24 // bytes

#define SINEWI_STATE_SECTIONS(X)                                                                                   \
    X(MIXER, "MIXR")      /* what belongs to the whole mixer */                                                    \
    X(LAYERS, "LAYR")     /* mixer layers */                                                                       \
    X(ACTIONS, "ACTN")    /* actions with their blend spaces and queues */                                         \
    X(NODES, "NODE")      /* names of nodes and curves, if there are lanes */                                      \
    X(SIDES, "SIDE")      /* rows of sides that aren't 0 */                                                        \
    X(HELD, "HELD")       /* the held pose */                                                                      \
    X(MOVING, "MOVE")     /* the start of its extrapolation */                                                     \
    X(OFFSETS, "OFFS")    /* offsets, or a captured pose */                                                        \
    X(EDITS, "EDIT")      /* the same for finished poses */                                                        \
    X(POSE, "POSE")       /* the pose as the program edited or finished it */                                      \
    X(PARAMETERS, "PARM") /* an animator's parameters */                                                           \
    X(STATES, "STAT")     /* an animator's layers */                                                               \
    X(PLACE, "PLAC")      /* where a character is */                                                               \
    X(STEPS, "STEP")      /* a character's rig */                                                                  \
    X(GROUPS, "SYNC")     /* names of sync groups */                                                               \
    X(OBJECTS, "OBJS")    /* clips, blend spaces and masks */                                                      \
    X(STRINGS, "STRS")

typedef enum state_section {
#define SINEWI_STATE_SECTION(name, tag) SECTION_##name,
    SINEWI_STATE_SECTIONS(SINEWI_STATE_SECTION)
#undef SINEWI_STATE_SECTION
        SECTION_COUNT
} state_section;

extern const char sinewi_state_tags[SECTION_COUNT][5];

// ---- Limits --------------------------------------------------------------------------------------------------

#define SINEWI_STATE_PARTS   10                                              // of a path: 8 states in a layer
#define SINEWI_STATE_OBJECTS (2 * SINEW_MAX_ACTIONS + 2 * SINEWI_MAX_LAYERS) // actions, queues, previous, masks
#define SINEWI_STATE_STRINGS 2304                                            // more than all of them can name
#define SINEWI_STATE_ROWS    (SINEW_MAX_ACTIONS + SINEWI_MAX_SPACES * SINEW_MAX_BLEND_WEIGHTS + 1 + SINEWI_MAX_LAYERS)

// The largest weight in a fade. A custom easing may overshoot by a factor of 1e6.
#define SINEWI_STATE_MAX_WEIGHT 1e16f

// ---- Names ---------------------------------------------------------------------------------------------------

typedef enum state_kind { WRITTEN_CLIP, WRITTEN_BLEND_SPACE, WRITTEN_MASK, WRITTEN_KINDS } state_kind;

// The name of an object, in parts. `by_graph` if an animator's binding made it.
typedef struct state_path {
    const char *parts[SINEWI_STATE_PARTS];
    int32_t count; // 0 without a name
    bool by_graph;
} state_path;

// The name of a clip, and how to tell it from others with that name.
typedef struct state_wanted {
    state_path path;
    float duration;
    bool additive;
} state_wanted;

// Where names lead. `program` has the program's lists and may be NULL. An animator adds its graph's.
typedef struct state_lookup {
    const sinew_state_names *program;
    const sinew_skeleton *skeleton;
    const void *owner;
    void (*name)(const struct state_lookup *lookup, state_kind kind, const void *object, state_path *path);
    const void *(*find)(const struct state_lookup *lookup, state_kind kind, const state_wanted *wanted);
    const char *(*layer)(const struct state_lookup *lookup, int32_t layer);      // NULL without a name
    const char *(*sync_group)(const struct state_lookup *lookup, int32_t group); // NULL without a name
    uint8_t (*find_group)(const struct state_lookup *lookup, const char *name);  // 0 if there isn't one
} state_lookup;

// The lookup of the program's lists.
state_lookup sinewi_state_lookup(const sinew_mixer *mixer, const sinew_state_names *names);

// Its functions, for lookups that add to it. The named ones are found in the program's lists.
const char *sinewi_state_listed_layer(const state_lookup *lookup, int32_t layer);
const char *sinewi_state_listed_group(const state_lookup *lookup, int32_t group);
uint8_t sinewi_state_find_listed_group(const state_lookup *lookup, const char *name);
void sinewi_state_name_listed(const state_lookup *lookup, state_kind kind, const void *object, state_path *path);
const void *sinewi_state_find_listed(const state_lookup *lookup, state_kind kind, const state_wanted *wanted);

// Whether a clip is a better match than the one found before, which may be NULL.
bool sinewi_state_is_better(const sinew_clip *clip, const sinew_clip *before, const state_wanted *wanted);

// ---- Writing: mixer_snapshot_writer.c ------------------------------------------------------------------------

typedef struct state_object {
    const void *object;
    state_kind kind;
} state_object;

typedef struct state_writer {
    uint8_t *bytes;  // NULL to measure
    size_t capacity; // what doesn't fit is only measured
    size_t at;
    size_t section; // where the open section's content starts
    const state_lookup *lookup;
    const char *strings[SINEWI_STATE_STRINGS];
    state_object objects[SINEWI_STATE_OBJECTS];
    int32_t string_count, object_count;
} state_writer;

void sinewi_state_begin(state_writer *to, const state_lookup *lookup, uint8_t *bytes, size_t capacity);
size_t sinewi_state_end(state_writer *to);           // returns the size; the header is still missing
void sinewi_state_seal(uint8_t *bytes, size_t size); // writes the header
void sinewi_state_begin_section(state_writer *to, state_section section);
void sinewi_state_end_section(state_writer *to);
void sinewi_state_put(state_writer *to, uint64_t number, int bytes);
void sinewi_state_put_count(state_writer *to, uint64_t count);
void sinewi_state_put_float(state_writer *to, float value);
void sinewi_state_put_double(state_writer *to, double value);
void sinewi_state_put_bytes(state_writer *to, const void *bytes, size_t size);
void sinewi_state_put_string(state_writer *to, const char *string);                  // by number. NULL is 0.
void sinewi_state_put_object(state_writer *to, state_kind kind, const void *object); // the same

// Write a mixer's sections, and those of its nodes. mixer_snapshot_write.c and mixer_snapshot_write_lanes.c
void sinewi_state_write_mixer(state_writer *to, const sinew_mixer *mixer);
void sinewi_state_write_lanes(state_writer *to, const sinew_mixer *mixer);

// ---- Reading: mixer_snapshot_reader.c ------------------------------------------------------------------------

// An object of a state, and what it is here. `object` is NULL if it isn't found.
typedef struct state_found {
    state_kind kind;
    float duration;
    const void *object;
} state_found;

typedef struct state_span {
    size_t at, end; // both 0 if the section is missing
} state_span;

typedef struct state_file {
    const uint8_t *bytes;
    state_span sections[SECTION_COUNT];
    const state_lookup *lookup;
    const sinew_state_report *report; // NULL before everything has been checked
    const char *problem;              // the first one
    size_t problem_at;
    uint32_t strings[SINEWI_STATE_STRINGS]; // where they start
    state_found objects[SINEWI_STATE_OBJECTS];
    uint8_t groups[UINT8_MAX + 1]; // a sync group's number here
    int32_t string_count, object_count;
} state_file;

// A section that is being read.
typedef struct state_reader {
    sinewi_byte_reader in;
    state_file *file;
} state_reader;

// Checks the header and finds the sections.
sinew_result sinewi_state_open(state_file *file, const state_lookup *lookup, const void *bytes, size_t size,
                               sinew_error *error);

// Reads strings, objects and sync groups. Reports what isn't found.
void sinewi_state_read_names(state_file *file);

// Returns SINEW_OK, or the error of the first problem.
sinew_result sinewi_state_result(const state_file *file, sinew_error *error);

bool sinewi_state_has(const state_file *file, state_section section);
state_reader sinewi_state_read_section(state_file *file, state_section section); // a missing one is a problem
void sinewi_state_close_section(state_reader *in);                               // so are bytes that are left

// Notes a problem before the current byte, unless there was one already. All later reads return zeros.
void sinewi_state_fail(state_reader *in, const char *problem);

// Calls the report's function, if there is one.
void sinewi_state_report_unknown(const state_file *file, const char *kind, const char *name);
void sinewi_state_report_path(const state_file *file, const char *kind, const state_path *path);

// These note a problem if the number isn't in range. Then they return 0.
uint64_t sinewi_state_count(state_reader *in, uint64_t most);
uint32_t sinewi_state_byte(state_reader *in, uint32_t most);
float sinewi_state_float(state_reader *in);               // finite
float sinewi_state_amount(state_reader *in, float most);  // from 0
double sinewi_state_double(state_reader *in);             // finite
const char *sinewi_state_string(state_reader *in);        // NULL for 0
const state_found *sinewi_state_object(state_reader *in); // NULL for 0
const char *sinewi_state_text(state_reader *in);          // a string in place

// ---- Rows of sides -------------------------------------------------------------------------------------------

// Whose sides a row has. Its number is an action's slot, a blend space's entry counted through all blend spaces, 0, or a
// layer.
typedef enum state_row { ROW_ACTION, ROW_ENTRY, ROW_REST, ROW_LAYER, ROW_KINDS } state_row;

#define SINEWI_STATE_ROW_HEAD 2 // bytes before a row's bits: its kind and number

// ---- A decoded state -----------------------------------------------------------------------------------------

// A mixer's state as it will be, apart from the arrays with lanes. Only the base fields of `state` that a state
// contains are set.
typedef struct mixer_image {
    mixer_state state;
    layer_state layers[SINEWI_MAX_LAYERS];
    previous_source previous[SINEWI_MAX_LAYERS];
    action_state actions[SINEW_MAX_ACTIONS];
    queued_state queued[SINEW_MAX_ACTIONS];
    space_state spaces[SINEWI_MAX_SPACES];
    int32_t layer_of[SINEWI_MAX_LAYERS]; // a written layer's number here, or -1
    int32_t written_layers;
    uint8_t lost; // bit l: layer l has lost an action
} mixer_image;

// Decodes everything apart from the lanes: mixer_snapshot_read.c. Problems are noted in the file.
void sinewi_state_read_mixer(state_file *file, const sinew_mixer *mixer, mixer_image *image);

// Decode and check an opened state, report what isn't found, and make it a mixer's state: mixer_snapshot_apply.c. Call
// them in this order. Free the lanes even after an error.
struct state_lanes;
sinew_result sinewi_state_check(state_file *file, const sinew_mixer *mixer, mixer_image *image,
                                struct state_lanes *lanes, sinew_error *error);
void sinewi_state_report(state_file *file, const sinew_mixer *mixer, const sinew_state_report *report,
                         mixer_image *image);
void sinewi_state_apply(state_file *file, sinew_mixer *mixer, const mixer_image *image,
                        const struct state_lanes *lanes);

// ---- Lanes ---------------------------------------------------------------------------------------------------

// The arrays of one section. Planes are in blocks of SINEW_LANES words. The first ones are written by lane.
typedef struct state_planes {
    char *lanes, *values;
    size_t lane_planes, value_planes;     // in memory
    size_t lanes_written, values_written; // of these
    bool is_captured;                     // they are a captured pose and the pose before
    bool decays;                          // they are offsets
    bool has_running;                     // there are bits for what had an offset before
} state_planes;

// Returns a mixer's arrays for a section from HELD to POSE, as the state uses them. It may be the mixer's next state.
state_planes sinewi_state_planes(const sinew_mixer *mixer, const mixer_state *state, state_section section);

// Whether the held pose may be part of the next poses: mixer_snapshot.c.
bool sinewi_mixer_is_held(const sinew_mixer *mixer);

// Whether a mixer is still as sinew_mixer_create made it: mixer_snapshot.c.
bool sinewi_mixer_is_untouched(const sinew_mixer *mixer);

// Finishes loading a snapshot's state: mixer_snapshot.c.
void sinewi_mixer_finish_load(sinew_mixer *mixer);

// A word of a plane.
static inline char *sinewi_state_word(char *blocks, size_t planes, size_t plane, size_t lane) {
    return blocks + ((lane / SINEW_LANES * planes + plane) * SINEW_LANES + lane % SINEW_LANES) * sizeof(uint32_t);
}

// Nodes and curves of a state: mixer_snapshot_read_lanes.c
typedef struct state_lanes {
    int32_t node_count, lane_count; // written nodes, and those with lanes
    int32_t weight_count, curve_count;
    bool has_padding, has_value_padding;
    bool is_same;         // the nodes and curves are this skeleton's
    size_t names, curves; // where the names are
    int32_t *nodes;       // [node_count], this skeleton's node or -1. NULL if they are the same.
    sinewi_arena scratch;
    int32_t row_count;               // written rows of sides
    uint8_t rows[SINEWI_STATE_ROWS]; // for each row of the mixer, 1 + its number in the section. 0 for zeros.
} state_lanes;

// Checks all sections with lanes, and finds the nodes. Free with sinewi_state_free_lanes, even after an error.
sinew_result sinewi_state_read_lanes(state_file *file, const sinew_mixer *mixer, const mixer_image *image,
                                     state_lanes *lanes, sinew_error *error);
void sinewi_state_free_lanes(state_lanes *lanes);

// Writes a mixer's lanes. Its state must already be the decoded one.
void sinewi_state_apply_lanes(state_file *file, sinew_mixer *mixer, const mixer_image *image,
                              const state_lanes *lanes);

#endif
