// Many characters at once.
#include <sinew/batch.h>

#include "anim/mixer_state.h"

// How many characters' products are interleaved: their matrices must stay in the nearest cache together.
#define SIDE_BY_SIDE 4

static bool is_whole(const sinew_mixer *mixer) {
    return mixer->def.root == SINEW_NO_NODE;
}

// The items from `first` on whose products can go side by side.
static int32_t group_size(const sinew_batch_item *items, int32_t left) {
    int32_t size = 1;
    while (size < left && size < SIDE_BY_SIDE && is_whole(items[0].mixer) && is_whole(items[size].mixer) &&
           items[size].mixer->def.skeleton == items[0].mixer->def.skeleton) {
        size++;
    }
    return size;
}

// Brings memory that is about to be written nearer: with thousands of characters none of it is near, and the
// arithmetic of one character takes about as long as the memory of the next.
static void fetch(const void *memory, size_t size) {
#if defined(__GNUC__)
    for (size_t i = 0; i < size; i += SINEW_ALIGNMENT) __builtin_prefetch((const char *)memory + i, 1, 2);
#else
    (void)memory, (void)size;
#endif
}

static void fetch_state(const sinew_batch_item *item) {
    fetch(item->mixer, (size_t)((const char *)&item->mixer->pose - (const char *)item->mixer));
    fetch(item->mixer->state, 4 * SINEW_ALIGNMENT);
}

static void fetch_model(const sinew_batch_item *item) {
    const sinew_mixer *mixer = item->mixer;
    fetch(mixer->model + mixer->nodes.first, (size_t)(mixer->nodes.end - mixer->nodes.first) * sizeof(sinew_affine));
}

static void fetch_palette(const sinew_batch_item *item) {
    if (item->skin) fetch(item->palette, (size_t)item->skin->joint_count * sizeof(sinew_affine));
}

// `left` items follow from the first on.
static void update_group(sinew_batch_item *items, int32_t count, int32_t left, float dt) {
    sinew_affine *models[SIDE_BY_SIDE];
    int32_t changed = 0;
    for (int32_t i = 0; i < count; i++) {
        sinew_mixer *mixer = items[i].mixer;
        if (i + 2 * SIDE_BY_SIDE < left) fetch_state(&items[i + 2 * SIDE_BY_SIDE]);
        if (i + SIDE_BY_SIDE < left) fetch_model(&items[i + SIDE_BY_SIDE]);
        sinew_mixer_advance(mixer, dt);
        items[i].changed = sinew_mixer_evaluate_local(mixer);
        if (items[i].changed) models[changed++] = mixer->model;
    }
    if (changed == 0) return;
    sinew_local_to_model(items->mixer->def.skeleton, items->mixer->nodes, models, changed);
    for (int32_t i = 0; i < count; i++) {
        if (i + SIDE_BY_SIDE < left) fetch_palette(&items[i + SIDE_BY_SIDE]);
        if (!items[i].changed || !items[i].skin) continue;
        sinew_skin_palette(items[i].skin, items[i].mixer->model, items[i].palette);
    }
}

void sinew_batch_update(sinew_batch_item *items, int32_t first, int32_t count, float dt) {
    for (int32_t done = 0; done < count;) {
        int32_t size = group_size(items + first + done, count - done);
        update_group(items + first + done, size, count - done, dt);
        done += size;
    }
}
