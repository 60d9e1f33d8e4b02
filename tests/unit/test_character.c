// SPDX-License-Identifier: MIT
// Characters: a rig does in one call, bit for bit, what a program does part by part. Its state is one block.
#include "support/parts.h"
#include "support/state_file.h"

#include <stdio.h>

#define GRAPH_FILE SINEW_GRAPHS "/character.graph.json"

static struct {
    sinew_asset *asset;
    sinew_graph *graph;
    sinew_rig *rig;
    sinew_root_motion_def root_motion;
    sinew_mixer_def mixer;
    int calls;    // of the rig's callback
    bool damaged; // whether its weight may be anything
} s;

// A stair of 15 cm every 2 m, and a hill beside it.
static float height_of(sinew_vec3 place) {
    const float stair = 0.15f * floorf(place.z / 2);
    return place.x > 1 ? stair + 0.1f * (place.x - 1) : stair;
}

static bool find_ground(sinew_vec3 place, sinew_ground *ground, void *user) {
    (void)user;
    place.y = height_of(place);
    *ground = (sinew_ground){place, {0, 1, 0}};
    return true;
}

static void count_call(sinew_character *character, int32_t step, float weight, float dt, sinew_pose *pose,
                       sinew_affine *model, void *user) {
    (void)character, (void)dt, (void)pose, (void)model, (void)user;
    assert_int_equal(step, PARTS_RECOIL);
    if (!s.damaged) check_near(weight, 1, 0);
    s.calls++;
}

static int set_up(void **state) {
    (void)state;
    sinew_error error = {0};
    s.asset = load_gltf(SINEW_MODELS "/hero.glb", NULL);
    if (sinew_graph_load_file(GRAPH_FILE, NULL, &s.graph, &error) != SINEW_OK) fail_msg("%s", error.message);
    sinew_rig_def rig = sinew_rig_default();
    rig.graph = s.graph;
    rig.asset = s.asset;
    if (sinew_rig_create(&rig, &s.rig, &error) != SINEW_OK) fail_msg("%s", error.message);
    s.root_motion = sinew_root_motion_default();
    s.root_motion.skeleton = s.asset->skeleton;
    s.root_motion.node = sinew_skeleton_find(s.asset->skeleton, "Hero");
    s.mixer = sinew_mixer_default();
    s.mixer.root_motion = &s.root_motion;
    s.mixer.inertialization = true;
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    sinew_rig_destroy(s.rig);
    sinew_graph_destroy(s.graph);
    sinew_asset_destroy(s.asset);
    return 0;
}

static sinew_character *make_character(void) {
    sinew_character_def def = sinew_character_default();
    def.rig = s.rig;
    def.mixer = &s.mixer;
    def.ground = find_ground;
    def.step = count_call;
    def.trails = true;
    sinew_character *character;
    sinew_error error = {0};
    if (sinew_character_create(&def, &character, &error) != SINEW_OK) fail_msg("%s", error.message);
    return character;
}

// ---- A game --------------------------------------------------------------------------------------------------

// What a player does in a frame: walks, runs, jumps to a ledge, looks around, takes something and puts it down.
typedef struct game {
    uint64_t random;
    parts_input input;
} game;

static game new_game(uint64_t seed) {
    game g = {.random = seed, .input = {.stride = 1, .dt = 1.0f / 60}};
    g.input.rail = sinew_transform_identity();
    g.input.ledge = sinew_transform_identity();
    return g;
}

static bool happens(game *g, uint32_t once_in) {
    return random_next(&g->random) % once_in == 0;
}

static void play(game *g, sinew_transform world) {
    parts_input *in = &g->input;
    in->jump = happens(g, 200);
    if (happens(g, 60)) in->move[1] = random_float(&g->random, 0, 3.1f);
    if (happens(g, 90)) in->aware = !in->aware;
    if (happens(g, 120)) in->carries = !in->carries;
    if (happens(g, 150)) in->aiming = happens(g, 2) ? random_float(&g->random, 0, 1) : 0;
    if (happens(g, 40)) in->aim[0] = random_float(&g->random, -0.5f, 1.5f);
    if (happens(g, 100)) in->strafe = random_float(&g->random, -1, 1);
    if (happens(g, 100)) in->stride = random_float(&g->random, 0.7f, 1.3f);
    if (happens(g, 80)) in->dt = happens(g, 2) ? 1.0f / 60 : random_float(&g->random, 0.002f, 0.05f);
    in->look_at = sinew_vec3_add(world.translation, (sinew_vec3){random_float(&g->random, -2, 2), 1.5f, 2});
    in->rail.translation = (sinew_vec3){0.3f, 1.2f, random_float(&g->random, 0.2f, 0.5f)};
    in->rail.rotation = random_quat(&g->random);
    if (!in->jump) return;
    const sinew_vec3 ahead = sinew_quat_rotate(world.rotation, (sinew_vec3){0.2f, 0, 1.6f});
    in->ledge.translation = sinew_vec3_add(world.translation, ahead);
    in->ledge.rotation = sinew_quat_multiply(world.rotation, about_y(0.4));
}

static void step_character(sinew_character *character, game *g) {
    play(g, sinew_character_world(character));
    parts_set(sinew_character_animator(character), &g->input);
    sinew_character_begin(character, g->input.dt);
    sinew_transform world = sinew_character_world(character);
    const sinew_vec3 walked = {0, 0, g->input.move[1] * g->input.dt}; // the clips walk in place
    world.translation = sinew_vec3_add(world.translation, sinew_quat_rotate(world.rotation, walked));
    world.translation.y = height_of(world.translation);
    sinew_character_set_world(character, world);
    sinew_character_end(character);
}

static void check_same_pose(const sinew_pose *a, const sinew_pose *b, int frame) {
    const size_t size = (size_t)a->skeleton->node_count * sizeof(float);
    const float *const left[] = {a->tx, a->ty, a->tz, a->rx, a->ry, a->rz, a->rw, a->sx, a->sy, a->sz};
    const float *const right[] = {b->tx, b->ty, b->tz, b->rx, b->ry, b->rz, b->rw, b->sx, b->sy, b->sz};
    for (int i = 0; i < 10; i++) {
        for (int32_t k = 0; k < a->skeleton->node_count; k++) {
            if (memcmp(&left[i][k], &right[i][k], sizeof(float)) == 0) continue;
            fail_msg("frame %d: plane %d of %s is %.9g, not %.9g by the parts", frame, i, a->skeleton->names[k],
                     (double)left[i][k], (double)right[i][k]);
        }
    }
    assert_memory_equal(a->tx, b->tx, size);
}

static void test_a_character_does_what_its_parts_do(void **state) {
    (void)state;
    sinew_character *character = make_character();
    parts p;
    parts_create(&p, s.rig, &s.mixer, height_of);
    game g = new_game(46);
    s.calls = 0;
    for (int frame = 0; frame < 10000; frame++) {
        step_character(character, &g);
        parts_update(&p, &g.input);
        const sinew_transform world = sinew_character_world(character);
        assert_memory_equal(&world.translation, &p.position, sizeof p.position);
        assert_memory_equal(&world.rotation, &p.facing, sizeof p.facing);
        sinew_mixer *mixer = sinew_character_mixer(character);
        check_same_pose(sinew_mixer_pose(mixer), sinew_mixer_pose(p.mixer), frame);
        assert_true(sinew_animator_hash(sinew_character_animator(character)) == sinew_animator_hash(p.animator));
    }
    assert_int_equal(s.calls, 10000);
    parts_destroy(&p);
    sinew_character_destroy(character);
}

// The matrices match the pose, and a node's is in the world.
static void test_matrices_are_those_of_the_pose(void **state) {
    (void)state;
    sinew_character *character = make_character();
    const sinew_skeleton *skeleton = s.asset->skeleton;
    sinew_affine *model = calloc((size_t)skeleton->node_count, sizeof *model);
    assert_non_null(model);
    game g = new_game(7);
    for (int frame = 0; frame < 300; frame++) {
        if (frame % 40 == 39) sinew_mixer_inertialize(sinew_character_mixer(character), SINEW_ALL_LAYERS, 0.2f);
        step_character(character, &g);
        sinew_pose_to_model(sinew_mixer_pose(sinew_character_mixer(character)), model);
        assert_memory_equal(model, sinew_character_model(character), (size_t)skeleton->node_count * sizeof *model);
        const int32_t hand = sinew_skeleton_find(skeleton, "Hand_R");
        const sinew_affine world = sinew_affine_from_transform(sinew_character_world(character));
        const sinew_affine expected = sinew_affine_multiply(world, model[hand]),
                           at = sinew_character_node(character, hand);
        assert_memory_equal(&at, &expected, sizeof at);
    }
    free(model);
    sinew_character_destroy(character);
}

// ---- The world -----------------------------------------------------------------------------------------------

// On level ground at height 0.
static bool find_floor(sinew_vec3 place, sinew_ground *ground, void *user) {
    (void)user;
    *ground = (sinew_ground){{place.x, 0, place.z}, {0, 1, 0}};
    return true;
}

static sinew_character *make_walker(bool (*ground)(sinew_vec3 place, sinew_ground *ground, void *user)) {
    sinew_character_def def = sinew_character_default();
    def.rig = s.rig;
    def.mixer = &s.mixer;
    def.ground = ground;
    def.step = count_call;
    def.trails = true;
    sinew_character *character;
    assert_int_equal(sinew_character_create(&def, &character, NULL), SINEW_OK);
    return character;
}

// The model matrices of two characters differ by less than a distance.
static void check_near_pose(const sinew_character *a, const sinew_character *b, double distance) {
    for (int32_t i = 0; i < s.asset->skeleton->node_count; i++) {
        const sinew_affine *m = &sinew_character_model(a)[i], *n = &sinew_character_model(b)[i];
        for (int row = 0; row < 3; row++) check_near(m->m[row][3], n->m[row][3], distance);
    }
}

static const sinew_transform still = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};

// A platform drives and turns; its scale belongs to its mesh. A character on it moves with it, and has the same pose
// as on firm ground. Only the springs feel the ride.
static void test_a_rider_stands_as_on_firm_ground(void **state) {
    (void)state;
    sinew_character *rider = make_walker(NULL), *other = make_walker(NULL);
    const int32_t hips = sinew_skeleton_find(s.asset->skeleton, "Hips");
    const int32_t foot = sinew_skeleton_find(s.asset->skeleton, "Foot_L");
    for (int frame = 0; frame < 240; frame++) {
        const double t = frame / 60.0;
        const sinew_transform platform = {{(float)t, (float)(0.1 * t), 0}, about_y(0.3 * t), {2, 3, 4}};
        sinew_character_ride(rider, platform);
        sinew_character_update(rider, 1.0f / 60);
        sinew_character_update(other, 1.0f / 60);
        const sinew_affine *a = sinew_character_model(rider), *b = sinew_character_model(other);
        for (int row = 0; row < 3; row++) {
            check_near(a[hips].m[row][3], b[hips].m[row][3], 2e-5);
            check_near(a[foot].m[row][3], b[foot].m[row][3], 2e-5);
        }
        check_vec3(sinew_character_world(rider).translation, t, 0.1 * t, 0, 1e-5);
        assert_true(angle_between(sinew_character_world(rider).rotation, platform.rotation) < 1e-5);
    }
    // Getting off changes nothing that one sees.
    const sinew_transform there = sinew_character_world(rider);
    sinew_character_get_off(rider);
    const sinew_transform after = sinew_character_world(rider);
    assert_memory_equal(&there, &after, sizeof there);
    sinew_character_update(rider, 1.0f / 60);
    sinew_character_update(other, 1.0f / 60);
    const sinew_affine *a = sinew_character_model(rider), *b = sinew_character_model(other);
    for (int row = 0; row < 3; row++) check_near(a[foot].m[row][3], b[foot].m[row][3], 2e-4);
    sinew_character_destroy(rider);
    sinew_character_destroy(other);
}

// A foot that is planted when the character gets on stays at its place of the platform.
static void test_planted_feet_get_on_and_off(void **state) {
    (void)state;
    sinew_character *character = make_walker(NULL);
    const int32_t foot = sinew_skeleton_find(s.asset->skeleton, "Foot_R");
    for (int i = 0; i < 60; i++) sinew_character_update(character, 1.0f / 60);
    const sinew_affine before = sinew_character_node(character, foot);
    sinew_transform platform = {{5, 2, -3}, about_y(1), {1, 1, 1}};
    sinew_character_ride(character, platform);
    sinew_character_update(character, 1.0f / 60);
    const sinew_affine on = sinew_character_node(character, foot);
    for (int row = 0; row < 3; row++) check_near(on.m[row][3], before.m[row][3], 1e-3);
    platform.translation.x += 4;
    sinew_character_ride(character, platform);
    sinew_character_update(character, 1.0f / 60);
    const sinew_affine moved = sinew_character_node(character, foot);
    check_near(moved.m[0][3], on.m[0][3] + 4, 1e-3);
    sinew_character_get_off(character);
    sinew_character_update(character, 1.0f / 60);
    const sinew_affine off = sinew_character_node(character, foot);
    for (int row = 0; row < 3; row++) check_near(off.m[row][3], moved.m[row][3], 1e-3);
    sinew_character_destroy(character);
}

// After a teleport, the character is there immediately, like one that starts there.
static void test_a_teleport_starts_over(void **state) {
    (void)state;
    sinew_character *character = make_walker(find_floor), *fresh = make_walker(find_floor);
    const int32_t hair = sinew_skeleton_find(s.asset->skeleton, "Hair3");
    for (int i = 0; i < 90; i++) {
        sinew_transform world = still;
        world.translation.z = (float)i * 0.05f;
        sinew_character_set_world(character, world);
        sinew_character_update(character, 1.0f / 60);
        sinew_character_update(fresh, 1.0f / 60);
    }
    sinew_transform there = still;
    there.translation = (sinew_vec3){40, 0, 7};
    sinew_character_teleport(character, there);
    sinew_character_teleport(fresh, still);
    sinew_character_update(character, 1.0f / 60);
    sinew_character_update(fresh, 1.0f / 60);
    check_near_pose(character, fresh, 1e-4);
    check_near(sinew_character_node(character, hair).m[0][3], sinew_character_node(fresh, hair).m[0][3] + 40, 1e-3);
    sinew_character_destroy(character);
    sinew_character_destroy(fresh);
}

// Between two updates a node is where its parents' turns lead it; at the ends it is where they left it.
static void test_trails_are_between_two_updates(void **state) {
    (void)state;
    sinew_character *character = make_character();
    game g = new_game(13);
    const int32_t hand = sinew_skeleton_find(s.asset->skeleton, "Hand_R");
    sinew_affine last = sinew_affine_identity();
    for (int frame = 0; frame < 200; frame++) {
        step_character(character, &g);
        const sinew_affine now = sinew_character_node(character, hand);
        const sinew_affine at[3] = {sinew_character_node_between(character, hand, 0),
                                    sinew_character_node_between(character, hand, 0.5f),
                                    sinew_character_node_between(character, hand, 1)};
        double step = 0, first = 0, second = 0;
        for (int row = 0; row < 3; row++) {
            check_near(at[2].m[row][3], now.m[row][3], 2e-5);
            if (frame > 0) check_near(at[0].m[row][3], last.m[row][3], 2e-5);
            step += pow((double)(at[2].m[row][3] - at[0].m[row][3]), 2);
            first += pow((double)(at[1].m[row][3] - at[0].m[row][3]), 2);
            second += pow((double)(at[2].m[row][3] - at[1].m[row][3]), 2);
        }
        check_near(sqrt(first), sqrt(second), 0.1 * sqrt(step) + 1e-4); // the middle
        last = now;
    }
    sinew_character_destroy(character);
}

// How far the head looks past a target, in radians.
static double look_off(const sinew_character *character, sinew_vec3 target) {
    const int32_t head = sinew_skeleton_find(s.asset->skeleton, "Head");
    sinew_quat rest = {0, 0, 0, 1};
    for (int32_t i = head; i != SINEW_NO_NODE; i = s.asset->skeleton->parents[i])
        rest = sinew_quat_multiply(s.asset->skeleton->rest[i].rotation, rest);
    const sinew_vec3 forward = sinew_quat_rotate(sinew_quat_conjugate(rest), (sinew_vec3){0, 0, 1});
    const sinew_affine at = sinew_character_node(character, head);
    const sinew_vec3 eyes = {at.m[0][3], at.m[1][3], at.m[2][3]}, sight = sinew_affine_direction(at, forward),
                     to = sinew_vec3_subtract(target, eyes);
    return acos(fmin(1, (double)sinew_vec3_dot(sinew_vec3_normalize(sight), sinew_vec3_normalize(to))));
}

// A character walks, turns and rides past a target that rests in the world. Its head doesn't lag. If it did, it would be
// off by 17 degrees, which is twice the settle time of 0.15 s at 1 rad/s.
static void test_a_look_at_a_resting_target(void **state) {
    (void)state;
    sinew_character *character = make_walker(find_floor);
    parts_input input = {.aware = true, .stride = 1, .dt = 1.0f / 60, .look_at = {0.2f, 1.5f, 3.5f}};
    input.rail = input.ledge = sinew_transform_identity();
    double worst = 0;
    for (int frame = 0; frame < 600; frame++) {
        const double t = frame / 60.0;
        const sinew_transform world = {
            {(float)(0.4 * sin(3 * t)), 0, (float)(0.1 * t)}, about_y(0.2 * sin(5 * t)), {1, 1, 1}};
        parts_set(sinew_character_animator(character), &input);
        if (frame >= 300) sinew_character_ride(character, world);
        if (frame < 300) sinew_character_set_world(character, world);
        sinew_character_update(character, input.dt);
        if (frame > 120) worst = fmax(worst, look_off(character, input.look_at));
    }
    print_message("%.2f degrees off\n", worst * 180 / 3.14159265);
    assert_true(worst < 0.3 * 3.14159265 / 180);
    sinew_character_destroy(character);
}

// Answering all grounds together gives the same as place by place, except at a stair's edges: a foot that swings over
// one may rise up to a tenth of a second earlier or later.
static void test_grounds_are_answered_at_once(void **state) {
    (void)state;
    sinew_character *asks = make_walker(find_ground), *answered = make_walker(NULL);
    double sum = 0;
    for (int frame = 0; frame < 300; frame++) {
        sinew_character *both[2] = {asks, answered};
        for (int i = 0; i < 2; i++) {
            sinew_animator_set_vector2(sinew_character_animator(both[i]), 0, 0, 1.15f);
            sinew_character_begin(both[i], 1.0f / 60);
            sinew_transform world = still;
            world.translation.z = 1.15f * (float)frame / 60;
            world.translation.y = height_of(world.translation);
            sinew_character_set_world(both[i], world);
        }
        sinew_vec3 places[SINEW_MAX_GROUND_PLACES];
        sinew_ground grounds[SINEW_MAX_GROUND_PLACES];
        const int32_t count = sinew_character_ground_places(answered, places, SINEW_MAX_GROUND_PLACES);
        assert_int_equal(count, 12);
        for (int32_t i = 0; i < count; i++) assert_true(find_ground(places[i], &grounds[i], NULL));
        sinew_character_set_grounds(answered, grounds, count);
        sinew_character_end(asks);
        sinew_character_end(answered);
        const int32_t foot = sinew_skeleton_find(s.asset->skeleton, "Foot_L");
        const double off = fabs(
            (double)(sinew_character_model(asks)[foot].m[1][3] - sinew_character_model(answered)[foot].m[1][3]));
        sum += off;
        if (frame == 299) check_near(off, 0, 1e-3);
    }
    check_near(sum / 300, 0, 0.02); // a stair is 0.15 m high
    sinew_character_destroy(asks);
    sinew_character_destroy(answered);
}

// ---- State ---------------------------------------------------------------------------------------------------

static void test_eight_frames_back_and_again_are_the_same(void **state) {
    (void)state;
    enum { BACK = 8, FRAMES = 1000 };
    sinew_character *character = make_character();
    const size_t size = sinew_character_snapshot_size(character);
    char *snapshot = malloc(size);
    assert_non_null(snapshot);
    game g = new_game(8);
    for (int frame = 0; frame < FRAMES; frame++) {
        const game before = g;
        const size_t saved = sinew_character_save(character, snapshot);
        assert_true(saved <= size);
        uint64_t hashes[BACK + 1];
        hashes[0] = sinew_character_hash(character);
        for (int i = 1; i <= BACK; i++) {
            step_character(character, &g);
            hashes[i] = sinew_character_hash(character);
        }
        assert_true(sinew_character_restore(character, snapshot, saved));
        assert_true(sinew_character_hash(character) == hashes[0]);
        g = before;
        for (int i = 1; i <= BACK; i++) {
            step_character(character, &g);
            assert_true(sinew_character_hash(character) == hashes[i]);
        }
        assert_true(sinew_character_restore(character, snapshot, saved));
        g = before;
        step_character(character, &g);
    }
    free(snapshot);
    sinew_character_destroy(character);
}

// Each byte counts, and a damaged snapshot changes nothing.
static void test_damaged_snapshots_are_refused(void **state) {
    (void)state;
    sinew_character *character = make_character();
    game g = new_game(3);
    for (int i = 0; i < 50; i++) step_character(character, &g);
    char *snapshot = malloc(sinew_character_snapshot_size(character));
    assert_non_null(snapshot);
    const size_t size = sinew_character_save(character, snapshot);
    step_character(character, &g);
    const uint64_t hash = sinew_character_hash(character);
    for (size_t i = 0; i < size; i++) {
        snapshot[i] ^= 1;
        if (sinew_character_restore(character, snapshot, size)) fail_msg("byte %zu of %zu may be damaged", i, size);
        snapshot[i] ^= 1;
    }
    for (size_t i = 0; i < size; i += 97) assert_false(sinew_character_restore(character, snapshot, i));
    assert_true(sinew_character_hash(character) == hash);
    assert_true(sinew_character_restore(character, snapshot, size));
    free(snapshot);
    sinew_character_destroy(character);
}

// Two characters that differ in one thing have different hashes.
static void test_the_hash_knows_each_state(void **state) {
    (void)state;
    sinew_character *a = make_character(), *b = make_character();
    assert_true(sinew_character_hash(a) == sinew_character_hash(b));
    sinew_transform world = sinew_transform_identity();
    world.translation.x = 0.001f;
    sinew_character_set_world(b, world);
    assert_true(sinew_character_hash(a) != sinew_character_hash(b));
    sinew_character_set_world(b, sinew_transform_identity());
    assert_true(sinew_character_hash(a) == sinew_character_hash(b));
    sinew_character_set_wind(b, (sinew_vec3){0, 0, 1});
    assert_true(sinew_character_hash(a) != sinew_character_hash(b));
    sinew_character_destroy(a);
    sinew_character_destroy(b);
}

// ---- Written states ------------------------------------------------------------------------------------------

static void *write_character(const sinew_character *character, size_t *size) {
    *size = sinew_character_write(character, NULL, NULL, 0);
    void *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(sinew_character_write(character, NULL, bytes, *size - 1), *size); // it doesn't fit
    assert_int_equal(sinew_character_write(character, NULL, bytes, *size), *size);
    return bytes;
}

static void count_unknown(const char *kind, const char *name, void *user) {
    print_message("unknown %s %s\n", kind, name);
    ++*(int *)user;
}

// Walks on, and asks for the ground on the way. Returns how far a foot looks ahead.
static float walk_on(sinew_character *character, float z) {
    sinew_vec3 places[SINEW_MAX_GROUND_PLACES];
    sinew_transform world = still;
    world.translation.z = z;
    sinew_character_begin(character, 1.0f / 60);
    sinew_character_set_world(character, world);
    assert_int_equal(sinew_character_ground_places(character, places, SINEW_MAX_GROUND_PLACES), 12);
    sinew_character_end(character);
    return places[5].z - places[1].z; // from the toes
}

// A state that is restored, or read elsewhere, knows where the character was in its last update. It was moved since then.
static void test_the_last_place_is_part_of_the_state(void **state) {
    (void)state;
    sinew_character *character = make_walker(find_floor), *other = make_walker(find_floor);
    (void)walk_on(character, 0.1f);
    sinew_transform moved = still;
    moved.translation.z = 0.12f;
    sinew_character_set_world(character, moved);
    char *snapshot = malloc(sinew_character_snapshot_size(character));
    assert_non_null(snapshot);
    const size_t size = sinew_character_save(character, snapshot);
    size_t written;
    void *bytes = write_character(character, &written);
    const float ahead = walk_on(character, 0.15f);
    const uint64_t hash = sinew_character_hash(character);
    assert_true(sinew_character_restore(character, snapshot, size));
    check_near(walk_on(character, 0.15f), ahead, 1e-6);
    assert_true(sinew_character_hash(character) == hash);
    assert_int_equal(sinew_character_read(other, NULL, bytes, written, NULL, NULL), SINEW_OK);
    check_near(walk_on(other, 0.15f), ahead, 1e-6);
    assert_true(sinew_character_hash(other) == hash);
    free(bytes);
    free(snapshot);
    sinew_character_destroy(character);
    sinew_character_destroy(other);
}

// A character that reads a state has the writer's hash, and continues like the writer.
static void test_a_written_state_goes_on_elsewhere(void **state) {
    (void)state;
    sinew_character *character = make_character();
    game g = new_game(21);
    for (int moment = 0; moment < 20; moment++) {
        for (int i = 0; i < 37; i++) step_character(character, &g);
        size_t size;
        void *bytes = write_character(character, &size);
        sinew_character *other = make_character();
        int unknown = 0;
        const sinew_state_report report = {count_unknown, &unknown};
        sinew_error error = {0};
        if (sinew_character_read(other, NULL, bytes, size, &report, &error) != SINEW_OK)
            fail_msg("%s", error.message);
        assert_int_equal(unknown, 0);
        assert_true(sinew_character_hash(other) == sinew_character_hash(character));
        game h = g;
        for (int i = 0; i < (moment == 19 ? 1000 : 50); i++) {
            step_character(character, &g);
            step_character(other, &h);
            assert_true(sinew_character_hash(other) == sinew_character_hash(character));
        }
        sinew_character_destroy(other);
        free(bytes);
    }
    sinew_character_destroy(character);
}

// Damaged states are refused, and change nothing. With a checksum that fits, they may be accepted, and are safe.
static void test_damaged_written_states(void **state) {
    (void)state;
    sinew_character *character = make_character(), *other = make_character();
    game g = new_game(22);
    for (int i = 0; i < 60; i++) step_character(character, &g);
    size_t size;
    uint8_t *bytes = write_character(character, &size);
    const uint64_t hash = sinew_character_hash(other);
    uint64_t random = 5;
    for (int i = 0; i < 1000; i++) {
        const size_t at = random_next(&random) % size;
        const uint8_t was = bytes[at];
        bytes[at] = (uint8_t)(was ^ (1 + random_next(&random) % 255));
        assert_int_not_equal(sinew_character_read(other, NULL, bytes, size, NULL, NULL), SINEW_OK);
        assert_int_not_equal(sinew_character_read(other, NULL, bytes, at, NULL, NULL), SINEW_OK);
        bytes[at] = was;
    }
    assert_true(sinew_character_hash(other) == hash);
    uint8_t *damaged = malloc(size);
    assert_non_null(damaged);
    int accepted = 0;
    s.damaged = true;
    for (int i = 0; i < 1000; i++) {
        memcpy(damaged, bytes, size);
        const size_t at = random_next(&random) % size;
        damaged[at] = (uint8_t)(damaged[at] ^ (1 + random_next(&random) % 255));
        state_repair((state_bytes){damaged, size});
        if (sinew_character_read(other, NULL, damaged, size, NULL, NULL) != SINEW_OK) continue;
        accepted++;
        for (int k = 0; k < 3; k++) step_character(other, &g);
    }
    s.damaged = false;
    assert_true(accepted > 100);
    free(damaged);
    free(bytes);
    sinew_character_destroy(character);
    sinew_character_destroy(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_character_does_what_its_parts_do),
        cmocka_unit_test(test_matrices_are_those_of_the_pose),
        cmocka_unit_test(test_a_rider_stands_as_on_firm_ground),
        cmocka_unit_test(test_planted_feet_get_on_and_off),
        cmocka_unit_test(test_a_teleport_starts_over),
        cmocka_unit_test(test_trails_are_between_two_updates),
        cmocka_unit_test(test_a_look_at_a_resting_target),
        cmocka_unit_test(test_grounds_are_answered_at_once),
        cmocka_unit_test(test_eight_frames_back_and_again_are_the_same),
        cmocka_unit_test(test_damaged_snapshots_are_refused),
        cmocka_unit_test(test_the_hash_knows_each_state),
        cmocka_unit_test(test_the_last_place_is_part_of_the_state),
        cmocka_unit_test(test_a_written_state_goes_on_elsewhere),
        cmocka_unit_test(test_damaged_written_states),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
