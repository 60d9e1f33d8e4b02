// SPDX-License-Identifier: MIT
// A second thread on a core of its own, which takes half of the characters of a stage.
#ifndef BENCH_PARTNER_H
#define BENCH_PARTNER_H

#include "bench/crowd.h"

typedef struct bench_partner bench_partner;

// Starts the thread on another core than this one's. NULL if there is none.
bench_partner *bench_partner_start(void);
void bench_partner_stop(bench_partner *partner);

// Does a stage of characters [first, first + count), half on each thread.
void bench_partner_share(bench_partner *partner, bench_stage_function *stage, bench_crowd *crowd, int32_t first,
                         int32_t count);

#endif
