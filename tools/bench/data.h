// SPDX-License-Identifier: MIT
// The data of the measurements: a skeleton, a skin and clips, as Sinew and as the textbook store them. Both have the
// same keys.
#ifndef BENCH_DATA_H
#define BENCH_DATA_H

#include "bench/textbook.h"

// The channels of the clips. All but the last are generated, two seconds long; see keys.c.
typedef enum bench_keys {
    BENCH_KEYS_ALL,    // translation, rotation and scale of every joint, 61 keys at 30 Hz
    BENCH_KEYS_GAME,   // the rotation of every joint, the translation of two, no scale; 61 keys at 30 Hz
    BENCH_KEYS_SPARSE, // as ALL, but every channel has 20 to 40 keys at times of its own
    BENCH_KEYS_GRID,   // as ALL, but every channel has only 20 to 40 of the keys: an import adds the others
    BENCH_KEYS_ALL_16, // as ALL, with Sinew's keys in 16 bits
    BENCH_KEYS_GAME_16,
    BENCH_KEYS_ALL_COMPRESSED, // as ALL, with Sinew's clips compressed within 0.1 mm
    BENCH_KEYS_FILE            // a file's
} bench_keys;

enum { BENCH_CLIPS = 16 }; // shared by all characters; a file may have fewer

typedef struct bench_world {
    const sinew_skeleton *skeleton;
    const sinew_skin *skin;
    int32_t clip_count;
    const sinew_clip *clips[BENCH_CLIPS];
    textbook_skeleton *textbook;
    textbook_clip *textbook_clips[BENCH_CLIPS];
    // The objects that the world owns; all NULL for a file.
    sinew_skeleton *own_skeleton;
    sinew_skin *own_skin;
    sinew_clip *own_clips[BENCH_CLIPS];
} bench_world;

// Creates a world with generated clips. NULL if memory runs out.
bench_world *bench_world_create(bench_keys keys, int32_t joint_count);

// Creates a world with the first skin and the clips of a file. Returns NULL, with the reason in `*why`, unless the file
// has a skin and two clips whose channels are all LINEAR. The asset must outlive the world.
bench_world *bench_world_of_asset(const sinew_asset *asset, const char **why);

void bench_world_destroy(bench_world *world);

#endif
