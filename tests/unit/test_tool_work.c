// SPDX-License-Identifier: MIT
// The command, like the library, takes work, memory and output linear in a file's size. Work is counted in basic
// blocks, for which the command is compiled again, and in bytes that it copies, clears, compares and prints. The
// files are in a temporary folder, which is the current one.
#include "cli/cli.h"
#include "cli/graph.h"
#include "cli/render_args.h"
#include "cli/stage.h"
#include "files/files.h"
#include "support/graph_bombs.h"
#include "support/tool_bombs.h"
#include "support/folder.h"

#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- Counting ------------------------------------------------------------------------------------------------------

static bool is_counting;
static uint64_t blocks, bytes_moved;
static size_t live, peak;

void __sanitizer_cov_trace_pc(void); // NOLINT(bugprone-reserved-identifier,cert-*): the compilers' name

void __sanitizer_cov_trace_pc(void) { // NOLINT(bugprone-reserved-identifier,cert-*)
    blocks++;
}

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): the linker's --wrap prescribes these names
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void __real_free(void *memory);
void *__real_memset(void *to, int value, size_t size);
void *__real_memcpy(void *to, const void *from, size_t size);
int __real_memcmp(const void *a, const void *b, size_t size);
size_t __real_strlen(const char *text);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void __wrap_free(void *memory);
void *__wrap_memset(void *to, int value, size_t size);
void *__wrap_memcpy(void *to, const void *from, size_t size);
int __wrap_memcmp(const void *a, const void *b, size_t size);
size_t __wrap_strlen(const char *text);

static void *took(void *memory) {
    if (!is_counting || !memory) return memory;
    live += malloc_usable_size(memory);
    if (live > peak) peak = live;
    return memory;
}

// What was taken before the counting began may be freed during it.
static void gave(void *memory) {
    size_t size = is_counting && memory ? malloc_usable_size(memory) : 0;
    live -= size < live ? size : live;
}

void *__wrap_malloc(size_t size) {
    return took(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size) {
    return took(__real_calloc(count, size));
}

void *__wrap_realloc(void *memory, size_t size) {
    gave(memory);
    return took(__real_realloc(memory, size));
}

void __wrap_free(void *memory) {
    gave(memory);
    __real_free(memory);
}

void *__wrap_memset(void *to, int value, size_t size) {
    bytes_moved += size;
    return __real_memset(to, value, size);
}

void *__wrap_memcpy(void *to, const void *from, size_t size) {
    bytes_moved += size;
    return __real_memcpy(to, from, size);
}

int __wrap_memcmp(const void *a, const void *b, size_t size) {
    bytes_moved += size;
    return __real_memcmp(a, b, size);
}

size_t __wrap_strlen(const char *text) {
    size_t length = __real_strlen(text);
    bytes_moved += length;
    return length;
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

// ---- Commands ------------------------------------------------------------------------------------------------------

static int run_info(char *file) {
    return cli_info(3, (char *[]){(char[]){"info"}, file, (char[]){"--json"}, NULL});
}

static int run_info_text(char *file) {
    return cli_info(2, (char *[]){(char[]){"info"}, file, NULL});
}

static int run_pose_table(char *file) {
    return cli_pose(2, (char *[]){(char[]){"pose"}, file, NULL});
}

static int run_pose(char *file) {
    return cli_pose(3, (char *[]){(char[]){"pose"}, file, (char[]){"--json"}, NULL});
}

static int run_skin(char *file) {
    return cli_skin(2, (char *[]){(char[]){"skin"}, file, NULL});
}

static int run_lint(char *file) {
    return cli_lint(3, (char *[]){(char[]){"lint"}, file, (char[]){"--json"}, NULL});
}

static int run_fix(char *file) {
    return cli_lint(4, (char *[]){(char[]){"lint"}, file, (char[]){"--fix"}, (char[]){"fixed.glb"}, NULL});
}

static int run_verify(char *file) {
    return cli_verify(2, (char *[]){(char[]){"verify"}, file, NULL});
}

// No picture is asked for.
int cli_render_draw(const cli_render_args *args) {
    (void)args;
    return CLI_BAD_INPUT;
}

static int run_compare(char *file) {
    return cli_compare(3, (char *[]){(char[]){"compare"}, file, file, NULL});
}

static int run_optimize(char *file) {
    return cli_optimize(4, (char *[]){(char[]){"optimize"}, file, (char[]){"-o"}, (char[]){"optimized.glb"}, NULL});
}

static int run_bake(char *file) {
    return cli_bake(6, (char *[]){(char[]){"bake"}, file, (char[]){"--clip"}, (char[]){"#0"}, (char[]){"-o"},
                                  (char[]){"made.glb"}, NULL});
}

static int run_bake_asset(char *file) {
    return cli_bake_asset(4,
                          (char *[]){(char[]){"bake-asset"}, file, (char[]){"-o"}, (char[]){"made.sinew"}, NULL});
}

static int run_compress(char *file) {
    return cli_bake_asset(6, (char *[]){(char[]){"bake-asset"}, file, (char[]){"--compress"}, (char[]){"1mm"},
                                        (char[]){"-o"}, (char[]){"made.sinew"}, NULL});
}

static int run_humanoid(char *file) {
    return cli_humanoid(2, (char *[]){(char[]){"humanoid"}, file, NULL});
}

static int run_retarget(char *file) {
    return cli_retarget(6, (char *[]){(char[]){"retarget"}, file, (char[]){"--onto"}, file, (char[]){"-o"},
                                      (char[]){"made.glb"}, NULL});
}

// What `sinew render` does before it draws.
static int run_stage(char *file) {
    static cli_stage stage;
    draw_framing framing = draw_framing_start(1.0f, 0.0f, 0.0f);
    stage = (cli_stage){.step = 1.0f};
    bool good = cli_stage_add(&stage, file, NULL) && cli_stage_start(&stage) && cli_stage_frame(&stage, &framing);
    cli_stage_free(&stage);
    return good ? CLI_GOOD : CLI_BAD_INPUT;
}

static int run_graph_check(char *file) {
    (void)file;
    return cli_graph_check(2, (char *[]){(char[]){"graph check"}, (char[]){"graph.json"}, NULL});
}

static int run_graph_plot(char *file) {
    (void)file;
    return cli_graph_plot(
        4, (char *[]){(char[]){"graph plot"}, (char[]){"graph.json"}, (char[]){"-o"}, (char[]){"graph.svg"}, NULL});
}

typedef struct command {
    const char *name;
    int (*run)(char *file);
    bool measures;       // it evaluates as many poses as verify
    double work, memory; // the limit, as a multiple of the others'
} command;

static const command reading_commands[] = {
    {"info", run_info_text, false, 1, 1},  {"info --json", run_info, false, 1, 1},
    {"pose", run_pose_table, false, 1, 1}, {"pose --json", run_pose, false, 1, 1},
    {"skin", run_skin, false, 1, 1},       {"lint", run_lint, false, 1, 1},
    {"lint --fix", run_fix, false, 1, 1},  {"verify", run_verify, true, 1, 1},
    {"render", run_stage, false, 1, 1},
};

// Both read two files and list what each node carries; optimize searches, and measures the result.
static const command measuring_commands[] = {
    {"compare", run_compare, true, 1, 4},
    {"optimize", run_optimize, true, 2, 4},
};

// Those that write clips, or find what a skeleton is.
static const command making_commands[] = {
    {"bake", run_bake, false, 1, 1},         {"bake-asset", run_bake_asset, false, 1, 1},
    {"compress", run_compress, false, 1, 1}, {"humanoid", run_humanoid, false, 1, 1},
    {"retarget", run_retarget, false, 1, 1},
};

enum { COMMANDS = sizeof reading_commands / sizeof reading_commands[0] };

// Commands, and the sizes of the files that they are measured with.
typedef struct suite {
    const command *commands;
    size_t count;
    int small, large, limited;
} suite;

static const suite reading = {reading_commands, COMMANDS, 40000, 160000, 30000},
                   measuring = {measuring_commands, 2, 10000, 40000, 7500},
                   making = {making_commands, 5, 160000, 640000, 30000};
static const suite *suite_of_test = &reading;

// ---- Measuring -----------------------------------------------------------------------------------------------------

typedef struct cost {
    double work, memory;
} cost;

static int redirect(int stream, const char *path) {
    int kept = dup(stream), file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(kept >= 0 && file >= 0);
    dup2(file, stream);
    close(file);
    return kept;
}

static void restore(int stream, int kept) {
    dup2(kept, stream);
    close(kept);
}

// An output that exists is compared with the inputs first.
static const char *const outputs[] = {"fixed.glb", "optimized.glb", "made.glb", "made.sinew", "graph.svg"};

static cost measure(const command *c) {
    struct stat printed;
    char file[] = "bomb.glb";
    files_forget();
    (void)fflush(NULL);
    int out = redirect(STDOUT_FILENO, "out"), err = redirect(STDERR_FILENO, "err");
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) (void)remove(outputs[i]);
    blocks = bytes_moved = 0;
    live = peak = 0;
    is_counting = true;
    c->run(file);
    is_counting = false;
    (void)fflush(NULL);
    restore(STDOUT_FILENO, out);
    restore(STDERR_FILENO, err);
    assert_int_equal(stat("out", &printed), 0);
    // A block has a few instructions. Each moves or prints some bytes.
    return (cost){(double)blocks + (double)bytes_moved / 8.0 + (double)printed.st_size, (double)peak};
}

static folder scratch;

// The commands name files relative to the current folder.
static int enter_scratch_folder(void **state) {
    (void)state;
    scratch = make_folder("tool-work");
    return chdir(scratch.path);
}

// Writes bomb.glb, its markers, and "big" next to it. Returns how many bytes they are.
static size_t write_bomb(gltf_builder *b, const void *markers, size_t marker_bytes) {
    size_t size;
    uint8_t *glb = gltf_write_glb(b, &size);
    static const uint8_t big[65536];
    gltf_end(b);
    write_file(&scratch, "bomb.glb", glb, size);
    free(glb);
    write_file(&scratch, "big", big, sizeof big);
    (void)remove("bomb.markers.json");
    if (marker_bytes > 0) write_file(&scratch, "bomb.markers.json", markers, marker_bytes);
    return size + marker_bytes;
}

static size_t write_loader_bomb(const bomb *which, int size) {
    gltf_builder b = which->make(size);
    sinew_gltf_options options = bomb_options(which);
    sinew_bytes markers = {NULL, 0};
    if (options.markers) assert_true(options.reader.read(options.markers, &markers, options.reader.user));
    size_t bytes = write_bomb(&b, markers.data, markers.size);
    if (options.markers) options.reader.release(markers, options.reader.user);
    return bytes;
}

static size_t write_tool_bomb(const tool_bomb *which, int size) {
    gltf_text markers = {NULL, 0, 0};
    gltf_builder b = which->make(size, &markers);
    size_t bytes = write_bomb(&b, markers.data, markers.size);
    free(markers.data);
    return bytes;
}

// ---- Limits --------------------------------------------------------------------------------------------------------

// 4 times as large: 16 times as much were it quadratic. What a small file may take in any case does not count.
#define GROWTH      1.2
#define FREE_WORK   4e5
#define FREE_MEMORY 5e5

// The library may hold 256 bytes for each byte of the file, and the second reading of lint and verify 512. To each of
// them come 4 MiB, or 8.
#define MOST_MEMORY(size) (768.0 * (size) + 13e6)

// A pose may be 256 numbers for each byte, and 4 Mi, and all poses of `verify` twice that. A number is some blocks.
#define BLOCKS_FOR_A_NUMBER 40.0
#define MOST_WORK(size)     (2.0 * BLOCKS_FOR_A_NUMBER * (256.0 * (size) + 4194304.0))

static int faults;

static void fault(const char *name, const command *c, const char *what, double amount, double limit) {
    print_message("%s, %s: %s is %.4g, more than %.4g\n", name, c->name, what, amount, limit);
    faults++;
}

static void check_growth(const char *name, const command *c, double ratio, cost small, cost large) {
    double work = GROWTH * ratio * small.work + FREE_WORK, memory = GROWTH * ratio * small.memory + FREE_MEMORY;
    if (large.work > work) fault(name, c, "the work of 4 times the size", large.work, work);
    if (large.memory > memory) fault(name, c, "the memory of 4 times the size", large.memory, memory);
}

static void check_limits(const char *name, const command *c, double size, cost large) {
    const double work = c->work * MOST_WORK(size), memory = c->memory * MOST_MEMORY(size);
    if (large.work > work) fault(name, c, "the work", large.work, work);
    if (large.memory > memory) fault(name, c, "the memory", large.memory, memory);
}

enum { LARGE = 160000 };

typedef struct costs {
    double size;
    cost of[COMMANDS];
} costs;

static costs measure_all(size_t size) {
    costs all = {.size = (double)size};
    for (size_t i = 0; i < suite_of_test->count; i++) all.of[i] = measure(&suite_of_test->commands[i]);
    return all;
}

static bool may_grow(const tool_bomb *b, const command *c) {
    if (!b->grows) return false;
    return strcmp(b->grows, c->name) == 0 || (c->measures && strcmp(b->grows, "verify") == 0);
}

static void check_sizes(const tool_bomb *b, const costs *small, const costs *large) {
    double ratio = large->size / small->size;
    print_message("%-24s", b->name);
    for (size_t i = 0; i < suite_of_test->count; i++)
        print_message(" %5.2f", large->of[i].work / small->of[i].work);
    print_message("  times the work for %.2f times the size\n", ratio);
    for (size_t i = 0; i < suite_of_test->count; i++) {
        const command *c = &suite_of_test->commands[i];
        if (!may_grow(b, c)) check_growth(b->name, c, ratio, small->of[i], large->of[i]);
    }
}

static void check_cost(const char *name, const costs *all) {
    print_message("%-24s", name);
    for (size_t i = 0; i < suite_of_test->count; i++) print_message(" %6.0f", all->of[i].work / all->size);
    print_message("  blocks a byte\n%-24s", "");
    for (size_t i = 0; i < suite_of_test->count; i++) print_message(" %6.0f", all->of[i].memory / all->size);
    print_message("  bytes a byte\n");
    for (size_t i = 0; i < suite_of_test->count; i++)
        check_limits(name, &suite_of_test->commands[i], all->size, all->of[i]);
}

// Only measures bombs with this in their name; NULL: all.
static const char *chosen;

static bool is_chosen(const char *name) {
    return !chosen || strstr(name, chosen);
}

// Mistakes: room for all views for each buffer; a walk to the root for each joint; all nodes for each skin; all channels
// for each channel; all samplers for each timeline; elements that no bytes of the file pay for.
static void test_the_commands(void **state) {
    (void)state;
    for (int i = 0; i < tool_bomb_count; i++) {
        const tool_bomb *b = &tool_bombs[i];
        if (!is_chosen(b->name)) continue;
        if (b->grows && strcmp(b->grows, "all") == 0) {
            const costs limited = measure_all(write_tool_bomb(b, suite_of_test->limited));
            check_cost(b->name, &limited);
            continue;
        }
        const costs small = measure_all(write_tool_bomb(b, suite_of_test->small)),
                    large = measure_all(write_tool_bomb(b, suite_of_test->large));
        check_sizes(b, &small, &large);
        check_cost(b->name, &large);
    }
    assert_int_equal(faults, 0);
}

static void test_compare_and_optimize(void **state) {
    suite_of_test = &measuring;
    test_the_commands(state);
    suite_of_test = &reading;
}

static void test_what_writes_clips(void **state) {
    suite_of_test = &making;
    test_the_commands(state);
    suite_of_test = &reading;
}

// How they grow is test_gltf_work.c's: small ones are below what every file may take.
static void test_the_bombs_of_the_library(void **state) {
    (void)state;
    for (int i = 0; i < bomb_count; i++) {
        if (!is_chosen(bombs[i].name)) continue;
        const costs limited = measure_all(write_loader_bomb(&bombs[i], suite_of_test->limited));
        check_cost(bombs[i].name, &limited);
    }
    assert_int_equal(faults, 0);
}

// ---- Graphs --------------------------------------------------------------------------------------------------------

static const command graph_commands[] = {
    {"graph check", run_graph_check, false, 1, 1},
    {"graph plot", run_graph_plot, false, 1, 1},
};

static void write_graph(const graph_bomb *which, int size) {
    gltf_text graph = which->make(size);
    write_file(&scratch, "graph.json", graph.data, graph.size);
    free(graph.data);
}

// At most 2.2 times the work for twice the size; of small files at most what takes a second or so.
static void test_the_graphs(void **state) {
    enum { SMALL = 20000, LARGE_GRAPH = 160000 };
    const double growth = 2.2, most = 2e9, some_milliseconds = 2e6;
    (void)state;
    for (int i = 0; i < graph_bomb_count; i++) {
        const graph_bomb *b = &graph_bombs[i];
        if (!is_chosen(b->name)) continue;
        for (int c = 0; c < 2; c++) {
            double before = 0.0;
            print_message("%-24s %-12s", b->name, graph_commands[c].name);
            for (int size = SMALL; size <= LARGE_GRAPH; size *= 2) {
                write_graph(b, size);
                const double work = measure(&graph_commands[c]).work;
                print_message(" %7.1f", work / 1e6);
                if (size == SMALL && work > most) fault(b->name, &graph_commands[c], "the work", work, most);
                const double limit = growth * before + some_milliseconds;
                if (size > SMALL && work > limit) fault(b->name, &graph_commands[c], "the work", work, limit);
                before = work;
            }
            print_message("  million blocks for 20, 40, 80 and 160 KB\n");
        }
    }
    assert_int_equal(faults, 0);
}

// ---- What is said --------------------------------------------------------------------------------------------------

static char printed[4096], said[4096];

static void read_back(const char *path, char *text, size_t size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    text[fread(text, 1, size - 1, file)] = '\0';
    assert_int_equal(fclose(file), 0);
}

static int run_once(int (*run)(char *file)) {
    char file[] = "bomb.glb";
    files_forget();
    (void)fflush(NULL);
    int out = redirect(STDOUT_FILENO, "out"), err = redirect(STDERR_FILENO, "err");
    int status = run(file);
    (void)fflush(NULL);
    restore(STDOUT_FILENO, out);
    restore(STDERR_FILENO, err);
    read_back("out", printed, sizeof printed);
    read_back("err", said, sizeof said);
    return status;
}

static void write_named(const char *name, int size) {
    for (int i = 0; i < tool_bomb_count; i++) {
        if (strcmp(tool_bombs[i].name, name) == 0) {
            write_tool_bomb(&tool_bombs[i], size);
            return;
        }
    }
    fail_msg("there is no %s", name);
}

static void expect_refused(int (*run)(char *file), const char *why) {
    assert_int_equal(run_once(run), CLI_BAD_INPUT);
    check_contains(said, "bomb.glb: ");
    check_contains(said, why);
    assert_string_equal(printed, "");
}

static void test_too_much_is_refused(void **state) {
    (void)state;
    write_named("joints_on_instances", 100000);
    expect_refused(run_skin, "nodes share meshes or skins too often: a pose has ");
    expect_refused(run_verify, "nodes share meshes or skins too often: a pose has ");
    expect_refused(run_stage, "nodes share meshes or skins too often: a pose has ");
    write_named("unused_sparse_zeros", 400);
    expect_refused(run_lint, ": accessors[0]: ");
    expect_refused(run_lint, " bytes of input need more than ");
    assert_int_equal(run_once(run_fix), CLI_GOOD); // which takes them out unread
    write_named("overlapping_extras", LARGE);
    expect_refused(run_fix, ": bufferViews[");
    expect_refused(run_fix, "]: the views overlap too much: they have ");
}

// Zeros that nothing refers to are not read.
static void test_zeros_are_no_fault(void **state) {
    (void)state;
    write_named("unused_zeros", 400);
    assert_int_equal(run_once(run_lint), CLI_GOOD);
    assert_int_equal(run_once(run_fix), CLI_GOOD);
    assert_string_equal(said, "");
}

// A pose of 6,666 nodes is 106,656 numbers, and 1,000 keys have 6,000 poses. That's 640 million numbers, but 37,000
// bytes are only allowed 27 million. With a tenth of both, it's 6 million.
static void test_of_too_many_poses_some_are_compared(void **state) {
    (void)state;
    write_named("keys_and_nodes", 4000);
    assert_int_equal(run_once(run_verify), CLI_GOOD);
    check_contains(printed, "\n600 poses of 1 clips");
    write_named("keys_and_nodes", 40000);
    assert_int_equal(run_once(run_verify), CLI_GOOD);
    check_contains(printed, " of 6000 poses of 1 clips");
    write_named("keys_and_nodes", 160000);
    assert_int_equal(run_once(run_optimize), CLI_GOOD); // a copy, which is not measured
    check_contains(printed, "not made smaller");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_commands),
        cmocka_unit_test(test_the_graphs),
        cmocka_unit_test(test_compare_and_optimize),
        cmocka_unit_test(test_what_writes_clips),
        cmocka_unit_test(test_the_bombs_of_the_library),
        cmocka_unit_test(test_too_much_is_refused),
        cmocka_unit_test(test_zeros_are_no_fault),
        cmocka_unit_test(test_of_too_many_poses_some_are_compared),
    };
    chosen = argc > 1 ? argv[1] : NULL;
    return cmocka_run_group_tests(tests, enter_scratch_folder, NULL);
}
