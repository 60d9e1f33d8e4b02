// SPDX-License-Identifier: MIT
// The checker and the layout of animation graphs, with each of their allocations failing once: they report that and
// release all others.
#include "support/graph_stage.h"

#include "graph/arrange.h"
#include "graph/check.h"

static int allocations, failing = -1; // the allocation that fails

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);

void *__wrap_calloc(size_t count, size_t size) {
    return allocations++ == failing ? NULL : __real_calloc(count, size);
}

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

static void test_each_allocation(void **state) {
    (void)state;
    graph_stage stage = {0};
    make_graph_clips(&stage);
    stage.graph = read_graph(text);
    const sinew_graph_binding_def clips = stage_binding_def(&stage);
    bool good = false;
    for (int i = 0; !good; i++) {
        graph_report report;
        allocations = 0;
        failing = i;
        good = graph_check(&report, stage.graph, &clips);
        failing = -1;
        assert_true(good == (allocations <= i));
        if (good) assert_true(report.count >= 4);
        graph_report_end(&report);
        assert_null(report.memory);
    }
    assert_true(allocations > 50);
    free_graph_stage(&stage);
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
    bool good = false;
    for (int i = 0; !good; i++) {
        graph_arrangement arrangement;
        allocations = 0;
        failing = i;
        good = graph_arrange(&arrangement, graph);
        failing = -1;
        assert_true(good == (allocations <= i));
        if (good) assert_true(arrangement.machines[0].width > arrangement.machines[2].width);
        graph_arrangement_end(&arrangement);
    }
    assert_true(allocations > 50);
    sinew_graph_destroy(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_allocation),
        cmocka_unit_test(test_each_allocation_of_the_layout),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
