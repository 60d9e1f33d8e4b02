// SPDX-License-Identifier: MIT
// Replaying: makes a recording's calls on a mixer, and compares the mixer's hash with the recorded one. The entire
// recording is checked before the first call (recording_read.c).
//
// Snapshots that the recorded program saved are saved again here, and kept until the last call that restores them.
#include <sinew/mixer_pose.h>
#include <sinew/motion/mixer_snapshot.h>
#include <sinew/motion/recording.h>

#include "core/mixer_interface.h"
#include "motion/recording_read.h"
#include "base/def_cookie.h"

#include <assert.h>
#include <inttypes.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---- Creating --------------------------------------------------------------------------------------------------

sinew_replay_def sinew_replay_default(void) {
    return (sinew_replay_def){.cookie = SINEWI_DEF_COOKIE};
}

// Returns NULL, which the snapshot's memory is from then on.
static void *free_snapshot(const replay_object *object, replay_save *save) {
    sinew_mixer *mixer = object->replay.mixer;
    sinewi_release(&object->def.allocator, save->memory, sinew_mixer_snapshot_size(mixer), SINEWI_ALIGNMENT);
    return NULL;
}

void sinew_replay_destroy(sinew_replay *replay) {
    if (!replay) return;
    replay_object *object = (replay_object *)replay;
    for (int32_t i = 0; i < object->save_count; i++) free_snapshot(object, &object->saves[i]);
    sinew_mixer_destroy(replay->mixer);
    sinew_pose_destroy(object->pose);
    for (int32_t i = 0; i < object->definition_count; i++) {
        sinew_mask_destroy(object->definitions[i].mask);
        sinew_blend_space_destroy(object->definitions[i].space);
    }
    // Blend spaces refer to clips, so they are freed first.
    for (int32_t i = 0; i < object->definition_count; i++) sinew_clip_destroy(object->definitions[i].made);
    sinew_allocator allocator = object->def.allocator;
    sinewi_arena_free(&object->arena);
    sinewi_release(&allocator, object, sizeof *object, alignof(replay_object));
}

// Creates the mixer from the recorded definition.
static sinew_result make_mixer(replay_object *object) {
    sinew_mixer_def def;
    sinew_root_motion_def root;
    sinew_result result = sinewi_read_head(object, &def, &root);
    if (result != SINEW_OK) return result;
    sinew_error reason;
    result = sinew_mixer_create(&def, &object->replay.mixer, &reason);
    if (result == SINEW_OK) return SINEW_OK;
    if (result == SINEW_ERROR_OUT_OF_MEMORY) return sinewi_fail_memory(object->error);
    return sinewi_fail(object->error, SINEW_ERROR_FORMAT, "recording: damaged in its first %zu bytes: %.400s",
                       object->in.at, reason.message);
}

// Checks and counts all calls, and creates masks and blend spaces. A recording that is cut off ends with its
// last complete call.
static sinew_result check_calls(replay_object *object) {
    size_t start = object->in.at;
    replay_call call;
    object->making = true;
    for (;;) {
        sinew_result result = sinewi_read_call(object, &call);
        if (result != SINEW_OK) return result;
        if (object->in.is_cut) break;
        if (call.call.kind == CALL_END) break;
        object->replay.call_count++;
    }
    object->replay.complete = !object->in.is_cut;
    object->making = false;
    object->in.at = start;
    object->in.is_cut = false;
    return SINEW_OK;
}

// Checks that the caller's clips use the caller's skeleton.
static sinew_result check_clips(const sinew_replay_def *def, sinew_error *error) {
    if (!def->bytes || !def->skeleton) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "replay: no %s", def->bytes ? "skeleton" : "bytes");
    }
    for (int32_t i = 0; i < def->clip_count; i++) {
        if (def->clips[i]->skeleton == def->skeleton) continue;
        return sinewi_fail(
            error, SINEW_ERROR_ARGUMENT,
            "replay: clips[%d], '%.100s', belongs to a different skeleton; bind it with sinew_clip_bind", (int)i,
            def->clips[i]->name);
    }
    return SINEW_OK;
}

// Creates the mixer from the head and checks all calls, so a damaged recording can't make a step fail.
sinew_result sinew_replay_create(const sinew_replay_def *def, sinew_replay **replay, sinew_error *error) {
    *replay = NULL;
    sinew_result result = SINEWI_CHECK_DEF(def, "sinew_replay_def: start from sinew_replay_default()", error);
    if (result == SINEW_OK) result = check_clips(def, error);
    if (result != SINEW_OK) return result;
    replay_object *object =
        (replay_object *)sinewi_allocate(&def->allocator, sizeof *object, alignof(replay_object));
    if (!object) return sinewi_fail_memory(error);
    memset(object, 0, sizeof *object);
    object->def = *def;
    object->error = error;
    object->in = (sinewi_byte_reader){(const uint8_t *)def->bytes, def->size, 0, false};
    object->replay.first_mismatch = -1;
    sinewi_arena_init(&object->arena, &def->allocator);
    result = make_mixer(object);
    if (result == SINEW_OK) result = check_calls(object);
    object->error = NULL; // it belongs to the caller
    if (result == SINEW_OK) {
        *replay = &object->replay;
    } else {
        sinew_replay_destroy(&object->replay);
    }
    return result;
}

// ---- Stepping ------------------------------------------------------------------------------------------------

#define MAX_SNAPSHOTS 256

// Saves a snapshot if a later call restores it. At most MAX_SNAPSHOTS are in memory at once.
static sinew_result make_snapshot(replay_object *object) {
    replay_save *save = &object->saves[object->saves_made];
    if (save->last_use > object->replay.calls_made) {
        size_t size = sinew_mixer_snapshot_size(object->replay.mixer);
        if (object->snapshot_count == MAX_SNAPSHOTS) return SINEW_ERROR_LIMIT;
        save->memory = sinewi_allocate(&object->def.allocator, size, SINEWI_ALIGNMENT);
        if (!save->memory) return SINEW_ERROR_OUT_OF_MEMORY;
        sinew_mixer_save(object->replay.mixer, save->memory);
        object->snapshot_count++;
    }
    object->saves_made++;
    return SINEW_OK;
}

// Restores a snapshot, and frees it if this is its last use.
static void restore_snapshot(replay_object *object, int32_t number) {
    replay_save *save = &object->saves[number];
    sinew_mixer *mixer = object->replay.mixer;
    sinew_mixer_restore(mixer, save->memory, sinew_mixer_snapshot_size(mixer));
    if (save->last_use > object->replay.calls_made) return;
    save->memory = free_snapshot(object, save);
    object->snapshot_count--;
}

// Notes the first call where the mixer's hash differs from the recorded one.
static void compare_hash(sinew_replay *replay, uint64_t hash) {
    if (replay->first_mismatch >= 0 || sinew_mixer_hash(replay->mixer) == hash) return;
    replay->first_mismatch = replay->calls_made;
}

static void replay_advance(sinew_replay *replay, const mixer_call *call) {
    compare_hash(replay, call->hash);
    sinew_mixer_advance(replay->mixer, call->x);
    replay->seconds += (double)call->x;
}

static void replay_play_space(sinew_mixer *mixer, sinew_source source, const mixer_call *call) {
    if (call->transition) {
        sinew_mixer_transition_to(mixer, source, call->transition, call->def);
    } else {
        sinew_mixer_play(mixer, source, call->def);
    }
}

// For definitions, and calls that sinew_replay_step makes by itself.
static void replay_none(void) {}

static sinew_source source_of(const mixer_call *call) {
    if (call->space) return sinew_blend_space_source(call->space, call->x, call->y);
    return sinew_clip_source(call->clip);
}

// Whether a call that plays something meets the preconditions. A recording may violate them.
static bool meets_preconditions(const sinew_mixer *mixer, const mixer_call *call) {
    sinew_source source = source_of(call);
    if (!source.clip && !source.blend_space) return true;
    const action_state *state = sinewi_mixer_action_state(mixer, call->action);
    return sinewi_may_play(mixer, (play_request){&source, call->transition, call->def, state ? state->layer : 0});
}

// Makes a call from the table SINEWI_MIXER_CALLS, whose statements use the names of parameters and locals here. Skips a
// call that violates a precondition.
static void make_call(sinew_replay *replay, const mixer_call *call) {
    sinew_mixer *mixer = replay->mixer;
    if (!meets_preconditions(mixer, call)) return;
    sinew_source source = source_of(call);
    switch (call->kind) {
#define SINEWI_MAKE_CALL(kind, name, fields, statement)                                                            \
    case CALL_##kind:                                                                                              \
        statement; /* NOLINT(bugprone-macro-parentheses): statements */                                            \
        break;
        SINEWI_MIXER_CALLS(SINEWI_MAKE_CALL) // NOLINT(bugprone-branch-clone): some are alike
#undef SINEWI_MAKE_CALL
    default:
        break;
    }
}

// Makes the next call. If a snapshot can't be saved, the replay stays before the call.
sinew_result sinew_replay_step(sinew_replay *replay) {
    replay_object *object = (replay_object *)replay;
    if (replay->calls_made == replay->call_count) return SINEW_OK;
    size_t start = object->in.at;
    replay_call call;
    sinewi_read_call(object, &call);
    sinew_result result = SINEW_OK;
    if (call.call.kind == CALL_SAVE) {
        result = make_snapshot(object);
    } else if (call.call.kind == CALL_RESTORE) {
        restore_snapshot(object, call.call.number);
    } else {
        make_call(replay, &call.call);
    }
    if (result != SINEW_OK) {
        object->in.at = start;
        return result;
    }
    replay->calls_made++;
    if (replay->calls_made < replay->call_count || !replay->complete) return SINEW_OK;
    sinewi_read_call(object, &call); // the end
    compare_hash(replay, call.call.hash);
    return SINEW_OK;
}

// ---- As text -------------------------------------------------------------------------------------------------

typedef struct description {
    char *text;
    size_t size, capacity;
} description;

static void describe(description *to, const char *format, ...) SINEWI_PRINTF(2, 3);

// Appends formatted text, cut to fit.
static void describe(description *to, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(to->text + to->size, to->capacity - to->size, format, arguments);
    va_end(arguments);
    if (length > 0) to->size += (size_t)length;
    if (to->size >= to->capacity) to->size = to->capacity - 1;
}

static void describe_easing(description *to, sinew_easing easing) {
    if (easing == SINEW_EASING_SMOOTHSTEP) describe(to, " smoothstep");
    if (easing >= SINEW_EASING_USER && easing != SINEW_EASING_AUTO)
        describe(to, " easing %d", (int)easing - (int)SINEW_EASING_USER);
}

static void describe_loop(description *to, sinew_loop loop) {
    static const char *const names[] = {"once", "repeat", "ping-pong"};
    assert((size_t)loop < sizeof names / sizeof *names);
    if ((size_t)loop < sizeof names / sizeof *names) describe(to, " %s", names[loop]);
}

static void describe_transition(description *to, const sinew_transition *transition) {
    static const char *const kinds[] = {"fade", "inertialize", "dead-blend"};
    if (!transition) return;
    describe(to, " by %s %.9g s", kinds[transition->kind], (double)transition->duration);
    describe_easing(to, transition->easing);
    if (transition->match_rate) describe(to, " match-rate");
}

// Describes the fields that differ from the defaults.
static void describe_play_def(description *to, const sinew_play_def *def) {
    const sinew_play_def defaults = sinew_play_default();
    if (!def) return;
    if (def->time != defaults.time) describe(to, " at %.9g s", (double)def->time);
    if (def->speed != defaults.speed) describe(to, " speed %.9g", (double)def->speed);
    if (def->weight != defaults.weight) describe(to, " weight %.9g", (double)def->weight);
    if (def->fade != defaults.fade) describe(to, " fade %.9g s", (double)def->fade);
    describe_easing(to, def->easing);
    if (def->layer != defaults.layer) describe(to, " layer %d", (int)def->layer);
    if (def->sync != defaults.sync) describe(to, " sync %d", (int)def->sync);
    if (def->loop != defaults.loop) describe_loop(to, def->loop);
    if (def->loop_count != defaults.loop_count) describe(to, " loops %d", (int)def->loop_count);
    if (def->allow_duplicate) describe(to, " separate");
    if (def->restart) describe(to, " restart");
}

// Describes a handle as in the recording, so it's the same in every replay.
static void describe_action(description *to, const mixer_call *call) {
    describe(to, " 0x%" PRIx64, call->action.id & (((uint64_t)1 << SINEWI_HANDLE_BITS) - 1));
}

static void describe_clip(description *to, const mixer_call *call) {
    describe(to, call->clip ? " '%s'" : " nothing", call->clip ? call->clip->name : "");
}

static void describe_number(description *to, float number) {
    describe(to, " %.9g", (double)number);
}

static void describe_velocity(description *to, const root_velocity *root) {
    for (int i = 0; i < 3; i++) describe_number(to, root->move[i]);
    describe_number(to, root->yaw);
}

static void describe_hash(description *to, const mixer_call *call) {
    describe(to, " from %08x%08x", (unsigned)(call->hash >> 32), (unsigned)(call->hash & 0xffffffff));
}

static void describe_note(description *to, const mixer_call *call) {
    char text[SINEW_MAX_NOTE + 1], escaped[4 * SINEW_MAX_NOTE + 1];
    memcpy(text, call->text, call->length);
    text[call->length] = '\0';
    sinew_escape(text, escaped, sizeof escaped);
    describe(to, " %s", escaped);
}

// Appends the field for a letter, from the table SINEWI_CALL_FIELDS.
static void describe_field(description *to, const mixer_call *call, char field) {
    switch (field) {
#define SINEWI_DESCRIBE_FIELD(letter, write, read, description)                                                    \
    case letter:                                                                                                   \
        description; /* NOLINT(bugprone-macro-parentheses): statements */                                          \
        break;
        SINEWI_CALL_FIELDS(SINEWI_DESCRIBE_FIELD) // NOLINT(bugprone-branch-clone): some are alike
#undef SINEWI_DESCRIBE_FIELD
    default:
        break;
    }
}

// Describes the next call: its name and fields.
void sinew_replay_describe(const sinew_replay *replay, char *text, size_t capacity) {
    assert(capacity > 0);
    text[0] = '\0';
    if (replay->calls_made == replay->call_count) return;
    replay_object copy = *(const replay_object *)replay; // reading from a copy doesn't advance the replay
    replay_call call;
    sinewi_read_call(&copy, &call);
    description to = {text, 0, capacity};
    const mixer_call_shape *shape = &sinewi_call_shapes[call.call.kind];
    describe(&to, "%s", shape->name);
    for (const char *field = shape->fields; *field; field++) describe_field(&to, &call.call, *field);
}
