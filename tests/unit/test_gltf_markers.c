// SPDX-License-Identifier: MIT
// Markers from a JSON sidecar file: which file is read, which clips get the markers, and messages about broken ones.
#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier,cert-*): mkdtemp and mkfifo
#endif
#include "support/gltf_builder.h"

#include "support/folder.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- A folder ------------------------------------------------------------------------------------------------

static void write_text(const folder *f, const char *name, const char *text) {
    char *quoted = json_quotes(text);
    write_file(f, name, quoted, strlen(quoted));
    free(quoted);
}

static void remove_files(const folder *f, const char *const *names) {
    for (; *names; names++) assert_int_equal(remove(in_folder(f, *names)), 0);
    assert_int_equal(remove(f->path), 0);
}

// Walk (with its own markers), Run, one without a name, and another Walk. Each takes 1.5 s. 0.7 as a float is less
// than 0.7, and "Short" takes that long.
static gltf_builder begin_fox(void) {
    gltf_builder b = gltf_begin();
    gltf_floats(&b, "SCALAR", 2, (float[2]){0.0f, 1.5f});
    gltf_floats(&b, "VEC3", 2, (float[6]){0, 0, 0, 1, 2, 3});
    gltf_floats(&b, "SCALAR", 2, (float[2]){0.0f, 0.7f});
    static const char *const heads[] = {
        "'name':'Walk','extras':{'markers':[{'name':'right','time':1},{'name':'left','time':0.25}]}",
        "'name':'Run'", "'extras':7", "'name':'Walk'",
        "'name':'Short','extras':{'markers':[{'name':'close','time':0.7}]}"};
    gltf_text animations = {NULL, 0, 0};
    for (int i = 0; i < 5; i++) {
        char text[320];
        int length = snprintf(text, sizeof text,
                              "%s{%s,'samplers':[{'input':%d,'output':1}],"
                              "'channels':[{'sampler':0,'target':{'node':0,'path':'translation'}}]}",
                              i ? "," : "", heads[i], i == 4 ? 2 : 0);
        gltf_append(&animations, text, (size_t)length);
    }
    gltf_section(&b, "'nodes':[{'name':'Hips'}],'animations':[%s]", animations.data);
    free(animations.data);
    return b;
}

static uint8_t *make_fox(size_t *size) {
    gltf_builder b = begin_fox();
    uint8_t *glb = gltf_write_glb(&b, size);
    gltf_end(&b);
    return glb;
}

static void write_fox(const folder *f, const char *name) {
    size_t size;
    uint8_t *glb = make_fox(&size);
    write_file(f, name, glb, size);
    free(glb);
}

// ---- Loading -------------------------------------------------------------------------------------------------

static sinew_asset *load(const char *path, const sinew_gltf_options *options) {
    return load_gltf(path, options);
}

static void check_markers(const sinew_clip *clip, int count, const sinew_marker *expected) {
    assert_int_equal(clip->marker_count, count);
    for (int i = 0; i < count; i++) {
        assert_string_equal(clip->markers[i].name, expected[i].name);
        check_near(clip->markers[i].time, expected[i].time, 0.0);
    }
}

static void check_refused(const folder *f, const char *text, sinew_result expected, const char *message) {
    write_text(f, "Fox.markers.json", text);
    sinew_asset *asset = (sinew_asset *)&expected;
    sinew_error error = {0};
    sinew_result found = sinew_gltf_load_file(in_folder(f, "Fox.glb"), NULL, &asset, &error);
    check_contains(error.message, message);
    check_contains(error.message, "Fox.glb: Fox.markers.json: ");
    assert_int_equal(found, expected);
    assert_null(asset);
}

// ---- Whose they become ---------------------------------------------------------------------------------------

// Mistakes: a name that means the last of two, a number that counts from 1, and one list that takes another's place.
static void test_markers_come_to_their_clips(void **state) {
    (void)state;
    folder f = make_folder("sinew.test");
    write_fox(&f, "Fox.glb");
    write_text(&f, "Fox.markers.json",
               "\xEF\xBB\xBF{'Walk':[{'name':'up','time':0.5},{'name':'first','time':0.25}],"
               "'#3':[{'name':'other','time':1.5}],'#2':[{'time':0.125,'name':'unnamed','note':'kept'}],"
               "'Run':[],'#0':[{'name':'again','time':0.5}]}");
    sinew_asset *asset = load(in_folder(&f, "Fox.glb"), NULL);
    assert_int_equal(asset->clip_count, 5);
    check_markers(
        &asset->clips[0], 5,
        (sinew_marker[5]){{"left", 0.25f}, {"first", 0.25f}, {"up", 0.5f}, {"again", 0.5f}, {"right", 1}});
    check_markers(&asset->clips[1], 0, NULL);
    check_markers(&asset->clips[2], 1, (sinew_marker[1]){{"unnamed", 0.125f}});
    check_markers(&asset->clips[3], 1, (sinew_marker[1]){{"other", 1.5f}});
    sinew_asset_destroy(asset);
    remove_files(&f, (const char *const[]){"Fox.glb", "Fox.markers.json", NULL});
}

// A sidecar file's curve replaces the one from extras. If it ends later, the clip gets longer.
static void test_curves_come_to_their_clips(void **state) {
    (void)state;
    folder f = make_folder("sinew.test");
    write_text(&f, "Fox.gltf",
               "{'asset':{'version':'2.0'},'animations':[{'name':'Walk','extras':{'curves':{"
               "'Speed':{'times':[0],'values':[3]},'Grip':{'times':[0,1],'values':[7,7]}}}},{'name':'Run'}]}");
    write_text(&f, "Fox.markers.json",
               "{'Walk':{'markers':[{'name':'Hit','time':1.5}],'curves':{"
               "'Grip':{'times':[0,0.5,2],'values':[0,1,0],'interpolation':'STEP'}}},"
               "'Run':{'curves':{'Reach':{'times':[0,1],'values':[0,4]}}},'#0':{'curves':{"
               "'Grip':{'times':[0],'values':[9]},'Late':{'times':[0],'values':[5]}}},'#1':[]}");
    sinew_asset *asset = load(in_folder(&f, "Fox.gltf"), NULL);
    assert_int_equal(asset->skeleton->curve_count, 4);
    assert_string_equal(asset->skeleton->curve_names[0], "Speed"); // the glTF file's come first
    check_near(asset->clips[0].duration, 2, 0);
    check_markers(&asset->clips[0], 1, (sinew_marker[1]){{"Hit", 1.5f}});
    check_near(gltf_curve_at(asset, 0, "Grip", 0.25f), 0, 0);
    check_near(gltf_curve_at(asset, 0, "Grip", 0.5f), 1, 0);
    check_near(gltf_curve_at(asset, 0, "Speed", 0), 3, 0);
    check_near(gltf_curve_at(asset, 0, "Late", 0), 5, 0);
    check_near(gltf_curve_at(asset, 0, "Reach", 0), 0, 0);
    check_near(gltf_curve_at(asset, 1, "Reach", 0.25f), 1, 0);
    sinew_asset_destroy(asset);
    remove_files(&f, (const char *const[]){"Fox.gltf", "Fox.markers.json", NULL});
}

// Mistake: a footstep that is heard twice, because an exporter wrote it to both; and one that is not heard at all,
// because another of that name, or at that time, is in the file.
static void test_what_both_have_comes_once(void **state) {
    (void)state;
    folder f = make_folder("sinew.test");
    write_fox(&f, "Fox.glb");
    write_text(&f, "Fox.markers.json",
               "{'Walk':[{'name':'left','time':0.25},{'name':'left','time':1},{'name':'right','time':0.25},"
               "{'name':'right','time':1.0}]}");
    sinew_asset *asset = load(in_folder(&f, "Fox.glb"), NULL);
    check_markers(&asset->clips[0], 4,
                  (sinew_marker[4]){{"left", 0.25f}, {"right", 0.25f}, {"right", 1}, {"left", 1}});
    sinew_asset_destroy(asset);
    remove_files(&f, (const char *const[]){"Fox.glb", "Fox.markers.json", NULL});
}

// Very many: all must be found again, in any order.
static void test_all_of_many_come_once(void **state) {
    (void)state;
    enum { COUNT = 3000 };
    gltf_text extras = {NULL, 0, 0}, beside = {NULL, 0, 0};
    for (int i = 0; i < COUNT; i++) {
        char text[64];
        int length =
            snprintf(text, sizeof text, "%s{'name':'m%d','time':%d}", i ? "," : "", i * 1237 % 4096, i % 2);
        gltf_append(&extras, text, (size_t)length);
        length = snprintf(text, sizeof text, "%s{'name':'m%d','time':%d}", i ? "," : "{'':[",
                          (COUNT - 1 - i) * 1237 % 4096, (COUNT - 1 - i) % 2);
        gltf_append(&beside, text, (size_t)length);
    }
    gltf_append(&beside, "]}", 2);
    gltf_builder b = gltf_begin();
    gltf_floats(&b, "SCALAR", 2, (float[2]){0.0f, 1.5f});
    gltf_floats(&b, "VEC3", 2, (float[6]){0});
    gltf_section(&b,
                 "'nodes':[{}],'animations':[{'extras':{'markers':[%s]},'samplers':[{'input':0,'output':1}],"
                 "'channels':[{'sampler':0,'target':{'node':0,'path':'translation'}}]}]",
                 extras.data);
    size_t size;
    uint8_t *glb = gltf_write_glb(&b, &size);
    gltf_end(&b);
    folder f = make_folder("sinew.test");
    write_file(&f, "many.glb", glb, size);
    write_text(&f, "many.markers.json", beside.data);
    sinew_asset *asset = load(in_folder(&f, "many.glb"), NULL);
    assert_int_equal(asset->clips[0].marker_count, COUNT);
    sinew_asset_destroy(asset);
    free(glb);
    free(extras.data);
    free(beside.data);
    remove_files(&f, (const char *const[]){"many.glb", "many.markers.json", NULL});
}

// The end belongs to the clip, even where a float is a little less than the number that was written.
static void test_outside_the_clip(void **state) {
    (void)state;
    folder f = make_folder("sinew.test");
    write_fox(&f, "Fox.glb");
    write_text(&f, "Fox.markers.json",
               "{'Short':[{'name':'end','time':0.7},{'name':'late','time':0.70001},{'name':'early','time':-0.1},"
               "{'name':'start','time':-0.0}]}");
    gltf_lines lines;
    sinew_gltf_options options = sinew_gltf_default();
    options.log = gltf_log_to(&lines);
    sinew_asset *asset = load(in_folder(&f, "Fox.glb"), &options);
    check_markers(&asset->clips[4], 3, (sinew_marker[3]){{"start", 0}, {"close", 0.7f}, {"end", 0.7f}});
    assert_int_equal(lines.count, 2);
    check_contains(lines.text, "animations[4]: a marker at 0.70001 s in the sidecar file");
    check_contains(lines.text, "at -0.1 s in the sidecar file is ignored, because the clip runs from 0 to 0.7 s");
    sinew_asset_destroy(asset);
    remove_files(&f, (const char *const[]){"Fox.glb", "Fox.markers.json", NULL});
}

// Clips that are left out take their markers along, and no other's.
static void test_parts_of_a_file(void **state) {
    (void)state;
    static const char fox[] = "{'asset':{'version':'2.0'},'nodes':[{'name':'Hips'},{'name':'Tail'}],"
                              "'animations':[{'name':'Wag'},{'name':'Walk'}]}";
    folder f = make_folder("sinew.test");
    write_text(&f, "Fox.gltf", fox);
    write_text(&f, "Fox.markers.json", "{'Walk':[{'name':'left','time':0}],'Wag':[{'name':'wag','time':0}]}");
    sinew_gltf_options options = sinew_gltf_default();
    sinew_asset *asset = load(in_folder(&f, "Fox.gltf"), &options);
    check_markers(&asset->clips[0], 1, (sinew_marker[1]){{"wag", 0}});
    sinew_asset_destroy(asset);
    options.only_subtree = "Tail";
    asset = load(in_folder(&f, "Fox.gltf"), &options);
    assert_int_equal(asset->clip_count, 0);
    sinew_asset_destroy(asset);
    remove_files(&f, (const char *const[]){"Fox.gltf", "Fox.markers.json", NULL});
}

// ---- Which file ----------------------------------------------------------------------------------------------

static void check_one_marker(const char *path, const sinew_gltf_options *options, const char *name) {
    sinew_asset *asset = load(path, options);
    check_markers(&asset->clips[1], name ? 1 : 0, (sinew_marker[1]){{name, 1}});
    sinew_asset_destroy(asset);
}

// Mistakes: an extension that is looked for in a folder's name, or cut off at the first of several dots.
static void test_names(void **state) {
    (void)state;
    folder f = make_folder("sinew.test");
    static const char *const names[][2] = {
        {"Fox.glb", "Fox.markers.json"}, {"Fox", "Fox.markers.json"}, {"Fox.v2.glb", "Fox.v2.markers.json"}};
    for (int i = 0; i < 3; i++) {
        write_fox(&f, names[i][0]);
        check_one_marker(in_folder(&f, names[i][0]), NULL, NULL); // there isn't one, which isn't an error
        write_text(&f, names[i][1], "{'Run':[{'name':'here','time':1}]}");
        check_one_marker(in_folder(&f, names[i][0]), NULL, "here");
        char here[256];
        assert_non_null(getcwd(here, sizeof here));
        assert_int_equal(chdir(f.path), 0);
        check_one_marker(names[i][0], NULL, "here"); // a path without a folder
        assert_int_equal(chdir(here), 0);
        assert_int_equal(remove(in_folder(&f, names[i][0])), 0);
        assert_int_equal(remove(in_folder(&f, names[i][1])), 0);
    }
    assert_int_equal(remove(f.path), 0);
}

static void test_another_file(void **state) {
    (void)state;
    folder f = make_folder("sinew.test");
    char path[512];
    write_fox(&f, "Fox.glb");
    write_text(&f, "Fox.markers.json", "{'Run':[{'name':'beside','time':1}]}");
    write_text(&f, "events.json", "{'Run':[{'name':'events','time':1}]}");
    snprintf(path, sizeof path, "%s/events.json", f.path);
    sinew_gltf_options options = sinew_gltf_default();
    options.markers = path;
    check_one_marker(in_folder(&f, "Fox.glb"), &options, "events"); // and not those beside, too
    assert_int_equal(remove(path), 0);
    sinew_asset *asset;
    sinew_error error = {0};
    assert_int_equal(sinew_gltf_load_file(in_folder(&f, "Fox.glb"), &options, &asset, &error), SINEW_ERROR_IO);
    check_contains(error.message, "events.json: there is no such file");
    remove_files(&f, (const char *const[]){"Fox.glb", "Fox.markers.json", NULL});
}

// A pipe would be waited for.
static void test_what_is_no_file(void **state) {
    (void)state;
    folder f = make_folder("sinew.test");
    sinew_asset *asset;
    sinew_error error = {0};
    write_fox(&f, "Fox.glb");
    assert_int_equal(mkfifo(in_folder(&f, "Fox.markers.json"), 0600), 0);
    assert_int_equal(sinew_gltf_load_file(in_folder(&f, "Fox.glb"), NULL, &asset, &error), SINEW_ERROR_IO);
    check_contains(error.message, "Fox.glb: Fox.markers.json: this is a pipe, not a regular file");
    assert_int_equal(remove(in_folder(&f, "Fox.markers.json")), 0);
    assert_int_equal(mkdir(in_folder(&f, "Fox.markers.json"), 0700), 0);
    assert_int_equal(sinew_gltf_load_file(in_folder(&f, "Fox.glb"), NULL, &asset, &error), SINEW_ERROR_IO);
    check_contains(error.message, "Fox.markers.json: this is a directory");
    remove_files(&f, (const char *const[]){"Fox.glb", "Fox.markers.json", NULL});
}

// ---- Readers -------------------------------------------------------------------------------------------------

typedef struct shelf {
    const char *text;
    int asked, lent;
} shelf;

static bool shelf_read(const char *uri, sinew_bytes *bytes, void *user) {
    shelf *s = user;
    s->asked++;
    if (strcmp(uri, "Fox.events") != 0) return false;
    bytes->size = strlen(s->text);
    bytes->data = malloc(bytes->size + 1);
    for (size_t i = 0; i < bytes->size; i++) bytes->data[i] = (uint8_t)(s->text[i] == '\'' ? '"' : s->text[i]);
    s->lent++;
    return true;
}

static void shelf_release(sinew_bytes bytes, void *user) {
    shelf *s = user;
    s->lent--;
    memset(bytes.data, 0xcd, bytes.size); // nobody may look at it any more
    free(bytes.data);
}

static sinew_result load_from_shelf(shelf *s, sinew_gltf_options *options, sinew_asset **asset,
                                    sinew_error *error) {
    size_t size;
    uint8_t *glb = make_fox(&size);
    if (s) options->reader = (sinew_reader){shelf_read, shelf_release, s};
    sinew_result result = sinew_gltf_load_memory(glb, size, options, asset, error);
    free(glb);
    if (s) assert_int_equal(s->lent, 0);
    return result;
}

// Mistakes: a reader that is asked for what nobody named, bytes that are not given back, and a place that is looked
// for in bytes that were.
static void test_readers_are_asked_for_what_is_named(void **state) {
    (void)state;
    shelf s = {.text = "{'Run':[{'name':'lent','time':1}]}"};
    sinew_gltf_options options = sinew_gltf_default();
    sinew_asset *asset;
    sinew_error error = {0};
    assert_int_equal(load_from_shelf(&s, &options, &asset, &error), SINEW_OK);
    assert_int_equal(s.asked, 0);
    sinew_asset_destroy(asset);
    options.markers = "Fox.events";
    assert_int_equal(load_from_shelf(&s, &options, &asset, &error), SINEW_OK);
    assert_int_equal(s.asked, 1);
    check_markers(&asset->clips[1], 1, (sinew_marker[1]){{"lent", 1}});
    sinew_asset_destroy(asset);
    s.text = "{'Run':[{'name':'lent','time':'soon'}]}";
    assert_int_equal(load_from_shelf(&s, &options, &asset, &error), SINEW_ERROR_FORMAT);
    assert_string_equal(error.message, "Fox.events: line 1: Run[0].time: \"soon\" is not a number");
    s.text = "";
    assert_int_equal(load_from_shelf(&s, &options, &asset, &error), SINEW_ERROR_FORMAT);
    options.markers = "Wolf.events";
    assert_int_equal(load_from_shelf(&s, &options, &asset, &error), SINEW_ERROR_IO);
    check_contains(error.message, "Wolf.events cannot be read");
    options.reader = (sinew_reader){NULL, NULL, NULL};
    assert_int_equal(load_from_shelf(NULL, &options, &asset, &error), SINEW_ERROR_IO);
    assert_string_equal(error.message,
                        "Wolf.events: this is an external resource, but no reader is set in the options");
}

// With a reader, only what it provides is read, not files next to it.
static void test_a_reader_has_nothing_beside(void **state) {
    (void)state;
    folder f = make_folder("sinew.test");
    shelf s = {.text = "{'Run':[{'name':'lent','time':1}]}"};
    sinew_gltf_options options = sinew_gltf_default();
    options.reader = (sinew_reader){shelf_read, shelf_release, &s};
    write_fox(&f, "Fox.glb");
    write_text(&f, "Fox.markers.json", "{'Run':[{'name':'beside','time':1}]}");
    check_one_marker(in_folder(&f, "Fox.glb"), &options, NULL);
    assert_int_equal(s.asked, 0);
    options.markers = "Fox.events";
    check_one_marker(in_folder(&f, "Fox.glb"), &options, "lent");
    remove_files(&f, (const char *const[]){"Fox.glb", "Fox.markers.json", NULL});
}

// ---- Broken files --------------------------------------------------------------------------------------------

static void test_broken_files_say_where(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"", "JSON, line 1, byte 1: "},
        {"{'Walk':[\n{'name':'a','time':1}\n{'name':'b','time':2}]}",
         "JSON, line 3, byte 1: ',' or ']' is expected"},
        {"[]", "the file is not an object; write {\"Walk\": [...], \"Run\": [...]}"},
        {"{'Wlak':[]}", "there is no animation 'Wlak'; the glTF file has 'Walk', 'Run', #2, 'Walk', 'Short'"},
        {"{'W\\nlk':[]}", "there is no animation 'W\\x0alk'"},
        {"{'walk':[]}", "there is no animation 'walk'"},
        {"{'#5':[]}", "there is no animation '#5'"},
        {"{'#-1':[]}", "there is no animation '#-1'"},
        {"{'Wal':[]}", "there is no animation 'Wal'"},
        {"{'Walk':null}", "Walk: this is neither an array of markers nor an object with markers and curves"},
        {"{'Walk':{'markers':{}}}", "line 1: Walk.markers: this is not an array of markers"},
        {"{'Walk':{\n'marker':[]}}", "line 2: Walk.marker: an animation can only have \"markers\" and \"curves\""},
        {"{'Walk':{'curves':[]}}", "Walk.curves: this is not an object of curves"},
        {"{'Walk':{'curves':{\n'Grip':{'times':[0]}}}}",
         "line 2: Walk.curves.Grip: times or values are missing; write a curve as {\"times\": [0, 1], \"values\": "
         "[0, 1]}"},
        {"{'Run':{'curves':{'':{'times':[0],'values':[1]}}}}", "a curve needs a name"},
        {"{'Run':{'curves':{'/a':{'times':[0],'values':[1]}}}}", "a curve's name must not start with '/'"},
        {"{'#1':{'curves':{'Grip':{'times':[0,\n0],'values':[1,2]}}}}",
         "line 1: #1.curves.Grip.times: key 1 is at 0 s, not after key 0 at 0 s"},
        {"{'#1':{'curves':{'Grip':{'times':[0,1],'values':[1]}}}}",
         "line 1: #1.curves.Grip.values: 1 values do not make 2 keys of 1 each"},
        {"{'#1':{'curves':{'Grip':{'times':[0,1],'values':[1,1e39]}}}}",
         "#1.curves.Grip.values[1]: 1e39 is not within"},
        {"{'#1':{'curves':{'Grip':{'times':[],'values':[]}}}}", "#1.curves.Grip: has no keys"},
        {"{'#1':{'curves':{'Grip':{'times':[0],'values':[1],'interpolation':'SMOOTH'}}}}",
         "#1.curves.Grip: interpolation is not STEP, LINEAR or CUBICSPLINE"},
        {"{'Run':[],'Walk':[{'name':'a','time':1},0.5]}",
         "Walk[1]: name is missing; write a marker as {\"name\": \"Foot_L\", \"time\": 0.12}"},
        {"{'Walk':[{'name':'a'}]}", "Walk[0]: time is missing"},
        {"{'Walk':[{'time':1}]}", "Walk[0]: name is missing"},
        {"{'Walk':[{'name':'a','tiem':1}]}", "Walk[0]: time is missing"},
        {"{'#1':[{'name':'a','time':'1'}]}", "#1[0].time: \"1\" is not a number"},
        {"{'Walk':[{'name':'a','time':1e999}]}", "Walk[0].time: 1e999 is not within the range of a float"},
        {"{'Walk':[{'name':['a'],'time':1}]}", "Walk[0].name: an array is not a string"},
    };
    folder f = make_folder("sinew.test");
    write_fox(&f, "Fox.glb");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_refused(&f, cases[i][0], SINEW_ERROR_FORMAT, cases[i][1]);
    remove_files(&f, (const char *const[]){"Fox.glb", "Fox.markers.json", NULL});
}

// Errors in the file itself name that file, whatever is next to it.
static void test_the_right_file_is_named(void **state) {
    (void)state;
    folder f = make_folder("sinew.test");
    sinew_asset *asset;
    sinew_error error = {0};
    write_text(&f, "Fox.gltf", "{'asset':{'version':'2.0'},'animations':[{'name':'Walk'},{'name':7}]}");
    write_text(&f, "Fox.markers.json", "{'Walk':[]}");
    assert_int_equal(sinew_gltf_load_file(in_folder(&f, "Fox.gltf"), NULL, &asset, &error), SINEW_ERROR_FORMAT);
    check_contains(error.message, "Fox.gltf: animations[1].name: 7 is not a string");
    write_text(&f, "Fox.gltf", "{'asset':{'version':'2.0'}}");
    assert_int_equal(sinew_gltf_load_file(in_folder(&f, "Fox.gltf"), NULL, &asset, &error), SINEW_ERROR_FORMAT);
    check_contains(error.message,
                   "Fox.markers.json: line 1: Walk: there is no animation 'Walk'; the glTF file has none");
    remove_files(&f, (const char *const[]){"Fox.gltf", "Fox.markers.json", NULL});
}

static void test_truncated_at_every_byte(void **state) {
    (void)state;
    static const char whole[] = "{'Walk':[{'name':'l\\u00e9ft','time':0.5}],'#1':[{'time':1e-1,'name':''}],"
                                "'#2':{'curves':{'A':{'times':[0,1],'values':[2,3]}},'markers':[]}}";
    sinew_gltf_options options = sinew_gltf_default();
    options.markers = "Fox.events";
    for (size_t length = 0; length < sizeof whole; length++) {
        char text[sizeof whole];
        memcpy(text, whole, length);
        text[length] = '\0';
        shelf s = {.text = text};
        sinew_asset *asset;
        sinew_error error = {0};
        sinew_result result = load_from_shelf(&s, &options, &asset, &error);
        assert_int_equal(result, length == sizeof whole - 1 ? SINEW_OK : SINEW_ERROR_FORMAT);
        sinew_asset_destroy(asset);
    }
}

// ---- Memory --------------------------------------------------------------------------------------------------

// Markers enough for chunks of memory of their own.
static char *many_markers(void) {
    gltf_text text = {NULL, 0, 0};
    gltf_append(&text, "{'Walk':[", 9);
    for (int i = 0; i < 3000; i++) {
        char marker[64];
        int length = snprintf(marker, sizeof marker, "%s{'name':'left','time':0.%d}", i ? "," : "", i);
        gltf_append(&text, marker, (size_t)length);
    }
    static const char end[] =
        "],'Run':{'curves':{'A':{'times':[0,1],'values':[2,3]},'B':{'times':[0],'values':[1]}}}}";
    gltf_append(&text, end, sizeof end - 1);
    return text.data;
}

static void test_every_allocation_fails_once(void **state) {
    (void)state;
    char *text = many_markers();
    shelf s = {.text = text};
    counting c = {0};
    sinew_gltf_options options = sinew_gltf_default();
    options.allocator = counting_allocator(&c);
    options.markers = "Fox.events";
    sinew_asset *asset;
    sinew_error error = {0};
    assert_int_equal(load_from_shelf(&s, &options, &asset, &error), SINEW_OK);
    assert_int_equal(asset->clips[0].marker_count, 2999); // 0.25 in three ways is in the file, too
    assert_int_equal(asset->memory, c.bytes);
    sinew_asset_destroy(asset);
    const int allocations = c.allocations;
    assert_true(allocations > 10);
    for (int n = 1; n <= allocations; n++) {
        c = (counting){.fail_at = n, .fail_once = true};
        assert_int_equal(load_from_shelf(&s, &options, &asset, &error), SINEW_ERROR_OUT_OF_MEMORY);
        assert_null(asset);
        assert_int_equal(c.live, 0);
    }
    free(text);
}

// What is read beside counts, and the message names the file that took too much.
static void test_limits(void **state) {
    (void)state;
    char *text = many_markers();
    shelf s = {.text = text};
    sinew_gltf_options options = sinew_gltf_default();
    options.markers = "Fox.events";
    options.memory_limit = 250000;
    sinew_asset *asset;
    sinew_error error = {0};
    assert_int_equal(load_from_shelf(&s, &options, &asset, &error), SINEW_ERROR_LIMIT);
    assert_string_equal(error.message, "Fox.events: the file needs more than the memory limit of 250000 bytes");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_markers_come_to_their_clips),
        cmocka_unit_test(test_curves_come_to_their_clips),
        cmocka_unit_test(test_what_both_have_comes_once),
        cmocka_unit_test(test_all_of_many_come_once),
        cmocka_unit_test(test_outside_the_clip),
        cmocka_unit_test(test_parts_of_a_file),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_another_file),
        cmocka_unit_test(test_what_is_no_file),
        cmocka_unit_test(test_readers_are_asked_for_what_is_named),
        cmocka_unit_test(test_a_reader_has_nothing_beside),
        cmocka_unit_test(test_broken_files_say_where),
        cmocka_unit_test(test_the_right_file_is_named),
        cmocka_unit_test(test_truncated_at_every_byte),
        cmocka_unit_test(test_every_allocation_fails_once),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
