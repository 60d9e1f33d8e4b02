// SPDX-License-Identifier: MIT
// The clips of a walk and a run have a foot on the ground whenever they say so. With locked feet one must be there too, however
// fast the character turns or changes speed: while a foot is in the air, the other one doesn't step.
#include "support/check.h"

#include <sinew/motion/character.h>

#include <float.h>

enum { RATE = 60, SECONDS = 20, LENGTHS = 4, FRAMES = RATE * SECONDS * LENGTHS };

static const double lengths[LENGTHS] = {1.7, 2, 2.2, 2.5}; // of each speed, seconds
static const double on_ground = 0.03; // the most that a foot's lowest sole point is above it, metres

static struct {
    sinew_asset *asset;
    sinew_graph *graph;
    sinew_rig *rig;
    int32_t move; // a parameter
} s;

static int set_up(void **state) {
    (void)state;
    sinew_error error = {0};
    s.asset = load_gltf(SINEW_MODELS "/hero.glb", NULL);
    if (sinew_graph_load_file(SINEW_MODELS "/hero.character.json", NULL, &s.graph, &error) != SINEW_OK)
        fail_msg("%s", error.message);
    sinew_rig_def def = sinew_rig_default();
    def.graph = s.graph;
    def.asset = s.asset;
    if (sinew_rig_create(&def, &s.rig, &error) != SINEW_OK) fail_msg("%s", error.message);
    assert_int_equal(s.rig->foot_count, 2);
    s.move = sinew_graph_find_parameter(s.graph, "move");
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    sinew_rig_destroy(s.rig);
    sinew_graph_destroy(s.graph);
    sinew_asset_destroy(s.asset);
    return 0;
}

static bool find_floor(sinew_vec3 place, sinew_ground *ground, void *user) {
    (void)user;
    place.y = 0;
    *ground = (sinew_ground){place, {0, 1, 0}};
    return true;
}

// ---- A course ------------------------------------------------------------------------------------------------

typedef struct course {
    double acceleration; // metres a second, every second
    double turn;         // radians a second, while the character moves
    double most_air;     // a part of all frames
} course;

typedef struct walker {
    sinew_character *character;
    double x, z, heading, speed;
} walker;

static walker make_walker(bool is_locked) {
    walker w = {0};
    sinew_character_def def = sinew_character_default();
    def.rig = s.rig;
    def.ground = find_floor;
    assert_int_equal(sinew_character_create(&def, &w.character, NULL), SINEW_OK);
    if (!is_locked) sinew_character_set_significance(w.character, 0);
    return w;
}

// Idle, walk, idle, run.
static double wanted_speed(double time, double length) {
    static const double speeds[4] = {0, 1.15, 0, 3.1};
    return speeds[(int)(time / length) % 4];
}

static void move(walker *w, const course *c, double wanted) {
    const double dt = 1.0 / RATE, most = c->acceleration * dt;
    w->speed += fmax(-most, fmin(most, wanted - w->speed));
    if (w->speed > 0) w->heading += c->turn * dt;
    w->x += sin(w->heading) * w->speed * dt;
    w->z += cos(w->heading) * w->speed * dt;
    sinew_animator_set_vector2(sinew_character_animator(w->character), s.move, 0, (float)w->speed);
    const sinew_transform world = {{(float)w->x, 0, (float)w->z}, about_y(w->heading), {1, 1, 1}};
    sinew_character_set_world(w->character, world);
    sinew_character_update(w->character, 1.0f / RATE);
}

// ---- Measuring -----------------------------------------------------------------------------------------------

typedef struct measured {
    int air;        // frames in which both feet are in the air while the clips have one on the ground
    double kick;    // the most that a foot's way in a frame differs from the frame before, metres
    double landing; // the same, in the first tenth of a second of a contact
    double slid;    // the way of soles on the ground, metres
} measured;

typedef struct seen_foot {
    sinew_vec3 joints[3]; // in the last three frames
    sinew_vec3 sole;      // the lowest point
    int32_t point;        // its index
    int contact;          // how many frames it has lasted
} seen_foot;

static void see(const walker *w, const sinew_foot *def, seen_foot *f) {
    const sinew_affine joint = sinew_character_node(w->character, def->leg.end);
    f->joints[0] = f->joints[1], f->joints[1] = f->joints[2];
    f->joints[2] = (sinew_vec3){joint.m[0][3], joint.m[1][3], joint.m[2][3]};
    f->sole.y = FLT_MAX;
    for (int32_t i = 0; i < def->point_count; i++) {
        const sinew_affine node = sinew_character_node(w->character, def->points[i].node);
        const sinew_vec3 at = sinew_affine_point(node, def->points[i].point);
        if (at.y < f->sole.y) f->sole = at, f->point = i;
    }
}

static bool is_down(const seen_foot *f) {
    return (double)f->sole.y <= on_ground;
}

static double kick_of(const seen_foot *f) {
    const sinew_vec3 before = sinew_vec3_subtract(f->joints[1], f->joints[0]);
    const sinew_vec3 kick = sinew_vec3_subtract(sinew_vec3_subtract(f->joints[2], f->joints[1]), before);
    return sqrt((double)sinew_vec3_dot(kick, kick));
}

static double slide_of(const seen_foot *was, const seen_foot *now) {
    if (!is_down(was) || !is_down(now) || was->point != now->point) return 0;
    return hypot((double)(now->sole.x - was->sole.x), (double)(now->sole.z - was->sole.z));
}

static void look(const walker *w, int frame, seen_foot feet[2], measured *m) {
    float contacts[2];
    sinew_foot_contacts_evaluate(s.rig->contacts, sinew_character_mixer(w->character), contacts);
    for (int i = 0; i < 2; i++) {
        const seen_foot was = feet[i];
        see(w, &s.rig->feet[i], &feet[i]);
        if (frame < 3) continue;
        m->kick = fmax(m->kick, kick_of(&feet[i]));
        feet[i].contact = contacts[i] >= 0.5f ? feet[i].contact + 1 : 0;
        if (feet[i].contact > 0 && feet[i].contact <= RATE / 10) m->landing = fmax(m->landing, kick_of(&feet[i]));
        m->slid += slide_of(&was, &feet[i]);
    }
    const bool in_clips = contacts[0] >= 0.5f || contacts[1] >= 0.5f;
    m->air += in_clips && !is_down(&feet[0]) && !is_down(&feet[1]);
}

static void run(const course *c, double length, bool is_locked, measured *m) {
    seen_foot feet[2] = {0};
    walker w = make_walker(is_locked);
    for (int frame = 0; frame < SECONDS * RATE; frame++) {
        move(&w, c, wanted_speed((double)frame / RATE, length));
        look(&w, frame, feet, m);
    }
    sinew_character_destroy(w.character);
}

static measured measure(const course *c, bool is_locked) {
    measured m = {0};
    for (int i = 0; i < LENGTHS; i++) run(c, lengths[i], is_locked, &m);
    print_message(
        "%2.0f m/s2, %.0f rad/s, %-6s: %3d of %d frames in the air, kick %.0f mm, landing %.0f mm, slid %.1f m\n",
        c->acceleration, c->turn, is_locked ? "locked" : "clips", m.air, FRAMES, 1e3 * m.kick, 1e3 * m.landing,
        m.slid);
    return m;
}

// A leg that can't reach its foot any more raises it, so a hard start leaves some frames.
static void test_a_foot_stays_down(void **state) {
    (void)state;
    static const course courses[] = {{8, 0, 0.01}, {8, 1, 0.01}, {8, 3, 0.01}, {20, 0, 0.016}};
    for (size_t i = 0; i < sizeof courses / sizeof *courses; i++) {
        const measured clips = measure(&courses[i], false), locked = measure(&courses[i], true);
        assert_int_equal(clips.air, 0);
        assert_true(locked.air <= courses[i].most_air * FRAMES);
        assert_true(locked.kick < 0.1);
        assert_true(locked.landing < 1.05 * (courses[i].acceleration < 10
                                                 ? clips.landing
                                                 : clips.kick)); // a foot that lands isn't stopped dead
        assert_true(locked.slid < 0.75 * clips.slid);
    }
}

// Counts a walker's feet in its contacts: frames on the ground, and how far soles slide then.
static void count_contacts(const walker *w, seen_foot feet[2], int down[2], measured *m) {
    float contacts[2];
    sinew_foot_contacts_evaluate(s.rig->contacts, sinew_character_mixer(w->character), contacts);
    for (int i = 0; i < 2; i++) {
        const seen_foot was = feet[i];
        see(w, &s.rig->feet[i], &feet[i]);
        feet[i].contact = contacts[i] >= 0.5f ? feet[i].contact + 1 : 0;
        down[i] += feet[i].contact > 0;
        if (feet[i].contact > 1) m->slid += slide_of(&was, &feet[i]);
    }
}

// A slow walk is mostly the idle, which has both feet down all the time. Its feet come off the ground as often as the
// walk's, which are down 0.6 of the time, and planted soles stay where they are.
static void test_a_slow_walk_lifts_its_feet(void **state) {
    (void)state;
    const course c = {.acceleration = 4};
    for (int i = 0; i < 7; i++) {
        const double speed = 0.2 + 0.15 * i;
        seen_foot feet[2] = {0};
        measured m = {0};
        int down[2] = {0}, frames = 10 * RATE;
        walker w = make_walker(true);
        for (int frame = 0; frame < 2 * RATE; frame++) move(&w, &c, speed);
        for (int frame = 0; frame < frames; frame++) move(&w, &c, speed), count_contacts(&w, feet, down, &m);
        print_message("%.2f m/s: on the ground %.2f and %.2f of the time, slid %.2f of %.1f m\n", speed,
                      (double)down[0] / frames, (double)down[1] / frames, m.slid, speed * frames / RATE);
        for (int k = 0; k < 2; k++) assert_in_range(100 * down[k] / frames, 50, 70);
        assert_true(m.slid < 0.02 * speed * frames / RATE);
        sinew_character_destroy(w.character);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_foot_stays_down),
                                       cmocka_unit_test(test_a_slow_walk_lifts_its_feet)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
