// SPDX-License-Identifier: MIT
// JSON: the grammar, numbers to the last bit, strings, lookups.
#include "support/gltf_builder.h"

#include "json/decimal.h"
#include "json/json.h"

#define JSMN_STATIC
#define JSMN_STRICT
#define JSMN_PARENT_LINKS
#include <jsmn.h>

#include <locale.h>
#include <math.h>
#include <stdio.h>

// ---- Grammar -------------------------------------------------------------------------------------------------

static bool is_json(const char *text, size_t size) {
    // A copy without a zero after it, so a sanitizer finds reads past the end.
    char *copy = malloc(size > 0 ? size : 1);
    if (size > 0) memcpy(copy, text, size);
    int32_t count;
    sinewi_json_problem problem = {NULL, 0};
    sinewi_json_node *nodes = malloc(sinewi_json_max_nodes(copy, size) * sizeof *nodes); // more are found, too
    bool valid = sinewi_json_scan(copy, size, nodes, &count, &problem);
    free(nodes);
    if (!valid) {
        assert_non_null(problem.what);
        assert_true(problem.offset <= size);
    }
    free(copy);
    return valid;
}

static void test_valid_texts(void **state) {
    (void)state;
    static const char *const texts[] = {
        "{}",
        "[]",
        " [ ] ",
        "\t{\r\n}\n",
        "null",
        "true",
        "false",
        "0",
        "-0",
        "7",
        "-12",
        "0.5",
        "10.25e3",
        "1e5",
        "1E+5",
        "1e-05",
        "0e0",
        "\"\"",
        "\"a\"",
        "[1,2]",
        "[1 , 2]",
        "[[[]]]",
        "[{},{}]",
        "{\"a\":1}",
        "{\"a\":{\"b\":[1,{\"c\":null}]},\"d\":[]}",
        "{\"\":0}",
        "{\"a\":1,\"a\":2}",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
        "\"\\u00e9\\uD83D\\uDE00\"",
        "\"\xC3\xA9\"",
        "\"\x7F\"",
        "[true,false,null]",
        "[\"]\"]",
        "{\"}\":\"{\"}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (!is_json(texts[i], strlen(texts[i]))) fail_msg("%s is refused", texts[i]);
}

// Mistake: leaving the grammar to jsmn. It accepts "[1 2]", "{\"a\" 1}", "nulll", "[1,]" and others of these.
static void test_invalid_texts(void **state) {
    (void)state;
    static const char *const texts[] = {
        "",
        " ",
        "{",
        "}",
        "[",
        "]",
        "[}",
        "{]",
        "nul",
        "nulll",
        "True",
        "NaN",
        "Infinity",
        "-Infinity",
        "tru e",
        "[1 2]",
        "[1,]",
        "[,1]",
        "[,]",
        "[1,,2]",
        "{\"a\"}",
        "{\"a\" 1}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{,}",
        "{\"a\":1 2}",
        "{\"a\":1:2}",
        "{\"a\":1 \"b\":2}",
        "{a:1}",
        "{1:2}",
        "{null:1}",
        "{'a':1}",
        "{\"a\",\"b\"}",
        "[\"a\":1]",
        "[] []",
        "{}{}",
        "{} x",
        "[],",
        "1 2",
        ",",
        ":",
        "01",
        "-01",
        "-",
        "+1",
        ".5",
        "1.",
        "1.e3",
        "1e",
        "1e+",
        "1.5.5",
        "0x10",
        "1_000",
        "--1",
        "1-",
        "\"",
        "\"a",
        "\"\\\"",
        "\"\\",
        "\"\\x41\"",
        "\"\\u12\"",
        "\"\\u12G4\"",
        "\"\\u\"",
        "\"\\U0041\"",
        "\"a\nb\"",
        "\"a\tb\"",
        "\"\x01\"",
        "\"a\" \"b\"",
        "/**/{}",
        "{} //",
        "\xEF\xBB\xBF{}",
        "[1]]",
        "[[1]",
        "{\"a\":{}",
        "{\"a\":[}",
        "[\"a]",
        "nullnull",
        "[nulltrue]",
        "[1true]",
        "[1\"a\"]",
        "\xC2\xA0[]",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (is_json(texts[i], strlen(texts[i]))) fail_msg("%s is accepted", texts[i]);
    assert_false(is_json("[1\0]", 4));
    assert_false(is_json("\"\0\"", 3));
    assert_false(is_json("{}\0", 3));
    assert_false(is_json("\"\\\0\"", 4));
}

static void test_depth_is_limited(void **state) {
    (void)state;
    enum { LIMIT = SINEWI_JSON_MAX_DEPTH };
    char text[2 * LIMIT + 2];
    memset(text, '[', LIMIT);
    memset(text + LIMIT, ']', LIMIT);
    assert_true(is_json(text, (size_t)2 * LIMIT));
    memset(text, '[', LIMIT + 2); // the innermost pair of empty brackets needs no depth; one more does
    memset(text + LIMIT + 2, ']', LIMIT);
    assert_false(is_json(text, (size_t)2 * LIMIT + 2));

    size_t size = 3000000; // recursion would overflow the stack here
    char *deep = malloc(size);
    memset(deep, '[', size);
    assert_false(is_json(deep, size));
    free(deep);
}

static void test_every_truncation_is_refused(void **state) {
    (void)state;
    const char *text = "{\"a\":[1,-2.5e3,\"x\\u0041\\n\",{}],\"b\":{\"c\":true,\"d\":null}}";
    for (size_t size = 0; size < strlen(text); size++) assert_false(is_json(text, size));
    assert_true(is_json(text, strlen(text)));
}

// ---- Numbers -------------------------------------------------------------------------------------------------

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void check_number(const char *text, uint64_t expected) {
    uint64_t found = bits_of(sinewi_decimal_read(text, strlen(text)));
    if (found != expected)
        fail_msg("%s is %016llx, not %016llx", text, (unsigned long long)found, (unsigned long long)expected);
}

static void test_numbers_to_the_last_bit(void **state) {
    (void)state;
    check_number("0", 0x0000000000000000);
    check_number("-0", 0x8000000000000000);
    check_number("0.000e5", 0x0000000000000000);
    check_number("1", 0x3FF0000000000000);
    check_number("-2", 0xC000000000000000);
    check_number("0.1", 0x3FB999999999999A);
    check_number("0.2", 0x3FC999999999999A);
    check_number("0.3", 0x3FD3333333333333);
    check_number("1e-7", 0x3E7AD7F29ABCAF48);
    check_number("100e-2", 0x3FF0000000000000);
    check_number("0.0000000000000000000000001e25", 0x3FF0000000000000);
    check_number("3.141592653589793", 0x400921FB54442D18);
    check_number("9007199254740992", 0x4340000000000000); // 2^53
    check_number("9007199254740993", 0x4340000000000000); // halfway to the next one: to even
    check_number("9007199254740995", 0x4340000000000002); // halfway: to even, which is up
    check_number("9007199254740993.00000000000000000000000000000000000000000000000000000000001",
                 0x4340000000000001);
    check_number("1e22", 0x4480F0CF064DD592);
    check_number("1e23", 0x44B52D02C7E14AF6); // 10^23 isn't a double, and is almost halfway between two
    check_number("1.7976931348623157e308", 0x7FEFFFFFFFFFFFFF); // the largest
    check_number("1.7976931348623158e308", 0x7FEFFFFFFFFFFFFF);
    check_number("1.7976931348623159e308", 0x7FF0000000000000); // rounds to infinity
    check_number("1e400", 0x7FF0000000000000);
    check_number("-1e400", 0xFFF0000000000000);
    check_number("1e99999999999999999999", 0x7FF0000000000000);
    check_number("2.2250738585072014e-308", 0x0010000000000000); // the smallest normal one
    check_number("2.2250738585072011e-308", 0x000FFFFFFFFFFFFF); // the one that hung other people's parsers
    check_number("4.9e-324", 0x0000000000000001);                // the smallest
    check_number("2.4703282292062328e-324", 0x0000000000000001); // just above half of it
    check_number("2.4703282292062327e-324", 0x0000000000000000); // just below
    check_number("1e-400", 0x0000000000000000);
    check_number("1e-99999999999999999999", 0x0000000000000000);
}

// Mistake: keeping only the first 20 digits or so, which is right for everything but numbers like these.
static void test_halfway_needs_every_digit(void **state) {
    (void)state;
    char text[1200];
    int length = snprintf(text, sizeof text, "%.1074f", 2.2250738585072009e-308); // the largest subnormal, exactly
    assert_int_equal(length, 1076);
    check_number(text, 0x000FFFFFFFFFFFFF);
    // 1 + 2^-53 is halfway between 1 and the next double; written out it has 53 digits.
    const char *half = "1.00000000000000011102230246251565404236316680908203125";
    check_number(half, 0x3FF0000000000000);
    char more[2200];
    snprintf(more, sizeof more, "%s%01000d", half, 1); // a thousand digits later: above halfway
    check_number(more, 0x3FF0000000000001);
    snprintf(more, sizeof more, "%s%01000d", half, 0);
    check_number(more, 0x3FF0000000000000);
}

// printf and strtod of the C library are the reference here: correctly rounded in the "C" locale.
static void test_numbers_against_strtod(void **state) {
    (void)state;
    uint64_t random = 7;
    for (int i = 0; i < 20000; i++) {
        uint64_t bits =
            (uint64_t)random_next(&random) << 33 ^ (uint64_t)random_next(&random) << 11 ^ random_next(&random);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) continue;
        char text[64];
        snprintf(text, sizeof text, "%.*e", i % 20, value);
        check_number(text, bits_of(strtod(text, NULL)));
        snprintf(text, sizeof text, "%.9g", (double)((float)random_next(&random) / 1e7f - 100.0f));
        check_number(text, bits_of(strtod(text, NULL)));
    }
}

static void test_floats_read_back(void **state) {
    (void)state;
    float expected[3] = {123456789.123f, 0.1f, 3.40282347e38f};
    const char *texts[3] = {"123456789.123", "0.1", "3.40282347e38"};
    for (int i = 0; i < 3; i++) {
        float found = (float)sinewi_decimal_read(texts[i], strlen(texts[i]));
        assert_memory_equal(&found, &expected[i], sizeof found);
    }
}

// Mistake: strtod, which reads "0,5" and stops at the point of "0.5" where the locale has a decimal comma.
static void test_locale_does_not_matter(void **state) {
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE", "nl_NL.UTF-8"};
    bool set = false;
    for (size_t i = 0; !set && i < sizeof names / sizeof names[0]; i++) set = setlocale(LC_ALL, names[i]) != NULL;
    check_number("0.5", 0x3FE0000000000000);
    setlocale(LC_ALL, "C");
    if (!set) print_message("no locale with a decimal comma is installed here\n");
}

// ---- Nodes ---------------------------------------------------------------------------------------------------

typedef struct parsed {
    sinewi_arena arena;
    sinewi_json json;
} parsed;

static parsed parse(const char *text) {
    parsed p;
    sinewi_arena_init(&p.arena, NULL);
    sinewi_json_problem problem;
    if (sinewi_json_parse(&p.json, text, strlen(text), &p.arena, &problem) != SINEW_OK)
        fail_msg("%s: %s at %zu", text, problem.what, problem.offset);
    return p;
}

static void test_members_and_elements(void **state) {
    (void)state;
    parsed p = parse("{\"a\":{\"x\":[1,[2,3],{\"y\":4},5]},\"n\":null,\"b\":true,\"b\":false,\"\\u0063\":\"d\"}");
    const sinewi_json *j = &p.json;
    sinewi_json_value x = sinewi_json_get(j, sinewi_json_get(j, 0, "a"), "x");
    assert_int_equal(sinewi_json_count(j, x), 4);
    sinewi_json_value e = sinewi_json_first(j, x);
    assert_true(sinewi_json_number(j, e) == 1.0);
    e = sinewi_json_following(j, e);
    assert_int_equal(sinewi_json_kind_of(j, e), SINEWI_JSON_ARRAY);
    assert_int_equal(sinewi_json_count(j, e), 2);
    e = sinewi_json_following(j, e);
    assert_true(sinewi_json_number(j, sinewi_json_get(j, e, "y")) == 4.0);
    e = sinewi_json_following(j, e);
    assert_true(sinewi_json_number(j, e) == 5.0);
    assert_int_equal(sinewi_json_following(j, e), SINEWI_JSON_ABSENT);

    assert_int_equal(sinewi_json_get(j, 0, "n"), SINEWI_JSON_ABSENT); // null is the same as nothing
    assert_int_equal(sinewi_json_get(j, 0, "missing"), SINEWI_JSON_ABSENT);
    assert_int_equal(sinewi_json_get(j, x, "a"), SINEWI_JSON_ABSENT); // no object
    assert_int_equal(sinewi_json_get(j, SINEWI_JSON_ABSENT, "a"), SINEWI_JSON_ABSENT);
    assert_int_equal(sinewi_json_kind_of(j, sinewi_json_get(j, 0, "b")), SINEWI_JSON_TRUE); // the first one
    assert_true(sinewi_json_equals(j, sinewi_json_get(j, 0, "c"), "d"));                    // a key with an escape
    assert_int_equal(sinewi_json_get(j, 0, "y"), SINEWI_JSON_ABSENT);                       // not from further down
    sinewi_arena_free(&p.arena);
}

// A valid text that grows, of random values with random white space.
typedef struct random_text {
    char text[16384];
    size_t size;
    uint64_t random;
} random_text;

static void put(random_text *t, const char *piece) {
    size_t length = strlen(piece);
    assert_true(t->size + length < sizeof t->text);
    memcpy(t->text + t->size, piece, length + 1);
    t->size += length;
}

static void put_one_of(random_text *t, const char *const *pieces, size_t count) {
    put(t, pieces[random_next(&t->random) % count]);
}

static void put_space(random_text *t) {
    static const char *const spaces[] = {"", "", "", " ", "\n", "\t ", "\r\n"};
    put_one_of(t, spaces, sizeof spaces / sizeof spaces[0]);
}

static void put_string(random_text *t) {
    static const char *const strings[] = {"\"\"",         "\"a\"",         "\"\\\"\"",     "\"\\\\\"", "\"[{,:]}\"",
                                          "\"\\u00e9x\"", "\"\xC3\xA9 \"", "\"\\\\\\\"\"", "\"null\""};
    put_one_of(t, strings, sizeof strings / sizeof strings[0]);
}

static void put_scalar(random_text *t) {
    static const char *const words[] = {"null", "true", "false", "0", "-1.5e+3", "12", "0.25"};
    if (random_next(&t->random) % 3 == 0) {
        put_string(t);
    } else {
        put_one_of(t, words, sizeof words / sizeof words[0]);
    }
}

static void put_container(random_text *t, int depth) {
    bool object = random_next(&t->random) % 2 == 0;
    put(t, object ? "{" : "[");
    put_space(t);
    uint32_t count = random_next(&t->random) % 5;
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0) put(t, ",");
        put_space(t);
        if (object) put_string(t);
        if (object) put_space(t);
        if (object) put(t, ":");
        put_space(t);
        if (depth > 0 && random_next(&t->random) % 2 == 0) {
            put_container(t, depth - 1);
        } else {
            put_scalar(t);
        }
        put_space(t);
    }
    put(t, object ? "}" : "]");
}

// The first token after a token and all that it contains.
static int find_next_token(const jsmntok_t *tokens, int count, int i) {
    int next = i + 1;
    while (next < count && tokens[next].parent >= i) next++;
    return next;
}

static sinewi_json_kind kind_of_token(const char *text, const jsmntok_t *token) {
    if (token->type == JSMN_OBJECT) return SINEWI_JSON_OBJECT;
    if (token->type == JSMN_ARRAY) return SINEWI_JSON_ARRAY;
    if (token->type == JSMN_STRING) return SINEWI_JSON_STRING;
    switch (text[token->start]) {
    case 'n':
        return SINEWI_JSON_NULL;
    case 't':
        return SINEWI_JSON_TRUE;
    case 'f':
        return SINEWI_JSON_FALSE;
    default:
        return SINEWI_JSON_NUMBER;
    }
}

// jsmn splits valid texts right: its tokens are the reference.
static void check_against_jsmn(const char *text) {
    static jsmntok_t tokens[8192];
    jsmn_parser parser;
    jsmn_init(&parser);
    int count = jsmn_parse(&parser, text, strlen(text), tokens, sizeof tokens / sizeof tokens[0]);
    parsed p = parse(text);
    assert_int_equal(p.json.node_count, count);
    assert_true(sinewi_json_index(&p.json, &p.arena));
    for (int i = 0; i < count; i++) {
        const sinewi_json_node *node = &p.json.nodes[i];
        bool container = tokens[i].type == JSMN_OBJECT || tokens[i].type == JSMN_ARRAY;
        bool key = tokens[i].parent >= 0 && tokens[tokens[i].parent].type == JSMN_OBJECT;
        int next = find_next_token(tokens, count, i);
        bool last = i > 0 && (next == count || tokens[next].parent != tokens[i].parent);
        bool same = node->kind == kind_of_token(text, &tokens[i]) && node->start == tokens[i].start &&
                    (container || node->end == tokens[i].end) && node->key == key &&
                    p.json.parents[i] == tokens[i].parent && sinewi_json_next(&p.json, i) == next;
        bool in_container = key || (tokens[i].parent >= 0 && tokens[tokens[i].parent].type == JSMN_ARRAY);
        if (!same || (in_container && node->last != last)) fail_msg("node %d of %s", i, text);
        char fast[600], slow[600];
        sinewi_json_location(&p.json, i, fast, sizeof fast);
        sinewi_json unindexed = {p.json.text, p.json.node_count, p.json.nodes, NULL, NULL};
        sinewi_json_location(&unindexed, i, slow, sizeof slow);
        assert_string_equal(fast, slow);
    }
    sinewi_arena_free(&p.arena);
}

static void test_nodes_against_jsmn(void **state) {
    (void)state;
    static random_text t;
    for (int i = 0; i < 1000; i++) {
        t.size = 0;
        t.random = (uint64_t)i;
        put_space(&t);
        put_container(&t, 4);
        put_space(&t);
        check_against_jsmn(t.text);
    }
}

// Mistake: comparing bytes of the text, which are not the string's where it has escapes.
static void test_equals_with_escapes(void **state) {
    (void)state;
    parsed p = parse("[\"a\\u0062c\",\"a\\\\n\",\"ab\",\"\\u00e9\",\"\xC3\xA9\",\"a\xFF\"]");
    static const char *const texts[] = {"abc", "a\\n", "ab", "\xC3\xA9", "\xC3\xA9", "a\xEF\xBF\xBD"};
    static const char *const others[] = {"a\\u0062c", "a\\\\n", "a\0", "\\u00e9", "\xC3\xA8", "a\xFF"};
    for (int i = 0; i < 6; i++) {
        assert_true(sinewi_json_equals(&p.json, i + 1, texts[i]));
        assert_false(sinewi_json_equals(&p.json, i + 1, others[i]));
        assert_false(sinewi_json_equals(&p.json, i + 1, ""));
        assert_false(sinewi_json_equals(&p.json, i + 1, "abcd"));
    }
    sinewi_arena_free(&p.arena);
}

static void test_places(void **state) {
    (void)state;
    parsed p = parse("{\"animations\":[{},{},{\"samplers\":[{\"input\":5}]}]}");
    const sinewi_json *j = &p.json;
    sinewi_json_value animations = sinewi_json_get(j, 0, "animations");
    sinewi_json_value third = sinewi_json_first(j, animations);
    for (int i = 0; i < 2; i++) third = sinewi_json_following(j, third);
    sinewi_json_value sampler = sinewi_json_first(j, sinewi_json_get(j, third, "samplers"));
    char place[64], small[12];
    sinewi_json_location(j, sinewi_json_get(j, sampler, "input"), place, sizeof place);
    assert_string_equal(place, "animations[2].samplers[0].input");
    sinewi_json_location(j, sinewi_json_get(j, sampler, "input"), small, sizeof small);
    assert_string_equal(small, "animations"); // whole steps only, never past the end
    sinewi_json_location(j, 0, place, sizeof place);
    assert_string_equal(place, "");
    sinewi_arena_free(&p.arena);
}

static void check_string(const char *json, const char *expected) {
    char text[256];
    snprintf(text, sizeof text, "[\"%s\"]", json);
    parsed p = parse(text);
    size_t length;
    char *found = sinewi_json_string(&p.json, 1, &p.arena, &length);
    assert_non_null(found);
    assert_string_equal(found, expected);
    assert_int_equal(length, strlen(expected));
    assert_true(sinewi_json_equals(&p.json, 1, expected));
    assert_false(sinewi_json_equals(&p.json, 1, "something else"));
    sinewi_arena_free(&p.arena);
}

#define REPLACEMENT "\xEF\xBF\xBD"

static void test_strings(void **state) {
    (void)state;
    check_string("", "");
    check_string("plain", "plain");
    check_string("\\\"\\\\\\/\\b\\f\\n\\r\\t", "\"\\/\b\f\n\r\t");
    check_string("\\u0041\\u00e9\\u20AC", "A\xC3\xA9\xE2\x82\xAC");
    check_string("\\uD83D\\uDE00", "\xF0\x9F\x98\x80"); // a surrogate pair is one character of four bytes
    check_string("\xF0\x9F\x98\x80\xC3\xA9", "\xF0\x9F\x98\x80\xC3\xA9");
    check_string("a\\u0000b", "a" REPLACEMENT "b"); // a C string would end here
    check_string("\\uD83Dx", REPLACEMENT "x");      // half a pair
    check_string("\\uDE00", REPLACEMENT);
    check_string("\\uD83D\\u0041", REPLACEMENT "A");
    check_string("\\uD83D\\uD83D\\uDE00", REPLACEMENT "\xF0\x9F\x98\x80");
    check_string("\xFFz", REPLACEMENT "z");                                            // bytes that are not UTF-8
    check_string("\xC0\xAF", REPLACEMENT REPLACEMENT);                                 // overlong
    check_string("\xED\xA0\x80", REPLACEMENT REPLACEMENT REPLACEMENT);                 // a surrogate
    check_string("\xF4\x90\x80\x80", REPLACEMENT REPLACEMENT REPLACEMENT REPLACEMENT); // above U+10FFFF
    check_string("\xE2\x82", REPLACEMENT REPLACEMENT);                                 // cut off
}

static void test_quotes_fit(void **state) {
    (void)state;
    parsed p = parse("[\"\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\n\", 12]");
    char quote[9];
    sinewi_json_quote(&p.json, 1, quote, sizeof quote);
    assert_string_equal(quote, "\xC3\xA9\xC3\xA9..."); // characters are not cut in half
    char line[40];
    sinewi_json_quote(&p.json, 1, line, sizeof line);
    assert_string_equal(line, "\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\n"); // messages escape it
    sinewi_json_quote(&p.json, 2, line, sizeof line);
    assert_string_equal(line, "12");
    sinewi_arena_free(&p.arena);
}

static void test_roots(void **state) {
    (void)state;
    sinewi_arena arena;
    sinewi_arena_init(&arena, NULL);
    sinewi_json json;
    sinewi_json_problem problem;
    assert_int_equal(sinewi_json_parse(&json, "5", 1, &arena, &problem), SINEW_ERROR_FORMAT);
    assert_int_equal(sinewi_json_parse(&json, "{} x", 4, &arena, &problem), SINEW_ERROR_FORMAT);
    assert_int_equal(problem.offset, 3);
    sinewi_arena_free(&arena);
    counting c = {.fail_at = 1};
    sinew_allocator allocator = counting_allocator(&c);
    sinewi_arena_init(&arena, &allocator);
    assert_int_equal(sinewi_json_parse(&json, "{}", 2, &arena, &problem), SINEW_ERROR_OUT_OF_MEMORY);
    sinewi_arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_valid_texts),
        cmocka_unit_test(test_invalid_texts),
        cmocka_unit_test(test_depth_is_limited),
        cmocka_unit_test(test_every_truncation_is_refused),
        cmocka_unit_test(test_numbers_to_the_last_bit),
        cmocka_unit_test(test_halfway_needs_every_digit),
        cmocka_unit_test(test_numbers_against_strtod),
        cmocka_unit_test(test_floats_read_back),
        cmocka_unit_test(test_locale_does_not_matter),
        cmocka_unit_test(test_members_and_elements),
        cmocka_unit_test(test_nodes_against_jsmn),
        cmocka_unit_test(test_equals_with_escapes),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_quotes_fit),
        cmocka_unit_test(test_roots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
