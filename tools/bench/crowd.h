// SPDX-License-Identifier: MIT
// Crowds of characters. Each character has its own playback state and outputs, and shares the world's clips. It plays
// two clips in a cross-fade at its own times. The fade doesn't advance while paused. One crowd is Sinew's, and the
// other is the textbook's.
#ifndef BENCH_CROWD_H
#define BENCH_CROWD_H

#include "bench/data.h"
#include "bench/memory.h"

#include <sinew/batch.h>

// Playback direction.
typedef enum bench_playing { BENCH_FORWARD, BENCH_BACKWARD, BENCH_PAUSED } bench_playing;

typedef struct bench_crowd {
    const bench_world *world;
    int32_t count;
    float *times; // [count]; for the stage `sample`
    bench_random random;

    // For Sinew:
    sinew_batch_item *items; // [count]
    sinew_action *actions;   // [2 × count]
    sinew_affine *palettes;  // [count × joint_count]; the items' palettes
    size_t mixer_bytes;      // total for all mixers
    // For the textbook:
    textbook_action *played;  // [2 × count]
    sinew_transform *poses;   // [count × bone_count]
    sinew_mat4 *worlds;       // [count × bone_count]
    sinew_mat4 *mat4s;        // [count × joint_count]; palettes
    sinew_transform *scratch; // [2 × bone_count]; the current character's sampled poses
    // For both: where the stage `upload` writes.
    void *uploaded; // [count × joint_count]
} bench_crowd;

// Each only allocates its implementation's memory. Return NULL if memory runs out. Free with bench_crowd_destroy.
bench_crowd *bench_crowd_create(const bench_world *world, int32_t count, bench_playing playing);
bench_crowd *textbook_crowd_create(const bench_world *world, int32_t count, bench_playing playing);
void bench_crowd_destroy(bench_crowd *crowd);

// Returns how to create the crowd's mixers. The allocator counts their bytes.
sinew_mixer_def bench_mixer_def(const bench_world *world, int32_t actions, size_t *bytes);

// Returns the initial weight of a character's second clip, from 0.2 to 0.8.
float bench_crowd_mix(int32_t character);

// One stage of a frame, for characters [first, first + count).
typedef void bench_stage_function(bench_crowd *crowd, int32_t first, int32_t count);

bench_stage_function bench_crowd_sample;     // a clip to a local pose
bench_stage_function bench_crowd_blend;      // two clips to a local pose, including time and fades
bench_stage_function bench_crowd_model;      // a local pose to model matrices
bench_stage_function bench_crowd_palette;    // model matrices to a palette
bench_stage_function bench_crowd_upload;     // a palette to memory that stands for the GPU's
bench_stage_function bench_crowd_everything; // blend, model and palette
bench_stage_function bench_crowd_palettes;   // everything without storing model matrices
bench_stage_function bench_crowd_streamed;   // like `palettes`, written past the caches
bench_stage_function bench_crowd_seek;       // everything, at random times
bench_stage_function textbook_crowd_sample;
bench_stage_function textbook_crowd_blend;
bench_stage_function textbook_crowd_model;
bench_stage_function textbook_crowd_palette;
bench_stage_function textbook_crowd_upload;
bench_stage_function textbook_crowd_everything;
bench_stage_function textbook_crowd_seek;

#endif
