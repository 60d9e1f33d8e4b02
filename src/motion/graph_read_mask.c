// SPDX-License-Identifier: MIT
// Reads the masks of layers and of aim offsets.
#include "motion/graph_read.h"

enum { PART_NODE, PART_FACTOR, PART_FEATHER, PART_ALONE, PART_CURVE };
static const sinewi_graph_keys part_keys = {"a mask part", {"node", "factor", "feather", "alone", "curve"}};

// Rejects members that only parts with nodes have, because a curve has no descendants.
static bool read_curve_part(sinewi_graph_text *t, const sinewi_graph_members *m, sinew_mask_part *part) {
    for (int key = PART_NODE; key <= PART_ALONE; key++) {
        if (key == PART_FACTOR || m->values[key] == SINEWI_JSON_ABSENT) continue;
        return sinewi_graph_fail(t, m->values[key], "a curve's part cannot have \"%s\"", part_keys.names[key]);
    }
    return sinewi_graph_read_string(t, m->values[PART_CURVE], &part->name) &&
           sinewi_graph_read_unit(t, m->values[PART_FACTOR], &part->factor);
}

static bool read_part(sinewi_graph_reader *r, sinewi_json_value value, sinew_mask_part *part) {
    sinewi_graph_text *t = &r->text;
    sinewi_graph_members m;
    *part = (sinew_mask_part){.name = NULL, .factor = 1.0f};
    if (!sinewi_graph_read_members(t, value, &part_keys, &m)) return false;
    part->curve = m.values[PART_CURVE] != SINEWI_JSON_ABSENT;
    if (part->curve) return read_curve_part(t, &m, part);
    return sinewi_graph_require(t, &m, PART_NODE) &&
           sinewi_graph_read_string(t, m.values[PART_NODE], &part->name) &&
           sinewi_graph_read_unit(t, m.values[PART_FACTOR], &part->factor) &&
           sinewi_graph_read_integer(t, m.values[PART_FEATHER], 0, &part->feather) &&
           sinewi_graph_read_bool(t, m.values[PART_ALONE], &part->alone);
}

bool sinewi_graph_read_mask(sinewi_graph_reader *r, sinewi_json_value value, int32_t *part_count,
                            const sinew_mask_part **parts) {
    if (value == SINEWI_JSON_ABSENT) return true;
    const bool is_one = sinewi_graph_is(&r->text, value, SINEWI_JSON_OBJECT);
    int32_t count = 1;
    if (!is_one && !sinewi_graph_check_array(&r->text, value, "a mask part or an array of mask parts", &count))
        return false;
    sinew_mask_part *copy = sinewi_graph_scratch(&r->text, sinew_mask_part, (size_t)count);
    if (!copy) return false;
    sinewi_json_value element = is_one ? value : sinewi_graph_first(r, value);
    for (int32_t i = 0; i < count; i++, element = sinewi_graph_next(r, element))
        if (!read_part(r, element, &copy[i])) return false;
    *part_count = count;
    *parts = copy;
    return true;
}
