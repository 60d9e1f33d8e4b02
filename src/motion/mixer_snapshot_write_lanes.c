// SPDX-License-Identifier: MIT
// Writes the parts of a state that have a number for each node: sides and poses. See motion/mixer_snapshot_format.h.
#include "motion/mixer_snapshot_format.h"

#include <string.h>

// ---- Arrays --------------------------------------------------------------------------------------------------

#define PLANES_OF(type) (sizeof(type) / sizeof(float) / SINEW_LANES)

static state_planes offset_planes(const mixer_offsets *offsets, bool decays) {
    const size_t lanes = PLANES_OF(offset_block), values = PLANES_OF(weight_offset_block);
    return (state_planes){.lanes = (char *)offsets->blocks,
                          .values = (char *)offsets->weights,
                          .lane_planes = lanes,
                          .value_planes = values,
                          .lanes_written = decays ? lanes : (size_t)2 * SINEWI_PLANES,
                          .values_written = decays ? values : 2,
                          .is_captured = !decays,
                          .decays = decays};
}

static state_planes pose_planes(sinewi_block *blocks, float *weights) {
    return (state_planes){.lanes = (char *)blocks,
                          .values = (char *)weights,
                          .lane_planes = SINEWI_PLANES,
                          .value_planes = 1,
                          .lanes_written = SINEWI_PLANES,
                          .values_written = 1};
}

state_planes sinewi_state_planes(const sinew_mixer *mixer, const mixer_state *state, state_section section) {
    const size_t lanes = PLANES_OF(sinewi_held_block), values = PLANES_OF(sinewi_held_weight_block);
    state_planes planes;
    switch (section) {
    case SECTION_HELD:
        return pose_planes(mixer->held.blocks, mixer->held.weights);
    case SECTION_MOVING:
        return (state_planes){.lanes = (char *)mixer->extrapolated.blocks,
                              .values = (char *)mixer->extrapolated.weights,
                              .lane_planes = lanes,
                              .value_planes = values,
                              .lanes_written = lanes,
                              .values_written = values};
    case SECTION_OFFSETS:
        planes = offset_planes(&mixer->offsets, state->offsets.duration > 0.0f);
        planes.has_running = planes.is_captured;
        return planes;
    case SECTION_EDITS:
        return offset_planes(&mixer->finish_offsets, state->finish.decay.duration > 0.0f);
    default:
        return pose_planes(mixer->finished.blocks, mixer->finished.weights);
    }
}

// ---- Names ---------------------------------------------------------------------------------------------------

static size_t lane_end(const sinew_mixer *mixer) {
    return sinewi_mixer_block_end(mixer) * SINEW_LANES;
}

static size_t lane_count(const sinew_mixer *mixer) {
    const size_t nodes = (size_t)mixer->def.skeleton->node_count;
    return nodes < lane_end(mixer) ? nodes : lane_end(mixer);
}

// Whether there is a lane behind the last node. Where padding is written, it follows the nodes.
static bool has_padding(const sinew_mixer *mixer) {
    return lane_count(mixer) < lane_end(mixer);
}

static bool has_value_padding(const sinew_skeleton *skeleton) {
    const int32_t count = sinewi_value_count(skeleton);
    return (size_t)count < sinewi_padded(count);
}

static void write_name(state_writer *to, const char *name) {
    sinewi_state_put_bytes(to, name, strlen(name) + 1);
}

static void write_nodes(state_writer *to, const sinew_mixer *mixer) {
    const sinew_skeleton *skeleton = mixer->def.skeleton;
    sinewi_state_begin_section(to, SECTION_NODES);
    sinewi_state_put_count(to, (uint32_t)skeleton->node_count);
    sinewi_state_put_count(to, lane_count(mixer));
    sinewi_state_put(to, (has_padding(mixer) ? 1u : 0u) | (has_value_padding(skeleton) ? 2u : 0u), 1);
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        write_name(to, skeleton->names[i]);
        sinewi_state_put_count(to, (uint32_t)(skeleton->weight_offsets[i + 1] - skeleton->weight_offsets[i]));
    }
    sinewi_state_put_count(to, (uint32_t)skeleton->curve_count);
    for (int32_t i = 0; i < skeleton->curve_count; i++) write_name(to, skeleton->curve_names[i]);
    sinewi_state_end_section(to);
}

// ---- Sides ---------------------------------------------------------------------------------------------------

static bool has_sides(const sinew_mixer *mixer, size_t row) {
    const uint16_t *sides = sinewi_side_row(mixer, row);
    for (size_t b = 0; b < sinewi_mixer_block_end(mixer); b++)
        if (sides[b] != 0) return true;
    return false;
}

// The rows that are written: those that aren't 0.
typedef struct row_list {
    struct {
        uint16_t row; // of the mixer
        uint8_t kind, number;
    } rows[SINEWI_STATE_ROWS];
    int32_t count;
} row_list;

static void list_row(row_list *list, const sinew_mixer *mixer, state_row kind, int32_t number, size_t row) {
    if (!has_sides(mixer, row)) return;
    list->rows[list->count].row = (uint16_t)row;
    list->rows[list->count].kind = (uint8_t)kind;
    list->rows[list->count++].number = (uint8_t)number;
}

// Sides that haven't been chosen count too, also those of samples that don't play: a seam compares them with what is
// chosen then.
static void list_rows(row_list *list, const sinew_mixer *mixer) {
    const sinew_mixer_def *def = &mixer->def;
    const int32_t entries = def->max_blend_spaces * SINEW_MAX_BLEND_WEIGHTS;
    list->count = 0;
    for (int32_t i = 0; i < mixer->state->slot_end; i++)
        if (mixer->actions[i].clip) list_row(list, mixer, ROW_ACTION, i, (size_t)i);
    for (int32_t i = 0; i < entries; i++) list_row(list, mixer, ROW_ENTRY, i, sinewi_side_row_of_space(def, 0, i));
    list_row(list, mixer, ROW_REST, 0, sinewi_side_row_of_rest(def));
    for (int32_t l = 1; l < def->layer_count; l++)
        list_row(list, mixer, ROW_LAYER, l, sinewi_side_row_of_layer(def, l));
}

static void write_sides(state_writer *to, const sinew_mixer *mixer, const row_list *list) {
    const size_t lanes = lane_count(mixer) + has_padding(mixer);
    if (list->count == 0) return;
    sinewi_state_begin_section(to, SECTION_SIDES);
    for (int32_t i = 0; i < list->count; i++) {
        const uint16_t *sides = sinewi_side_row(mixer, list->rows[i].row);
        sinewi_state_put(to, list->rows[i].kind, 1);
        sinewi_state_put(to, list->rows[i].number, 1);
        for (size_t lane = 0; lane < lanes; lane += 8)
            sinewi_state_put(to, (uint32_t)sides[lane / SINEW_LANES] >> lane % SINEW_LANES, 1);
    }
    sinewi_state_end_section(to);
}

// ---- Poses ---------------------------------------------------------------------------------------------------

static bool has_section(const sinew_mixer *mixer, state_section section) {
    const mixer_state *state = mixer->state;
    switch (section) {
    case SECTION_HELD:
        return sinewi_mixer_is_held(mixer) || state->extrapolation.duration > 0.0f;
    case SECTION_MOVING:
        return state->extrapolation.duration > 0.0f;
    case SECTION_OFFSETS:
        return state->offsets.duration > 0.0f || state->set_pose.is_kept || state->set_pose.is_current;
    case SECTION_EDITS:
        return sinewi_mixer_has_finish_offsets(mixer);
    default:
        return state->finish.saves_pose;
    }
}

// Writes the first `count` planes of a lane.
static void write_words(state_writer *to, char *blocks, size_t planes, size_t count, size_t lane) {
    for (size_t p = 0; p < count; p++) {
        uint32_t word;
        memcpy(&word, sinewi_state_word(blocks, planes, p, lane), sizeof word);
        sinewi_state_put(to, word, 4);
    }
}

// Whether each group of a node had an offset before it was captured.
static void write_running(state_writer *to, const sinew_mixer *mixer, size_t lane) {
    uint32_t bits = 0;
    for (int g = 0; g < SINEWI_GROUPS; g++) {
        const uint32_t running = mixer->offsets.blocks[lane / SINEW_LANES].captured.running[g];
        bits |= (running >> lane % SINEW_LANES & 1) << g;
    }
    sinewi_state_put(to, bits, 1);
}

static void write_lanes(state_writer *to, const sinew_mixer *mixer, state_section section) {
    const state_planes planes = sinewi_state_planes(mixer, mixer->state, section);
    for (size_t lane = 0; lane < lane_count(mixer) + has_padding(mixer); lane++) {
        write_words(to, planes.lanes, planes.lane_planes, planes.lanes_written, lane);
        if (planes.has_running) write_running(to, mixer, lane);
    }
}

static void write_values(state_writer *to, const sinew_mixer *mixer, state_section section) {
    const sinew_skeleton *skeleton = mixer->def.skeleton;
    const state_planes planes = sinewi_state_planes(mixer, mixer->state, section);
    const size_t count = (size_t)sinewi_value_count(skeleton) + has_value_padding(skeleton);
    for (size_t i = 0; i < count; i++) {
        write_words(to, planes.values, planes.value_planes, planes.values_written, i);
        if (!planes.has_running) continue;
        const uint32_t running = mixer->offsets.weights[i / SINEW_LANES].captured.running;
        sinewi_state_put(to, running >> i % SINEW_LANES & 1, 1);
    }
}

static void write_pose(state_writer *to, const sinew_mixer *mixer, state_section section) {
    if (!has_section(mixer, section)) return;
    sinewi_state_begin_section(to, section);
    write_lanes(to, mixer, section);
    write_values(to, mixer, section);
    sinewi_state_end_section(to);
}

void sinewi_state_write_lanes(state_writer *to, const sinew_mixer *mixer) {
    row_list list;
    list_rows(&list, mixer);
    bool has_any = list.count > 0;
    for (int section = SECTION_HELD; section <= SECTION_POSE; section++)
        has_any |= has_section(mixer, (state_section)section);
    if (!has_any) return;
    write_nodes(to, mixer);
    write_sides(to, mixer, &list);
    for (int section = SECTION_HELD; section <= SECTION_POSE; section++)
        write_pose(to, mixer, (state_section)section);
}
