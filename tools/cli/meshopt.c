// SPDX-License-Identifier: MIT
// Decodes buffers compressed with EXT_meshopt_compression or KHR_meshopt_compression, using the meshoptimizer library.
#include "cli/cli.h"

#include <meshoptimizer.h>

// Applies one of meshoptimizer's filters to the decoded elements in place. Returns false for an unknown filter.
static bool apply_filter(uint8_t *data, size_t count, size_t stride, sinew_meshopt_filter filter) {
    switch (filter) {
    case SINEW_MESHOPT_FILTER_NONE:
        return true;
    case SINEW_MESHOPT_FILTER_OCTAHEDRAL:
        meshopt_decodeFilterOct(data, count, stride);
        return true;
    case SINEW_MESHOPT_FILTER_QUATERNION:
        meshopt_decodeFilterQuat(data, count, stride);
        return true;
    case SINEW_MESHOPT_FILTER_EXPONENTIAL:
        meshopt_decodeFilterExp(data, count, stride);
        return true;
    case SINEW_MESHOPT_FILTER_COLOR:
#if MESHOPTIMIZER_VERSION >= 250
        meshopt_decodeFilterColor(data, count, stride);
        return true;
#else
        break;
#endif
    }
    return false;
}

bool cli_decode_meshopt(uint8_t *out, int32_t element_count, size_t stride, const uint8_t *data, size_t size,
                        sinew_meshopt_mode mode, sinew_meshopt_filter filter, void *user) {
    const size_t count = (size_t)element_count;
    (void)user;
    switch (mode) {
    case SINEW_MESHOPT_ATTRIBUTES:
        return meshopt_decodeVertexBuffer(out, count, stride, data, size) == 0 &&
               apply_filter(out, count, stride, filter);
    case SINEW_MESHOPT_TRIANGLES:
        return meshopt_decodeIndexBuffer(out, count, stride, data, size) == 0;
    case SINEW_MESHOPT_INDICES:
        return meshopt_decodeIndexSequence(out, count, stride, data, size) == 0;
    }
    return false;
}
