// SPDX-License-Identifier: MIT
// Writes the sides and poses of a state to a mixer. They have been checked.
#include "motion/mixer_snapshot_format.h"
#include "core/mixer_control.h"

#include <string.h>

// ---- Places --------------------------------------------------------------------------------------------------

// Where lanes and values go.
typedef struct places {
    state_file *file;
    sinew_mixer *mixer;
    const state_lanes *lanes;
    size_t lane_end, value_end; // of the mixer's arrays, with padding
} places;

static places places_of(state_file *file, sinew_mixer *mixer, const state_lanes *lanes) {
    return (places){file, mixer, lanes, sinewi_mixer_block_end(mixer) * SINEW_LANES,
                    sinewi_padded(sinewi_value_count(mixer->def.skeleton))};
}

// This skeleton's node for a written one, or -1.
static int32_t node_of(const state_lanes *lanes, int32_t node) {
    return lanes->nodes ? lanes->nodes[node] : node;
}

// ---- Sides ---------------------------------------------------------------------------------------------------

static void set_side(uint16_t *sides, size_t lane, const uint8_t *bits, size_t bit) {
    const uint32_t own = 1u << lane % SINEW_LANES;
    const bool is_set = bits && (bits[bit / 8] >> bit % 8 & 1) != 0;
    uint16_t *side = &sides[lane / SINEW_LANES];
    *side = (uint16_t)(is_set ? *side | own : *side & ~own);
}

// Sets the sides of nodes that the state has. `bits` is NULL for zeros.
static void apply_row(const places *p, const uint8_t *bits, uint16_t *sides) {
    const size_t nodes = (size_t)p->mixer->def.skeleton->node_count, last = (size_t)p->lanes->lane_count;
    for (int32_t i = 0; i < p->lanes->lane_count; i++) {
        const int32_t node = node_of(p->lanes, i);
        if (node >= 0 && (size_t)node < p->lane_end) set_side(sides, (size_t)node, bits, (size_t)i);
    }
    for (size_t lane = nodes; p->lanes->has_padding && lane < p->lane_end; lane++)
        set_side(sides, lane, bits, last);
}

// Chooses all sides from what the mixer plays now, for nodes that the state doesn't have. Then other flags apply again.
static void choose_new_sides(sinew_mixer *mixer, const mixer_image *image) {
    const bool has_sideless = mixer->state->has_sideless;
    for (int32_t i = 0; i < mixer->state->slot_end; i++)
        if (mixer->actions[i].clip) sinewi_action_lose_side(mixer, &mixer->actions[i]);
    sinewi_mixer_lose_layer_sides(mixer, 1, mixer->def.layer_count);
    sinewi_mixer_lose_rest_side(mixer);
    sinewi_mixer_choose_sides(mixer);
    for (int32_t i = 0; i < mixer->state->slot_end; i++) mixer->actions[i].flags = image->actions[i].flags;
    for (int32_t i = 0; i < mixer->def.max_blend_spaces; i++) {
        mixer->spaces[i].sideless = image->spaces[i].sideless;
        mixer->spaces[i].odd_loops = image->spaces[i].odd_loops;
    }
    for (int32_t l = 1; l < mixer->def.layer_count; l++)
        mixer->layers[l].is_sideless = image->layers[l].is_sideless;
    mixer->state->rest_is_sideless = image->state.rest_is_sideless;
    mixer->state->has_sideless = has_sideless;
}

static void apply_sides(const places *p, const mixer_image *image) {
    const size_t rows = sinewi_side_row_count(&p->mixer->def), blocks = sinewi_mixer_block_end(p->mixer);
    const size_t size = SINEWI_STATE_ROW_HEAD + ((size_t)p->lanes->lane_count + p->lanes->has_padding + 7) / 8;
    const uint8_t *written = p->file->bytes + p->file->sections[SECTION_SIDES].at + SINEWI_STATE_ROW_HEAD;
    if (!p->lanes->is_same) choose_new_sides(p->mixer, image);
    for (size_t row = 0; row < rows; row++) {
        uint16_t *sides = sinewi_side_row(p->mixer, row);
        const size_t number = p->lanes->rows[row];
        if (p->lanes->is_same) memset(sides, 0, blocks * sizeof *sides);
        apply_row(p, number > 0 ? written + (number - 1) * size : NULL, sides);
    }
}

// ---- Poses ---------------------------------------------------------------------------------------------------

static void put_float(char *blocks, size_t planes, size_t plane, size_t lane, float value) {
    memcpy(sinewi_state_word(blocks, planes, plane, lane), &value, sizeof value);
}

// Squared lengths that differ less from 1 are rounding.
#define UNIT_TOLERANCE 1e-3f

static void make_unit(float q[4]) {
    const double square = (double)q[0] * (double)q[0] + (double)q[1] * (double)q[1] + (double)q[2] * (double)q[2] +
                          (double)q[3] * (double)q[3];
    if (fabs(square - 1.0) <= (double)UNIT_TOLERANCE) return;
    const double factor = square > 0.0 ? 1.0 / sqrt(square) : 0.0;
    for (int i = 0; i < 4; i++) q[i] = (float)((double)q[i] * factor);
    if (!(factor > 0.0)) q[3] = 1.0f;
}

// Whether a quaternion starts at a plane.
static bool has_quaternion(const state_planes *planes, size_t at) {
    if (planes->decays) return false;
    return at == SINEWI_RX || (planes->is_captured && at == SINEWI_PLANES + SINEWI_RX);
}

// Reads a lane or a value to some words.
static void read_words(state_reader *in, float *words, size_t count) {
    for (size_t w = 0; w < count; w++) words[w] = sinewi_read_float(&in->in);
}

#define MAX_WORDS 21

static void apply_lane(const state_planes *planes, const float *words, size_t lane) {
    for (size_t w = 0; w < planes->lanes_written; w++)
        put_float(planes->lanes, planes->lane_planes, w, lane, words[w]);
}

static void apply_value(const state_planes *planes, const float *words, size_t i) {
    for (size_t w = 0; w < planes->values_written; w++)
        put_float(planes->values, planes->value_planes, w, i, words[w]);
}

static void set_running(uint16_t *running, size_t lane, bool is_running) {
    const uint32_t bit = 1u << lane % SINEW_LANES;
    *running = (uint16_t)(is_running ? *running | bit : *running & ~bit);
}

static void apply_running(const places *p, size_t lane, uint32_t bits) {
    offset_block *block = &p->mixer->offsets.blocks[lane / SINEW_LANES];
    for (int g = 0; g < SINEWI_GROUPS; g++) set_running(&block->captured.running[g], lane, (bits >> g & 1) != 0);
}

static void apply_value_running(const places *p, size_t i, uint32_t bits) {
    set_running(&p->mixer->offsets.weights[i / SINEW_LANES].captured.running, i, bits != 0);
}

// ---- Lanes ---------------------------------------------------------------------------------------------------

static void apply_lanes(const places *p, const state_planes *planes, state_reader *in) {
    const state_lanes *lanes = p->lanes;
    const size_t nodes = (size_t)p->mixer->def.skeleton->node_count;
    for (int32_t i = 0; i < lanes->lane_count + lanes->has_padding; i++) {
        float words[MAX_WORDS];
        read_words(in, words, planes->lanes_written);
        for (size_t w = 0; w + 4 <= planes->lanes_written; w++)
            if (has_quaternion(planes, w)) make_unit(words + w);
        const uint32_t running = planes->has_running ? sinewi_state_byte(in, 7) : 0;
        size_t first = nodes, end = p->lane_end;
        if (i < lanes->lane_count) {
            const int32_t node = node_of(lanes, i);
            first = node < 0 ? p->lane_end : (size_t)node;
            end = first < p->lane_end ? first + 1 : first;
        }
        for (size_t lane = first; lane < end; lane++) {
            apply_lane(planes, words, lane);
            if (planes->has_running) apply_running(p, lane, running);
        }
    }
}

// Applies the next written value to [first, end).
static void apply_next_value(const places *p, const state_planes *planes, state_reader *in, size_t first,
                             size_t end) {
    float words[MAX_WORDS];
    read_words(in, words, planes->values_written);
    const uint32_t running = planes->has_running ? sinewi_state_byte(in, 1) : 0;
    for (size_t i = first; i < end; i++) {
        apply_value(planes, words, i);
        if (planes->has_running) apply_value_running(p, i, running);
    }
}

static void apply_values(const places *p, const state_planes *planes, state_reader *in) {
    const sinew_skeleton *skeleton = p->mixer->def.skeleton;
    state_reader names = sinewi_state_read_section(p->file, SECTION_NODES);
    names.in.at = p->lanes->names;
    for (int32_t i = 0; i < p->lanes->node_count; i++) {
        (void)sinewi_state_text(&names);
        const int32_t count = (int32_t)sinewi_state_count(&names, INT32_MAX), node = node_of(p->lanes, i);
        const int32_t own = node < 0 ? 0 : skeleton->weight_offsets[node + 1] - skeleton->weight_offsets[node];
        for (int32_t k = 0; k < count; k++) {
            const size_t first = k < own ? (size_t)skeleton->weight_offsets[node] + (size_t)k : 0;
            apply_next_value(p, planes, in, first, k < own ? first + 1 : first);
        }
    }
    names.in.at = p->lanes->curves;
    for (int32_t i = 0; i < p->lanes->curve_count; i++) {
        const int32_t curve = sinew_skeleton_find_curve(skeleton, sinewi_state_text(&names));
        const size_t first = (size_t)skeleton->weight_count + (size_t)(curve < 0 ? 0 : curve);
        apply_next_value(p, planes, in, first, curve < 0 ? first : first + 1);
    }
    if (p->lanes->has_value_padding)
        apply_next_value(p, planes, in, (size_t)sinewi_value_count(skeleton), p->value_end);
}

// ---- Nodes that the state doesn't have -----------------------------------------------------------------------

static void current_lane(const sinew_mixer *mixer, size_t lane, float *words) {
    const sinewi_planes planes = sinewi_pose_planes(&mixer->pose);
    for (int i = 0; i < SINEWI_PLANES; i++) words[i] = planes.plane[i][lane];
}

// The words of a node without data: the current pose, without offsets, edits or velocities.
static void default_lane(const places *p, state_section section, const state_planes *planes, size_t lane) {
    float words[MAX_WORDS] = {0.0f};
    if (section == SECTION_EDITS && planes->is_captured) {
        words[SINEWI_RW] = words[SINEWI_PLANES + SINEWI_RW] = 1.0f;
    } else if (!planes->decays) {
        current_lane(p->mixer, lane, words);
        if (planes->is_captured) current_lane(p->mixer, lane, words + SINEWI_PLANES);
    }
    apply_lane(planes, words, lane);
    if (planes->has_running) apply_running(p, lane, 0);
}

static void default_value(const places *p, state_section section, const state_planes *planes, size_t i) {
    float words[MAX_WORDS] = {0.0f};
    const bool is_pose = !planes->decays && section != SECTION_EDITS;
    if (is_pose) words[0] = p->mixer->pose.weights[i];
    if (is_pose && planes->is_captured) words[1] = words[0];
    apply_value(planes, words, i);
    if (planes->has_running) apply_value_running(p, i, 0);
}

// ---- Sections ------------------------------------------------------------------------------------------------

// Whether a section's arrays are used. A mixer without inertialization only has the held pose. It needs one if the
// base has nothing else.
static bool is_used(const places *p, state_section section) {
    if (section == SECTION_HELD) return sinewi_mixer_is_held(p->mixer) || sinewi_state_has(p->file, section);
    return p->mixer->def.inertialization && sinewi_state_has(p->file, section);
}

static void apply_pose(const places *p, const mixer_image *image, state_section section) {
    if (!is_used(p, section)) return;
    const state_planes planes = sinewi_state_planes(p->mixer, &image->state, section);
    if (!p->lanes->is_same || !sinewi_state_has(p->file, section)) {
        for (size_t i = 0; i < p->lane_end; i++) default_lane(p, section, &planes, i);
        for (size_t i = 0; i < p->value_end; i++) default_value(p, section, &planes, i);
    }
    if (!sinewi_state_has(p->file, section)) return;
    state_reader in = sinewi_state_read_section(p->file, section);
    apply_lanes(p, &planes, &in);
    apply_values(p, &planes, &in);
}

// ---- Reports -------------------------------------------------------------------------------------------------

static void report_nodes(const places *p) {
    const sinew_skeleton *skeleton = p->mixer->def.skeleton;
    state_reader names = sinewi_state_read_section(p->file, SECTION_NODES);
    names.in.at = p->lanes->names;
    for (int32_t i = 0; i < p->lanes->node_count; i++) {
        const char *name = sinewi_state_text(&names);
        const int32_t count = (int32_t)sinewi_state_count(&names, INT32_MAX), node = node_of(p->lanes, i);
        if (node < 0) sinewi_state_report_unknown(p->file, "node", name);
        if (node < 0) continue;
        const int32_t own = skeleton->weight_offsets[node + 1] - skeleton->weight_offsets[node];
        if (count > own) sinewi_state_report_unknown(p->file, "morph weights", name);
    }
    names.in.at = p->lanes->curves;
    for (int32_t i = 0; i < p->lanes->curve_count; i++) {
        const char *name = sinewi_state_text(&names);
        if (sinew_skeleton_find_curve(skeleton, name) < 0) sinewi_state_report_unknown(p->file, "curve", name);
    }
}

void sinewi_state_apply_lanes(state_file *file, sinew_mixer *mixer, const mixer_image *image,
                              const state_lanes *lanes) {
    const places p = places_of(file, mixer, lanes);
    for (int section = SECTION_HELD; section <= SECTION_POSE; section++)
        apply_pose(&p, image, (state_section)section);
    apply_sides(&p, image); // they may depend on a held pose
    if (!lanes->is_same) report_nodes(&p);
}
