// SPDX-License-Identifier: MIT
// Helpers for tests of recordings: a recording in memory, and its replay.
#ifndef RECORDED_H
#define RECORDED_H

#include "support/check.h"
#include "support/random_rig.h"

#include "golden/session.h"

typedef struct recorded {
    uint8_t *bytes;
    size_t size, capacity;
    int pieces; // number of writes
} recorded;

static inline void record_bytes(const void *bytes, size_t size, void *user) {
    recorded *r = user;
    if (size == 0) return;
    if (r->size + size > r->capacity) {
        r->capacity = 2 * (r->size + size);
        r->bytes = realloc(r->bytes, r->capacity);
        assert_non_null(r->bytes);
    }
    memcpy(r->bytes + r->size, bytes, size);
    r->size += size;
    r->pieces++;
}

static inline sinew_mixer *make_mixer(const sinew_mixer_def *def) {
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(def, &mixer, NULL), SINEW_OK);
    return mixer;
}

// A mixer recorded from its first call.
static inline sinew_mixer *make_recorded(const sinew_mixer_def *def, recorded *r) {
    sinew_mixer *mixer = make_mixer(def);
    assert_int_equal(sinew_mixer_record(mixer, record_bytes, r, NULL), SINEW_OK);
    return mixer;
}

// All of a session's clips, in another order than they're played.
static inline sinew_replay_def replay_def(const session *s, const sinew_clip *clips[SESSION_CLIPS + 1],
                                          recorded r) {
    for (int i = 0; i < SESSION_CLIPS; i++) clips[SESSION_CLIPS - i] = s->clips[i];
    clips[0] = s->additive;
    sinew_replay_def def = sinew_replay_default();
    def.bytes = r.bytes;
    def.size = r.size;
    def.skeleton = s->skeleton;
    def.clips = clips;
    def.clip_count = SESSION_CLIPS + 1;
    return def;
}

static inline sinew_replay *open_replay(const sinew_replay_def *def) {
    sinew_replay *replay;
    sinew_error error = {0};
    if (sinew_replay_create(def, &replay, &error) != SINEW_OK) fail_msg("%s", error.message);
    return replay;
}

static inline void replay_all(sinew_replay *replay) {
    while (replay->calls_made < replay->call_count) assert_int_equal(sinew_replay_step(replay), SINEW_OK);
}

// Everything visible about a mixer as one number, and also what isn't.
static inline uint64_t bits_of(sinew_mixer *mixer, const sinew_skeleton *skeleton) {
    uint64_t bits = sinew_mixer_hash(mixer);
    bits = add_bits_of_pose(bits, sinew_mixer_pose(mixer));
    bits = add_bits(bits, &sinew_mixer_model_matrices(mixer)->m[0][0], 12 * (size_t)skeleton->node_count);
    sinew_root_delta delta = sinew_mixer_root_delta(mixer);
    const float root[8] = {delta.translation.x, delta.translation.y, delta.translation.z, delta.rotation.x,
                           delta.rotation.y,    delta.rotation.z,    delta.rotation.w,    delta.yaw};
    bits = add_bits(bits, root, 8);
    const sinew_events events = sinew_mixer_events(mixer);
    for (int32_t i = 0; i < events.count; i++) {
        const float numbers[4] = {events.items[i].moment, events.items[i].weight, (float)events.items[i].type,
                                  events.items[i].marker ? events.items[i].marker->time : -1};
        bits = add_bits(bits, numbers, 4) ^ (events.items[i].action.id & 0xffffffffff); // without the mixer's tag
    }
    return bits + (uint64_t)events.count + (uint64_t)events.dropped_count;
}

#endif
