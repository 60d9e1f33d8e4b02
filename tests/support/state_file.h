// SPDX-License-Identifier: MIT
// Helpers for tests of written states: a session's lists, writing, reading, and checksums for damaged bytes.
#ifndef STATE_FILE_H
#define STATE_FILE_H

#include "golden/session.h"
#include "support/check.h"

#include "base/fnv.h"

typedef struct state_bytes {
    uint8_t *bytes; // the caller frees them
    size_t size;
} state_bytes;

static inline state_bytes state_write(const sinew_mixer *mixer, const sinew_state_names *names) {
    state_bytes to = {NULL, sinew_mixer_write(mixer, names, NULL, 0)};
    to.bytes = malloc(to.size);
    assert_non_null(to.bytes);
    assert_int_equal(sinew_mixer_write(mixer, names, to.bytes, to.size), to.size);
    return to;
}

static inline void state_read(sinew_mixer *mixer, const sinew_state_names *names, state_bytes from) {
    sinew_error error;
    if (sinew_mixer_read(mixer, names, from.bytes, from.size, NULL, &error) != SINEW_OK)
        fail_msg("%s", error.message);
}

// Gives damaged bytes a matching checksum and size.
static inline void state_repair(state_bytes damaged) {
    if (damaged.size < 24) return;
    uint64_t checksum = SINEWI_FNV_START;
    sinewi_fnv_bytes(&checksum, damaged.bytes + 24, damaged.size - 24);
    for (int i = 0; i < 8; i++) damaged.bytes[8 + i] = (uint8_t)((uint64_t)damaged.size >> 8 * i);
    for (int i = 0; i < 8; i++) damaged.bytes[16 + i] = (uint8_t)(checksum >> 8 * i);
}

// Everything that a session plays, and the same in reverse order.
typedef struct state_lists {
    sinew_state_names names, shuffled;
} state_lists;

static inline state_lists state_lists_of(const session *s) {
    static const sinew_clip *clips[2][SESSION_CLIPS + 1];
    static const sinew_blend_space *spaces[2][SESSION_SPACES];
    static const sinew_mask *masks[2][2];
    static const char *const space_names[2][SESSION_SPACES] = {{"line", "triangles", "directions"},
                                                               {"directions", "triangles", "line"}};
    static const char *const mask_names[2][2] = {{"first", "second"}, {"second", "first"}};
    state_lists lists;
    for (int i = 0; i <= SESSION_CLIPS; i++)
        clips[0][i] = clips[1][SESSION_CLIPS - i] = i < SESSION_CLIPS ? s->clips[i] : s->additive;
    for (int i = 0; i < SESSION_SPACES; i++) spaces[0][i] = spaces[1][SESSION_SPACES - 1 - i] = s->spaces[i];
    for (int i = 0; i < 2; i++) masks[0][i] = masks[1][1 - i] = s->masks[i];
    for (int k = 0; k < 2; k++) {
        sinew_state_names *names = k == 0 ? &lists.names : &lists.shuffled;
        *names = sinew_state_names_default();
        names->clips = clips[k];
        names->clip_count = SESSION_CLIPS + 1;
        names->blend_spaces = spaces[k];
        names->blend_space_names = space_names[k];
        names->blend_space_count = SESSION_SPACES;
        names->masks = masks[k];
        names->mask_names = mask_names[k];
        names->mask_count = 2;
    }
    return lists;
}

// Makes one of the calls that change the pose. Sessions don't make them.
static inline void state_touch_pose(sinew_mixer *mixer, uint64_t *seed) {
    const int what = session_below(seed, 5);
    sinew_pose *pose = what == 4 ? NULL : sinew_mixer_edit_pose(mixer);
    if (pose && pose->skeleton->node_count > 2) pose->tx[2] += session_draw(seed, 0, 0.1f);
    if (what == 0 || what == 3) sinew_mixer_set_pose(mixer, pose);
    if (what == 1 || what == 4) sinew_mixer_inertialize(mixer, session_below(seed, 2) ? 1 : SINEW_ALL_LAYERS, 0.4f);
    if (what >= 2) sinew_mixer_finish_pose(mixer);
    if (what == 3) sinew_mixer_advance(mixer, 0.01f);
}

#endif
