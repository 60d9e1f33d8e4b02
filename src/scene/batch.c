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

static void update_group(sinew_batch_item *items, int32_t count, float dt) {
    sinew_affine *models[SIDE_BY_SIDE];
    int32_t changed = 0;
    for (int32_t i = 0; i < count; i++) {
        sinew_mixer *mixer = items[i].mixer;
        sinew_mixer_advance(mixer, dt);
        items[i].changed = sinew_mixer_evaluate_local(mixer);
        if (items[i].changed) models[changed++] = mixer->model;
    }
    if (changed == 0) return;
    sinew_local_to_model(items->mixer->def.skeleton, items->mixer->nodes, models, changed);
    for (int32_t i = 0; i < count; i++) {
        if (!items[i].changed || !items[i].skin) continue;
        sinew_skin_palette(items[i].skin, items[i].mixer->model, items[i].palette);
    }
}

void sinew_batch_update(sinew_batch_item *items, int32_t first, int32_t count, float dt) {
    for (int32_t done = 0; done < count;) {
        int32_t size = group_size(items + first + done, count - done);
        update_group(items + first + done, size, dt);
        done += size;
    }
}
