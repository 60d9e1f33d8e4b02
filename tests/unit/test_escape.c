// SPDX-License-Identifier: MIT
// Text from files, escaped for a terminal: what's replaced, what isn't, and the library's messages.
#include "support/check.h"

#include "base/fail.h"

#include <sinew/gltf.h>

#include <stdio.h>

typedef struct escape_case {
    const char *text, *expected;
} escape_case;

static void expect_escaped(const char *text, const char *expected) {
    char out[256];
    assert_int_equal(sinew_escape(text, out, sizeof out), strlen(expected));
    assert_string_equal(out, expected);
}

// Catches a control character that reaches the terminal: each of the C0 set, DEL, and each of the C1 set as UTF-8.
static void every_control_character_is_escaped(void **state) {
    (void)state;
    for (int code = 1; code < 0xA0; code++) {
        char text[3] = {(char)code}, expected[8];
        if (code >= 0x20 && code < 0x7F) continue;
        if (code < 0x80) {
            snprintf(expected, sizeof expected, "\\x%02x", (unsigned)code);
        } else {
            text[0] = '\xC2';
            text[1] = (char)code;
            snprintf(expected, sizeof expected, "\\u%04x", (unsigned)code);
        }
        expect_escaped(text, expected);
    }
}

// U+202A to U+202E, U+2066 to U+2069, and the two separators, with their neighbours that stay.
static void separators_and_overrides_are_escaped(void **state) {
    (void)state;
    // NOLINTBEGIN(misc-misleading-bidirectional): overrides, whose escapes are tested
    static const escape_case cases[] = {
        {"\xE2\x80\xA7", "\xE2\x80\xA7"}, {"\xE2\x80\xA8", "\\u2028"}, {"\xE2\x80\xA9", "\\u2029"},
        {"\xE2\x80\xAA", "\\u202a"},      {"\xE2\x80\xAB", "\\u202b"}, {"\xE2\x80\xAC", "\\u202c"},
        {"\xE2\x80\xAD", "\\u202d"},      {"\xE2\x80\xAE", "\\u202e"}, {"\xE2\x80\xAF", "\xE2\x80\xAF"},
        {"\xE2\x81\xA5", "\xE2\x81\xA5"}, {"\xE2\x81\xA6", "\\u2066"}, {"\xE2\x81\xA7", "\\u2067"},
        {"\xE2\x81\xA8", "\\u2068"},      {"\xE2\x81\xA9", "\\u2069"}, {"\xE2\x81\xAA", "\xE2\x81\xAA"},
    };
    // NOLINTEND(misc-misleading-bidirectional)
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) expect_escaped(cases[i].text, cases[i].expected);
}

// Catches names of other scripts that can no longer be read, and a form that changes when it is escaped again.
static void other_text_stays(void **state) {
    (void)state;
    static const char *const texts[] = {
        "",
        "Hips",
        " ~",
        "C:\\models\\hero.glb",
        "\\x1b",
        "'\"%s",
        "\xC2\xA0",
        "B\xC3\xBCste",
        "\xE8\x85\xB0",
        "\xD7\x9E\xD7\xAA\xD7\xA0",
        "\xEF\xBF\xBD",
        "\xED\x9F\xBF",
        "\xEE\x80\x80",
        "\xF0\x9F\xA6\xB4",
        "\xF4\x8F\xBF\xBF",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) expect_escaped(texts[i], texts[i]);
}

// Bytes that are not UTF-8 are escaped one by one: stray and missing continuations, overlong forms, surrogates, and what
// lies beyond U+10FFFF. A terminal that reads Latin-1 takes 0x9b for a command.
static void invalid_bytes_are_escaped(void **state) {
    (void)state;
    static const escape_case cases[] = {
        {"\x9B"
         "2J",
         "\\x9b2J"},
        {"\xFF\xFE", "\\xff\\xfe"},
        {"a\xC3", "a\\xc3"},
        {"\xC3"
         "a",
         "\\xc3a"},
        {"\xE8\x85", "\\xe8\\x85"},
        {"\xE8\x85"
         "a",
         "\\xe8\\x85a"},
        {"\xF0\x9F\xA6", "\\xf0\\x9f\\xa6"},
        {"\xC0\x9B", "\\xc0\\x9b"},
        {"\xC1\xBF", "\\xc1\\xbf"},
        {"\xE0\x82\x9B", "\\xe0\\x82\\x9b"},
        {"\xF0\x80\x82\x9B", "\\xf0\\x80\\x82\\x9b"},
        {"\xED\xA0\x80", "\\xed\\xa0\\x80"},
        {"\xF4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},
        {"\xF5\x80\x80\x80", "\\xf5\\x80\\x80\\x80"},
        {"\x1b[2J\xE2\x80\xAE"
         "abc\n",
         "\\x1b[2J\\u202eabc\\x0a"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) expect_escaped(cases[i].text, cases[i].expected);
}

// Catches a cut inside a character or an escape, what follows a cut, a missing terminator and a write past the end.
static void what_does_not_fit_is_cut_between_characters(void **state) {
    (void)state;
    static const char text[] = "a\x1b\xE8\x85\xB0z";
    static const char *const expected[] = {
        NULL, "", "a", "a", "a", "a", "a\\x1b", "a\\x1b", "a\\x1b", "a\\x1b\xE8\x85\xB0", "a\\x1b\xE8\x85\xB0z"};
    for (size_t size = 0; size < sizeof expected / sizeof *expected; size++) {
        char out[16];
        memset(out, '#', sizeof out);
        assert_int_equal(sinew_escape(text, out, size), 9);
        if (size > 0) assert_string_equal(out, expected[size]);
        for (size_t i = size; i < sizeof out; i++) assert_int_equal(out[i], '#');
    }
    assert_int_equal(sinew_escape(text, NULL, 0), 9);
}

// ---- The library's messages --------------------------------------------------------------------------------------

static void expect_plain(const char *message) {
    for (const char *at = message; *at; at++) {
        const unsigned char byte = (unsigned char)*at;
        if (byte < 0x20 || byte >= 0x7F) fail_msg("byte 0x%02x in a message", byte);
    }
}

static void messages_are_escaped_once(void **state) {
    (void)state;
    sinew_error error, again;
    // NOLINTNEXTLINE(misc-misleading-bidirectional): an override, whose escape is tested
    sinewi_fail(&error, SINEW_ERROR_FORMAT, "'%s'", "\x1b[2J\xC2\x9B\xE2\x80\xAE");
    assert_string_equal(error.message, "'\\x1b[2J\\u009b\\u202e'");
    sinewi_fail(&again, SINEW_ERROR_FORMAT, "%s", error.message);
    assert_string_equal(again.message, error.message);
}

// Catches a message that ends within an escape.
static void long_messages_are_cut_between_escapes(void **state) {
    (void)state;
    for (int before = 0; before < 8; before++) {
        char text[2000];
        memset(text, '\x1b', sizeof text);
        memset(text, 'x', (size_t)before);
        text[sizeof text - 1] = '\0';
        sinew_error error;
        sinewi_fail(&error, SINEW_ERROR_IO, "%s", text);
        const size_t length = strlen(error.message);
        assert_in_range(length, sizeof error.message - 4, sizeof error.message - 1);
        assert_string_equal(error.message + length - 4, "\\x1b");
    }
}

static char logged[1024];

static void keep_remark(const char *message, void *user) {
    (void)user;
    snprintf(logged, sizeof logged, "%s", message);
}

// The names of a required extension and of a missing image.
static void names_in_a_file_reach_messages_escaped(void **state) {
    (void)state;
    static const char required[] =
        "{\"asset\":{\"version\":\"2.0\"},\"extensionsRequired\":[\"\\u001b[2J\\u009b\\u202e\"]}";
    static const char image[] =
        "{\"asset\":{\"version\":\"2.0\"},\"images\":[{\"uri\":\"\\u0085\\u202egnp.png\"}]}";
    sinew_gltf_options options = sinew_gltf_default();
    options.log.write = keep_remark;
    sinew_asset *asset = NULL;
    sinew_error error;
    assert_int_not_equal(sinew_gltf_load_memory(required, sizeof required - 1, &options, &asset, &error), SINEW_OK);
    expect_plain(error.message);
    assert_non_null(strstr(error.message, "\\u202e"));
    assert_int_equal(sinew_gltf_load_memory(image, sizeof image - 1, &options, &asset, &error), SINEW_OK);
    sinew_asset_destroy(asset);
    expect_plain(logged);
    assert_non_null(strstr(logged, "\\u0085\\u202egnp.png"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_control_character_is_escaped),
        cmocka_unit_test(separators_and_overrides_are_escaped),
        cmocka_unit_test(other_text_stays),
        cmocka_unit_test(invalid_bytes_are_escaped),
        cmocka_unit_test(what_does_not_fit_is_cut_between_characters),
        cmocka_unit_test(messages_are_escaped_once),
        cmocka_unit_test(long_messages_are_cut_between_escapes),
        cmocka_unit_test(names_in_a_file_reach_messages_escaped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
