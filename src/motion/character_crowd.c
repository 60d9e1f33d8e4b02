// SPDX-License-Identifier: MIT
// Crowds of characters: which are updated in a frame, and palettes between two poses.
#include <sinew/motion/character_crowd.h>

#include "motion/crowd_select.h"
#include "base/def_cookie.h"

#include <assert.h>

// ---- One character -------------------------------------------------------------------------------------------

static void write_palette(sinew_character_item *item) {
    if (!item->skin || !item->palette) return;
    sinew_skin_palette(item->skin, sinew_character_model(item->character), item->palette);
    item->changed = true;
}

static void update_item(sinew_character_item *item, float dt) {
    const double seconds = item->waited + (double)dt;
    item->waited = 0.0;
    item->changed = false;
    item->updated = true;
    sinew_character_set_significance(item->character, item->significance);
    sinew_character_update(item->character, seconds < (double)SINEW_MAX_WAIT ? (float)seconds : SINEW_MAX_WAIT);
    item->interval = item->frames > 0 ? item->frames : 1;
    item->frames = 1;
}

// ---- Between two poses ---------------------------------------------------------------------------------------

static void blend_matrices(sinew_affine *out, const sinew_affine *a, const sinew_affine *b, int32_t count,
                           float t) {
    for (int32_t i = 0; i < count; i++) {
        for (int k = 0; k < 12; k++) {
            const float from = a[i].m[k / 4][k % 4], to = b[i].m[k / 4][k % 4];
            out[i].m[k / 4][k % 4] = from * (1.0f - t) + to * t; // exact at both ends
        }
    }
}

// The palette that is shown becomes the start, and the new pose the end.
static void begin_between(sinew_character_item *item, const sinew_affine *world) {
    const int32_t count = item->skin->joint_count;
    sinew_affine *from = item->between, *to = item->between + count;
    sinew_skin_palette(item->skin, sinew_character_model(item->character), to);
    const sinew_affine *last = &item->places[1]; // a place's axes are never 0
    const bool is_first = last->m[0][0] == 0.0f && last->m[1][0] == 0.0f && last->m[2][0] == 0.0f;
    memcpy(from, is_first ? to : item->palette, (size_t)count * sizeof *from);
    item->places[0] = is_first ? *world : item->world;
    item->places[1] = *world;
}

static void show_between(sinew_character_item *item) {
    const int32_t count = item->skin->joint_count;
    const float part = (float)item->frames / (float)item->interval, t = part < 1.0f ? part : 1.0f;
    blend_matrices(item->palette, item->between, item->between + count, count, t);
    blend_matrices(&item->world, &item->places[0], &item->places[1], 1, t);
    item->changed = true;
}

static bool moves_on(const sinew_character_item *item) {
    return item->between && item->skin && item->palette;
}

// ---- The interface -------------------------------------------------------------------------------------------

static sinew_affine world_of(const sinew_character_item *item) {
    return sinew_affine_from_transform(sinew_character_world(item->character));
}

void sinew_characters_update(sinew_character_item *items, int32_t first, int32_t count, float dt) {
    assert(count <= 0 || (items && first >= 0));
    for (int32_t i = first; i < first + count; i++) {
        update_item(&items[i], dt);
        write_palette(&items[i]);
        items[i].world = world_of(&items[i]);
    }
}

static void update_or_wait(sinew_character_item *item, bool updates, float dt) {
    if (updates) {
        update_item(item, dt);
        const sinew_affine world = world_of(item);
        if (!moves_on(item)) {
            write_palette(item);
            item->world = world;
            return;
        }
        begin_between(item, &world);
    } else {
        item->changed = item->updated = false;
        item->waited += (double)dt;
        if (item->frames < INT32_MAX) item->frames++;
        if (!moves_on(item) || item->frames > item->interval) return;
    }
    show_between(item);
}

void sinew_characters_update_within(sinew_batch_budget *budget, sinew_character_item *items, int32_t first,
                                    int32_t count, float dt) {
    assert(budget && (count <= 0 || (items && first >= 0)));
    if (!SINEWI_IS_DEF(budget, "sinew_batch_budget: start from sinew_batch_budget_default()")) return;
    budget->poses = 0;
    budget->used = 0.0f;
    if (count <= 0) return;
    items += first;
    int32_t counts[SINEWI_CROWD_LEVELS] = {0};
    for (int32_t i = 0; i < count; i++)
        counts[sinewi_crowd_level(items[i].significance, (uint32_t)items[i].frames)]++;
    sinewi_crowd_clock clock = sinewi_crowd_start(budget);
    sinewi_crowd_selection selected = sinewi_crowd_select(counts, sinewi_crowd_capacity(budget));
    for (int32_t i = 0; i < count; i++) {
        const int32_t level = sinewi_crowd_level(items[i].significance, (uint32_t)items[i].frames);
        const bool updates =
            sinewi_crowd_take(&selected, level) && (level == SINEWI_CROWD_LAST_LEVEL || !clock.is_over);
        update_or_wait(&items[i], updates, dt);
        if (!updates) continue;
        budget->poses++;
        sinewi_crowd_check(&clock, (double)i / (double)count);
    }
    sinewi_crowd_stop(&clock);
}
