// What is measured with: a skeleton, a skin and clips, once as Sinew holds them and once as the textbook does. The keys
// of both are the same numbers.
#ifndef BENCH_DATA_H
#define BENCH_DATA_H

#include "bench/textbook.h"

// What moves in the clips. All but the last are made here, two seconds long; see keys.c.
typedef enum bench_keys {
    BENCH_KEYS_ALL,    // translation, rotation and scale of every joint, 61 keys at 30 Hz
    BENCH_KEYS_GAME,   // the rotation of every joint, the translation of two, no scale; 61 keys at 30 Hz
    BENCH_KEYS_SPARSE, // as ALL, but every channel has 20 to 40 keys at times of its own
    BENCH_KEYS_ALL_16, // as ALL, and Sinew keeps its rows in 16 bits
    BENCH_KEYS_GAME_16,
    BENCH_KEYS_FILE // a file's
} bench_keys;

enum { BENCH_CLIPS = 16 }; // that all characters share; a file may have fewer

typedef struct bench_world {
    const sinew_skeleton *skeleton;
    const sinew_skin *skin;
    int32_t clip_count;
    const sinew_clip *clips[BENCH_CLIPS];
    textbook_skeleton *textbook;
    textbook_clip *textbook_clips[BENCH_CLIPS];
    // What the world made itself; all NULL where it shows a file.
    sinew_skeleton *own_skeleton;
    sinew_skin *own_skin;
    sinew_clip *own_clips[BENCH_CLIPS];
} bench_world;

// With clips made here. NULL when memory runs out.
bench_world *bench_world_create(bench_keys keys, int32_t joint_count);

// With the first skin and the clips of a file. NULL, with the reason in `*why`, where it does not have what is wanted:
// a skin, and two clips whose channels are all LINEAR. The asset must outlive the world.
bench_world *bench_world_of_asset(const sinew_asset *asset, const char **why);

void bench_world_destroy(bench_world *world);

#endif
