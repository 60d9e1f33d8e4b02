// SPDX-License-Identifier: MIT
// Threads that take the next item, work on it, and finish the items that are next in order.
#include "batch/batch.h"

#include "system/system.h"

#include <stdlib.h>

enum { WAITING = 4 }; // items per job that may wait between work and finish

typedef struct pool {
    const batch_def *def;
    system_lock *lock;  // guards what follows
    bool *is_worked_on; // [count]; the work is done
    int next, finished; // items
    bool is_finishing;  // a thread is in `finish`
} pool;

// Finishes all items that are next in order. Only one thread does, and the others keep working.
static void finish_ready(pool *p) {
    if (p->is_finishing) return;
    p->is_finishing = true;
    while (p->finished < p->def->count && p->is_worked_on[p->finished]) {
        system_lock_release(p->lock);
        p->def->finish(p->def->user, p->finished);
        system_lock_take(p->lock);
        p->finished++;
        system_lock_wake(p->lock);
    }
    p->is_finishing = false;
}

static void work(void *user) {
    pool *p = user;
    system_lock_take(p->lock);
    while (p->next < p->def->count) {
        if (p->next >= p->finished + WAITING * p->def->jobs) {
            system_lock_wait(p->lock);
            continue;
        }
        const int item = p->next++;
        system_lock_release(p->lock);
        p->def->work(p->def->user, item);
        system_lock_take(p->lock);
        p->is_worked_on[item] = true;
        finish_ready(p);
    }
    system_lock_release(p->lock);
}

bool batch_run(const batch_def *def) {
    pool p = {.def = def,
              .lock = system_lock_create(),
              .is_worked_on = calloc((size_t)def->count + 1, sizeof *p.is_worked_on)};
    const bool has_memory = p.lock && p.is_worked_on;
    if (has_memory) system_run_threads(def->jobs < def->count ? def->jobs : def->count, work, &p);
    system_lock_destroy(p.lock);
    free(p.is_worked_on);
    return has_memory;
}
