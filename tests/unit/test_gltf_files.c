// SPDX-License-Identifier: MIT
// Files: containers, versions, extensions, URIs, and where bytes may come from.
#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier,cert-*): mkdtemp and mkfifo
#endif
#include "support/gltf_builder.h"
#include "support/folder.h"

#include "core/gltf_import.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEAD "{\"asset\":{\"version\":\"2.0\"}"

static sinew_result load_bytes(const void *data, size_t size, sinew_error *error) {
    sinew_asset *asset = NULL;
    memset(error, 0, sizeof *error);
    sinew_result result = sinew_gltf_load_memory(data, size, NULL, &asset, error);
    assert_true((asset != NULL) == (result == SINEW_OK));
    sinew_asset_destroy(asset);
    return result;
}

static void refuse_bytes(const void *data, size_t size, sinew_result expected, const char *text) {
    sinew_error error;
    sinew_result found = load_bytes(data, size, &error);
    check_contains(error.message, text);
    assert_int_equal(found, expected);
}

static void accept_bytes(const void *data, size_t size) {
    sinew_error error;
    if (load_bytes(data, size, &error) != SINEW_OK) fail_msg("%s", error.message);
}

// ---- Containers ----------------------------------------------------------------------------------------------

static void test_text(void **state) {
    (void)state;
    accept_bytes(HEAD "}", strlen(HEAD "}"));
    accept_bytes("\xEF\xBB\xBF \n" HEAD "}", strlen("\xEF\xBB\xBF \n" HEAD "}"));
    refuse_bytes("", 0, SINEW_ERROR_FORMAT, "the file is empty");
    refuse_bytes(" \n\t", 3, SINEW_ERROR_FORMAT, "the file contains only white space");
    refuse_bytes("\xEF\xBB\xBF", 3, SINEW_ERROR_FORMAT, "the file contains only white space");
    refuse_bytes("\x89PNG\r\n", 6, SINEW_ERROR_FORMAT, "the file is neither .glb");
    refuse_bytes("[]", 2, SINEW_ERROR_FORMAT, "the file is neither .glb");
    refuse_bytes("glT", 3, SINEW_ERROR_FORMAT, "the file is neither .glb");
    refuse_bytes("{\n\"a\":1\n\"b\":2}", 15, SINEW_ERROR_FORMAT, "JSON, line 3, byte 1: ',' or '}' is expected");
    refuse_bytes("{} x", 4, SINEW_ERROR_FORMAT, "JSON, line 1, byte 4: text follows the end of the value");
}

static void test_versions(void **state) {
    (void)state;
    gltf_refuse_text("{'asset':{'version':'1.0'}}", SINEW_ERROR_UNSUPPORTED, "glTF 1.0 is not supported");
    gltf_refuse_text("{'asset':{'version':'3.0'}}", SINEW_ERROR_UNSUPPORTED, "only glTF 2.0 is supported");
    gltf_refuse_text("{'asset':{'version':'2.1','minVersion':'2.1'}}", SINEW_ERROR_UNSUPPORTED,
                     "a version later than glTF 2.0");
    gltf_refuse_text("{}", SINEW_ERROR_FORMAT, "asset.version is missing");
    gltf_refuse_text("{'asset':{}}", SINEW_ERROR_FORMAT, "asset.version is missing");
    gltf_refuse_text("{'asset':{'version':2.0}}", SINEW_ERROR_FORMAT, "asset.version: 2.0 is not a string");
    gltf_refuse_text("{'asset':7}", SINEW_ERROR_FORMAT, "asset: 7 is not an object");
    const char *newer = "{\"asset\":{\"version\":\"2.1\",\"minVersion\":\"2.0\"}}";
    accept_bytes(newer, strlen(newer));
}

static void put_u32(uint8_t *at, uint32_t value) {
    for (int i = 0; i < 4; i++) at[i] = (uint8_t)(value >> (8 * i));
}

static void test_glb(void **state) {
    (void)state;
    size_t size;
    uint8_t *glb = glb_wrap(HEAD "}", "bin", 3, &size);
    accept_bytes(glb, size);
    uint8_t *copy = malloc(size + 8);

    memcpy(copy, glb, size);
    put_u32(copy + 4, 1);
    refuse_bytes(copy, size, SINEW_ERROR_UNSUPPORTED, "glTF 1.0 is not supported");
    put_u32(copy + 4, 3);
    refuse_bytes(copy, size, SINEW_ERROR_UNSUPPORTED, "version 3");
    put_u32(copy + 4, 2);
    put_u32(copy + 8, (uint32_t)size + 1);
    refuse_bytes(copy, size, SINEW_ERROR_FORMAT, "the .glb file is truncated");
    put_u32(copy + 8, 11);
    refuse_bytes(copy, size, SINEW_ERROR_FORMAT, "shorter than the header itself");
    put_u32(copy + 8, 16);
    refuse_bytes(copy, size, SINEW_ERROR_FORMAT, "ends inside a chunk's header");
    put_u32(copy + 8, (uint32_t)size);
    put_u32(copy + 12, 0xFFFFFFFFu); // the length of the first chunk
    refuse_bytes(copy, size, SINEW_ERROR_FORMAT, "a chunk of the .glb file has 4294967295 bytes");
    memcpy(copy, glb, size);
    copy[16] = 'B';
    refuse_bytes(copy, size, SINEW_ERROR_FORMAT, "the first chunk of the .glb file is not JSON");
    memcpy(copy, glb, size);
    memset(copy + size, 7, 8); // bytes behind the end
    accept_bytes(copy, size + 8);
    free(copy);
    free(glb);
}

static void test_truncated_at_every_byte(void **state) {
    (void)state;
    size_t size;
    uint8_t *glb = glb_wrap(HEAD "}", "1234", 4, &size);
    for (size_t cut = 0; cut < size; cut++) {
        uint8_t *part =
            malloc(cut > 0 ? cut : 1); // exactly as long as it claims, so a sanitizer finds reads past the end
        memcpy(part, glb, cut);
        sinew_error error;
        assert_int_not_equal(load_bytes(part, cut, &error), SINEW_OK);
        assert_true(strlen(error.message) > 10);
        free(part);
    }
    free(glb);
}

static void test_arguments(void **state) {
    (void)state;
    sinew_error error;
    sinew_asset *asset;
    assert_int_equal(sinew_gltf_load_memory("{}", 2, NULL, NULL, &error), SINEW_ERROR_ARGUMENT);
    assert_int_equal(sinew_gltf_load_memory(NULL, 2, NULL, &asset, &error), SINEW_ERROR_ARGUMENT);
    assert_int_equal(sinew_gltf_load_file(NULL, NULL, &asset, &error), SINEW_ERROR_ARGUMENT);
    assert_int_equal(sinew_gltf_load_file("x.glb", NULL, NULL, NULL), SINEW_ERROR_ARGUMENT);
    assert_int_equal(sinew_gltf_load_memory("{}", 2, NULL, &asset, NULL), SINEW_ERROR_FORMAT); // no error wanted
    assert_null(asset);
    sinew_asset_destroy(NULL);
}

static void test_extensions(void **state) {
    (void)state;
    gltf_refuse_text("; FBX 7.4.0 project file", SINEW_ERROR_FORMAT, "the file is FBX: convert it to glTF");
    gltf_refuse_text("Kaydara FBX Binary  ", SINEW_ERROR_FORMAT, "the file is FBX: convert it to glTF");
    gltf_refuse_text("{'asset':{'version':'2.0'},'extensionsRequired':['KHR_mesh_quantization','EXT_new']}",
                     SINEW_ERROR_UNSUPPORTED, "extensionsRequired[1]: the file requires the extension EXT_new");
    gltf_refuse_text("{'asset':{'version':'2.0'},'extensionsRequired':['EXT_meshopt_compression']}",
                     SINEW_ERROR_UNSUPPORTED,
                     "EXT_meshopt_compression, but no meshopt_decode is set in the options");
    gltf_refuse_text("{'asset':{'version':'2.0'},'extensionsRequired':[7]}", SINEW_ERROR_FORMAT,
                     "extensionsRequired[0]: 7 is not a string");
    const char *known =
        HEAD ",\"extensionsRequired\":[\"VRM\",\"VRMC_vrm\",\"VRMC_springBone\",\"VRMC_node_constraint\","
             "\"VRMC_vrm_animation\",\"VRMC_materials_mtoon\",\"KHR_mesh_quantization\",\"KHR_texture_transform\","
             "\"KHR_materials_unlit\",\"KHR_materials_specular\",\"KHR_node_visibility\","
             "\"KHR_lights_punctual\",\"KHR_draco_mesh_compression\"],\"extensionsUsed\":[\"EXT_new\"]}";
    accept_bytes(known, strlen(known));
}

// ---- URIs ----------------------------------------------------------------------------------------------------

static void test_percent_signs(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"a.bin", "a.bin"},
        {"a%20b.bin", "a b.bin"},
        {"%C3%A4.bin", "\xC3\xA4.bin"},
        {"%41%62", "Ab"},
        {"100%.bin", "100%.bin"},
        {"100%zz.bin", "100%zz.bin"},
        {"50%", "50%"},
        {"50%4", "50%4"},
        {"%2541", "%41"},
        {"sub/x.bin", "sub/x.bin"},
        {"./x.bin", "./x.bin"},
        {"a..b", "a..b"},
        {"..a/b", "..a/b"},
        {"a#b?c", "a#b?c"},
        {"sub/a:b", "sub/a:b"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char uri[64];
        snprintf(uri, sizeof uri, "%s", cases[i][0]);
        const char *refusal = sinewi_gltf_decode_uri(uri);
        if (refusal) fail_msg("%s: %s", cases[i][0], refusal);
        assert_string_equal(uri, cases[i][1]);
    }
}

// Mistake: looking for ".." before the percent signs are decoded.
static void test_uris_that_leave_the_folder(void **state) {
    (void)state;
    static const char *const uris[] = {
        "",
        "../x.bin",
        "..",
        "a/../x.bin",
        "a/..",
        "%2e%2e/x.bin",
        ".%2E/x.bin",
        "..%2fx.bin",
        "a/%2e%2e",
        "/etc/passwd",
        "%2Fetc/passwd",
        "//host/x.bin",
        "http://host/x.bin",
        "https://host",
        "file:///etc/passwd",
        "file:x.bin",
        "FILE:x",
        "C:/x.bin",
        "c:x.bin",
        "C%3A/x.bin",
        "..\\x.bin",
        "a\\b.bin",
        "%5Cx",
        "a%5C..%5Cx",
        "x%00.bin",
        "x+y-z.1:a",
        "a\nb.bin",
        "a%0Ab.bin",
        "%1b[31m.bin",
        "x%7F",
        ".. ",
        "a/.. /x.bin",
        "a/.. . ./x.bin",
        "...",
        "a/%2e%2e%20",
    };
    for (size_t i = 0; i < sizeof uris / sizeof uris[0]; i++) {
        char uri[64];
        snprintf(uri, sizeof uri, "%s", uris[i]);
        if (!sinewi_gltf_decode_uri(uri)) fail_msg("%s is accepted as %s", uris[i], uri);
    }
}

// Windows takes these for devices in every folder, with any ending; others only look like them.
static void test_devices(void **state) {
    (void)state;
    static const char *const devices[] = {"CON",      "nul",        "a/NUL.bin", "aux.tar.gz",      "Prn /x",
                                          "sub/com1", "LPT9.png",   "COM0",      "COM\xC2\xB9.bin", "CONIN$",
                                          "conout$",  "a.bin:more", "c:x"};
    static const char *const files[] = {"CONE", "a.con", "nulls.bin", "aux_1.png", "com", "com10", "COMA",  "LPT",
                                        "xNUL", "CON$",  "con-1.bin", "a/b",       "",    "/",     "prn_.x"};
    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++)
        if (!sinewi_gltf_is_special_on_windows(devices[i])) fail_msg("%s is taken for a file", devices[i]);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        if (sinewi_gltf_is_special_on_windows(files[i])) fail_msg("%s is taken for a device", files[i]);
}

// RFC 4648, section 10.
static void test_base64(void **state) {
    (void)state;
    static const char *const cases[][2] = {{"", ""},
                                           {"Zg==", "f"},
                                           {"Zm8=", "fo"},
                                           {"Zm9v", "foo"},
                                           {"Zm9vYg==", "foob"},
                                           {"Zm9vYmE=", "fooba"},
                                           {"Zm9vYmFy", "foobar"},
                                           {"Zg", "f"},
                                           {"Zm8", "fo"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t out[16];
        size_t size;
        assert_true(sinewi_gltf_decode_base64(cases[i][0], strlen(cases[i][0]), out, &size));
        assert_int_equal(size, strlen(cases[i][1]));
        assert_memory_equal(out, cases[i][1], size);
    }
    static const char *const bad[] = {"Z",  "Zm9vZ", "Zm9v=", "Zg=",  "Zg===", "Z===", "=",
                                      "==", "Zm=v",  "Zm 9v", "Zm9-", "Zm9_",  "\n"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        uint8_t out[16];
        size_t size;
        if (sinewi_gltf_decode_base64(bad[i], strlen(bad[i]), out, &size)) fail_msg("%s is accepted", bad[i]);
    }
    uint8_t all[256], back[256];
    for (int i = 0; i < 256; i++) all[i] = (uint8_t)(i * 7);
    for (size_t length = 0; length < 256; length++) {
        char *text = base64(all, length);
        uint8_t *out = malloc(strlen(text) / 4 * 3 + 3);
        size_t size;
        assert_true(sinewi_gltf_decode_base64(text, strlen(text), out, &size));
        assert_int_equal(size, length);
        memcpy(back, out, size);
        assert_memory_equal(back, all, size);
        free(out);
        free(text);
    }
}

// A triangle with positions from this URI.
static char *file_with_uri(const char *uri, int byte_length) {
    char text[2048];
    snprintf(text, sizeof text,
             "{'asset':{'version':'2.0'},'buffers':[{'byteLength':%d,'uri':'%s'}],"
             "'bufferViews':[{'buffer':0,'byteLength':36}],"
             "'accessors':[{'bufferView':0,'componentType':5126,'type':'VEC3','count':3}],"
             "'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}]}",
             byte_length, uri);
    return json_quotes(text);
}

static const float corners[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};

static void test_data_uris(void **state) {
    (void)state;
    char *digits = base64(corners, sizeof corners);
    static const char *const starts[] = {"data:application/octet-stream;base64,", "data:;base64,",
                                         "data:application/gltf-buffer;charset=x;base64,", "DATA:a/b;base64,",
                                         "data:application\\/octet-stream;base64,"};
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        char uri[256];
        snprintf(uri, sizeof uri, "%s%s", starts[i], digits);
        char *text = file_with_uri(uri, 36);
        sinew_asset *asset;
        sinew_error error = {0};
        if (sinew_gltf_load_memory(text, strlen(text), NULL, &asset, &error) != SINEW_OK)
            fail_msg("%s", error.message);
        check_floats(asset->meshes[0].primitives[0].positions, corners, 9, 0.0f);
        sinew_asset_destroy(asset);
        free(text);
    }
    static const struct {
        const char *uri;
        sinew_result result;
        const char *text;
    } bad[] = {
        {"data:application/octet-stream;base64", SINEW_ERROR_FORMAT, "buffers[0].uri: the data URI has no ','"},
        {"data:text/plain,hello", SINEW_ERROR_UNSUPPORTED, "buffers[0].uri: the data URI is not base64"},
        {"data:,", SINEW_ERROR_UNSUPPORTED, "is not base64"},
        {"data:;base64,Zm9-", SINEW_ERROR_FORMAT, "buffers[0].uri: the data URI is not valid base64"},
        {"data:;base64,Zm9v", SINEW_ERROR_FORMAT, "buffers[0]: should have 36 bytes and has 3"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char *text = file_with_uri(bad[i].uri, 36);
        gltf_refuse_text(text, bad[i].result, bad[i].text);
        free(text);
    }
    free(digits);
}

static void test_memory_has_no_outside(void **state) {
    (void)state;
    char *text = file_with_uri("x.bin", 36);
    gltf_refuse_text(text, SINEW_ERROR_IO,
                     "buffers[0].uri: x.bin is an external resource, but no reader is set in the options");
    free(text);
    text = file_with_uri("../x.bin", 36);
    gltf_refuse_text(text, SINEW_ERROR_FORMAT, "buffers[0].uri: \"../x.bin\" is refused: \"..\" is not allowed");
    free(text);
    gltf_refuse_text(
        "{'asset':{'version':'2.0'},'buffers':[{'byteLength':4}],'bufferViews':[{'buffer':0,'byteLength':4}],"
        "'images':[{'bufferView':0}]}",
        SINEW_ERROR_FORMAT, "buffers[0]: it has neither a uri nor a binary chunk");
}

// ---- Readers -------------------------------------------------------------------------------------------------

typedef struct shelf {
    const char *name;
    const void *data;
    size_t size;
    int reads, lent;
} shelf;

static bool shelf_read(const char *uri, sinew_bytes *bytes, void *user) {
    shelf *s = user;
    s->reads++;
    if (strcmp(uri, s->name) != 0) return false;
    bytes->data = malloc(s->size > 0 ? s->size : 1);
    bytes->size = s->size;
    if (s->size > 0) memcpy(bytes->data, s->data, s->size);
    s->lent++;
    return true;
}

static void shelf_release(sinew_bytes bytes, void *user) {
    shelf *s = user;
    s->lent--;
    free(bytes.data);
}

static sinew_result load_with(shelf *s, const char *text, size_t limit, sinew_asset **asset, sinew_error *error) {
    sinew_gltf_options options = sinew_gltf_default();
    options.reader = (sinew_reader){shelf_read, shelf_release, s};
    if (limit > 0) options.memory_limit = limit;
    sinew_result result = sinew_gltf_load_memory(text, strlen(text), &options, asset, error);
    assert_int_equal(s->lent, 0); // everything has been given back
    return result;
}

static void test_reader(void **state) {
    (void)state;
    shelf s = {"sub/my corners.bin", corners, sizeof corners, 0, 0};
    char *text = file_with_uri("sub/my%20corners.bin", 36);
    sinew_asset *asset;
    sinew_error error = {0};
    if (load_with(&s, text, 0, &asset, &error) != SINEW_OK) fail_msg("%s", error.message);
    check_floats(asset->meshes[0].primitives[0].positions, corners, 9, 0.0f);
    assert_int_equal(s.reads, 1);
    sinew_asset_destroy(asset);

    s.size = 35;
    assert_int_equal(load_with(&s, text, 0, &asset, &error), SINEW_ERROR_FORMAT);
    check_contains(error.message, "buffers[0]: should have 36 bytes and has 35");
    s.size = sizeof corners;
    s.name = "else";
    assert_int_equal(load_with(&s, text, 0, &asset, &error), SINEW_ERROR_IO);
    check_contains(error.message, "buffers[0].uri: sub/my corners.bin cannot be read");
    free(text);

    text = file_with_uri("../x.bin", 36);
    s.reads = 0;
    assert_int_equal(load_with(&s, text, 0, &asset, &error), SINEW_ERROR_FORMAT);
    assert_int_equal(s.reads, 0); // refused before it is asked for
    free(text);
}

// Leaves out two channels of one buffer that's too short. Mistake: reading the buffer again for the second channel,
// so the first copy is never released.
static void test_short_buffer_of_ignored_channels(void **state) {
    (void)state;
    static const char channel[] = "{'sampler':0,'target':{'path':'pointer','extensions':{'KHR_animation_pointer':{"
                                  "'pointer':'/materials/0/%s'}}}}";
    char channels[400], source[1000];
    int length = snprintf(channels, sizeof channels, channel, "alphaCutoff");
    length += snprintf(channels + length, sizeof channels - (size_t)length, ",");
    snprintf(channels + length, sizeof channels - (size_t)length, channel, "pbrMetallicRoughness/metallicFactor");
    snprintf(source, sizeof source,
             "{'asset':{'version':'2.0'},'materials':[{'alphaCutoff':1,'pbrMetallicRoughness':{}}],"
             "'buffers':[{'byteLength':9,'uri':'x.bin'}],'bufferViews':[{'buffer':0,'byteLength':8}],"
             "'accessors':[{'bufferView':0,'componentType':5126,'type':'SCALAR','count':2}],"
             "'animations':[{'samplers':[{'input':0,'output':0}],'channels':[%s]}]}",
             channels);
    char *text = json_quotes(source);
    shelf s = {"x.bin", (const float[2]){0, 1}, 8, 0, 0};
    sinew_asset *asset;
    sinew_error error = {0};
    if (load_with(&s, text, 0, &asset, &error) != SINEW_OK) fail_msg("%s", error.message);
    assert_int_equal(asset->clips[0].channel_count, 0);
    assert_int_equal(s.reads, 1);
    sinew_asset_destroy(asset);
    free(text);
}

// A successful read without memory. The size is a shelf's.
static bool read_nothing(const char *uri, sinew_bytes *bytes, void *user) {
    (void)uri;
    shelf *s = user;
    *bytes = (sinew_bytes){NULL, s->size};
    s->lent++;
    return true;
}

// Each successful read is released, whatever it returned.
static void test_reads_without_memory(void **state) {
    (void)state;
    static const struct {
        const char *name, *part;
    } parts[] = {
        {"an image", ",'images':[{'uri':'a.png'}]}"},
        {"a buffer", ",'buffers':[{'byteLength':0,'uri':'a'}],'bufferViews':[{'buffer':0,'byteLength':0}],"
                     "'images':[{'bufferView':0}]}"},
    };
    for (size_t i = 0; i < 2 * (sizeof parts / sizeof *parts); i++) {
        char source[300];
        snprintf(source, sizeof source, "{'asset':{'version':'2.0'}%s", parts[i / 2].part);
        char *text = json_quotes(source);
        shelf s = {"", NULL, i % 2 ? 8 : 0, 0, 0};
        sinew_gltf_options options = sinew_gltf_default();
        options.reader = (sinew_reader){read_nothing, shelf_release, &s};
        sinew_asset *asset;
        sinew_error error = {0};
        const sinew_result result = sinew_gltf_load_memory(text, strlen(text), &options, &asset, &error);
        if (s.lent != 0) fail_msg("%s of %zu bytes was not released", parts[i / 2].name, s.size);
        assert_int_equal(result, s.size > 0 && i / 2 == 1 ? SINEW_ERROR_IO : SINEW_OK);
        if (result == SINEW_OK) assert_int_equal(asset->images[0].size, 0);
        sinew_asset_destroy(asset);
        free(text);
    }
}

static void test_what_a_reader_lends_counts(void **state) {
    (void)state;
    size_t size = 4000000;
    void *large = calloc(size, 1);
    shelf s = {"x.bin", large, size, 0, 0};
    char *text = file_with_uri("x.bin", 36);
    sinew_asset *asset;
    sinew_error error = {0};
    assert_int_equal(load_with(&s, text, 1000000, &asset, &error), SINEW_ERROR_LIMIT);
    check_contains(error.message, "memory limit of 1000000 bytes");
    assert_null(asset);
    assert_int_equal(load_with(&s, text, 5000000, &asset, &error), SINEW_OK);
    assert_true(asset->memory < 1000000); // what was lent is not part of the asset
    sinew_asset_destroy(asset);
    free(text);
    free(large);
}

// Serves every uri with the same bytes, and counts the calls.
typedef struct source {
    float bytes[9];
    int reads;
} source;

static bool read_source(const char *uri, sinew_bytes *bytes, void *user) {
    (void)uri;
    source *from = user;
    *bytes = (sinew_bytes){(void *)from->bytes, sizeof from->bytes};
    from->reads++;
    return true;
}

static void release_nothing(sinew_bytes bytes, void *user) {
    (void)bytes;
    (void)user;
}

static char *append_list(char *to, const char *name, const char *format, int count) {
    to += sprintf(to, ",\"%s\":[", name);
    for (int i = 0; i < count; i++) {
        to += sprintf(to, i > 0 ? "," : "");
        to += sprintf(to, format, i); // NOLINT(clang-diagnostic-format-nonliteral)
    }
    return to + sprintf(to, "]");
}

// A file with more than a few hundred buffers. Mistake: a hash set with a capacity that isn't a power of two, where
// the search for a free entry never ends.
static void test_many_files_of_a_reader(void **state) {
    (void)state;
    enum { COUNT = 1000 };
    char *text = malloc((size_t)1000 * COUNT), *end = text + sprintf(text, "%s", HEAD);
    end = append_list(end, "buffers", "{\"uri\":\"view%d\",\"byteLength\":36}", COUNT);
    end = append_list(end, "bufferViews", "{\"buffer\":%d,\"byteLength\":36}", COUNT);
    end = append_list(end, "accessors", "{\"bufferView\":%d,\"componentType\":5126,\"type\":\"VEC3\",\"count\":3}",
                      COUNT);
    end = append_list(end, "meshes", "{\"primitives\":[{\"attributes\":{\"POSITION\":%d}}]}", COUNT);
    sprintf(end, "}");
    source from = {{0}, 0};
    memcpy(from.bytes, corners, sizeof from.bytes);
    sinew_gltf_options options = sinew_gltf_default();
    options.reader = (sinew_reader){read_source, release_nothing, &from};
    sinew_asset *asset;
    sinew_error error = {0};
    if (sinew_gltf_load_memory(text, strlen(text), &options, &asset, &error) != SINEW_OK)
        fail_msg("%s", error.message);
    assert_int_equal(asset->mesh_count, COUNT);
    assert_int_equal(from.reads, COUNT);
    check_floats(asset->meshes[COUNT - 1].primitives[0].positions, corners, 9, 0.0f);
    sinew_asset_destroy(asset);
    free(text);
}

static void test_images_of_a_reader(void **state) {
    (void)state;
    shelf s = {"a.png", "\x89PNG\r\n\x1A\n", 8, 0, 0};
    sinew_asset *asset;
    sinew_error error = {0};
    const char *text = HEAD ",\"images\":[{\"uri\":\"a.png\"},{\"uri\":\"b.png\",\"mimeType\":\"image/png\"}]}";
    if (load_with(&s, text, 0, &asset, &error) != SINEW_OK) fail_msg("%s", error.message);
    assert_int_equal(asset->images[0].size, 8);
    assert_string_equal(asset->images[0].mime_type, "image/png");
    assert_memory_equal(asset->images[0].bytes, s.data, 8);
    assert_null(asset->images[1].bytes); // not there: left empty
    assert_int_equal(asset->images[1].size, 0);
    sinew_asset_destroy(asset);
}

// Animation does not need images. Catches a file that is refused for an image's URI, and a reader that is asked for a
// URI that leaves the folder.
static void test_images_of_refused_uris(void **state) {
    (void)state;
    static const char *const uris[] = {"../a.png",
                                       "http://x.org/a.png",
                                       "sub%5Ca.png",
                                       "C:/a.png",
                                       "/a.png",
                                       "a%00.png",
                                       "",
                                       "data:image/png",
                                       "data:image/svg+xml,<svg/>",
                                       "data:image/png;base64,Zm9-"};
    shelf s = {"a.png", "\x89PNG\r\n\x1A\n", 8, 0, 0};
    for (size_t i = 0; i < sizeof uris / sizeof uris[0]; i++) {
        char text[256];
        snprintf(text, sizeof text, HEAD ",\"nodes\":[{}],\"images\":[{\"name\":\"skin\",\"uri\":\"%s\"}]}",
                 uris[i]);
        gltf_lines lines = {0};
        sinew_gltf_options options = sinew_gltf_default();
        options.reader = (sinew_reader){shelf_read, shelf_release, &s};
        options.log = gltf_log_to(&lines);
        sinew_asset *asset;
        sinew_error error = {0};
        if (sinew_gltf_load_memory(text, strlen(text), &options, &asset, &error) != SINEW_OK)
            fail_msg("%s: %s", uris[i], error.message);
        assert_int_equal(asset->image_count, 1);
        assert_string_equal(asset->images[0].name, "skin");
        assert_null(asset->images[0].bytes);
        assert_int_equal(asset->images[0].size, 0);
        check_contains(lines.text, "images[0].uri: ");
        check_contains(lines.text, "; the image is left empty");
        sinew_asset_destroy(asset);
    }
    assert_int_equal(s.reads, 0); // refused before the reader is asked
}

static const sinew_image *image_of(const sinew_asset *asset, int texture) {
    return &asset->images[asset->textures[texture].image];
}

// Catches a file that is refused because it requires a format of images, an extension's image that replaces the plain
// one, and a texture that loses the only image that it has.
static void test_images_of_texture_extensions(void **state) {
    (void)state;
    static const struct {
        const char *name, *mime, *head;
        size_t size;
    } formats[] = {
        {"EXT_texture_webp", "image/webp", "RIFF\4\0\0\0WEBPVP8 ", 16},
        {"EXT_texture_avif", "image/avif",
         "\0\0\0\x1C"
         "ftypavif",
         12},
        {"KHR_texture_basisu", "image/ktx2", "\xABKTX 20\xBB\r\n\x1A\n", 12},
        {"MSFT_texture_dds", "image/vnd-ms.dds", "DDS |", 5},
    };
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        char text[1024], *digits = base64(formats[i].head, formats[i].size);
        snprintf(text, sizeof text,
                 HEAD
                 ",\"extensionsRequired\":[\"%s\"],\"images\":[{\"uri\":\"data:;base64,%s\"},"
                 "{\"uri\":\"data:image/png;base64,AAAA\"}],\"textures\":[{\"extensions\":{\"%s\":{\"source\":0}}},"
                 "{\"source\":1,\"extensions\":{\"%s\":{\"source\":0}}},{}]}",
                 formats[i].name, digits, formats[i].name, formats[i].name);
        free(digits);
        gltf_lines lines = {0};
        sinew_gltf_options options = sinew_gltf_default();
        options.log = gltf_log_to(&lines);
        sinew_asset *asset;
        sinew_error error = {0};
        if (sinew_gltf_load_memory(text, strlen(text), &options, &asset, &error) != SINEW_OK)
            fail_msg("%s: %s", formats[i].name, error.message);
        assert_string_equal(image_of(asset, 0)->mime_type, formats[i].mime);
        assert_int_equal(image_of(asset, 0)->size, formats[i].size);
        assert_memory_equal(image_of(asset, 0)->bytes, formats[i].head, formats[i].size);
        assert_string_equal(image_of(asset, 1)->mime_type, "image/png");
        assert_int_equal(asset->textures[2].image, -1);
        check_contains(lines.text, "textures[0]: images[0] uses a format from the extension ");
        assert_null(strstr(lines.text, "textures[1]"));
        sinew_asset_destroy(asset);
    }
}

static void test_bad_texture_extensions(void **state) {
    (void)state;
    gltf_refuse_text("{'asset':{'version':'2.0'},'textures':[{'extensions':{'EXT_texture_webp':{'source':0}}}]}",
                     SINEW_ERROR_FORMAT, "textures[0].extensions.EXT_texture_webp.source: 0 is out of range");
}

// ---- Files on disk -------------------------------------------------------------------------------------------

static void refuse_file(const char *path, sinew_result expected, const char *text) {
    sinew_asset *asset = (sinew_asset *)&path;
    sinew_error error = {0};
    sinew_result found = sinew_gltf_load_file(path, NULL, &asset, &error);
    char start[300];
    int length = snprintf(start, sizeof start, "%s: ", path);
    if (strncmp(error.message, start, (size_t)length) != 0)
        fail_msg("%s does not start with its path", error.message);
    check_contains(error.message, text);
    assert_int_equal(found, expected);
    assert_null(asset);
}

static void test_external_buffers(void **state) {
    (void)state;
    folder f = make_folder("sinew-test");
    char *text = file_with_uri("sub%20folder/c.bin", 36);
    write_file(&f, "a.gltf", text, strlen(text));
    free(text);
    assert_int_equal(mkdir(in_folder(&f, "sub folder"), 0777), 0);
    refuse_file(in_folder(&f, "a.gltf"), SINEW_ERROR_IO, "buffers[0].uri: sub folder/c.bin: there is no such file");
    write_file(&f, "sub folder/c.bin", corners, sizeof corners - 1);
    refuse_file(in_folder(&f, "a.gltf"), SINEW_ERROR_FORMAT, "buffers[0]: should have 36 bytes and has 35");
    write_file(&f, "sub folder/c.bin", corners, sizeof corners);
    sinew_asset *asset;
    sinew_error error = {0};
    if (sinew_gltf_load_file(in_folder(&f, "a.gltf"), NULL, &asset, &error) != SINEW_OK)
        fail_msg("%s", error.message);
    check_floats(asset->meshes[0].primitives[0].positions, corners, 9, 0.0f);
    sinew_asset_destroy(asset);

    char here[1024];
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(f.path), 0); // a name without any folder
    assert_int_equal(sinew_gltf_load_file("a.gltf", NULL, &asset, &error), SINEW_OK);
    sinew_asset_destroy(asset);
    assert_int_equal(chdir(here), 0);

    static const char *const leaving[] = {"../c.bin", "/etc/passwd", "http://localhost/c.bin", "file:c.bin",
                                          "..%2fc.bin"};
    for (size_t i = 0; i < sizeof leaving / sizeof leaving[0]; i++) {
        text = file_with_uri(leaving[i], 36);
        write_file(&f, "a.gltf", text, strlen(text));
        free(text);
        refuse_file(in_folder(&f, "a.gltf"), SINEW_ERROR_FORMAT, "is refused");
    }
    remove(in_folder(&f, "sub folder/c.bin"));
    remove(in_folder(&f, "sub folder"));
    remove(in_folder(&f, "a.gltf"));
    assert_int_equal(remove(f.path), 0);
}

// The file that an image's URI leads to is there, and is not read.
static void test_images_outside_the_folder_are_missing(void **state) {
    (void)state;
    folder f = make_folder("sinew-test");
    assert_int_equal(mkdir(in_folder(&f, "sub"), 0700), 0);
    write_file(&f, "secret.png", "\x89PNG\r\n\x1A\n", 8);
    char absolute[600];
    snprintf(absolute, sizeof absolute, "%s", in_folder(&f, "secret.png"));
    const char *const uris[] = {"../secret.png", "..%2Fsecret.png", "x/../../secret.png", absolute};
    for (size_t i = 0; i < sizeof uris / sizeof uris[0]; i++) {
        char text[900];
        snprintf(text, sizeof text, HEAD ",\"images\":[{\"uri\":\"%s\"}]}", uris[i]);
        write_file(&f, "sub/a.gltf", text, strlen(text));
        sinew_asset *asset = load_gltf(in_folder(&f, "sub/a.gltf"), NULL);
        assert_null(asset->images[0].bytes);
        sinew_asset_destroy(asset);
    }
    remove(in_folder(&f, "sub/a.gltf"));
    remove(in_folder(&f, "sub"));
    remove(in_folder(&f, "secret.png"));
    assert_int_equal(remove(f.path), 0);
}

// Catches a path or URI that leaves no room for the reason, and one that is cut inside a character.
static void test_long_names_leave_room_for_the_reason(void **state) {
    (void)state;
    char path[1200];
    for (int i = 0; i < 2; i++) {
        const char *step = i == 0 ? "folder/" : "\xC3\xA4\xC3\xB6/"; // and once a byte further on
        size_t length = (size_t)snprintf(path, sizeof path, "no-such-folder/%.*s", i, "x");
        while (length < 1000) length += (size_t)snprintf(path + length, sizeof path - length, "%s", step);
        snprintf(path + length, sizeof path - length, "hero.glb");
        sinew_asset *asset;
        sinew_error error = {0};
        assert_int_equal(sinew_gltf_load_file(path, NULL, &asset, &error), SINEW_ERROR_IO);
        check_contains(error.message, "...");
        check_contains(error.message, "/hero.glb: there is no such file");
        assert_int_equal(strncmp(error.message, path, 100), 0);
        assert_true(strlen(error.message) > sizeof error.message - 8); // no more is left out than must be
    }

    char *text = file_with_uri(path + 1, 36);
    gltf_refuse_text(text, SINEW_ERROR_IO,
                     "/hero.glb is an external resource, but no reader is set in the options");
    folder f = make_folder("sinew-test");
    write_file(&f, "a.gltf", text, strlen(text));
    refuse_file(in_folder(&f, "a.gltf"), SINEW_ERROR_IO, "/hero.glb: there is no such file");
    free(text);
    remove(in_folder(&f, "a.gltf"));
    assert_int_equal(remove(f.path), 0);
}

static void test_names_are_shortened_between_characters(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t room;
        const char *expected;
    } cases[] = {
        {"abcdefghij", 11, "abcdefghij"},
        {"abcdefghijk", 11, "abc...hijk"},
        {"abcdefghijkl", 11, "abc...ijkl"},
        {"ab\xC3\xA4xxxxxxx\xC3\xA4yyy", 11, "ab...yyy"},
        {"", 1, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char out[12];
        memset(out, '#', sizeof out);
        sinewi_shorten(cases[i].text, out, cases[i].room);
        assert_string_equal(out, cases[i].expected);
        for (size_t k = cases[i].room; k < sizeof out; k++) assert_int_equal(out[k], '#');
    }
}

static void test_files_that_cannot_be_read(void **state) {
    (void)state;
    folder f = make_folder("sinew-test");
    refuse_file(in_folder(&f, "none.glb"), SINEW_ERROR_IO, "there is no such file");
    refuse_file(f.path, SINEW_ERROR_IO, "this is a directory");
    refuse_file("/dev/null", SINEW_ERROR_IO, "this is a device, not a regular file");
    assert_int_equal(mkfifo(in_folder(&f, "pipe.glb"), 0666), 0);
    refuse_file(in_folder(&f, "pipe.glb"), SINEW_ERROR_IO,
                "this is a pipe, not a regular file"); // and does not wait for it
    write_file(&f, "empty.glb", "", 0);
    refuse_file(in_folder(&f, "empty.glb"), SINEW_ERROR_FORMAT, "the file is empty");
    write_file(&f, "old.gltf", "{\"asset\":{\"version\":\"1.0\"}}", 27);
    refuse_file(in_folder(&f, "old.gltf"), SINEW_ERROR_UNSUPPORTED, "glTF 1.0 is not supported");
    char *text = file_with_uri("pipe.glb", 36);
    write_file(&f, "a.gltf", text, strlen(text));
    free(text);
    refuse_file(in_folder(&f, "a.gltf"), SINEW_ERROR_IO,
                "buffers[0].uri: pipe.glb: this is a pipe, not a regular file");
    text = file_with_uri(".", 36);
    write_file(&f, "a.gltf", text, strlen(text));
    free(text);
    refuse_file(in_folder(&f, "a.gltf"), SINEW_ERROR_IO, "buffers[0].uri: .: this is a directory");
    remove(in_folder(&f, "pipe.glb"));
    remove(in_folder(&f, "empty.glb"));
    remove(in_folder(&f, "old.gltf"));
    remove(in_folder(&f, "a.gltf"));
    assert_int_equal(remove(f.path), 0);
}

static void test_file_size_counts_against_the_limit(void **state) {
    (void)state;
    folder f = make_folder("sinew-test");
    write_file(&f, "a.gltf", HEAD "}", strlen(HEAD "}"));
    assert_int_equal(truncate(in_folder(&f, "a.gltf"), 1 << 30), 0); // a gigabyte of nothing
    sinew_gltf_options options = sinew_gltf_default();
    options.memory_limit = 1 << 20;
    sinew_asset *asset;
    sinew_error error = {0};
    assert_int_equal(sinew_gltf_load_file(in_folder(&f, "a.gltf"), &options, &asset, &error), SINEW_ERROR_LIMIT);
    check_contains(error.message, "memory limit of 1048576 bytes");
    remove(in_folder(&f, "a.gltf"));
    assert_int_equal(remove(f.path), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_versions),
        cmocka_unit_test(test_glb),
        cmocka_unit_test(test_truncated_at_every_byte),
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_extensions),
        cmocka_unit_test(test_percent_signs),
        cmocka_unit_test(test_uris_that_leave_the_folder),
        cmocka_unit_test(test_devices),
        cmocka_unit_test(test_base64),
        cmocka_unit_test(test_data_uris),
        cmocka_unit_test(test_memory_has_no_outside),
        cmocka_unit_test(test_reader),
        cmocka_unit_test(test_short_buffer_of_ignored_channels),
        cmocka_unit_test(test_reads_without_memory),
        cmocka_unit_test(test_what_a_reader_lends_counts),
        cmocka_unit_test(test_many_files_of_a_reader),
        cmocka_unit_test(test_images_of_a_reader),
        cmocka_unit_test(test_images_of_refused_uris),
        cmocka_unit_test(test_images_of_texture_extensions),
        cmocka_unit_test(test_bad_texture_extensions),
        cmocka_unit_test(test_external_buffers),
        cmocka_unit_test(test_images_outside_the_folder_are_missing),
        cmocka_unit_test(test_long_names_leave_room_for_the_reason),
        cmocka_unit_test(test_names_are_shortened_between_characters),
        cmocka_unit_test(test_files_that_cannot_be_read),
        cmocka_unit_test(test_file_size_counts_against_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
