// Updates a thousand characters on several plain threads. Each thread gets one range of the batch.
// 10_many_threads [FILE [CHARACTERS [THREADS]]]
#include <sinew/sinew.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { FRAMES = 120, MOST_THREADS = 64 };
static int fail(const char *message) {
    fprintf(stderr, "10_many_threads: %s\n", message);
    return 1;
}

// The work of one thread. A game would keep its threads and wake them every frame. Here, each thread plays all frames
// of its own characters, because they never interact.
typedef struct job {
    sinew_batch_item *items;
    int first, count;
} job;

static void *run(void *argument) {
    const job *j = argument;
    for (int frame = 0; frame < FRAMES; frame++) sinew_batch_update(j->items, j->first, j->count, 1.0f / 60.0f);
    return NULL;
}

static sinew_batch_item make_character(const sinew_asset *asset, int number) {
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = asset->skeleton;
    sinew_batch_item item = {.skin = &asset->skins[0], .palette_only = true};
    item.palette = malloc((size_t)item.skin->joint_count * sizeof *item.palette);
    sinew_error error = {.message = "out of memory"};
    if (!item.palette || sinew_mixer_create(&def, &item.mixer, &error) != SINEW_OK) exit(fail(error.message));
    sinew_mixer_play(item.mixer, sinew_clip_source(&asset->clips[number % asset->clip_count]), NULL);
    return item;
}

static double run_threads(sinew_batch_item *items, int count, int threads) {
    pthread_t handles[MOST_THREADS];
    job jobs[MOST_THREADS];
    struct timespec start, end;
    timespec_get(&start, TIME_UTC);
    for (int t = 0; t < threads; t++) {
        int first = (int)((long long)count * t / threads), next = (int)((long long)count * (t + 1) / threads);
        jobs[t] = (job){items, first, next - first};
        if (pthread_create(&handles[t], NULL, run, &jobs[t]) != 0) exit(1);
    }
    for (int t = 0; t < threads; t++) pthread_join(handles[t], NULL);
    timespec_get(&end, TIME_UTC);
    return (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
}

int main(int argc, char **argv) {
    sinew_error error;
    sinew_asset *asset;
    const char *path = argc > 1 ? argv[1] : "models/hero.glb";
    if (sinew_gltf_load_file(path, NULL, &asset, &error) != SINEW_OK) return fail(error.message);
    int count = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 1000,
        threads = argc > 3 ? (int)strtol(argv[3], NULL, 10) : 2;
    if (count < 1 || threads < 1 || threads > MOST_THREADS || asset->skin_count == 0 || asset->clip_count == 0)
        return fail("needs a skin, a clip, a character and 1 to 64 threads");
    sinew_batch_item *items = malloc((size_t)count * sizeof *items);
    if (!items) return 1;
    for (int i = 0; i < count; i++) items[i] = make_character(asset, i);
    for (int t = 1; t <= threads; t += threads > 1 ? threads - 1 : 1) {
        printf("%d characters, %d thread%s: %.3f ms a frame\n", count, t, t == 1 ? "" : "s",
               1e3 * run_threads(items, count, t) / FRAMES);
    }
    for (int i = 0; i < count; i++) {
        sinew_mixer_destroy(items[i].mixer);
        free(items[i].palette);
    }
    free(items);
    sinew_asset_destroy(asset);
    return 0;
}
