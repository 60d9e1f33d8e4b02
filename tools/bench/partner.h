// SPDX-License-Identifier: MIT
// A second thread on its own core, which takes half of a stage's characters.
#ifndef BENCH_PARTNER_H
#define BENCH_PARTNER_H

#include "bench/crowd.h"

typedef struct bench_partner bench_partner;

// Starts the thread on a different core. Returns NULL if there isn't one.
bench_partner *bench_partner_start(void);
void bench_partner_stop(bench_partner *partner);

// Runs a stage for characters [first, first + count), half on each thread.
void bench_partner_share(bench_partner *partner, bench_stage_function *stage, bench_crowd *crowd, int32_t first,
                         int32_t count);

#endif
