// SPDX-License-Identifier: MIT
#include "system/system.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

void system_start(void) {}

double system_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void *system_allocate(size_t size) {
    return aligned_alloc(64, (size + 63) / 64 * 64);
}

void system_free(void *memory) {
    free(memory);
}

// ---- Threads -----------------------------------------------------------------------------------------------------

enum { MAX_THREADS = 256, STACK = 8 << 20 };

int system_processors(void) {
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count < MAX_THREADS ? (int)count : MAX_THREADS;
}

typedef struct thread_run {
    void (*run)(void *user);
    void *user;
} thread_run;

static void *start(void *data) {
    const thread_run *r = data;
    r->run(r->user);
    return NULL;
}

void system_run_threads(int count, void (*run)(void *user), void *user) {
    thread_run r = {run, user};
    pthread_t threads[MAX_THREADS];
    pthread_attr_t attributes;
    int started = 0;
    if (count > 1 && pthread_attr_init(&attributes) == 0) {
        (void)pthread_attr_setstacksize(&attributes, STACK); // as large as the first thread's on any system
        while (started < count - 1 && started < MAX_THREADS &&
               pthread_create(&threads[started], &attributes, start, &r) == 0)
            started++;
        (void)pthread_attr_destroy(&attributes);
    }
    run(user);
    for (int i = 0; i < started; i++) (void)pthread_join(threads[i], NULL);
}

struct system_lock {
    pthread_mutex_t mutex;
    pthread_cond_t event;
};

system_lock *system_lock_create(void) {
    system_lock *lock = malloc(sizeof *lock);
    if (!lock) return NULL;
    (void)pthread_mutex_init(&lock->mutex, NULL);
    (void)pthread_cond_init(&lock->event, NULL);
    return lock;
}

void system_lock_destroy(system_lock *lock) {
    if (!lock) return;
    (void)pthread_cond_destroy(&lock->event);
    (void)pthread_mutex_destroy(&lock->mutex);
    free(lock);
}

void system_lock_take(system_lock *lock) {
    (void)pthread_mutex_lock(&lock->mutex);
}

void system_lock_release(system_lock *lock) {
    (void)pthread_mutex_unlock(&lock->mutex);
}

void system_lock_wait(system_lock *lock) {
    (void)pthread_cond_wait(&lock->event, &lock->mutex);
}

void system_lock_wake(system_lock *lock) {
    (void)pthread_cond_broadcast(&lock->event);
}

// ---- Folders and files -------------------------------------------------------------------------------------------

bool system_is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool system_make_folder(const char *path) {
    return mkdir(path, 0777) == 0 || (errno == EEXIST && system_is_folder(path));
}

bool system_list_folder(const char *path, bool (*visit)(const char *name, void *user), void *user) {
    DIR *folder = opendir(path);
    if (!folder) return false;
    for (const struct dirent *entry = readdir(folder); entry && visit(entry->d_name, user); entry = readdir(folder))
        continue;
    (void)closedir(folder);
    return true;
}

FILE *system_open_scratch(void) {
    return tmpfile();
}
