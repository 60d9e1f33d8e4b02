// SPDX-License-Identifier: MIT
// `sinew render --play-all` shows each object where its own clip puts it. The argument is the command's path.
#include "support/gltf_builder.h"
#include "support/render_run.h"

#include <stdio.h>

// Two triangles at the given rest positions. With clips, one slides 4 m along z in a second, and the other rises 2 m
// in half a second. A third clip also moves the first one.
static void write_objects(const char *path, sinew_vec3 slider, sinew_vec3 riser, bool has_clips) {
    static const float second[2] = {0, 1}, half[2] = {0, 0.5f};
    const float slide[6] = {slider.x, slider.y, slider.z, slider.x, slider.y, slider.z + 4};
    const float rise[6] = {riser.x, riser.y, riser.z, riser.x, riser.y + 2, riser.z};
    gltf_builder b = gltf_begin();
    gltf_triangle_mesh(&b, "", "");
    gltf_section(&b, "'scene':0,'scenes':[{'nodes':[0,1]}]");
    gltf_section(&b, "'nodes':[{'mesh':0,'translation':[%g,%g,%g]},{'mesh':0,'translation':[%g,%g,%g]}]",
                 (double)slider.x, (double)slider.y, (double)slider.z, (double)riser.x, (double)riser.y,
                 (double)riser.z);
    const int long_times = gltf_floats(&b, "SCALAR", 2, second), short_times = gltf_floats(&b, "SCALAR", 2, half);
    const int slides = gltf_floats(&b, "VEC3", 2, slide), rises = gltf_floats(&b, "VEC3", 2, rise);
    const char *clip = "{'name':'%s','samplers':[{'input':%d,'output':%d}],"
                       "'channels':[{'sampler':0,'target':{'node':%d,'path':'translation'}}]}";
    char clips[3][200];
    snprintf(clips[0], sizeof clips[0], clip, "Rise", short_times, rises, 1);
    snprintf(clips[1], sizeof clips[1], clip, "Slide", long_times, slides, 0);
    snprintf(clips[2], sizeof clips[2], clip, "Other", short_times, slides, 0);
    if (has_clips) gltf_section(&b, "'animations':[%s,%s,%s]", clips[0], clips[1], clips[2]);
    gltf_save_glb(&b, path);
}

static draw_picture picture_of(const char *path, const char *options, bool warns) {
    const int status = render("%s %s --background none --size 160x120 -o render_all.png", path, options);
    if (warns) {
        assert_int_equal(status, 0);
        assert_non_null(strstr(render_said(), "left out 'Other'"));
    } else {
        expect_good(status);
    }
    return read_png("render_all.png");
}

// After 0.3 and 0.9 s: the second one has started again.
static void each_object_is_where_its_clip_has_it(void **state) {
    (void)state;
    need_gl();
    static const float times[2] = {0.3f, 0.9f};
    write_objects("render_all.glb", (sinew_vec3){0, 0, 0}, (sinew_vec3){3, 0, 0}, true);
    for (int i = 0; i < 2; i++) {
        const float own = i == 0 ? times[i] : times[i] - 0.5f;
        write_objects("render_all_still.glb", (sinew_vec3){0, 0, 4 * times[i]}, (sinew_vec3){3, 4 * own, 0}, false);
        char options[64];
        snprintf(options, sizeof options, "--play-all --time %.9g", (double)times[i]);
        draw_picture all = picture_of("render_all.glb", options, true);
        draw_picture still = picture_of("render_all_still.glb", "", false);
        draw_picture alone = picture_of("render_all.glb", "--clip Slide --time 0.3", false);
        assert_true(covered(&all).count > 100);
        assert_int_equal(differing(&all, &still), 0);
        assert_true(differing(&all, &alone) > 100);
        draw_picture_free(&all);
        draw_picture_free(&still);
        draw_picture_free(&alone);
    }
}

static void earlier_poses_are_of_all_clips(void **state) {
    (void)state;
    need_gl();
    write_objects("render_all.glb", (sinew_vec3){0, 0, 0}, (sinew_vec3){3, 0, 0}, true);
    draw_picture plain = picture_of("render_all.glb", "--play-all --time 0.9", true);
    draw_picture ghosts = picture_of("render_all.glb", "--play-all --time 0.9 --onion 1@0.5", true);
    assert_true(differing(&plain, &ghosts) > 100);
    draw_picture_free(&plain);
    draw_picture_free(&ghosts);
    assert_int_equal(render("render_all.glb --play-all --fps 10 --size 80x60 -o render_all.webp"), 0);
}

static void other_choices_of_clips_are_refused(void **state) {
    (void)state;
    expect_refused(render("a.glb -o a.png --play-all --clip Walk"), 2, "--clip cannot be used with --play-all");
    expect_refused(render("a.glb -o a.webp --play-all --crossfade Run@1:1"), 2, "--crossfade cannot be used");
    expect_refused(render("a.glb -o a.png --play-all --clips"), 2, "--clips cannot be used with --play-all");
    expect_refused(render("a.glb -o a.png --play-all --graph a.json"), 2, "--graph cannot be used");
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: %s SINEW\n", argv[0]);
        return 2;
    }
    render_setup(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_object_is_where_its_clip_has_it),
        cmocka_unit_test(earlier_poses_are_of_all_clips),
        cmocka_unit_test(other_choices_of_clips_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
