// Rows of the GPU: a thousand characters by every way that a palette can take to a shader.
#ifndef BENCH_GPU_H
#define BENCH_GPU_H

#include "bench/bench.h"

// What bench_run does for bench_options.gpu.
const char *bench_run_gpu(const bench_options *options, bench_report *report);

#endif
