// SPDX-License-Identifier: MIT
// A character's state as names and numbers: where it is, and the states of its rig's steps, beside its animator's state.
//
//   PLAC   the world transform, the platform and what else the program has set
//   STEP   for each step its name, kind and weight, then the fields of its state (rig_state.c)
#include "motion/animator_snapshot_format.h"
#include "motion/character_state.h"
#include "body/spring_data.h"
#include "base/fail.h"
#include "base/float_rules.h"
#include "base/fnv.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// ---- Writing -------------------------------------------------------------------------------------------------

static void write_vector(state_writer *to, sinew_vec3 v) {
    sinewi_state_put_float(to, v.x);
    sinewi_state_put_float(to, v.y);
    sinewi_state_put_float(to, v.z);
}

static void write_transform(state_writer *to, sinew_transform t) {
    write_vector(to, t.translation);
    sinewi_state_put_float(to, t.rotation.x);
    sinewi_state_put_float(to, t.rotation.y);
    sinewi_state_put_float(to, t.rotation.z);
    sinewi_state_put_float(to, t.rotation.w);
    sinewi_state_put_float(to, t.scale.x);
}

static void write_place(state_writer *to, const character_place *place) {
    const bool is_limited = isfinite(place->significance);
    sinewi_state_begin_section(to, SECTION_PLACE);
    write_transform(to, place->world);
    write_transform(to, place->platform);
    write_transform(to, place->shown);
    write_vector(to, place->before);
    write_vector(to, place->wind);
    sinewi_state_put(to, place->is_known != 0, 1);
    sinewi_state_put(to, place->rides != 0, 1);
    sinewi_state_put(to, place->has_weights != 0, 1);
    sinewi_state_put(to, is_limited, 1);
    sinewi_state_put_float(to, is_limited ? place->significance : 0.0f);
    sinewi_state_end_section(to);
}

static size_t field_size(const sinewi_rig_field *field) {
    return field->count * (field->kind == SINEWI_RIG_BOOLS ? 1 : 4);
}

// Another layout of a state has another size or fingerprint.
static size_t written_size(const sinewi_rig_field *fields, int32_t count) {
    size_t size = 0;
    for (int32_t i = 0; i < count; i++) size += field_size(&fields[i]) * fields[i].repeat;
    return size;
}

static uint64_t fingerprint_of(const sinewi_rig_step *step) {
    const bool swings = step->step->kind == SINEW_RIG_SPRINGS && step->springs;
    return swings ? sinewi_spring_fingerprint(step->springs) : 0;
}

static void write_field(state_writer *to, const sinewi_rig_field *field, const char *state) {
    for (size_t r = 0; r < field->repeat; r++) {
        const char *at = state + field->offset + r * field->stride;
        for (size_t i = 0; i < field->count; i++) {
            uint32_t word = 0;
            const bool is_bool = field->kind == SINEWI_RIG_BOOLS;
            if (is_bool) word = at[i] != 0;
            if (!is_bool) memcpy(&word, at + 4 * i, sizeof word);
            sinewi_state_put(to, word, is_bool ? 1 : 4);
        }
    }
}

static void write_step(state_writer *to, const sinew_character *character, int32_t i) {
    const sinewi_rig_step *step = &character_steps(character)[i];
    sinewi_rig_field fields[SINEWI_RIG_MAX_FIELDS];
    const int32_t count = sinewi_rig_state_fields(step, fields);
    sinewi_state_put_string(to, step->step->name);
    sinewi_state_put(to, (uint64_t)step->step->kind, 1);
    sinewi_state_put_float(to, character_weights(character)[i].value);
    sinewi_state_put_float(to, character_weights(character)[i].velocity);
    sinewi_state_put(to, fingerprint_of(step), 8);
    sinewi_state_put(to, written_size(fields, count), 4);
    for (int32_t k = 0; k < count; k++)
        write_field(to, &fields[k], (const char *)character_step_state(character, step));
}

static void write_character(state_writer *to, const void *owner) {
    const sinew_character *character = (const sinew_character *)owner;
    write_place(to, &character->place);
    sinewi_state_begin_section(to, SECTION_STEPS);
    sinewi_state_put_count(to, (uint32_t)character_step_count(character));
    for (int32_t i = 0; i < character_step_count(character); i++) write_step(to, character, i);
    sinewi_state_end_section(to);
}

size_t sinewi_character_write_open(const sinew_character *character, const sinew_state_names *names, uint8_t *bytes,
                                   size_t capacity) {
    const state_extension extension = {.from = character, .write = write_character};
    return sinewi_animator_write_open(character->animator, names, &extension, bytes, capacity);
}

size_t sinew_character_write(const sinew_character *character, const sinew_state_names *names, void *bytes,
                             size_t size) {
    assert(character && !character->has_begun);
    const state_extension extension = {.from = character, .write = write_character};
    return sinewi_animator_write(character->animator, names, &extension, bytes, size);
}

uint64_t sinewi_character_step_shape(const sinewi_rig_step *step) {
    sinewi_rig_field fields[SINEWI_RIG_MAX_FIELDS];
    uint64_t hash = SINEWI_FNV_START;
    sinewi_fnv_number(&hash, written_size(fields, sinewi_rig_state_fields(step, fields)));
    sinewi_fnv_number(&hash, fingerprint_of(step));
    return hash;
}

// ---- Reading -------------------------------------------------------------------------------------------------

static sinew_vec3 read_vector(state_reader *in) {
    sinew_vec3 v;
    v.x = sinewi_state_float(in);
    v.y = sinewi_state_float(in);
    v.z = sinewi_state_float(in);
    return v;
}

static bool is_zero_rotation(sinew_quat q) {
    return q.x == 0.0f && q.y == 0.0f && q.z == 0.0f && q.w == 0.0f;
}

// A rotation from elsewhere may be anything finite.
static sinew_quat unit_rotation(sinew_quat q) {
    const float length = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    if (!(length > 1e-12f && length < 1e12f)) return (sinew_quat){0.0f, 0.0f, 0.0f, 1.0f};
    return fabsf(length - 1.0f) < 2e-3f ? q : sinew_quat_normalize(q); // what a program may set stays as it is
}

static sinew_transform read_transform(state_reader *in) {
    sinew_transform t;
    sinew_quat q;
    t.translation = read_vector(in);
    q.x = sinewi_state_float(in);
    q.y = sinewi_state_float(in);
    q.z = sinewi_state_float(in);
    q.w = sinewi_state_float(in);
    const float scale = sinewi_state_float(in);
    if (!(scale > 0.0f) && !in->in.is_cut) sinewi_state_fail(in, "a scale that isn't above 0");
    t.rotation = unit_rotation(q);
    t.scale = (sinew_vec3){scale, scale, scale};
    return t;
}

static void read_place(state_file *file, character_place *place) {
    state_reader in = sinewi_state_read_section(file, SECTION_PLACE);
    place->world = read_transform(&in);
    place->platform = read_transform(&in);
    if (place->platform.scale.x != 1.0f && !in.in.is_cut) sinewi_state_fail(&in, "a platform with a scale");
    place->shown = read_transform(&in);
    place->before = read_vector(&in);
    place->wind = read_vector(&in);
    place->is_known = (int32_t)sinewi_state_byte(&in, 1);
    place->rides = (int32_t)sinewi_state_byte(&in, 1);
    place->has_weights = (int32_t)sinewi_state_byte(&in, 1);
    const bool is_limited = sinewi_state_byte(&in, 1) != 0;
    const float significance = sinewi_state_amount(&in, FLT_MAX);
    place->significance = is_limited ? significance : INFINITY;
    sinewi_state_close_section(&in);
}

// Reads a field, and writes it to `state` unless that is NULL.
static void read_field(state_reader *in, const sinewi_rig_field *field, char *state) {
    for (size_t r = 0; r < field->repeat; r++) {
        char *at = state ? state + field->offset + r * field->stride : NULL;
        for (size_t i = 0; i < field->count && !in->in.is_cut; i++) {
            if (field->kind == SINEWI_RIG_BOOLS) {
                const char byte = (char)sinewi_state_byte(in, 1);
                if (at) at[i] = byte;
                continue;
            }
            const uint32_t word = (uint32_t)sinewi_read_number(&in->in, 4);
            float number;
            memcpy(&number, &word, sizeof number);
            if (field->kind == SINEWI_RIG_FLOATS && !isfinite(number))
                sinewi_state_fail(in, "a number that isn't finite");
            if (at) memcpy(at + 4 * i, &word, sizeof word);
        }
    }
}

static void skip(state_reader *in, size_t size) {
    if (in->in.size - in->in.at < size) {
        sinewi_state_fail(in, "a step that ends early");
    } else {
        in->in.at += size;
    }
}

// The same for one that isn't set yet, which is zero.
static sinew_quat unit_or_zero(sinew_quat q) {
    return is_zero_rotation(q) ? q : unit_rotation(q);
}

static int32_t clamp_index(int32_t index, int32_t count) {
    return index >= 0 && index < count ? index : 0;
}

static void settle_feet(const sinew_rig *rig, const sinewi_rig_step *step, void *state) {
    for (int32_t i = 0; i < SINEW_MAX_FEET; i++) {
        const int32_t points = i < rig->foot_count ? rig->feet[i].point_count : 0;
        if (step->step->kind == SINEW_RIG_FOOT_LOCK) {
            sinew_locked_foot *foot = &((sinew_foot_lock_state *)state)->feet[i];
            foot->pivot = clamp_index(foot->pivot, points);
            foot->rotation = unit_or_zero(foot->rotation);
            foot->locked &= !is_zero_rotation(foot->rotation);
        } else {
            sinew_foot_motion *motion = &((sinew_foot_placement_state *)state)->motions[i];
            motion->lowest = clamp_index(motion->lowest, points);
        }
    }
}

// Makes a state that has been read safe to use.
static void settle_state(sinew_character *character, const sinewi_rig_step *step, void *state) {
    switch (step->step->kind) {
    case SINEW_RIG_ROOT_WARP: {
        sinewi_rig_warp_state *warp = (sinewi_rig_warp_state *)state;
        warp->warp.start.facing = unit_or_zero(warp->warp.start.facing);
        warp->goal.facing = unit_or_zero(warp->goal.facing);
        warp->runs = warp->runs != 0 && !is_zero_rotation(warp->warp.start.facing);
        break;
    }
    case SINEW_RIG_FOOT_LOCK:
    case SINEW_RIG_FOOT_PLACEMENT:
        settle_feet(character->def.rig, step, state);
        break;
    case SINEW_RIG_SPRINGS:
        if (step->springs && !sinewi_spring_is_state(step->springs, (sinew_spring_state *)state))
            sinewi_rig_reset_state(step, state);
        break;
    default: // floats only
        break;
    }
}

// The step with a name and a kind, or -1.
static int32_t find_step(const sinew_character *character, const char *name, int kind) {
    for (int32_t i = 0; name && i < character_step_count(character); i++) {
        const sinew_rig_step *step = character_steps(character)[i].step;
        if (strcmp(step->name, name) == 0 && (int)step->kind == kind) return i;
    }
    return -1;
}

static void read_step(state_reader *in, sinew_character *character, bool applies) {
    const char *name = sinewi_state_string(in);
    const int kind = (int)sinewi_state_byte(in, UINT8_MAX);
    const float value = sinewi_state_amount(in, 1.0f), velocity = sinewi_state_float(in);
    if (fabsf(velocity) > 1e9f) sinewi_state_fail(in, "a weight that changes too fast");
    const uint64_t fingerprint = sinewi_read_number(&in->in, 8);
    const size_t size = (size_t)sinewi_read_number(&in->in, 4);
    if (!name) sinewi_state_fail(in, "a step without a name");
    const int32_t index = find_step(character, name, kind);
    if (index < 0 && name) sinewi_state_report_unknown(in->file, "step", name);
    if (index < 0) {
        skip(in, size);
        return;
    }
    const sinewi_rig_step *step = &character_steps(character)[index];
    sinewi_rig_field fields[SINEWI_RIG_MAX_FIELDS];
    const int32_t count = sinewi_rig_state_fields(step, fields);
    if (applies) character_weights(character)[index] = (sinewi_rig_weight){value, velocity};
    if (size != written_size(fields, count) || fingerprint != fingerprint_of(step)) {
        sinewi_state_report_unknown(in->file, "step's state", name);
        skip(in, size); // it starts over
        return;
    }
    char *state = applies ? (char *)character_step_state(character, step) : NULL;
    for (int32_t k = 0; k < count; k++) read_field(in, &fields[k], state);
    if (applies) settle_state(character, step, state);
}

static void read_steps(state_file *file, sinew_character *character, bool applies) {
    state_reader in = sinewi_state_read_section(file, SECTION_STEPS);
    const int32_t count = (int32_t)sinewi_state_count(&in, SINEW_MAX_RIG_STEPS);
    for (int32_t i = 0; applies && i < character_step_count(character); i++) {
        const sinewi_rig_step *step = &character_steps(character)[i];
        sinewi_rig_reset_state(step, character_step_state(character, step));
        character_weights(character)[i] = (sinewi_rig_weight){0.0f, 0.0f};
    }
    for (int32_t i = 0; i < count && !in.in.is_cut; i++) read_step(&in, character, applies);
    sinewi_state_close_section(&in);
}

static void read_character(state_file *file, void *owner, bool applies) {
    sinew_character *character = (sinew_character *)owner;
    character_place place = character->place;
    read_place(file, &place);
    read_steps(file, character, applies);
    if (!applies) return;
    character->place = place;
}

sinew_result sinewi_character_read(sinew_character *character, const sinew_state_names *names, const void *bytes,
                                   size_t size, const sinew_state_report *report, sinew_error *error) {
    const state_extension extension = {.to = character, .read = read_character};
    return sinewi_animator_read(character->animator, names, &extension, bytes, size, report, error);
}

sinew_result sinew_character_read(sinew_character *character, const sinew_state_names *names, const void *bytes,
                                  size_t size, const sinew_state_report *report, sinew_error *error) {
    assert(character && !character->has_begun);
    if (character->has_begun)
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "character: read between begin and end");
    return sinewi_character_read(character, names, bytes, size, report, error);
}
