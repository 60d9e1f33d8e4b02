// SPDX-License-Identifier: MIT
// What draws the plots in docs/mixing.md: a drawing's text, where a chart puts things, and that each plot is a
// complete drawing that stays on the paper.
#include "support/check.h"

#include "plots/plots.h"

#include <ctype.h>

// ---- What was written ----------------------------------------------------------------------------------------

enum { TEXT_MAX = 1 << 18 };

typedef struct drawing {
    FILE *file;
    char text[TEXT_MAX];
} drawing;

static drawing d;

static FILE *start(void) {
    d.file = tmpfile();
    assert_non_null(d.file);
    return d.file;
}

static const char *finish(void) {
    rewind(d.file);
    size_t length = fread(d.text, 1, TEXT_MAX - 1, d.file);
    d.text[length] = '\0';
    assert_true(feof(d.file));
    fclose(d.file);
    return d.text;
}

static int count_of(const char *text, const char *what) {
    int count = 0;
    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what)) count++;
    return count;
}

// ---- Drawings ------------------------------------------------------------------------------------------------

static void test_text_is_escaped(void **state) {
    (void)state;
    svg_text(start(), "end", (svg_point){1.5, 20.0}, "a < b & \"c\" > d");
    assert_string_equal(finish(),
                        "<text class=\"end\" x=\"1.5\" y=\"20\">a &lt; b &amp; &quot;c&quot; &gt; d</text>\n");
}

static void test_numbers_have_one_decimal_at_most(void **state) {
    (void)state;
    svg_line(start(), "grid", (svg_point){-0.04, 12.0}, (svg_point){-3.06, 99.96});
    assert_string_equal(finish(), "<line class=\"grid\" x1=\"0\" y1=\"12\" x2=\"-3.1\" y2=\"100\"/>\n");
}

static void test_squares_lie_around_their_centers(void **state) {
    (void)state;
    const svg_point centers[2] = {{10.0, 20.0}, {30.0, 20.0}};
    const double sides[2] = {4.0, 1.0};
    svg_squares(start(), "f1", centers, sides, 2);
    assert_string_equal(finish(), "<path class=\"f1\" d=\"M8 18h4v4h-4zM29.5 19.5h1v1h-1z\"/>\n");
}

// ---- Charts --------------------------------------------------------------------------------------------------

static chart one_panel(figure *f, chart_axis x, chart_axis y) {
    figure_begin(f, start(), "title", (figure_layout){1, 1, 100.0, false});
    return chart_begin(f, x, y);
}

static void check_point(svg_point p, double x, double y) {
    check_near(p.x, x, 1e-9);
    check_near(p.y, y, 1e-9);
}

static void test_values_are_placed_from_the_lower_left(void **state) {
    (void)state;
    figure f;
    chart c = one_panel(&f, (chart_axis){"x", 1.0, 3.0, 1.0}, (chart_axis){"y", -10.0, 10.0, 5.0});
    double left = c.corner.x, top = c.corner.y;
    check_point(chart_point(&c, 1.0, -10.0), left, top + 100.0);
    check_point(chart_point(&c, 3.0, 10.0), left + c.width, top);
    check_point(chart_point(&c, 1.5, 5.0), left + c.width / 4.0, top + 25.0);
    finish();
}

static void test_ticks_are_the_multiples_in_the_range(void **state) {
    (void)state;
    figure f;
    one_panel(&f, (chart_axis){"x", -1.5, 2.5, 1.0}, (chart_axis){"y", 0.0, 0.3, 0.1});
    const char *text = finish();
    static const char *const there[] = {">0<", ">-1<", ">1<", ">2<", ">0.1<", ">0.2<", ">0.3<"};
    for (int i = 0; i < 7; i++) assert_int_equal(count_of(text, there[i]), i == 0 ? 2 : 1); // 0 on both
    assert_int_equal(count_of(text, "class=\"grid\""), 8);
}

static void test_lines_part_where_there_is_no_value(void **state) {
    (void)state;
    figure f;
    chart c = one_panel(&f, (chart_axis){"x", 0.0, 4.0, 0.0}, (chart_axis){"y", 0.0, 1.0, 0.0});
    series s = {.count = 0};
    for (int i = 0; i < 5; i++) series_add(&s, i, i == 2 ? (double)NAN : 0.5);
    chart_line(&c, "l0", &s, NULL);
    const char *text = finish();
    assert_int_equal(count_of(text, "<polyline"), 2);
    assert_null(strstr(text, "nan"));
}

static void test_panels_share_the_paper(void **state) {
    (void)state;
    const chart_axis axis = {"a", 0.0, 1.0, 0.0};
    figure f;
    figure_begin(&f, start(), "title", (figure_layout){2, 2, 50.0, true});
    chart panels[4];
    for (int i = 0; i < 4; i++) panels[i] = chart_begin(&f, axis, axis);
    finish();
    assert_true(panels[0].corner.x + panels[0].width < panels[1].corner.x);
    assert_true(panels[0].corner.y + 50.0 < panels[2].corner.y);
    check_near(panels[1].corner.x, panels[3].corner.x, 0.0);
    check_near(panels[2].corner.y, panels[3].corner.y, 0.0);
}

// ---- Every plot ----------------------------------------------------------------------------------------------

// Every element is closed, in the right order.
static void check_elements(const char *text) {
    char open[8][16];
    int depth = 0;
    for (const char *at = strchr(text, '<'); at; at = strchr(at + 1, '<')) {
        const char *end = strchr(at, '>');
        assert_non_null(end);
        if (end[-1] == '/') continue;
        bool closes = at[1] == '/';
        size_t length = strcspn(at + 1 + closes, " >");
        assert_true(length < sizeof open[0]);
        if (!closes) {
            assert_true(depth < 8);
            snprintf(open[depth++], sizeof open[0], "%.*s", (int)length, at + 1);
        } else {
            assert_true(depth > 0);
            depth--;
            assert_true(strlen(open[depth]) == length && strncmp(open[depth], at + 2, length) == 0);
        }
    }
    assert_int_equal(depth, 0);
}

static double attribute(const char *text, const char *name) {
    const char *at = strstr(text, name);
    assert_non_null(at);
    return strtod(at + strlen(name), NULL);
}

typedef struct frame {
    double left, top, right, bottom;
} frame;

static frame frame_at(const char *rect) {
    double left = attribute(rect, " x=\""), top = attribute(rect, " y=\"");
    return (frame){left, top, left + attribute(rect, " width=\""), top + attribute(rect, " height=\"")};
}

static int check_points(const char *text, const frame *in, const char *name) {
    const double line = 1.0; // about its width
    int count = 0;
    char *next;
    for (const char *number = text; *number != '"'; number = next, count++) {
        double x = strtod(number, &next);
        assert_true(*next == ',');
        double y = strtod(next + 1, &next);
        while (isspace((unsigned char)*next)) next++;
        bool is_inside =
            x >= in->left - line && x <= in->right + line && y >= in->top - line && y <= in->bottom + line;
        if (!is_inside) fail_msg("%s: a line leaves its frame for %g, %g", name, x, y);
    }
    return count;
}

// All points of all lines are in their frame, the last one before them.
static void check_lines(const char *text, const char *name) {
    const char frame_begins[] = "<rect class=\"frame\"";
    const char *panel = strstr(text, frame_begins);
    assert_non_null(panel);
    int count = 0;
    while (panel) {
        const char *next = strstr(panel + 1, frame_begins);
        const frame in = frame_at(panel);
        for (const char *at = strstr(panel, " points=\""); at && (!next || at < next);) {
            count += check_points(at + strlen(" points=\""), &in, name);
            at = strstr(at + 1, " points=\"");
        }
        panel = next;
    }
    if (count == 0 && !strstr(text, "class=\"f0\"")) fail_msg("%s: there is nothing in it", name);
}

// Legends end on the paper, at 6.2 pixels a character.
static void check_labels(const char *text, const char *name) {
    double width = attribute(text, " width=\"");
    for (const char *at = strstr(text, "<text class=\"\""); at; at = strstr(at + 1, "<text class=\"\"")) {
        const char *label = strchr(at, '>') + 1;
        double length = 6.2 * (double)strcspn(label, "<");
        if (attribute(at, " x=\"") + length > width) fail_msg("%s: a label leaves the paper: %.20s", name, label);
    }
}

// ---- The actors ----------------------------------------------------------------------------------------------

static stage actors;

static int set_up(void **state) {
    (void)state;
    stage_make(&actors, SINEW_MODELS "/hero.glb");
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    stage_free(&actors);
    return 0;
}

static void test_every_plot_is_a_whole_drawing(void **state) {
    (void)state;
    assert_true(plot_count >= 15);
    for (int i = 0; i < plot_count; i++) {
        plots[i].draw(start(), &actors);
        const char *text = finish();
        check_elements(text);
        check_lines(text, plots[i].name);
        check_labels(text, plots[i].name);
        if (strstr(text, "nan") || strstr(text, "inf\"")) fail_msg("%s: a number is none", plots[i].name);
    }
}

// What is said of synchronisation, by the plot's own legend.
static void test_feet_keep_in_step_within_two_percent(void **state) {
    (void)state;
    plot_sync(start(), &actors);
    double most = attribute(finish(), "one group (at most ");
    if (!(most < 2.0)) fail_msg("the feet are %g %% of a cycle apart", most);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_is_escaped),
        cmocka_unit_test(test_numbers_have_one_decimal_at_most),
        cmocka_unit_test(test_squares_lie_around_their_centers),
        cmocka_unit_test(test_values_are_placed_from_the_lower_left),
        cmocka_unit_test(test_ticks_are_the_multiples_in_the_range),
        cmocka_unit_test(test_lines_part_where_there_is_no_value),
        cmocka_unit_test(test_panels_share_the_paper),
        cmocka_unit_test(test_every_plot_is_a_whole_drawing),
        cmocka_unit_test(test_feet_keep_in_step_within_two_percent),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
