// SPDX-License-Identifier: MIT
/// A character plays a graph (graph.h), moves through the world, and runs a rig (rig.h) on its pose, all in one call.
///
///     sinew_character_def def = sinew_character_default();
///     def.rig = rig;
///     def.ground = find_ground;                                   // asks your physics
///     sinew_character_create(&def, &character, &error);           // one per character
///
///     sinew_animator *animator = sinew_character_animator(character);
///     sinew_animator_set_vector2(animator, move, x, y);           // every frame
///     sinew_animator_set_vector3(animator, look_at, target);
///     sinew_character_update(character, dt);
///     sinew_skin_palette(skin, sinew_character_model(character), palette);
///
/// A frame runs in this order: the graph takes transitions, clips advance, the root's motion moves the character, the
/// clips are blended into a pose, and the rig's steps run on it.
///
/// Everything that changes is the character's *state*, which you can save, restore and hash as one block.
///
/// Only one thread at a time may use a character with its animator and mixer. Different characters can run on
/// different threads. All memory is allocated when you create the character. Updates use up to 150 KB of stack. World
/// positions are floats, so their resolution is only 0.1 mm once you're more than 1 km from the origin.
///
/// Invalid arguments are asserted unless a comment says otherwise. In NDEBUG builds, the call is a no-op and returns
/// 0, false, NULL or an identity.
#ifndef SINEW_CHARACTER_H
#define SINEW_CHARACTER_H

#include "animator.h"
#include "rig.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A character. Opaque.
typedef struct sinew_character sinew_character;

/// The ground at a place in the world.
typedef struct sinew_ground {
    sinew_vec3 position; ///< directly above or below the place that was asked for
    sinew_vec3 normal;   ///< unit vector
} sinew_ground;

/// Options for sinew_character_create. Start from sinew_character_default.
typedef struct sinew_character_def {
    const sinew_rig *rig; ///< required; must outlive the character; its binding has the graph
    /// Optional settings for the mixer, as in sinew_animator_def. Set its `root_motion` and the clips move the
    /// character. A rig with root warps needs it.
    const sinew_mixer_def *mixer;
    int32_t max_events;    ///< maximum number of graph events per step; 0 to 255, default 8
    sinew_transform world; ///< where the character starts; default identity; the scale must be uniform
    /// Finds the ground directly above or below a place, both in world space. Fill in `*ground` and return true, or
    /// return false if there's no ground. sinew_foot_placement.ground tells you how often it's called. If the rig places
    /// feet and this is NULL, answer sinew_character_ground_places instead.
    bool (*ground)(sinew_vec3 place, sinew_ground *ground, void *user);
    /// Runs a SINEW_RIG_CALLBACK step. `step` is its index in the graph. Edit `pose` and keep `model` up to date
    /// (sinew_pose_to_model_below). `weight` is above 0. It must not call functions that change the character.
    /// Required if the rig has such steps.
    void (*step)(sinew_character *character, int32_t step, float weight, float dt, sinew_pose *pose,
                 sinew_affine *model, void *user);
    void *user;  ///< passed to the callbacks
    bool trails; ///< keep the previous pose for sinew_character_node_between, 40 bytes per node; default false
    sinew_allocator allocator; ///< defaults to the C library's heap
    uint32_t cookie;           ///< private: set by sinew_character_default
} sinew_character_def;

/// Returns the default options. You must set `rig`.
SINEW_API sinew_character_def sinew_character_default(void);

/// Creates a character. Free it with sinew_character_destroy. On failure `*character` is NULL. `error` may be NULL.
/// Fails like sinew_animator_create, or with SINEW_ERROR_ARGUMENT if a callback that the rig needs is missing or
/// `world` isn't valid.
SINEW_API sinew_result sinew_character_create(const sinew_character_def *def, sinew_character **character,
                                              sinew_error *error);

/// Destroys a character with its animator and mixer. `character` may be NULL.
SINEW_API void sinew_character_destroy(sinew_character *character);

/// Returns the animator, for parameters and states. The character owns it. Don't advance or update it yourself.
SINEW_API sinew_animator *sinew_character_animator(const sinew_character *character);

/// Returns the mixer, for events and for your own actions in layers that the graph doesn't use. Don't advance it
/// yourself.
///
/// To take over the pose, such as by a ragdoll, call sinew_mixer_set_pose on it before each update, in a state of the
/// graph without a clip. Give the rig's steps a `when` that is false meanwhile (docs/howto/physics.md). If you set a pose
/// between sinew_character_begin and sinew_character_end, the character jumps.
SINEW_API sinew_mixer *sinew_character_mixer(const sinew_character *character);

// ---- Each frame ----------------------------------------------------------------------------------------------

/// Advances the character by `dt` seconds, which must be finite and at least 0. This is sinew_character_begin and
/// sinew_character_end.
SINEW_API void sinew_character_update(sinew_character *character, float dt);

/// The first half of an update: takes transitions, advances the clips and moves the character by its root motion. Then
/// you can look at where it wants to be, collide, and call sinew_character_set_world before you end the frame.
SINEW_API void sinew_character_begin(sinew_character *character, float dt);

/// The maximum number of places that sinew_character_ground_places asks for.
#define SINEW_MAX_GROUND_PLACES (SINEW_MAX_FEET * 6)

/// Asks for the ground in one go, for engines that cast rays in batches. Call it after sinew_character_begin, find the
/// ground above or below each place, and pass the answers to sinew_character_set_grounds before sinew_character_end.
/// Writes up to `capacity` places in world space, and returns how many there are. They are below the feet and ahead of
/// them. Between places, the ground is taken from the nearest answer's plane, so the edge of a stair may be off by half
/// the distance between two places.
SINEW_API int32_t sinew_character_ground_places(const sinew_character *character, sinew_vec3 *places,
                                                int32_t capacity);

/// Answers sinew_character_ground_places: grounds[i] is the ground at place i. A normal of {0} means that there is none.
/// Up to SINEW_MAX_GROUND_PLACES of them are used. They replace the callback for this update.
SINEW_API void sinew_character_set_grounds(sinew_character *character, const sinew_ground *grounds, int32_t count);

/// The second half of an update: computes the pose and runs the rig. Only call it after sinew_character_begin.
SINEW_API void sinew_character_end(sinew_character *character);

/// Returns the model matrices after the last update, [node_count]. The character owns them.
SINEW_API const sinew_affine *sinew_character_model(const sinew_character *character);

/// Returns a node's transform to world space after the last update, for a sword in a hand or a camera. `node` must be
/// in range.
SINEW_API sinew_affine sinew_character_node(const sinew_character *character, int32_t node);

/// Like sinew_character_node, but between the last two updates: `t` is 0 for the update before the last one and 1 for
/// the last one. Nodes turn about their parents in between, so the points of a sword's trail lie on arcs. Requires
/// `trails` in sinew_character_def (asserted).
SINEW_API sinew_affine sinew_character_node_between(const sinew_character *character, int32_t node, float t);

/// Returns how much a step applied in the last update, from 0 to 1, including damping.
SINEW_API float sinew_character_step_weight(const sinew_character *character, int32_t step);

// ---- The world -----------------------------------------------------------------------------------------------

/// Returns where the character is.
SINEW_API sinew_transform sinew_character_world(const sinew_character *character);

/// Moves the character. Feet and springs react to the motion, so call it for a character that walks, is pushed or
/// rides. All numbers must be finite, the rotation a unit quaternion, and the scale uniform and above 0.
SINEW_API void sinew_character_set_world(sinew_character *character, sinew_transform world);

/// Carries the character on something that moves, such as an elevator, a train or a horse. `platform` is its transform
/// in the world. Its scale is ignored. Call this every frame before the update, with the platform's current transform.
/// The character moves and turns along, and planted feet stay planted on the platform. Springs feel the ride. To
/// change platforms, call sinew_character_get_off in between.
SINEW_API void sinew_character_ride(sinew_character *character, sinew_transform platform);

/// Ends a ride. The character and its feet stay where they are. No-op if it doesn't ride.
SINEW_API void sinew_character_get_off(sinew_character *character);

/// Puts the character somewhere else. Feet and springs start over there, at rest. See sinew_character_set_world for
/// what's allowed.
SINEW_API void sinew_character_teleport(sinew_character *character, sinew_transform world);

/// Sets the velocity of the air in world space, in m/s, for springs. Must be finite. Default {0}.
SINEW_API void sinew_character_set_wind(sinew_character *character, sinew_vec3 wind);

/// Sets how much the character matters, such as its height on screen. Steps that ask for more are switched off (see
/// sinew_rig_step.significance). Default INFINITY. NaN is treated as 0.
SINEW_API void sinew_character_set_significance(sinew_character *character, float significance);

// ---- State ---------------------------------------------------------------------------------------------------

/// Returns the maximum number of bytes that sinew_character_save can write. It never changes during a character's
/// lifetime.
SINEW_API size_t sinew_character_snapshot_size(const sinew_character *character);

/// Saves everything: the animator (sinew_animator_save), the steps' states and the world transform. Returns the number
/// of bytes written. `memory` must be 8-byte aligned and have room for sinew_character_snapshot_size bytes. Call it
/// between updates.
SINEW_API size_t sinew_character_save(const sinew_character *character, void *memory);

/// Restores a snapshot. It must have been saved in the same process, by this character or one made from the same
/// definition. If you then repeat the same calls, the results are bit-identical. Returns false and changes nothing if
/// the snapshot is damaged, or for any of the reasons listed in sinew_animator_restore.
SINEW_API bool sinew_character_restore(sinew_character *character, const void *memory, size_t size);

/// Writes everything as bytes that any build of Sinew with this format can read, on any machine: for saved games, for
/// players who join late, and for corrections from a server. Returns the number of bytes needed, like snprintf. It only
/// writes if that is at most `size`. Names come from the graph and the rig. `names` lists what you play yourself in the
/// character's mixer, and may be NULL (see sinew_mixer_write in mixer_snapshot.h). Call it between updates.
SINEW_API size_t sinew_character_write(const sinew_character *character, const sinew_state_names *names,
                                       void *bytes, size_t size);

/// Reads what sinew_character_write wrote. If the character was made from an equal definition, the hash is the same as
/// the writer's, and the same calls then give the same results. Otherwise everything is found by name, and what isn't
/// is reported and left out, as in sinew_animator_read. A step that isn't found, or has other springs, starts over.
/// The pose and the matrices aren't stored. They're valid again after the next update.
///
/// It's safe to read bytes from an untrusted source. On failure the character is unchanged. `report` and `error` may be
/// NULL. Fails like sinew_animator_read.
SINEW_API sinew_result sinew_character_read(sinew_character *character, const sinew_state_names *names,
                                            const void *bytes, size_t size, const sinew_state_report *report,
                                            sinew_error *error);

/// Returns a hash of everything that sinew_character_save saves. The same calls give the same hash on every machine.
SINEW_API uint64_t sinew_character_hash(const sinew_character *character);

#ifdef __cplusplus
}
#endif
#endif
