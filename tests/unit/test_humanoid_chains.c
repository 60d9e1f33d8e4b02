// SPDX-License-Identifier: MIT
// Named chains of map files: read, refused with a location, written and read back.
#include "support/check.h"
#include "support/gltf_builder.h"

#include <sinew/humanoid/humanoid.h>

#include <stdio.h>

// A root with a tail of four and two legs of two. One name occurs twice, one has dots, and one looks like an index.
static sinew_skeleton *make_skeleton(void) {
    static const struct {
        const char *name;
        int32_t parent;
    } rows[] = {{"root", -1}, {"tail1", 0}, {"tail2", 1}, {"a..b", 2}, {"tail4", 3},
                {"leg.L", 0}, {"foot", 5},  {"leg.R", 0}, {"foot", 7}, {"x\"y\\z", 0}};
    enum { COUNT = sizeof rows / sizeof *rows };
    sinew_node_def nodes[COUNT];
    for (int i = 0; i < COUNT; i++)
        nodes[i] =
            (sinew_node_def){.name = rows[i].name, .parent = rows[i].parent, .rest = sinew_transform_identity()};
    sinew_skeleton_def def = sinew_skeleton_default();
    def.nodes = nodes;
    def.node_count = COUNT;
    sinew_skeleton *skeleton;
    assert_int_equal(sinew_skeleton_create(&def, &skeleton, NULL), SINEW_OK);
    return skeleton;
}

// Reads a text without a byte after it. Quotes are '.
static sinew_result read_chains(const char *text, const sinew_skeleton *skeleton, sinew_humanoid_chains **chains,
                                sinew_error *error) {
    char *json = json_quotes(text);
    const size_t size = strlen(json);
    char *exact = malloc(size + 1);
    memcpy(exact, json, size); // NOLINT(bugprone-not-null-terminated-result): the size is passed on
    const sinew_result result = sinew_humanoid_read_memory(exact, size, skeleton, NULL, NULL, chains, error);
    free(exact);
    free(json);
    return result;
}

static sinew_humanoid_chains *read_good(const char *text, const sinew_skeleton *skeleton) {
    sinew_humanoid_chains *chains;
    sinew_error error;
    if (read_chains(text, skeleton, &chains, &error) != SINEW_OK) fail_msg("%s", error.message);
    return chains;
}

static void check_chain(const sinew_humanoid_chain *chain, const char *name, const int32_t *nodes, int32_t count) {
    assert_string_equal(chain->name, name);
    assert_int_equal(chain->node_count, count);
    assert_memory_equal(chain->nodes, nodes, (size_t)count * sizeof *nodes);
}

static void test_chains(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_skeleton();
    sinew_humanoid_chains *chains = read_good("{'sinewHumanoid':1,'chains':{'//':3,'tail':['tail1','#2','tail4'],"
                                              "'left\\u004ceg':'leg.L..#6','one':'root'}}",
                                              skeleton);
    assert_int_equal(chains->count, 3);
    check_chain(&chains->chains[0], "tail", (const int32_t[]){1, 2, 4}, 3); // one is left out
    check_chain(&chains->chains[1], "leftLeg", (const int32_t[]){5, 6}, 2);
    check_chain(&chains->chains[2], "one", (const int32_t[]){0}, 1);
    sinew_humanoid_chains_destroy(chains);
    sinew_humanoid_chains_destroy(NULL);
    // Names with dots: a node of the whole text, and the first dots between two names.
    chains = read_good("{'sinewHumanoid':1,'chains':{'a':'a..b','b':'tail4'}}", skeleton);
    check_chain(&chains->chains[0], "a", (const int32_t[]){3}, 1);
    sinew_humanoid_chains_destroy(chains);
    chains = read_good("{'sinewHumanoid':1,'chains':{'a':'a..b..tail4','b':'tail1..tail2'}}", skeleton);
    check_chain(&chains->chains[0], "a", (const int32_t[]){3, 4}, 2);
    check_chain(&chains->chains[1], "b", (const int32_t[]){1, 2}, 2);
    sinew_humanoid_chains_destroy(chains);
    sinew_skeleton_destroy(skeleton);
}

// Either reader takes its part of a map that has both, and a map may have one of them.
static void test_roles_and_chains(void **state) {
    (void)state;
    static const char both[] =
        "{\"sinewHumanoid\":1,\"roles\":{\"hips\":\"root\"},\"chains\":{\"tail\":\"tail1..tail4\"}}";
    static const char roles[] = "{\"sinewHumanoid\":1,\"roles\":{\"hips\":\"root\"}}";
    static const char alone[] = "{\"sinewHumanoid\":1,\"chains\":{\"tail\":\"tail1..tail4\"}}";
    sinew_skeleton *skeleton = make_skeleton();
    sinew_humanoid humanoid;
    assert_int_equal(sinew_humanoid_read_memory(both, sizeof both - 1, skeleton, NULL, &humanoid, NULL, NULL),
                     SINEW_OK);
    assert_int_equal(humanoid.nodes[SINEW_HUMANOID_HIPS], 0);
    assert_int_equal(sinew_humanoid_read_memory(alone, sizeof alone - 1, skeleton, NULL, &humanoid, NULL, NULL),
                     SINEW_OK);
    assert_int_equal(humanoid.source, SINEW_HUMANOID_SOURCE_MAP);
    for (int role = 0; role < SINEW_HUMANOID_ROLE_COUNT; role++)
        assert_int_equal(humanoid.nodes[role], SINEW_NO_NODE);
    sinew_humanoid_chains *chains;
    assert_int_equal(sinew_humanoid_read_memory(both, sizeof both - 1, skeleton, NULL, NULL, &chains, NULL),
                     SINEW_OK);
    check_chain(&chains->chains[0], "tail", (const int32_t[]){1, 2, 3, 4}, 4);
    sinew_humanoid_chains_destroy(chains);
    assert_int_equal(sinew_humanoid_read_memory(roles, sizeof roles - 1, skeleton, NULL, NULL, &chains, NULL),
                     SINEW_OK);
    assert_int_equal(chains->count, 0);
    sinew_humanoid_chains_destroy(chains);
    sinew_skeleton_destroy(skeleton);
}

static void test_bad_chains(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"{'sinewHumanoid':1,'chains':[]}", "1:29: expected an object of chains, not an array"},
        {"{'sinewHumanoid':1,'chains':{},'chains':{}}", "1:32: this key appears twice"},
        {"{'sinewHumanoid':1,'chains':{'a':null}}", "1:34: expected a list of nodes, or \"First..Last\", not null"},
        {"{'sinewHumanoid':1,'chains':{'a':{}}}",
         "1:34: expected a list of nodes, or \"First..Last\", not an object"},
        {"{'sinewHumanoid':1,'chains':{'a':[]}}", "1:34: a chain needs a node"},
        {"{'sinewHumanoid':1,'chains':{'':'root'}}", "1:30: a chain needs a name"},
        {"{'sinewHumanoid':1,'chains':{'a':'root',\n'a':'tail1'}}", "2:1: this chain appears twice"},
        {"{'sinewHumanoid':1,'chains':{'a':['tail1',2]}}", "1:43: expected the name of a node, not 2"},
        {"{'sinewHumanoid':1,'chains':{'a':['tail1','tail3']}}",
         "1:43: the skeleton has no node \"tail3\"; did you mean"},
        {"{'sinewHumanoid':1,'chains':{'a':'tail1..tail3'}}",
         "1:34: the skeleton has no node \"tail3\"; did you mean"},
        {"{'sinewHumanoid':1,'chains':{'a':'tial1..tail3'}}",
         "1:34: the skeleton has no node \"tial1\"; did you mean"},
        {"{'sinewHumanoid':1,'chains':{'a':'..'}}", "1:34: the skeleton has no node \"\""},
        {"{'sinewHumanoid':1,'chains':{'a':'foot'}}",
         "1:34: 2 nodes are named \"foot\"; write \"#\" and a source index"},
        {"{'sinewHumanoid':1,'chains':{'a':'#10'}}", "1:34: the skeleton has no node with the source index 10"},
        {"{'sinewHumanoid':1,'chains':{'a':['tail2','tail1']}}",
         "1:43: \"tail1\" is not below \"tail2\"; list a chain from its root to its tip"},
        {"{'sinewHumanoid':1,'chains':{'a':'tail4..leg.L'}}",
         "1:34: \"leg.L\" is not below \"tail4\"; list a chain from its root to its tip"},
        {"{'sinewHumanoid':1,'chains':{'a':['tail1','tail1']}}", "1:43: \"tail1\" is already in a chain"},
        {"{'sinewHumanoid':1,'chains':{'a':'tail2','b':'tail1..tail4'}}", "1:46: \"tail2\" is already in a chain"},
    };
    sinew_skeleton *skeleton = make_skeleton();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sinew_error error;
        sinew_humanoid_chains *chains = (sinew_humanoid_chains *)(void *)&error; // must be overwritten
        assert_int_equal(read_chains(cases[i].text, skeleton, &chains, &error), SINEW_ERROR_FORMAT);
        assert_null(chains);
        if (strstr(error.message, cases[i].message) != error.message)
            fail_msg("'%s', not '%s'", error.message, cases[i].message);
        // The roles of such a map are also refused: it's one file.
        char *json = json_quotes(cases[i].text);
        sinew_humanoid humanoid;
        assert_int_equal(sinew_humanoid_read_memory(json, strlen(json), skeleton, NULL, &humanoid, NULL, NULL),
                         SINEW_ERROR_FORMAT);
        free(json);
    }
    sinew_skeleton_destroy(skeleton);
}

static void test_too_many_chains(void **state) {
    (void)state;
    enum { MOST = SINEW_MAX_HUMANOID_CHAINS + 1 };
    static sinew_node_def nodes[MOST];
    static char names[MOST][8], text[MOST * 16];
    for (int count = MOST - 1; count <= MOST; count++) {
        size_t length = (size_t)snprintf(text, sizeof text, "{\"sinewHumanoid\":1,\"chains\":{");
        for (int i = 0; i < count; i++) {
            snprintf(names[i], sizeof names[i], "n%d", i);
            nodes[i] = (sinew_node_def){.name = names[i], .parent = i - 1, .rest = sinew_transform_identity()};
            length += (size_t)snprintf(text + length, sizeof text - length, "%s\"%s\":\"%s\"", i ? "," : "",
                                       names[i], names[i]);
        }
        length += (size_t)snprintf(text + length, sizeof text - length, "}}");
        sinew_skeleton_def def = sinew_skeleton_default();
        def.nodes = nodes;
        def.node_count = count;
        sinew_skeleton *skeleton;
        sinew_humanoid_chains *chains;
        assert_int_equal(sinew_skeleton_create(&def, &skeleton, NULL), SINEW_OK);
        assert_int_equal(sinew_humanoid_read_memory(text, length, skeleton, NULL, NULL, &chains, NULL),
                         count == MOST ? SINEW_ERROR_FORMAT : SINEW_OK);
        if (count < MOST) assert_int_equal(chains->count, count);
        sinew_humanoid_chains_destroy(chains);
        sinew_skeleton_destroy(skeleton);
    }
}

// Reads back what was written, including nodes that their names don't find, and names that JSON escapes.
static void test_writing(void **state) {
    (void)state;
    static const int32_t tail[] = {1, 2, 3, 4}, leg[] = {7, 8}, quoted[] = {9};
    static const sinew_humanoid_chain list[] = {
        {"tail", tail, 4}, {"a \"leg\"\\\n\xc3\xa9", leg, 2}, {"x", quoted, 1}};
    const sinew_humanoid_chains chains = {3, list};
    sinew_skeleton *skeleton = make_skeleton();
    sinew_humanoid humanoid = sinew_humanoid_empty();
    humanoid.nodes[SINEW_HUMANOID_HIPS] = 0;
    for (int roles = 0; roles < 2; roles++) {
        char text[2048], cut[64];
        const sinew_humanoid *given = roles ? &humanoid : NULL;
        const size_t size = sinew_humanoid_write(skeleton, given, &chains, text, sizeof text);
        assert_int_equal(size, strlen(text));
        assert_int_equal(sinew_humanoid_write(skeleton, given, &chains, cut, sizeof cut), size);
        assert_int_equal(strlen(cut), sizeof cut - 1);
        assert_int_equal(sinew_humanoid_write(skeleton, given, &chains, NULL, 0), size);
        assert_int_equal(strstr(text, "\"hips\": \"root\"") != NULL, roles);
        sinew_humanoid_chains *back;
        sinew_error error;
        if (sinew_humanoid_read_memory(text, size, skeleton, NULL, NULL, &back, &error) != SINEW_OK)
            fail_msg("%s", error.message);
        assert_int_equal(back->count, 3);
        for (int i = 0; i < 3; i++) check_chain(&back->chains[i], list[i].name, list[i].nodes, list[i].node_count);
        sinew_humanoid_chains_destroy(back);
    }
    sinew_skeleton_destroy(skeleton);
}

// Every byte is damaged, and every length is tried: a text is read, or refused with a line and a column.
static void test_damaged_chains(void **state) {
    (void)state;
    static const char damage[] = {0, '"', '{', '}', '[', '#', '9', '\\', ',', '.', '\n', (char)0xff};
    sinew_skeleton *skeleton = make_skeleton();
    char *text =
        json_quotes("{'sinewHumanoid':1,\n'chains':{'tail':['tail1','#2'],'leg':'leg.L..#6','dots':'a..b'}}");
    const size_t size = strlen(text);
    for (size_t i = 0; i < size; i++) {
        const char kept = text[i];
        for (size_t k = 0; k <= sizeof damage; k++) {
            const size_t length = k == sizeof damage ? i : size;
            if (k < sizeof damage) text[i] = damage[k];
            char *exact = malloc(length + 1);
            memcpy(exact, text, length);
            sinew_humanoid_chains *chains;
            sinew_error error;
            const sinew_result result =
                sinew_humanoid_read_memory(exact, length, skeleton, NULL, NULL, &chains, &error);
            free(exact);
            text[i] = kept;
            assert_true(result == SINEW_OK || result == SINEW_ERROR_FORMAT);
            assert_int_equal(result == SINEW_OK, chains != NULL);
            if (result == SINEW_ERROR_FORMAT) assert_true(strtol(error.message, NULL, 10) > 0);
            sinew_humanoid_chains_destroy(chains);
        }
    }
    free(text);
    sinew_skeleton_destroy(skeleton);
}

static void test_a_file_and_no_memory(void **state) {
    (void)state;
    static const char path[] = "chains.humanoid.json";
    sinew_skeleton *skeleton = make_skeleton();
    sinew_humanoid_chains *chains;
    sinew_error error;
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs("{\"sinewHumanoid\": 1, \"chains\": {\"tail\": \"tail1..tail4\", \"leg\": [\"leg.L\"]}}", file);
    assert_int_equal(fclose(file), 0);
    counting c = {.fail_once = true};
    sinew_result result = SINEW_ERROR_OUT_OF_MEMORY;
    while (fail_next(&c, result)) {
        const sinew_allocator allocator = counting_allocator(&c);
        result = sinew_humanoid_read_file(path, skeleton, &allocator, NULL, &chains, &error);
        if (result != SINEW_OK) assert_string_equal(error.message, "chains.humanoid.json: out of memory");
        assert_int_equal(chains ? chains->count : 0, result == SINEW_OK ? 2 : 0);
        sinew_humanoid_chains_destroy(chains); // by the allocator that was given
    }
    assert_true(c.fail_at > 3);
    remove(path);
    assert_int_equal(sinew_humanoid_read_file(path, skeleton, NULL, NULL, &chains, &error), SINEW_ERROR_IO);
    check_contains(error.message, path);
    assert_int_equal(sinew_humanoid_read_file(NULL, skeleton, NULL, NULL, &chains, &error), SINEW_ERROR_ARGUMENT);
    assert_int_equal(sinew_humanoid_read_memory(NULL, 1, skeleton, NULL, NULL, &chains, &error),
                     SINEW_ERROR_ARGUMENT);
    assert_int_equal(sinew_humanoid_read_memory(NULL, 0, skeleton, NULL, NULL, &chains, &error),
                     SINEW_ERROR_FORMAT);
    sinew_skeleton_destroy(skeleton);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chains),
        cmocka_unit_test(test_roles_and_chains),
        cmocka_unit_test(test_bad_chains),
        cmocka_unit_test(test_too_many_chains),
        cmocka_unit_test(test_writing),
        cmocka_unit_test(test_damaged_chains),
        cmocka_unit_test(test_a_file_and_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
