// Assets, mixers and batches for JavaScript.
#include "web.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sinew_error last_error;

static void fail(sinew_result result) {
    last_error.result = result;
    snprintf(last_error.message, sizeof last_error.message, "%s", sinew_result_string(result));
}

const char *web_error(void) {
    return last_error.message;
}

// ---- Assets --------------------------------------------------------------------------------------------------

typedef struct handed_over {
    const web_file *files;
    int32_t count;
} handed_over;

static bool read_file(const char *uri, sinew_bytes *bytes, void *user) {
    const handed_over *handed = user;
    for (int32_t i = 0; i < handed->count; i++) {
        if (strcmp(handed->files[i].name, uri) != 0) continue;
        *bytes = (sinew_bytes){handed->files[i].data, handed->files[i].size};
        return true;
    }
    return false;
}

// They are the page's.
static void release_file(sinew_bytes bytes, void *user) {
    (void)bytes;
    (void)user;
}

sinew_asset *web_asset_load(const uint8_t *data, size_t size, const web_file *files, int32_t file_count) {
    handed_over handed = {files, file_count};
    sinew_gltf_options options = sinew_gltf_default_options();
    options.reader = (sinew_reader){read_file, release_file, &handed};
    sinew_asset *asset;
    sinew_gltf_load_memory(data, size, &options, &asset, &last_error);
    return asset;
}

// ---- Mixers --------------------------------------------------------------------------------------------------

struct web_mixer {
    const sinew_asset *asset;
    sinew_mixer *mixer;
    sinew_affine *palettes;
};

static size_t joint_count(const sinew_asset *asset) {
    size_t count = 0;
    for (int32_t i = 0; i < asset->skin_count; i++) count += (size_t)asset->skins[i].joint_count;
    return count;
}

static void fill_palettes(web_mixer *character, int32_t first_skin) {
    const sinew_asset *asset = character->asset;
    const sinew_affine *model = sinew_mixer_model_matrices(character->mixer);
    sinew_affine *palette = character->palettes;
    for (int32_t i = 0; i < asset->skin_count; i++) {
        if (i >= first_skin) sinew_skin_palette(&asset->skins[i], model, palette);
        palette += asset->skins[i].joint_count;
    }
}

static bool make_mixer(web_mixer *character, const sinew_asset *asset, int32_t max_actions) {
    sinew_mixer_def def = sinew_mixer_default_def();
    def.skeleton = asset->skeleton;
    def.max_actions = max_actions;
    def.layer_count = 1;
    if (sinew_mixer_create(&def, &character->mixer) != SINEW_OK) return false;
    character->asset = asset;
    character->palettes = aligned_alloc(16, (joint_count(asset) + 1) * sizeof(sinew_affine));
    return character->palettes != NULL;
}

web_mixer *web_mixer_create(const sinew_asset *asset, int32_t max_actions) {
    web_mixer *character = calloc(1, sizeof *character);
    if (!character || !make_mixer(character, asset, max_actions)) {
        web_mixer_destroy(character);
        fail(SINEW_ERROR_OUT_OF_MEMORY);
        return NULL;
    }
    web_mixer_update(character, 0.0f);
    return character;
}

void web_mixer_destroy(web_mixer *character) {
    if (!character) return;
    sinew_mixer_destroy(character->mixer);
    free(character->palettes);
    free(character);
}

sinew_mixer *web_mixer_mixer(web_mixer *character) {
    return character->mixer;
}

const sinew_affine *web_mixer_palettes(const web_mixer *character) {
    return character->palettes;
}

const float *web_mixer_plane(web_mixer *character, int32_t component) {
    const sinew_pose *pose = sinew_mixer_pose(character->mixer);
    const float *planes[] = {pose->tx, pose->ty, pose->tz, pose->rx, pose->ry,
                             pose->rz, pose->rw, pose->sx, pose->sy, pose->sz};
    return planes[component];
}

bool web_mixer_update(web_mixer *character, float dt) {
    if (!sinew_mixer_update(character->mixer, dt)) return false;
    fill_palettes(character, 0);
    return true;
}

// ---- Playing -------------------------------------------------------------------------------------------------

static sinew_play_def play_def(float speed, float weight, sinew_loop loop, int32_t loop_count) {
    sinew_play_def def = sinew_play_default_def();
    def.speed = speed;
    def.weight = weight;
    def.loop = loop;
    def.loop_count = loop_count;
    return def;
}

sinew_action web_mixer_play(web_mixer *character, int32_t clip, float time, float speed, float weight, float fade,
                            sinew_loop loop, int32_t loop_count) {
    sinew_play_def def = play_def(speed, weight, loop, loop_count);
    def.time = time;
    def.fade = fade;
    return sinew_mixer_play(character->mixer, &character->asset->clips[clip], &def);
}

sinew_action web_mixer_transition_to(web_mixer *character, int32_t clip, sinew_transition_kind kind, float duration,
                                     bool warp, float speed, float weight, sinew_loop loop, int32_t loop_count) {
    sinew_play_def def = play_def(speed, weight, loop, loop_count);
    sinew_transition how = sinew_transition_default();
    how.kind = kind;
    how.duration = duration;
    how.warp = warp;
    return sinew_mixer_transition_to(character->mixer, &character->asset->clips[clip], &how, &def);
}

// ---- Events --------------------------------------------------------------------------------------------------

int32_t web_mixer_event_count(const web_mixer *character) {
    int32_t count;
    sinew_mixer_events(character->mixer, &count);
    return count;
}

static const sinew_event *event_at(const web_mixer *character, int32_t event) {
    int32_t count;
    return &sinew_mixer_events(character->mixer, &count)[event];
}

sinew_event_type web_mixer_event_type(const web_mixer *character, int32_t event) {
    return event_at(character, event)->type;
}

sinew_action web_mixer_event_action(const web_mixer *character, int32_t event) {
    return event_at(character, event)->action;
}

int32_t web_mixer_event_clip(const web_mixer *character, int32_t event) {
    return (int32_t)(event_at(character, event)->clip - character->asset->clips);
}

int32_t web_mixer_event_marker(const web_mixer *character, int32_t event) {
    const sinew_event *said = event_at(character, event);
    return said->marker ? (int32_t)(said->marker - said->clip->markers) : -1;
}

// ---- Batches -------------------------------------------------------------------------------------------------

struct web_batch {
    int32_t count;
    web_mixer **characters;
    sinew_batch_item *items;
};

static bool make_batch(web_batch *batch, web_mixer *const *characters, int32_t count) {
    batch->characters = calloc((size_t)count + 1, sizeof(web_mixer *));
    batch->items = calloc((size_t)count + 1, sizeof *batch->items);
    if (!batch->characters || !batch->items) return false;
    batch->count = count;
    for (int32_t i = 0; i < count; i++) {
        const sinew_asset *asset = characters[i]->asset;
        batch->characters[i] = characters[i];
        batch->items[i].mixer = characters[i]->mixer;
        batch->items[i].skin = asset->skin_count > 0 ? asset->skins : NULL;
        batch->items[i].palette = characters[i]->palettes;
    }
    return true;
}

web_batch *web_batch_create(web_mixer *const *characters, int32_t count) {
    web_batch *batch = calloc(1, sizeof *batch);
    if (!batch || !make_batch(batch, characters, count)) {
        web_batch_destroy(batch);
        fail(SINEW_ERROR_OUT_OF_MEMORY);
        return NULL;
    }
    return batch;
}

void web_batch_destroy(web_batch *batch) {
    if (!batch) return;
    free(batch->characters);
    free(batch->items);
    free(batch);
}

// The batch makes the palettes of first skins.
void web_batch_update(web_batch *batch, float dt) {
    sinew_batch_update(batch->items, 0, batch->count, dt);
    for (int32_t i = 0; i < batch->count; i++)
        if (batch->items[i].changed) fill_palettes(batch->characters[i], 1);
}
