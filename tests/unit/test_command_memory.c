// SPDX-License-Identifier: MIT
// The sub-commands when memory runs out. Each runs again and again. Each time, another allocation fails, alone or
// with all later ones. A run either exits with status 1 and one line that says so, or does exactly what it does with
// enough memory. None crashes, hangs, leaks, or leaves a file that isn't its complete output. Prints a table.
//
// The program links the command's object files, and a child process calls its main for each run. Allocations in
// shared libraries don't fail. That leaves out drivers: `sinew render` ends where it would open one.
#if !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE // NOLINT(bugprone-reserved-identifier,cert-*): MAP_ANONYMOUS
#endif
#include "support/gltf_samples.h"
#include "support/recorded_command.h"

#include "support/folder.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): the linker's --wrap prescribes these names

// ---- The heap ------------------------------------------------------------------------------------------------

typedef struct heap_count {
    int calls;  // allocations
    int blocks; // that are not freed
} heap_count;

static heap_count heap;
static bool heap_counts;       // while the command runs
static int heap_fails_at = -1; // the number of the allocation that fails; -1: none
static bool heap_stays_full;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void __real_free(void *memory);
void *__real_aligned_alloc(size_t alignment, size_t size);
char *__real_realpath(const char *path, char *resolved);
FILE *__real_fopen(const char *path, const char *mode);
FILE *__real_fdopen(int file, const char *mode);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void __wrap_free(void *memory);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
char *__wrap_strdup(const char *text);
char *__wrap_realpath(const char *path, char *resolved);
FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__wrap_fdopen(int file, const char *mode);

static bool heap_refuses(void) {
    if (!heap_counts) return false;
    const int call = heap.calls++;
    if (call != heap_fails_at && !(heap_stays_full && call > heap_fails_at)) return false;
    errno = ENOMEM;
    return true;
}

static void *count_block(void *memory) {
    heap.blocks += heap_counts && memory;
    return memory;
}

void *__wrap_malloc(size_t size) {
    return heap_refuses() ? NULL : count_block(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size) {
    return heap_refuses() ? NULL : count_block(__real_calloc(count, size));
}

void *__wrap_realloc(void *memory, size_t size) {
    if (heap_refuses()) return NULL;
    void *moved = __real_realloc(memory, size);
    return memory ? moved : count_block(moved);
}

void __wrap_free(void *memory) {
    heap.blocks -= heap_counts && memory;
    __real_free(memory);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
    return heap_refuses() ? NULL : count_block(__real_aligned_alloc(alignment, size));
}

char *__wrap_strdup(const char *text) {
    char *copy = __wrap_malloc(strlen(text) + 1);
    return copy ? strcpy(copy, text) : NULL; // NOLINT(clang-analyzer-security.insecureAPI.strcpy): it fits
}

char *__wrap_realpath(const char *path, char *resolved) {
    return heap_refuses() ? NULL : count_block(__real_realpath(path, resolved));
}

FILE *__wrap_fopen(const char *path, const char *mode) {
    return heap_refuses() ? NULL : __real_fopen(path, mode);
}

FILE *__wrap_fdopen(int file, const char *mode) {
    return heap_refuses() ? NULL : __real_fdopen(file, mode);
}

// ---- A run ---------------------------------------------------------------------------------------------------

int __real_main(int argc, char **argv);
bool __wrap_draw_egl_open(void *egl, int api, sinew_error *error);
int __wrap_main(int argc, char **argv);

bool __wrap_draw_egl_open(void *egl, int api, sinew_error *error) {
    (void)egl, (void)api;
    snprintf(error->message, sizeof error->message, "the driver is left out");
    return false;
}

// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

enum { NEVER = -1, TEXT_SIZE = 1 << 18, MOST_SECONDS = 60 };

typedef struct text {
    size_t size;
    char bytes[TEXT_SIZE];
} text;

typedef struct line {
    const char *arguments, *output; // `output`: the file that it writes; NULL: none
} line;

// What a run has left.
typedef struct outcome {
    int status;
    heap_count heap;
    text printed, errors, output;
    bool has_output;
    int files; // written
} outcome;

static folder work, notes;     // the folder of each run, and one for what is printed
static outcome whole, failing; // of a run with enough memory, and of one without

static bool read_text(const char *path, text *t) {
    FILE *file = fopen(path, "rb");
    t->size = file ? fread(t->bytes, 1, TEXT_SIZE - 1, file) : 0;
    t->bytes[t->size] = '\0';
    if (file) fclose(file);
    return file != NULL;
}

// Returns the number of files in the folder of outputs, and removes them.
static int take_files(void) {
    const char *path = in_folder(&work, "out");
    DIR *list = opendir(path);
    int count = -2; // . and ..
    while (list && readdir(list)) count++;
    if (list) closedir(list);
    if (count == 0) return 0;
    remove_all(path);
    assert_int_equal(mkdir(path, 0777), 0);
    return count;
}

// Splits the arguments at blanks, and calls the command's main.
static int call_main(const char *arguments) {
    char copy[1024], *argv[32];
    int argc = 0;
    snprintf(copy, sizeof copy, "sinew --quiet %s", arguments);
    for (char *word = strtok(copy, " "); word && argc < 31; word = strtok(NULL, " ")) argv[argc++] = word;
    argv[argc] = NULL;
    heap = (heap_count){0};
    heap_counts = true;
    const int status = __real_main(argc, argv);
    heap_counts = false;
    return status;
}

// A run that hangs is killed.
static void limit_time(void) {
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    const rlim_t seconds = (rlim_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + MOST_SECONDS;
    setrlimit(RLIMIT_CPU, &(struct rlimit){seconds, RLIM_INFINITY});
}

// Runs a line with an allocation failing, and with all later ones if `stays_full`.
static void run_line(const line *l, int fails_at, bool stays_full, outcome *o) {
    limit_time();
    heap_fails_at = fails_at;
    heap_stays_full = stays_full;
    assert_non_null(freopen(in_folder(&notes, "printed"), "wb", stdout));
    assert_non_null(freopen(in_folder(&notes, "errors"), "wb", stderr));
    o->status = call_main(l->arguments);
    o->heap = heap;
    fflush(stdout);
    fflush(stderr);
    read_text(in_folder(&notes, "printed"), &o->printed);
    read_text(in_folder(&notes, "errors"), &o->errors);
    o->has_output = l->output && read_text(in_folder(&work, l->output), &o->output);
    o->files = take_files();
}

// ---- Judgement -----------------------------------------------------------------------------------------------

static bool is_same(const text *a, const text *b) {
    return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

static int count_lines(const text *t) {
    int lines = 0;
    for (size_t i = 0; i < t->size; i++) lines += t->bytes[i] == '\n';
    return lines;
}

static bool writes_all(const outcome *o) {
    return o->files == whole.files && o->has_output == whole.has_output &&
           (!o->has_output || is_same(&o->output, &whole.output));
}

static bool does_all(const outcome *o) {
    return o->status == whole.status && is_same(&o->printed, &whole.printed) &&
           is_same(&o->errors, &whole.errors) && writes_all(o);
}

// Whether it says in one line that memory ran out, after warnings that it also has with enough memory.
static bool says_why(const outcome *o) {
    const bool says = strstr(o->errors.bytes, "out of memory") || strstr(o->errors.bytes, strerror(ENOMEM));
    return says && count_lines(&o->errors) <= count_lines(&whole.errors) + 1;
}

// What's wrong with a run in which an allocation failed; NULL if nothing is.
static const char *find_fault(const outcome *o) {
    if (o->heap.blocks > whole.heap.blocks) return "leaks";
    if (does_all(o)) return NULL;
    if (o->status != 1) return "has another status or result";
    if (o->files > 0 && !writes_all(o)) return "leaves a file"; // a report that follows the output may fail
    return says_why(o) ? NULL : "does not say why";
}

// ---- The table -----------------------------------------------------------------------------------------------

// Of a run's allocations the first ALL_POINTS fail in turn, and SPREAD of the others.
enum { ALL_POINTS = 120, SPREAD = 60 };

// A row of the table, which child processes fill.
typedef struct row {
    int calls; // allocations of a run with enough memory
    int next;  // the next run
    int point; // its allocation
    int reported, survived, faults;
    char shown[4096]; // the first faults
} row;

static row *shared; // with the children

static int next_point(int point, int calls) {
    const int step = (calls - ALL_POINTS) / SPREAD;
    return point < ALL_POINTS || step < 1 ? point + 1 : point + step;
}

// A fault that was shown is not shown again.
static void add_fault(row *r, const char *fault, const char *message) {
    char reason[512];
    const size_t length = strlen(r->shown);
    snprintf(reason, sizeof reason, ": %s: %.*s\n", fault, (int)strcspn(message, "\n"), message);
    r->faults++;
    if (strstr(r->shown, reason)) return;
    snprintf(r->shown + length, sizeof r->shown - length, "    allocation %d%s%s", r->point,
             r->next % 2 ? "" : " and all later ones", reason);
}

// Runs that fail: of each point that allocation alone, and with all later ones.
static void run_failing(const line *l, row *r) {
    while (r->point < r->calls) {
        const bool stays_full = r->next++ % 2;
        run_line(l, r->point, stays_full, &failing);
        const char *fault = find_fault(&failing);
        if (fault) {
            add_fault(r, fault, failing.errors.bytes);
        } else {
            *(does_all(&failing) ? &r->survived : &r->reported) += 1;
        }
        if (stays_full) r->point = next_point(r->point, r->calls);
        if (strstr(failing.errors.bytes, "standard output: ")) exit(0); // a process reports that once
    }
}

static void run_child(const line *l, row *r) {
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    for (int i = 1; i < 32; i++) signal(i, SIG_DFL); // cmocka has handlers
    made_folder_count = 0;                           // they are the parent's
    if (chdir(work.path) != 0) _exit(99);
    run_line(l, NEVER, false, &whole);
    r->calls = whole.heap.calls;
    if (whole.status > 1 || whole.has_output != (l->output != NULL)) add_fault(r, "fails", whole.errors.bytes);
    run_failing(l, r);
    exit(0);
}

static void wait_for_child(pid_t child, row *r) {
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (status == 0) return;
    read_text(in_folder(&notes, "errors"), &failing.errors); // what a sanitizer says
    const char *said = failing.errors.bytes + strspn(failing.errors.bytes, "\n=");
    add_fault(r, WIFSIGNALED(status) ? "crashes" : "exits",
              WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : said);
    if (r->next % 2 == 0) r->point = next_point(r->point, r->calls);
}

// Prints a line's row. Returns the number of faults. After a crash, continues in a new child.
static int check_line(const line *l) {
    *shared = (row){.calls = 1};
    while (shared->point < shared->calls && shared->faults < 100) {
        fflush(NULL);
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) run_child(l, shared);
        wait_for_child(child, shared);
    }
    print_message("%-62.62s %7d %6d %8d %8d %6d\n%s", l->arguments, shared->calls, shared->next, shared->reported,
                  shared->survived, shared->faults, shared->shown);
    return shared->faults;
}

static void check_lines(const line *lines, int count) {
    int faults = 0;
    print_message("%-62s %7s %6s %8s %8s %6s\n", "", "allocs", "runs", "reported", "survived", "faults");
    for (int i = 0; i < count; i++) faults += check_line(&lines[i]);
    assert_int_equal(faults, 0);
}

#define CHECK(lines) check_lines(lines, (int)(sizeof(lines) / sizeof *(lines)))

// ---- The commands --------------------------------------------------------------------------------------------

static void test_printing(void **state) {
    (void)state;
    static const line lines[] = {
        {"--help", NULL},
        {"info everything.glb", NULL},
        {"info avatar.glb --json", NULL},
        {"info walker.sinew", NULL},
        {"pose everything.glb --clip clip --time 0.2", NULL},
        {"pose everything.glb --json", NULL},
        {"skin everything.glb --clip clip --json", NULL},
        {"skin everything.glb --obj out/a.obj", "out/a.obj"},
        {"humanoid walker.glb --map out/a.json", "out/a.json"},
        {"humanoid walker.glb --use walker.json --json", NULL},
        {"verify everything.glb", NULL},
        {"verify motion.glb --json", NULL},
        {"lint everything.glb", NULL},
        {"lint curves.glb --json", NULL},
        {"render walker.glb --clip #0 -o out/a.png", NULL},
        {"render walker.glb --attach everything.glb@mixamorig:Head --with motion.glb@1,0,0 --springs file "
         "--trail mixamorig:Head --onion 2 --sheet 2x2 -o out/a.png",
         NULL},
        {"render walker.glb --graph walk.graph.json --set speed=1@0.5 --frames 4 -o out/a.webp", NULL},
        {"render walker.glb --graph rig.graph.json --set at=1,1,1@0.1 --frames 3 -o out/a.webp", NULL},
        {"render walker.glb --crowd 3 --baked -o out/a.png", NULL},
    };
    CHECK(lines);
}

static void test_writing(void **state) {
    (void)state;
    static const line lines[] = {
        {"bake walker.glb --clip Walk --close --reverse --as W -o out/a.glb", "out/a.glb"},
        {"bake walker.glb --clip Walk --range 0.01..0.06 --mirror -o out/a.bvh", "out/a.bvh"},
        {"bake walker.glb --clip Walk --smooth 9 --fps 30 --ground --plant-feet --in-place --root-motion "
         "mixamorig:Hips "
         "--close --as W "
         "-o out/a.glb",
         "out/a.glb"},
        {"bake walker.glb --clip Walk --split pauses --map walker.json --as W -o out/a.glb", "out/a.glb"},
        {"bake whole.glb --clip Walk --find-loop", NULL},
        {"bake everything.glb --clip clip --as new --only -o out/a.glb", "out/a.glb"},
        {"bake curves.glb --clip #0 -o out/a.glb", "out/a.glb"},
        {"bake walker.glb --clip #0 --bind walk.bvh --as B --recording walk.rec --as R -o out/a.glb", "out/a.glb"},
        {"bake-asset everything.glb -o out/a.sinew", "out/a.sinew"},
        {"bake-asset motion.glb --compress 1mm -o out/a.sinew --json", "out/a.sinew"},
        {"bake-asset walk.bvh --u16 -o out/a.sinew", "out/a.sinew"},
        {"retarget walker.glb --onto walker.glb --clip Walk --hands -o out/a.glb", "out/a.glb"},
        {"retarget walk.bvh --onto walker.glb --source-map walker.json --json -o out/a.glb", "out/a.glb"},
        {"retarget walker.glb --onto walker.glb", NULL},
        {"retarget walk.bvh --onto walker.glb --range 0.01..0.06 -o out/a.gltf", "out/a.gltf"},
        {"retarget walker.glb --onto walker.glb --clip Walk -o out/a.bvh", "out/a.bvh"},
        {"retarget walk.bvh --onto avatar.glb -o out/a.vrma", "out/a.vrma"},
        {"lint everything.glb --fix out/a.glb", "out/a.glb"},
        {"lint walker.glb --fix out/a.glb --json", "out/a.glb"},
    };
    CHECK(lines);
}

static void test_measuring(void **state) {
    (void)state;
    static const line lines[] = {
        {"compare motion.glb less.glb", NULL},
        {"compare everything.glb everything.glb --json", NULL},
        {"optimize motion.glb -o out/a.glb", "out/a.glb"},
        {"optimize everything.glb --plain -o out/a.glb --json", "out/a.glb"},
        {"optimize everything.glb --meshes --khr -o out/a.glb", "out/a.glb"},
    };
    CHECK(lines);
}

static void test_playing(void **state) {
    (void)state;
    static const line lines[] = {
        {"graph check walk.graph.json --asset walker.glb", NULL},
        {"graph check walk.graph.json --json", NULL},
        {"graph test walk.graph.json --asset walker.glb --walks 2 --seconds 0.5", NULL},
        {"graph test cut.graph.json --asset walker.glb --walks 20 --seconds 1 -o out/a.rec", "out/a.rec"},
        {"graph check rig.graph.json --asset walker.glb", NULL},
        {"graph test rig.graph.json --asset walker.glb --walks 2 --seconds 0.2", NULL},
        {"graph plot walk.graph.json -o out/a.svg", "out/a.svg"},
        {"graph plot walk.graph.json --recording graph.rec --asset walker.glb -o out/a.svg", "out/a.svg"},
        {"replay walk.rec walker.glb", NULL},
        {"replay walk.rec walker.glb --compare walk.rec", NULL},
        {"continuity walk.rec walker.glb", NULL},
        {"continuity walk.rec walker.glb --json", NULL},
    };
    CHECK(lines);
}

// ---- Their files ---------------------------------------------------------------------------------------------

// Runs a line that writes a file outside of the folder of outputs, in a child.
static void make(const char *arguments, const char *name) {
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        made_folder_count = 0;
        if (chdir(work.path) != 0) _exit(99);
        exit(freopen("/dev/null", "wb", stdout) ? call_main(arguments) : 1);
    }
    assert_int_equal(waitpid(child, NULL, 0), child);
    if (access(in_folder(&work, name), R_OK) != 0) fail_msg("%s: writes nothing", arguments);
}

static void write_json(const char *name, const char *quoted) {
    char *json = json_quotes(quoted);
    write_file(&work, name, json, strlen(json));
    free(json);
}

static void save(gltf_builder b, const char *name) {
    gltf_save_glb(&b, in_folder(&work, name));
}

static void record_walk(const char *name) {
    recorded r = {0};
    sinew_asset *asset = load_gltf(in_folder(&work, "walker.glb"), NULL);
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = asset->skeleton;
    sinew_mixer *mixer = make_recorded(&def, &r);
    sinew_mixer_play(mixer, sinew_clip_source(&asset->clips[0]), NULL);
    for (int i = 0; i < 4; i++) sinew_mixer_update(mixer, 0.015f);
    sinew_mixer_destroy(mixer);
    sinew_asset_destroy(asset);
    write_file(&work, name, r.bytes, r.size);
    free(r.bytes);
}

// The weight of a layer jumps with its parameter, which fails the test, unless that has a damping.
#define GRAPH(damping)                                                                                             \
    "{'sinewGraph':1,'parameters':{'speed':{'type':'float','range':[0,1]},'lean':{'type':'float','range':[0,"      \
    "1]" damping                                                                                                   \
    "}},'layers':[{'name':'Base','states':{'A':{'clip':'Walk','tags':['t']},'B':{'blend':{'x':'speed','samples':"  \
    "[{'clip':'Walk','x':0},{'clip':'Walk','x':1}]}}},'transitions':[{'from':'A','to':'B','when':'speed > 0.5'},"  \
    "{'from':'B','to':'A','when':'speed < 0.5'}]},{'name':'Upper','mask':{'node':'mixamorig:Spine'},"              \
    "'weightParameter':'lean','states':{'C':{},'D':{'clip':'Wave'}},'transitions':["                               \
    "{'from':'C','to':'D','when':'elapsed > 0.1'}]}]}"
#define MODELS SINEW_MODELS "/"

// A humanoid with a clip of a few keys, in several formats, and what plays on it.
static int set_up(void **state) {
    (void)state;
    work = make_folder("memory");
    notes = make_folder("memory");
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) return -1;
    (void)take_files();
    save(sample_everything(), "everything.glb");
    save(sample_motion(), "motion.glb");
    for (int i = 0; i < gltf_sample_count; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s.glb", gltf_samples[i].name);
        save(gltf_samples[i].make(), name);
    }
    make("retarget " MODELS "hero.glb --onto " MODELS "golem.glb --clip Walk --clip Wave -o whole.glb",
         "whole.glb");
    make("bake whole.glb --clip Walk --range 0.1..0.2 --clip Wave --range 0.1..0.2 -o walker.glb", "walker.glb");
    make("bake walker.glb --clip Walk -o walk.bvh", "walk.bvh");
    make("bake-asset walker.glb -o walker.sinew", "walker.sinew");
    make("humanoid walker.glb --map walker.json", "walker.json");
    make("optimize motion.glb -o less.glb", "less.glb");
    record_walk("walk.rec");
    write_json("walk.graph.json", GRAPH(",'damping':0.2"));
    write_json("cut.graph.json", GRAPH(""));
    write_json("rig.graph.json",
               "{'sinewGraph':1,'parameters':{'at':{'type':'vector3','default':[0,1,1]}},'layers':["
               "{'name':'Base','states':{'Walk':{'clip':'Walk'}}}],'rig':{'steps':[{'footLock':{}},"
               "{'footPlacement':{}},{'aim':{'node':'role:head','goal':'at','limit':1}}]}}");
    make("graph test cut.graph.json --asset walker.glb --walks 20 --seconds 1 -o graph.rec", "graph.rec");
    return 0;
}

int __wrap_main(int argc, char **argv) { // NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): --wrap
    (void)argc, (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_printing),
        cmocka_unit_test(test_writing),
        cmocka_unit_test(test_measuring),
        cmocka_unit_test(test_playing),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
