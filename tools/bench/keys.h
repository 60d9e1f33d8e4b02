// SPDX-License-Identifier: MIT
// The channels of the measured clips.
#ifndef BENCH_KEYS_H
#define BENCH_KEYS_H

#include "bench/data.h"

typedef struct bench_channels {
    int32_t count;
    sinew_channel_def *channels;
    float *numbers; // the channels' keys
} bench_channels;

// Generates a clip's channels. Each number has its own motion.
bench_channels bench_channels_make(const sinew_skeleton *skeleton, bench_keys keys, int clip);

// Reads a clip's authored channels by sampling it at its keys, without morph weights. Its channels must be LINEAR.
// Returns no channels if memory runs out.
bench_channels bench_channels_read(const sinew_clip *clip);

void bench_channels_free(bench_channels *channels);

#endif
