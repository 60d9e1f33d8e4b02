// SPDX-License-Identifier: MIT
// Baked assets: the contents and poses of every file, before and after; errors; damage.
#include "io/baked_asset_coder.h"
#include "support/asset_equal.h"
#include "support/asset_use.h"
#include "support/files.h"
#include "support/gltf_builder.h"
#include "support/gltf_samples.h"
#include "support/posed_asset.h"
#include "support/trials.h"
#include "support/avatar.h"

#include <stdio.h>

#ifdef SINEW_HAVE_MESHOPTIMIZER
#include "cli/cli.h"
#endif

static sinew_baked_asset *bake(const sinew_asset *asset) {
    sinew_baked_asset *baked;
    sinew_error error = {0};
    if (sinew_baked_asset_create(asset, NULL, &baked, &error) != SINEW_OK) fail_msg("%s", error.message);
    return baked;
}

static sinew_asset *load(const sinew_baked_asset *baked, bool borrow, bool trusted) {
    sinew_baked_asset_options options = sinew_baked_asset_default();
    options.borrow = borrow;
    options.trusted = trusted;
    sinew_asset *asset;
    sinew_error error = {0};
    if (sinew_baked_asset_load_memory(baked->data, baked->size, &options, &asset, &error) != SINEW_OK)
        fail_msg("%s", error.message);
    return asset;
}

// ---- The same asset ----------------------------------------------------------------------------------------------

// Bakes an asset, loads it and bakes it again. Destroys it.
static void check_round_trip(const char *name, sinew_asset *asset) {
    sinew_baked_asset *baked = bake(asset);
    sinew_asset *loaded = load(baked, true, false);
    const char *difference = asset_difference(asset, loaded);
    if (difference) fail_msg("%s: %s differs", name, difference);
    if (asset_motion_hash(asset) != asset_motion_hash(loaded)) fail_msg("%s: the motion differs", name);
    sinew_baked_asset *again = bake(loaded);
    assert_int_equal(again->size, baked->size);
    assert_memory_equal(again->data, baked->data, baked->size);
    sinew_baked_asset_destroy(again);
    sinew_asset_destroy(loaded);
    sinew_baked_asset_destroy(baked);
    sinew_asset_destroy(asset);
}

typedef struct format {
    sinew_key_format keys;
    sinew_up up;
    float compress_error;
} format;

static format used_format;
static int tried, failed;

static sinew_result load_any(const char *path, sinew_asset **asset, sinew_error *error) {
    const char *dot = strrchr(path, '.');
    if (strcmp(dot, ".bvh") == 0) {
        sinew_bvh_options options = sinew_bvh_default();
        options.key_format = used_format.keys;
        options.up = used_format.up;
        options.compress_error = used_format.compress_error;
        return sinew_bvh_load_file(path, &options, asset, error);
    }
    sinew_gltf_options options = *with_avatars();
    options.key_format = used_format.keys;
    options.up = used_format.up;
    options.compress_error = used_format.compress_error;
#ifdef SINEW_HAVE_MESHOPTIMIZER
    options.meshopt_decode = cli_decode_meshopt;
#endif
    return sinew_gltf_load_file(path, &options, asset, error);
}

static void try_file(const char *path) {
    sinew_asset *asset;
    sinew_error error = {0};
    if (load_any(path, &asset, &error) == SINEW_OK) {
        check_round_trip(path, asset);
        tried++;
    } else {
        failed++;
    }
}

// With the first `format_count` formats.
static void try_folder(const char *folder, int format_count) {
    static const format formats[] = {{SINEW_KEYS_FLOAT, SINEW_UP_Y, 0.0f},
                                     {SINEW_KEYS_U16, SINEW_UP_Z, 0.0f},
                                     {SINEW_KEYS_FLOAT, SINEW_UP_Y, 1e-2f}};
    for (int i = 0; i < format_count; i++) {
        used_format = formats[i];
        tried = failed = 0;
        for_each_file(folder, ".glb .gltf .vrm .vrma .bvh", try_file);
        print_message("%s: %d files, %d not loaded\n", folder, tried, failed);
        assert_true(tried > 3);
    }
}

static void test_models_are_the_same(void **state) {
    (void)state;
    try_folder(SINEW_MODELS, 3);
}

static void test_assets_are_the_same(void **state) {
    (void)state;
    try_folder(other_peoples_files(), TRIALS(3, 2)); // sanitizers make compression slow
}

static void test_samples_are_the_same(void **state) {
    (void)state;
    for (int i = 0; i < gltf_sample_count; i++) {
        gltf_builder b = gltf_samples[i].make();
        check_round_trip(gltf_samples[i].name, gltf_load(&b, NULL));
    }
}

// Arrays that primitives share are in the file once, so vertices are not multiplied.
static void test_shared_arrays_are_written_once(void **state) {
    (void)state;
    sinew_asset *asset = posed_load_model("hero.glb");
    sinew_baked_asset *baked = bake(asset);
    sinew_mesh twice[2] = {asset->meshes[0], asset->meshes[0]};
    sinew_asset doubled = *asset;
    doubled.meshes = twice;
    doubled.mesh_count = 2;
    sinew_baked_asset *larger = bake(&doubled);
    assert_true(larger->size < baked->size + 1024);
    sinew_baked_asset_destroy(larger);
    sinew_baked_asset_destroy(baked);
    sinew_asset_destroy(asset);
}

// ---- Memory ------------------------------------------------------------------------------------------------------

static void test_copies_and_files(void **state) {
    (void)state;
    sinew_asset *asset = posed_load_model("hero.glb"), *copy, *read;
    sinew_baked_asset *baked = bake(asset);
    uint8_t *bytes = malloc(baked->size + 1);
    assert_non_null(bytes);
    memcpy(bytes + 1, baked->data, baked->size); // memory that is copied needs no alignment
    assert_int_equal(sinew_baked_asset_load_memory(bytes + 1, baked->size, NULL, &copy, NULL), SINEW_OK);
    free(bytes);
    FILE *file = fopen("hero.sinew", "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(baked->data, 1, baked->size, file), baked->size);
    fclose(file);
    sinew_baked_asset_destroy(baked);
    assert_int_equal(sinew_baked_asset_load_file("hero.sinew", NULL, &read, NULL), SINEW_OK);
    remove("hero.sinew");
    assert_null(asset_difference(asset, copy));
    assert_null(asset_difference(asset, read));
    sinew_asset_destroy(copy);
    sinew_asset_destroy(read);
    sinew_asset_destroy(asset);
}

// Mistake: an allocation for each clip, mesh or node.
static void test_few_allocations(void **state) {
    (void)state;
    sinew_asset *asset = posed_load_model("hero.glb"), *loaded;
    assert_true(asset->clip_count > 10);
    sinew_baked_asset *baked = bake(asset);
    asset_memory memory = {0};
    sinew_baked_asset_options options = sinew_baked_asset_default();
    options.allocator = asset_memory_allocator(&memory);
    options.borrow = true;
    assert_int_equal(sinew_baked_asset_load_memory(baked->data, baked->size, &options, &loaded, NULL), SINEW_OK);
    assert_true(memory.taken <= 10);
    assert_true(memory.bytes < baked->size / 4); // keys and vertices are not copied
    sinew_asset_destroy(loaded);
    assert_int_equal(memory.live, 0);
    sinew_baked_asset_destroy(baked);
    sinew_asset_destroy(asset);
}

static void test_no_memory(void **state) {
    (void)state;
    gltf_builder b = sample_everything();
    sinew_asset *asset = gltf_load(&b, NULL), *loaded;
    sinew_baked_asset *baked = bake(asset), *failing;
    for (int fail_at = 1;; fail_at++) {
        asset_memory memory = {.fail_at = fail_at};
        sinew_allocator allocator = asset_memory_allocator(&memory);
        sinew_error error = {0};
        sinew_result result = sinew_baked_asset_create(asset, &allocator, &failing, &error);
        sinew_baked_asset_destroy(failing);
        assert_int_equal(memory.live, 0);
        if (result == SINEW_OK) break;
        assert_int_equal(result, SINEW_ERROR_OUT_OF_MEMORY);
    }
    for (int fail_at = 1;; fail_at++) {
        asset_memory memory = {.fail_at = fail_at};
        sinew_result result;
        const char *fault = asset_try_baked(baked->data, baked->size, false, &memory, &result);
        if (fault) fail_msg("allocation %d: %s", fail_at, fault);
        if (result == SINEW_OK) {
            assert_true(fail_at > 5);
            break;
        }
        assert_int_equal(result, SINEW_ERROR_OUT_OF_MEMORY);
    }
    sinew_baked_asset_options options = sinew_baked_asset_default();
    asset_memory memory = {.fail_at = 2}; // the copy of the file
    options.allocator = asset_memory_allocator(&memory);
    assert_int_equal(sinew_baked_asset_load_memory(baked->data, baked->size, &options, &loaded, NULL),
                     SINEW_ERROR_OUT_OF_MEMORY);
    assert_null(loaded);
    assert_int_equal(memory.live, 0);
    sinew_baked_asset_destroy(baked);
    sinew_asset_destroy(asset);
}

// ---- Errors ------------------------------------------------------------------------------------------------------

// A small file that tests may change, aligned.
typedef struct small_file {
    sinew_baked_asset *baked;
    uint8_t *bytes;
    size_t size;
} small_file;

static small_file make_small_file(void) {
    gltf_builder b = sample_everything();
    sinew_asset *asset = gltf_load(&b, NULL);
    small_file file = {.baked = bake(asset)};
    sinew_asset_destroy(asset);
    file.bytes = (uint8_t *)(uintptr_t)file.baked->data;
    file.size = file.baked->size;
    return file;
}

// The strips of a clip with modes, or of these those that slerp.
static int count_modes(const sinew_clip *clip, bool slerps) {
    int count = 0;
    for (int32_t i = 0; i < clip->data->group_strips[clip->data->node_groups]; i++) {
        const sinewi_modes *modes = clip->data->strips[i].modes;
        count += modes && (!slerps || modes->slerps);
    }
    return count;
}

// Clips with modes, with slerps and without, next to floats that modes would not make smaller.
static small_file make_compressed_file(void) {
    gltf_builder b = sample_motion();
    size_t size;
    uint8_t *bytes = gltf_write_glb(&b, &size);
    gltf_end(&b);
    sinew_gltf_options options = *with_avatars();
    options.compress_error = 1e-3f;
    sinew_asset *asset;
    sinew_error error = {0};
    if (sinew_gltf_load_memory(bytes, size, &options, &asset, &error) != SINEW_OK) fail_msg("%s", error.message);
    free(bytes);
    assert_int_equal(asset->clips[0].key_format, SINEW_KEYS_COMPRESSED);
    assert_true(asset->clips[0].max_error > 0.0f && asset->clips[1].max_error > 0.0f);
    assert_true(count_modes(&asset->clips[0], true) > 0 && count_modes(&asset->clips[1], false) > 0);
    small_file file = {.baked = bake(asset)};
    sinew_asset_destroy(asset);
    file.bytes = (uint8_t *)(uintptr_t)file.baked->data;
    file.size = file.baked->size;
    return file;
}

// A clip on tracks.
static small_file make_tracks_file(void) {
    gltf_builder b = sample_own_times();
    sinew_asset *asset = gltf_load(&b, NULL);
    assert_true(asset->clips[0].data->tracks.bucket_count > 0);
    small_file file = {.baked = bake(asset)};
    sinew_asset_destroy(asset);
    file.bytes = (uint8_t *)(uintptr_t)file.baked->data;
    file.size = file.baked->size;
    return file;
}

enum { SMALL_FILES = 3 };
static small_file (*const small_files[SMALL_FILES])(void) = {make_small_file, make_compressed_file,
                                                             make_tracks_file};

static void set_checksum(const small_file *file) {
    const size_t start = sizeof(sinewi_baked_header);
    uint64_t checksum = sinewi_baked_checksum(file->bytes + start, file->size - start);
    memcpy(file->bytes + offsetof(sinewi_baked_header, checksum), &checksum, sizeof checksum);
}

static void check_refused(const small_file *file, size_t size, sinew_result expected, const char *words) {
    sinew_baked_asset_options options = sinew_baked_asset_default();
    sinew_asset *asset;
    sinew_error error = {0};
    sinew_result result = sinew_baked_asset_load_memory(file->bytes, size, &options, &asset, &error);
    if (result != expected) fail_msg("result %d, not %d: '%s'", (int)result, (int)expected, error.message);
    assert_null(asset);
    check_contains(error.message, words);
}

static void test_refused_headers(void **state) {
    (void)state;
    small_file file = make_small_file();
    sinewi_baked_header *header = (sinewi_baked_header *)(void *)file.bytes, kept = *header;
    assert_true(sinew_baked_asset_is(file.bytes, 8));
    assert_false(sinew_baked_asset_is(file.bytes, 7));
    header->byte_order = 0x04030201;
    check_refused(&file, file.size, SINEW_ERROR_UNSUPPORTED, "bake it again");
    *header = kept;
    header->version = SINEWI_BAKED_VERSION + 1;
    check_refused(&file, file.size, SINEW_ERROR_UNSUPPORTED, "bake it again");
    *header = kept;
    header->checksum ^= 1;
    check_refused(&file, file.size, SINEW_ERROR_FORMAT, "checksum");
    *header = kept;
    header->reserved[1] = 1;
    check_refused(&file, file.size, SINEW_ERROR_FORMAT, "damaged");
    *header = kept;
    header->records_size = UINT64_MAX - 3;
    check_refused(&file, file.size, SINEW_ERROR_FORMAT, "damaged");
    *header = kept;
    header->magic[0] = 's';
    check_refused(&file, file.size, SINEW_ERROR_FORMAT, "not a baked asset");
    check_refused(&file, 0, SINEW_ERROR_FORMAT, "not a baked asset");
    sinew_baked_asset_destroy(file.baked);
}

static void test_refused_arguments(void **state) {
    (void)state;
    small_file file = make_small_file();
    sinew_asset *asset;
    sinew_error error = {0};
    sinew_baked_asset_options options = sinew_baked_asset_default();
    options.borrow = true;
    assert_int_equal(sinew_baked_asset_load_memory(file.bytes + 4, 8, &options, &asset, &error),
                     SINEW_ERROR_ARGUMENT);
    check_contains(error.message, "aligned");
    assert_int_equal(sinew_baked_asset_load_memory(NULL, 0, NULL, &asset, &error), SINEW_ERROR_ARGUMENT);
    assert_int_equal(sinew_baked_asset_load_memory(file.bytes, file.size, NULL, NULL, &error),
                     SINEW_ERROR_ARGUMENT);
    assert_int_equal(sinew_baked_asset_load_file(NULL, NULL, &asset, &error), SINEW_ERROR_ARGUMENT);
    assert_int_equal(sinew_baked_asset_load_file("no-such-file.sinew", NULL, &asset, &error), SINEW_ERROR_IO);
    check_contains(error.message, "no-such-file.sinew");
    sinew_baked_asset_destroy(file.baked);
}

// ---- Damage ------------------------------------------------------------------------------------------------------

static bool survives(const small_file *file, size_t size, bool trusted) {
    sinew_result result;
    const char *fault = asset_try_baked(file->bytes, size, trusted, NULL, &result);
    if (fault) fail_msg("%s", fault);
    return result == SINEW_OK;
}

static void truncate_at_every_byte(small_file file) {
    sinewi_baked_header *header = (sinewi_baked_header *)(void *)file.bytes;
    for (size_t cut = 0; cut < file.size; cut++) assert_false(survives(&file, cut, true));
    // The same with a matching size, so the cut is in records and arrays.
    for (size_t cut = sizeof *header; cut < file.size; cut += 64) {
        header->size = cut;
        assert_false(survives(&file, cut, true));
    }
    const uint64_t records = header->records_size;
    header->size = file.size;
    for (uint64_t cut = 0; cut < records; cut += 4) {
        header->records_size = cut;
        assert_false(survives(&file, file.size, true));
    }
    sinew_baked_asset_destroy(file.baked);
}

// The checksum finds each of them. Without it, and with one that fits, the library stays in its memory.
static void flip_every_bit(small_file file) {
    const size_t start = sizeof(sinewi_baked_header);
    int loaded = 0;
    for (size_t bit = 0; bit < 8 * file.size; bit++) {
        file.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        if (survives(&file, file.size, false)) fail_msg("bit %zu is not found", bit);
        loaded += survives(&file, file.size, true);
        if (bit / 8 >= start) {
            set_checksum(&file);
            survives(&file, file.size, false);
        }
        file.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        set_checksum(&file);
    }
    assert_true(loaded > 1000); // many are values, so what comes after the checks was reached, too
    sinew_baked_asset_destroy(file.baked);
}

// Every word becomes other numbers: counts, indices, references, floats.
static void replace_every_word(small_file file) {
    static const uint32_t others[] = {
        0, 1, 2, 3, 7, 64, 0x10000, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff, 0x7fc00000, 0x7f7fffff};
    for (size_t at = sizeof(sinewi_baked_header); at < file.size; at += 4) {
        uint32_t kept;
        memcpy(&kept, file.bytes + at, 4);
        for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
            memcpy(file.bytes + at, &others[i], 4);
            survives(&file, file.size, true);
            set_checksum(&file);
            survives(&file, file.size, false);
        }
        memcpy(file.bytes + at, &kept, 4);
    }
    sinew_baked_asset_destroy(file.baked);
}

static void test_truncated_at_every_byte(void **state) {
    (void)state;
    for (int i = 0; i < SMALL_FILES; i++) truncate_at_every_byte(small_files[i]());
}

static void test_every_bit_flipped(void **state) {
    (void)state;
    for (int i = 0; i < SMALL_FILES; i++) flip_every_bit(small_files[i]());
}

static void test_every_word_replaced(void **state) {
    (void)state;
    for (int i = 0; i < SMALL_FILES; i++) replace_every_word(small_files[i]());
}

// Keys that are not finite are refused if the file is verified.
static void test_numbers_are_verified(void **state) {
    (void)state;
    small_file file = make_small_file();
    sinew_asset *asset = load(file.baked, true, false);
    const float *position = asset->meshes[0].primitives[0].positions;
    const uint32_t infinite = 0x7f800000;
    const size_t at = (size_t)((const uint8_t *)position - file.bytes);
    sinew_asset_destroy(asset);
    assert_true(at < file.size);
    memcpy(file.bytes + at, &infinite, 4);
    set_checksum(&file);
    check_refused(&file, file.size, SINEW_ERROR_FORMAT, "meshes[0]: a number is not finite");
    sinew_baked_asset_destroy(file.baked);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_models_are_the_same),
        cmocka_unit_test(test_assets_are_the_same),
        cmocka_unit_test(test_samples_are_the_same),
        cmocka_unit_test(test_shared_arrays_are_written_once),
        cmocka_unit_test(test_copies_and_files),
        cmocka_unit_test(test_few_allocations),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_refused_headers),
        cmocka_unit_test(test_refused_arguments),
        cmocka_unit_test(test_truncated_at_every_byte),
        cmocka_unit_test(test_every_bit_flipped),
        cmocka_unit_test(test_every_word_replaced),
        cmocka_unit_test(test_numbers_are_verified),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
