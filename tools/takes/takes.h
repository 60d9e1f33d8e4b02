// SPDX-License-Identifier: MIT
// Preparing takes, such as motion capture, for `sinew bake`: the ground, feet, travel, noise, keys, loops and pieces of a clip.
//
// Model space has +Y up. Functions that return a sinew_result fail with a message in `error`, which must not be NULL.
#ifndef TAKES_TAKES_H
#define TAKES_TAKES_H

#include "lint/edit.h"

#include <sinew/clip.h>
#include <sinew/body/feet.h>
#include <sinew/humanoid/humanoid.h>

// ---- Takes ---------------------------------------------------------------------------------------------------

// A clip as poses, one at each time of its keys, and more between keys that are far apart.
typedef struct take {
    const sinew_clip *clip; // as given
    const sinew_skeleton *skeleton;
    int32_t count;               // of poses, at least 2
    float *times;                // [count], from 0 to the clip's duration
    sinew_transform *transforms; // [count × node_count]
    float *weights;              // [count × value_count], morph weights and then curves, once they are resampled
    uint8_t *changed;            // [node_count], a bit for each sinew_channel_target: written by take_create_clip
    bool is_resampled;           // everything is written
    sinew_pose *pose;            // scratch
    sinew_affine *model;         // [node_count], scratch
} take;

// Samples a clip, which must outlive the take, at least `rate` times a second. Call take_close in either case.
sinew_result take_open(take *t, const sinew_clip *clip, double rate, sinew_error *error);
void take_close(take *t);

// Creates a clip of the poses; free it with sinew_clip_destroy. Channels that did not change keep their own keys.
sinew_result take_create_clip(const take *t, const char *name, sinew_clip **clip, sinew_error *error);

sinew_transform *take_transform(const take *t, int32_t frame, int32_t node);

// Computes t->pose and t->model of a frame.
void take_pose(take *t, int32_t frame);

// Writes the transform of a node in t->pose back to a frame.
void take_keep(take *t, int32_t frame, int32_t node, sinew_channel_target changed);

// Moves a node in model space, in one frame. t->model must be the frame's.
void take_move(take *t, int32_t frame, int32_t node, sinew_vec3 by);

// ---- Bodies --------------------------------------------------------------------------------------------------

enum { TAKES_LEGS = 2 };

// What the operations know of a character.
typedef struct takes_body {
    const sinew_skeleton *skeleton;
    int32_t hips;     // the node that carries the character
    bool has_legs;    // what follows is set
    sinew_feet feet;  // left, right; with legs
    float leg_length; // metres
} takes_body;

// Makes a body from roles. SINEW_ERROR_FORMAT without hips and two legs, SINEW_ERROR_UNSUPPORTED if a foot isn't below its shin.
sinew_result takes_body_from_roles(takes_body *body, const sinew_skeleton *skeleton, const sinew_humanoid *humanoid,
                                   sinew_error *error);

// Makes a body without legs from the highest node that a clip moves: for loops and pieces of what isn't a humanoid.
takes_body takes_body_from_clip(const sinew_clip *clip);

// ---- Contacts ------------------------------------------------------------------------------------------------

// The contacts of a take's feet with the ground. Interval i is from frame i to frame i + 1.
typedef struct takes_contacts {
    int32_t count; // of intervals
    float *
        weights; // [TAKES_LEGS × count]: 1 for a planted foot, 0 without contact, between for a foot that is lifted
    sinew_vec3 *slips; // [TAKES_LEGS × count]: level velocity of the lowest sole point over the ground, m/s
    float *heights;    // [TAKES_LEGS × count]: of that point, metres
    sinew_vec3 ground; // velocity of the ground, m/s: a clip that walks on the spot moves it
    float level;       // height of the ground: what planted feet have, metres
    float seconds;     // planted, of both legs, by weight
    float slide, most; // the feet's mean slip, by weight, and the largest one at weight 1, m/s
} takes_contacts;

// Finds contacts. Call takes_contacts_free in either case.
sinew_result takes_find_contacts(takes_contacts *c, take *t, const takes_body *body, sinew_error *error);

// Measures the slips of a take that has changed, in the contacts that were found.
sinew_result takes_measure_slips(takes_contacts *c, take *t, const takes_body *body, sinew_error *error);
void takes_contacts_free(takes_contacts *c);

// ---- Seams ---------------------------------------------------------------------------------------------------

// What differs between two poses, each relative to the character's own position on the ground and its heading.
typedef struct takes_seam {
    float degrees; // the largest rotation, in its parent's space
    float metres;  // the largest distance
    int32_t turned_node, moved_node;
    float turn;        // of the heading, radians, about +Y
    sinew_vec3 travel; // of the hips along the ground, metres
} takes_seam;

// Two poses of a clip: transforms and model matrices, [node_count] each.
typedef struct takes_pose {
    const sinew_transform *local;
    const sinew_affine *model;
} takes_pose;

takes_seam takes_seam_between(const takes_body *body, const takes_pose *from, const takes_pose *to);

// The seam from the pose at one time of a clip to the pose at another, seconds.
sinew_result takes_seam_of_clip(const sinew_clip *clip, const takes_body *body, float from, float to,
                                takes_seam *seam, sinew_error *error);

// The rotation about +Y from one model matrix of a node to another, radians.
double takes_yaw_between(const sinew_affine *from, const sinew_affine *to);

// Turns a vector about +Y.
sinew_vec3 takes_turned(sinew_vec3 v, double yaw);

// Whether the last pose meets the first: within 15 degrees and 15 % of the character's size. `seam` may be NULL.
sinew_result takes_is_loop(take *t, const takes_body *body, bool *is_loop, takes_seam *seam, sinew_error *error);

// ---- Operations ----------------------------------------------------------------------------------------------

// Low-pass filters rotations and translations without delay: a Butterworth filter forward and backward, which halves the power at
// `frequency`, Hz. Poses become evenly spaced. SINEW_ERROR_ARGUMENT for a frequency of half the keys a second or more.
sinew_result takes_smooth(take *t, const takes_body *body, double frequency, sinew_error *error);

// Resamples to keys at multiples of 1 / rate seconds, and one at the end.
sinew_result takes_resample(take *t, double rate, sinew_error *error);

// Moves the character vertically by -contacts->level: planted feet are at height 0 then.
void takes_ground(take *t, const takes_body *body, const takes_contacts *contacts);

// Removes the slips of planted feet by bending the legs. Lowers the hips where a leg would not reach: by at most `lowered`,
// metres. Measures the contacts again.
sinew_result takes_plant(take *t, const takes_body *body, takes_contacts *contacts, float *lowered,
                         sinew_error *error);

// Travel along the ground that was removed from a take or added to it.
typedef struct takes_travel {
    int32_t node;      // whose travel it is; SINEW_NO_NODE: there isn't any
    bool is_even;      // the mean velocity; otherwise the whole path
    float speed;       // mean, m/s
    float start;       // metres from where the rest pose has the hips, if the take starts elsewhere
    float turn;        // radians over the clip
    sinew_vec3 *moved; // [count of the take]
} takes_travel;

// Removes the travel of the hips and the nodes above them. Of a loop's hips it is their mean velocity, which turns with the
// heading; else the whole path. A take that starts away from the rest pose's position starts there. Call free(travel->moved) in either case.
sinew_result takes_remove_travel(take *t, const takes_body *body, takes_travel *travel, sinew_error *error);

// Adds a removed travel to a node.
void takes_give_travel(take *t, int32_t node, const takes_travel *travel);

// Moves a node by the ground speed that planted feet have in place. `travel` as above. SINEW_ERROR_UNSUPPORTED for a clip without
// a ground speed.
sinew_result takes_add_travel(take *t, const takes_body *body, int32_t node, takes_travel *travel,
                              sinew_error *error);

// ---- Loops and pieces ----------------------------------------------------------------------------------------

enum { TAKES_LOOPS = 8 };

// A part of a take that repeats.
typedef struct takes_loop {
    float start, end; // seconds, in whole milliseconds
    takes_seam seam;
} takes_loop;

// Finds the best loops from `start` to `end` seconds, of 0.4 to 12 s each, best first. `progress` may be NULL.
sinew_result takes_find_loops(const sinew_clip *clip, const takes_body *body, float start, float end,
                              void (*progress)(int done, int total), takes_loop loops[TAKES_LOOPS],
                              int32_t *loop_count, sinew_error *error);

typedef struct takes_piece {
    float start, end; // seconds
} takes_piece;

typedef struct takes_pieces {
    takes_piece *list; // [count], in order; to be freed
    int32_t count;
} takes_pieces;

// Cuts a clip where the character pauses for half a second or longer. A quarter of a second of the pauses is kept.
sinew_result takes_split_at_pauses(const sinew_clip *clip, const takes_body *body, float start, float end,
                                   takes_pieces *pieces, sinew_error *error);

// Cuts a clip at its markers.
sinew_result takes_split_at_markers(const sinew_clip *clip, float start, float end, takes_pieces *pieces,
                                    sinew_error *error);

// ---- All -----------------------------------------------------------------------------------------------------

typedef struct takes_def {
    float smooth, rate; // Hz; 0: not
    bool ground, plant, in_place;
    int32_t root; // gets the travel; SINEW_NO_NODE: not
} takes_def;

// Whether a definition changes anything, and whether that needs the roles of hips and feet.
bool takes_has_work(const takes_def *def);
bool takes_needs_roles(const takes_def *def);

// Makes a clip by the operations of a definition, in the order of its help. Appends what was measured and done, without a newline.
sinew_result takes_make(const sinew_clip *clip, const takes_body *body, const takes_def *def, lint_text *said,
                        sinew_clip **made, sinew_error *error);

#endif
