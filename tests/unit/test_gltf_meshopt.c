// SPDX-License-Identifier: MIT
// Buffer views compressed with EXT_meshopt_compression: what a decoder gets, and what loads without one.
#include "support/gltf_builder.h"

#include <stdio.h>

static const float corners[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};

typedef struct decoding {
    int calls;
    bool fails;
    int32_t count;
    size_t stride, size;
    sinew_meshopt_mode mode;
    sinew_meshopt_filter filter;
} decoding;

// "Decompresses" by repeating the source's first 36 bytes, each plus 1.
static bool decode(uint8_t *out, int32_t count, size_t stride, const uint8_t *data, size_t size,
                   sinew_meshopt_mode mode, sinew_meshopt_filter filter, void *user) {
    decoding *d = user;
    *d = (decoding){d->calls + 1, d->fails, count, stride, size, mode, filter};
    for (size_t i = 0; i < (size_t)count * stride && i < size; i++) out[i] = (uint8_t)(data[i] + 1);
    return !d->fails;
}

static uint8_t first_byte; // of the compressed data; 0: as it comes

static sinew_result load_compressed(const char *extension, const char *members, const char *fallback, decoding *d,
                                    sinew_asset **asset, sinew_error *error) {
    uint8_t coded[36];
    memcpy(coded, corners, sizeof coded);
    for (size_t i = 0; i < sizeof coded; i++) coded[i]--;
    if (first_byte != 0) coded[0] = first_byte;
    char text[1024];
    snprintf(text, sizeof text,
             "{'asset':{'version':'2.0'},'buffers':[{'byteLength':36},{'byteLength':48%s}],"
             "'bufferViews':[{'buffer':1,'byteOffset':12,'byteLength':36,'extensions':{'%s':{%s}}}],"
             "'accessors':[{'bufferView':0,'componentType':5126,'type':'VEC3','count':3}],"
             "'meshes':[{'primitives':[{'attributes':{'POSITION':0}},{'attributes':{'POSITION':0}}]}]}",
             fallback, extension, members);
    char *json = json_quotes(text);
    size_t size;
    uint8_t *glb = glb_wrap(json, coded, sizeof coded, &size);
    free(json);
    sinew_gltf_options options = sinew_gltf_default();
    if (d) {
        options.meshopt_decode = decode;
        options.meshopt_user = d;
    }
    sinew_result result = sinew_gltf_load_memory(glb, size, &options, asset, error);
    free(glb);
    return result;
}

#define FALLBACK ",'extensions':{'EXT_meshopt_compression':{'fallback':true}}"
#define CODED    "'buffer':0,'byteLength':36,'byteStride':12,'count':3,'mode':'ATTRIBUTES'"

#define COLORS "'buffer':0,'byteLength':36,'byteStride':4,'count':9,'mode':'ATTRIBUTES','filter':'COLOR'"
#define EMPTY  "'buffer':0,'byteLength':0,'byteStride':12,'count':3,'mode':'ATTRIBUTES'"

#define CORNERS(mode) "'buffer':0,'byteLength':36,'byteStride':4,'count':9,'mode':'" mode "'"

static void test_compressed_views(void **state) {
    (void)state;
    static const char *const names[] = {"EXT_meshopt_compression", "KHR_meshopt_compression"};
    for (int i = 0; i < 2; i++) {
        decoding d = {0};
        sinew_asset *asset;
        sinew_error error = {0};
        if (load_compressed(names[i], CODED ",'filter':'EXPONENTIAL'", FALLBACK, &d, &asset, &error) != SINEW_OK)
            fail_msg("%s", error.message);
        check_floats(asset->meshes[0].primitives[0].positions, corners, 9, 0.0f);
        assert_int_equal(d.calls, 1); // once, however many read it
        assert_true(d.count == 3 && d.stride == 12 && d.size == 36);
        assert_true(d.mode == SINEW_MESHOPT_ATTRIBUTES && d.filter == SINEW_MESHOPT_FILTER_EXPONENTIAL);
        sinew_asset_destroy(asset);
    }
}

static void refuse_compressed(const char *members, decoding *d, sinew_result expected, const char *text) {
    sinew_asset *asset;
    sinew_error error = {0};
    sinew_result found = load_compressed("EXT_meshopt_compression", members, FALLBACK, d, &asset, &error);
    check_contains(error.message, text);
    assert_int_equal(found, expected);
    assert_null(asset);
}

static void test_bad_compressed_views(void **state) {
    (void)state;
    decoding d = {0}, failing = {.fails = true};
    refuse_compressed(CODED, NULL, SINEW_ERROR_UNSUPPORTED,
                      "meshopt-compressed, but no meshopt_decode is set in the options");
    refuse_compressed(
        CODED, &failing, SINEW_ERROR_FORMAT,
        "bufferViews[0].extensions.EXT_meshopt_compression: the data starts with byte 0xff, which is not a "
        "valid header for meshopt's attribute codec");
    const sinew_result bad = SINEW_ERROR_FORMAT;
    refuse_compressed("'buffer':0,'byteLength':37,'byteStride':12,'count':3,'mode':'ATTRIBUTES'", &d, bad,
                      "ends at byte 37");
    refuse_compressed("'buffer':2,'byteLength':36,'byteStride':12,'count':3,'mode':'ATTRIBUTES'", &d, bad,
                      "out of range");
    refuse_compressed("'buffer':0,'byteLength':36,'byteStride':12,'count':4,'mode':'ATTRIBUTES'", &d, bad,
                      "do not fit");
    refuse_compressed("'buffer':0,'byteLength':36,'byteStride':12,'count':281474976710656,'mode':'ATTRIBUTES'", &d,
                      bad, "is not a whole number from 0 to 2147483647");
    refuse_compressed("'buffer':0,'byteLength':36,'byteStride':0,'count':3,'mode':'ATTRIBUTES'", &d, bad,
                      "byteStride 0");
    refuse_compressed("'buffer':0,'byteLength':36,'byteStride':10,'count':3,'mode':'ATTRIBUTES'", &d, bad,
                      "byteStride 10");
    refuse_compressed("'buffer':0,'byteLength':36,'byteStride':260,'count':1,'mode':'ATTRIBUTES'", &d, bad,
                      "byteStride 260");
    refuse_compressed("'buffer':0,'byteLength':36,'byteStride':8,'count':3,'mode':'INDICES'", &d, bad,
                      "byteStride 8");
    refuse_compressed("'buffer':0,'byteLength':36,'byteStride':4,'count':8,'mode':'TRIANGLES'", &d, bad,
                      "multiple of 3");
    refuse_compressed(CODED ",'filter':'QUATERNION'", &d, bad, "its filter is not allowed for");
    refuse_compressed(CODED ",'filter':'OCTAHEDRAL'", &d, bad, "its filter is not allowed for");
    refuse_compressed("'buffer':0,'byteLength':36,'byteStride':4,'count':9,'mode':'INDICES','filter':'EXPONENTIAL'",
                      &d, bad, "its filter is not allowed for");
    refuse_compressed(CODED ",'filter':'COLOR'", &d, bad, "its filter is not allowed for");
    refuse_compressed("'buffer':0,'byteLength':36,'byteStride':12,'count':3", &d, bad, "mode is missing");
    refuse_compressed("'buffer':0,'byteLength':36,'byteStride':12,'count':3,'mode':'MESHLETS'", &d,
                      SINEW_ERROR_UNSUPPORTED, "mode: unknown mode \"MESHLETS\"");
    refuse_compressed(CODED ",'filter':'WAVELET'", &d, SINEW_ERROR_UNSUPPORTED,
                      "filter: unknown filter \"WAVELET\"");
    assert_int_equal(d.calls, 0); // a decoder never sees what its format does not allow
}

// What a decoder that fails was given, told by the data's first byte. Catches a file that only needs a newer decoder
// and is called damaged, or the other way round.
static void test_what_a_decoder_lacks_is_named(void **state) {
    (void)state;
    static const struct {
        const char *members;
        uint8_t head;
        sinew_result result;
        const char *says;
    } cases[] = {
        {CODED, 0xA0, SINEW_ERROR_FORMAT, "is damaged: version 0 of meshopt's attribute codec cannot decode it"},
        {CODED, 0xA1, SINEW_ERROR_UNSUPPORTED,
         "needs version 1 of meshopt's attribute codec, which the options' meshopt_decode does not support"},
        {CODED, 0xE1, SINEW_ERROR_FORMAT,
         "starts with byte 0xe1, which is not a valid header for meshopt's attribute codec"},
        {COLORS, 0xA0, SINEW_ERROR_UNSUPPORTED,
         "needs meshopt's COLOR filter, which the options' meshopt_decode does not support"},
        {COLORS, 0xA1, SINEW_ERROR_UNSUPPORTED, "needs version 1 of meshopt's attribute codec"},
        {CORNERS("TRIANGLES"), 0xE1, SINEW_ERROR_FORMAT,
         "is damaged: version 1 of meshopt's triangle codec cannot decode it"},
        {CORNERS("TRIANGLES"), 0xE2, SINEW_ERROR_UNSUPPORTED, "needs version 2 of meshopt's triangle codec"},
        {CORNERS("INDICES"), 0xD1, SINEW_ERROR_FORMAT,
         "is damaged: version 1 of meshopt's index codec cannot decode it"},
        {CORNERS("INDICES"), 0xD2, SINEW_ERROR_UNSUPPORTED, "needs version 2 of meshopt's index codec"},
        {CORNERS("INDICES"), 0xE1, SINEW_ERROR_FORMAT,
         "byte 0xe1, which is not a valid header for meshopt's index codec"},
        {EMPTY, 0xA0, SINEW_ERROR_FORMAT, "the view has no compressed data"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        decoding d = {.fails = true};
        first_byte = cases[i].head;
        refuse_compressed(cases[i].members, &d, cases[i].result, cases[i].says);
        assert_int_equal(d.calls, 1); // it is the decoder that is asked first: it may know more
    }
    first_byte = 0;
}

static void test_fallback_bytes_serve_without_a_decoder(void **state) {
    (void)state;
    float fallback[12] = {0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    char *digits = base64(fallback, sizeof fallback);
    char uri[200];
    snprintf(uri, sizeof uri, ",'uri':'data:;base64,%s'", digits);
    free(digits);
    sinew_asset *asset;
    sinew_error error = {0};
    if (load_compressed("EXT_meshopt_compression", CODED, uri, NULL, &asset, &error) != SINEW_OK)
        fail_msg("%s", error.message);
    check_floats(asset->meshes[0].primitives[0].positions, corners, 9, 0.0f);
    sinew_asset_destroy(asset);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compressed_views),
        cmocka_unit_test(test_bad_compressed_views),
        cmocka_unit_test(test_what_a_decoder_lacks_is_named),
        cmocka_unit_test(test_fallback_bytes_serve_without_a_decoder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
