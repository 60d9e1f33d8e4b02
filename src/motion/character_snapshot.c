// SPDX-License-Identifier: MIT
// A character's state as one block of memory, and as a hash.
#include "motion/character_state.h"
#include "base/checksum.h"
#include "base/fnv.h"

#include <assert.h>
#include <string.h>

#define CHARACTER_MAGIC UINT64_C(0x3172657463617263)

// The start of a snapshot. The block of states follows, then the animator's snapshot.
typedef struct character_head {
    uint64_t checksum; // of the bytes that follow, up to the animator's snapshot
    uint64_t magic;
    uint64_t state_size;
    character_place place;
} character_head;

// The animator's snapshot is 8-byte aligned.
static size_t own_size(const sinew_character *character) {
    return ((sizeof(character_head) + 7) & ~(size_t)7) + character->def.rig->state_size;
}

static uint64_t checksum_of(const sinew_character *character, const void *memory) {
    return sinewi_checksum((const char *)memory + sizeof(uint64_t), own_size(character) - sizeof(uint64_t));
}

size_t sinew_character_snapshot_size(const sinew_character *character) {
    assert(character);
    return own_size(character) + sinew_animator_snapshot_size(character->animator);
}

size_t sinew_character_save(const sinew_character *character, void *memory) {
    assert(character && memory && !character->has_begun);
    const size_t own = own_size(character), states = character->def.rig->state_size;
    char *bytes = (char *)memory;
    character_head head = {.magic = CHARACTER_MAGIC, .state_size = states, .place = character->place};
    memset(bytes, 0, own);
    memcpy(bytes, &head, sizeof head);
    memcpy(bytes + own - states, character->block, states);
    head.checksum = checksum_of(character, bytes);
    memcpy(bytes, &head.checksum, sizeof head.checksum);
    return own + sinew_animator_save(character->animator, bytes + own);
}

bool sinew_character_restore(sinew_character *character, const void *memory, size_t size) {
    assert(character && !character->has_begun);
    const size_t own = own_size(character), states = character->def.rig->state_size;
    character_head head;
    if (!memory || size < own || character->has_begun) return false;
    memcpy(&head, memory, sizeof head);
    if (head.magic != CHARACTER_MAGIC || head.state_size != states ||
        head.checksum != checksum_of(character, memory))
        return false;
    const char *bytes = (const char *)memory;
    if (!sinew_animator_restore(character->animator, bytes + own, size - own)) return false;
    memcpy(character->block, bytes + own - states, states);
    character->place = head.place;
    return true;
}

static void hash_vector(uint64_t *hash, sinew_vec3 v) {
    sinewi_fnv_float(hash, v.x);
    sinewi_fnv_float(hash, v.y);
    sinewi_fnv_float(hash, v.z);
}

static void hash_transform(uint64_t *hash, sinew_transform transform) {
    hash_vector(hash, transform.translation);
    sinewi_fnv_float(hash, transform.rotation.x);
    sinewi_fnv_float(hash, transform.rotation.y);
    sinewi_fnv_float(hash, transform.rotation.z);
    sinewi_fnv_float(hash, transform.rotation.w);
    hash_vector(hash, transform.scale);
}

static void hash_place(uint64_t *hash, const character_place *place) {
    hash_transform(hash, place->world);
    hash_transform(hash, place->platform);
    hash_transform(hash, place->shown);
    hash_vector(hash, place->before);
    hash_vector(hash, place->wind);
    sinewi_fnv_float(hash, place->significance);
    sinewi_fnv_number(hash, (uint32_t)place->is_known);
    sinewi_fnv_number(hash, (uint32_t)place->rides);
    sinewi_fnv_number(hash, (uint32_t)place->has_weights);
}

uint64_t sinew_character_hash(const sinew_character *character) {
    assert(character);
    uint64_t hash = SINEWI_FNV_START;
    hash_place(&hash, &character->place);
    const int32_t count = character_step_count(character);
    for (int32_t i = 0; i < count; i++) {
        const sinewi_rig_weight *weight = &character_weights(character)[i];
        const sinewi_rig_step *step = &character_steps(character)[i];
        sinewi_fnv_float(&hash, weight->value);
        sinewi_fnv_float(&hash, weight->velocity);
        sinewi_rig_hash_state(step, character_step_state(character, step), &hash);
    }
    sinewi_fnv_number(&hash, sinew_animator_hash(character->animator));
    return hash;
}
