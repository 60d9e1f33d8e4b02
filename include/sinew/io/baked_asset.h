// SPDX-License-Identifier: MIT
/// Baked assets: an asset (asset.h) as a block of bytes that loads without parsing. Keys, vertices and images are used
/// where they are, for example in a mapped file. A load makes at most ten allocations for any number of clips, meshes
/// and nodes.
///
/// A baked asset has all contents of its source, and gives the same poses bit for bit. It is for shipping: bake it from
/// the .glb file in the build of the game, and bake it again for another version of the library. It does not depend on
/// the size of pointers or on the compiler. Its numbers have the byte order of the machine that baked it.
///
/// Files are untrusted: every offset, count, index and order that the library relies on is checked before use. Memory
/// is in proportion to the file. All functions may be called from any thread.
#ifndef SINEW_BAKED_ASSET_H
#define SINEW_BAKED_ASSET_H

#include "../asset.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The alignment, in bytes, of memory that an asset borrows.
#define SINEW_BAKED_ASSET_ALIGNMENT 64

/// The bytes of a baked asset: the content of a .sinew file. The bytes belong to this object.
typedef struct sinew_baked_asset {
    const uint8_t *data; ///< [size], aligned to SINEW_BAKED_ASSET_ALIGNMENT
    size_t size;         ///< in bytes, a multiple of 64
} sinew_baked_asset;

/// The options of a load. Start from sinew_baked_asset_default.
typedef struct sinew_baked_asset_options {
    /// The asset refers to the caller's memory instead of a copy: it must be aligned to SINEW_BAKED_ASSET_ALIGNMENT, as
    /// mapped files are, and outlive the asset unchanged. Default false. Ignored by sinew_baked_asset_load_file.
    bool borrow;
    /// For files that the program trusts, such as its own: keys and vertices are not read before they are used, so a
    /// mapped file is not read as a whole. Skipped are the checksum, and that keys and vertices are finite and vertex
    /// weights sum to 1. No file makes the library read outside of its memory, but damaged keys of a trusted one give
    /// wrong poses, which may not be finite. Default false.
    bool trusted;
    sinew_allocator allocator; ///< zero: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_baked_asset_default
} sinew_baked_asset_options;

/// Returns the default options: those stated above.
SINEW_API sinew_baked_asset_options sinew_baked_asset_default(void);

/// Bakes an asset; free the result with sinew_baked_asset_destroy. The asset may come from any importer, or from a
/// baked file. The same asset gives the same bytes. `allocator` and `error` may be NULL. SINEW_ERROR_LIMIT for more
/// than 4 GiB of names and other small records, or 256 GiB in all; SINEW_ERROR_OUT_OF_MEMORY. On failure `*baked` is
/// NULL.
SINEW_API sinew_result sinew_baked_asset_create(const sinew_asset *asset, const sinew_allocator *allocator,
                                                sinew_baked_asset **baked, sinew_error *error);

/// Frees a baked asset. NULL is a no-op. Assets that borrow its bytes must be destroyed before it.
SINEW_API void sinew_baked_asset_destroy(sinew_baked_asset *baked);

/// Returns whether the bytes start like a baked asset, of any version. Programs that load several formats call it
/// first; 8 bytes are enough.
SINEW_API bool sinew_baked_asset_is(const void *data, size_t size);

/// Loads an asset from `size` bytes of memory; free it with sinew_asset_destroy. The bytes are copied and may be freed
/// afterwards, unless options->borrow is set. `options`, NULL for the defaults, need not outlive the call, and `error`
/// may be NULL. On failure `*asset` is NULL and nothing is leaked: SINEW_ERROR_FORMAT for bytes that are no baked
/// asset, are truncated or damaged; SINEW_ERROR_UNSUPPORTED for another version or byte order, and for 16-bit keys in a
/// library that is built with SINEW_NO_KEYS_U16; SINEW_ERROR_OUT_OF_MEMORY; SINEW_ERROR_ARGUMENT for options that
/// sinew_baked_asset_default did not make, and for borrowed memory that is not aligned.
SINEW_API sinew_result sinew_baked_asset_load_memory(const void *data, size_t size,
                                                     const sinew_baked_asset_options *options, sinew_asset **asset,
                                                     sinew_error *error);

/// Reads a file into memory of the asset and loads it. `path` is passed to fopen; on Windows it is UTF-8.
/// SINEW_ERROR_IO for a file that cannot be read. Otherwise like sinew_baked_asset_load_memory.
SINEW_API sinew_result sinew_baked_asset_load_file(const char *path, const sinew_baked_asset_options *options,
                                                   sinew_asset **asset, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
