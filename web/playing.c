// SPDX-License-Identifier: MIT
// Mixers, their actions, events and batches for JavaScript.
#include "internal.h"

#include "core/mixer_data.h"

#include <float.h>
#include <stdlib.h>

// ---- Mixers --------------------------------------------------------------------------------------------------

struct web_mixer {
    const sinew_asset *asset;
    sinew_mixer_def def; // the mixer's
    sinew_root_motion_def root_motion;
    sinew_mixer *mixer;
    sinew_animator *animator; // owns the mixer; NULL if the character does. Read it through animator_of
    sinew_character *acting;  // owns the animator, or NULL. Read it through acting_of
    const sinew_rig *rig;
    sinew_affine *palettes;
    char *names;
    const char **sync_names; // into `names`
    float time_scale;
    bool keeps_model; // the page uses the model matrices
};

// NULL in modules without graphs: WEB_GRAPHS is 0 there, so the compiler leaves animators out.
static sinew_animator *animator_of(const web_mixer *character) {
    return WEB_GRAPHS ? character->animator : NULL;
}

// NULL in modules without characters.
static sinew_character *acting_of(const web_mixer *character) {
    return WEB_CHARACTERS ? character->acting : NULL;
}

// The library's limit. Blend spaces that fade out also count.
#define MAX_BLEND_SPACES 4

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

static sinew_root_motion_def root_motion(const sinew_asset *asset, int32_t node, uint32_t flags) {
    sinew_root_motion_def def = sinew_root_motion_default();
    def.skeleton = asset->skeleton;
    def.node = node;
    def.x = flags & WEB_ROOT_X;
    def.y = flags & WEB_ROOT_Y;
    def.z = flags & WEB_ROOT_Z;
    def.yaw = flags & WEB_ROOT_YAW;
    def.close_loops = flags & WEB_ROOT_CLOSE_LOOPS;
    return def;
}

// Leaves the character unchanged on failure.
static sinew_result create_animator(web_mixer *character, const sinew_graph_binding *binding) {
    sinew_animator_def def = sinew_animator_default();
    def.binding = binding;
    def.mixer = &character->def;
    def.max_events = WEB_MAX_GRAPH_EVENTS;
    sinew_animator *animator;
    sinew_result result = sinew_animator_create(&def, &animator, NULL);
    if (result != SINEW_OK) return result;
    character->animator = animator;
    character->mixer = sinew_animator_mixer(animator);
    return SINEW_OK;
}

static sinew_result create_character(web_mixer *character) {
    const sinew_result result = web_character_create(character->rig, &character->def, &character->acting);
    if (result != SINEW_OK) return result;
    character->animator = sinew_character_animator(character->acting);
    character->mixer = sinew_character_mixer(character->acting);
    return SINEW_OK;
}

static sinew_result create_mixer(web_mixer *character, const sinew_graph_binding *binding) {
    if (WEB_CHARACTERS && character->rig) return create_character(character);
    if (WEB_GRAPHS && binding) return create_animator(character, binding);
    return sinew_mixer_create(&character->def, &character->mixer, NULL);
}

static bool make_mixer(web_mixer *character, const sinew_graph_binding *binding) {
    const sinew_asset *asset = character->asset;
    sinew_mixer_def *def = &character->def;
    character->sync_names = web_split(character->names, def->sync_name_count);
    character->palettes = aligned_alloc(16, (joint_count(asset) + 1) * sizeof(sinew_affine));
    web_fail("out of memory");
    if (!character->sync_names || !character->palettes) return false;
    def->skeleton = asset->skeleton;
    def->sync_names = character->sync_names;
    def->max_blend_spaces = MAX_BLEND_SPACES;
    const sinew_result result = create_mixer(character, binding);
    // The package has checked all other arguments.
    if (result == SINEW_ERROR_ARGUMENT)
        web_fail(
            "rootMotion.node: a node above it has a non-uniform scale, so its motion cannot be extracted: choose "
            "another node");
    return result == SINEW_OK;
}

// Updates the mixer, without the animator.
static bool update_mixer(web_mixer *character, float dt) {
    if (!sinew_mixer_update(character->mixer, dt)) return false;
    fill_palettes(character, 0);
    return true;
}

web_mixer *web_mixer_create(const sinew_asset *asset, int32_t max_actions, int32_t layer_count, char *names,
                            int32_t name_count, int32_t root, uint32_t root_flags,
                            const sinew_graph_binding *binding, const sinew_rig *rig) {
    web_mixer *character = calloc(1, sizeof *character);
    if (!character) {
        free(names);
        web_fail("out of memory");
        return NULL;
    }
    *character = (web_mixer){.asset = asset, .names = names, .time_scale = 1.0f, .rig = rig};
    character->root_motion = root_motion(asset, root, root_flags);
    sinew_mixer_def *def = &character->def;
    *def = sinew_mixer_default();
    def->max_actions = max_actions;
    def->layer_count = layer_count;
    def->sync_name_count = name_count;
    def->root_motion = root == SINEW_NO_NODE ? NULL : &character->root_motion;
    if (!make_mixer(character, binding)) {
        web_mixer_destroy(character);
        return NULL;
    }
    update_mixer(character, 0.0f);
    return character;
}

bool web_mixer_set_graph(web_mixer *character, const sinew_graph_binding *binding, float duration) {
    sinew_animator *old = character->animator;
    if (create_animator(character, binding) != SINEW_OK) {
        web_fail("out of memory");
        return false;
    }
    character->def.layer_count = character->mixer->def.layer_count;
    sinew_mixer_update(character->mixer, 0.0f); // like web_mixer_create
    sinew_animator_adopt(character->animator, old, duration);
    sinew_animator_destroy(old);
    sinew_mixer_to_model(character->mixer);
    fill_palettes(character, 0);
    return true;
}

void web_mixer_destroy(web_mixer *character) {
    if (!character) return;
    if (acting_of(character)) {
        sinew_character_destroy(character->acting);
    } else if (animator_of(character)) {
        sinew_animator_destroy(character->animator);
    } else {
        sinew_mixer_destroy(character->mixer);
    }
    free(character->palettes);
    free(character->sync_names);
    free(character->names);
    free(character);
}

const sinew_root_motion_def *web_mixer_root_motion(const web_mixer *character) {
    return character->def.root_motion;
}

sinew_mixer *web_mixer_mixer(web_mixer *character) {
    return character->mixer;
}

sinew_animator *web_mixer_animator(web_mixer *character) {
    return character->animator;
}

const sinew_affine *web_mixer_palettes(const web_mixer *character) {
    return character->palettes;
}

void web_mixer_keep_model(web_mixer *character) {
    if (character->keeps_model) return;
    character->keeps_model = true;
    sinew_mixer_to_model(character->mixer);
}

// A pose's ten planes are consecutive, at a constant stride.
const float *web_mixer_pose(web_mixer *character) {
    return sinew_mixer_pose(character->mixer)->tx;
}

float *web_mixer_edit_pose(web_mixer *character) {
    return sinew_mixer_edit_pose(character->mixer)->tx;
}

int32_t web_mixer_stride(const web_mixer *character) {
    const sinew_pose *pose = &character->mixer->pose;
    return (int32_t)(pose->ty - pose->tx);
}

void web_mixer_set_time_scale(web_mixer *character, float scale) {
    character->time_scale = scale;
}

// Clamps the product: a long step times a large scale may be infinite.
static float scaled(float dt, float scale) {
    float step = dt * scale;
    return step < FLT_MAX ? step : FLT_MAX;
}

static void advance_animator(web_mixer *character, float dt) {
    if (animator_of(character)) sinew_animator_advance(character->animator, dt);
}

bool web_mixer_update(web_mixer *character, float dt) {
    if (acting_of(character)) {
        web_mixer_begin(character, dt);
        web_mixer_end(character);
        return true;
    }
    float step = scaled(dt, character->time_scale);
    advance_animator(character, step);
    return update_mixer(character, step);
}

sinew_character *web_mixer_character(web_mixer *character) {
    return character->acting;
}

void web_mixer_begin(web_mixer *character, float dt) {
    sinew_character_begin(character->acting, scaled(dt, character->time_scale));
}

void web_mixer_end(web_mixer *character) {
    sinew_character_end(character->acting);
    fill_palettes(character, 0);
}

void web_mixer_finish_pose(web_mixer *character) {
    sinew_mixer_finish_pose(character->mixer);
    fill_palettes(character, 0);
}

// ---- Playing -------------------------------------------------------------------------------------------------

static sinew_play_def play_def;
static sinew_transition transition;

void web_play_def(float time, float speed, float weight, float fade, int32_t layer, int32_t sync, sinew_loop loop,
                  int32_t loop_count, bool restart) {
    play_def = sinew_play_default();
    play_def.time = time;
    play_def.speed = speed;
    play_def.weight = weight;
    play_def.fade = fade;
    play_def.layer = layer;
    play_def.sync = sync;
    play_def.loop = loop;
    play_def.loop_count = loop_count;
    play_def.restart = restart;
}

void web_transition(sinew_transition_kind kind, float duration, sinew_easing easing, bool match_rate) {
    transition = sinew_transition_default();
    transition.kind = kind;
    transition.duration = duration;
    transition.easing = easing;
    transition.match_rate = match_rate;
}

const sinew_transition *web_next_transition(void) {
    return &transition;
}

static sinew_action handle_of(const sinew_mixer *mixer, uint32_t action) {
    if (action == 0 || action > (uint32_t)mixer->def.max_actions) return (sinew_action){0};
    return sinewi_mixer_handle(mixer, &mixer->actions[action - 1]);
}

static uint32_t action_of(sinew_action handle) {
    return (uint32_t)(handle.id & 0xff);
}

static sinew_source source_of(const sinew_clip *clip, const sinew_blend_space *space, float x, float y) {
    return (sinew_source){.clip = clip, .blend_space = space, .x = x, .y = y};
}

uint32_t web_mixer_play(web_mixer *character, const sinew_clip *clip, const sinew_blend_space *space, float x,
                        float y) {
    return action_of(sinew_mixer_play(character->mixer, source_of(clip, space, x, y), &play_def));
}

uint32_t web_mixer_transition_to(web_mixer *character, const sinew_clip *clip, const sinew_blend_space *space,
                                 float x, float y) {
    sinew_source source = source_of(clip, space, x, y);
    return action_of(sinew_mixer_transition_to(character->mixer, source, &transition, &play_def));
}

void web_action_queue(sinew_mixer *mixer, uint32_t action, const sinew_clip *clip, const sinew_blend_space *space,
                      float x, float y) {
    sinew_action_queue(mixer, handle_of(mixer, action), source_of(clip, space, x, y), &transition, &play_def);
}

bool web_action_queue_previous(sinew_mixer *mixer, uint32_t action) {
    return sinew_action_queue_previous(mixer, handle_of(mixer, action), &transition);
}

void web_action_queue_fade_out(sinew_mixer *mixer, uint32_t action, float duration) {
    sinew_action_queue_fade_out(mixer, handle_of(mixer, action), duration);
}

uint32_t web_action_find(const sinew_mixer *mixer, int32_t layer, const sinew_clip *clip,
                         const sinew_blend_space *space) {
    return action_of(sinew_mixer_find(mixer, source_of(clip, space, 0.0f, 0.0f), layer));
}

// ---- One action ----------------------------------------------------------------------------------------------

void web_action_stop(sinew_mixer *mixer, uint32_t action) {
    sinew_action_stop(mixer, handle_of(mixer, action));
}

void web_action_set_paused(sinew_mixer *mixer, uint32_t action, bool paused) {
    sinew_action_set_paused(mixer, handle_of(mixer, action), paused);
}

void web_action_reset(sinew_mixer *mixer, uint32_t action) {
    sinew_action_reset(mixer, handle_of(mixer, action));
}

void web_action_fade_to(sinew_mixer *mixer, uint32_t action, float weight, float duration) {
    sinew_action_fade_to(mixer, handle_of(mixer, action), weight, duration);
}

void web_action_fade_out(sinew_mixer *mixer, uint32_t action, float duration) {
    sinew_action_fade_out(mixer, handle_of(mixer, action), duration);
}

bool web_action_is_paused(const sinew_mixer *mixer, uint32_t action) {
    return sinew_action_get(mixer, handle_of(mixer, action)).paused;
}

bool web_action_is_finished(const sinew_mixer *mixer, uint32_t action) {
    return sinew_action_is_finished(mixer, handle_of(mixer, action));
}

const sinew_clip *web_action_clip(const sinew_mixer *mixer, uint32_t action) {
    return sinew_action_get(mixer, handle_of(mixer, action)).clip;
}

int32_t web_action_loops_done(const sinew_mixer *mixer, uint32_t action) {
    return sinew_action_get(mixer, handle_of(mixer, action)).loops_done;
}

float web_action_time(const sinew_mixer *mixer, uint32_t action) {
    return sinew_action_time(mixer, handle_of(mixer, action));
}

void web_action_set_time(sinew_mixer *mixer, uint32_t action, float time) {
    sinew_action_set_time(mixer, handle_of(mixer, action), time);
}

float web_action_speed(const sinew_mixer *mixer, uint32_t action) {
    return sinew_action_get(mixer, handle_of(mixer, action)).speed;
}

void web_action_set_speed(sinew_mixer *mixer, uint32_t action, float speed) {
    sinew_action_set_speed(mixer, handle_of(mixer, action), speed);
}

float web_action_weight(const sinew_mixer *mixer, uint32_t action) {
    return sinew_action_weight(mixer, handle_of(mixer, action));
}

void web_action_set_weight(sinew_mixer *mixer, uint32_t action, float weight) {
    sinew_action_set_weight(mixer, handle_of(mixer, action), weight);
}

void web_action_set_loop(sinew_mixer *mixer, uint32_t action, sinew_loop loop, int32_t loop_count) {
    sinew_action_set_loop(mixer, handle_of(mixer, action), loop, loop_count);
}

void web_action_set_parameter(sinew_mixer *mixer, uint32_t action, float x, float y) {
    sinew_action_set_parameter(mixer, handle_of(mixer, action), x, y);
}

void web_action_parameter(const sinew_mixer *mixer, uint32_t action) {
    sinew_blend_parameter parameter = sinew_action_get(mixer, handle_of(mixer, action)).parameter;
    web_numbers()[0] = (float)parameter.x;
    web_numbers()[1] = (float)parameter.y;
}

// ---- Snapshots -----------------------------------------------------------------------------------------------

size_t web_mixer_snapshot_size(const web_mixer *character) {
    if (acting_of(character)) return sinew_character_snapshot_size(character->acting);
    return animator_of(character) ? sinew_animator_snapshot_size(character->animator)
                                  : sinew_mixer_snapshot_size(character->mixer);
}

void web_mixer_save(const web_mixer *character, void *memory) {
    if (acting_of(character)) {
        sinew_character_save(character->acting, memory);
    } else if (animator_of(character)) {
        sinew_animator_save(character->animator, memory);
    } else {
        sinew_mixer_save(character->mixer, memory);
    }
}

bool web_mixer_restore(web_mixer *character, const void *memory, size_t size) {
    if (acting_of(character)) return sinew_character_restore(character->acting, memory, size);
    return animator_of(character) ? sinew_animator_restore(character->animator, memory, size)
                                  : sinew_mixer_restore(character->mixer, memory, size);
}

// ---- Results -------------------------------------------------------------------------------------------------

float *web_put_vector(float *to, sinew_vec3 v) {
    *to++ = v.x;
    *to++ = v.y;
    *to++ = v.z;
    return to;
}

float *web_put_rotation(float *to, sinew_quat q) {
    *to++ = q.x;
    *to++ = q.y;
    *to++ = q.z;
    *to++ = q.w;
    return to;
}

void web_put_root_delta(sinew_root_delta delta) {
    *web_put_rotation(web_put_vector(web_numbers(), delta.translation), delta.rotation) = delta.yaw;
}

void web_mixer_root_delta(const web_mixer *character) {
    web_put_root_delta(sinew_mixer_root_delta(character->mixer));
}

void web_mixer_bounds(web_mixer *character) {
    web_mixer_keep_model(character);
    const sinew_mixer *mixer = character->mixer;
    sinew_box box;
    sinew_bounds_pose(character->asset->bounds, sinew_mixer_model_matrices(mixer), sinew_mixer_morph_weights(mixer),
                      &box, NULL);
    web_put_vector(web_put_vector(web_numbers(), box.min), box.max);
}

void web_mixer_bones(const web_mixer *character, int32_t skin, float *bones) {
    const sinew_skin *skins = character->asset->skins;
    const sinew_affine *palette = character->palettes;
    for (int32_t i = 0; i < skin; i++) palette += skins[i].joint_count;
    const float *world = web_numbers();
    for (int32_t joint = 0; joint < skins[skin].joint_count; joint++) {
        const float *rows = (const float *)&palette[joint];
        for (int column = 0; column < 4; column++) {
            float x = rows[column], y = rows[4 + column], z = rows[8 + column];
            for (int row = 0; row < 3; row++) {
                float moved = world[row] * x + world[4 + row] * y + world[8 + row] * z;
                *bones++ = column == 3 ? moved + world[12 + row] : moved;
            }
            *bones++ = column == 3;
        }
    }
}

// ---- Events --------------------------------------------------------------------------------------------------

int32_t web_mixer_event_count(const web_mixer *character) {
    return sinew_mixer_events(character->mixer).count;
}

static const sinew_event *event_at(const web_mixer *character, int32_t event) {
    return &sinew_mixer_events(character->mixer).items[event];
}

sinew_event_type web_event_type(const web_mixer *character, int32_t event) {
    return event_at(character, event)->type;
}

int32_t web_event_layer(const web_mixer *character, int32_t event) {
    return event_at(character, event)->layer;
}

const sinew_clip *web_event_clip(const web_mixer *character, int32_t event) {
    return event_at(character, event)->clip;
}

const sinew_blend_space *web_event_space(const web_mixer *character, int32_t event) {
    return event_at(character, event)->blend_space;
}

int32_t web_event_marker(const web_mixer *character, int32_t event) {
    const sinew_event *found = event_at(character, event);
    return found->marker ? (int32_t)(found->marker - found->clip->markers) : -1;
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
        batch->items[i].skin = asset->skin_count > 0 ? asset->skins : NULL;
        batch->items[i].palette = characters[i]->palettes;
    }
    return true;
}

web_batch *web_batch_create(web_mixer *const *characters, int32_t count) {
    web_batch *batch = calloc(1, sizeof *batch);
    if (!batch || !make_batch(batch, characters, count)) {
        web_batch_destroy(batch);
        web_fail("out of memory");
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

// Counts the consecutive characters that have the first one's time scale. They take the same step.
static int32_t same_scale_count(const web_batch *batch, int32_t first) {
    int32_t end = first + 1;
    while (end < batch->count && batch->characters[end]->time_scale == batch->characters[first]->time_scale) end++;
    return end - first;
}

// Whether the batch only needs to write the first skin's palette. Palettes of further skins are computed after the
// batch, from the model matrices.
static bool is_palette_only(const web_mixer *character) {
    return !character->keeps_model && character->asset->skin_count == 1;
}

void web_batch_update(web_batch *batch, float dt) {
    for (int32_t i = 0; i < batch->count; i++) {
        batch->items[i].mixer = batch->characters[i]->mixer; // web_mixer_set_graph replaces it
        batch->items[i].palette_only = is_palette_only(batch->characters[i]);
    }
    int32_t count = 0;
    for (int32_t first = 0; first < batch->count; first += count) {
        count = same_scale_count(batch, first);
        float step = scaled(dt, batch->characters[first]->time_scale);
        for (int32_t i = first; i < first + count; i++) advance_animator(batch->characters[i], step);
        sinew_batch_update(batch->items, first, count, step);
    }
    // The batch has already written the first skins' palettes.
    for (int32_t i = 0; i < batch->count; i++)
        if (batch->items[i].changed) fill_palettes(batch->characters[i], 1);
}
