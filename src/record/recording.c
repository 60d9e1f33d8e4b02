// Recording: each call on a mixer as bytes.
#include <sinew/recording.h>

#include "blend_space/blend_space_data.h"
#include "record/mixer_call.h"
#include "core/fail.h"
#include "core/fnv.h"
#include "core/memory.h"

#include <string.h>

// A clip, mask or blend space that has been written; its number is 1 + its place.
typedef struct recorded_thing {
    const void *thing;
    uint64_t
        mark; // what tells it from another that takes its place in memory; of a clip its fingerprint is written
    uint64_t fingerprint;
} recorded_thing;

#define MOST_THINGS 65535

typedef struct mixer_recorder {
    sinew_allocator allocator;
    void (*write)(const void *bytes, size_t size, void *user);
    void *user;
    sinew_result result; // other than SINEW_OK: nothing is written any more
    recorded_thing *things;
    int32_t thing_count, thing_capacity;
    int32_t save_count;
    size_t used; // of the buffer
    uint8_t buffer[512];
} mixer_recorder;

// ---- Bytes ---------------------------------------------------------------------------------------------------

static void flush(mixer_recorder *to) {
    if (to->used > 0) to->write(to->buffer, to->used, to->user);
    to->used = 0;
}

static void put(mixer_recorder *to, uint64_t number, int bytes) {
    if (to->used + (size_t)bytes > sizeof to->buffer) flush(to);
    for (int i = 0; i < bytes; i++) to->buffer[to->used++] = (uint8_t)(number >> 8 * i);
}

static void put_float(mixer_recorder *to, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put(to, bits, 4);
}

static void put_string(mixer_recorder *to, const char *string) {
    size_t length = strlen(string);
    put(to, length, 4);
    for (size_t i = 0; i < length; i++) put(to, (uint8_t)string[i], 1);
}

static void put_strings(mixer_recorder *to, const char *const *strings, int32_t count) {
    put(to, (uint32_t)count, 1);
    for (int32_t i = 0; i < count; i++) put_string(to, strings[i]);
}

// ---- Clips, masks and blend spaces ---------------------------------------------------------------------------

static int32_t find_thing(const mixer_recorder *to, const void *thing, uint64_t mark) {
    for (int32_t i = 0; i < to->thing_count; i++) {
        if (to->things[i].thing == thing && to->things[i].mark == mark) return i + 1;
    }
    return 0;
}

static bool make_room(mixer_recorder *to) {
    if (to->thing_count < to->thing_capacity) return true;
    int32_t capacity = 2 * to->thing_capacity + 8;
    size_t size = (size_t)capacity * sizeof *to->things, old = (size_t)to->thing_capacity * sizeof *to->things;
    recorded_thing *things = (recorded_thing *)sinew_allocate(&to->allocator, size, sizeof(uint64_t));
    if (!things) return false;
    if (old > 0) memcpy(things, to->things, old);
    sinew_release(&to->allocator, to->things, old, sizeof(uint64_t));
    to->things = things;
    to->thing_capacity = capacity;
    return true;
}

// False, with the reason in the result, where there is no room for another one.
static bool add_thing(mixer_recorder *to, const void *thing, uint64_t mark, uint64_t fingerprint) {
    if (to->thing_count == MOST_THINGS) to->result = SINEW_ERROR_LIMIT;
    if (to->result == SINEW_OK && !make_room(to)) to->result = SINEW_ERROR_OUT_OF_MEMORY;
    if (to->result != SINEW_OK) return false;
    to->things[to->thing_count++] = (recorded_thing){thing, mark, fingerprint};
    return true;
}

// How many clips of the same fingerprint there were before: which of equals it is.
static uint32_t equals_before(const mixer_recorder *to, uint64_t fingerprint) {
    uint32_t count = 0;
    for (int32_t i = 0; i < to->thing_count; i++) count += to->things[i].fingerprint == fingerprint;
    return count;
}

// What can be told without a look at the keys, which would take long each time.
static uint64_t mark_of_clip(const sinew_clip *clip) {
    uint64_t mark = SINEW_FNV_START;
    sinew_fnv_string(&mark, clip->name);
    sinew_fnv_float(&mark, clip->duration);
    sinew_fnv_number(&mark, clip->memory);
    return mark;
}

// The number of a clip, which is written where it is new; 0 for NULL, or where there is no room.
static int32_t number_of_clip(mixer_recorder *to, const sinew_clip *clip) {
    if (!clip) return 0;
    uint64_t mark = mark_of_clip(clip);
    int32_t number = find_thing(to, clip, mark);
    if (number > 0) return number;
    uint64_t fingerprint = sinew_clip_fingerprint(clip);
    uint32_t before = equals_before(to, fingerprint);
    if (!add_thing(to, clip, mark, fingerprint)) return 0;
    put(to, CALL_CLIP, 1);
    put_string(to, clip->name);
    put_float(to, clip->duration);
    put(to, fingerprint, 8);
    put(to, before, 2);
    return to->thing_count;
}

// A mask is written whole; one that has been changed is another one.
static int32_t number_of_mask(mixer_recorder *to, const sinew_mask *mask) {
    if (!mask) return 0;
    uint64_t mark = SINEW_FNV_START;
    int32_t nodes = mask->skeleton->node_count;
    for (int32_t i = 0; i < nodes; i++) sinew_fnv_float(&mark, mask->nodes[i]);
    int32_t number = find_thing(to, mask, mark);
    if (number > 0) return number;
    if (!add_thing(to, mask, mark, 0)) return 0;
    put(to, CALL_MASK, 1);
    for (int32_t i = 0; i < nodes; i++) put_float(to, mask->nodes[i]);
    return to->thing_count;
}

static uint64_t mark_of_space(const sinew_blend_space *space) {
    uint64_t mark = SINEW_FNV_START;
    sinew_fnv_number(&mark, (uint64_t)space->kind);
    sinew_fnv_float(&mark, space->damping);
    for (int32_t i = 0; i < space->sample_count; i++) {
        const sinew_blend_sample *sample = &space->samples[i];
        sinew_fnv_number(&mark, mark_of_clip(sample->clip));
        sinew_fnv_float(&mark, sample->x);
        sinew_fnv_float(&mark, sample->y);
        sinew_fnv_float(&mark, sample->speed);
    }
    for (int32_t i = 0; i < space->data->sync_name_count; i++) sinew_fnv_string(&mark, space->data->sync_names[i]);
    return mark;
}

static int32_t number_of_space(mixer_recorder *to, const sinew_blend_space *space) {
    if (!space) return 0;
    uint64_t mark = mark_of_space(space);
    int32_t number = find_thing(to, space, mark);
    if (number > 0) return number;
    for (int32_t i = 0; i < space->sample_count; i++) {
        if (number_of_clip(to, space->samples[i].clip) == 0) return 0;
    }
    if (!add_thing(to, space, mark, 0)) return 0;
    put(to, CALL_SPACE, 1);
    put(to, (uint64_t)space->kind, 1);
    put_float(to, space->damping);
    put_strings(to, space->data->sync_names, space->data->sync_name_count);
    put(to, (uint32_t)space->sample_count, 1);
    for (int32_t i = 0; i < space->sample_count; i++) {
        const sinew_blend_sample *sample = &space->samples[i];
        put(to, (uint32_t)number_of_clip(to, sample->clip), 2);
        put_float(to, sample->x);
        put_float(to, sample->y);
        put_float(to, sample->speed);
    }
    return to->thing_count;
}

// ---- Calls ---------------------------------------------------------------------------------------------------

static void put_transition(mixer_recorder *to, const sinew_transition *how) {
    put(to, how != NULL, 1);
    if (!how) return;
    put(to, (uint64_t)how->kind, 1);
    put_float(to, how->duration);
    put(to, (uint64_t)how->curve, 1);
    put(to, how->warp, 1);
}

static void put_play_def(mixer_recorder *to, const sinew_play_def *def) {
    put(to, def != NULL, 1);
    if (!def) return;
    put_float(to, def->time);
    put_float(to, def->speed);
    put_float(to, def->weight);
    put_float(to, def->fade);
    put(to, (uint64_t)def->curve, 1);
    put(to, (uint32_t)def->layer, 1);
    put(to, (uint32_t)def->sync, 1);
    put(to, (uint64_t)def->loop, 1);
    put(to, (uint32_t)def->loop_count, 4);
    put(to, def->allow_duplicate, 1);
    put(to, def->restart, 1);
}

static void put_pose(mixer_recorder *to, const sinew_pose *pose) {
    for (int32_t i = 0; i < pose->skeleton->node_count; i++) {
        float values[SINEW_PLANES];
        sinew_transform_to_planes(sinew_pose_get(pose, i), values);
        for (int k = 0; k < SINEW_PLANES; k++) put_float(to, values[k]);
    }
    for (int32_t i = 0; i < pose->skeleton->weight_count; i++) put_float(to, pose->weights[i]);
}

// The numbers of what a call plays; found before it is written, since what is new is written before it.
typedef struct call_things {
    int32_t clip, mask, space;
} call_things;

static void put_field(mixer_recorder *to, const mixer_call *call, const call_things *things, char field) {
    switch (field) {
    case 'a':
        put(to, call->action.id, 8);
        break;
    case 'l':
        put(to, (uint32_t)call->layer, 1);
        break;
    case 'c':
    case 'C':
        put(to, (uint32_t)things->clip, 2);
        break;
    case 's':
        put(to, (uint32_t)things->space, 2);
        break;
    case 'k':
        put(to, (uint32_t)things->mask, 2);
        break;
    case 't':
    case 'T':
        put_transition(to, call->how);
        break;
    case 'p':
        put_play_def(to, call->def);
        break;
    case 'x':
    case 'X':
    case 'd':
    case 'z':
        put_float(to, call->x);
        break;
    case 'y':
    case 'Y':
        put_float(to, call->y);
        break;
    case 'P':
        put_pose(to, call->pose);
        break;
    case 'o':
    case 'm':
    case 'u':
        put(to, (uint32_t)call->choice, 1);
        break;
    case 'n':
    case 'r':
        put(to, (uint32_t)call->number, 4);
        break;
    default: // h
        put(to, call->hash, 8);
        break;
    }
}

void sinew_note(const sinew_mixer *mixer, mixer_call call) {
    mixer_recorder *to = mixer->recorder;
    if (to->result != SINEW_OK) return;
    call.action.id = sinew_handle_bits(mixer, call.action);
    call_things things = {number_of_clip(to, call.clip), number_of_mask(to, call.mask),
                          number_of_space(to, call.space)};
    if (to->result == SINEW_OK) {
        put(to, (uint64_t)call.kind, 1);
        for (const char *field = sinew_call_shapes[call.kind].fields; *field; field++) {
            put_field(to, &call, &things, *field);
        }
    }
    flush(to);
}

// A snapshot is what the process makes of it; a recording has that it was saved, and which one is restored.
void sinew_note_save(const sinew_mixer *mixer) {
    mixer->state->stamp = (mixer_stamp){mixer->recorder, mixer->recorder->save_count++};
    sinew_note(mixer, (mixer_call){.kind = CALL_SAVE});
}

void sinew_note_restore(const sinew_mixer *mixer, const mixer_stamp *stamp) {
    if (stamp->recorder == mixer->recorder) {
        sinew_note(mixer, (mixer_call){.kind = CALL_RESTORE, .number = stamp->number});
    } else if (mixer->recorder->result == SINEW_OK) {
        mixer->recorder->result = SINEW_ERROR_ARGUMENT;
    }
}

// ---- Starting and stopping -----------------------------------------------------------------------------------

static void put_root_motion(mixer_recorder *to, const sinew_root *root) {
    bool taken[3] = {false, false, false}; // x, y, z
    for (int i = 0; i < 3; i++) taken[root->axes[i]] = root->taken[i];
    int flags = (taken[0] ? RECORDED_X : 0) | (taken[1] ? RECORDED_Y : 0) | (taken[2] ? RECORDED_Z : 0) |
                (root->yaw ? RECORDED_YAW : 0) | (root->close_loops ? RECORDED_CLOSE : 0) |
                (root->axes[2] == 2 ? RECORDED_UP_Z : 0);
    put(to, (uint32_t)root->node, 4);
    put(to, (uint32_t)flags, 1);
}

static void put_head(mixer_recorder *to, const sinew_mixer *mixer) {
    const sinew_mixer_def *def = &mixer->def;
    for (const char *c = SINEW_RECORDING_MAGIC; *c; c++) put(to, (uint8_t)*c, 1);
    put(to, SINEW_RECORDING_VERSION, 2);
    put(to, (uint32_t)def->skeleton->node_count, 4);
    put(to, sinew_skeleton_fingerprint(def->skeleton), 8);
    put(to, (uint32_t)def->root, 4);
    put(to, (uint32_t)def->max_actions, 1);
    put(to, (uint32_t)def->layer_count, 1);
    put(to, (uint32_t)def->hints_per_action, 1);
    put(to, (uint32_t)def->max_blend_spaces, 1);
    put(to, (uint32_t)def->max_events, 2);
    bool fills = def->underweight == SINEW_UNDERWEIGHT_REST;
    put(to,
        (uint32_t)((def->inertialization ? RECORDED_INERTIALIZATION : 0) | (fills ? RECORDED_UNDERWEIGHT_REST : 0) |
                   (mixer->root ? RECORDED_ROOT_MOTION : 0)),
        1);
    put_strings(to, def->sync_names, def->sync_name_count);
    if (mixer->root) put_root_motion(to, &mixer->root->root);
    flush(to);
}

static bool is_untouched(const sinew_mixer *mixer) {
    if (mixer->state->next_serial > 0 || mixer->state->has_advanced) return false;
    for (int32_t i = 0; i < mixer->def.layer_count; i++) {
        const layer_state *layer = &mixer->layers[i];
        bool is_full = layer->weight.value == 1.0f && !sinew_fade_runs(&layer->weight);
        if (!is_full || layer->mask || layer->mode != SINEW_LAYER_OVERRIDE) return false;
    }
    return true;
}

static sinew_result report(sinew_result result, sinew_error *error) {
    switch (result) {
    case SINEW_OK:
        return SINEW_OK;
    case SINEW_ERROR_ARGUMENT:
        return sinew_fail(error, result,
                          "recording: a restored snapshot was not saved of this mixer while it was recorded; the "
                          "recording ends before it");
    case SINEW_ERROR_LIMIT:
        return sinew_fail(
            error, result,
            "recording: more than %d clips, masks and blend spaces; the recording ends before the next",
            MOST_THINGS);
    default:
        return sinew_fail_memory(error);
    }
}

static sinew_result stop(sinew_mixer *mixer, sinew_error *error) {
    mixer_recorder *recorder = mixer->recorder;
    if (!recorder) return SINEW_OK;
    sinew_note(mixer, (mixer_call){.kind = CALL_END, .hash = sinew_mixer_hash(mixer)});
    sinew_result result = recorder->result;
    sinew_allocator allocator = recorder->allocator;
    size_t size = (size_t)recorder->thing_capacity * sizeof *recorder->things;
    sinew_release(&allocator, recorder->things, size, sizeof(uint64_t));
    sinew_release(&allocator, recorder, sizeof *recorder, sizeof(uint64_t));
    mixer->recorder = NULL;
    return report(result, error);
}

sinew_result sinew_mixer_record(sinew_mixer *mixer, void (*write)(const void *bytes, size_t size, void *user),
                                void *user, sinew_error *error) {
    if (!mixer) return sinew_fail(error, SINEW_ERROR_ARGUMENT, "recording: mixer is NULL");
    if (!write) return stop(mixer, error);
    if (mixer->recorder) {
        return sinew_fail(error, SINEW_ERROR_ARGUMENT, "recording: the mixer is being recorded; stop that first");
    }
    if (!is_untouched(mixer)) {
        return sinew_fail(error, SINEW_ERROR_ARGUMENT,
                          "recording: the mixer has played, advanced or changed a layer; start before that");
    }
    const sinew_allocator *allocator = &mixer->def.allocator;
    mixer_recorder *recorder = (mixer_recorder *)sinew_allocate(allocator, sizeof *recorder, sizeof(uint64_t));
    if (!recorder) return sinew_fail_memory(error);
    memset(recorder, 0, sizeof *recorder);
    recorder->allocator = *allocator;
    recorder->write = write;
    recorder->user = user;
    mixer->recorder = recorder;
    put_head(recorder, mixer);
    return SINEW_OK;
}
