// A crowd: many characters of one file, in a square around a free place in its middle. Each plays a clip, at a moment and
// a pace of its own; all of them are drawn at once, as instances.
#ifndef DRAW_CROWD_H
#define DRAW_CROWD_H

#include "render/camera.h"
#include "render/model.h"

#include <sinew/batch.h>

enum { DRAW_MOST_CROWD = 100000 };

// What a crowd is made of.
typedef struct draw_crowd_def {
    const sinew_asset *asset; // must outlive the crowd
    const char *path;         // of its file: named where something is wrong with it
    int32_t count;            // from 1 to DRAW_MOST_CROWD
    bool baked;               // poses come from an animation texture; otherwise each character has a mixer
} draw_crowd_def;

// One of them.
typedef struct draw_character {
    sinew_affine place; // from the file's axes to the picture's
    int32_t clip;       // of the crowd's
    float time, speed;  // that it begins with
} draw_character;

// A mesh on a node, in the records of a crowd.
typedef struct draw_crowd_instance {
    int32_t first_joint; // of its skin
    int32_t node_joint;  // that is its node, for what has no skin
    draw_hand hand;      // whatever is played
} draw_crowd_instance;

typedef struct draw_crowd {
    draw_crowd_def def;
    const sinew_clip **clips; // the file's paces, or all that it has
    int32_t clip_count;
    sinew_skin *skin;               // the joints of all skins, and the nodes of what has none: what a record holds
    draw_crowd_instance *instances; // [asset->instance_count]
    sinew_box box;                  // around one, in the file's axes, whatever it plays
    sinew_box all;                  // around all, in the picture's
    sinew_affine upright;           // brings one from the file's axes to the picture's, its middle over the origin
    float spacing;                  // metres from one to the next
    draw_character *characters;     // [count]
    sinew_batch_item *items;        // [count]; where they have mixers
    sinew_asset asset;              // of that one skin, from which the animation texture is made
    sinew_bake *bake;               // where they have none
    sinew_bake_state *states;       // [count], with it
    int32_t first_weight;           // where in a record the morph weights begin, in floats
    int32_t weight_count;           // and how many there are
    draw_model model;               // draws all of them; once they are on the GPU
} draw_crowd;

// Makes the characters. False, with the reason in `error`, for a file without clips or without anything to draw, and when
// memory runs out. Freed with draw_crowd_free in both cases.
bool draw_crowd_create(draw_crowd *crowd, const draw_crowd_def *def, sinew_error *error);
void draw_crowd_free(draw_crowd *crowd);

// Brings it to the GPU. False, with the reason in `error`, when that fails.
bool draw_crowd_upload(draw_crowd *crowd, sinew_gl *gl, sinew_error *error);

// Moves all of them on by `dt` seconds.
void draw_crowd_advance(draw_crowd *crowd, float dt);

// Brings the poses of all of them to the GPU, in one upload.
void draw_crowd_pose(draw_crowd *crowd);

// Takes every character up into the framing, wherever its clips bring it.
void draw_crowd_frame(const draw_crowd *crowd, draw_framing *framing);

#endif
