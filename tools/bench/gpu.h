// SPDX-License-Identifier: MIT
// GPU rows: a thousand characters by every path from a palette to a shader.
#ifndef BENCH_GPU_H
#define BENCH_GPU_H

#include "bench/bench.h"

// Runs the part of bench_run for bench_options.gpu.
const char *bench_run_gpu(const bench_options *options, bench_report *report);

#endif
