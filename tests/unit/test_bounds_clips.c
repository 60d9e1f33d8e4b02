// SPDX-License-Identifier: MIT
// Bounds of whole clips: they contain every vertex at every time, also between keys, and aren't much larger than
// needed.
#include "support/files.h"
#include "support/posed_asset.h"
#include "support/trials.h"

#include <stdio.h>

// Times of a clip that are tried, besides those at and next to its keys.
enum { TIMES = TRIALS(300, 40), KEYS = TRIALS(300, 20) };

static sinew_box bounds_of(const sinew_bounds *bounds, const sinew_clip *const *clips, int32_t count) {
    sinew_box box;
    sinew_error error = {0};
    if (sinew_bounds_clips(bounds, clips, count, NULL, &box, &error) != SINEW_OK) fail_msg("%s", error.message);
    return box;
}

static double longest_side(sinew_box b) {
    return fmax((double)b.max.x - b.min.x, fmax((double)b.max.y - b.min.y, (double)b.max.z - b.min.z));
}

// How far a box sticks out of another one, at most.
static double excess(sinew_box outer, sinew_box inner) {
    const double low = fmax((double)inner.min.x - outer.min.x,
                            fmax((double)inner.min.y - outer.min.y, (double)inner.min.z - outer.min.z));
    const double high = fmax((double)outer.max.x - inner.max.x,
                             fmax((double)outer.max.y - inner.max.y, (double)outer.max.z - inner.max.z));
    return fmax(low, high);
}

// ---- Vertices ------------------------------------------------------------------------------------------------------

static int outside;

static void check_vertex(const sinew_box *box, double x, double y, double z) {
    outside += !(x >= box->min.x && y >= box->min.y && z >= box->min.z && x <= box->max.x && y <= box->max.y &&
                 z <= box->max.z);
}

static void check_vertices(posed *p, const sinew_box *box) {
    for (int32_t i = 0; i < p->asset->mesh_node_count; i++) {
        const sinew_mesh_node *mesh_node = &p->asset->mesh_nodes[i];
        const sinew_mesh *mesh = &p->asset->meshes[mesh_node->mesh];
        for (int32_t k = 0; k < mesh->primitive_count && mesh_node->in_scene && mesh_node->visible; k++) {
            const sinew_primitive *of = &mesh->primitives[k];
            if (of->vertex_count == 0) continue;
            posed_move(p, mesh_node, of);
            for (int32_t n = 0; n < of->index_count; n++) {
                const ptrdiff_t v = 3 * (ptrdiff_t)of->indices[n];
                check_vertex(box, p->moved[v], p->moved[v + 1], p->moved[v + 2]);
                check_vertex(box, p->exact[v], p->exact[v + 1], p->exact[v + 2]);
            }
        }
    }
}

// Checks a pose of the clip. Vertices cost much, so only every few poses have theirs looked at.
static void check_time(posed *p, const sinew_clip *clip, float time, const sinew_box *box, sinew_box *seen, int n) {
    sinew_box now;
    sinew_clip_sample(clip, time, p->pose);
    sinew_pose_to_model(p->pose, p->model);
    sinew_bounds_pose(p->asset->bounds, p->model, p->pose->weights, &now, NULL);
    *seen = sinew_box_union(*seen, now);
    outside = 0;
    if (n % 8 == 0) check_vertices(p, box);
    if (outside > 0) fail_msg("%s at %g s: %d vertices are outside", clip->name, (double)time, outside);
}

// The key times of a clip and the times next to them, at most KEYS of each timeline.
static void check_keys(posed *p, const sinew_clip *clip, const sinew_box *box, sinew_box *seen) {
    for (int32_t i = 0; i < clip->timeline_count && i < 8; i++) {
        const sinew_timeline *timeline = &clip->timelines[i];
        const int32_t step = 1 + timeline->key_count / KEYS;
        for (int32_t k = 0; k < timeline->key_count; k += step) {
            const float time = sinew_timeline_time(timeline, k);
            check_time(p, clip, time, box, seen, k);
            check_time(p, clip, nextafterf(time, 0), box, seen, k);
        }
    }
}

// ---- Files ---------------------------------------------------------------------------------------------------------

static int checked_clips;
static double worst;

static void check_clip(posed *p, const char *name, const sinew_clip *clip) {
    const sinew_box box = bounds_of(p->asset->bounds, &clip, 1);
    sinew_box seen = sinew_box_empty();
    for (int t = 0; t <= TIMES; t++) check_time(p, clip, clip->duration * (float)t / TIMES, &box, &seen, t);
    check_keys(p, clip, &box, &seen);
    const double excess_there = excess(box, seen) / longest_side(seen);
    if (!(excess_there < TRIALS(0.02, 0.2)) || !(excess_there >= -1e-6))
        fail_msg("%s, %s: the box sticks out by %g of its size", name, clip->name, excess_there);
    worst = fmax(worst, excess_there);
    checked_clips++;
}

static void check_file(const char *path) {
    if (strstr(path, "meshopt") && !posed_can_decode) return;
    sinew_asset *asset = posed_load(path, SINEW_UP_Y);
    posed p = posed_make(asset);
    for (int32_t i = 0; i < asset->clip_count && asset->bounds->box_count > 0; i++) {
        if (!asset->clips[i].additive) check_clip(&p, strrchr(path, '/') + 1, &asset->clips[i]);
    }
    posed_free(&p);
    sinew_asset_destroy(asset);
}

static void check_folder(const char *folder) {
    checked_clips = 0, worst = 0;
    for_each_file(folder, ".glb .gltf", check_file);
    print_message("%s: %d clips, at most %.2f%% larger than what was seen\n", folder, checked_clips, 100 * worst);
    assert_true(checked_clips > 10);
}

static void test_models(void **state) {
    (void)state;
    check_folder(SINEW_MODELS);
}

static void test_assets(void **state) {
    (void)state;
    check_folder(other_peoples_files());
}

static void test_compressed_clips(void **state) {
    (void)state;
    sinew_asset *asset = posed_load_model("hero.glb");
    posed p = posed_make(asset);
    sinew_compress_def def = sinew_compress_default();
    def.max_error = 0.02f; // coarse: modes round much
    for (int32_t i = 0; i < asset->clip_count; i++) {
        sinew_clip *clip;
        sinew_error error = {0};
        if (sinew_clip_compress(&asset->clips[i], &def, &clip, &error) != SINEW_OK) fail_msg("%s", error.message);
        check_clip(&p, "compressed", clip);
        sinew_clip_destroy(clip);
    }
    posed_free(&p);
    sinew_asset_destroy(asset);
}

// ---- Between keys --------------------------------------------------------------------------------------------------

// A chain of three bars, 1 m each, with a vertex at each end.
typedef struct bars {
    sinew_skeleton *skeleton;
    sinew_bounds *bounds;
} bars;

static bars make_bars(void) {
    bars b = {.skeleton = make_chain(3)};
    static const float positions[6] = {0, 0, 0, 0, 1, 0};
    static const int32_t nodes[3] = {0, 1, 2};
    const sinew_bounds_mesh mesh = {.node_count = 3, .vertex_count = 2, .nodes = nodes, .positions = positions};
    sinew_bounds_def def = sinew_bounds_default();
    def.skeleton = b.skeleton;
    def.mesh_count = 1;
    def.meshes = &mesh;
    assert_int_equal(sinew_bounds_create(&def, &b.bounds, NULL), SINEW_OK);
    return b;
}

static void free_bars(bars b) {
    sinew_bounds_destroy(b.bounds);
    sinew_skeleton_destroy(b.skeleton);
}

static sinew_box seen_of(const bars *b, const sinew_clip *clip) {
    sinew_pose *pose;
    sinew_affine model[3];
    sinew_box seen = sinew_box_empty();
    assert_int_equal(sinew_pose_create(b->skeleton, NULL, &pose), SINEW_OK);
    for (int t = 0; t <= 20000; t++) {
        sinew_clip_sample(clip, clip->duration * (float)t / 20000, pose);
        sinew_pose_to_model(pose, model);
        for (int i = 0; i < 6; i++) {
            const sinew_vec3 v = sinew_affine_point(model[i / 2], (sinew_vec3){0, (float)(i % 2), 0});
            seen = sinew_box_union(seen, (sinew_box){v, v});
        }
    }
    sinew_pose_destroy(pose);
    return seen;
}

// The box holds the vertices of 20000 samples, without any tolerance, and is tight. Returns it.
static sinew_box check_channels(const sinew_channel_def *channels, int32_t count) {
    const bars b = make_bars();
    sinew_clip *clip = make_clip(b.skeleton, "swing", channels, count);
    const sinew_clip *list = clip;
    const sinew_box box = bounds_of(b.bounds, &list, 1), seen = seen_of(&b, clip);
    check_near(excess(sinew_box_union(box, seen), box), 0, 0);
    const double loose = excess(box, seen) / longest_side(seen);
    if (loose > 0.02) fail_msg("the box is %g of its size too large", loose);
    sinew_clip_destroy(clip);
    free_bars(b);
    return box;
}

// At its two keys the bar lies on the floor to the left and to the right. In between it stands.
static void test_an_arc_is_higher_than_its_keys(void **state) {
    (void)state;
    const sinew_quat left = {0, 0, 0.7f, 0.7141428f}, right = {0, 0, -0.7f, 0.7141428f};
    const float times[2] = {0, 1}, values[8] = {left.x, left.y, left.z, left.w, right.x, right.y, right.z, right.w};
    const sinew_channel_def channel = {0, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, 2, times, values};
    const sinew_box box = check_channels(&channel, 1);
    assert_true(box.max.y >= 3 && box.min.x <= -2.9f);
}

// All three bars turn, also by splines that swing back, one with quaternions that are not unit.
static void test_chains_of_arcs_and_splines(void **state) {
    (void)state;
    const float times[3] = {0, 0.5f, 2};
    const float turns[12] = {0, 0, 0, 1, 0.8f, 0, 0, 0.6f, 0, 0.8f, 0, -0.6f};
    const float spline[36] = {0, 0, 0, 0, 0, 0,     0, 1, 3, -1, 2,    0, 0, 1, 0, 0, 0, 0.6f,
                              0, 2, 0, 0, 0, -4.0f, 0, 0, 0, 0,  3.0f, 0, 0, 1, 0, 0, 0, 0};
    const float moves[27] = {0, 0, 0, 0, 1, 0, 9, 0, 0, 0, 0, -9, 0, 1, 1, 0, 7, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0};
    const float sizes[9] = {1, 1, 1, 1, 2, 1, 0.5f, 1, 3};
    const sinew_channel_def channels[] = {
        {0, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, 3, times, turns},
        {1, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_CUBICSPLINE, 3, times, moves},
        {1, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_CUBICSPLINE, 3, times, spline},
        {1, SINEW_TARGET_SCALE, SINEW_INTERPOLATION_LINEAR, 3, times, sizes},
        {2, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, 3, times, turns},
    };
    for (int32_t i = 0; i < 5; i++) check_channels(&channels[i], 1);
    check_channels(channels, 5);
}

// At its keys and in the middle it is at rest. In between it goes one way and then the other.
static void test_a_spline_that_seems_to_rest(void **state) {
    (void)state;
    const float times[2] = {0, 1}, moves[18] = {0, 0, 0, 0, 0, 0, 40, 0, 0, 40, 0, 0, 0, 0, 0, 0, 0, 0};
    const float turns[24] = {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 9, 0, 0, 0, 9, 0, 0, 0, 0, 1, 0, 0, 0, 0};
    const sinew_channel_def channels[] = {
        {0, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_CUBICSPLINE, 2, times, moves},
        {0, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_CUBICSPLINE, 2, times, turns}};
    assert_true(check_channels(&channels[0], 1).max.x > 3.8f);
    assert_true(check_channels(&channels[1], 1).max.x > 2);
}

// A jump is not a way: what is only between two STEP keys is not in the box, but both sides are.
static void test_steps_jump(void **state) {
    (void)state;
    const float times[3] = {0, 1, 2}, values[9] = {0, 0, 0, 5, 0, 0, 5, 7, 0},
                slide[9] = {0, 0, 0, 0, 0, 2, 0, 0, 0};
    const sinew_channel_def channels[] = {
        {0, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_STEP, 3, times, values},
        {1, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 3, times, slide}};
    const sinew_box box = check_channels(channels, 2);
    assert_true(box.max.y >= 8); // only at the end
    assert_true(box.max.z >= 2);
}

// ---- Sets, and what is refused ---------------------------------------------------------------------------------------

static void test_all_clips_together(void **state) {
    (void)state;
    sinew_asset *asset = posed_load_model("hero.glb");
    const sinew_clip *clips[64];
    sinew_box each = sinew_box_empty();
    for (int32_t i = 0; i < asset->clip_count; i++) {
        clips[i] = &asset->clips[i];
        each = sinew_box_union(each, bounds_of(asset->bounds, &clips[i], 1));
    }
    const sinew_box all = bounds_of(asset->bounds, clips, asset->clip_count);
    assert_true(fabs(excess(all, each)) < 0.02 * longest_side(each));
    assert_true(sinew_box_is_empty(bounds_of(asset->bounds, NULL, 0)));
    sinew_asset_destroy(asset);
}

static void test_what_has_no_bounds_is_refused(void **state) {
    (void)state;
    const bars b = make_bars();
    sinew_skeleton *other = make_chain(3);
    sinew_clip *strange = make_slide(other, "strange", 1, 1, 1), *clip = make_slide(b.skeleton, "own", 1, 1, 1);
    sinew_clip *additive;
    sinew_error error = {0};
    sinew_box box;
    assert_int_equal(sinew_clip_make_additive(clip, NULL, NULL, &additive, NULL), SINEW_OK);
    const sinew_clip *bad[3] = {strange, additive, NULL};
    for (int i = 0; i < 3; i++) {
        const sinew_clip *list[2] = {clip, bad[i]};
        assert_int_equal(sinew_bounds_clips(b.bounds, list, 2, NULL, &box, &error), SINEW_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, "clips[1]"));
        assert_true(sinew_box_is_empty(box));
    }
    assert_int_equal(sinew_bounds_clips(b.bounds, NULL, 1, NULL, &box, NULL), SINEW_ERROR_ARGUMENT);
    sinew_clip_destroy(additive);
    sinew_clip_destroy(strange);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(other);
    free_bars(b);
}

static void test_without_memory(void **state) {
    (void)state;
    sinew_asset *asset = posed_load_model("hero.glb");
    const sinew_clip *clip = &asset->clips[1];
    counting heap = {.fail_at = 0};
    const sinew_allocator allocator = counting_allocator(&heap);
    sinew_box box;
    sinew_result result = SINEW_ERROR_OUT_OF_MEMORY;
    for (int n = 1; result != SINEW_OK; n++) {
        assert_true(n < 100);
        heap.allocations = 0, heap.fail_at = n;
        result = sinew_bounds_clips(asset->bounds, &clip, 1, &allocator, &box, NULL);
        assert_int_equal(heap.live, 0);
        assert_true(sinew_box_is_empty(box) == (result != SINEW_OK));
        if (result != SINEW_OK) assert_int_equal(result, SINEW_ERROR_OUT_OF_MEMORY);
    }
    sinew_asset_destroy(asset);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_arc_is_higher_than_its_keys),
        cmocka_unit_test(test_chains_of_arcs_and_splines),
        cmocka_unit_test(test_a_spline_that_seems_to_rest),
        cmocka_unit_test(test_steps_jump),
        cmocka_unit_test(test_all_clips_together),
        cmocka_unit_test(test_what_has_no_bounds_is_refused),
        cmocka_unit_test(test_without_memory),
        cmocka_unit_test(test_compressed_clips),
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_assets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
