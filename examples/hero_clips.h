// What an example needs to play any humanoid: the hero's clips and its way to hold a sword, for a character of any size.
#ifndef HERO_CLIPS_H
#define HERO_CLIPS_H

#include <sinew/all.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CLIPS = 32 };

typedef struct body {
    sinew_asset *asset;
    sinew_humanoid roles;
    sinew_pose *pose;
    sinew_feet soles;
    sinew_affine *model;
    int32_t hand; // the right one
} body;

static sinew_error error;
static body hero, own; // who has the clips, and who plays
static sinew_clip *clips[MOST_CLIPS];
static float size;      // of the character, relative to the hero
static sinew_quat turn; // from the hero's model space to the character's, which may face -Z
static sinew_retarget *map;
static sinew_affine grip; // the sword in the hand's space

static void check(sinew_result result) {
    if (result == SINEW_OK) return;
    fprintf(stderr, "%s\n", error.message);
    exit(1);
}

static const sinew_clip *find_clip(const char *name, void *user) {
    (void)user;
    for (int i = 0; clips[i]; i++)
        if (strcmp(clips[i]->name, name) == 0) return clips[i];
    return NULL;
}

static body load_body(const char *path) {
    body b;
    sinew_gltf_options options = sinew_gltf_default();
    options.extension = sinew_vrm_extension(); // an avatar's roles and springs
    check(sinew_gltf_load_file(path, &options, &b.asset, &error));
    check(sinew_humanoid_find(b.asset, NULL, &b.roles, NULL, &error));
    check(sinew_pose_create(b.asset->skeleton, NULL, &b.pose));
    check(sinew_reference_find(b.asset, &b.roles, NULL, b.pose, NULL, &error));
    check(sinew_reference_find_soles(b.asset, &b.roles, b.pose, NULL, &b.soles, &error));
    b.model = malloc((size_t)b.asset->skeleton->node_count * sizeof *b.model);
    b.hand = b.roles.nodes[SINEW_HUMANOID_RIGHT_HAND];
    return b;
}

// Makes clips of the hero's, and holds the sword like the hero: in the same pose, as far from the hand for its size.
static void retarget(void) {
    sinew_retarget_def def = sinew_retarget_default();
    def.source = hero.asset->skeleton, def.source_humanoid = &hero.roles, def.source_reference = hero.pose;
    def.target = own.asset->skeleton, def.target_humanoid = &own.roles, def.target_reference = own.pose;
    def.target_soles = &own.soles;
    check(sinew_retarget_create(&def, &map, &error));
    for (int i = 0; i < hero.asset->clip_count && i < MOST_CLIPS - 1; i++)
        check(sinew_clip_retarget(map, &hero.asset->clips[i], NULL, &clips[i], &error));
    size = map->scale, turn = map->rotation;
    const int32_t held = sinew_skeleton_find(hero.asset->skeleton, "Grip_R");
    grip = sinew_affine_from_transform(sinew_retarget_socket(map, held, &own.hand));
}

#endif
