// SPDX-License-Identifier: MIT
// Reads recordings from any source (see recording.c for the format). Everything that a call asserts is checked here, so
// no recording can do harm.
//
// A recording may be cut off anywhere. Then the reader is_cut, and reads return zeros. sinew_replay_create reads every
// call once (object->making), and its definitions create their masks and blend spaces. Later reads skip them. Each
// replay_read_ function reads one field of a call (motion/recording_format.h).
#include "core/mask_part.h"
#include "motion/recording_read.h"

#include <float.h>
#include <math.h>
#include <string.h>

// ---- Bytes ---------------------------------------------------------------------------------------------------

// A text within a recording, without a terminating zero.
typedef struct text_part {
    const char *start;
    size_t length;
} text_part;

static text_part read_bytes(sinewi_byte_reader *in, size_t length) {
    if (in->size - in->at < length) in->is_cut = true;
    if (in->is_cut) return (text_part){"", 0};
    text_part text = {(const char *)in->bytes + in->at, length};
    in->at += length;
    return text;
}

// Reads a length and that many bytes.
static text_part read_text(sinewi_byte_reader *in) {
    size_t length = (size_t)sinewi_read_number(in, 4);
    return read_bytes(in, length);
}

// Reports a problem with the bytes before the current one.
static sinew_result fail_format(const replay_object *object, const char *problem) {
    return sinewi_fail(object->error, SINEW_ERROR_FORMAT, "recording: before byte %zu: %s", object->in.at, problem);
}

// Reads a byte that must be below a limit.
static sinew_result replay_read_below(replay_object *object, int32_t limit, const char *problem, int32_t *number) {
    *number = (int32_t)sinewi_read_number(&object->in, 1);
    return *number < limit ? SINEW_OK : fail_format(object, problem);
}

static sinew_result replay_read_finite(replay_object *object, float *number) {
    *number = sinewi_read_float(&object->in);
    bool is_good = isfinite(*number) && fabsf(*number) <= SINEWI_MAX_RECORDED;
    return is_good ? SINEW_OK : fail_format(object, "a number that is not finite, or beyond 1e9");
}

// Reads a weight or a duration. A number that isn't above 0 counts as 0.
static sinew_result replay_read_amount(replay_object *object, float *number) {
    *number = sinewi_read_float(&object->in);
    if (!(*number > 0.0f)) *number = 0.0f;
    return *number > SINEWI_MAX_RECORDED ? fail_format(object, "a weight or duration beyond 1e9") : SINEW_OK;
}

// Reads a clip time. Any number is allowed, because calls clamp it.
static float read_time(replay_object *object) {
    float time = sinewi_read_float(&object->in);
    if (isfinite(time)) return time;
    return time > 0.0f ? FLT_MAX : 0.0f;
}

// ---- Memory --------------------------------------------------------------------------------------------------

// Grows an array in the arena if it's full.
static void *grow_array(replay_object *object, void *array, int32_t count, int32_t *capacity, size_t size) {
    if (count < *capacity) return array;
    int32_t larger = 2 * *capacity + 8;
    void *larger_array = sinewi_arena_take(&object->arena, (size_t)larger, size, alignof(int64_t));
    if (!larger_array) return NULL;
    if (count > 0) memcpy(larger_array, array, (size_t)count * size);
    *capacity = larger;
    return larger_array;
}

// Gives a clip, mask or blend space the next number.
static sinew_result add_definition(replay_object *object, replay_definition definition) {
    if (object->definition_count == UINT16_MAX)
        return fail_format(object, "more than 65535 clips, masks and blend spaces");
    void *definitions = grow_array(object, object->definitions, object->definition_count,
                                   &object->definition_capacity, sizeof definition);
    if (!definitions) return sinewi_fail_memory(object->error);
    object->definitions = (replay_definition *)definitions;
    object->definitions[object->definition_count++] = definition;
    return SINEW_OK;
}

// Reads a list of strings into the arena.
static sinew_result read_names(replay_object *object, const char *const **names, int32_t *count) {
    *count = (int32_t)sinewi_read_number(&object->in, 1);
    const char **list = sinewi_arena_array(&object->arena, const char *, (size_t)*count);
    if (!list) return sinewi_fail_memory(object->error);
    for (int32_t i = 0; i < *count; i++) {
        text_part text = read_text(&object->in);
        if (memchr(text.start, '\0', text.length)) return fail_format(object, "a name with a zero byte in it");
        list[i] = sinewi_arena_string(&object->arena, text.start, text.length);
        if (!list[i]) return sinewi_fail_memory(object->error);
    }
    *names = list;
    return SINEW_OK;
}

// ---- The head ------------------------------------------------------------------------------------------------

// Checks that the bytes are a recording of this version.
static sinew_result check_magic_and_version(replay_object *object) {
    sinewi_byte_reader *in = &object->in;
    size_t length = strlen(SINEWI_RECORDING_MAGIC);
    if (in->size < length || memcmp(in->bytes, SINEWI_RECORDING_MAGIC, length) != 0) {
        return sinewi_fail(object->error, SINEW_ERROR_FORMAT, "not a mixer recording: it must begin with '%s'",
                           SINEWI_RECORDING_MAGIC);
    }
    in->at = length;
    int version = (int)sinewi_read_number(in, 2);
    if (in->is_cut || version == SINEWI_RECORDING_VERSION) return SINEW_OK;
    return sinewi_fail(object->error, SINEW_ERROR_UNSUPPORTED,
                       "recording: version %d, but this library replays version %d; use the library that wrote it",
                       version, SINEWI_RECORDING_VERSION);
}

// Checks that the caller's skeleton is the recorded one.
static sinew_result check_skeleton(replay_object *object) {
    const sinew_skeleton *skeleton = object->def.skeleton;
    int32_t nodes = sinewi_read_i32(&object->in);
    uint64_t fingerprint = sinewi_read_number(&object->in, 8);
    if (object->in.is_cut) return SINEW_OK;
    if (nodes != skeleton->node_count) {
        return sinewi_fail(
            object->error, SINEW_ERROR_ARGUMENT,
            "recording: made with a skeleton of %d nodes, not %d; use the model that it was made with", (int)nodes,
            (int)skeleton->node_count);
    }
    if (fingerprint == sinewi_skeleton_fingerprint(skeleton)) return SINEW_OK;
    return sinewi_fail(object->error, SINEW_ERROR_ARGUMENT,
                       "recording: made with a skeleton that has the same number of nodes, but different names, "
                       "parents or rest pose; use the model that it was made with, loaded with the same options");
}

// Reads the head: magic bytes, version, skeleton and the mixer's definition.
sinew_result sinewi_read_head(replay_object *object, sinew_mixer_def *def, sinew_root_motion_def *root) {
    sinewi_byte_reader *in = &object->in;
    sinew_result result = check_magic_and_version(object);
    if (result == SINEW_OK) result = check_skeleton(object);
    if (result != SINEW_OK) return result;
    *def = sinew_mixer_default();
    def->skeleton = object->def.skeleton;
    const bool has_root_motion = sinewi_read_recorded_mixer(in, def);
    result = replay_read_amount(object, &def->smoothing);
    if (result == SINEW_OK) result = read_names(object, &def->sync_names, &def->sync_name_count);
    if (result != SINEW_OK) return result;
    if (has_root_motion) {
        sinewi_read_recorded_root_motion(in, object->def.skeleton, root);
        def->root_motion = root;
    }
    def->easing = object->def.easing;
    def->user = object->def.user;
    def->allocator = object->def.allocator;
    return in->is_cut ? fail_format(object, "it is cut off before the first call") : SINEW_OK;
}

// ---- Clips, masks and blend spaces ---------------------------------------------------------------------------

static bool is_named(const sinew_clip *clip, text_part name) {
    return strlen(clip->name) == name.length && memcmp(clip->name, name.start, name.length) == 0;
}

// Fails because none of the caller's clips is the recorded one.
static sinew_result fail_clip(const replay_object *object, text_part name, float duration) {
    bool named = false;
    const int shown_length = name.length < 100 ? (int)name.length : 100;
    for (int32_t i = 0; i < object->def.clip_count; i++) named |= is_named(object->def.clips[i], name);
    return sinewi_fail(
        object->error, SINEW_ERROR_ARGUMENT,
        named ? "recording: it plays the clip '%.*s' (%.9g s), but the clip with that name here has a different "
                "duration, keys or markers; use the model that it was made with, loaded with the same options"
              : "recording: it plays the clip '%.*s' (%.9g s), which is missing here",
        shown_length, name.start, (double)duration);
}

// Makes the difference of a clip from a reference or from the rest pose, and keeps it if that's the recorded clip.
static sinew_result try_difference(const replay_object *object, const sinew_clip *clip, const sinew_clip *reference,
                                   uint64_t fingerprint, sinew_clip **made) {
    sinew_pose *pose = NULL;
    *made = NULL;
    if (reference && sinew_pose_create(clip->skeleton, &object->def.allocator, &pose) != SINEW_OK)
        return sinewi_fail_memory(object->error);
    if (reference) sinew_clip_sample(reference, 0.0f, pose);
    sinew_result result = sinew_clip_make_additive(clip, pose, &object->def.allocator, made, NULL);
    sinew_pose_destroy(pose);
    if (result == SINEW_ERROR_OUT_OF_MEMORY) return sinewi_fail_memory(object->error);
    if (result != SINEW_OK || sinewi_clip_fingerprint(*made) == fingerprint) return SINEW_OK;
    sinew_clip_destroy(*made);
    *made = NULL;
    return SINEW_OK;
}

// Tries the references that a graph may have: the rest pose, and the first frame of each clip.
static sinew_result find_difference(const replay_object *object, const sinew_clip *clip, uint64_t fingerprint,
                                    sinew_clip **made) {
    sinew_result result = try_difference(object, clip, NULL, fingerprint, made);
    for (int32_t i = 0; result == SINEW_OK && !*made && i < object->def.clip_count; i++) {
        const sinew_clip *reference = object->def.clips[i];
        if (!reference->additive) result = try_difference(object, clip, reference, fingerprint, made);
    }
    return result;
}

#define MAX_MADE_CLIPS 256

// Defines a clip that the caller doesn't have: an additive clip that a graph made from a clip with the same name.
static sinew_result make_recorded_clip(replay_object *object, text_part name, float duration,
                                       uint64_t fingerprint) {
    sinew_clip *made = NULL;
    sinew_result result = SINEW_OK;
    if (object->made_clip_count == MAX_MADE_CLIPS) return fail_format(object, "more than 256 additive clips");
    for (int32_t i = 0; result == SINEW_OK && !made && i < object->def.clip_count; i++) {
        const sinew_clip *clip = object->def.clips[i];
        bool may_be =
            !clip->additive && is_named(clip, name) && !(clip->duration < duration) && !(clip->duration > duration);
        if (may_be) result = find_difference(object, clip, fingerprint, &made);
    }
    if (result == SINEW_OK && !made) result = fail_clip(object, name, duration);
    if (result != SINEW_OK) return result;
    object->made_clip_count++;
    result = add_definition(object, (replay_definition){.clip = made, .made = made});
    if (result != SINEW_OK) sinew_clip_destroy(made);
    return result;
}

// Defines a clip: finds it among the caller's by name and fingerprint. `before` is how many equal clips
// were defined earlier.
static sinew_result read_clip(replay_object *object) {
    text_part name = read_text(&object->in);
    float duration = sinewi_read_float(&object->in);
    uint64_t fingerprint = sinewi_read_number(&object->in, 8);
    int32_t before = (int32_t)sinewi_read_number(&object->in, 2);
    if (object->in.is_cut || !object->making) return SINEW_OK;
    for (int32_t i = 0; i < object->def.clip_count; i++) {
        const sinew_clip *clip = object->def.clips[i];
        if (!is_named(clip, name) || sinewi_clip_fingerprint(clip) != fingerprint) continue;
        if (before-- == 0) return add_definition(object, (replay_definition){.clip = clip});
    }
    return make_recorded_clip(object, name, duration, fingerprint);
}

static sinew_result read_mask(replay_object *object) {
    const int32_t nodes = object->def.skeleton->node_count, curves = object->def.skeleton->curve_count;
    const size_t size = ((size_t)nodes + (size_t)curves) * sizeof(float);
    if (object->in.size - object->in.at < size) object->in.is_cut = true;
    if (object->in.is_cut) return SINEW_OK;
    if (!object->making) {
        object->in.at += size;
        return SINEW_OK;
    }
    sinew_mask *mask;
    if (sinew_mask_create(object->def.skeleton, 0.0f, &object->def.allocator, &mask) != SINEW_OK) {
        return sinewi_fail_memory(object->error);
    }
    for (int32_t i = 0; i < nodes; i++) sinew_mask_set(mask, i, sinewi_read_float(&object->in));
    for (int32_t i = 0; i < curves; i++) sinewi_mask_set_curve(mask, i, sinewi_read_float(&object->in));
    sinew_result result = add_definition(object, (replay_definition){.mask = mask});
    if (result != SINEW_OK) sinew_mask_destroy(mask);
    return result;
}

// The definition with a number, or NULL.
static const replay_definition *find_definition(const replay_object *object, int32_t number) {
    return number >= 1 && number <= object->definition_count ? &object->definitions[number - 1] : NULL;
}

// Reads a blend space's samples. Their clips must already be defined.
static sinew_result read_samples(replay_object *object, sinew_blend_sample *samples, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        const replay_definition *definition = find_definition(object, (int32_t)sinewi_read_number(&object->in, 2));
        samples[i].clip = definition ? definition->clip : NULL;
        samples[i].x = sinewi_read_float(&object->in);
        samples[i].y = sinewi_read_float(&object->in);
        samples[i].speed = sinewi_read_float(&object->in);
        if (object->in.is_cut) return SINEW_OK;
        if (!samples[i].clip) return fail_format(object, "a blend space sample without a clip");
    }
    return SINEW_OK;
}

// Creates a blend space, which checks its definition.
static sinew_result make_space(replay_object *object, const sinew_blend_space_def *def) {
    sinew_error reason;
    sinew_blend_space *space;
    sinew_result result = sinew_blend_space_create(def, &space, &reason);
    if (result == SINEW_ERROR_OUT_OF_MEMORY) return sinewi_fail_memory(object->error);
    if (result != SINEW_OK) return fail_format(object, reason.message);
    result = add_definition(object, (replay_definition){.space = space});
    if (result != SINEW_OK) sinew_blend_space_destroy(space);
    return result;
}

static sinew_result skip_names(replay_object *object) {
    int count = (int)sinewi_read_number(&object->in, 1);
    for (int i = 0; i < count; i++) read_text(&object->in);
    return SINEW_OK;
}

static sinew_result read_space(replay_object *object) {
    sinew_blend_sample samples[SINEW_MAX_BLEND_SAMPLES];
    sinew_blend_space_def def = sinew_blend_space_default();
    def.skeleton = object->def.skeleton;
    def.samples = samples;
    def.allocator = object->def.allocator;
    int32_t kind;
    sinew_result result =
        replay_read_below(object, SINEW_BLEND_SPACE_DIRECTIONAL + 1, "an unknown kind of blend space", &kind);
    if (result != SINEW_OK) return result;
    def.kind = (sinew_blend_space_kind)kind;
    def.damping = sinewi_read_float(&object->in);
    int32_t match_speed;
    result = replay_read_below(object, 2, "match_speed that is neither 0 nor 1", &match_speed);
    if (result != SINEW_OK) return result;
    def.match_speed = match_speed != 0;
    def.min_rate = sinewi_read_float(&object->in);
    def.max_rate = sinewi_read_float(&object->in);
    result = object->making ? read_names(object, &def.sync_names, &def.sync_name_count) : skip_names(object);
    if (result != SINEW_OK) return result;
    result = replay_read_below(object, SINEW_MAX_BLEND_SAMPLES + 1, "too many samples in a blend space",
                               &def.sample_count);
    if (result == SINEW_OK) result = read_samples(object, samples, def.sample_count);
    if (result != SINEW_OK || object->in.is_cut || !object->making) return result;
    return make_space(object, &def);
}

// ---- Fields --------------------------------------------------------------------------------------------------

typedef enum transition_need { TRANSITION_OPTIONAL, TRANSITION_REQUIRED } transition_need;

// Reads a byte that tells whether there is a transition, then the transition.
static sinew_result replay_read_transition(replay_object *object, replay_call *out, transition_need need) {
    int32_t given, kind;
    sinew_result result = replay_read_below(object, 2, "an invalid sinew_transition", &given);
    if (result != SINEW_OK) return result;
    bool is_missing = !given && need == TRANSITION_REQUIRED && !object->in.is_cut;
    if (is_missing) return fail_format(object, "a call is missing its transition");
    if (!given) return SINEW_OK;
    result = replay_read_below(object, SINEW_TRANSITION_DEAD_BLEND + 1, "an unknown kind of transition", &kind);
    if (result != SINEW_OK) return result;
    out->transition = sinew_transition_default();
    out->transition.kind = (sinew_transition_kind)kind;
    result = replay_read_amount(object, &out->transition.duration);
    if (result != SINEW_OK) return result;
    out->transition.easing = (sinew_easing)sinewi_read_number(&object->in, 1);
    out->transition.match_rate = sinewi_read_number(&object->in, 1) != 0;
    out->call.transition = &out->transition;
    return SINEW_OK;
}

// Reads a byte that tells whether there is a play definition, then the definition. Checks every field.
static sinew_result replay_read_play_def(replay_object *object, replay_call *out) {
    int32_t given, loop;
    sinew_result result = replay_read_below(object, 2, "an invalid sinew_play_def", &given);
    if (result != SINEW_OK || !given) return result;
    sinew_play_def *def = &out->def;
    *def = sinew_play_default();
    def->time = read_time(object);
    result = replay_read_finite(object, &def->speed);
    if (result != SINEW_OK) return result;
    result = replay_read_amount(object, &def->weight);
    if (result == SINEW_OK) result = replay_read_amount(object, &def->fade);
    if (result != SINEW_OK) return result;
    def->easing = (sinew_easing)sinewi_read_number(&object->in, 1);
    result = replay_read_below(object, object->replay.mixer->def.layer_count,
                               "a layer that the mixer does not have", &def->layer);
    if (result != SINEW_OK) return result;
    def->sync = (int32_t)sinewi_read_number(&object->in, 1);
    result = replay_read_below(object, SINEW_LOOP_PING_PONG + 1, "an unknown sinew_loop", &loop);
    if (result != SINEW_OK) return result;
    def->loop = (sinew_loop)loop;
    def->loop_count = sinewi_read_i32(&object->in);
    def->allow_duplicate = sinewi_read_number(&object->in, 1) != 0;
    def->restart = sinewi_read_number(&object->in, 1) != 0;
    out->call.def = def;
    return SINEW_OK;
}

// Reads a layer above the base.
static sinew_result replay_read_layer(replay_object *object, mixer_call *call) {
    call->layer = (int32_t)sinewi_read_number(&object->in, 1);
    bool exists = call->layer >= 1 && call->layer < object->replay.mixer->def.layer_count;
    return exists || object->in.is_cut ? SINEW_OK
                                       : fail_format(object, "a layer above the base that the mixer does not have");
}

// Reads the number of a clip, mask or blend space. The letter `field` selects which, and whether 0 is allowed for none.
static sinew_result replay_read_defined(replay_object *object, mixer_call *call, char field) {
    int32_t number = (int32_t)sinewi_read_number(&object->in, 2);
    bool is_optional = field == 'c' || field == 'k';
    if (object->in.is_cut || (number == 0 && is_optional)) return SINEW_OK;
    const replay_definition *definition = find_definition(object, number);
    if (!definition) return fail_format(object, "a clip, mask or blend space that has not been defined yet");
    call->clip = field == 'c' || field == 'C' ? definition->clip : NULL;
    call->mask = field == 'k' ? definition->mask : NULL;
    call->space = field == 's' ? definition->space : NULL;
    bool is_expected_kind = call->clip || call->mask || call->space;
    return is_expected_kind ? SINEW_OK : fail_format(object, "a clip, mask or blend space of the wrong kind");
}

static sinew_result replay_read_seconds(replay_object *object, float *seconds) {
    sinew_result result = replay_read_finite(object, seconds);
    if (result != SINEW_OK) return result;
    return *seconds >= 0.0f ? SINEW_OK : fail_format(object, "a step back in time");
}

// Reads the number of a snapshot that was saved earlier, and notes its last use.
static sinew_result replay_read_snapshot(replay_object *object, int32_t *number) {
    *number = sinewi_read_i32(&object->in);
    if (object->in.is_cut) return SINEW_OK;
    int32_t saved = object->making ? object->save_count : object->saves_made;
    if (*number < 0 || *number >= saved) return fail_format(object, "a snapshot that has not been saved yet");
    if (object->making) object->saves[*number].last_use = object->replay.call_count;
    return SINEW_OK;
}

// Reads a pose into the one that all calls share.
static sinew_result replay_read_pose(replay_object *object, mixer_call *call) {
    const sinew_skeleton *skeleton = object->def.skeleton;
    bool is_new = object->making && !object->pose;
    if (is_new && sinew_pose_create(skeleton, &object->def.allocator, &object->pose) != SINEW_OK) {
        return sinewi_fail_memory(object->error);
    }
    call->pose = object->pose;
    sinew_result result = SINEW_OK;
    sinewi_planes planes = sinewi_pose_planes(object->pose);
    for (int32_t i = 0; i < skeleton->node_count && result == SINEW_OK; i++) {
        for (int p = 0; p < SINEWI_PLANES && result == SINEW_OK; p++) {
            result = replay_read_finite(object, &planes.plane[p][i]);
        }
        if (object->in.is_cut) return SINEW_OK;
    }
    for (int32_t i = 0; i < sinewi_value_count(skeleton) && result == SINEW_OK; i++) {
        result = replay_read_finite(object, &object->pose->weights[i]);
    }
    return result;
}

static sinew_result replay_read_velocity(replay_object *object, root_velocity *root) {
    sinew_result result = SINEW_OK;
    for (int i = 0; i < 3 && result == SINEW_OK; i++) result = replay_read_finite(object, &root->move[i]);
    return result == SINEW_OK ? replay_read_finite(object, &root->yaw) : result;
}

static sinew_result replay_read_action(replay_object *object, mixer_call *call) {
    call->action = sinewi_handle_from_bits(object->replay.mixer, sinewi_read_number(&object->in, 8));
    return SINEW_OK;
}

static sinew_result replay_read_time(replay_object *object, float *time) {
    *time = read_time(object);
    return SINEW_OK;
}

static sinew_result replay_read_integer(replay_object *object, int32_t *number) {
    *number = sinewi_read_i32(&object->in);
    return SINEW_OK;
}

static sinew_result replay_read_hash(replay_object *object, mixer_call *call) {
    call->hash = sinewi_read_number(&object->in, 8);
    return SINEW_OK;
}

static sinew_result replay_read_note(replay_object *object, mixer_call *call) {
    call->length = (size_t)sinewi_read_number(&object->in, 1);
    text_part text = read_bytes(&object->in, call->length);
    call->text = text.start;
    call->length = text.length;
    return memchr(text.start, '\0', text.length) ? fail_format(object, "a note with a zero byte in it") : SINEW_OK;
}

// Reads the field for a letter, from the table SINEWI_CALL_FIELDS, whose expressions use this
// function's parameter names.
static sinew_result read_field(replay_object *object, char field, replay_call *out) {
    mixer_call *call = &out->call;
    switch (field) {
#define SINEWI_READ_FIELD(letter, write, read, describe)                                                           \
    case letter:                                                                                                   \
        return read;
        SINEWI_CALL_FIELDS(SINEWI_READ_FIELD) // NOLINT(bugprone-branch-clone): some are alike
#undef SINEWI_READ_FIELD
    default:
        return SINEW_OK;
    }
}

// ---- Calls ---------------------------------------------------------------------------------------------------

// Counts a saved snapshot.
static sinew_result add_snapshot(replay_object *object) {
    if (!object->making) return SINEW_OK;
    if (object->save_count == INT32_MAX / 4) return fail_format(object, "too many snapshots");
    void *saves =
        grow_array(object, object->saves, object->save_count, &object->save_capacity, sizeof *object->saves);
    if (!saves) return sinewi_fail_memory(object->error);
    object->saves = (replay_save *)saves;
    object->saves[object->save_count++] = (replay_save){0, NULL};
    return SINEW_OK;
}

static sinew_result read_definition(replay_object *object, mixer_call_kind kind) {
    if (kind == CALL_CLIP) return read_clip(object);
    return kind == CALL_MASK ? read_mask(object) : read_space(object);
}

// Reads the fields of a call of this kind, in order.
static sinew_result read_call_fields(replay_object *object, mixer_call_kind kind, replay_call *out) {
    *out = (replay_call){.call = {.kind = kind}};
    for (const char *field = sinewi_call_shapes[kind].fields; *field; field++) {
        sinew_result result = read_field(object, *field, out);
        if (result != SINEW_OK || object->in.is_cut) return result;
    }
    if (kind == CALL_SAVE) return add_snapshot(object);
    bool continues = kind == CALL_END && object->in.at < object->in.size;
    return continues ? fail_format(object, "bytes after the end of the recording") : SINEW_OK;
}

// Reads definitions up to the next call, then that call with its fields.
sinew_result sinewi_read_call(replay_object *object, replay_call *out) {
    while (!object->in.is_cut) {
        int32_t kind;
        sinew_result result = replay_read_below(object, CALL_KINDS, "an unknown call", &kind);
        if (object->in.is_cut || result != SINEW_OK) return result;
        bool defines = kind == CALL_CLIP || kind == CALL_MASK || kind == CALL_SPACE;
        if (!defines) return read_call_fields(object, (mixer_call_kind)kind, out);
        result = read_definition(object, (mixer_call_kind)kind);
        if (result != SINEW_OK) return result;
    }
    return SINEW_OK;
}
