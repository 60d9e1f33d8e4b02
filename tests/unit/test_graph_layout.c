// SPDX-License-Identifier: MIT
// Layouts of random graphs: boxes and labels don't overlap; lines connect boxes without crossing boxes or labels.
#include "support/check.h"
#include "support/random_rig.h"

#include "graph/layout.h"

#include <math.h>
#include <string.h>

enum { MAX_NODES = 14, MAX_EDGES = 34 };

typedef struct box {
    double left, top, right, bottom;
} box;

static box box_of_node(const layout_node *n) {
    return (box){n->corner.x, n->corner.y, n->corner.x + n->width, n->corner.y + n->height};
}

static box box_of_label(const layout_edge *e) {
    return (box){e->label.x, e->label.y, e->label.x + e->label_width, e->label.y + e->label_height};
}

static bool overlap(box a, box b) {
    const double least = 0.5;
    return a.left + least < b.right && b.left + least < a.right && a.top + least < b.bottom &&
           b.top + least < a.bottom;
}

static bool contains(box b, layout_point p) {
    return p.x > b.left + 0.5 && p.x < b.right - 0.5 && p.y > b.top + 0.5 && p.y < b.bottom - 0.5;
}

static layout_point *point_of(layout_edge *e, int32_t index) {
    return &e->points[index < 0 ? e->point_count + index : index];
}

// A position on the line between two points, as plots/svg.c draws it: straight, or a Bezier curve with horizontal ends.
static layout_point between(layout_point a, layout_point b, double u) {
    const bool is_straight = fabs(a.x - b.x) < 0.05 || fabs(a.y - b.y) < 0.05;
    const double middle = (a.x + b.x) / 2.0, v = 1.0 - u;
    if (is_straight) return (layout_point){v * a.x + u * b.x, v * a.y + u * b.y};
    return (layout_point){v * v * v * a.x + 3.0 * v * v * u * middle + 3.0 * v * u * u * middle + u * u * u * b.x,
                          (v * v * v + 3.0 * v * v * u) * a.y + (3.0 * v * u * u + u * u * u) * b.y};
}

static layout random_layout(uint64_t *random, layout_node nodes[MAX_NODES], layout_edge edges[MAX_EDGES]) {
    layout l = {.nodes = nodes, .edges = edges};
    l.node_count = draw_count(random, 1, MAX_NODES);
    l.edge_count = draw_count(random, 0, MAX_EDGES);
    for (int32_t i = 0; i < l.edge_count; i++) {
        edges[i] = (layout_edge){.from = draw_count(random, 0, l.node_count - 1),
                                 .to = draw_count(random, 0, l.node_count - 1),
                                 .label_width = draw_count(random, 20, 300),
                                 .label_height = draw_count(random, 15, 60)};
    }
    for (int32_t i = 0; i < l.node_count; i++) {
        int32_t arrows = 0;
        for (int32_t k = 0; k < l.edge_count; k++) arrows += (edges[k].from == i) + (edges[k].to == i);
        nodes[i] = (layout_node){.width = draw_count(random, 30, 200),
                                 .height = fmax(draw_count(random, 20, 90), layout_node_height(arrows))};
    }
    return l;
}

static void check_boxes(const layout *l) {
    for (int32_t i = 0; i < l->node_count; i++) {
        const box one = box_of_node(&l->nodes[i]);
        assert_true(one.left >= 0.0 && one.top >= 0.0 && one.right <= l->width && one.bottom <= l->height);
        for (int32_t k = 0; k < i; k++) assert_false(overlap(one, box_of_node(&l->nodes[k])));
        for (int32_t k = 0; k < l->edge_count; k++) assert_false(overlap(one, box_of_label(&l->edges[k])));
    }
    for (int32_t i = 0; i < l->edge_count; i++) {
        for (int32_t k = 0; k < i; k++)
            assert_false(overlap(box_of_label(&l->edges[i]), box_of_label(&l->edges[k])));
    }
}

static void check_end(layout_point end, const layout_node *node) {
    const box b = box_of_node(node);
    const bool at_side = fabs(end.x - b.left) < 0.1 || fabs(end.x - b.right) < 0.1;
    assert_true(at_side && end.y > b.top && end.y < b.bottom);
}

static void check_line(const layout *l, layout_edge *e) {
    check_end(*point_of(e, 0), &l->nodes[e->from]);
    check_end(*point_of(e, -1), &l->nodes[e->to]);
    for (int32_t i = 1; i < e->point_count; i++) {
        for (int u = 0; u <= 16; u++) {
            const layout_point p = between(e->points[i - 1], e->points[i], u / 16.0);
            for (int32_t k = 0; k < l->node_count; k++) assert_false(contains(box_of_node(&l->nodes[k]), p));
            for (int32_t k = 0; k < l->edge_count; k++) assert_false(contains(box_of_label(&l->edges[k]), p));
        }
    }
}

static void test_nothing_overlaps(void **state) {
    (void)state;
    uint64_t random = 4;
    for (int i = 0; i < 300; i++) {
        layout_node nodes[MAX_NODES];
        layout_edge edges[MAX_EDGES];
        layout l = random_layout(&random, nodes, edges);
        assert_true(layout_compute(&l));
        check_boxes(&l);
        for (int32_t k = 0; k < l.edge_count; k++) check_line(&l, &edges[k]);
        layout_end(&l);
    }
}

// A chain is a straight line from left to right; an arrow back does not move its nodes.
static void test_a_chain_is_straight(void **state) {
    (void)state;
    layout_node nodes[3];
    layout_edge edges[3] = {{.from = 0, .to = 1, .label_width = 50, .label_height = 20},
                            {.from = 1, .to = 2, .label_width = 50, .label_height = 20},
                            {.from = 2, .to = 0, .label_width = 50, .label_height = 20}};
    for (int i = 0; i < 3; i++) nodes[i] = (layout_node){.width = 60, .height = 50};
    layout l = {.node_count = 3, .edge_count = 3, .nodes = nodes, .edges = edges};
    assert_true(layout_compute(&l));
    assert_true(nodes[0].corner.x < nodes[1].corner.x && nodes[1].corner.x < nodes[2].corner.x);
    assert_true(point_of(&edges[2], 0)->x > point_of(&edges[2], -1)->x);
    assert_true(fabs(point_of(&edges[2], 0)->x - nodes[2].corner.x) < 0.1);
    layout_end(&l);
}

// Two arrows between the same columns, with their ends in opposite orders. When sorted, they don't cross.
static void test_crossings_are_removed(void **state) {
    (void)state;
    layout_node nodes[5];
    layout_edge edges[4];
    static const int32_t ends[4][2] = {{0, 1}, {0, 2}, {1, 4}, {2, 3}};
    for (int i = 0; i < 5; i++) nodes[i] = (layout_node){.width = 60, .height = 50};
    for (int i = 0; i < 4; i++)
        edges[i] = (layout_edge){.from = ends[i][0], .to = ends[i][1], .label_width = 40, .label_height = 20};
    layout l = {.node_count = 5, .edge_count = 4, .nodes = nodes, .edges = edges};
    assert_true(layout_compute(&l));
    const bool one_is_above = nodes[1].corner.y < nodes[2].corner.y,
               four_is_above = nodes[4].corner.y < nodes[3].corner.y;
    assert_int_equal(one_is_above, four_is_above);
    layout_end(&l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_overlaps),
        cmocka_unit_test(test_a_chain_is_straight),
        cmocka_unit_test(test_crossings_are_removed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
