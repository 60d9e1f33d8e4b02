// SPDX-License-Identifier: MIT
// Reads the parts of a state that have a number for each node: sides and poses. sinewi_state_read_lanes checks them, and
// sinewi_state_apply_lanes writes them to a mixer. Nodes and curves are found by name.
#include "motion/mixer_snapshot_format.h"
#include "core/skeleton_names.h"
#include "base/fail.h"

#include <float.h>
#include <string.h>

// ---- Names ---------------------------------------------------------------------------------------------------

// Whether a mixer would write the same number of lanes and values, and the same padding.
static bool has_same_lanes(const sinew_mixer *mixer, const state_lanes *lanes) {
    const size_t nodes = (size_t)mixer->def.skeleton->node_count, end = sinewi_mixer_block_end(mixer) * SINEW_LANES;
    const size_t values = (size_t)sinewi_value_count(mixer->def.skeleton);
    return lanes->node_count == mixer->def.skeleton->node_count &&
           (size_t)lanes->lane_count == (nodes < end ? nodes : end) && lanes->has_padding == (nodes < end) &&
           lanes->has_value_padding == (values < sinewi_padded((int32_t)values));
}

// Reads the names and counts. `is_same` if they are those of the mixer's skeleton.
static void read_nodes(state_reader *in, const sinew_mixer *mixer, state_lanes *lanes) {
    const sinew_skeleton *skeleton = mixer->def.skeleton;
    lanes->node_count = (int32_t)sinewi_state_count(in, SINEW_MAX_NODES);
    lanes->lane_count = (int32_t)sinewi_state_count(in, (uint64_t)lanes->node_count);
    const uint32_t flags = sinewi_state_byte(in, 3);
    lanes->has_padding = (flags & 1) != 0;
    lanes->has_value_padding = (flags & 2) != 0;
    lanes->names = in->in.at;
    lanes->is_same = has_same_lanes(mixer, lanes);
    int64_t weights = 0;
    for (int32_t i = 0; i < lanes->node_count && !in->in.is_cut; i++) {
        const char *name = sinewi_state_text(in);
        weights += (int64_t)sinewi_state_count(in, INT32_MAX);
        if (lanes->is_same)
            lanes->is_same = strcmp(name, skeleton->names[i]) == 0 && weights == skeleton->weight_offsets[i + 1];
    }
    if (weights > INT32_MAX) sinewi_state_fail(in, "more than 2^31 morph weights");
    lanes->weight_count = (int32_t)weights;
    lanes->curve_count = (int32_t)sinewi_state_count(in, INT32_MAX);
    lanes->curves = in->in.at;
    if (lanes->curve_count != skeleton->curve_count) lanes->is_same = false;
    for (int32_t i = 0; i < lanes->curve_count && !in->in.is_cut; i++) {
        const char *name = sinewi_state_text(in);
        if (lanes->is_same) lanes->is_same = strcmp(name, skeleton->curve_names[i]) == 0;
    }
}

// Where a written node is here. Nodes usually follow each other in the same order, which also tells apart nodes with the
// same name.
static int32_t find_node(const sinewi_node_names *names, const char *name, int32_t next) {
    const sinew_skeleton *skeleton = names->skeleton;
    if (next < skeleton->node_count && strcmp(skeleton->names[next], name) == 0) return next;
    return sinewi_node_names_find(names, name);
}

static sinew_result find_nodes(state_file *file, const sinew_mixer *mixer, state_lanes *lanes, sinew_error *error) {
    sinewi_node_names names;
    const sinewi_name_prefix none = {"", 0};
    lanes->nodes = sinewi_arena_array(&lanes->scratch, int32_t, (size_t)lanes->node_count);
    if (!lanes->nodes || !sinewi_node_names_make(&names, mixer->def.skeleton, none, &lanes->scratch))
        return sinewi_fail_memory(error);
    state_reader in = sinewi_state_read_section(file, SECTION_NODES);
    in.in.at = lanes->names;
    for (int32_t i = 0, next = 0; i < lanes->node_count; i++) {
        const char *name = sinewi_state_text(&in);
        (void)sinewi_state_count(&in, INT32_MAX);
        lanes->nodes[i] = find_node(&names, name, next);
        if (lanes->nodes[i] != SINEW_NO_NODE) next = lanes->nodes[i] + 1;
    }
    return SINEW_OK;
}

// ---- Checking ------------------------------------------------------------------------------------------------

// What a word is. Rotation vectors are limited, because the exponential is a polynomial.
typedef enum word_kind { ANY_NUMBER, ROTATION_START, ROTATION_SLOPE, ROTATION_VELOCITY, DURATION } word_kind;

// The largest rotation vectors in radians. The mixer limits them to less than half of these.
#define MAX_START    8.0f
#define MAX_SLOPE    64.0f
#define MAX_VELOCITY 8.0f // times the time that it lasts

static word_kind kind_of(state_section section, const state_planes *planes, size_t word, bool is_lane) {
    if (section == SECTION_MOVING && is_lane && word >= 13 && word < 16) return ROTATION_VELOCITY;
    if (!planes->decays) return ANY_NUMBER;
    if (!is_lane) return word == 2 ? DURATION : ANY_NUMBER;
    if (word % 7 == 6) return DURATION;
    if (word / 7 != SINEW_TARGET_ROTATION) return ANY_NUMBER;
    return word % 7 < 3 ? ROTATION_START : ROTATION_SLOPE;
}

static bool is_valid(word_kind kind, float value, float duration) {
    switch (kind) {
    case ROTATION_START:
        return fabsf(value) <= MAX_START;
    case ROTATION_SLOPE:
        return fabsf(value) <= MAX_SLOPE;
    case ROTATION_VELOCITY:
        return fabsf(value) * (duration / 3.0f) <= MAX_VELOCITY;
    case DURATION:
        return value == 0.0f || (value >= SINEWI_MIN_TRANSITION_SECONDS && value <= FLT_MAX);
    default:
        return isfinite(value);
    }
}

static void check_words(state_reader *in, const mixer_image *image, state_section section,
                        const state_planes *planes, bool is_lane) {
    const size_t count = is_lane ? planes->lanes_written : planes->values_written;
    const float duration = image->state.extrapolation.duration;
    for (size_t w = 0; w < count; w++) {
        if (!is_valid(kind_of(section, planes, w, is_lane), sinewi_read_float(&in->in), duration))
            sinewi_state_fail(in, "a pose with a number that isn't finite, or is too large");
    }
    if (planes->has_running) (void)sinewi_state_byte(in, is_lane ? 7 : 1);
}

static size_t lanes_of(const state_lanes *lanes) {
    return (size_t)lanes->lane_count + lanes->has_padding;
}

static size_t values_of(const state_lanes *lanes) {
    return (size_t)lanes->weight_count + (size_t)lanes->curve_count + lanes->has_value_padding;
}

static void check_pose(state_file *file, const sinew_mixer *mixer, const mixer_image *image,
                       const state_lanes *lanes, state_section section) {
    if (!sinewi_state_has(file, section)) return;
    const state_planes planes = sinewi_state_planes(mixer, &image->state, section);
    state_reader in = sinewi_state_read_section(file, section);
    for (size_t i = 0; i < lanes_of(lanes) && !in.in.is_cut; i++) check_words(&in, image, section, &planes, true);
    for (size_t i = 0; i < values_of(lanes) && !in.in.is_cut; i++) check_words(&in, image, section, &planes, false);
    sinewi_state_close_section(&in);
}

// The mixer's row for a written one, or -1 if it doesn't have it.
static int32_t find_row(const sinew_mixer *mixer, const mixer_image *image, state_row kind, int32_t number) {
    const sinew_mixer_def *def = &mixer->def;
    switch (kind) {
    case ROW_ACTION:
        return number < def->max_actions ? number : -1;
    case ROW_ENTRY:
        if (number >= def->max_blend_spaces * SINEW_MAX_BLEND_WEIGHTS) return -1;
        return (int32_t)sinewi_side_row_of_space(def, 0, number);
    case ROW_REST:
        return (int32_t)sinewi_side_row_of_rest(def);
    default:
        if (number >= image->written_layers || image->layer_of[number] < 1) return -1;
        return (int32_t)sinewi_side_row_of_layer(def, image->layer_of[number]);
    }
}

static void check_sides(state_file *file, const sinew_mixer *mixer, const mixer_image *image, state_lanes *lanes) {
    static const uint32_t most[ROW_KINDS] = {SINEW_MAX_ACTIONS - 1, SINEWI_MAX_SPACES * SINEW_MAX_BLEND_WEIGHTS - 1,
                                             0, SINEWI_MAX_LAYERS - 1};
    const size_t size = (lanes_of(lanes) + 7) / 8;
    int32_t last = -1;
    if (!sinewi_state_has(file, SECTION_SIDES)) return;
    state_reader in = sinewi_state_read_section(file, SECTION_SIDES);
    while (in.in.at < in.in.size && !in.in.is_cut) {
        const uint32_t kind = sinewi_state_byte(&in, ROW_KINDS - 1), number = sinewi_state_byte(&in, most[kind]);
        const int32_t place = (int32_t)(kind << 8 | number);
        if (place <= last) sinewi_state_fail(&in, "rows of sides that occur twice or in another order");
        if (size > in.in.size - in.in.at) sinewi_state_fail(&in, "a row of sides that ends early");
        if (in.in.is_cut) return;
        last = place;
        in.in.at += size;
        lanes->row_count++;
        const int32_t row = find_row(mixer, image, (state_row)kind, (int32_t)number);
        if (row >= 0) lanes->rows[row] = (uint8_t)lanes->row_count;
    }
}

// Whether a state needs a section, because of what it plays.
static bool is_needed(const mixer_image *image, state_section section, bool has_lanes) {
    const mixer_state *state = &image->state;
    switch (section) {
    case SECTION_NODES:
        return has_lanes;
    case SECTION_MOVING:
        return state->extrapolation.duration > 0.0f;
    case SECTION_OFFSETS:
        return state->offsets.duration > 0.0f || state->set_pose.is_kept || state->set_pose.is_current;
    case SECTION_EDITS:
        return state->finish.requested > 0.0f || state->finish.decay.duration > 0.0f;
    case SECTION_POSE:
        return state->finish.saves_pose;
    default:
        return false;
    }
}

static void check_presence(state_file *file, const mixer_image *image) {
    bool has_lanes = false;
    for (int i = SECTION_SIDES; i <= SECTION_POSE; i++) has_lanes |= sinewi_state_has(file, (state_section)i);
    for (int i = 0; i < SECTION_COUNT; i++)
        if (is_needed(image, (state_section)i, has_lanes)) (void)sinewi_state_read_section(file, (state_section)i);
}

sinew_result sinewi_state_read_lanes(state_file *file, const sinew_mixer *mixer, const mixer_image *image,
                                     state_lanes *lanes, sinew_error *error) {
    memset(lanes, 0, sizeof *lanes);
    sinewi_arena_init(&lanes->scratch, &mixer->def.allocator);
    lanes->is_same = true;
    check_presence(file, image);
    if (file->problem || !sinewi_state_has(file, SECTION_NODES)) return sinewi_state_result(file, error);
    state_reader in = sinewi_state_read_section(file, SECTION_NODES);
    read_nodes(&in, mixer, lanes);
    sinewi_state_close_section(&in);
    check_sides(file, mixer, image, lanes);
    for (int section = SECTION_HELD; section <= SECTION_POSE; section++)
        check_pose(file, mixer, image, lanes, (state_section)section);
    if (file->problem) return sinewi_state_result(file, error);
    return lanes->is_same ? SINEW_OK : find_nodes(file, mixer, lanes, error);
}

void sinewi_state_free_lanes(state_lanes *lanes) {
    sinewi_arena_free(&lanes->scratch);
}
