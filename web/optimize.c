// SPDX-License-Identifier: MIT
// Optimizing and comparing for JavaScript, with the command's code. A separate module.
#include "files.h"
#include <meshoptimizer.h>

#include "meshes/meshes.h"
#include "shrink/shrink.h"

#include <stdio.h>
#include <stdlib.h>

static char last_error[1024];
static web_optimize_host host; // the current call's
static bool lacks_decoder;     // some data needs the page's decoder

const char *web_error(void) {
    return last_error;
}

// Sets the error for a file. If a decoder was missing, the message asks for it.
static void fail(const char *path, const char *message) {
    if (lacks_decoder) {
        snprintf(last_error, sizeof last_error,
                 "%.400s: it is compressed by meshopt: pass npm's MeshoptDecoder as `decoder`", path);
    } else {
        snprintf(last_error, sizeof last_error, "%s", message);
    }
}

// ---- Decoders ----------------------------------------------------------------------------------------------------

// The first byte of the data, by sinew_meshopt_mode. It holds the version that EXT_meshopt_compression allows.
static const uint8_t headers[] = {0xa0, 0xe1, 0xd1};

static bool is_filter_known(sinew_meshopt_filter filter, size_t stride) {
    if (filter == SINEW_MESHOPT_FILTER_OCTAHEDRAL) return stride == 4 || stride == 8;
    if (filter == SINEW_MESHOPT_FILTER_QUATERNION) return stride == 8;
    return filter == SINEW_MESHOPT_FILTER_NONE || filter == SINEW_MESHOPT_FILTER_EXPONENTIAL;
}

// Whether the module can decode this data itself. It can for files that it has written.
static bool can_decode(size_t count, size_t stride, const uint8_t *data, size_t size, sinew_meshopt_mode mode,
                       sinew_meshopt_filter filter) {
    if (size == 0 || data[0] != headers[mode]) return false;
    if (mode == SINEW_MESHOPT_ATTRIBUTES)
        return is_filter_known(filter, stride) && stride % 4 == 0 && stride > 0 && stride <= 256;
    if (mode == SINEW_MESHOPT_TRIANGLES && count % 3 != 0) return false;
    return filter == SINEW_MESHOPT_FILTER_NONE && (stride == 2 || stride == 4);
}

static void apply_filter(uint8_t *data, size_t count, size_t stride, sinew_meshopt_filter filter) {
    if (filter == SINEW_MESHOPT_FILTER_OCTAHEDRAL) meshopt_decodeFilterOct(data, count, stride);
    if (filter == SINEW_MESHOPT_FILTER_QUATERNION) meshopt_decodeFilterQuat(data, count, stride);
    if (filter == SINEW_MESHOPT_FILTER_EXPONENTIAL) meshopt_decodeFilterExp(data, count, stride);
}

static bool decode_meshopt(uint8_t *out, int32_t element_count, size_t stride, const uint8_t *data, size_t size,
                           sinew_meshopt_mode mode, sinew_meshopt_filter filter, void *user) {
    const size_t count = (size_t)element_count;
    if (!can_decode(count, stride, data, size, mode, filter)) {
        lacks_decoder |= !host.decode;
        return host.decode && host.decode(out, element_count, stride, data, size, mode, filter, user);
    }
    if (mode == SINEW_MESHOPT_TRIANGLES) return meshopt_decodeIndexBuffer(out, count, stride, data, size) == 0;
    if (mode == SINEW_MESHOPT_INDICES) return meshopt_decodeIndexSequence(out, count, stride, data, size) == 0;
    if (meshopt_decodeVertexBuffer(out, count, stride, data, size) != 0) return false;
    apply_filter(out, count, stride, filter);
    return true;
}

// ---- Input -------------------------------------------------------------------------------------------------------

static bool load(const char *path, const void *bytes, size_t size, sinew_asset **asset, sinew_error *error) {
    sinew_gltf_options options = sinew_gltf_default();
    options.meshopt_decode = decode_meshopt;
    options.draco_decode = host.draco;
    options.key_growth = 0.0f; // files keep their own keys: don't add any
    const sinew_result result = bytes ? sinew_gltf_load_memory(bytes, size, &options, asset, error)
                                      : sinew_gltf_load_file(path, &options, asset, error);
    return result == SINEW_OK;
}

static void tell_optimizing(int32_t done, int32_t total) {
    if (host.progress) host.progress(0, done, total);
}

static void tell_comparing(const char *what, int32_t done, int32_t total) {
    (void)what;
    if (host.progress) host.progress(1, done, total);
}

static comparison_input input_of(const web_optimize_host *given) {
    host = *given;
    lacks_decoder = false;
    return (comparison_input){
        .load = load, .meshopt_decode = decode_meshopt, .draco_decode = host.draco, .progress = tell_comparing};
}

// ---- Calls -------------------------------------------------------------------------------------------------------

static bool append_end(lint_text *text) {
    lint_append(text, "", 1);
    if (!text->failed) return true;
    lint_text_free(text);
    return false;
}

const web_optimized *web_optimize(const web_file *files, int32_t count, const char *output, double error,
                                  int32_t extension, bool meshes, const web_optimize_host *given) {
    static web_optimized result;
    static shrink_work work;
    lint_text report = {0};
    const comparison_input input = input_of(given);
    const shrink_def def = {.path = files[0].name,
                            .output = output,
                            .error = error,
                            .extension = (optimize_extension)extension,
                            .code_meshes = meshes ? meshes_code : NULL,
                            .input = &input,
                            .progress = tell_optimizing};
    web_files_set(files, count);
    if (!shrink_run(&work, &def)) {
        fail(files[0].name, work.error);
        return NULL;
    }
    shrink_append_json(&work, &report);
    if (!append_end(&report)) {
        fail(files[0].name, "out of memory");
        return NULL;
    }
    result = (web_optimized){work.bytes, work.size, report.data};
    return &result;
}

char *web_compare(const web_file *const files[2], const int32_t counts[2], const web_optimize_host *given) {
    static comparison work;
    lint_text report = {0};
    const comparison_input input = input_of(given);
    for (int side = 0; side < 2; side++) {
        web_files_set(files[side], counts[side]); // opening a file reads all of its buffers
        if (!comparison_open(&work, side, &input, files[side][0].name, NULL, 0)) {
            fail(files[side][0].name, work.error);
            return NULL;
        }
    }
    if (!comparison_measure(&work, &input, 0.0)) {
        fail(files[0][0].name, work.error);
        return NULL;
    }
    lint_append(&report, "{", 1);
    comparison_append_json(&work, &report);
    lint_append(&report, "}", 1);
    if (append_end(&report)) return report.data;
    fail(files[0][0].name, "out of memory");
    return NULL;
}
