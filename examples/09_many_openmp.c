// Updates a thousand characters on all cores with OpenMP. Each thread takes ranges of one batch.
// 09_many_openmp [FILE [CHARACTERS]]
#include <sinew/sinew.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { FRAMES = 120, RANGE = 64 }; // characters per task: enough to be worth scheduling, few enough to balance

static double seconds(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void update(sinew_batch_item *items, int count, float dt) {
#pragma omp parallel for schedule(dynamic)
    for (int first = 0; first < count; first += RANGE) {
        sinew_batch_update(items, first, count - first < RANGE ? count - first : RANGE, dt);
    }
}

static sinew_batch_item make_character(const sinew_asset *asset, int number) {
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = asset->skeleton;
    def.max_actions = 4;
    sinew_batch_item item = {.skin = &asset->skins[0], .palette_only = true};
    item.palette = malloc((size_t)item.skin->joint_count * sizeof *item.palette);
    sinew_error error = {.message = "out of memory"};
    if (!item.palette || sinew_mixer_create(&def, &item.mixer, &error) != SINEW_OK) {
        fprintf(stderr, "09_many_openmp: %s\n", error.message);
        exit(1);
    }
    const sinew_clip *clip = &asset->clips[number % asset->clip_count];
    sinew_play_def play = sinew_play_default();
    play.time = clip->duration * (float)(number % 13) / 13.0f; // so they aren't all in step
    sinew_mixer_play(item.mixer, sinew_clip_source(clip), &play);
    return item;
}

int main(int argc, char **argv) {
    sinew_error error;
    sinew_asset *asset;
    if (sinew_gltf_load_file(argc > 1 ? argv[1] : "models/hero.glb", NULL, &asset, &error) != SINEW_OK) {
        fprintf(stderr, "09_many_openmp: %s\n", error.message);
        return 1;
    }
    int count = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 1000;
    if (asset->skin_count == 0 || asset->clip_count == 0 || count < 1) {
        fprintf(stderr, "09_many_openmp: needs a file with a skin and a clip, and at least one character\n");
        return 1;
    }
    sinew_batch_item *items = malloc((size_t)count * sizeof *items);
    if (!items) return 1;
    for (int i = 0; i < count; i++) items[i] = make_character(asset, i);

    double start = seconds();
    for (int frame = 0; frame < FRAMES; frame++) update(items, count, 1.0f / 60.0f);
    printf("%d characters: %.3f ms a frame\n", count, 1e3 * (seconds() - start) / FRAMES);

    for (int i = 0; i < count; i++) {
        sinew_mixer_destroy(items[i].mixer);
        free(items[i].palette);
    }
    free(items);
    sinew_asset_destroy(asset);
    return 0;
}
