// SPDX-License-Identifier: MIT
// layers.c - layers over the base, and masks.
#include "plots/plots.h"

// ---- Two layers ----------------------------------------------------------------------------------------------

typedef struct layered {
    series weights[2], angle;
} layered;

// Layer 1 overrides the base, and layer 2 is added to the result. `shown` selects the layers.
static layered play_layers(const stage *s, int32_t shown) {
    layered out = {.angle.count = 0};
    sinew_mixer_def def = hinge_def(s);
    def.layer_count = 3;
    sinew_mixer *mixer = make_mixer(&def);
    sinew_layer_set_mode(mixer, 2, SINEW_LAYER_ADDITIVE);
    sinew_play_def over = sinew_play_default();
    sinew_mixer_play(mixer, sinew_clip_source(s->swing), NULL);
    over.layer = 1;
    sinew_mixer_play(mixer, sinew_clip_source(s->high), &over);
    over.layer = 2;
    sinew_mixer_play(mixer, sinew_clip_source(s->shake), &over);
    for (int32_t k = 1; k <= 2; k++) sinew_layer_set_weight(mixer, k, 0.0f);
    for (int i = 0; i <= 300; i++) {
        if (i == 60 && shown >= 1) sinew_layer_fade_to(mixer, 1, 0.75f, 0.3f, SINEW_EASING_SMOOTHSTEP);
        if (i == 192) sinew_layer_fade_to(mixer, 1, 0.0f, 0.4f, SINEW_EASING_SMOOTHSTEP);
        if (i == 126 && shown >= 2) sinew_layer_fade_to(mixer, 2, 1.0f, 0.2f, SINEW_EASING_LINEAR);
        if (i == 240) sinew_layer_fade_to(mixer, 2, 0.0f, 0.2f, SINEW_EASING_LINEAR);
        double time = (double)i / RATE;
        for (int32_t k = 0; k < 2; k++) series_add(&out.weights[k], time, (double)sinew_layer_weight(mixer, k + 1));
        sinew_mixer_update(mixer, 0.0f);
        series_add(&out.angle, time, hinge_angle(mixer));
        step(mixer);
    }
    sinew_mixer_destroy(mixer);
    return out;
}

void plot_layers(FILE *to, const stage *s) {
    const chart_axis seconds = {"seconds", 0.0, 2.5, 0.5};
    figure f;
    figure_begin(&f, to, "Two layers over a swing", (figure_layout){2, 1, 160.0, true});
    const layered base = play_layers(s, 0), over = play_layers(s, 1), all = play_layers(s, 2);
    chart c = chart_begin(&f, seconds, (chart_axis){"weight of the layer", 0.0, 1.1, 0.25});
    chart_line(&c, "l1", &all.weights[0], "1, override: constant 80°");
    chart_line(&c, "l2", &all.weights[1], "2, additive: 8° either side");
    c = chart_begin(&f, seconds, (chart_axis){"joint, degrees", -40.0, 80.0, 20.0});
    chart_line(&c, "l5 dash", &base.angle, "base");
    chart_line(&c, "l1 dash", &over.angle, "with layer 1");
    chart_line(&c, "l3", &all.angle, "shown");
    figure_end(&f);
}

// ---- A mask --------------------------------------------------------------------------------------------------

static const char *const chain[] = {"Hips", "Spine", "Chest", "UpperChest", "Neck", "Head", "Hand_R", "Foot_R"};
enum { CHAIN = sizeof chain / sizeof *chain, FEATHERS = 3 };

static void draw_bars(const chart *c, const stage *s, int which, int32_t feather) {
    const sinew_mask_part part = {.name = "Spine", .factor = 1.0f, .feather = feather};
    sinew_mask *mask;
    sinew_error error;
    if (sinew_mask_from_names(s->hero->skeleton, 0.0f, &part, 1, NULL, &mask, &error) != SINEW_OK)
        die(error.message);
    for (int i = 0; i < CHAIN; i++) {
        double factor = (double)mask->nodes[hero_node(s->hero->skeleton, chain[i])];
        double x = (double)i + 0.14 + 0.24 * (double)which;
        svg_point corner = chart_point(c, x, factor), foot = chart_point(c, x + 0.22, 0.0);
        static const char *const colors[FEATHERS] = {"f5", "f0", "f2"};
        svg_rect(c->to, colors[which], corner, foot.x - corner.x, foot.y - corner.y);
    }
    sinew_mask_destroy(mask);
}

void plot_mask(FILE *to, const stage *s) {
    figure f;
    figure_begin(&f, to, "A mask of Spine and its descendants", (figure_layout){1, 1, 160.0, false});
    chart c = chart_begin(&f, (chart_axis){"node", 0.0, CHAIN, 0.0}, (chart_axis){"factor", 0.0, 1.05, 0.25});
    static const int32_t feathers[FEATHERS] = {0, 2, 4};
    for (int i = 0; i < FEATHERS; i++) draw_bars(&c, s, i, feathers[i]);
    chart_key_area(&c, "f5", "no feather");
    chart_key_area(&c, "f0", "a feather of 2");
    chart_key_area(&c, "f2", "of 4");
    for (int i = 0; i < CHAIN; i++) {
        svg_point below = chart_point(&c, (double)i + 0.5, 0.0);
        svg_text(to, "middle", (svg_point){below.x, below.y + 16.0}, chain[i]);
    }
    figure_end(&f);
}
