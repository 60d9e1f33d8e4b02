// The channels of the clips that are measured.
#ifndef BENCH_KEYS_H
#define BENCH_KEYS_H

#include "bench/data.h"

typedef struct bench_channels {
    int32_t count;
    sinew_channel_def *channels;
    float *numbers; // that the channels point to
} bench_channels;

// The channels of the clip of that number; other numbers move otherwise.
bench_channels bench_channels_make(const sinew_skeleton *skeleton, bench_keys keys, int clip);

// The channels of a clip as its author wrote them, read back by sampling it at its keys; morph weights are left out.
// Its channels must be LINEAR. Without memory for a pose there are none.
bench_channels bench_channels_read(const sinew_clip *clip);

void bench_channels_free(bench_channels *channels);

#endif
