// SPDX-License-Identifier: MIT
// Creates clips. Measures the error of 16-bit keys (SINEW_KEYS_U16) by comparing with an exact twin, the same clip with
// float keys. Define SINEW_NO_KEYS_U16 to leave out 16-bit keys.
#include "core/clip_build.h"
#include "core/clip_error.h"
#include "core/clip_grid.h"
#include "base/def_cookie.h"
#include "base/fail.h"

#include <float.h>

#ifdef SINEW_NO_KEYS_U16

static sinew_result build_rounded(const sinew_clip_def *def, const sinew_clip *source, sinew_clip **clip,
                                  sinew_error *error) {
    sinew_result result = sinewi_clip_build_keys(def, source, NULL, NULL, clip, error);
    if (result != SINEW_OK) return result;
    return sinewi_fail(error, SINEW_ERROR_UNSUPPORTED, "clip: SINEW_KEYS_U16 is not part of this build");
}

#else

// Sets a clip's max_error.
static sinew_result measure_error(const sinew_clip *exact, sinew_clip *clip, const sinew_allocator *allocator) {
    const sinewi_error_measure measure = {.point_distance = 0.1f, .limit = FLT_MAX};
    if (clip->data->row_count == 0) return SINEW_OK;
    sinewi_exact_clip keys;
    sinew_result result = sinewi_exact_clip_read(&keys, exact, allocator) ? SINEW_OK : SINEW_ERROR_OUT_OF_MEMORY;
    if (result == SINEW_OK) result = sinewi_clip_measure_error(&keys, clip, &measure, &clip->max_error);
    sinewi_exact_clip_free(&keys);
    return result;
}

// Builds the exact twin, then the clip, and compares the two.
static sinew_result build_rounded(const sinew_clip_def *def, const sinew_clip *source, sinew_clip **clip,
                                  sinew_error *error) {
    sinew_clip_def exact_def = *def;
    exact_def.key_format = SINEW_KEYS_FLOAT;
    sinew_clip *exact;
    sinew_result result = sinewi_clip_build_keys(&exact_def, source, NULL, NULL, &exact, error);
    if (result != SINEW_OK) return result;
    result = sinewi_clip_build_keys(def, source, exact, NULL, clip, error);
    if (result == SINEW_OK && measure_error(exact, *clip, &def->allocator) != SINEW_OK)
        result = sinewi_fail_memory(error);
    sinew_clip_destroy(exact);
    return result;
}

#endif

// Returns a copy's key format. Only sinew_clip_compress makes compressed keys.
static sinew_key_format format_of_copy(sinew_key_format format) {
    return format == SINEW_KEYS_COMPRESSED ? SINEW_KEYS_FLOAT : format;
}

// `source` is the clip that the channels were read back from, or NULL.
sinew_result sinewi_clip_build(const sinew_clip_def *def, const sinew_clip *source, sinew_clip **clip,
                               sinew_error *error) {
    sinew_clip_def copy = *def;
    *clip = NULL;
    if (source) copy.key_format = format_of_copy(copy.key_format);
    const bool is_float = copy.key_format == SINEW_KEYS_FLOAT;
    sinew_result result = is_float ? sinewi_clip_build_keys(&copy, source, NULL, NULL, clip, error)
                                   : build_rounded(&copy, source, clip, error);
    if (result == SINEW_OK) {
        if (source) (*clip)->max_error += source->max_error; // its keys already have this error
        return SINEW_OK;
    }
    sinew_clip_destroy(*clip);
    *clip = NULL;
    return result;
}

sinew_result sinew_clip_create(const sinew_clip_def *def, sinew_clip **clip, sinew_error *error) {
    *clip = NULL;
    sinew_result result = SINEWI_CHECK_DEF(def, "sinew_clip_def: start from sinew_clip_default()", error);
    return result == SINEW_OK ? sinewi_clip_build(def, NULL, clip, error) : result;
}

sinew_result sinew_clip_create_filled(const sinew_clip_def *def, float growth, sinew_clip **clip,
                                      sinew_error *error) {
    *clip = NULL;
    sinew_result result = SINEWI_CHECK_DEF(def, "sinew_clip_def: start from sinew_clip_default()", error);
    if (result != SINEW_OK) return result;
    sinewi_arena scratch;
    sinewi_arena_init(&scratch, &def->allocator);
    sinew_clip_def filled;
    int32_t added;
    result = sinewi_clip_fill_grid(def, growth, &scratch, &filled, &added, error);
    if (result == SINEW_OK) result = sinewi_clip_build(&filled, NULL, clip, error);
    if (result == SINEW_OK) (*clip)->filled_key_count = added;
    sinewi_arena_free(&scratch);
    return result;
}

sinew_result sinewi_clip_create_from(const sinew_clip_def *def, const sinew_clip *source, sinew_clip **clip,
                                     sinew_error *error) {
    sinew_clip_def copy = *def;
    copy.key_format = format_of_copy(source->key_format);
    const sinew_result result = sinew_clip_create(&copy, clip, error);
    if (result == SINEW_OK) (*clip)->max_error += source->max_error;
    return result;
}
