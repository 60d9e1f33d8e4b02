// SPDX-License-Identifier: MIT
// The data to measure with: a skeleton, a skin and clips, stored like in Sinew and like in the textbook. Both have the
// same keys.
#ifndef BENCH_DATA_H
#define BENCH_DATA_H

#include "bench/textbook.h"

// Which channels the clips have. All but the last are generated and two seconds long: see keys.c.
typedef enum bench_keys {
    BENCH_KEYS_ALL,    // translation, rotation and scale of every joint, 61 keys at 30 Hz
    BENCH_KEYS_GAME,   // every joint's rotation and two joints' translation, no scale; 61 keys at 30 Hz
    BENCH_KEYS_SPARSE, // like ALL, but every channel has 20 to 40 keys at its own times
    BENCH_KEYS_GRID,   // like ALL, but every channel only has 20 to 40 of the keys; an import adds the others
    BENCH_KEYS_ALL_16, // like ALL, with 16-bit keys in Sinew
    BENCH_KEYS_GAME_16,
    BENCH_KEYS_ALL_COMPRESSED, // like ALL, with Sinew's clips compressed within 0.1 mm
    BENCH_KEYS_FILE            // from a file
} bench_keys;

enum { BENCH_CLIPS = 16 }; // shared by all characters; a file may have fewer

typedef struct bench_world {
    const sinew_skeleton *skeleton;
    const sinew_skin *skin;
    int32_t clip_count;
    const sinew_clip *clips[BENCH_CLIPS];
    textbook_skeleton *textbook;
    textbook_clip *textbook_clips[BENCH_CLIPS];
    // Objects that the world owns. All NULL for a file.
    sinew_skeleton *own_skeleton;
    sinew_skin *own_skin;
    sinew_clip *own_clips[BENCH_CLIPS];
} bench_world;

// Creates a world with generated clips. Returns NULL if memory runs out.
bench_world *bench_world_create(bench_keys keys, int32_t joint_count);

// Creates a world with a file's first skin and clips. Returns NULL with the reason in `*why` unless the file has a skin
// and two clips with only LINEAR channels. The asset must outlive the world.
bench_world *bench_world_of_asset(const sinew_asset *asset, const char **why);

void bench_world_destroy(bench_world *world);

#endif
