// SPDX-License-Identifier: MIT
// Writes a session's states and reads them in other mixers. The bytes, and what follows, are the same on every
// machine. FILE (written.state next to the hashes) has the bytes that one machine wrote, and every other machine must
// read.
// Valid as C and as C++. Include it after session.h and the functions of golden.c that it uses.
#ifndef WRITTEN_H
#define WRITTEN_H

enum { WRITTEN_MOMENTS = 60, WRITTEN_FRAMES = 40, WRITTEN_LONG = 1000, WRITTEN_MAX = 1 << 16 };

// Up to here, bytes depend on how many mixers the program has made: the checksum and the tag of the handles.
enum { WRITTEN_START = 36 };

typedef struct written {
    session s;
    const sinew_clip *clips[SESSION_CLIPS + 1];
    sinew_state_names names;
    sinew_mixer_def def;
    uint8_t *bytes;
} written;

static inline void written_open(written *w) {
    static const char *const spaces[SESSION_SPACES] = {"line", "triangles", "directions"};
    static const char *const masks[2] = {"first", "second"};
    session_open(&w->s);
    for (int i = 0; i < SESSION_CLIPS; i++) w->clips[i] = w->s.clips[i];
    w->clips[SESSION_CLIPS] = w->s.additive;
    w->names = sinew_state_names_default();
    w->names.clips = w->clips;
    w->names.clip_count = SESSION_CLIPS + 1;
    w->names.blend_spaces = (const sinew_blend_space *const *)w->s.spaces;
    w->names.blend_space_names = spaces;
    w->names.blend_space_count = SESSION_SPACES;
    w->names.masks = (const sinew_mask *const *)w->s.masks;
    w->names.mask_names = masks;
    w->names.mask_count = 2;
    w->def = session_def(&w->s);
    w->bytes = (uint8_t *)take(WRITTEN_MAX, 1);
}

static inline void written_close(written *w) {
    free(w->bytes);
    session_close(&w->s);
}

static inline void written_play(const written *w, sinew_mixer *mixer, session_caller *caller, int frames) {
    for (int i = 0; i < frames; i++) {
        session_call(&w->s, mixer, caller);
        sinew_mixer_update(mixer, 0.015625f);
        if (i % 16 == 7) sinew_mixer_set_pose(mixer, sinew_mixer_edit_pose(mixer));
        if (i % 16 == 9) sinew_mixer_inertialize(mixer, SINEW_ALL_LAYERS, 0.25f);
        if (i % 16 == 11) sinew_mixer_finish_pose(mixer);
    }
}

static inline sinew_mixer *written_read(const written *w, size_t size) {
    sinew_mixer *mixer;
    sinew_error error;
    demand(sinew_mixer_create(&w->def, &mixer, NULL), "mixer");
    demand(sinew_mixer_read(mixer, &w->names, w->bytes, size, NULL, &error), error.message);
    return mixer;
}

// Plays, and continues with a mixer that has read what the last one wrote. Returns the size of the last state.
static inline size_t add_written_session(written *w) {
    session_caller caller;
    memset(&caller, 0, sizeof caller);
    caller.seed = 29;
    sinew_mixer *mixer;
    demand(sinew_mixer_create(&w->def, &mixer, NULL), "mixer");
    size_t size = 0;
    for (int moment = 0; moment < WRITTEN_MOMENTS; moment++) {
        written_play(w, mixer, &caller, WRITTEN_FRAMES - moment % 16);
        size = sinew_mixer_write(mixer, &w->names, w->bytes, WRITTEN_MAX);
        for (size_t i = WRITTEN_START; i < size; i++) hash = (hash ^ w->bytes[i]) * UINT64_C(1099511628211);
        sinew_mixer *next = written_read(w, size);
        if (sinew_mixer_hash(next) != sinew_mixer_hash(mixer)) {
            fprintf(stderr, "golden: a state that was read has another hash\n");
            exit(1);
        }
        sinew_mixer_destroy(mixer);
        mixer = next;
        add_number(sinew_mixer_hash(mixer));
    }
    sinew_mixer_destroy(mixer);
    return size;
}

// The path of the file next to the hashes.
static inline void written_path(const char *hashes, char *path, size_t size) {
    const char *slash = strrchr(hashes, '/');
    snprintf(path, size, "%.*swritten.state", slash ? (int)(slash + 1 - hashes) : 0, hashes);
}

static inline void add_written(const char *hashes) {
    char path[1024];
    written w;
    written_open(&w);
    const size_t size = add_written_session(&w);
    written_path(hashes, path, sizeof path);
    uint8_t *held = (uint8_t *)take(WRITTEN_MAX, 1);
    FILE *file = fopen(path, "rb");
    const size_t held_size = file ? fread(held, 1, WRITTEN_MAX, file) : 0;
    if (file) (void)fclose(file);
    const bool is_same =
        held_size == size && memcmp(held + WRITTEN_START, w.bytes + WRITTEN_START, size - WRITTEN_START) == 0;
    if (!is_same) fprintf(stderr, "golden: %s has another state; to replace it, run golden --state FILE\n", path);
    if (is_same) memcpy(w.bytes, held, size);
    session_caller caller;
    memset(&caller, 0, sizeof caller);
    caller.seed = 31;
    sinew_mixer *mixer = written_read(&w, size);
    written_play(&w, mixer, &caller, WRITTEN_LONG);
    add_number(is_same ? sinew_mixer_hash(mixer) : 0);
    add_pose(sinew_mixer_pose(mixer));
    sinew_mixer_destroy(mixer);
    free(held);
    written_close(&w);
}

// Writes the file.
static inline int write_state(const char *path) {
    written w;
    written_open(&w);
    const size_t size = add_written_session(&w);
    FILE *file = fopen(path, "wb");
    const bool is_written = file && fwrite(w.bytes, 1, size, file) == size && fclose(file) == 0;
    written_close(&w);
    return is_written ? 0 : 1;
}

#endif
