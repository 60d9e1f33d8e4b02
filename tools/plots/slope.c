// SPDX-License-Identifier: MIT
// slope.c - walking up a slope.
#include "plots/slope.h"

#include "plots/die.h"
#include "plots/stage.h"

#include <math.h>

// Frames per second, and how many frames the feet get to settle before the picture. The clip starts when the left foot
// strikes; the first walker is BEHIND_STRIKE frames later.
enum { WALK_RATE = 60, WALKED = 600, BEHIND_STRIKE = 4 };

static const double strike_distance = -0.47; // the first walker's, in meters
static const double speed = 1.15;            // the clip's, in m/s

// ---- Feet ----------------------------------------------------------------------------------------------------

// In model space, +Z is ahead and the origin is on the slope.
static bool find_ground(sinew_vec3 place, sinew_foot_ground *ground, void *user) {
    (void)user;
    const double rise = slope_height(1.0), length = sqrt(1.0 + rise * rise);
    ground->height = (float)slope_height((double)place.z);
    ground->normal = (sinew_vec3){0.0f, (float)(1.0 / length), (float)(-rise / length)};
    return true;
}

static bool place_feet(sinew_scene *scene, sinew_scene_node instance, sinew_pose *pose, sinew_affine *model,
                       float dt, void *user) {
    (void)scene, (void)instance;
    walker *w = user;
    sinew_foot_placement placement = sinew_foot_placement_default();
    placement.pelvis = sinew_skeleton_find(w->walk->hero->skeleton, "Hips");
    placement.feet = w->walk->feet;
    placement.foot_count = 2;
    placement.ground = find_ground;
    placement.elevation = (float)slope_height(w->distance);
    sinew_foot_placement_solve(&placement, dt, &w->feet, pose, model);
    return true;
}

static sinew_foot make_foot(const slope_walk *walk, bool right) {
    static const char *const names[2][4] = {{"UpperLeg_L", "LowerLeg_L", "Foot_L", "Toes_L"},
                                            {"UpperLeg_R", "LowerLeg_R", "Foot_R", "Toes_R"}};
    const sinew_vec3 up = {0.0f, 1.0f, 0.0f};
    int32_t nodes[4];
    for (int i = 0; i < 4; i++) nodes[i] = hero_node(walk->hero->skeleton, names[right][i]);
    sinew_foot foot = sinew_foot_from_rest(walk->hero->skeleton, nodes[0], nodes[1], nodes[2], nodes[3], up);
    const float side = right ? -0.11f : 0.11f; // a shoe's center line, with its heel and tip
    sinew_foot_add_point(&foot, walk->hero->skeleton, nodes[2], (sinew_vec3){side, 0.0f, -0.079f});
    sinew_foot_add_point(&foot, walk->hero->skeleton, nodes[3], (sinew_vec3){side, 0.0f, 0.205f});
    return foot;
}

// ---- All of them ---------------------------------------------------------------------------------------------

// Puts the walker on the slope, turned from +Z to +X.
static void stand(const walker *w) {
    const float half = sqrtf(0.5f);
    const sinew_transform place = {
        {(float)w->distance, (float)slope_height(w->distance), 0.0f}, {0.0f, half, 0.0f, half}, {1.0f, 1.0f, 1.0f}};
    sinew_scene_set_transform(w->walk->scene, w->node, place);
}

// Starts a walker farther back and earlier in the clip, by as much as it will walk.
static void set_out(slope_walk *walk, int index, const sinew_clip *clip, bool is_placed) {
    const double frames = BEHIND_STRIKE + WALKERS_APART * index - WALKED;
    const double time = frames / WALK_RATE, cycle = (double)clip->duration;
    walker *w = &walk->walkers[index];
    *w = (walker){.walk = walk, .distance = strike_distance + speed * time};
    sinew_instance_def def = sinew_instance_default();
    def.asset = walk->hero;
    def.node.user = w;
    if (is_placed) def.edit = place_feet;
    if (sinew_scene_add_instance(walk->scene, &def, &w->node, NULL) != SINEW_OK) die("out of memory");
    sinew_play_def play = sinew_play_default();
    play.time = (float)(time - cycle * floor(time / cycle));
    sinew_mixer_play(sinew_scene_mixer(walk->scene, w->node), sinew_clip_source(clip), &play);
}

void slope_walk_begin(slope_walk *walk, const sinew_asset *hero, bool is_placed) {
    *walk = (slope_walk){.hero = hero};
    const sinew_clip *clip = sinew_asset_find_clip(hero, "Walk");
    if (!clip) die("the hero lacks a clip");
    for (int i = 0; i < 2; i++) walk->feet[i] = make_foot(walk, i == 1);
    const sinew_scene_def def = sinew_scene_default();
    sinew_error error;
    if (sinew_scene_create(&def, &walk->scene, &error) != SINEW_OK) die(error.message);
    for (int i = 0; i < WALKERS; i++) set_out(walk, i, clip, is_placed);
    for (int i = 0; i < WALKED; i++) slope_walk_advance(walk);
}

void slope_walk_advance(slope_walk *walk) {
    for (int i = 0; i < WALKERS; i++) {
        walk->walkers[i].distance += speed / WALK_RATE;
        stand(&walk->walkers[i]);
    }
    sinew_scene_update(walk->scene, 1.0f / (float)WALK_RATE);
}

void slope_walk_end(slope_walk *walk) {
    sinew_scene_destroy(walk->scene);
}
