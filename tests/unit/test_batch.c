// SPDX-License-Identifier: MIT
// Many files in one call: which files, each handled once and finished in order, and how many wait.
#if !defined(_XOPEN_SOURCE)
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier,cert-*): nftw
#endif
#include "support/check.h"

#include "support/folder.h"

#include "batch/batch.h"
#include "system/system.h"

#include <stdatomic.h>
#include <stdio.h>

// ---- Jobs ----------------------------------------------------------------------------------------------------

enum { COUNT = 500 };

typedef struct counts {
    atomic_int worked[COUNT];
    atomic_int working, most_working; // at a time
    atomic_int waiting, most_waiting; // worked on, or being worked on, and not finished
    atomic_int finishing;
    int finished; // in order
    bool is_wrong;
} counts;

static void keep_most(atomic_int *most, int value) {
    int before = atomic_load(most);
    while (value > before && !atomic_compare_exchange_weak(most, &before, value)) continue;
}

// Items take very different times.
static void work(void *user, int item) {
    counts *c = user;
    keep_most(&c->most_working, atomic_fetch_add(&c->working, 1) + 1);
    keep_most(&c->most_waiting, atomic_fetch_add(&c->waiting, 1) + 1);
    const double end = system_seconds() + (item % 37 == 0 ? 2e-3 : 1e-5);
    while (system_seconds() < end) continue;
    atomic_fetch_add(&c->worked[item], 1);
    atomic_fetch_sub(&c->working, 1);
}

static void finish(void *user, int item) {
    counts *c = user;
    if (atomic_fetch_add(&c->finishing, 1) != 0) c->is_wrong = true;
    if (item != c->finished++ || atomic_load(&c->worked[item]) != 1) c->is_wrong = true;
    atomic_fetch_sub(&c->waiting, 1);
    atomic_fetch_sub(&c->finishing, 1);
}

static void test_items_are_finished_in_order(void **state) {
    (void)state;
    static const int jobs[] = {1, 2, 3, 16, 256};
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
        static counts c;
        memset(&c, 0, sizeof c);
        const batch_def def = {COUNT, jobs[i], work, finish, &c};
        assert_true(batch_run(&def));
        assert_false(c.is_wrong);
        assert_int_equal(c.finished, COUNT);
        assert_true(atomic_load(&c.most_working) <= jobs[i]);
        assert_true(atomic_load(&c.most_waiting) <= 4 * jobs[i] + 1); // and the one that is being finished
    }
}

static void test_fewer_items_than_jobs(void **state) {
    (void)state;
    for (int count = 0; count < 4; count++) {
        static counts c;
        memset(&c, 0, sizeof c);
        const batch_def def = {count, 8, work, finish, &c};
        assert_true(batch_run(&def));
        assert_false(c.is_wrong);
        assert_int_equal(c.finished, count);
    }
}

// Threads do work at the same time: two that wait for each other both return.
static void wait_for_other(void *user, int item) {
    counts *c = user;
    const double end = system_seconds() + 20.0;
    atomic_fetch_add(&c->worked[item], 1);
    while (atomic_load(&c->worked[1 - item]) == 0 && system_seconds() < end) continue;
    if (atomic_load(&c->worked[1 - item]) == 0) c->is_wrong = true;
}

static void test_two_jobs_work_at_the_same_time(void **state) {
    (void)state;
    static counts c;
    memset(&c, 0, sizeof c);
    const batch_def def = {2, 2, wait_for_other, finish, &c};
    assert_true(batch_run(&def));
    assert_false(c.is_wrong);
}

// ---- Files ---------------------------------------------------------------------------------------------------

static void save(const char *path) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
}

static void test_folders_are_expanded(void **state) {
    (void)state;
    static const char *const files[] = {"b/z.glb", "b/a.BVH",      "b/m.gltf",  "b/n.txt",     "b/.h.glb",
                                        "b/glb",   "b/c/deep.glb", "one.other", "b/A.glb.bak", "empty/x.txt"};
    static const char *const expected[] = {"one.other", "b/a.BVH", "b/m.gltf", "b/z.glb", "none.glb"};
    assert_true(system_make_folder("b") && system_make_folder("b/c") && system_make_folder("empty"));
    assert_true(system_make_folder("b")); // it exists
    assert_false(system_make_folder("no/such"));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) save(files[i]);
    batch_list list = {0};
    assert_null(batch_add(&list, "one.other", ".glb .gltf .bvh")); // a file that is given may have any ending
    assert_false(list.is_many);
    assert_null(batch_add(&list, "b", ".glb .gltf .bvh"));
    assert_true(list.is_many);
    assert_null(batch_add(&list, "none.glb", ".glb .gltf .bvh")); // reading it reports that it doesn't exist
    assert_non_null(batch_add(&list, "empty", ".glb .gltf .bvh"));
    assert_int_equal(list.count, 5);
    for (int i = 0; i < 5; i++) assert_string_equal(list.paths[i], expected[i]);
    batch_list_free(&list);
    assert_null(batch_add(&list, "b/", ".glb"));
    assert_true(list.is_many && list.count == 1);
    assert_string_equal(list.paths[0], "b/z.glb");
    batch_list_free(&list);
}

static void test_names_are_those_of_files(void **state) {
    (void)state;
    static const char *const names[][2] = {
        {"a/b/Walk.one.bvh", "Walk.one"}, {"Walk", "Walk"}, {"a.b/Walk", "Walk"}, {".bvh", ".bvh"}};
    for (int i = 0; i < 4; i++) {
        char *name = batch_name(names[i][0]);
        assert_string_equal(name, names[i][1]);
        free(name);
    }
}

static void test_a_scratch_file_is_gone(void **state) {
    (void)state;
    FILE *file = system_open_scratch();
    assert_non_null(file);
    assert_int_equal(fwrite("bytes", 1, 5, file), 5);
    assert_int_equal(fseek(file, 1, SEEK_SET), 0);
    assert_int_equal(fgetc(file), 'y');
    assert_int_equal(fclose(file), 0);
}

int main(int argc, char **argv) {
    (void)argc, (void)argv;
    enter_folder("sinew-batch");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_items_are_finished_in_order),    cmocka_unit_test(test_fewer_items_than_jobs),
        cmocka_unit_test(test_two_jobs_work_at_the_same_time), cmocka_unit_test(test_folders_are_expanded),
        cmocka_unit_test(test_names_are_those_of_files),       cmocka_unit_test(test_a_scratch_file_is_gone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
