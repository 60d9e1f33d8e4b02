// SPDX-License-Identifier: MIT
// What `sinew render` adds to a bare picture: labels, ghosts, skeletons, trails, shadows, clean edges. The argument
// is the command's path.
#include "support/render_run.h"

#include <webp/demux.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// A picture of the hero, without a background.
static draw_picture hero(const char *options) {
    expect_good(render("\"%s/hero.glb\" --background none %s -o looks.png", SINEW_MODELS, options));
    return read_png("looks.png");
}

// How many pixels of a rectangle are covered from `least` to `most`.
static int count_alpha(const draw_picture *p, int left, int top, int right, int bottom, int least, int most) {
    int count = 0;
    for (int y = top; y < bottom; y++) {
        for (int x = left; x < right; x++) count += pixel_at(p, x, y)[3] >= least && pixel_at(p, x, y)[3] <= most;
    }
    return count;
}

static bool is_near(const uint8_t *pixel, uint32_t color, int tolerance) {
    bool near = true;
    for (int i = 0; i < 3; i++) near = near && abs(pixel[i] - (int)(color >> (16 - 8 * i) & 255u)) <= tolerance;
    return near;
}

static int count_color(const draw_picture *p, uint32_t color, int tolerance) {
    int count = 0;
    for (int i = 0; i < p->width * p->height; i++) {
        count += p->rgba[4 * i + 3] > 200 && is_near(p->rgba + (ptrdiff_t)4 * i, color, tolerance);
    }
    return count;
}

// ---- Animated properties --------------------------------------------------------------------------------------

// Two unlit rectangles of 2 m x 1 m. In a second, the first one goes from red to blue and the camera in front of it from a
// field of view of 0.5 to 1.2 radians; the second one, green and hidden by its node, is visible at the end.
static const char change[] =
    "{'asset':{'version':'2.0'},'extensionsUsed':['KHR_animation_pointer','KHR_node_visibility','KHR_"
    "materials_unlit'],'nodes':[{'name':'A','mesh':0},{'name':'B','mesh':1,'translation':[0,1.2,0],'e"
    "xtensions':{'KHR_node_visibility':{'visible':false}}},{'name':'Cam','camera':0,'translation':[0,"
    "1,5]}],'scenes':[{'nodes':[0,1,2]}],'scene':0,'cameras':[{'type':'perspective','perspective':{'y"
    "fov':0.5,'znear':0.1}}],'materials':[{'extensions':{'KHR_materials_unlit':{}},'pbrMetallicRoughn"
    "ess':{'baseColorFactor':[1,0,0,1]}},{'extensions':{'KHR_materials_unlit':{}},'pbrMetallicRoughne"
    "ss':{'baseColorFactor':[0,1,0,1]}}],'meshes':[{'primitives':[{'attributes':{'POSITION':0},'indic"
    "es':1,'material':0}]},{'primitives':[{'attributes':{'POSITION':0},'indices':1,'material':1}]}],'"
    "buffers':[{'byteLength':112,'uri':'data:application/octet-stream;base64,AACAvwAAAAAAAAAAAACAPwAA"
    "AAAAAAAAAACAPwAAgD8AAAAAAACAvwAAgD8AAAAAAAABAAIAAAACAAMAAAAAAAAAgD8AAIA/AAAAAAAAAAAAAIA/AAAAAAAA"
    "AAAAAIA/AACAPwABAAAAAAA/mpmZPw=='}],'bufferViews':[{'buffer':0,'byteOffset':0,'byteLength':48},{"
    "'buffer':0,'byteOffset':48,'byteLength':12},{'buffer':0,'byteOffset':60,'byteLength':8},{'buffer"
    "':0,'byteOffset':68,'byteLength':32},{'buffer':0,'byteOffset':100,'byteLength':2},{'buffer':0,'b"
    "yteOffset':104,'byteLength':8}],'accessors':[{'bufferView':0,'componentType':5126,'type':'VEC3',"
    "'count':4,'min':[-1,0,0],'max':[1,1,0]},{'bufferView':1,'componentType':5123,'type':'SCALAR','co"
    "unt':6},{'bufferView':2,'componentType':5126,'type':'SCALAR','count':2,'min':[0],'max':[1]},{'bu"
    "fferView':3,'componentType':5126,'type':'VEC4','count':2},{'bufferView':4,'componentType':5121,'"
    "type':'SCALAR','count':2},{'bufferView':5,'componentType':5126,'type':'SCALAR','count':2}],'anim"
    "ations':[{'name':'Change','samplers':[{'input':2,'output':3},{'input':2,'output':4,'interpolatio"
    "n':'STEP'},{'input':2,'output':5}],'channels':[{'sampler':0,'target':{'path':'pointer','extensio"
    "ns':{'KHR_animation_pointer':{'pointer':'/materials/0/pbrMetallicRoughness/baseColorFactor'}}}},"
    "{'sampler':1,'target':{'path':'pointer','extensions':{'KHR_animation_pointer':{'pointer':'/nodes"
    "/1/extensions/KHR_node_visibility/visible'}}}},{'sampler':2,'target':{'path':'pointer','extensio"
    "ns':{'KHR_animation_pointer':{'pointer':'/cameras/0/perspective/yfov'}}}}]}]}";

static draw_picture changed(const char *options) {
    FILE *file = fopen("change.gltf", "wb");
    assert_non_null(file);
    for (const char *c = change; *c; c++) fputc(*c == '\'' ? '"' : *c, file);
    assert_int_equal(fclose(file), 0);
    expect_good(render("change.gltf --clip Change --background none --size 200x200 %s -o looks.png", options));
    return read_png("looks.png");
}

static void properties_are_drawn(void **state) {
    (void)state;
    need_gl();
    draw_picture start = changed("--time 0 --camera Cam"), middle = changed("--time 0.5 --camera Cam");
    draw_picture end = changed("--time 1 --camera Cam");
    const int red = count_color(&start, 0xff0000, 2), blue = count_color(&end, 0x0000ff, 2);
    assert_true(red > 1000);
    assert_int_equal(count_color(&start, 0x00ff00, 2), 0);
    assert_true(count_color(&end, 0x00ff00, 2) > 200);
    assert_true(count_color(&middle, 0xbc00bc, 3) > 200); // half of both, in linear light
    assert_int_equal(count_color(&middle, 0x00ff00, 2), 0);
    const double ratio = pow(tan(0.25) / tan(0.6), 2.0);
    assert_true(fabs((double)blue / (double)red - ratio) < 0.1 * ratio);
    draw_picture_free(&start);
    draw_picture_free(&middle);
    draw_picture_free(&end);
}

// ---- Sheets --------------------------------------------------------------------------------------------------

enum { CELL_WIDTH = 160, CELL_HEIGHT = 150, LABEL_HEIGHT = 16 };

static int label_ink(const draw_picture *sheet, int cell) {
    const int left = cell * CELL_WIDTH;
    return count_alpha(sheet, left, CELL_HEIGHT - LABEL_HEIGHT, left + CELL_WIDTH, CELL_HEIGHT, 1, 255);
}

static draw_picture label_strip(const char *options) {
    char all[256];
    snprintf(all, sizeof all, "%s --size %dx%d", options, CELL_WIDTH, CELL_HEIGHT);
    return hero(all);
}

// Catches labels that are missing, on the first frame only, the same on every frame, or laid over the model.
static void frames_of_a_sheet_are_labelled(void **state) {
    (void)state;
    need_gl();
    draw_picture sheet = label_strip("--clip Run --sheet 3x1 --no-labels");
    draw_picture labelled = label_strip("--clip Run --sheet 3x1");
    draw_picture fading = label_strip("--clip Idle --crossfade Run@0.2:0.4 --fps 5 --sheet 3x1");
    for (int i = 0; i < 3; i++) {
        int ink = label_ink(&labelled, i);
        assert_true(ink > 60 && ink < 600);
        // Letters stand at the left, with a margin, and the model is above them.
        assert_int_equal(count_alpha(&labelled, i * CELL_WIDTH, CELL_HEIGHT - LABEL_HEIGHT, i * CELL_WIDTH + 4,
                                     CELL_HEIGHT, 1, 255),
                         0);
        assert_int_equal(
            count_alpha(&labelled, i * CELL_WIDTH, CELL_HEIGHT - 4, (i + 1) * CELL_WIDTH, CELL_HEIGHT, 1, 255), 0);
    }
    assert_int_not_equal(label_ink(&labelled, 1), label_ink(&labelled, 2)); // another time
    assert_true(label_ink(&fading, 1) > label_ink(&fading, 0) * 5 / 4);     // "Idle → Run 50%"
    // The model makes room for them.
    assert_true(count_alpha(&labelled, 0, 0, 3 * CELL_WIDTH, CELL_HEIGHT - LABEL_HEIGHT, 255, 255) <
                covered(&sheet).count);
    assert_int_equal(count_alpha(&labelled, 120, CELL_HEIGHT - LABEL_HEIGHT, CELL_WIDTH, CELL_HEIGHT, 255, 255), 0);
    draw_picture_free(&sheet);
    draw_picture_free(&labelled);
    draw_picture_free(&fading);
}

// Catches frames of a fixed shape: a tall model would only fill a third.
static void frames_of_a_sheet_have_the_models_shape(void **state) {
    (void)state;
    need_gl();
    draw_picture tall = hero("--clip Idle --sheet 1x1 --no-labels");
    assert_true(tall.height > tall.width * 5 / 4);
    extent e = covered(&tall);
    assert_true(e.bottom - e.top > tall.height * 4 / 5);
    assert_true(e.right - e.left > tall.width / 3);
    draw_picture_free(&tall);
}

// How many clips the hero has, told by a sheet that has room for two.
static int clip_count(void) {
    assert_int_equal(render("\"%s/hero.glb\" --clips --sheet 3x2 --size 64x48 -o looks.png", SINEW_MODELS), 0);
    const char *text = strstr(render_said(), "clips 0 to 1 of 0 to ");
    assert_non_null(text);
    assert_non_null(strstr(text, "; use --clips 2 for the next ones"));
    return (int)strtol(text + strlen("clips 0 to 1 of 0 to "), NULL, 10) + 1;
}

// Catches clips that are left out or drawn twice, and rows that do not move.
static void a_sheet_of_clips_has_a_row_for_each(void **state) {
    (void)state;
    need_gl();
    const int count = clip_count();
    draw_picture two = read_png("looks.png");
    assert_int_equal(two.width, 3 * 64);
    assert_int_equal(two.height, 2 * 48);
    draw_picture_free(&two);

    draw_picture sheet = hero("--clips --size 64x48");
    assert_int_equal(sheet.width, 6 * 64);
    assert_int_equal(sheet.height, count * 48);
    for (int row = 0; row < count; row++) {
        int moved = 0, other = 0;
        for (int i = 0; i < 64 * 48; i++) {
            const uint8_t *p = pixel_at(&sheet, 128 + i % 64, row * 48 + i / 64);
            moved += memcmp(p, pixel_at(&sheet, i % 64, row * 48 + i / 64), 4) != 0;
            other += memcmp(p, pixel_at(&sheet, 128 + i % 64, (row + 1) % count * 48 + i / 64), 4) != 0;
        }
        assert_true(moved > 20 && other > 20);
    }
    draw_picture_free(&sheet);
    draw_picture named = hero("--clips --size 100x90 --sheet 2x20");
    assert_true(named.width > 2 * 100 + 30);
    for (int row = 0; row < count; row++) {
        assert_true(count_alpha(&named, 0, row * 90, named.width - 200, (row + 1) * 90, 60, 255) > 60);
    }
    draw_picture_free(&named);
}

// ---- Over and behind the model -------------------------------------------------------------------------------

// Catches ghosts that are not there, that are solid, that lie over the model, or that throw shadows.
static void ghosts_are_faint_and_behind(void **state) {
    (void)state;
    need_gl();
    const char *pose = "--clip Attack --time 0.55 --size 200x150";
    char options[128];
    int faint[3], solid[3];
    for (int i = 0; i < 3; i++) {
        snprintf(options, sizeof options, "%s%s", pose,
                 i == 0   ? ""
                 : i == 1 ? " --onion 1@0.15"
                          : " --onion 5@0.07");
        draw_picture p = hero(options);
        faint[i] = count_alpha(&p, 0, 0, 200, 75, 16, 239);
        solid[i] = covered(&p).count;
        draw_picture_free(&p);
    }
    assert_true(faint[1] > faint[0] + 60);
    assert_true(faint[2] > faint[1] + 20);
    assert_true(solid[2] > solid[0] * 3 / 4 && solid[2] <= solid[0] * 11 / 10);
}

// The sliding cube from the side, in the middle of a camera that goes with it.
static draw_picture slide(float end, const char *options) {
    write_sliding_cube(end);
    expect_good(render("test_render_slide.gltf --background none --size 200x150 --focus Cube@12 --from 90:0 "
                       "%s -o looks.png",
                       options));
    return read_png("looks.png");
}

// How many pixels ghosts change in the picture of a moment.
static int ghost_pixels(float end, const char *moment, const char *onion) {
    char options[128];
    draw_picture without = slide(end, moment);
    snprintf(options, sizeof options, "%s --onion %s", moment, onion);
    draw_picture with = slide(end, options);
    int count = differing_by(&without, &with, 20);
    draw_picture_free(&without);
    draw_picture_free(&with);
    return count;
}

// Catches ghosts from the end of a clip that doesn't loop, ghosts that never leave its start, and loops without any.
static void ghosts_come_from_the_end_of_loops_only(void **state) {
    (void)state;
    need_gl();
    assert_true(ghost_pixels(0.0f, "--time 0", "1@0.25") > 200);
    assert_int_equal(ghost_pixels(8.0f, "--time 0", "1@0.25"), 0);
    assert_int_equal(ghost_pixels(8.0f, "--time 0", "3@0.25"), 0);
    assert_true(ghost_pixels(8.0f, "--time 0.25", "1@0.25") > 200);
    // Frames at 0, 0.25 and 0.5 s: their ghosts stand at 0, 0 and 0.25 s.
    const char *frames = "--sheet 3x1 --no-labels --fps 4";
    draw_picture without = slide(8.0f, frames),
                 with = slide(8.0f, "--sheet 3x1 --no-labels --fps 4 --onion 1@0.25");
    int changed[3] = {0};
    for (int i = 0; i < 600 * 150; i++) {
        changed[i % 600 / 200] += abs(without.rgba[4 * i + 3] - with.rgba[4 * i + 3]) > 20;
    }
    assert_int_equal(changed[0], 0);
    assert_true(changed[1] > 200);
    assert_in_range(changed[2], changed[1] * 9 / 10, changed[1] * 11 / 10); // as far behind
    draw_picture_free(&without);
    draw_picture_free(&with);
}

enum { JOINT_COLOR = 0xff6a00, TRAIL_START = 0x2a4bd7, TRAIL_MIDDLE = 0xee5a6a };

// Catches bones that are not drawn, or drawn somewhere else than the model is, and a model that hides them.
static void skeletons_lie_over_the_model(void **state) {
    (void)state;
    need_gl();
    draw_picture bare = hero("--size 400x300"), bones = hero("--size 400x300 --skeleton");
    assert_true(count_color(&bare, JOINT_COLOR, 6) < 5);
    assert_true(count_color(&bones, JOINT_COLOR, 6) > 100);
    extent e = covered(&bare);
    int highest = 300, lowest = 0;
    for (int i = 0; i < 400 * 300; i++) {
        if (!is_near(bones.rgba + (ptrdiff_t)4 * i, JOINT_COLOR, 6) || bones.rgba[4 * i + 3] < 255) continue;
        assert_in_range(i % 400, e.left - 4, e.right + 4);
        assert_in_range(i / 400, e.top - 4, e.bottom + 4);
        if (i / 400 < highest) highest = i / 400;
        if (i / 400 > lowest) lowest = i / 400;
    }
    assert_true(highest < e.top + 40 && lowest > e.bottom - 40); // from the head to the feet
    assert_true(covered(&bones).count < covered(&bare).count / 2);
    draw_picture_free(&bare);
    draw_picture_free(&bones);
}

// A mill has no joints: its nodes are shown, and dimmer.
static void nodes_that_are_no_joints_are_dimmer(void **state) {
    (void)state;
    need_gl();
    expect_good(render("\"%s/windmill.glb\" --size 200x150 --skeleton -o looks.png", SINEW_MODELS));
    draw_picture nodes = read_png("looks.png");
    expect_good(render("\"%s/windmill.glb\" --size 200x150 -o looks.png", SINEW_MODELS));
    draw_picture bare = read_png("looks.png");
    assert_true(differing(&nodes, &bare) > 1000);
    assert_int_equal(count_color(&nodes, JOINT_COLOR, 24), 0);
    draw_picture_free(&nodes);
    draw_picture_free(&bare);
}

// Catches a trail that stops early, has one colour, or follows another node.
static void trails_go_where_their_node_goes(void **state) {
    (void)state;
    need_gl();
    draw_picture bare = hero("--clip Run --size 640x480"), hand = hero("--clip Run --size 640x480 --trail Hand_L"),
                 both = hero("--clip Run --size 640x480 --trail Hand_L --trail Foot_R"),
                 later = hero("--clip Run --size 640x480 --trail Hand_L --time 0.3");
    assert_true(count_color(&bare, TRAIL_START, 10) + count_color(&bare, TRAIL_MIDDLE, 10) < 5);
    assert_true(count_color(&hand, TRAIL_START, 10) > 15);
    assert_true(count_color(&hand, TRAIL_MIDDLE, 10) > 10);
    assert_true(count_color(&both, TRAIL_MIDDLE, 10) > count_color(&hand, TRAIL_MIDDLE, 10) * 5 / 4);
    // Where on its way the node is, is marked in the colour of that time.
    assert_true(count_color(&later, TRAIL_START, 10) < count_color(&hand, TRAIL_START, 10));
    draw_picture_free(&bare);
    draw_picture_free(&hand);
    draw_picture_free(&both);
    draw_picture_free(&later);
}

// ---- The camera ----------------------------------------------------------------------------------------------

// Whether the joint's dot is in the middle of a frame.
static bool joint_in_middle(const draw_picture *p, int left, int width) {
    int count = 0;
    for (int y = p->height / 2 - 3; y <= p->height / 2 + 3; y++) {
        for (int x = left + width / 2 - 3; x <= left + width / 2 + 3; x++) {
            count += is_near(pixel_at(p, x, y), JOINT_COLOR, 12);
        }
    }
    return count > 3;
}

// Catches a camera that looks elsewhere, and one that stays where the node was at first: the hand that strikes moves
// by more than a metre.
static void a_close_up_follows_its_node(void **state) {
    (void)state;
    need_gl();
    const char *strike = "--clip Attack --skeleton --sheet 4x1 --no-labels --size 400x300";
    char options[256];
    for (int i = 0; i < 2; i++) {
        const char *node = i ? "LowerLeg_L" : "Hand_R";
        snprintf(options, sizeof options, "%s --focus %s@0.5", strike, node);
        draw_picture sheet = hero(options);
        for (int k = 0; k < 4; k++) assert_true(joint_in_middle(&sheet, 400 * k, 400));
        draw_picture_free(&sheet);
    }
    draw_picture whole = hero(strike);
    int middle = 0;
    for (int k = 0; k < 4; k++) middle += joint_in_middle(&whole, 400 * k, 400);
    assert_true(middle < 4);
    draw_picture_free(&whole);
}

static extent cube_seen(float scale_x, const char *options) {
    write_cube(scale_x, 1.0f, false);
    expect_good(render("test_render_cube.gltf --size 200x150 --background none %s -o looks.png", options));
    draw_picture p = read_png("looks.png");
    extent e = covered(&p);
    draw_picture_free(&p);
    return e;
}

// Catches a height that is not in metres, and a default that does not follow from the model's size. The cube's near
// side is 1 nearer than its middle: of 8 metres 2.13, of 4 metres 2.28.
static void a_close_up_is_as_high_as_it_was_asked_for(void **state) {
    (void)state;
    need_gl();
    extent eight = cube_seen(1.0f, "--focus Cube@8 --from 0:0"),
           four = cube_seen(1.0f, "--focus Cube@4 --from 0:0");
    assert_in_range(eight.right - eight.left + 1, 38, 42);
    assert_in_range(eight.bottom - eight.top + 1, 38, 42);
    assert_in_range(eight.left + eight.right, 198, 200);
    assert_in_range(eight.top + eight.bottom, 148, 150);
    assert_in_range(four.right - four.left + 1, 84, 88);
    extent whole = cube_seen(1.0f, ""), near = cube_seen(1.0f, "--focus Cube");
    assert_true(near.count > whole.count * 3 / 2);
    assert_int_equal(near.count, 200 * 150);
}

static float mean_x(const draw_picture *p, uint32_t color) {
    int count = 0;
    float sum = 0.0f;
    for (int i = 0; i < p->width * p->height; i++) {
        if (p->rgba[4 * i + 3] < 200 || !is_near(p->rgba + (ptrdiff_t)4 * i, color, 24)) continue;
        count++;
        sum += (float)(i % p->width);
    }
    assert_true(count > 3);
    return sum / (float)count;
}

enum { TRAIL_END = 0xffc21f };

// Catches angles that go the other way round, or are not taken for the framing. The bar lies along X, and the cube
// slides to where the front is.
static void the_camera_looks_from_where_it_was_told(void **state) {
    (void)state;
    need_gl();
    extent front = cube_seen(3.0f, "--from 0:0"), side = cube_seen(3.0f, "--from 90:0"),
           top = cube_seen(3.0f, "--from 90:89");
    assert_true(front.right - front.left > 2 * (front.bottom - front.top));
    assert_true(front.right - front.left > 150);
    assert_in_range(side.right - side.left, side.bottom - side.top - 3, side.bottom - side.top + 3);
    assert_true(side.bottom - side.top > 110);
    assert_true(top.bottom - top.top > 2 * (top.right - top.left));
    for (int i = 0; i < 2; i++) {
        write_sliding_cube(8.0f);
        expect_good(
            render("test_render_slide.gltf --background none --trail Cube --from %d -o looks.png", i ? -90 : 90));
        draw_picture p = read_png("looks.png");
        float start = mean_x(&p, TRAIL_START), end = mean_x(&p, TRAIL_END);
        assert_true(i ? start < end - 50.0f : end < start - 50.0f);
        draw_picture_free(&p);
    }
}

// Catches labels that are laid over a model that fills the frame.
static void labels_of_close_ups_have_their_own_place(void **state) {
    (void)state;
    need_gl();
    draw_picture sheet = label_strip("--clip Run --sheet 2x1 --focus Spine@0.3");
    const int top = CELL_HEIGHT - LABEL_HEIGHT;
    assert_int_equal(count_alpha(&sheet, 60, top - 8, 100, top - 4, 255, 255), 40 * 4);
    for (int i = 0; i < 2; i++) {
        assert_in_range(label_ink(&sheet, i), 60, 600);
        assert_int_equal(count_alpha(&sheet, i * CELL_WIDTH + 120, top, (i + 1) * CELL_WIDTH, CELL_HEIGHT, 1, 255),
                         0);
    }
    draw_picture_free(&sheet);
}

// ---- Light and edges -----------------------------------------------------------------------------------------

static draw_picture cube(float scale, const char *options) {
    write_cube(1.0f, scale, false);
    expect_good(render("test_render_cube.gltf --size 200x150 %s -o looks.png", options));
    return read_png("looks.png");
}

// Catches lengths in the renderer that are metres where they should be parts of the model.
static void size_does_not_matter(void **state) {
    (void)state;
    need_gl();
    draw_picture one = cube(1.0f, ""), small = cube(0.01f, ""), large = cube(100.0f, "");
    assert_true(differing(&one, &small) < 200 * 150 / 500);
    assert_true(differing(&one, &large) < 200 * 150 / 500);
    draw_picture_free(&one);
    draw_picture_free(&small);
    draw_picture_free(&large);
}

// Catches a model that hovers: the ground is darkest where the cube meets it, also on the side that is lit.
static void the_ground_is_darkest_where_it_is_touched(void **state) {
    (void)state;
    need_gl();
    draw_picture p = cube(1.0f, "--background none");
    extent e = covered(&p);
    int x = e.left + (e.right - e.left) / 4, y = p.height - 1; // left of the nearest corner
    while (y > 0 && pixel_at(&p, x, y)[3] < 250) y--;
    int near = pixel_at(&p, x, y + 2)[3], away = pixel_at(&p, x, y + 6)[3];
    assert_true(near > 25);
    assert_true(away < near / 2);
    int shadow = count_alpha(&p, e.right + 2, 0, 200, 150, 40, 240); // and a shadow on the other side
    assert_true(shadow > 60);
    draw_picture_free(&p);
}

static int luminance(const uint8_t *pixel) {
    return (3 * pixel[0] + 6 * pixel[1] + pixel[2]) / 10;
}

// The darkest pixel near a completely covered one; 255 if there isn't one.
static int darkest_near(const draw_picture *p, int x, int y) {
    int darkest = 255;
    for (int dy = -2; dy <= 2; dy++) {
        for (int dx = -2; dx <= 2; dx++) {
            const uint8_t *pixel = pixel_at(p, x + dx, y + dy);
            if (pixel[3] == 255 && luminance(pixel) < darkest) darkest = luminance(pixel);
        }
    }
    return darkest;
}

// Catches colours that are still multiplied with their alpha: over white there would be a dark line around the model.
static void edges_have_no_dark_fringe(void **state) {
    (void)state;
    need_gl();
    draw_picture p = cube(1.0f, "--background none");
    int edge = 0, dark = 0;
    for (int y = 2; y < 75; y++) { // above the shadow
        for (int x = 2; x < 198; x++) {
            const uint8_t *pixel = pixel_at(&p, x, y);
            int inside = darkest_near(&p, x, y);
            if (pixel[3] < 30 || pixel[3] > 225 || inside == 255) continue;
            edge++;
            dark += luminance(pixel) < inside - 25;
        }
    }
    assert_true(edge > 60);
    assert_true(dark <= edge / 50);
    assert_int_equal(pixel_at(&p, 0, 0)[3], 0);
    assert_int_equal(pixel_at(&p, 199, 0)[3], 0);
    draw_picture_free(&p);
}

// Catches a gradient in bands: neighbours within a row are not all the same, though the gradient goes downward.
static void the_gradient_has_a_grain(void **state) {
    (void)state;
    need_gl();
    draw_picture p = cube(1.0f, "");
    int mixed = 0;
    for (int y = 0; y < 8; y++) {
        int most = 0, least = 255;
        for (int x = 0; x < 60; x++) {
            int value = pixel_at(&p, x, y)[0];
            most = value > most ? value : most;
            least = value < least ? value : least;
        }
        assert_true(most - least <= 2);
        mixed += most > least;
    }
    assert_true(mixed > 2);
    draw_picture_free(&p);
}

// ---- Animations ----------------------------------------------------------------------------------------------

enum { FRAMES = 8, FRAME_WIDTH = 320, FRAME_HEIGHT = 240, PIXELS = FRAME_WIDTH * FRAME_HEIGHT };

static WebPAnimDecoder *open_webp(const char *path) {
    static uint8_t bytes[2 << 20];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    WebPData data = {bytes, fread(bytes, 1, sizeof bytes, file)};
    fclose(file);
    WebPAnimDecoder *decoder = WebPAnimDecoderNew(&data, NULL);
    assert_non_null(decoder);
    return decoder;
}

// Catches an encoder that resends unchanged pixels, slightly different each time.
static void what_stands_still_does_not_flicker(void **state) {
    (void)state;
    need_gl();
    const char *options = "--clip Run --frames 8 --fps 20 --size 320x240";
    expect_good(render("\"%s/hero.glb\" %s -o looks.webp", SINEW_MODELS, options));
    expect_good(render("\"%s/hero.glb\" %s --sheet 1x8 --no-labels -o looks.png", SINEW_MODELS, options));
    draw_picture drawn = read_png("looks.png");
    WebPAnimDecoder *decoder = open_webp("looks.webp");
    static uint8_t before[PIXELS * 4];
    double flicker = 0.0;
    long still = 0;
    uint8_t *frame;
    int milliseconds;
    for (int i = 0; i < FRAMES; i++) {
        assert_true(WebPAnimDecoderGetNext(decoder, &frame, &milliseconds));
        const uint8_t *now = drawn.rgba + (ptrdiff_t)4 * i * PIXELS;
        for (int k = 0; i > 0 && k < 4 * PIXELS; k += 4) {
            if (memcmp(now + k, now + k - (ptrdiff_t)4 * PIXELS, 4) != 0) continue;
            still++;
            for (int c = 0; c < 3; c++) flicker += abs(frame[k + c] - before[k + c]) / 3.0;
        }
        memcpy(before, frame, sizeof before);
    }
    assert_true(still > 5L * PIXELS / 2);
    assert_true(flicker / (double)still < 0.5);
    WebPAnimDecoderDelete(decoder);
    draw_picture_free(&drawn);
}

// ---- What is refused -----------------------------------------------------------------------------------------

static void wrong_usage_is_status_2(void **state) {
    (void)state;
    static const char *const wrong[][2] = {
        {"--onion 0",
         "--onion must be N or N@SECONDS, N between 1 and 12, SECONDS above 0 and at most 3600, not '0'"},
        {"--onion 13", "--onion must be"},
        {"--onion 3@0", "--onion must be"},
        {"--onion 3@", "--onion must be"},
        {"--onion 3x", "--onion must be"},
        {"--onion", "--onion needs a value"},
        {"--trail", "--trail needs a value"},
        {"--trail a --trail b --trail c --trail d --trail e --trail f --trail g --trail h --trail i",
         "--trail can be used at most 8 times"},
        {"--clips=all", "--clips must be the number of a clip, between 0 and 999999, not 'all'"},
        {"--clips Nope", "--clips must be the number of a clip, between 0 and 999999, not 'Nope'"},
        {"--focus", "--focus needs a value"},
        {"--focus @1", "--focus must be NODE or NODE@METERS, METERS above 0 and at most 1000000, not '@1'"},
        {"--focus Head@", "--focus must be NODE or NODE@METERS"},
        {"--focus Head@0", "--focus must be NODE or NODE@METERS"},
        {"--focus Head@1m", "--focus must be NODE or NODE@METERS"},
        {"--from left", "--from must be YAW or YAW:PITCH, in degrees, YAW between -360 and 360, PITCH between -89 "
                        "and 89, not 'left'"},
        {"--from 361", "--from must be"},
        {"--from nan", "--from must be"},
        {"--from 0:90", "--from must be"},
        {"--from 0:", "--from must be"},
        {"--from 9x9", "--from must be"},
        {"--clips --clip Run", "--clip cannot be used with --clips"},
        {"--clips --time 1", "--time cannot be used with --clips"},
        {"--clips --frames 5", "--frames cannot be used with --clips"},
        {"--clips --fps 5", "--fps cannot be used with --clips"},
        {"--clips --crossfade Run@1:1", "--crossfade cannot be used with --clips"},
        {"--background 12345", "--background must be RRGGBB or none"},
        {"--background 12345G", "--background must be RRGGBB or none"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        expect_refused(render("-o a.png a.glb %s", wrong[i][0]), 2, wrong[i][1]);
        assert_false(exists("a.png"));
    }
    expect_refused(render("a.glb --clips -o a.webp"), 2, "-o must end in .png for a sheet");
}

static void what_is_not_there_is_status_1(void **state) {
    (void)state;
    const char *m = SINEW_MODELS;
    expect_refused(render("\"%s/hero.glb\" --trail Tail -o looks_bad.png", m), 1,
                   "no node 'Tail'; the file has 'Hero', 'Armature'");
    expect_refused(render("\"%s/hero.glb\" --focus Tail@0.5 -o looks_bad.png", m), 1,
                   "no node 'Tail'; the file has 'Hero', 'Armature'");
    expect_refused(render("\"%s/hero.glb\" --clips 99 -o looks_bad.png", m), 1, "no clip 99; the last one is");
    expect_refused(render("\"%s/sword.glb\" --clips -o looks_bad.png", m), 1, "the file has no clips");
    assert_false(exists("looks_bad.png"));
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: %s SINEW\n", argv[0]);
        return 2;
    }
    render_setup(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(properties_are_drawn),
        cmocka_unit_test(frames_of_a_sheet_are_labelled),
        cmocka_unit_test(frames_of_a_sheet_have_the_models_shape),
        cmocka_unit_test(a_sheet_of_clips_has_a_row_for_each),
        cmocka_unit_test(ghosts_are_faint_and_behind),
        cmocka_unit_test(ghosts_come_from_the_end_of_loops_only),
        cmocka_unit_test(skeletons_lie_over_the_model),
        cmocka_unit_test(nodes_that_are_no_joints_are_dimmer),
        cmocka_unit_test(trails_go_where_their_node_goes),
        cmocka_unit_test(a_close_up_follows_its_node),
        cmocka_unit_test(a_close_up_is_as_high_as_it_was_asked_for),
        cmocka_unit_test(the_camera_looks_from_where_it_was_told),
        cmocka_unit_test(labels_of_close_ups_have_their_own_place),
        cmocka_unit_test(size_does_not_matter),
        cmocka_unit_test(the_ground_is_darkest_where_it_is_touched),
        cmocka_unit_test(edges_have_no_dark_fringe),
        cmocka_unit_test(the_gradient_has_a_grain),
        cmocka_unit_test(what_stands_still_does_not_flicker),
        cmocka_unit_test(wrong_usage_is_status_2),
        cmocka_unit_test(what_is_not_there_is_status_1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
