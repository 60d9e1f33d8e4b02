// SPDX-License-Identifier: MIT
/// Baked assets: an asset (asset.h) as a block of bytes that loads without parsing.
///
/// Keys, vertices and images are used in place, for example in a mapped file. A load makes at most ten
/// allocations, however many clips, meshes and nodes there are. A baked asset has everything that its source has,
/// and gives the same poses bit for bit.
///
/// Use it for shipping: bake the .glb file when you build the game, and bake again for each version of the
/// library. The format doesn't depend on pointer size or compiler. Numbers have the byte order of the machine
/// that baked it.
///
/// Files are untrusted: every offset, count, index and order that the library relies on is checked before use.
/// Memory is proportional to the file. All functions are safe to call from any thread.
#ifndef SINEW_BAKED_ASSET_H
#define SINEW_BAKED_ASSET_H

#include "../asset.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The alignment in bytes of borrowed memory.
#define SINEW_BAKED_ASSET_ALIGNMENT 64

/// The bytes of a baked asset, as in a .sinew file. This object owns them.
typedef struct sinew_baked_asset {
    const uint8_t *data; ///< [size], aligned to SINEW_BAKED_ASSET_ALIGNMENT
    size_t size;         ///< in bytes, a multiple of 64
} sinew_baked_asset;

/// Options for loading. Start from sinew_baked_asset_default.
typedef struct sinew_baked_asset_options {
    /// Uses your memory instead of copying it. The memory must be aligned to SINEW_BAKED_ASSET_ALIGNMENT, like
    /// mapped files are, and must outlive the asset unchanged. Default false. sinew_baked_asset_load_file ignores
    /// it.
    bool borrow;
    /// For files that you trust, such as your own: doesn't read keys and vertices at load, so a mapped file isn't
    /// read as a whole. Skips the checksum and the checks that keys and vertices are finite and vertex weights
    /// sum to 1. Even then, no file makes the library read outside its memory, but damaged keys give wrong poses,
    /// which may not be finite. Default false.
    bool trusted;
    sinew_allocator allocator; ///< zero: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_baked_asset_default
} sinew_baked_asset_options;

/// Returns the defaults above.
SINEW_API sinew_baked_asset_options sinew_baked_asset_default(void);

/// Bakes an asset from any importer, or from a baked file. Free the result with sinew_baked_asset_destroy. The
/// same asset gives the same bytes. `allocator` and `error` may be NULL. Fails with SINEW_ERROR_LIMIT for more
/// than 4 GiB of names and other small records or 256 GiB in all, or with SINEW_ERROR_OUT_OF_MEMORY. On failure
/// `*baked` is NULL.
SINEW_API sinew_result sinew_baked_asset_create(const sinew_asset *asset, const sinew_allocator *allocator,
                                                sinew_baked_asset **baked, sinew_error *error);

/// Frees a baked asset, or nothing if NULL. Destroy assets that borrow its bytes first.
SINEW_API void sinew_baked_asset_destroy(sinew_baked_asset *baked);

/// Returns true if the bytes start like a baked asset of any version. 8 bytes are enough. Use it to tell file
/// formats apart.
SINEW_API bool sinew_baked_asset_is(const void *data, size_t size);

/// Loads an asset from `size` bytes of memory. Free it with sinew_asset_destroy. The bytes are copied, and you
/// can free them afterwards, unless options->borrow is set. `options` may be NULL for the defaults and needn't
/// outlive the call. `error` may be NULL. On failure `*asset` is NULL. Fails with:
///   - SINEW_ERROR_FORMAT if the bytes aren't a baked asset, or are truncated or damaged.
///   - SINEW_ERROR_UNSUPPORTED for another version or byte order, or for 16-bit keys in a SINEW_NO_KEYS_U16
///     build.
///   - SINEW_ERROR_OUT_OF_MEMORY.
///   - SINEW_ERROR_ARGUMENT for options that sinew_baked_asset_default didn't make, or misaligned borrowed
///     memory.
SINEW_API sinew_result sinew_baked_asset_load_memory(const void *data, size_t size,
                                                     const sinew_baked_asset_options *options, sinew_asset **asset,
                                                     sinew_error *error);

/// Reads a file and loads it; the asset owns the memory. `path` is passed to fopen; on Windows it is UTF-8. Fails
/// with SINEW_ERROR_IO if the file can't be read. Otherwise like sinew_baked_asset_load_memory.
SINEW_API sinew_result sinew_baked_asset_load_file(const char *path, const sinew_baked_asset_options *options,
                                                   sinew_asset **asset, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
