/// glTF 2.0 in, an asset out: .glb and .gltf, with buffers inside, beside or embedded as base64.
///
/// A file is hostile until checked: counts, offsets, sizes, cycles and numbers are verified before they are used,
/// and what is wrong is said with its place in the file. All functions may be called from any thread.
#ifndef SINEW_GLTF_H
#define SINEW_GLTF_H

#include "asset.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The bytes of one external resource.
typedef struct sinew_bytes {
    uint8_t *data;
    size_t size;
} sinew_bytes;

/// Reads buffers and images that stand outside the file.
typedef struct sinew_reader {
    /// Reads the whole of `uri` (decoded, relative, as the file says it). Returns false when it cannot.
    bool (*read)(const char *uri, sinew_bytes *bytes, void *user);
    /// Takes back what `read` gave.
    void (*release)(sinew_bytes bytes, void *user);
    void *user;
} sinew_reader;

/// How the bytes of an EXT_meshopt_compression buffer view are coded (the extension's "mode").
typedef enum sinew_meshopt_mode {
    SINEW_MESHOPT_ATTRIBUTES,
    SINEW_MESHOPT_TRIANGLES,
    SINEW_MESHOPT_INDICES
} sinew_meshopt_mode;

/// What is applied after decoding (the extension's "filter").
typedef enum sinew_meshopt_filter {
    SINEW_MESHOPT_NO_FILTER,
    SINEW_MESHOPT_OCTAHEDRAL,
    SINEW_MESHOPT_QUATERNION,
    SINEW_MESHOPT_EXPONENTIAL
} sinew_meshopt_filter;

/// Decodes EXT_meshopt_compression: `count` elements of `stride` bytes into `out`, filter included. Returns false
/// for data that it cannot decode. meshoptimizer's decoder fits in ten lines; the `sinew` command shows them.
typedef bool (*sinew_meshopt_decode)(uint8_t *out, size_t count, size_t stride, const uint8_t *data, size_t size,
                                     sinew_meshopt_mode mode, sinew_meshopt_filter filter, void *user);

typedef struct sinew_gltf_options {
    /// Zero-initialised (the default), sinew_gltf_load_file reads from the file's own folder and below (absolute
    /// paths, "..", and other schemes are refused), and sinew_gltf_load_memory refuses external resources.
    /// A buffer that cannot be read is an error; an image is left empty, with a log line.
    sinew_reader reader;
    sinew_meshopt_decode meshopt_decode; ///< NULL (default): files that need it are SINEW_ERROR_UNSUPPORTED
    void *meshopt_user;
    size_t memory_limit; ///< bytes that the import may hold at a time; default 2 GiB
    sinew_log log;       ///< what was put right on the way; silent by default
    sinew_allocator allocator; ///< zero: the C library's heap
} sinew_gltf_options;

SINEW_API sinew_gltf_options sinew_gltf_default_options(void);

/// Loads a .glb or .gltf file (told apart by content, not by name) into an asset, to be freed with
/// sinew_asset_destroy. `options` and `error` may be NULL. On failure nothing is left behind.
SINEW_API sinew_result sinew_gltf_load_file(const char *path, const sinew_gltf_options *options,
                                            sinew_asset **asset, sinew_error *error);

/// The same from memory, which may be freed afterwards.
SINEW_API sinew_result sinew_gltf_load_memory(const void *data, size_t size, const sinew_gltf_options *options,
                                              sinew_asset **asset, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
