// SPDX-License-Identifier: MIT
// What callbacks must not call while the library calls them. With assertions, the call stops the program and names
// itself. Without, it's a no-op, and everything after it works.
#include <sinew/all.h>

#include "support/in_child.h"

#include <stdlib.h>
#include <string.h>

static struct {
    sinew_mixer *mixer, *other;
    sinew_batch_item items[2];
    sinew_batch_budget budget;
    sinew_graph *graph;
    sinew_graph_binding *binding;
    sinew_animator *animator;
    void *snapshot;
    size_t snapshot_size;
    sinew_scene *scene;
    sinew_scene_node hero, sword, box;
    void (*forbidden)(void);
    sinew_result result; // of the forbidden call
    int calls;
} s;

// ---- The forbidden calls -------------------------------------------------------------------------------------

static void mixer_destroy(void) {
    sinew_mixer_destroy(s.mixer);
}
static void mixer_advance(void) {
    sinew_mixer_advance(s.mixer, 0.1f);
}
static void mixer_update(void) {
    if (sinew_mixer_update(s.mixer, 0.1f)) s.result = SINEW_OK;
}
static void mixer_restore(void) {
    if (sinew_mixer_restore(s.mixer, s.snapshot, s.snapshot_size)) s.result = SINEW_OK;
}
static void mixer_stop_all(void) {
    sinew_mixer_stop_all(s.mixer);
}
static void batch_destroy(void) {
    sinew_mixer_destroy(s.other);
}
static void batch_advance(void) {
    sinew_mixer_advance(s.other, 0.1f);
}
static void batch_update_other(void) {
    sinew_mixer_update(s.other, 0.1f);
}
static void batch_restore(void) {
    if (sinew_mixer_restore(s.other, s.snapshot, s.snapshot_size)) s.result = SINEW_OK;
}
static void batch_update(void) {
    sinew_batch_update(s.items, 1, 1, 0.1f);
}
static void batch_catch_up(void) {
    sinew_batch_catch_up(&s.items[1]);
}
static void animator_destroy(void) {
    sinew_animator_destroy(s.animator);
}
static void animator_advance(void) {
    sinew_animator_advance(s.animator, 0.1f);
}
static void animator_update(void) {
    if (sinew_animator_update(s.animator, 0.1f)) s.result = SINEW_OK;
}
static void animator_restore(void) {
    if (sinew_animator_restore(s.animator, s.snapshot, s.snapshot_size)) s.result = SINEW_OK;
}
static void scene_destroy(void) {
    sinew_scene_destroy(s.scene);
}
static void scene_update(void) {
    sinew_scene_update(s.scene, 0.1f);
}
static void scene_remove(void) {
    sinew_scene_remove(s.scene, s.hero);
}
static void scene_detach(void) {
    sinew_scene_detach(s.scene, s.sword, SINEW_REPARENT_KEEP_WORLD);
}
static void scene_attach(void) {
    s.result = sinew_scene_attach(s.scene, s.sword, s.hero, "n1", sinew_transform_identity(), NULL);
}
static void scene_set_parent(void) {
    s.result = sinew_scene_set_parent(s.scene, s.sword, s.box, SINEW_REPARENT_KEEP_WORLD, NULL);
}
static void scene_swap(void) {
    s.result = sinew_scene_swap(s.scene, s.hero, s.box, NULL);
}
static void scene_add_node(void) {
    sinew_scene_node_def def = sinew_scene_node_default();
    sinew_scene_node node;
    s.result = sinew_scene_add_node(s.scene, &def, &node, NULL);
}
static void scene_add_instance(void) {
    sinew_instance_def def = sinew_instance_default();
    sinew_scene_node node;
    s.result = sinew_scene_add_instance(s.scene, &def, &node, NULL);
}
static void scene_set_mixer(void) {
    sinew_mixer_def def = sinew_mixer_default();
    s.result = sinew_scene_set_mixer(s.scene, s.hero, &def, NULL);
}
static void scene_use_mixer(void) {
    s.result = sinew_scene_use_mixer(s.scene, s.hero, s.mixer, NULL);
}
static void scene_use_model(void) {
    s.result = sinew_scene_use_model(s.scene, s.hero, NULL, NULL, NULL);
}
static void recording_call(void) {
    sinew_mixer_stop_all(s.mixer);
}
static void recording_stop(void) {
    s.result = sinew_mixer_record(s.mixer, NULL, NULL, NULL);
}

static void call(void) {
    if (s.calls++ == 0) s.forbidden();
}

// ---- Where they are made -------------------------------------------------------------------------------------

static void on_event(const sinew_event *event, void *user) {
    (void)event, (void)user;
    call();
}

static double read_clock(void *user) {
    (void)user;
    call();
    return 0.0;
}

static float ease(int32_t number, float u, void *user) {
    (void)number, (void)user;
    call();
    return u;
}

static bool edit(sinew_scene *scene, sinew_scene_node instance, sinew_pose *pose, sinew_affine *model, float dt,
                 void *user) {
    (void)scene, (void)instance, (void)pose, (void)model, (void)dt, (void)user;
    call();
    return true;
}

static void write_recording(const void *bytes, size_t size, void *user) {
    (void)bytes, (void)size, (void)user;
    call();
}

static sinew_mixer_def mixer_of(const sinew_skeleton *skeleton) {
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = skeleton;
    def.on_event = on_event;
    return def;
}

static bool make_mixer(const sinew_skeleton *skeleton, const sinew_clip *clip, sinew_mixer **mixer) {
    sinew_mixer_def def = mixer_of(skeleton);
    if (sinew_mixer_create(&def, mixer, NULL) != SINEW_OK) return false;
    return clip ? sinew_mixer_play(*mixer, sinew_clip_source(clip), NULL).id != 0 : true;
}

static void run_mixer(const sinew_skeleton *skeleton, const sinew_clip *clip) {
    if (!make_mixer(skeleton, clip, &s.mixer)) _exit(9);
    s.snapshot_size = sinew_mixer_snapshot_size(s.mixer);
    s.snapshot = malloc(s.snapshot_size);
    sinew_mixer_save(s.mixer, s.snapshot);
    for (int i = 0; i < 4; i++) sinew_mixer_update(s.mixer, 0.4f);
    sinew_mixer_destroy(s.mixer);
    free(s.snapshot);
}

// Two mixers and a snapshot of the second.
static void make_batch(const sinew_skeleton *skeleton, const sinew_clip *clip) {
    if (!make_mixer(skeleton, clip, &s.mixer) || !make_mixer(skeleton, clip, &s.other)) _exit(9);
    s.items[0].mixer = s.mixer, s.items[1].mixer = s.other;
    s.snapshot_size = sinew_mixer_snapshot_size(s.other);
    s.snapshot = malloc(s.snapshot_size);
    sinew_mixer_save(s.other, s.snapshot);
}

static void free_batch(void) {
    sinew_mixer_destroy(s.mixer);
    sinew_mixer_destroy(s.other);
    free(s.snapshot);
}

static void run_batch(const sinew_skeleton *skeleton, const sinew_clip *clip) {
    make_batch(skeleton, clip);
    for (int i = 0; i < 4; i++) sinew_batch_update(s.items, 0, 2, 0.4f);
    free_batch();
}

static void run_clock(const sinew_skeleton *skeleton, const sinew_clip *clip) {
    make_batch(skeleton, clip);
    s.budget = sinew_batch_budget_default();
    s.budget.seconds = 1.0f, s.budget.clock = read_clock;
    for (int i = 0; i < 4; i++) sinew_batch_update_within(&s.budget, s.items, 0, 2, 0.4f);
    free_batch();
}

static void run_easing(const sinew_skeleton *skeleton, const sinew_clip *clip) {
    sinew_mixer_def def = mixer_of(skeleton);
    def.on_event = NULL, def.easing = ease;
    if (sinew_mixer_create(&def, &s.mixer, NULL) != SINEW_OK) _exit(9);
    sinew_play_def play = sinew_play_default();
    play.easing = SINEW_EASING_USER;
    sinew_action action = sinew_mixer_play(s.mixer, sinew_clip_source(clip), &play);
    sinew_action_fade_to(s.mixer, action, 0.5f, 1.0f);
    for (int i = 0; i < 4; i++) sinew_mixer_update(s.mixer, 0.4f);
    sinew_mixer_destroy(s.mixer);
}

static void run_animator(const sinew_skeleton *skeleton, const sinew_clip *clip) {
    static const char text[] =
        "{\"sinewGraph\":1,\"layers\":[{\"name\":\"Base\",\"states\":{\"A\":{\"clip\":\"walk\"}}}]}";
    sinew_graph_binding_def binding = sinew_graph_binding_default();
    sinew_animator_def def = sinew_animator_default();
    sinew_mixer_def mixer = mixer_of(skeleton);
    bool good = sinew_graph_load_memory(text, sizeof text - 1, NULL, &s.graph, NULL) == SINEW_OK;
    binding.graph = s.graph, binding.skeleton = skeleton, binding.clips = clip, binding.clip_count = 1;
    good = good && sinew_graph_bind(&binding, &s.binding, NULL) == SINEW_OK;
    def.binding = s.binding, def.mixer = &mixer;
    if (!good || sinew_animator_create(&def, &s.animator, NULL) != SINEW_OK) _exit(9);
    s.snapshot_size = sinew_animator_snapshot_size(s.animator);
    s.snapshot = malloc(s.snapshot_size);
    sinew_animator_save(s.animator, s.snapshot);
    float elapsed = 0.0f;
    for (int i = 0; i < 4; i++) {
        sinew_animator_update(s.animator, 0.25f);
        elapsed += 0.25f;
    }
    if (sinew_animator_elapsed(s.animator, 0) != elapsed) _exit(8);
    sinew_animator_destroy(s.animator);
    sinew_graph_binding_destroy(s.binding);
    sinew_graph_destroy(s.graph);
    free(s.snapshot);
}

static void run_recording(const sinew_skeleton *skeleton, const sinew_clip *clip) {
    if (!make_mixer(skeleton, NULL, &s.mixer)) _exit(9);
    if (sinew_mixer_record(s.mixer, write_recording, NULL, NULL) != SINEW_OK) _exit(9);
    sinew_mixer_play(s.mixer, sinew_clip_source(clip), NULL);
    for (int i = 0; i < 4; i++) sinew_mixer_update(s.mixer, 0.4f);
    sinew_mixer_destroy(s.mixer);
}

static void make_scene(const sinew_asset *asset, bool edits) {
    sinew_mixer_def mixer = mixer_of(asset->skeleton);
    sinew_scene_def def = sinew_scene_default();
    sinew_instance_def hero = sinew_instance_default();
    sinew_scene_node_def plain = sinew_scene_node_default();
    if (edits) mixer.on_event = NULL;
    hero.asset = asset, hero.mixer = &mixer, hero.edit = edits ? edit : NULL;
    bool good = sinew_scene_create(&def, &s.scene, NULL) == SINEW_OK &&
                sinew_scene_add_instance(s.scene, &hero, &s.hero, NULL) == SINEW_OK &&
                sinew_scene_add_node(s.scene, &plain, &s.sword, NULL) == SINEW_OK &&
                sinew_scene_add_node(s.scene, &plain, &s.box, NULL) == SINEW_OK;
    if (!good) _exit(9);
}

static void run_scene_of(const sinew_skeleton *skeleton, const sinew_clip *clip, bool edits) {
    const sinew_asset asset = {.skeleton = skeleton};
    make_scene(&asset, edits);
    sinew_mixer_play(sinew_scene_mixer(s.scene, s.hero), sinew_clip_source(clip), NULL);
    for (int i = 0; i < 4; i++) sinew_scene_update(s.scene, 0.4f);
    if (!sinew_scene_has(s.scene, s.hero)) _exit(8);
    sinew_scene_destroy(s.scene);
}

static void run_scene(const sinew_skeleton *skeleton, const sinew_clip *clip) {
    run_scene_of(skeleton, clip, false);
}

static void run_edit(const sinew_skeleton *skeleton, const sinew_clip *clip) {
    run_scene_of(skeleton, clip, true);
}

// ---- The table -----------------------------------------------------------------------------------------------

typedef struct forbidden_call {
    const char *name; // that the message has
    void (*make)(void);
    void (*run)(const sinew_skeleton *skeleton, const sinew_clip *clip);
    bool only_asserted;
} forbidden_call;

static const forbidden_call forbidden[] = {
    {"sinew_mixer_destroy", mixer_destroy, run_mixer, false},
    {"sinew_mixer_advance", mixer_advance, run_mixer, false},
    {"sinew_mixer_update", mixer_update, run_mixer, false},
    {"sinew_mixer_restore", mixer_restore, run_mixer, false},
    {"sinew_mixer_destroy", batch_destroy, run_batch, true},
    {"sinew_mixer_destroy", mixer_destroy, run_batch, false},
    {"sinew_mixer_update", mixer_update, run_batch, false},
    {"sinew_mixer_advance", batch_advance, run_batch, true},
    {"sinew_mixer_update", batch_update_other, run_batch, true},
    {"sinew_mixer_restore", batch_restore, run_batch, true},
    {"sinew_batch_update", batch_update, run_batch, true},
    {"sinew_batch_catch_up", batch_catch_up, run_batch, true},
    {"sinew_mixer_destroy", batch_destroy, run_clock, true},
    {"sinew_batch_update", batch_update, run_clock, true},
    {"sinew_mixer_destroy", mixer_destroy, run_easing, false},
    {"`easing`", mixer_stop_all, run_easing, true},
    {"`easing`", mixer_advance, run_easing, true},
    {"sinew_animator_destroy", animator_destroy, run_animator, false},
    {"sinew_animator_advance", animator_advance, run_animator, false},
    {"sinew_animator_update", animator_update, run_animator, false},
    {"sinew_animator_restore", animator_restore, run_animator, false},
    {"a mixer", recording_call, run_recording, false},
    {"recording", recording_stop, run_recording, false},
    {"recording", mixer_destroy, run_recording, false},
    {"sinew_scene_destroy", scene_destroy, run_scene, false},
    {"sinew_scene_update", scene_update, run_scene, false},
    {"sinew_scene_remove", scene_remove, run_scene, false},
    {"sinew_scene_detach", scene_detach, run_scene, false},
    {"sinew_scene_attach", scene_attach, run_scene, false},
    {"sinew_scene_set_parent", scene_set_parent, run_scene, false},
    {"sinew_scene_swap", scene_swap, run_scene, false},
    {"sinew_scene_add_node", scene_add_node, run_scene, false},
    {"sinew_scene_add_instance", scene_add_instance, run_scene, false},
    {"sinew_scene_set_mixer", scene_set_mixer, run_scene, false},
    {"sinew_scene_use_mixer", scene_use_mixer, run_scene, false},
    {"sinew_scene_use_model", scene_use_model, run_scene, false},
    {"sinew_scene_remove", scene_remove, run_edit, false},
    {"sinew_scene_destroy", scene_destroy, run_edit, false},
    {"sinew_scene_update", scene_update, run_edit, false},
};

static int run_case(void *data) {
    const forbidden_call *c = data;
    static sinew_marker marker = {.name = "step", .time = 0.25f};
    sinew_skeleton *skeleton = make_chain(3);
    sinew_channel_def channel = {.node = 1,
                                 .target = SINEW_TARGET_TRANSLATION,
                                 .interpolation = SINEW_INTERPOLATION_LINEAR,
                                 .key_count = 2,
                                 .times = (float[2]){0, 1},
                                 .values = (float[6]){0, 0, 0, 1, 1, 1}};
    sinew_clip_def def = sinew_clip_default();
    def.name = "walk", def.skeleton = skeleton, def.channels = &channel, def.channel_count = 1;
    def.markers = &marker, def.marker_count = 1;
    sinew_clip *clip;
    if (sinew_clip_create(&def, &clip, NULL) != SINEW_OK) return 9;
    s.forbidden = c->make;
    s.result = SINEW_ERROR_ARGUMENT;
    c->run(skeleton, clip);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
    if (s.calls == 0) return 7;
    return s.result == SINEW_ERROR_ARGUMENT ? 0 : 6;
}

static void test_forbidden_calls(void **state) {
    (void)state;
#ifdef NDEBUG
    const bool asserts = false;
#else
    const bool asserts = true;
#endif
    char said[1024];
    for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++) {
        forbidden_call c = forbidden[i];
        if (c.only_asserted && !asserts) continue;
        int status = run_in_child_heard(run_case, &c, said, sizeof said);
        print_message("%2d %-26s %s\n", (int)i, c.name, asserts ? said : "is a no-op");
        assert_int_equal(status, asserts ? -SIGABRT : 0);
        if (asserts) assert_non_null(strstr(said, c.name));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_forbidden_calls)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
