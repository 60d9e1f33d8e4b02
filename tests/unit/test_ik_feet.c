// SPDX-License-Identifier: MIT
// Feet on the ground: the demo hero walks over slopes without any part of a sole sinking in, and over stairs and
// moving ground without a foot jumping.
#include "support/ik_rig.h"

// ---- The ground ----------------------------------------------------------------------------------------------

typedef enum shape { LEVEL, SLOPE, STAIRS, NOWHERE } shape;

// +Y is up, +Z ahead. The hero's origin goes ahead on it.
typedef struct world {
    shape shape;
    double height;           // of the level, or of a step
    double slope, direction; // radians; which way is up, from +Z towards +X
    double way;              // that the hero has gone
    double elevation;        // of its origin
    bool z_up;               // model space is
    int calls;
} world;

static double height_at(const world *w, double x, double z) {
    switch (w->shape) {
    case SLOPE:
        return tan(w->slope) * (sin(w->direction) * x + cos(w->direction) * (z + w->way));
    case STAIRS:
        return w->height * floor((z + w->way + 0.2) / 0.35);
    default:
        return w->height;
    }
}

static place model_place(const world *w, sinew_vec3 v) {
    return w->z_up ? (place){v.x, v.z, -v.y} : wide(v);
}

static bool ground(sinew_vec3 at, sinew_foot_ground *out, void *user) {
    world *w = user;
    w->calls++;
    if (w->shape == NOWHERE) return false;
    place p = model_place(w, at);
    out->height = (float)(height_at(w, p.x, p.z) - w->elevation);
    double t = w->shape == SLOPE ? tan(w->slope) : 0.0;
    place n = unit((place){-t * sin(w->direction), 1, -t * cos(w->direction)});
    out->normal = w->z_up ? (sinew_vec3){(float)n.x, (float)-n.z, (float)n.y} : narrow(n);
    return true;
}

// How high a place of model space is above the ground. A riser is nobody's ground: what is within 5 mm of one counts by the
// lower side of it.
static double above_ground(const world *w, sinew_vec3 v) {
    place p = model_place(w, v);
    double below = fmin(height_at(w, p.x, p.z - 0.005), height_at(w, p.x, p.z + 0.005));
    if (w->shape != STAIRS) below = height_at(w, p.x, p.z);
    return p.y - (below - w->elevation);
}

// ---- The hero ------------------------------------------------------------------------------------------------

typedef struct hero {
    sinew_asset *asset;
    const sinew_skeleton *skeleton;
    sinew_pose *pose;
    sinew_affine *model, *palette;
    float *vertices;
    sinew_foot legs[2];
    sinew_foot_placement placement;
    sinew_foot_placement_state state;
    world world;
} hero;

static int32_t node_of(const hero *h, const char *name) {
    int32_t node = sinew_skeleton_find(h->skeleton, name);
    assert_true(node != SINEW_NO_NODE);
    return node;
}

// The corners of its shoes: heel, ball and tip, inside and outside.
static sinew_foot make_leg(const hero *h, bool right) {
    sinew_vec3 up = {0, h->world.z_up ? 0.0f : 1.0f, h->world.z_up ? 1.0f : 0.0f};
    const char *const names[2][4] = {{"UpperLeg_L", "LowerLeg_L", "Foot_L", "Toes_L"},
                                     {"UpperLeg_R", "LowerLeg_R", "Foot_R", "Toes_R"}};
    int32_t nodes[4];
    for (int i = 0; i < 4; i++) nodes[i] = node_of(h, names[right][i]);
    sinew_foot leg = sinew_foot_from_rest(h->skeleton, nodes[0], nodes[1], nodes[2], nodes[3], up);
    static const float corners[6][2] = {{0.075f, -0.079f}, {0.15f, -0.079f}, {0.06f, 0.1f},
                                        {0.165f, 0.1f},    {0.08f, 0.205f},  {0.15f, 0.205f}};
    for (int i = 0; i < 6; i++) {
        float x = right ? -corners[i][0] : corners[i][0], z = corners[i][1];
        sinew_vec3 at = h->world.z_up ? (sinew_vec3){x, -z, 0} : (sinew_vec3){x, 0, z};
        sinew_foot_add_point(&leg, h->skeleton, nodes[i < 4 ? 2 : 3], at);
    }
    return leg;
}

static hero make_hero(bool z_up) {
    hero h = {.world = {.z_up = z_up}};
    sinew_gltf_options options = sinew_gltf_default();
    options.up = z_up ? SINEW_UP_Z : SINEW_UP_Y;
    h.asset = load_gltf(SINEW_MODELS "/hero.glb", &options);
    h.skeleton = h.asset->skeleton;
    assert_int_equal(sinew_pose_create(h.skeleton, NULL, &h.pose), SINEW_OK);
    h.model = calloc((size_t)h.skeleton->node_count, sizeof *h.model);
    h.palette = calloc((size_t)h.asset->skins[0].joint_count, sizeof *h.palette);
    h.vertices = calloc((size_t)h.asset->meshes[0].primitives[0].vertex_count, 3 * sizeof(float));
    for (int i = 0; i < 2; i++) h.legs[i] = make_leg(&h, i == 1);
    h.placement = sinew_foot_placement_default();
    h.placement.pelvis = node_of(&h, "Hips");
    h.placement.foot_count = 2;
    h.placement.ground = ground;
    if (z_up) h.placement.up = (sinew_vec3){0, 0, 1};
    return h;
}

static void free_hero(hero *h) {
    sinew_pose_destroy(h->pose);
    sinew_asset_destroy(h->asset);
    free(h->model);
    free(h->palette);
    free(h->vertices);
}

static void show(hero *h, const char *clip_name, double time) {
    const sinew_clip *clip = sinew_asset_find_clip(h->asset, clip_name);
    sinew_clip_sample(clip, (float)fmod(time, clip->duration), h->pose);
    sinew_pose_to_model(h->pose, h->model);
}

static void place_feet(hero *h, float dt) {
    h->placement.feet = h->legs;
    h->placement.user = &h->world;
    h->placement.elevation = (float)h->world.elevation;
    sinew_foot_placement_solve(&h->placement, dt, &h->state, h->pose, h->model);
}

// The height of the lowest place of a sole, and of the lowest vertex of all, above the ground.
static double lowest_sole(const hero *h, int leg) {
    double lowest = 9.0;
    for (int i = 0; i < h->legs[leg].point_count; i++) {
        const sinew_foot_point *s = &h->legs[leg].points[i];
        lowest = fmin(lowest, above_ground(&h->world, sinew_affine_point(h->model[s->node], s->point)));
    }
    return lowest;
}

static double lowest_vertex(hero *h) {
    const sinew_primitive *skin = &h->asset->meshes[0].primitives[0];
    sinew_skin_palette(&h->asset->skins[0], h->model, h->palette);
    sinew_skin_job job = sinew_primitive_skin_job(skin);
    job.out_positions = h->vertices;
    sinew_skin_vertices(&job, h->palette, 0, skin->vertex_count);
    double lowest = 9.0;
    for (int32_t i = 0; i < skin->vertex_count; i++) {
        bool of_sole = skin->positions[3 * (ptrdiff_t)i + 1] < 0.012f; // what is above it may brush against a riser
        if (h->world.shape == STAIRS && !of_sole) continue;
        const float *v = h->vertices + 3 * (ptrdiff_t)i;
        lowest = fmin(lowest, above_ground(&h->world, (sinew_vec3){v[0], v[1], v[2]}));
    }
    return lowest;
}

// ---- Walking -------------------------------------------------------------------------------------------------

enum { FRAMES = 260, RATE = 60 };

typedef struct lowest {
    double sole, vertex;
    double standing; // how high a sole is at most that its clip has on the ground
    double resting;  // the lowest sole that its clip has had on the ground for 0.3 seconds
    double jump;     // the largest change of a foot's height in a frame, minus the clip's
} lowest;

// How long the clip has had a foot on the ground, and how much higher than in the clip it was in the last frame.
typedef struct footing {
    double time, raised;
} footing;

static void measure_foot(const hero *h, int i, double clip_sole, double clip_height, int frame, footing *foot,
                         lowest *out) {
    double sole = lowest_sole(h, i), dt = 1.0 / RATE;
    double height = place_of(&h->model[h->legs[i].leg.end]).y;
    double raised = height - clip_height + h->world.elevation;
    out->sole = fmin(out->sole, sole);
    foot->time = clip_sole < 0.003 ? foot->time + dt : 0.0;
    if (frame > RATE && foot->time > 0.0) out->standing = fmax(out->standing, sole);
    if (frame > RATE && foot->time > 0.3) out->resting = fmin(out->resting, sole);
    if (frame > 0) out->jump = fmax(out->jump, fabs(raised - foot->raised));
    foot->raised = raised;
}

// The clip walks in place. This is the ground's speed under it.
static const double walking_speed = 1.15;

static lowest walk(hero *h, bool placed) {
    lowest out = {9.0, 9.0, 0.0, 9.0, 0.0};
    footing feet[2] = {{0, 0}, {0, 0}};
    h->state = (sinew_foot_placement_state){0};
    for (int frame = 0; frame < FRAMES; frame++) {
        double time = (double)frame / RATE;
        h->world.way = walking_speed * time;
        h->world.elevation = height_at(&h->world, 0.0, 0.0);
        show(h, "Walk", time);
        double heights[2], joints[2];
        world level = {.z_up = h->world.z_up}, here = h->world;
        h->world = level;
        for (int i = 0; i < 2; i++) {
            heights[i] = lowest_sole(h, i);
            joints[i] = place_of(&h->model[h->legs[i].leg.end]).y;
        }
        h->world = here;
        if (placed) place_feet(h, 1.0f / RATE);
        for (int i = 0; i < 2; i++) measure_foot(h, i, heights[i], joints[i], frame, &feet[i], &out);
        if (placed || frame % 4 == 0) out.vertex = fmin(out.vertex, lowest_vertex(h));
    }
    return out;
}

// The clip itself has vertices 2.2 mm below its level ground, the corners of its shoes 7 mm.
static const double hair = 0.0025, corners = 0.0072;

static void test_no_sole_goes_below_a_slope(void **state) {
    (void)state;
    hero h = make_hero(false);
    for (int i = 0; i < 8; i++) {
        h.world = (world){.shape = SLOPE, .slope = (i % 2 ? 12 : 20) * PI / 180, .direction = 2.0 * PI * i / 8};
        lowest without = walk(&h, false), with = walk(&h, true);
        print_message("a slope of %.0f degrees, up at %.0f: vertices %.0f mm without, %.1f with; standing %.1f\n",
                      h.world.slope * 180 / PI, h.world.direction * 180 / PI, 1e3 * without.vertex,
                      1e3 * with.vertex, 1e3 * with.standing);
        assert_true(without.sole < -0.04 && without.vertex < -0.04);
        assert_true(with.sole > -corners && with.vertex > -hair);
        assert_true(with.standing < 0.025); // in the frame when it comes down: the pelvis is slightly late
    }
    free_hero(&h);
}

// On stairs a foot that swings into a step is above it within 0.3 seconds, and without a jump: a stride of the clip goes over
// three steps, and no foot moves at more than 4 m/s.
static void test_stairs_are_climbed_without_a_jump(void **state) {
    (void)state;
    hero h = make_hero(false);
    for (int down = 0; down < 2; down++) {
        h.world = (world){.shape = STAIRS, .height = down ? -0.15 : 0.15};
        lowest without = walk(&h, false), with = walk(&h, true);
        print_message("stairs %s: soles %.0f mm without, %.1f with; resting %.1f; at most %.1f mm in a frame\n",
                      down ? "down" : "up", 1e3 * without.sole, 1e3 * with.sole, 1e3 * with.resting,
                      1e3 * with.jump);
        assert_true(without.sole < -0.1 && without.resting < -0.1 && without.jump > 0.14);
        assert_true(with.sole > -0.3 && with.resting > -0.005);
        assert_true(with.jump < 4.0 / RATE);
    }
    free_hero(&h);
}

static void test_where_z_is_up(void **state) {
    (void)state;
    hero y = make_hero(false), z = make_hero(true);
    y.world = (world){.shape = SLOPE, .slope = 0.3, .direction = 0.7};
    z.world = (world){.shape = SLOPE, .slope = 0.3, .direction = 0.7, .z_up = true};
    lowest of_y = walk(&y, true), of_z = walk(&z, true);
    check_near(of_z.vertex, of_y.vertex, 1e-4);
    check_near(of_z.standing, of_y.standing, 1e-4);
    for (int32_t i = 0; i < y.skeleton->node_count; i++) {
        place p = place_of(&y.model[i]), q = model_place(&z.world, narrow(place_of(&z.model[i])));
        check_near(distance(p, q), 0.0, 1e-4);
    }
    free_hero(&y);
    free_hero(&z);
}

// ---- Level ground --------------------------------------------------------------------------------------------

static void check_same_places(const hero *h, const sinew_affine *before, double raised, double tolerance) {
    for (int32_t i = node_of(h, "Hips"); i < h->skeleton->node_count - 1; i++) { // all but the mesh's own node
        place p = place_of(&before[i]);
        p.y += raised;
        check_near(distance(place_of(&h->model[i]), p), 0.0, tolerance);
    }
}

static sinew_affine *copy_model(const hero *h) {
    size_t size = (size_t)h->skeleton->node_count * sizeof *h->model;
    sinew_affine *copy = malloc(size);
    memcpy(copy, h->model, size);
    return copy;
}

// Over level ground what the clip shows is shown, where it has its soles above it; over higher ground, that much higher.
static void test_level_ground(void **state) {
    (void)state;
    hero h = make_hero(false);
    for (int i = 0; i < 2; i++)
        h.legs[i].point_count = 1; // below the ankle, which Idle never brings below the ground
    for (int raised = 0; raised < 2; raised++) {
        h.world = (world){.shape = LEVEL, .height = 0.2 * raised};
        h.state = (sinew_foot_placement_state){0};
        for (int frame = 0; frame < 60; frame++) {
            show(&h, "Idle", frame / 15.0);
            sinew_affine *before = copy_model(&h);
            place_feet(&h, 1.0f / RATE);
            check_same_places(&h, before, h.world.height, 2e-5);
            free(before);
        }
    }
    free_hero(&h);
}

// Does nothing without ground, or without ground that a foot can stand on. Each foot asks as often as documented.
static void test_no_ground(void **state) {
    (void)state;
    hero h = make_hero(false);
    for (int i = 0; i < 3; i++) {
        h.world = (world){.shape = i == 0 ? NOWHERE : LEVEL, .height = i == 1 ? 0.51 : -0.51};
        h.state = (sinew_foot_placement_state){0};
        show(&h, "Walk", 0.3);
        sinew_affine *before = copy_model(&h);
        place_feet(&h, 1.0f / RATE);
        check_same_places(&h, before, 0.0, 2e-5);
        assert_int_equal(h.world.calls, 2 * (1 + 8));
        free(before);
    }
    free_hero(&h);
}

// Level ground changes nothing for the clip's own soles, which dip into it, nor for legs with softness.
static void test_level_ground_of_soft_legs(void **state) {
    (void)state;
    hero h = make_hero(false);
    h.world = (world){.shape = LEVEL};
    for (int soft = 0; soft < 3; soft++) {
        for (int i = 0; i < 2; i++) h.legs[i].leg.softness = 0.05f * (float)soft, h.legs[i].point_count = 2;
        h.state = (sinew_foot_placement_state){0};
        for (int frame = 0; frame < 60; frame++) {
            show(&h, frame < 30 ? "Walk" : "Run", frame / 30.0);
            sinew_affine *before = copy_model(&h);
            place_feet(&h, 1.0f / RATE);
            check_same_places(&h, before, 0.0, 3e-4); // a straight knee moves far for the rounding of its foot
            free(before);
        }
    }
    free_hero(&h);
}

// A foot that is high in the air is left where it is, and the pelvis with it.
static void test_a_jump_stays_a_jump(void **state) {
    (void)state;
    hero h = make_hero(false);
    h.world = (world){.shape = LEVEL, .height = -0.3};
    show(&h, "Idle", 0.0);
    int32_t hips = node_of(&h, "Hips");
    sinew_transform t = sinew_pose_get(h.pose, hips);
    t.translation.y += 0.41f;
    sinew_pose_set(h.pose, hips, t);
    sinew_pose_to_model(h.pose, h.model);
    sinew_affine *before = copy_model(&h);
    place_feet(&h, 1.0f / RATE);
    check_same_places(&h, before, 0.0, 2e-5);
    free(before);
    free_hero(&h);
}

// ---- Turning -------------------------------------------------------------------------------------------------

// How far a foot is turned in model space from what the clip shows.
static double foot_turn(hero *h, double slope, place *axis) {
    h->world = (world){.shape = SLOPE, .slope = slope, .direction = 0.4};
    h->state = (sinew_foot_placement_state){0};
    show(h, "Idle", 0.0);
    int32_t foot = node_of(h, "Foot_L");
    sinew_affine before = h->model[foot];
    place_feet(h, 1.0f / RATE);
    sinew_quat b = sinew_affine_decompose(before).rotation, a = sinew_affine_decompose(h->model[foot]).rotation;
    sinew_quat turn = sinew_quat_multiply(a, (sinew_quat){-b.x, -b.y, -b.z, b.w});
    *axis = (place){turn.x, turn.y, turn.z};
    return angle_between(a, b);
}

static void test_a_foot_turns_with_the_slope_up_to_its_limit(void **state) {
    (void)state;
    hero h = make_hero(false);
    h.placement.max_stair = 2.0f;
    place axis, along = {cos(0.4), 0, -sin(0.4)}; // level, across the slope
    for (int degrees = 5; degrees <= 50; degrees += 5) {
        double turned = foot_turn(&h, degrees * PI / 180, &axis);
        check_near(turned, fmin(degrees * PI / 180, 0.7), 2e-3);
        check_near(sin(angle_of(axis, along)), 0.0, 2e-3);
    }
    h.placement.tilt = 0.0f;
    check_near(foot_turn(&h, 0.3, &axis), 0.0, 1e-5);
    free_hero(&h);
}

// ---- Settling ----------------------------------------------------------------------------------------------

// The ground suddenly rises under both feet. They follow like critically damped springs, at rest at first.
static void test_the_pelvis_settles_by_its_formula(void **state) {
    (void)state;
    hero h = make_hero(false);
    h.placement.foot_time = 0.0f;
    h.placement.pelvis_time = 0.2f;
    int32_t hips = node_of(&h, "Hips");
    show(&h, "Idle", 0.0);
    double rest = place_of(&h.model[hips]).y;
    h.world = (world){.shape = LEVEL};
    place_feet(&h, 1.0f / RATE);
    h.world.height = 0.1;
    for (int n = 1; n < 60; n++) {
        show(&h, "Idle", 0.0);
        place_feet(&h, 1.0f / RATE);
        double t = (double)(n - 1) / RATE / 0.2;
        check_near(place_of(&h.model[hips]).y - rest, 0.1 * (1.0 - (1.0 + t) * exp(-t)), 2e-4);
    }
    free_hero(&h);
}

typedef enum change { RISES, SINKS, LEAVES_STEP_BELOW, LEAVES_STEP_ABOVE, ENDS, CHANGES } change;

// What happens to the ground under a hero that stands on it, half a second after the start.
static void change_ground(world *w, change what, double time) {
    bool after = time >= 0.5;
    *w = (world){.shape = LEVEL};
    if (what == RISES) w->height = after ? 0.1 : 0.0;
    if (what == SINKS) w->height = after ? -0.1 : 0.0;
    if (what == LEAVES_STEP_BELOW) w->height = -0.4501 - 0.1 * time; // -0.5 is the limit of `max_stair`
    if (what == LEAVES_STEP_ABOVE) w->height = 0.4501 + 0.1 * time;
    if (what == ENDS) w->height = -0.2, w->shape = after ? NOWHERE : LEVEL;
}

enum { TIMES = 60 };

// The heights of foot and pelvis every sixtieth of a second, and the largest step of either in a frame.
static double stand_on(int rate, change what, double foot[TIMES], double pelvis[TIMES]) {
    hero h = make_hero(false);
    int32_t hips = node_of(&h, "Hips");
    double most = 0.0, was[2] = {0, 0};
    for (int frame = 0; frame < rate; frame++) {
        change_ground(&h.world, what, (double)frame / rate);
        show(&h, "Idle", 0.0);
        place_feet(&h, 1.0f / (float)rate);
        double now[2] = {place_of(&h.model[h.legs[0].leg.end]).y, place_of(&h.model[hips]).y};
        for (int i = 0; i < 2 && frame > 0; i++) most = fmax(most, fabs(now[i] - was[i]));
        memcpy(was, now, sizeof was);
        int tick = frame * TIMES / rate;
        if (frame * TIMES % rate == 0) foot[tick] = now[0], pelvis[tick] = now[1];
    }
    free_hero(&h);
    return most;
}

// Ground that jumps by h is reached without a jump, at 0.37 h / foot_time metres a second at most, at 60 and 240 Hz alike within
// 6 % of h. A foot that sinks waits for its pelvis: the leg does not reach further.
static void test_ground_that_jumps(void **state) {
    (void)state;
    static const double jumps[CHANGES] = {0.1, 0.1, 0.5, 0.5, 0.2}, moved[CHANGES] = {0.1, -0.1, 0.45, -0.45, 0.2};
    for (int what = 0; what < CHANGES; what++) {
        double feet[2][TIMES], pelvis[2][TIMES], most[2], apart = 0.0, pelvis_apart = 0.0;
        for (int i = 0; i < 2; i++) most[i] = stand_on(i ? 240 : 60, (change)what, feet[i], pelvis[i]);
        for (int i = 0; i < TIMES; i++) {
            apart = fmax(apart, fabs(feet[0][i] - feet[1][i]));
            pelvis_apart = fmax(pelvis_apart, fabs(pelvis[0][i] - pelvis[1][i]));
        }
        print_message("a jump of %.1f m: %.1f and %.1f cm a frame; apart by %.1f and %.1f mm\n", jumps[what],
                      1e2 * most[0], 1e2 * most[1], 1e3 * apart, 1e3 * pelvis_apart);
        double speed = 0.37 * jumps[what] / 0.06 + 0.15;
        assert_true(most[0] <= speed / 60 && most[1] <= speed / 240);
        assert_true(moved[what] < 0.0 || most[0] > 0.9 * (speed - 0.2) / 60);
        assert_true(apart < (moved[what] > 0.0 ? 1e-3 : 0.06 * jumps[what]) && pelvis_apart < 0.06 * jumps[what]);
        check_near(feet[0][TIMES - 1] - feet[0][0], moved[what], moved[what] > 0.0 ? 0.005 : 0.03);
    }
}

// Level ground suddenly tilts under a foot. With T = foot_time, t seconds later the normal is the slope's plus the
// difference times (1 + t / T) e^(-t / T).
static void test_a_normal_that_jumps(void **state) {
    (void)state;
    for (int rate = 60; rate <= 240; rate *= 4) {
        hero h = make_hero(false);
        h.world = (world){.shape = LEVEL};
        show(&h, "Idle", 0.0);
        place_feet(&h, 1.0f / (float)rate);
        int32_t foot = h.legs[0].leg.end;
        sinew_quat level = sinew_affine_decompose(h.model[foot]).rotation;
        const double slope = 0.6, time = 0.06;
        h.world = (world){.shape = SLOPE, .slope = slope, .direction = 0.4};
        for (int frame = 0; frame < rate / 2; frame++) {
            show(&h, "Idle", 0.0);
            place_feet(&h, 1.0f / (float)rate);
            double t = (double)frame / rate / time, left = (1.0 + t) * exp(-t);
            double across = sin(slope) * (1.0 - left), up = cos(slope) * (1.0 - left) + left;
            check_near(angle_between(sinew_affine_decompose(h.model[foot]).rotation, level), atan2(across, up),
                       2e-3);
        }
        free_hero(&h);
    }
}

// A lift carries its passenger: the soles stay on it, and the pelvis above them.
static void test_a_lift(void **state) {
    (void)state;
    hero h = make_hero(false);
    for (int i = 0; i < 2; i++) h.legs[i].point_count = 1;
    int32_t hips = node_of(&h, "Hips");
    show(&h, "Idle", 0.0);
    double rest = place_of(&h.model[hips]).y, ankle = place_of(&h.model[h.legs[0].leg.end]).y;
    for (int frame = 0; frame < 180; frame++) {
        double lift = 0.2 * (1.0 - cos(2.0 * PI * frame / RATE));
        h.world = (world){.shape = LEVEL, .height = lift};
        show(&h, "Idle", 0.0);
        place_feet(&h, 1.0f / RATE);
        check_near(place_of(&h.model[h.legs[0].leg.end]).y, ankle + lift, 1e-3);
        check_near(place_of(&h.model[hips]).y, rest + lift, 1e-3);
    }
    free_hero(&h);
}

// Ground that is found in every other frame only: the feet stay between the two heights, and do not shake.
static void test_ground_that_flickers(void **state) {
    (void)state;
    hero h = make_hero(false);
    double was = 0.0, shaking = 0.0;
    for (int frame = 0; frame < 180; frame++) {
        h.world = (world){.shape = frame % 2 ? NOWHERE : LEVEL, .height = 0.15};
        show(&h, "Idle", 0.0);
        place_feet(&h, 1.0f / RATE);
        double now = place_of(&h.model[h.legs[0].leg.end]).y;
        if (frame > 0) shaking = fmax(shaking, fabs(now - was));
        was = now;
    }
    assert_true(shaking < 0.02);
    free_hero(&h);
}

// A step of no time moves nothing, even if the ground jumps in it.
static void test_no_time(void **state) {
    (void)state;
    hero h = make_hero(false);
    h.world = (world){.shape = LEVEL};
    show(&h, "Idle", 0.0);
    place_feet(&h, 0.1f);
    double before = place_of(&h.model[h.legs[0].leg.end]).y;
    for (int i = 0; i < 3; i++) {
        h.world.height = 0.1;
        show(&h, "Idle", 0.0);
        place_feet(&h, 0.0f);
        check_near(place_of(&h.model[h.legs[0].leg.end]).y, before, 1e-6);
    }
    for (int i = 0; i < 2; i++) {
        show(&h, "Idle", 0.0);
        place_feet(&h, 10.0f);
    }
    check_near(place_of(&h.model[h.legs[0].leg.end]).y, before + 0.1, 1e-4);
    free_hero(&h);
}

// As a character's origin is set up a step, all that has settled stays where it is in the world.
static void test_an_origin_that_is_set_up(void **state) {
    (void)state;
    hero h = make_hero(false);
    h.world = (world){.shape = LEVEL, .height = 0.2};
    int32_t hips = node_of(&h, "Hips");
    double before = 0.0;
    for (int frame = 0; frame < 40; frame++) {
        h.world.elevation = frame < 20 ? 0.0 : 0.2;
        show(&h, "Idle", 0.0);
        place_feet(&h, 1.0f / RATE);
        double now = place_of(&h.model[hips]).y + h.world.elevation;
        if (frame > 0) check_near(now, before, 2e-5);
        before = now;
    }
    free_hero(&h);
}

// From a copy of the state come the same bits.
static void test_a_copy_of_the_state_is_a_snapshot(void **state) {
    (void)state;
    hero h = make_hero(false);
    h.world = (world){.shape = STAIRS, .height = 0.15};
    sinew_foot_placement_state saved = {0};
    sinew_affine *first = NULL;
    for (int turn = 0; turn < 2; turn++) {
        h.state = saved;
        for (int frame = turn ? 50 : 0; frame < 100; frame++) {
            if (frame == 50) saved = h.state;
            h.world.way = walking_speed * frame / RATE;
            show(&h, "Walk", (double)frame / RATE);
            place_feet(&h, 1.0f / RATE);
        }
        if (turn == 0) first = copy_model(&h);
    }
    assert_memory_equal(first, h.model, (size_t)h.skeleton->node_count * sizeof *first);
    free(first);
    free_hero(&h);
}

static void test_weight(void **state) {
    (void)state;
    hero h = make_hero(false);
    h.world = (world){.shape = SLOPE, .slope = 0.3};
    double ankles[3];
    for (int i = 0; i < 3; i++) {
        h.state = (sinew_foot_placement_state){0};
        h.placement.weight = 0.5f * (float)i;
        show(&h, "Walk", 0.1);
        sinew_affine *before = copy_model(&h);
        place_feet(&h, 1.0f / RATE);
        size_t size = (size_t)h.skeleton->node_count * sizeof *before;
        if (i == 0) assert_memory_equal(before, h.model, size);
        ankles[i] = place_of(&h.model[node_of(&h, "Foot_R")]).y;
        free(before);
    }
    assert_true(fabs(ankles[2] - ankles[0]) > 0.02);
    check_near((ankles[1] - ankles[0]) / (ankles[2] - ankles[0]), 0.5, 0.02); // rotations are blended
    free_hero(&h);
}

// A knee that's bent backward, such as by a ragdoll, is turned around by the placement. The weight also blends that,
// from a thousandth on.
static void test_the_weight_of_a_knee_that_bends_backward(void **state) {
    (void)state;
    hero h = make_hero(false);
    h.world = (world){.shape = LEVEL, .height = 0.01};
    int32_t thigh = h.legs[0].leg.upper, shin = h.legs[0].leg.lower;
    double turned[3];
    static const float weights[3] = {0.001f, 0.1f, 1};
    for (int i = 0; i < 3; i++) {
        h.state = (sinew_foot_placement_state){0};
        h.placement.weight = weights[i];
        sinew_pose_reset(h.pose);
        sinew_transform bent = sinew_pose_get(h.pose, shin);
        sinew_quat back = sinew_quat_from_axis_angle(h.legs[0].leg.bend_axis, -0.7f);
        bent.rotation = sinew_quat_multiply(bent.rotation, back);
        sinew_pose_set(h.pose, shin, bent);
        sinew_pose_to_model(h.pose, h.model);
        sinew_quat was = sinew_pose_get(h.pose, thigh).rotation;
        place_feet(&h, 1.0f / RATE);
        turned[i] = angle_between(sinew_pose_get(h.pose, thigh).rotation, was);
    }
    assert_true(turned[2] > 0.5);
    check_near(turned[0] / turned[2], 0.001, 2e-4);
    check_near(turned[1] / turned[2], 0.1, 0.01);
    free_hero(&h);
}

// What a ground function answers is not trusted to be a number.
static bool wild_ground(sinew_vec3 at, sinew_foot_ground *out, void *user) {
    int *call = user;
    (void)at;
    *out = (sinew_foot_ground){*call % 2 ? NAN : 0.1f, {*call % 3 ? NAN : 0, 0, 0}};
    ++*call;
    return true;
}

static void test_wild_ground(void **state) {
    (void)state;
    hero h = make_hero(false);
    int calls = 0;
    h.placement.ground = wild_ground;
    h.placement.user = &calls;
    h.placement.feet = h.legs;
    for (int frame = 0; frame < 20; frame++) {
        show(&h, "Walk", 0.05 * frame);
        sinew_foot_placement_solve(&h.placement, 0.05f, &h.state, h.pose, h.model);
        for (int32_t i = 0; i < h.skeleton->node_count; i++) {
            for (int e = 0; e < 12; e++) assert_true(isfinite(h.model[i].m[e / 4][e % 4]));
        }
    }
    free_hero(&h);
}

// Which way the ground slopes, as the caller has it.
static bool sloping_ground(sinew_vec3 at, sinew_foot_ground *out, void *user) {
    const sinew_vec3 *normal = user;
    assert_true(isfinite(at.x) && isfinite(at.y) && isfinite(at.z)); // the caller may look it up in a grid
    *out = (sinew_foot_ground){0.05f, *normal};
    return true;
}

static void place_on(hero *h, sinew_vec3 normal, float elevation) {
    h->placement.ground = sloping_ground;
    h->placement.user = &normal;
    h->placement.feet = h->legs;
    h->placement.elevation = elevation;
    sinew_foot_placement_solve(&h->placement, 0.02f, &h->state, h->pose, h->model);
}

// Where stairs and ledges end, a normal may lie flat, or point down. No foot stands on that: it goes to the height that is
// told, as on level ground.
static void test_a_wall_is_no_slope(void **state) {
    (void)state;
    static const sinew_vec3 walls[] = {{1, 0, 0}, {0, 0, -1}, {0.9999f, 0.01f, 0}, {0, -1, 0}, {0, 0, 0}};
    for (size_t i = 0; i < sizeof walls / sizeof walls[0]; i++) {
        hero h = make_hero(false), level = make_hero(false);
        for (int frame = 0; frame < 10; frame++) {
            show(&h, "Walk", 0.1 * frame);
            show(&level, "Walk", 0.1 * frame);
            place_on(&h, walls[i], 0);
            place_on(&level, (sinew_vec3){0, 1, 0}, 0);
            assert_memory_equal(h.model, level.model, (size_t)h.skeleton->node_count * sizeof *h.model);
        }
        free_hero(&h);
        free_hero(&level);
    }
}

static bool is_finite_state(const sinew_foot_placement_state *state) {
    float sum =
        state->pelvis.target + state->pelvis.velocity + state->pelvis.offset + state->pelvis.offset_velocity;
    for (int i = 0; i < 2; i++) {
        const sinew_foot_settling_normal *of_ground = &state->normals[i];
        sinew_vec3 normal =
            sinew_vec3_add(of_ground->target, sinew_vec3_add(of_ground->offset, of_ground->velocity));
        const sinew_foot_settling *foot = &state->feet[i];
        sum += foot->target + foot->velocity + foot->offset + foot->offset_velocity;
        sum += normal.x + normal.y + normal.z;
    }
    return isfinite(sum);
}

// One NaN frame leaves its pose alone, and later frames aren't affected.
static void test_what_is_no_number_is_forgotten(void **state) {
    (void)state;
    static const float wrong[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 9; i++) {
        hero h = make_hero(false);
        float bad = wrong[i % 3];
        show(&h, "Walk", 0.1);
        place_on(&h, (sinew_vec3){0, 1, 0}, 0);
        show(&h, "Walk", 0.2);
        if (i / 3 == 0) h.pose->tx[h.placement.pelvis] = bad;
        sinew_pose_to_model(h.pose, h.model);
        size_t size = (size_t)h.skeleton->node_count * sizeof *h.model;
        sinew_affine *before = malloc(size);
        memcpy(before, h.model, size);
        place_on(&h, i / 3 == 2 ? (sinew_vec3){0, bad, 0} : (sinew_vec3){0.6f, 0.8f, 0}, i / 3 == 1 ? bad : 0);
        if (i / 3 < 2) assert_memory_equal(h.model, before, size);
        assert_true(is_finite_state(&h.state));
        show(&h, "Walk", 0.3);
        place_on(&h, (sinew_vec3){0, 1, 0}, 0);
        assert_true(isfinite(lowest_sole(&h, 0) + lowest_sole(&h, 1)));
        free(before);
        free_hero(&h);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_sole_goes_below_a_slope),
        cmocka_unit_test(test_stairs_are_climbed_without_a_jump),
        cmocka_unit_test(test_where_z_is_up),
        cmocka_unit_test(test_level_ground),
        cmocka_unit_test(test_level_ground_of_soft_legs),
        cmocka_unit_test(test_no_ground),
        cmocka_unit_test(test_a_jump_stays_a_jump),
        cmocka_unit_test(test_a_foot_turns_with_the_slope_up_to_its_limit),
        cmocka_unit_test(test_the_pelvis_settles_by_its_formula),
        cmocka_unit_test(test_ground_that_jumps),
        cmocka_unit_test(test_a_normal_that_jumps),
        cmocka_unit_test(test_a_lift),
        cmocka_unit_test(test_ground_that_flickers),
        cmocka_unit_test(test_no_time),
        cmocka_unit_test(test_an_origin_that_is_set_up),
        cmocka_unit_test(test_a_copy_of_the_state_is_a_snapshot),
        cmocka_unit_test(test_weight),
        cmocka_unit_test(test_the_weight_of_a_knee_that_bends_backward),
        cmocka_unit_test(test_wild_ground),
        cmocka_unit_test(test_a_wall_is_no_slope),
        cmocka_unit_test(test_what_is_no_number_is_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
