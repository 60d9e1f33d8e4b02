// SPDX-License-Identifier: MIT
// Foot contacts: from pairs of markers, found from the soles' motion, and blended with a mixer's weights. The gaits'
// formulas tell when a foot is on the ground.
#include "support/runner.h"

typedef struct stage {
    sinew_skeleton *skeleton;
    sinew_foot legs[2];
} stage;

static stage s;

static int set_up(void **state) {
    (void)state;
    s.skeleton = make_runner(sinew_transform_identity());
    make_legs(s.skeleton, true, s.legs);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    sinew_skeleton_destroy(s.skeleton);
    return 0;
}

static gait in_place(gait g) {
    g.in_place = true;
    return g;
}

// Contacts agree with the formula except within `tolerance` seconds of their ends.
static void check_contacts(const sinew_clip_contacts *clip, const gait *g, double tolerance) {
    for (int i = 0; i < 1000; i++) {
        double time = g->duration * (i + 0.5) / 1000;
        for (int foot = 0; foot < 2; foot++) {
            bool down = is_down(g, time, foot);
            if (is_down(g, time - tolerance, foot) != down || is_down(g, time + tolerance, foot) != down) continue;
            assert_int_equal(sinew_clip_contacts_at(clip, foot, (float)time), down);
        }
    }
}

static void test_pairs_of_markers(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        const gait *g = i ? &run_gait : &walk_gait;
        sinew_clip *clip = make_gait(s.skeleton, g, true);
        sinew_foot_contacts *contacts = make_contacts(s.skeleton, (const sinew_clip *const *)&clip, 1, s.legs);
        assert_int_equal(contacts->clips[0].source, SINEW_FOOT_CONTACT_SOURCE_MARKERS);
        assert_int_equal(contacts->clips[0].contact_count, 2);
        check_contacts(&contacts->clips[0], g, 1e-6);
        sinew_foot_contacts_destroy(contacts);
        sinew_clip_destroy(clip);
    }
}

static sinew_clip *make_marked(const sinew_marker *markers, int32_t count) {
    static const float times[2] = {0, 1}, values[6] = {0, 0, 0, 0, 0, 1};
    static const sinew_channel_def channel = {HIPS,  SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 2, times,
                                              values};
    sinew_clip_def def = sinew_clip_default();
    def.skeleton = s.skeleton;
    def.channel_count = 1;
    def.channels = &channel;
    def.marker_count = count;
    def.markers = markers;
    sinew_clip *clip;
    assert_int_equal(sinew_clip_create(&def, &clip, NULL), SINEW_OK);
    return clip;
}

// Other markers between the two of a pair do not matter; a marker without its partner makes no contact.
static void test_markers_without_a_partner(void **state) {
    (void)state;
    static const sinew_marker markers[] = {{"L_down", 0.1f}, {"hit", 0.15f},   {"L_down", 0.2f}, {"L_up", 0.4f},
                                           {"L_up", 0.5f},   {"R_down", 0.6f}, {"L_down", 0.9f}, {"L_up", 0.95f}};
    sinew_clip *clips[3] = {make_marked(markers, 8), make_marked(markers, 1), make_marked(NULL, 0)};
    sinew_foot_contacts *contacts = make_contacts(s.skeleton, (const sinew_clip *const *)clips, 3, NULL);
    const sinew_clip_contacts *clip = &contacts->clips[0];
    assert_int_equal(clip->contact_count, 2);
    check_near(clip->contacts[0].start, 0.2, 1e-7);
    check_near(clip->contacts[0].end, 0.4, 1e-7);
    check_near(clip->contacts[1].start, 0.9, 1e-7);
    check_near(clip->contacts[1].end, 0.95, 1e-7);
    for (int i = 1; i < 3; i++) {
        assert_int_equal(contacts->clips[i].source, SINEW_FOOT_CONTACT_SOURCE_NONE);
        assert_false(sinew_clip_contacts_at(&contacts->clips[i], 0, 0.1f));
    }
    sinew_foot_contacts_destroy(contacts);
    for (int i = 0; i < 3; i++) sinew_clip_destroy(clips[i]);
}

// A clip that moves on, and one that walks in place: the ground moves under it.
static void test_found_from_the_motion(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        gait g = i % 2 ? run_gait : walk_gait;
        if (i / 2) g = in_place(g);
        sinew_clip *clip = make_gait(s.skeleton, &g, false);
        sinew_foot_contacts *contacts = make_contacts(s.skeleton, (const sinew_clip *const *)&clip, 1, s.legs);
        const sinew_clip_contacts *found = sinew_foot_contacts_find(contacts, clip);
        assert_int_equal(found->source, SINEW_FOOT_CONTACT_SOURCE_MOTION);
        assert_int_equal(found->contact_count, 2);
        check_contacts(found, &g, 0.02); // the foot is still low and slow as it is lifted
        sinew_foot_contacts_destroy(contacts);
        sinew_clip_destroy(clip);
    }
}

// Feet that were found have no legs, and need none here. Both ways to find contacts agree about the end of the loop.
static void test_found_feet(void **state) {
    (void)state;
    const int32_t nodes[2] = {FOOT_L, FOOT_R};
    sinew_feet feet;
    assert_int_equal(sinew_feet_from_nodes(s.skeleton, nodes, 2, SINEW_UP_Y, &feet, NULL), SINEW_OK);
    const gait g = in_place(walk_gait);
    sinew_clip *clip = make_gait(s.skeleton, &g, false);
    sinew_foot_contacts *contacts = make_contacts(s.skeleton, (const sinew_clip *const *)&clip, 1, feet.feet);
    const sinew_clip_contacts *found = &contacts->clips[0];
    check_contacts(found, &g, 0.02);
    sinew_clip_speed speed;
    assert_true(sinew_clip_measure_speed(clip, &feet, &speed));
    assert_int_equal(found->contact_count, 2);
    assert_int_equal(speed.contact_count, 2);
    int across_the_end = 0;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(speed.contacts[i].foot, found->contacts[i].foot);
        check_near(speed.contacts[i].start, found->contacts[i].start, 0.03);
        check_near(speed.contacts[i].end, found->contacts[i].end, 0.03);
        across_the_end += found->contacts[i].end < found->contacts[i].start;
    }
    assert_true(across_the_end > 0);
    sinew_foot_contacts_destroy(contacts);
    sinew_clip_destroy(clip);
}

// A character that stands has one contact of each foot, all the time; one that hangs in the air has none.
static void test_standing_and_hanging(void **state) {
    (void)state;
    static const float time = 0, air[3] = {0, 1.5f, 0}, ground[3] = {0, 0.9f, 0};
    for (int i = 0; i < 2; i++) {
        sinew_channel_def channel = {HIPS,  SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 1,
                                     &time, i ? air : ground};
        sinew_clip *clip = make_clip(s.skeleton, "stand", &channel, 1);
        sinew_foot_contacts *contacts = make_contacts(s.skeleton, (const sinew_clip *const *)&clip, 1, s.legs);
        for (int foot = 0; foot < 2; foot++) {
            assert_int_equal(sinew_clip_contacts_at(&contacts->clips[0], foot, 0), i == 0);
        }
        sinew_foot_contacts_destroy(contacts);
        sinew_clip_destroy(clip);
    }
}

// A sole that touches for less than `duration` makes no contact. One that leaves the ground for less keeps it.
static void test_short_contacts(void **state) {
    (void)state;
    static const float times[] = {0, 0.3f, 0.31f, 0.33f, 0.34f, 0.6f, 0.61f, 0.8f, 0.81f, 0.83f, 0.84f, 1};
    static const float heights[] = {0.9f, 0.9f, 1.5f, 1.5f, 0.9f, 0.9f, 1.5f, 1.5f, 0.9f, 0.9f, 1.5f, 1.5f};
    float values[12][3] = {{0}};
    for (int i = 0; i < 12; i++) values[i][1] = heights[i];
    sinew_channel_def channel = {HIPS, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 12, times, values[0]};
    sinew_clip *clip = make_clip(s.skeleton, "hop", &channel, 1);
    sinew_foot_contacts *contacts = make_contacts(s.skeleton, (const sinew_clip *const *)&clip, 1, s.legs);
    assert_int_equal(contacts->clips[0].contact_count, 2);
    for (int i = 0; i < 2; i++) {
        check_near(contacts->clips[0].contacts[i].start, 0.0, 1e-6);
        check_near(contacts->clips[0].contacts[i].end, 0.6, 0.01);
    }
    sinew_foot_contacts_destroy(contacts);
    sinew_clip_destroy(clip);
}

// ---- Blended -------------------------------------------------------------------------------------------------

static void test_blended_by_weights(void **state) {
    (void)state;
    sinew_clip *walk = make_gait(s.skeleton, &walk_gait, true), *run = make_gait(s.skeleton, &run_gait, false);
    sinew_clip *other = make_marked(NULL, 0);
    const sinew_clip *const clips[2] = {walk, run};
    sinew_foot_contacts *contacts = make_contacts(s.skeleton, clips, 2, s.legs);
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = s.skeleton;
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    float blended[2] = {9, 9};
    sinew_foot_contacts_evaluate(contacts, mixer, blended);
    assert_true(blended[0] == 0 && blended[1] == 0);

    sinew_play_def play = sinew_play_default();
    sinew_mixer_play(mixer, sinew_clip_source(other), &play); // unknown: ignored
    play.layer = 1;
    sinew_mixer_play(mixer, sinew_clip_source(run), &play); // not in the base: ignored, also while the base runs
    play.layer = 0;
    sinew_action walks = sinew_mixer_play(mixer, sinew_clip_source(walk), &play);
    int both = 0;
    for (int frame = 0; frame < 300; frame++) {
        if (frame == 100) sinew_mixer_crossfade_to(mixer, sinew_clip_source(run), 2.0f, NULL);
        sinew_mixer_advance(mixer, 0.01f);
        sinew_foot_contacts_evaluate(contacts, mixer, blended);
        sinew_action runs = sinew_mixer_find(mixer, sinew_clip_source(run), 0);
        double a = sinew_action_weight(mixer, walks), b = sinew_action_weight(mixer, runs);
        for (int foot = 0; foot < 2; foot++) {
            double time = sinew_action_time(mixer, walks);
            bool of_walk = is_down(&walk_gait, time, foot);
            if (is_down(&walk_gait, time + 1e-4, foot) != is_down(&walk_gait, time - 1e-4, foot)) continue;
            bool of_run = sinew_clip_contacts_at(&contacts->clips[1], foot, sinew_action_time(mixer, runs));
            check_near(blended[foot], (a * of_walk + b * of_run) / (a + b), 1e-5);
            both += of_walk != of_run && a > 0.1 && b > 0.1;
        }
    }
    assert_true(both > 50);
    sinew_mixer_destroy(mixer);
    sinew_foot_contacts_destroy(contacts);
    sinew_clip_destroy(walk);
    sinew_clip_destroy(run);
    sinew_clip_destroy(other);
}

// ---- Wrong definitions ---------------------------------------------------------------------------------------

static void check_refused(const sinew_foot_contacts_def *def, const char *message) {
    sinew_foot_contacts *contacts = (sinew_foot_contacts *)(void *)&s;
    sinew_error error = {0};
    assert_int_equal(sinew_foot_contacts_create(def, &contacts, &error), SINEW_ERROR_ARGUMENT);
    assert_null(contacts);
    assert_non_null(strstr(error.message, message));
}

static void test_wrong_definitions(void **state) {
    (void)state;
    sinew_skeleton *other = make_runner(sinew_transform_identity());
    sinew_clip *clip = make_gait(s.skeleton, &walk_gait, true), *foreign = make_gait(other, &walk_gait, true);
    sinew_clip *additive;
    assert_int_equal(sinew_clip_make_additive(clip, NULL, NULL, &additive, NULL), SINEW_OK);
    const sinew_clip *clips[1] = {clip};
    sinew_foot_contacts_def good = sinew_foot_contacts_default(), def;
    good.skeleton = s.skeleton;
    good.clips = clips;
    good.clip_count = 1;
    good.foot_count = 2;

    def = good, def.skeleton = NULL, check_refused(&def, "skeleton");
    def = good, def.foot_count = 0, check_refused(&def, "foot_count is 0");
    def = good, def.foot_count = SINEW_MAX_FEET + 1, check_refused(&def, "foot_count is 9");
    def = good, def.clips = NULL, check_refused(&def, "clip_count");
    def = good, def.up_names = up_names, check_refused(&def, "down_names");
    def = good, def.speed = NAN, check_refused(&def, "speed");
    const char *const half[2] = {"L_down", NULL};
    def = good, def.up_names = up_names, def.down_names = half, check_refused(&def, "foot 1");
    const sinew_foot zero[2] = {{.point_count = 0}};
    def = good, def.feet = zero, check_refused(&def, "feet[0] has no sole points");
    sinew_foot feet[2] = {s.legs[0], s.legs[1]};
    feet[1].points[1].node = s.skeleton->node_count;
    def = good, def.feet = feet, check_refused(&def, "feet[1] has no sole points");
    clips[0] = foreign, check_refused(&good, "different skeleton");
    clips[0] = additive, check_refused(&good, "additive");
    clips[0] = NULL, check_refused(&good, "clips[0] is NULL");

    sinew_foot_contacts_destroy(NULL);
    sinew_clip_destroy(clip);
    sinew_clip_destroy(foreign);
    sinew_clip_destroy(additive);
    sinew_skeleton_destroy(other);
}

static void test_out_of_memory(void **state) {
    (void)state;
    sinew_clip *clip = make_gait(s.skeleton, &walk_gait, false);
    const sinew_clip *const clips[1] = {clip};
    for (int fail_at = 0; fail_at < 4; fail_at++) {
        counting heap = {.fail_at = fail_at};
        sinew_foot_contacts_def def = sinew_foot_contacts_default();
        def.skeleton = s.skeleton;
        def.clips = clips;
        def.clip_count = 1;
        def.foot_count = 2;
        def.feet = s.legs;
        def.allocator = counting_allocator(&heap);
        sinew_foot_contacts *contacts;
        sinew_result expected = fail_at ? SINEW_ERROR_OUT_OF_MEMORY : SINEW_OK;
        assert_int_equal(sinew_foot_contacts_create(&def, &contacts, NULL), expected);
        if (!fail_at) assert_int_equal(heap.allocations, 3);
        sinew_foot_contacts_destroy(contacts);
        assert_int_equal(heap.live, 0);
    }
    sinew_clip_destroy(clip);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs_of_markers),      cmocka_unit_test(test_markers_without_a_partner),
        cmocka_unit_test(test_found_from_the_motion), cmocka_unit_test(test_found_feet),
        cmocka_unit_test(test_standing_and_hanging),  cmocka_unit_test(test_short_contacts),
        cmocka_unit_test(test_blended_by_weights),    cmocka_unit_test(test_wrong_definitions),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
