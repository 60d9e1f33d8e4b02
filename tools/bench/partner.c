// SPDX-License-Identifier: MIT
// The second thread. Both threads wait in loops, because waking one takes longer than a stage of a few characters.
#include "bench/partner.h"

#include "bench/memory.h"

#include <pthread.h>
#include <stdatomic.h>

#ifdef __linux__
#include <sched.h>
#endif

typedef enum partner_turn { TURN_OURS, TURN_PARTNER, TURN_NOBODY } partner_turn;

struct bench_partner {
    pthread_t thread;
    atomic_int turn; // partner_turn
    bench_stage_function *stage;
    bench_crowd *crowd;
    int32_t first, count;
};

static void *work(void *context) {
    bench_partner *partner = context;
    for (;;) {
        int turn = atomic_load_explicit(&partner->turn, memory_order_acquire);
        if (turn == TURN_NOBODY) return NULL;
        if (turn == TURN_OURS) continue;
        partner->stage(partner->crowd, partner->first, partner->count);
        atomic_store_explicit(&partner->turn, TURN_OURS, memory_order_release);
    }
}

// Moves a thread that starts on this one's core to any other core. Returns false if that isn't possible.
static bool move_away(pthread_t thread) {
#ifdef __linux__
    int core = sched_getcpu();
    cpu_set_t set;
    CPU_ZERO(&set);
    for (size_t i = 0; i < CPU_SETSIZE; i++) {
        if ((int)i != core) CPU_SET(i, &set);
    }
    return core >= 0 && pthread_setaffinity_np(thread, sizeof set, &set) == 0;
#else
    (void)thread;
    return true;
#endif
}

bench_partner *bench_partner_start(void) {
    bench_partner *partner = bench_allocate(1, sizeof *partner);
    atomic_init(&partner->turn, TURN_OURS);
    if (pthread_create(&partner->thread, NULL, work, partner) == 0) {
        if (move_away(partner->thread)) return partner;
        bench_partner_stop(partner);
        return NULL;
    }
    bench_release(partner);
    return NULL;
}

void bench_partner_stop(bench_partner *partner) {
    if (!partner) return;
    atomic_store_explicit(&partner->turn, TURN_NOBODY, memory_order_release);
    pthread_join(partner->thread, NULL);
    bench_release(partner);
}

void bench_partner_share(bench_partner *partner, bench_stage_function *stage, bench_crowd *crowd, int32_t first,
                         int32_t count) {
    int32_t half = count / 2;
    partner->stage = stage;
    partner->crowd = crowd;
    partner->first = first + half;
    partner->count = count - half;
    atomic_store_explicit(&partner->turn, TURN_PARTNER, memory_order_release);
    stage(crowd, first, half);
    while (atomic_load_explicit(&partner->turn, memory_order_acquire) != TURN_OURS) continue;
}
