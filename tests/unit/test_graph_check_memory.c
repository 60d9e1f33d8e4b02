// SPDX-License-Identifier: MIT
// The checker and the layout of animation graphs, with each of their allocations failing once. They must report it
// and release everything else.
#include "support/failing_heap.h"
#include "support/graph_stage.h"

#include "graph/arrange.h"
#include "graph/check.h"

// Several findings, a cycle, a blend space, and layers that refer to one another.
static const char text[] =
    "{\"sinewGraph\":1,\"parameters\":{\"a\":{\"type\":\"float\"},\"b\":{\"type\":\"int\"},\"go\":{\"type\":"
    "\"trigger\"}},"
    "\"layers\":[{\"name\":\"Base\",\"states\":{\"A\":{\"clip\":\"walk\",\"tags\":[\"t\"]},\"B\":{\"clip\":\"fly\"}"
    ","
    "\"C\":{\"blend\":{\"x\":\"a\",\"samples\":[{\"clip\":\"walk\"},{\"clip\":\"run\"}]}}},\"transitions\":["
    "{\"from\":\"A\",\"to\":\"B\",\"when\":\"a > 1 && -a < b || time > "
    "0.5\"},{\"from\":\"B\",\"to\":\"A\",\"when\":\"b < 9\"}]},"
    "{\"name\":\"Upper\",\"states\":{\"D\":{},\"E\":{\"clip\":\"wave\"}},\"transitions\":["
    "{\"from\":\"D\",\"to\":\"E\",\"when\":\"go && "
    "in_tag('t')\"},{\"from\":\"E\",\"to\":\"D\",\"when\":\"marker('Hot')\"}]}]}";

// A rig that is created, with findings.
static const char rig[] =
    "{\"sinewGraph\":1,\"parameters\":{\"a\":{\"type\":\"float\"},\"at\":{\"type\":\"vector3\"}},"
    "\"layers\":[{\"name\":\"Base\",\"states\":{\"A\":{\"clip\":\"walk\"}}}],\"rig\":{\"steps\":["
    "{\"name\":\"one\",\"aim\":{\"node\":\"n2\",\"goal\":\"at\"}},"
    "{\"name\":\"two\",\"when\":\"a > 1\",\"limb\":{\"end\":\"n2\",\"goal\":\"at\"}},"
    "{\"name\":\"six\",\"when\":\"a > 1 && a < 1\",\"callback\":{}},"
    "{\"name\":\"ten\",\"springs\":{\"chains\":[{\"root\":\"n1\"}]}}]}}";

// A rig with a step that is refused.
static const char refused[] =
    "{\"sinewGraph\":1,\"parameters\":{\"at\":{\"type\":\"vector3\"}},\"rig\":{\"steps\":["
    "{\"name\":\"one\",\"aim\":{\"node\":\"n2\",\"goal\":\"at\"}},"
    "{\"name\":\"two\",\"limb\":{\"end\":\"n1\",\"goal\":\"at\"}}]}}";

static void check_each_allocation(const char *json, int32_t findings) {
    graph_stage stage = {0};
    make_graph_clips(&stage);
    stage.graph = read_graph(json);
    const sinew_graph_binding_def clips = stage_binding_def(&stage);
    int calls = 0;
    bool good = false;
    for (int i = 0; !good; i++) {
        graph_report report;
        heap_calls = 0;
        heap_fails_at = i;
        good = graph_check(&report, stage.graph, &clips);
        calls = heap_calls;
        heap_fails_at = -1;
        assert_true(good == (calls <= i));
        if (good) assert_true(report.count >= findings);
        graph_report_end(&report);
        assert_null(report.memory);
    }
    assert_true(calls > 50);
    free_graph_stage(&stage);
}

static void test_each_allocation(void **state) {
    (void)state;
    check_each_allocation(text, 4);
}

static void test_each_allocation_of_a_rig(void **state) {
    (void)state;
    check_each_allocation(rig, 4);
    check_each_allocation(refused, 4);
}

// Two layers, and a machine in a state.
static const char machines[] =
    "{\"sinewGraph\":1,\"layers\":[{\"name\":\"Base\",\"states\":{\"A\":{},\"B\":{\"states\":{\"C\":{},\"D\":{}},"
    "\"transitions\":[{\"from\":\"C\",\"to\":\"D\"}]}},\"transitions\":[{\"from\":\"*\",\"to\":\"A\",\"when\":"
    "\"elapsed > 1\"},"
    "{\"from\":\"A\",\"to\":\"B\"}]},{\"name\":\"Upper\",\"states\":{\"E\":{}}}]}";

static void test_each_allocation_of_the_layout(void **state) {
    (void)state;
    sinew_graph *graph = read_graph(machines);
    int calls = 0;
    bool good = false;
    for (int i = 0; !good; i++) {
        graph_arrangement arrangement;
        heap_calls = 0;
        heap_fails_at = i;
        good = graph_arrange(&arrangement, graph);
        calls = heap_calls;
        heap_fails_at = -1;
        assert_true(good == (calls <= i));
        if (good) assert_true(arrangement.machines[0].width > arrangement.machines[2].width);
        graph_arrangement_end(&arrangement);
    }
    assert_true(calls > 50);
    sinew_graph_destroy(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_allocation),
        cmocka_unit_test(test_each_allocation_of_a_rig),
        cmocka_unit_test(test_each_allocation_of_the_layout),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
