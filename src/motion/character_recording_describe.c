// SPDX-License-Identifier: MIT
// Describes an update of a recording: compares the character before and after the recorded changes.
#include "core/mixer_data.h"
#include "motion/character_recording_read.h"
#include "base/fail.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---- Text ----------------------------------------------------------------------------------------------------

static void add(character_replay *object, const char *format, ...) SINEWI_PRINTF(2, 3);

static void add(character_replay *object, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const size_t room = sizeof object->text - object->text_size;
    const int length = vsnprintf(object->text + object->text_size, room, format, arguments);
    va_end(arguments);
    if (length > 0) object->text_size += (size_t)length < room ? (size_t)length : room - 1;
}

static void add_numbers(character_replay *object, const float *numbers, int count) {
    for (int i = 0; i < count; i++) add(object, " %.9g", (double)numbers[i]);
}

static void add_transform(character_replay *object, const char *name, const sinew_transform *transform) {
    float numbers[NODE_FLOATS];
    memcpy(numbers, transform, sizeof numbers);
    add(object, "; %s", name);
    add_numbers(object, numbers, numbers[NODE_FLOATS - 1] == 1.0f ? 7 : 8);
}

// ---- Changes -------------------------------------------------------------------------------------------------

static const sinew_graph *graph_of(const character_replay *object) {
    return object->def.rig->binding->graph;
}

void sinewi_describe_start(character_replay *object, float dt) {
    object->text_size = 0;
    object->ground_count = 0;
    add(object, "%.9g s", (double)dt);
}

void sinewi_describe_before(character_replay *object) {
    const sinew_character *character = object->replay.character;
    character_before *before = &object->before;
    const size_t words = (size_t)graph_of(object)->data->value_count;
    if (words > 0) memcpy(before->values, animator_values(character->animator), words * sizeof *before->values);
    before->triggers = character->animator->triggers;
    before->mixer_hash = sinew_mixer_hash(character->mixer);
    before->place = character->place;
    for (int32_t l = 0; l < graph_of(object)->layer_count; l++)
        before->states[l] = sinew_animator_state(character->animator, l);
    before->action_count = sinew_mixer_actions(character->mixer, before->actions, SINEW_MAX_ACTIONS);
}

static void describe_parameter(character_replay *object, int32_t i) {
    const sinew_animator *animator = object->replay.character->animator;
    const sinewi_graph_value place = graph_of(object)->data->values[i];
    const char *name = graph_of(object)->parameters[i].name;
    const bool was_set = (object->before.triggers >> i & 1) != 0, is_set = (animator->triggers >> i & 1) != 0;
    if (was_set != is_set) add(object, "; %s %s", is_set ? "fire" : "cancel", name);
    const animator_value *now = animator_values(animator) + place.target;
    if (place.type == SINEW_PARAMETER_TRIGGER || place.width == 0) return;
    if (memcmp(object->before.values + place.target, now, place.width * sizeof *now) == 0) return;
    add(object, "; %s", name);
    const bool is_integer = place.type == SINEW_PARAMETER_INT || place.type == SINEW_PARAMETER_BOOL;
    for (int k = 0; k < place.width; k++) {
        if (is_integer) add(object, " %d", (int)now[k].integer);
        if (!is_integer) add(object, " %.9g", (double)now[k].number);
    }
}

static void describe_place(character_replay *object) {
    const character_place *before = &object->before.place, *now = &object->replay.character->place;
    const bool is_moved = memcmp(&before->world, &now->world, sizeof now->world) != 0;
    const bool teleports = before->is_known && !now->is_known;
    if (is_moved || teleports) add_transform(object, teleports ? "teleport" : "world", &now->world);
    if (before->rides && !now->rides) add(object, "; get off");
    if (now->rides && memcmp(&before->platform, &now->platform, sizeof now->platform) != 0)
        add_transform(object, "ride", &now->platform);
    if (memcmp(&before->wind, &now->wind, sizeof now->wind) != 0) {
        add(object, "; wind");
        add_numbers(object, &now->wind.x, 3);
    }
    if (before->significance != now->significance) add(object, "; significance %.9g", (double)now->significance);
}

static bool played_before(const character_before *before, sinew_action action) {
    for (int32_t i = 0; i < before->action_count; i++)
        if (before->actions[i].id == action.id) return true;
    return false;
}

static bool describe_actions(character_replay *object) {
    const sinew_mixer *mixer = object->replay.character->mixer;
    sinew_action actions[SINEW_MAX_ACTIONS];
    const int32_t count = sinew_mixer_actions(mixer, actions, SINEW_MAX_ACTIONS);
    bool has_any = false;
    for (int32_t i = 0; i < count; i++) {
        if (played_before(&object->before, actions[i])) continue;
        const sinew_clip *clip = sinew_action_get(mixer, actions[i]).source.clip;
        add(object, clip ? "; play '%s'" : "; play a blend space%s", clip ? clip->name : "");
        has_any = true;
    }
    return has_any;
}

static void describe_mixer(character_replay *object) {
    const sinew_character *character = object->replay.character;
    bool is_forced = false;
    for (int32_t l = 0; l < graph_of(object)->layer_count; l++) {
        const int32_t state = sinew_animator_state(character->animator, l);
        if (state == object->before.states[l]) continue;
        add(object, "; state '%s'", graph_of(object)->states[state].name);
        is_forced = true;
    }
    if (sinew_mixer_hash(character->mixer) == object->before.mixer_hash) return;
    if (!describe_actions(object) && !is_forced) add(object, "; mixer");
}

void sinewi_describe_change(character_replay *object, bool has_advanced) {
    for (int32_t i = 0; i < graph_of(object)->parameter_count; i++) describe_parameter(object, i);
    if (has_advanced) return; // the rest also changes by itself
    describe_place(object);
    describe_mixer(object);
}

// ---- The update ----------------------------------------------------------------------------------------------

void sinewi_describe_end(character_replay *object) {
    if (object->ground_count > 0) add(object, "; %d grounds", (int)object->ground_count);
}

void sinewi_describe_events(character_replay *object) {
    const sinew_graph_events events = sinew_animator_events(object->replay.character->animator);
    for (int32_t i = 0; i < events.count; i++) {
        if (events.items[i].type != SINEW_GRAPH_EVENT_STATE_ENTERED) continue;
        add(object, "; enters '%s'", graph_of(object)->states[events.items[i].state].name);
    }
}

void sinew_character_replay_describe(const sinew_character_replay *replay, char *text, size_t capacity) {
    assert(replay && text && capacity > 0);
    if (capacity > 0) snprintf(text, capacity, "%s", ((const character_replay *)replay)->text);
}
