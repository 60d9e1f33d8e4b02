// SPDX-License-Identifier: MIT
// Reads the parts of a character's recording, and checks all of them before the first update.
#include "core/pose_block.h"
#include "motion/character_recording_read.h"
#include "motion/recording_format.h"
#include "base/fail.h"

#include <math.h>

// ---- Numbers -------------------------------------------------------------------------------------------------

// Reads a float. Others than in SINEWI_MAX_RECORDED count as damage.
static float read_finite(sinewi_byte_reader *in) {
    const float value = sinewi_read_float(in);
    if (fabsf(value) <= SINEWI_MAX_RECORDED) return value;
    in->is_cut = true;
    return 0.0f;
}

// Reads how many elements are skipped. Returns the next one's index.
static int32_t read_index(sinewi_byte_reader *in, int32_t next, int32_t count) {
    const size_t skipped = sinewi_read_count(in);
    if (in->is_cut || skipped < (size_t)(count - next)) return next + (int32_t)skipped;
    in->is_cut = true;
    return next;
}

// ---- Calls ---------------------------------------------------------------------------------------------------

bool sinewi_read_answer(sinewi_byte_reader *in, sinew_vec3 place, sinew_vec3 *normal, sinew_ground *ground,
                        bool *is_found) {
    float values[6] = {place.x, place.y, place.z, normal->x, normal->y, normal->z};
    const int head = (int)sinewi_read_number(in, 1);
    *is_found = (head & RECORDED_IS_FOUND) != 0;
    if ((head & RECORDED_GROUND) == 0 || (!*is_found && head != RECORDED_GROUND)) return false;
    if (!*is_found) return true;
    for (int i = 0; i < 6; i++)
        if (head >> i & 1) values[i] = read_finite(in);
    ground->position = (sinew_vec3){values[0], values[1], values[2]};
    ground->normal = *normal = (sinew_vec3){values[3], values[4], values[5]};
    return !in->is_cut;
}

static void read_node(sinewi_byte_reader *in, sinew_pose *pose, int32_t node) {
    float values[NODE_FLOATS] = {0};
    sinew_transform transform = pose ? sinew_pose_get(pose, node) : sinew_transform_identity();
    memcpy(values, &transform, sizeof values);
    const int mask = (int)sinewi_read_number(in, 2);
    if (mask >> NODE_FLOATS != 0) in->is_cut = true;
    for (int k = 0; k < NODE_FLOATS; k++)
        if (mask >> k & 1) values[k] = read_finite(in);
    memcpy(&transform, values, sizeof transform);
    if (pose && !in->is_cut) sinew_pose_set(pose, node, transform);
}

static void read_nodes(sinewi_byte_reader *in, int32_t node_count, sinew_pose *pose, uint8_t *changed) {
    const size_t count = sinewi_read_count(in);
    int32_t next = 0;
    for (size_t i = 0; i < count && !in->is_cut; i++) {
        const int32_t node = read_index(in, next, node_count);
        if (in->is_cut) return;
        read_node(in, pose, node);
        if (pose) changed[node] = 1;
        next = node + 1;
    }
}

// Reads elements of an array of `floats` floats, which may be NULL.
static void read_elements(sinewi_byte_reader *in, float *values, int32_t element_count, int floats) {
    const size_t count = sinewi_read_count(in);
    int32_t next = 0;
    for (size_t i = 0; i < count && !in->is_cut; i++) {
        const int32_t element = read_index(in, next, element_count);
        for (int k = 0; k < floats && !in->is_cut; k++) {
            const float value = read_finite(in);
            if (values && !in->is_cut) values[element * floats + k] = value;
        }
        next = element + 1;
    }
}

bool sinewi_read_edits(sinewi_byte_reader *in, const sinew_skeleton *skeleton, sinew_pose *pose, uint8_t *changed,
                       sinew_affine *model) {
    if (pose) memset(changed, 0, (size_t)skeleton->node_count);
    read_nodes(in, skeleton->node_count, pose, changed);
    read_elements(in, pose ? pose->weights : NULL, sinewi_value_count(skeleton), 1);
    if (pose) sinewi_update_matrices(pose, changed, model);
    read_elements(in, pose ? &model[0].m[0][0] : NULL, skeleton->node_count, MATRIX_FLOATS);
    return !in->is_cut;
}

// ---- Parts ---------------------------------------------------------------------------------------------------

static sinew_result fail_at(size_t at, const character_replay *object, const char *reason, sinew_error *error) {
    return sinewi_fail(error, SINEW_ERROR_FORMAT, "recording: byte %zu: update %lld: %s", at,
                       (long long)object->replay.update_count, reason);
}

sinew_result sinewi_next_part(character_replay *object, recorded_part *part, sinew_error *error) {
    const uint8_t *bytes = (const uint8_t *)object->def.bytes;
    sinewi_byte_reader in = {bytes, object->def.size, object->at, false};
    const int kind = (int)sinewi_read_number(&in, 1);
    const size_t size = (size_t)sinewi_read_number(&in, 4);
    const uint32_t checksum = (uint32_t)sinewi_read_number(&in, 4);
    *part = (recorded_part){0, in};
    if (in.is_cut || size > in.size - in.at) return SINEW_OK;
    if (checksum != sinewi_part_checksum(kind, bytes + in.at, size))
        return fail_at(object->at, object, "a damaged part: its checksum is wrong", error);
    part->kind = kind;
    part->in.size = in.at + size;
    object->at = part->in.size;
    return SINEW_OK;
}

static bool check_begin(sinewi_byte_reader *in) {
    const float dt = read_finite(in);
    const uint64_t has_change = sinewi_read_number(in, 1);
    if (in->is_cut || dt < 0.0f || has_change > 1) return false;
    return (!has_change || sinewi_skip_change(in)) && in->at == in->size;
}

static bool check_call(const character_replay *object, sinewi_byte_reader *in) {
    const sinew_graph_binding *binding = object->def.rig->binding;
    const int head = in->bytes[in->at];
    sinew_vec3 normal = {0.0f, 1.0f, 0.0f};
    sinew_ground ground;
    bool is_found;
    if (head & RECORDED_GROUND) return sinewi_read_answer(in, normal, &normal, &ground, &is_found);
    in->at++;
    if (head >= binding->graph->step_count || binding->graph->steps[head].kind != SINEW_RIG_CALLBACK) return false;
    return sinewi_read_edits(in, binding->skeleton, NULL, NULL, NULL);
}

static bool check_end(const character_replay *object, sinewi_byte_reader *in) {
    const uint64_t flags = sinewi_read_number(in, 1);
    if (in->is_cut || flags > (RECORDED_BY_EVENTS | RECORDED_IN_BETWEEN)) return false;
    if ((flags & RECORDED_BY_EVENTS) && !sinewi_skip_change(in)) return false;
    if ((flags & RECORDED_IN_BETWEEN) && !sinewi_skip_change(in)) return false;
    if (in->size - in->at < 8) return false;
    in->size -= 8;
    while (in->at < in->size)
        if (!check_call(object, in)) return false;
    return true;
}

// Checks a part that follows one of the kind `last`.
static bool check_part(character_replay *object, recorded_part *part, int last) {
    switch (part->kind) {
    case RECORDED_BEGIN:
        object->replay.update_count++;
        return (last == RECORDED_HEAD || last == RECORDED_END) && check_begin(&part->in);
    case RECORDED_END:
        return last == RECORDED_BEGIN && check_end(object, &part->in);
    case RECORDED_STOP:
        return last != RECORDED_BEGIN && part->in.at == part->in.size;
    default:
        return false;
    }
}

sinew_result sinewi_check_parts(character_replay *object, sinew_error *error) {
    const size_t start = object->at;
    for (int last = RECORDED_HEAD; last != RECORDED_STOP;) {
        recorded_part part;
        const sinew_result result = sinewi_next_part(object, &part, error);
        if (result != SINEW_OK) return result;
        if (part.kind == 0) break;
        if (!check_part(object, &part, last))
            return fail_at(part.in.at, object,
                           part.in.is_cut ? "a number that isn't finite or is out of range"
                                          : "not what a recording has there",
                           error);
        last = part.kind;
        object->replay.complete = last == RECORDED_STOP;
    }
    if (object->replay.complete && object->at != object->def.size)
        return fail_at(object->at, object, "bytes after the recording's end", error);
    object->at = start;
    return SINEW_OK;
}
