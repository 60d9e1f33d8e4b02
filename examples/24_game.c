// A third-person game without a screen: a hill, stairs, a leap, a sword, a hit, a fall, and a crowd on two threads.
// models/game.character.json has the moves. Any humanoid can play: without clips of its own, it gets the hero's.
// 24_game [MODEL]
#include <sinew/all.h>

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CROWD = 200, TRAIL = 4, MOST_CLIPS = 32 };
enum { MOVE, LEAP, LANDING, ATTACK, HIT, LIMP, AIMS, ENEMY, ARMED }; // as in the file
static const float DT = 1.0f / 60.0f, TOP = 0.78f, EDGE = 9.0f; // seconds; meters: the height and end of the stairs

static sinew_error error;
static sinew_asset *hero, *own; // who has the clips, and who plays
static sinew_retarget *map;     // from the hero; its size and rotation are the character's
static sinew_clip *clips[MOST_CLIPS];
static int32_t hand;      // that holds the sword
static sinew_affine grip; // the sword in its space
static sinew_pose *pose;  // of the fall
static sinew_character *player;
static float acting;            // seconds since the player reached the edge
static sinew_vec3 trail[TRAIL]; // of the sword's tip in the last frame
static sinew_character_item crowd[CROWD];
static sinew_batch_budget budgets[2]; // of the threads

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

// A hill from z = 1 m to 5 m, and six stairs up to 8 m. A game asks its physics.
static bool find_ground(sinew_vec3 place, sinew_ground *ground, void *user) {
    (void)user;
    const float angle = fminf(fmaxf(place.z - 1.0f, 0.0f), 4.0f) * 0.785398f, hill = sinf(angle);
    place.y = 0.35f * hill * hill + 0.13f * ceilf(fminf(fmaxf(place.z - 5.6f, 0.0f), 2.4f) / 0.4f - 0.001f);
    const sinew_vec3 normal = {0.0f, 1.0f, -0.55f * hill * cosf(angle)};
    *ground = (sinew_ground){place, sinew_vec3_normalize(normal)};
    return true;
}

static sinew_character *make_character(const sinew_rig *rig, float x, bool trails) {
    sinew_character_def def = sinew_character_default();
    sinew_root_motion_def motion = sinew_root_motion_default(); // for the leap
    sinew_mixer_def mixer = sinew_mixer_default();
    sinew_character *character;
    motion.skeleton = own->skeleton, motion.node = 0;
    mixer.root_motion = &motion, mixer.inertialization = true;
    def.rig = rig, def.mixer = &mixer, def.ground = find_ground, def.trails = trails;
    def.world.translation.x = x, def.world.rotation = sinew_quat_conjugate(map->rotation); // it faces +Z
    check(sinew_character_create(&def, &character, &error));
    return character;
}

// Makes clips of the hero's, and holds the sword like the hero.
static void retarget(const char *path) {
    sinew_gltf_options options = sinew_gltf_default();
    options.extension = sinew_vrm_extension(); // an avatar's roles and springs
    check(sinew_gltf_load_file("models/hero.glb", NULL, &hero, &error));
    check(sinew_gltf_load_file(path, &options, &own, &error));
    check(sinew_retarget_assets(hero, own, NULL, &map, &error));
    for (int i = 0; i < hero->clip_count && i < MOST_CLIPS - 1; i++)
        check(sinew_clip_retarget(map, &hero->clips[i], NULL, &clips[i], &error));
    const int32_t held = sinew_skeleton_find(hero->skeleton, "Grip_R");
    grip = sinew_affine_from_transform(sinew_retarget_socket(map, held, &hand));
}

static void load(const char *path) {
    sinew_graph *graph;
    sinew_rig *rig;
    sinew_rig_def def = sinew_rig_default();
    retarget(path);
    check(sinew_pose_create(own->skeleton, NULL, &pose));
    check(sinew_graph_load_file("models/game.character.json", NULL, &graph, &error));
    def.graph = graph, def.asset = own, def.find_clip = find_clip, def.retarget = map;
    check(sinew_rig_create(&def, &rig, &error));
    player = make_character(rig, 0.0f, true);
    budgets[0] = budgets[1] = sinew_batch_budget_default();
    budgets[0].max_poses = budgets[1].max_poses = CROWD / 6; // each in every third frame
    for (int i = 0; i < CROWD; i++) {
        sinew_character_item *item = &crowd[i];
        item->character = make_character(rig, 3.0f + (float)i, false);
        if (own->skin_count > 0) item->skin = own->skins; // some avatars have none
        if (item->skin) item->palette = malloc((size_t)item->skin->joint_count * sizeof *item->palette);
        item->significance = 0.01f; // in the background: without the rig's steps
        sinew_animator_set_vector2(sinew_character_animator(item->character), MOVE, 0.0f, 0.01f * (float)i);
    }
}

// Stands in for physics: the player falls on its back. A ragdoll sets all nodes.
static void fall(float part) {
    static sinew_affine standing;
    sinew_mixer *mixer = sinew_character_mixer(player);
    const sinew_affine *model = sinew_character_model(player);
    const int32_t hips = map->target_humanoid->nodes[SINEW_HUMANOID_HIPS], parent = own->skeleton->parents[hips];
    if (part == 0.0f) sinew_pose_copy(pose, sinew_mixer_pose(mixer)), standing = model[hips];
    const sinew_vec3 side = sinew_quat_rotate(map->rotation, (sinew_vec3){1.0f, 0.0f, 0.0f});
    const sinew_quat back = sinew_quat_from_axis_angle(side, -1.45f * part);
    const sinew_affine lying =
        sinew_affine_multiply(sinew_affine_from_transform((sinew_transform){{0}, back, {1, 1, 1}}), standing);
    const sinew_affine above = parent == SINEW_NO_NODE ? sinew_affine_identity() : model[parent];
    sinew_pose_set(pose, hips, sinew_affine_decompose(sinew_affine_multiply(sinew_affine_inverse(above), lying)));
    sinew_mixer_set_pose(mixer, pose);
}

static void play(void) {
    static const struct {
        float at;
        int32_t trigger;
    } acts[3] = {{0.3f, LEAP}, {1.7f, ATTACK}, {3.2f, HIT}};
    static const sinew_vec3 tip = {0.0f, 0.78f, 0.0f}; // of the sword
    const float size = map->scale;                     // relative to the hero's
    sinew_animator *animator = sinew_character_animator(player);
    sinew_transform world = sinew_character_world(player);
    sinew_ground ground;
    const float z = world.translation.z, speed = z > EDGE ? 0.0f : z < 5.0f ? 2.2f : 1.15f;
    if (z > EDGE) acting += DT;
    world.translation.z += speed * size * DT; // the clips walk in place, so the program moves the character
    if (find_ground(world.translation, &ground, NULL)) world.translation = ground.position;
    sinew_character_set_world(player, world);
    sinew_animator_set_vector2(animator, MOVE, 0.0f, speed);
    sinew_animator_set_bool(animator, AIMS, z > 3.0f);
    sinew_animator_set_vector3(animator, ENEMY, (sinew_vec3){0.4f * size, TOP + 1.4f * size, EDGE + 2.7f * size});
    sinew_animator_set_transform(animator, LANDING, (sinew_vec3){0.0f, TOP, EDGE + 1.8f * size}, world.rotation);
    sinew_animator_set_bool(animator, ARMED, z > 5.6f);
    for (int i = 0; i < 3; i++)
        if (acting >= acts[i].at && acting < acts[i].at + DT) sinew_animator_fire(animator, acts[i].trigger);
    const float limp = acting - 4.0f; // seconds
    sinew_animator_set_bool(animator, LIMP, limp >= 0.0f && limp < 1.5f);
    if (limp >= 0.0f && limp < 1.5f) fall(limp < DT ? 0.0f : fminf(4.0f * limp * limp, 1.0f));
    sinew_character_update(player, DT);
    for (int i = 0; i < TRAIL; i++) { // draw the sword with the last matrix
        const sinew_affine at = sinew_character_node_between(player, hand, (float)(i + 1) / TRAIL);
        trail[i] = sinew_affine_point(sinew_affine_multiply(at, grip), tip);
    }
}

static void *update_half(void *budget) {
    sinew_characters_update_within(budget, crowd, budget == budgets ? 0 : CROWD / 2, CROWD / 2, DT);
    return NULL;
}

int main(int argc, char **argv) {
    struct timespec start, end;
    double seconds = 0.0;
    int frame = 0;
    load(argc > 1 ? argv[1] : "models/hero.glb");
    for (; acting < 8.0f; frame++) {
        pthread_t thread;
        play();
        timespec_get(&start, TIME_UTC);
        if (pthread_create(&thread, NULL, update_half, &budgets[1]) != 0) return 1; // a game keeps its threads
        update_half(budgets);
        pthread_join(thread, NULL);
        timespec_get(&end, TIME_UTC);
        seconds += (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
        const sinew_vec3 at = sinew_character_world(player).translation;
        const float swing =
            sinew_vec3_length(sinew_vec3_subtract(trail[TRAIL - 1], trail[0])) * TRAIL / (TRAIL - 1) / DT;
        if (frame % 60 == 59)
            printf("%2d s: z %5.2f m, y %.2f m, sword %4.1f m/s\n", (frame + 1) / 60, (double)at.z, (double)at.y,
                   (double)swing);
    }
    printf("%d characters: %.3f ms a frame\n", CROWD, 1e3 * seconds / frame);
    return 0; // a game also destroys what it has made
}
