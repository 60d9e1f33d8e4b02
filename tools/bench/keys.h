// SPDX-License-Identifier: MIT
// The channels of the measured clips.
#ifndef BENCH_KEYS_H
#define BENCH_KEYS_H

#include "bench/data.h"

typedef struct bench_channels {
    int32_t count;
    sinew_channel_def *channels;
    float *numbers; // the keys of the channels
} bench_channels;

// Generates the channels of a clip; each number has its own motion.
bench_channels bench_channels_make(const sinew_skeleton *skeleton, bench_keys keys, int clip);

// Reads the authored channels of a clip by sampling it at its keys, without morph weights. Its channels must be LINEAR.
// No channels if memory runs out.
bench_channels bench_channels_read(const sinew_clip *clip);

void bench_channels_free(bench_channels *channels);

#endif
