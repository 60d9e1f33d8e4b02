// SPDX-License-Identifier: MIT
// Rows of the GPU: a thousand characters by every path of a palette to a shader.
#ifndef BENCH_GPU_H
#define BENCH_GPU_H

#include "bench/bench.h"

// The part of bench_run for bench_options.gpu.
const char *bench_run_gpu(const bench_options *options, bench_report *report);

#endif
