// SPDX-License-Identifier: MIT
// Files on Windows: UTF-8 names, spaces, backslashes, long paths, and what isn't a regular file.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>
#include <windows.h>

#include <cmocka.h>

#include <sinew/sinew.h>

// "Mäuse 猫🐎.gltf", beside which lies the folder "sub folder" with "c 猫.bin".
#define FOLDER     L"sinew test"
#define NAME       L"sinew test\\M\u00e4use \u732b\U0001F40E.gltf"
#define NAME_UTF8  "sinew test\\M\xc3\xa4use \xe7\x8c\xab\xf0\x9f\x90\x8e.gltf"
#define BUFFER     L"sinew test\\sub folder\\c \u732b.bin"
#define BUFFER_URI "sub%20folder/c%20%E7%8C%AB.bin"
#define GLTF                                                                                                       \
    "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"uri\":\"" BUFFER_URI "\",\"byteLength\":48}],"               \
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":48}],"                                                          \
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"}],"                     \
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],\"nodes\":[{\"mesh\":0}]}"

static void write_file(const wchar_t *name, const void *data, size_t size) {
    FILE *file = _wfopen(name, L"wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static int set_up(void **state) {
    (void)state;
    static const float positions[12] = {1, 2, 3};
    CreateDirectoryW(FOLDER, NULL);
    CreateDirectoryW(FOLDER L"\\sub folder", NULL);
    write_file(NAME, GLTF, sizeof GLTF - 1);
    write_file(BUFFER, positions, sizeof positions);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    DeleteFileW(BUFFER);
    DeleteFileW(NAME);
    RemoveDirectoryW(FOLDER L"\\sub folder");
    return RemoveDirectoryW(FOLDER) ? 0 : 1;
}

static void expect_error(const char *path, const char *message) {
    sinew_error error;
    sinew_asset *asset;
    assert_int_equal(sinew_gltf_load_file(path, NULL, &asset, &error), SINEW_ERROR_IO);
    assert_null(asset);
    if (!strstr(error.message, message)) fail_msg("%s, not %s", error.message, message);
}

static void test_names(void **state) {
    (void)state;
    const char *const paths[] = {NAME_UTF8, ".\\" NAME_UTF8,
                                 "sinew test/M\xc3\xa4use \xe7\x8c\xab\xf0\x9f\x90\x8e.gltf"};
    for (int i = 0; i < 3; i++) {
        sinew_error error;
        sinew_asset *asset;
        if (sinew_gltf_load_file(paths[i], NULL, &asset, &error) != SINEW_OK) fail_msg("%s", error.message);
        assert_int_equal(asset->meshes[0].primitives[0].vertex_count, 4);
        assert_true(asset->meshes[0].primitives[0].positions[2] == 3.0f);
        sinew_asset_destroy(asset);
    }
}

static void test_whole_character(void **state) {
    (void)state;
    sinew_error error;
    sinew_asset *asset;
    if (sinew_gltf_load_file(SINEW_MODELS "/hero.glb", NULL, &asset, &error) != SINEW_OK)
        fail_msg("%s", error.message);
    assert_true(asset->clip_count > 0);
    sinew_asset_destroy(asset);
}

static void test_refused(void **state) {
    (void)state;
    expect_error("sinew test", "this is a directory");
    expect_error("sinew test\\none.glb", "there is no such file");
    expect_error("M\xc3(.glb", "there is no such file"); // no UTF-8
    char path[5000];                                     // longer than any path may be
    memset(path, 'a', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    expect_error(path, "aaa");
}

// Past 260 characters Windows wants a path to be absolute, with a prefix.
static void test_long_path(void **state) {
    (void)state;
    wchar_t here[1024], path[2048];
    assert_in_range(GetCurrentDirectoryW(1024, here), 1, 1023);
    int length = swprintf(path, 2048, L"\\\\?\\%ls", here);
    for (int i = 0; i < 2; i++) {
        length += swprintf(path + length, 2048 - (size_t)length, L"\\%d %0150d", i, 0);
        assert_true(CreateDirectoryW(path, NULL) || GetLastError() == ERROR_ALREADY_EXISTS);
    }
    wcscpy(path + length, L"\\empty \u732b.glb");
    write_file(path, "{}", 2);
    char utf8[4096];
    assert_true(WideCharToMultiByte(CP_UTF8, 0, path, -1, utf8, sizeof utf8, NULL, NULL) > 300);
    sinew_asset *asset;
    assert_int_equal(sinew_gltf_load_file(utf8, NULL, &asset, NULL), SINEW_ERROR_FORMAT); // it was read
    assert_true(DeleteFileW(path));
    for (int i = 0; i < 2; i++) {
        *wcsrchr(path, L'\\') = L'\0';
        assert_true(RemoveDirectoryW(path));
    }
}

// Sizes and indices stand in messages as numbers: %zu is not every C library's.
static void test_numbers(void **state) {
    (void)state;
    static const char gltf[] = "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":4,\"uri\":"
                               "\"data:;base64,AAAAAA==\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":12,"
                               "\"byteOffset\":5000000000}],\"accessors\":[{\"bufferView\":0,\"type\":\"VEC3\","
                               "\"componentType\":5126,\"count\":1}],\"meshes\":[{\"primitives\":"
                               "[{\"attributes\":{\"POSITION\":0}}]}]}";
    sinew_error error;
    sinew_asset *asset;
    assert_int_not_equal(sinew_gltf_load_memory(gltf, sizeof gltf - 1, NULL, &asset, &error), SINEW_OK);
    if (!strstr(error.message, "5000000012")) fail_msg("%s", error.message);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),     cmocka_unit_test(test_whole_character), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_long_path), cmocka_unit_test(test_numbers),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
