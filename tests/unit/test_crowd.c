// SPDX-License-Identifier: MIT
// The sample renderer's crowds: how many draws and uploads they take, and that they look like their characters drawn
// one by one. The command line names the context (see gl_context.h), then the number of heroes to draw.
#include "support/check.h"
#include "support/gl_context.h"

#include "render/crowd.h"
#include "render/renderer.h"
#include "render/target.h"

#include <stdio.h>

enum { WIDTH = 480, HEIGHT = 270, MOST_PARTS = 16, MOST_SINGLES = 6 };

static const char *context;
static int hero_count = 30; // a thousand take a while

// ---- The stage -----------------------------------------------------------------------------------------------

typedef struct stage {
    sinew_gl *gl;
    sinew_asset *asset;
    char path[512];
    draw_renderer renderer;
    draw_target target;
    draw_crowd crowd;
    draw_view view;
} stage;

static void expect(bool good, const sinew_error *error) {
    if (!good) fail_msg("%s", error->message);
}

static void aim(stage *s) {
    draw_framing framing = draw_framing_start((float)WIDTH / (float)HEIGHT, 0.5f, 0.4f);
    draw_crowd_frame(&s->crowd, &framing);
    s->view = (draw_view){.camera = draw_framing_camera(&framing),
                          .least = framing.least,
                          .most = framing.most,
                          .ground = draw_framing_center(&framing),
                          .radius = draw_framing_radius(&framing)};
}

static stage *open_stage(const char *file, int32_t count, bool baked) {
    static stage s;
    sinew_error error;
    gl_context_reset_proxy();
    s = (stage){.gl = NULL};
    snprintf(s.path, sizeof s.path, "%s%s", file[0] == '/' ? "" : SINEW_MODELS "/", file);
    expect(sinew_gltf_load_file(s.path, NULL, &s.asset, &error) == SINEW_OK, &error);
    sinew_gl_def def = sinew_gl_default();
    def.get_proc_address = gl_proxy_proc;
    expect(sinew_gl_create(&def, &s.gl, &error) == SINEW_OK, &error);
    expect(draw_target_create(&s.target, WIDTH, HEIGHT, &error), &error);
    expect(draw_renderer_create(&s.renderer, s.gl, count, &error), &error);
    const draw_crowd_def crowd = {s.asset, s.path, count, baked};
    expect(draw_crowd_create(&s.crowd, &crowd, &error), &error);
    expect(draw_crowd_upload(&s.crowd, s.gl, &error), &error);
    aim(&s);
    return &s;
}

static void close_stage(stage *s) {
    draw_crowd_free(&s->crowd);
    draw_renderer_free(&s->renderer);
    draw_target_free(&s->target);
    sinew_gl_destroy(s->gl);
    sinew_asset_destroy(s->asset);
    gl_proxy_expect_clean();
}

static draw_picture paint(stage *s, const draw_model *models, int count, const draw_model *crowd) {
    draw_picture picture;
    sinew_error error;
    const draw_look look = draw_look_default();
    s->view.crowd = crowd;
    expect(draw_renderer_draw(&s->renderer, s->target.framebuffer, WIDTH, HEIGHT, &look, &s->view, models, count,
                              &error),
           &error);
    assert_true(draw_picture_create(&picture, WIDTH, HEIGHT));
    draw_target_read(&s->target, &picture);
    return picture;
}

static draw_picture paint_crowd(stage *s, float seconds) {
    draw_crowd_advance(&s->crowd, seconds);
    draw_crowd_pose(&s->crowd);
    return paint(s, NULL, 0, &s->crowd.model);
}

// ---- Pictures ------------------------------------------------------------------------------------------------

static int differing(const draw_picture *a, const draw_picture *b, int tolerance) {
    int count = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        bool same = true;
        for (int k = 0; k < 4; k++) same = same && abs(a->rgba[4 * i + k] - b->rgba[4 * i + k]) <= tolerance;
        count += !same;
    }
    return count;
}

// They're the same within a grey level, except for one pixel in a thousand, and aren't empty.
static void expect_same(stage *s, draw_picture of_crowd, draw_picture of_singles) {
    draw_picture empty = paint(s, NULL, 0, NULL);
    assert_true(differing(&of_crowd, &empty, 20) > WIDTH * HEIGHT / 500);
    const int off = differing(&of_crowd, &of_singles, 1);
    print_message("%s, %s: %d of %d pixels differ\n", s->path, context, off, WIDTH * HEIGHT);
    assert_true(off <= WIDTH * HEIGHT / 1000);
    draw_picture_free(&empty);
    draw_picture_free(&of_crowd);
    draw_picture_free(&of_singles);
}

// ---- Many heroes ---------------------------------------------------------------------------------------------

// Heroes drawn one by one. Each has its own palette and one place; they share a mesh.
typedef struct heroes {
    draw_model one; // that has the mesh
    int count;
    draw_model *models;
    draw_part *parts;
    sinew_gl_records **palettes;
    sinew_pose *pose;
    sinew_affine *model, *palette;
} heroes;

static void pose_hero(heroes *h, const stage *s, int index, float seconds) {
    const draw_character *who = &s->crowd.characters[index];
    const sinew_clip *clip = s->crowd.clips[who->clip];
    const sinew_skin *skin = &s->asset->skins[0];
    const double time = fmod(who->time + (double)seconds * who->speed, clip->duration);
    sinew_clip_sample(clip, (float)time, h->pose);
    sinew_pose_to_model(h->pose, h->model);
    sinew_skin_palette(skin, h->model, h->palette);
    sinew_gl_records_update(h->palettes[index], h->palette, skin->joint_count);
}

static void make_hero(heroes *h, const stage *s, int index) {
    sinew_error error;
    sinew_gl_records_def def = sinew_gl_records_default();
    def.format.joint_count = s->asset->skins[0].joint_count;
    expect(sinew_gl_records_create(s->gl, &def, &h->palettes[index], &error) == SINEW_OK, &error);
    h->models[index] = h->one;
    h->models[index].is_seen = true;
    h->models[index].palettes = &h->palettes[index];
    h->models[index].parts = &h->parts[index];
    h->parts[index] = h->one.parts[0];
    h->parts[index].world = s->crowd.characters[index].transform;
}

static heroes make_heroes(const stage *s, float seconds) {
    sinew_error error;
    const int count = s->crowd.def.count;
    heroes h = {.count = count};
    expect(draw_model_create(&h.one, s->gl, s->asset, s->path, &error), &error);
    assert_int_equal(h.one.part_count, 1); // a mesh of one primitive, with the only skin
    assert_int_equal(s->asset->skin_count, 1);
    h.models = calloc((size_t)count, sizeof *h.models);
    h.parts = calloc((size_t)count, sizeof *h.parts);
    h.palettes = calloc((size_t)count, sizeof *h.palettes); // NOLINT(bugprone-sizeof-expression): pointers
    h.model = calloc((size_t)s->asset->skeleton->node_count, sizeof *h.model);
    h.palette = calloc((size_t)s->asset->skins[0].joint_count, sizeof *h.palette);
    assert_true(h.models && h.parts && h.palettes && h.model && h.palette);
    assert_int_equal(sinew_pose_create(s->asset->skeleton, NULL, &h.pose), SINEW_OK);
    for (int i = 0; i < count; i++) {
        make_hero(&h, s, i);
        pose_hero(&h, s, i, seconds);
    }
    return h;
}

static void free_heroes(heroes *h) {
    for (int i = 0; i < h->count; i++) sinew_gl_records_destroy(h->palettes[i]);
    draw_model_free(&h->one);
    sinew_pose_destroy(h->pose);
    free(h->models);
    free(h->parts);
    free(h->palettes);
    free(h->model);
    free(h->palette);
}

// Catches a crowd that's drawn or uploaded one by one, and characters that aren't in the right place, or not in their
// clip's pose at the right time.
static void many_heroes_are_one_draw_and_one_upload(void **state) {
    (void)state;
    if (!gl_context_is_open()) skip();
    const int count = hero_count;
    stage *s = open_stage("hero.glb", count, false);
    gl_proxy_reset();
    draw_picture of_crowd = paint_crowd(s, 0.5f);
    const gl_counts counts = gl_proxy_counts();
    assert_int_equal(counts.draws, 2); // one for the shadow, and one for the picture
    assert_int_equal(counts.instances, 2 * count);
    assert_int_equal(counts.uploads, 1);
    const sinew_gpu_record_format format = {SINEW_GPU_RECORD_ROWS, s->asset->skins[0].joint_count, 0, true};
    const size_t bytes = (size_t)count * 16 * (size_t)sinew_gpu_record_texel_count(&format);
    assert_in_range(counts.upload_bytes, bytes, bytes + (size_t)16 * SINEW_TEXTURE_WIDTH); // of textures whole rows

    heroes h = make_heroes(s, 0.5f);
    gl_proxy_reset();
    draw_picture of_singles = paint(s, h.models, h.count, NULL);
    assert_int_equal(gl_proxy_counts().draws, 2 * count);
    expect_same(s, of_crowd, of_singles);
    free_heroes(&h);
    close_stage(s);
}

// The ground has two maps; each draws the crowd once more.
static void a_ground_is_two_more_draws(void **state) {
    (void)state;
    if (!gl_context_is_open()) skip();
    stage *s = open_stage("hero.glb", 5, false);
    s->view.show_ground = true;
    gl_proxy_reset();
    draw_picture picture = paint_crowd(s, 0.1f);
    assert_int_equal(gl_proxy_counts().draws, 4);
    assert_int_equal(gl_proxy_counts().uploads, 1);
    draw_picture_free(&picture);
    close_stage(s);
}

// ---- Animation textures --------------------------------------------------------------------------------------

// Catches a crowd with an animation texture that has other poses than the same crowd with mixers, or isn't uploaded
// as a handful of texels each.
static void a_baked_crowd_looks_the_same(void **state) {
    (void)state;
    if (!gl_context_is_open()) skip();
    enum { COUNT = 20 };
    stage *s = open_stage("hero.glb", COUNT, false);
    draw_picture before = paint_crowd(s, 0.6667f), mixed = paint_crowd(s, 0.0333f);
    close_stage(s);
    s = open_stage("hero.glb", COUNT, true);
    gl_proxy_reset();
    draw_picture baked = paint_crowd(s, 0.7f);
    assert_int_equal(gl_proxy_counts().draws, 2);
    assert_int_equal(gl_proxy_counts().uploads, 1);
    assert_in_range(gl_proxy_counts().upload_bytes, COUNT * 16 * (3 + 2), 16 * SINEW_TEXTURE_WIDTH);
    // What the texture is off is millimetres, a small part of a pixel: far less than what a frame makes.
    const int off = differing(&mixed, &baked, 20), moved = differing(&mixed, &before, 20);
    print_message("baked, %s: %d pixels differ, %d from the frame before\n", context, off, moved);
    assert_true(moved > WIDTH * HEIGHT / 100 && off <= moved / 10);
    draw_picture_free(&before);
    draw_picture_free(&mixed);
    draw_picture_free(&baked);
    close_stage(s);
}

// ---- Any file ------------------------------------------------------------------------------------------------

static void show_both_sides(draw_model *model) {
    for (int i = 0; i < model->part_count; i++) model->parts[i].winding = DRAW_WINDING_MIXED;
}

// A crowd's triangles are seen from whichever side one character's are. Both sides are shown from then on: many triangles
// of these files turn their backs.
static void expect_hands(const draw_model *crowd, draw_model *single) {
    assert_int_equal(crowd->part_count, single->part_count);
    for (int i = 0; i < single->part_count; i++) {
        const draw_winding winding = crowd->parts[i].winding;
        assert_true(winding == single->parts[i].winding || winding == DRAW_WINDING_MIXED);
    }
    show_both_sides(single);
}

// Instances in a scene, drawn as models of their own.
static draw_picture paint_singles(stage *s, float seconds) {
    draw_model models[MOST_SINGLES];
    sinew_scene_def scene_def = sinew_scene_default();
    sinew_scene *scene;
    sinew_error error;
    assert_int_equal(sinew_scene_create(&scene_def, &scene, NULL), SINEW_OK);
    const int count = s->crowd.def.count;
    sinew_scene_node nodes[MOST_SINGLES];
    assert_in_range(count, 1, MOST_SINGLES);
    for (int i = 0; i < count; i++) {
        const draw_character *who = &s->crowd.characters[i];
        sinew_instance_def def = sinew_instance_default();
        sinew_play_def play = sinew_play_default();
        def.asset = s->asset;
        expect(sinew_scene_add_instance(scene, &def, &nodes[i], &error) == SINEW_OK, &error);
        sinew_scene_set_matrix(scene, nodes[i], who->transform);
        play.time = who->time;
        play.speed = who->speed;
        sinew_mixer_play(sinew_scene_mixer(scene, nodes[i]), sinew_clip_source(s->crowd.clips[who->clip]), &play);
        expect(draw_model_create(&models[i], s->gl, s->asset, s->path, &error), &error);
        models[i].is_seen = true;
    }
    sinew_scene_update(scene, seconds);
    for (int i = 0; i < count; i++) {
        draw_model_pose(&models[i], scene, nodes[i]);
        expect_hands(&s->crowd.model, &models[i]);
    }
    draw_picture picture = paint(s, models, count, NULL);
    for (int i = 0; i < count; i++) draw_model_free(&models[i]);
    sinew_scene_destroy(scene);
    return picture;
}

static void expect_looks_of(const char *file) {
    stage *s = open_stage(file, 5, false);
    draw_picture of_singles = paint_singles(s, 0.3f);
    show_both_sides(&s->crowd.model);
    gl_proxy_reset();
    draw_picture of_crowd = paint_crowd(s, 0.3f);
    assert_int_equal(gl_proxy_counts().draws, 2 * s->crowd.model.part_count);
    assert_int_equal(gl_proxy_counts().uploads, 1);
    expect_same(s, of_crowd, of_singles);
    close_stage(s);
}

// Catches joints of the wrong skin, meshes that hang on the wrong node, morph weights of another mesh or character, and
// mirrored triangles that are seen from behind.
static void whatever_the_file_holds(void **state) {
    (void)state;
    if (!gl_context_is_open()) skip();
    static const char *const files[] = {
        "hero.glb",                                // a skin
        "windmill.glb",                            // many meshes, and none
        "conformance/two-skins-one-skeleton.gltf", // a mesh with each of two
        "conformance/morph-before-skin.gltf",
        "conformance/morph-whose-weights.gltf", // two meshes, each with its own
        "conformance/mirrored-joint.gltf",
        "conformance/skinned-mesh-ignores-its-node.gltf",
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) expect_looks_of(files[i]);
    const char *assets = getenv("SINEW_ASSETS");
    char path[400];
    snprintf(path, sizeof path, "%s/robotexpressive/RobotExpressive.glb", assets ? assets : "");
    if (assets) expect_looks_of(path); // two skins, morph targets, and meshes that hang on bones
    if (!assets) print_message("SINEW_ASSETS is not set: a file with everything at once is left out\n");
}

// ---- Who stands where ----------------------------------------------------------------------------------------

static double apart(sinew_affine a, sinew_affine b) {
    return hypot((double)a.m[0][3] - b.m[0][3], (double)a.m[2][3] - b.m[2][3]);
}

// Catches two in the same place, one in the middle where the first one is, and a crowd where all do the same.
static void nobody_stands_in_anothers_way(void **state) {
    (void)state;
    sinew_error error;
    sinew_asset *asset;
    expect(sinew_gltf_load_file(SINEW_MODELS "/hero.glb", NULL, &asset, &error) == SINEW_OK, &error);
    for (int count = 1; count <= 50; count++) {
        draw_crowd crowd;
        const draw_crowd_def def = {asset, "hero.glb", count, false};
        expect(draw_crowd_create(&crowd, &def, &error), &error);
        bool plays[3] = {false};
        assert_int_equal(crowd.clip_count, 3);
        for (int i = 0; i < count; i++) {
            const draw_character *who = &crowd.characters[i];
            assert_true(apart(who->transform, sinew_affine_identity()) > 0.8);
            assert_true(apart(who->transform, sinew_affine_identity()) < 1.8 * (1.0 + sqrt(2.0 * count)));
            for (int k = 0; k < i; k++) {
                assert_true(apart(who->transform, crowd.characters[k].transform) > 0.8);
                assert_true(who->time != crowd.characters[k].time);
            }
            plays[who->clip] = true;
            assert_true(who->time >= 0.0f && who->time <= crowd.clips[who->clip]->duration);
        }
        assert_true(count < 20 || (plays[0] && plays[1] && plays[2]));
        draw_crowd_free(&crowd);
    }
    sinew_asset_destroy(asset);
}

// ---- What cannot be ------------------------------------------------------------------------------------------

static void expect_refused(const char *file, bool baked, const char *why) {
    sinew_error error;
    sinew_asset *asset;
    char path[512];
    snprintf(path, sizeof path, "%s/%s", SINEW_MODELS, file);
    expect(sinew_gltf_load_file(path, NULL, &asset, &error) == SINEW_OK, &error);
    draw_crowd crowd;
    const draw_crowd_def def = {asset, file, 3, baked};
    assert_false(draw_crowd_create(&crowd, &def, &error));
    if (!strstr(error.message, file) || !strstr(error.message, why)) fail_msg("'%s'", error.message);
    draw_crowd_free(&crowd);
    sinew_asset_destroy(asset);
}

static void a_file_must_have_clips_and_something_to_draw(void **state) {
    (void)state;
    expect_refused("sword.glb", false, "no clips");
    expect_refused("sword.glb", true, "no clips");
    expect_refused("conformance/single-key-step.gltf", false, "nothing to draw");
}

int main(int argc, char **argv) {
    context = argc > 1 ? argv[1] : "4.5";
    if (argc > 2) {
        hero_count = (int)strtol(argv[2], NULL, 10);
        cmocka_set_test_filter("many_heroes*");
    }
    gl_context_open(context);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_stands_in_anothers_way),
        cmocka_unit_test(a_file_must_have_clips_and_something_to_draw),
        cmocka_unit_test(whatever_the_file_holds),
        cmocka_unit_test(a_ground_is_two_more_draws),
        cmocka_unit_test(a_baked_crowd_looks_the_same),
        cmocka_unit_test(many_heroes_are_one_draw_and_one_upload),
    };
    const int failed = cmocka_run_group_tests_name("crowd", tests, NULL, NULL);
    gl_context_close();
    return failed;
}
