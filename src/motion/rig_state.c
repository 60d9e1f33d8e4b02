// SPDX-License-Identifier: MIT
// The states of a character's steps: their sizes and fields.
#include "motion/rig_data.h"
#include "base/fnv.h"
#include "body/spring_data.h"

#include <assert.h>
#include <string.h>

#define FIELD(field_kind, type, member, elements)                                                                  \
    (sinewi_rig_field) {                                                                                           \
        .kind = SINEWI_RIG_##field_kind, .offset = offsetof(type, member), .count = (elements), .repeat = 1        \
    }

// The same for a member of each element of an array.
#define FOOT_FIELD(field_kind, state, array, type, member, elements)                                               \
    (sinewi_rig_field) {                                                                                           \
        .kind = SINEWI_RIG_##field_kind, .offset = offsetof(state, array) + offsetof(type, member),                \
        .count = (elements), .repeat = SINEW_MAX_FEET, .stride = sizeof(type)                                      \
    }

// Floats that follow each other are one field.
static_assert(offsetof(sinew_locked_foot, pivot) == 21 * sizeof(float), "21 floats come first");
static_assert(offsetof(sinew_locked_foot, waiting) == offsetof(sinew_locked_foot, locked) + 1, "two bytes");
static_assert(offsetof(sinew_foot_settling, jumped) == 4 * sizeof(float), "4 floats come first");
static_assert(sizeof(sinew_foot_settling_normal) == 9 * sizeof(float), "9 floats");
static_assert(offsetof(sinew_foot_motion, lowest) == 9 * sizeof(float), "9 floats come first");
static_assert(sizeof(sinew_ik_aim_state) == 15 * sizeof(float), "15 floats");
static_assert(offsetof(sinewi_rig_warp_state, goal) == sizeof(sinew_root_warp), "floats without gaps");

static int32_t lock_fields(sinewi_rig_field *fields) {
    int32_t n = 0;
    fields[n++] = FOOT_FIELD(FLOATS, sinew_foot_lock_state, feet, sinew_locked_foot, position, 21);
    fields[n++] = FOOT_FIELD(INTEGERS, sinew_foot_lock_state, feet, sinew_locked_foot, pivot, 1);
    fields[n++] = FOOT_FIELD(BOOLS, sinew_foot_lock_state, feet, sinew_locked_foot, locked, 2);
    return n;
}

static int32_t placement_fields(sinewi_rig_field *fields) {
    int32_t n = 0;
    fields[n++] = FIELD(BOOLS, sinew_foot_placement_state, started, 1);
    fields[n++] = FIELD(FLOATS, sinew_foot_placement_state, elevation, 1);
    fields[n++] = FIELD(FLOATS, sinew_foot_placement_state, pelvis, 4);
    fields[n++] = FIELD(BOOLS, sinew_foot_placement_state, pelvis.jumped, 1);
    fields[n++] = FIELD(FLOATS, sinew_foot_placement_state, drop, 1);
    fields[n++] = FOOT_FIELD(FLOATS, sinew_foot_placement_state, feet, sinew_foot_settling, target, 4);
    fields[n++] = FOOT_FIELD(BOOLS, sinew_foot_placement_state, feet, sinew_foot_settling, jumped, 1);
    fields[n++] = FOOT_FIELD(FLOATS, sinew_foot_placement_state, normals, sinew_foot_settling_normal, target, 9);
    fields[n++] = FIELD(FLOATS, sinew_foot_placement_state, ground_velocity, 3);
    fields[n++] = FOOT_FIELD(FLOATS, sinew_foot_placement_state, motions, sinew_foot_motion, joint, 9);
    fields[n++] = FOOT_FIELD(INTEGERS, sinew_foot_placement_state, motions, sinew_foot_motion, lowest, 1);
    return n;
}

static int32_t warp_fields(sinewi_rig_field *fields) {
    fields[0] = FIELD(FLOATS, sinewi_rig_warp_state, warp, offsetof(sinewi_rig_warp_state, runs) / sizeof(float));
    fields[1] = FIELD(INTEGERS, sinewi_rig_warp_state, runs, 1);
    return 2;
}

// A state of floats only.
static int32_t float_fields(sinewi_rig_field *fields, size_t size) {
    fields[0] = (sinewi_rig_field){.kind = SINEWI_RIG_FLOATS, .count = size / sizeof(float), .repeat = 1};
    return 1;
}

// Springs keep floats and counts, whose layout only they know.
static int32_t spring_fields(const sinew_springs *springs, sinewi_rig_field *fields) {
    if (!springs) return 0;
    const size_t words = sinewi_spring_kept_size(springs) / sizeof(float);
    fields[0] = (sinewi_rig_field){.kind = SINEWI_RIG_INTEGERS, .count = words, .repeat = 1};
    return 1;
}

int32_t sinewi_rig_state_fields(const sinewi_rig_step *step, sinewi_rig_field fields[SINEWI_RIG_MAX_FIELDS]) {
    switch (step->step->kind) {
    case SINEW_RIG_ROOT_WARP:
        return warp_fields(fields);
    case SINEW_RIG_ORIENTATION_WARP:
        return float_fields(fields, sizeof(sinew_orientation_warp_state));
    case SINEW_RIG_STRIDE_WARP:
        return float_fields(fields, sizeof(sinew_stride_warp_state));
    case SINEW_RIG_FOOT_LOCK:
        return lock_fields(fields);
    case SINEW_RIG_FOOT_PLACEMENT:
        return placement_fields(fields);
    case SINEW_RIG_AIM:
        return float_fields(fields, sizeof(sinew_ik_aim_state));
    case SINEW_RIG_SPRINGS:
        return spring_fields(step->springs, fields);
    case SINEW_RIG_AIM_OFFSET:
    case SINEW_RIG_LIMB:
    case SINEW_RIG_CHAIN:
    case SINEW_RIG_BODY:
    case SINEW_RIG_CALLBACK:
        break;
    }
    return 0;
}

size_t sinewi_rig_state_size(const sinewi_rig_step *step) {
    switch (step->step->kind) {
    case SINEW_RIG_ROOT_WARP:
        return sizeof(sinewi_rig_warp_state);
    case SINEW_RIG_ORIENTATION_WARP:
        return sizeof(sinew_orientation_warp_state);
    case SINEW_RIG_STRIDE_WARP:
        return sizeof(sinew_stride_warp_state);
    case SINEW_RIG_FOOT_LOCK:
        return sizeof(sinew_foot_lock_state);
    case SINEW_RIG_FOOT_PLACEMENT:
        return sizeof(sinew_foot_placement_state);
    case SINEW_RIG_AIM:
        return sizeof(sinew_ik_aim_state);
    case SINEW_RIG_SPRINGS:
        return step->springs ? sinew_springs_state_size(step->springs) : 0;
    case SINEW_RIG_AIM_OFFSET:
    case SINEW_RIG_LIMB:
    case SINEW_RIG_CHAIN:
    case SINEW_RIG_BODY:
    case SINEW_RIG_CALLBACK:
        break;
    }
    return 0;
}

void sinewi_rig_reset_state(const sinewi_rig_step *step, void *state) {
    const size_t size = sinewi_rig_state_size(step);
    if (size > 0) memset(state, 0, size);
    if (step->step->kind == SINEW_RIG_SPRINGS && step->springs)
        sinew_springs_reset(step->springs, (sinew_spring_state *)state);
}

static void hash_words(const char *at, size_t count, uint64_t *hash) {
    for (size_t i = 0; i < count; i++) {
        uint32_t word;
        memcpy(&word, at + i * sizeof word, sizeof word);
        sinewi_fnv_number(hash, word);
    }
}

void sinewi_rig_hash_state(const sinewi_rig_step *step, const void *state, uint64_t *hash) {
    sinewi_rig_field fields[SINEWI_RIG_MAX_FIELDS];
    const int32_t count = sinewi_rig_state_fields(step, fields);
    for (int32_t i = 0; i < count; i++) {
        const sinewi_rig_field *field = &fields[i];
        for (size_t k = 0; k < field->repeat; k++) {
            const char *at = (const char *)state + field->offset + k * field->stride;
            if (field->kind == SINEWI_RIG_BOOLS) {
                sinewi_fnv_bytes(hash, at, field->count);
            } else {
                hash_words(at, field->count, hash);
            }
        }
    }
}
