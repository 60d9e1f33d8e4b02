// SPDX-License-Identifier: MIT
// Prepares takes, such as motion capture, for `sinew bake`: a clip's ground, feet, travel, noise, keys, loops and
// pieces.
//
// In model space, +Y is up. Functions that return a sinew_result write a message to `error` on failure. It must not be
// NULL.
#ifndef TAKES_TAKES_H
#define TAKES_TAKES_H

#include "lint/edit.h"

#include <sinew/clip.h>
#include <sinew/body/feet.h>
#include <sinew/humanoid/humanoid.h>

// ---- Takes ---------------------------------------------------------------------------------------------------

// A clip as poses: one at each of its key times, and more between keys that are far apart.
typedef struct take {
    const sinew_clip *clip; // as given
    const sinew_skeleton *skeleton;
    int32_t count;               // at least 2
    float *times;                // [count], from 0 to the clip's duration
    sinew_transform *transforms; // [count × node_count]
    float *weights;              // [count × value_count]; morph weights, then curves, once they're resampled
    uint8_t *changed;            // [node_count]; a bit per sinew_channel_target that take_create_clip must write
    bool is_resampled;           // write everything
    sinew_pose *pose;            // scratch
    sinew_affine *model;         // [node_count]; scratch
} take;

// Samples a clip at least `rate` times per second. The clip must outlive the take. Call take_close either way.
sinew_result take_open(take *t, const sinew_clip *clip, double rate, sinew_error *error);
void take_close(take *t);

// Creates a clip from the poses. Free it with sinew_clip_destroy. Unchanged channels keep their own keys.
sinew_result take_create_clip(const take *t, const char *name, sinew_clip **clip, sinew_error *error);

sinew_transform *take_transform(const take *t, int32_t frame, int32_t node);

// Computes a frame's t->pose and t->model.
void take_pose(take *t, int32_t frame);

// Writes a node's transform in t->pose back to a frame.
void take_keep(take *t, int32_t frame, int32_t node, sinew_channel_target changed);

// Moves a node in one frame, in model space. t->model must be the frame's.
void take_move(take *t, int32_t frame, int32_t node, sinew_vec3 by);

// ---- Bodies --------------------------------------------------------------------------------------------------

enum { TAKES_LEGS = 2 };

// What the operations know about a character.
typedef struct takes_body {
    const sinew_skeleton *skeleton;
    int32_t hips;     // node that carries the character
    bool has_legs;    // the next members are set
    sinew_feet feet;  // left, right; with legs
    float leg_length; // meters
} takes_body;

// Makes a body from roles. Fails with SINEW_ERROR_FORMAT if there aren't hips and two legs, and with
// SINEW_ERROR_UNSUPPORTED if a foot isn't below its shin.
sinew_result takes_body_from_roles(takes_body *body, const sinew_skeleton *skeleton, const sinew_humanoid *humanoid,
                                   sinew_error *error);

// Makes a body without legs from the highest node that a clip moves. It's for loops and pieces of non-humanoids.
takes_body takes_body_from_clip(const sinew_clip *clip);

// ---- Contacts ------------------------------------------------------------------------------------------------

// The contacts between a take's feet and the ground. Interval i is from frame i to frame i + 1.
typedef struct takes_contacts {
    int32_t count;  // number of intervals
    float *weights; // [TAKES_LEGS × count]; 1 for a planted foot, 0 without contact, in between while it's lifted
    sinew_vec3 *slips; // [TAKES_LEGS × count]; the lowest sole point's level velocity over the ground, m/s
    float *heights;    // [TAKES_LEGS × count]; that point's height in meters
    sinew_vec3 ground; // the ground's velocity in m/s; a clip that walks on the spot moves the ground
    float level;       // the ground's height in meters, which is the planted feet's
    float seconds;     // planted seconds of both legs, weighted
    float slide, most; // the feet's weighted mean slip, and the largest slip at weight 1, in m/s
} takes_contacts;

// Finds contacts. Call takes_contacts_free either way.
sinew_result takes_find_contacts(takes_contacts *c, take *t, const takes_body *body, sinew_error *error);

// Measures a take's slips again after it changed, in the same contacts.
sinew_result takes_measure_slips(takes_contacts *c, take *t, const takes_body *body, sinew_error *error);
void takes_contacts_free(takes_contacts *c);

// ---- Seams ---------------------------------------------------------------------------------------------------

// The difference between two poses, each relative to the character's position on the ground and its heading.
typedef struct takes_seam {
    float degrees; // largest rotation, in its parent's space
    float metres;  // largest distance
    int32_t turned_node, moved_node;
    float turn;        // of the heading about +Y, in radians
    sinew_vec3 travel; // of the hips along the ground, in meters
} takes_seam;

// A pose in a clip: transforms and model matrices, [node_count] each.
typedef struct takes_pose {
    const sinew_transform *local;
    const sinew_affine *model;
} takes_pose;

takes_seam takes_seam_between(const takes_body *body, const takes_pose *from, const takes_pose *to);

// Finds the seam between a clip's poses at two times in seconds.
sinew_result takes_seam_of_clip(const sinew_clip *clip, const takes_body *body, float from, float to,
                                takes_seam *seam, sinew_error *error);

// Returns the rotation about +Y from one of a node's model matrices to another, in radians.
double takes_yaw_between(const sinew_affine *from, const sinew_affine *to);

// Turns a vector about +Y.
sinew_vec3 takes_turned(sinew_vec3 v, double yaw);

// Finds whether the last pose meets the first, within 15 degrees and 15% of the character's size. `seam` may be NULL.
sinew_result takes_is_loop(take *t, const takes_body *body, bool *is_loop, takes_seam *seam, sinew_error *error);

// ---- Operations ----------------------------------------------------------------------------------------------

// Low-pass filters rotations and translations without delay, using a Butterworth filter forward and backward. It halves
// the power at `frequency` in Hz. Poses become evenly spaced. Fails with SINEW_ERROR_ARGUMENT if the frequency is at
// least half the keys per second.
sinew_result takes_smooth(take *t, const takes_body *body, double frequency, sinew_error *error);

// Resamples to keys at multiples of 1 / rate seconds, plus one at the end.
sinew_result takes_resample(take *t, double rate, sinew_error *error);

// Moves the character vertically by -contacts->level, to put planted feet at height 0.
void takes_ground(take *t, const takes_body *body, const takes_contacts *contacts);

// Removes the slips of planted feet by bending the legs. If a leg wouldn't reach, lowers the hips. `lowered`
// receives by how much at most, in meters. Measures the contacts again.
sinew_result takes_plant(take *t, const takes_body *body, takes_contacts *contacts, float *lowered,
                         sinew_error *error);

// Travel along the ground that was removed from a take or added to it.
typedef struct takes_travel {
    int32_t node;      // the node that travels, or SINEW_NO_NODE
    bool is_even;      // `moved` is the mean velocity instead of the whole path
    float speed;       // mean, m/s
    float start;       // meters between the take's first hips and the rest pose's, or 0
    float turn;        // radians over the clip
    sinew_vec3 *moved; // [the take's count]
} takes_travel;

// Removes the travel of the hips and the nodes above them. For a loop's hips, removes their mean velocity, which turns
// with the heading. Otherwise removes the whole path. If a take starts away from the rest pose's position, it then
// starts there. Call free(travel->moved) either way.
sinew_result takes_remove_travel(take *t, const takes_body *body, takes_travel *travel, sinew_error *error);

// Adds removed travel to a node.
void takes_give_travel(take *t, int32_t node, const takes_travel *travel);

// Moves a node at the speed at which planted feet slide over the ground. `travel` is as above. Fails with
// SINEW_ERROR_UNSUPPORTED if the clip has no ground speed.
sinew_result takes_add_travel(take *t, const takes_body *body, int32_t node, takes_travel *travel,
                              sinew_error *error);

// ---- Loops and pieces ----------------------------------------------------------------------------------------

enum { TAKES_LOOPS = 8 };

// Part of a take that repeats.
typedef struct takes_loop {
    float start, end; // in whole milliseconds
    takes_seam seam;
} takes_loop;

// Finds the best loops between `start` and `end` seconds, best first. Each is 0.4 to 12 s long. `progress` may be NULL.
sinew_result takes_find_loops(const sinew_clip *clip, const takes_body *body, float start, float end,
                              void (*progress)(int done, int total), takes_loop loops[TAKES_LOOPS],
                              int32_t *loop_count, sinew_error *error);

typedef struct takes_piece {
    float start, end; // seconds
} takes_piece;

typedef struct takes_pieces {
    takes_piece *list; // [count]; in order; to be freed
    int32_t count;
} takes_pieces;

// Cuts a clip where the character pauses for at least half a second. Keeps a quarter of a second of each pause.
sinew_result takes_split_at_pauses(const sinew_clip *clip, const takes_body *body, float start, float end,
                                   takes_pieces *pieces, sinew_error *error);

sinew_result takes_split_at_markers(const sinew_clip *clip, float start, float end, takes_pieces *pieces,
                                    sinew_error *error);

// ---- All -----------------------------------------------------------------------------------------------------

typedef struct takes_def {
    float smooth, rate; // Hz; 0 to skip
    bool ground, plant, in_place;
    int32_t root; // gets the travel; SINEW_NO_NODE to skip
} takes_def;

// Return whether a definition changes anything, and whether that needs the roles of hips and feet.
bool takes_has_work(const takes_def *def);
bool takes_needs_roles(const takes_def *def);

// Makes a clip by running a definition's operations, in the order of the help. Appends what was measured and done,
// without a newline.
sinew_result takes_make(const sinew_clip *clip, const takes_body *body, const takes_def *def, lint_text *said,
                        sinew_clip **made, sinew_error *error);

#endif
