// SPDX-License-Identifier: MIT
/// A baked asset stores an asset (asset.h) as a block of bytes that loads without parsing.
///
/// Keys, vertices and images are used in place, for example in a mapped file. Loading makes at most ten allocations,
/// regardless of how many clips, meshes and nodes there are. A baked asset contains everything its source does, and
/// gives you bit-identical poses.
///
/// Use baked assets to ship your game: bake your .glb files when you build the game, and bake them again whenever you
/// change library versions. The format doesn't depend on pointer size or compiler. Numbers have the byte order of the
/// machine that baked the asset.
///
/// Files aren't trusted: every offset, count, index and order that the library relies on is checked before use. Memory
/// use is proportional to the file size. All functions can be called from any thread.
#ifndef SINEW_BAKED_ASSET_H
#define SINEW_BAKED_ASSET_H

#include "../asset.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The required alignment for borrowed memory, in bytes.
#define SINEW_BAKED_ASSET_ALIGNMENT 64

/// A baked asset's bytes, as stored in a .sinew file. This object owns them.
typedef struct sinew_baked_asset {
    const uint8_t *data; ///< [size], aligned to SINEW_BAKED_ASSET_ALIGNMENT
    size_t size;         ///< in bytes, a multiple of 64
} sinew_baked_asset;

/// Options for loading. Start from sinew_baked_asset_default.
typedef struct sinew_baked_asset_options {
    /// Uses your memory instead of copying it. The memory must be aligned to SINEW_BAKED_ASSET_ALIGNMENT, which mapped
    /// files always are. Don't change or free it while the asset exists. Default false. Ignored by
    /// sinew_baked_asset_load_file.
    bool borrow;
    /// For files that you trust, such as your own. Loading then skips over keys and vertices, so a mapped file isn't
    /// read all the way through. This skips the checksum, and doesn't check that keys and vertices are finite and that
    /// vertex weights sum to 1. Even then, the library never reads outside its memory. However, damaged keys give wrong
    /// poses, which may not be finite. Default false.
    bool trusted;
    sinew_allocator allocator; ///< defaults to the C library's heap
    uint32_t cookie;           ///< private: set by sinew_baked_asset_default
} sinew_baked_asset_options;

/// Returns the defaults above.
SINEW_API sinew_baked_asset_options sinew_baked_asset_default(void);

/// Bakes an asset from any importer, or from a baked file. Free the result with sinew_baked_asset_destroy. The same
/// asset always gives the same bytes. `allocator` and `error` may be NULL. Returns SINEW_ERROR_LIMIT if names and other
/// small records take up more than 4 GiB, or the whole asset takes up more than 256 GiB. Returns
/// SINEW_ERROR_OUT_OF_MEMORY if memory runs out. On failure, `*baked` is NULL.
SINEW_API sinew_result sinew_baked_asset_create(const sinew_asset *asset, const sinew_allocator *allocator,
                                                sinew_baked_asset **baked, sinew_error *error);

/// Frees a baked asset. NULL is allowed. First destroy all assets that borrow its bytes.
SINEW_API void sinew_baked_asset_destroy(sinew_baked_asset *baked);

/// Returns true if the bytes look like the start of a baked asset of any version. Use this to detect the file format.
/// You only need to pass the first 8 bytes.
SINEW_API bool sinew_baked_asset_is(const void *data, size_t size);

/// Loads an asset from `size` bytes of memory. Free it with sinew_asset_destroy. The bytes are copied unless
/// options->borrow is set, so you can free them afterwards. `options` may be NULL to use the defaults, and doesn't
/// have to outlive the call. `error` may be NULL. On failure, `*asset` is NULL. Errors:
///   - SINEW_ERROR_FORMAT: the bytes aren't a baked asset, or they're truncated or damaged.
///   - SINEW_ERROR_UNSUPPORTED: the version or byte order is different, or the asset has 16-bit keys and the
///     library was built with SINEW_NO_KEYS_U16.
///   - SINEW_ERROR_OUT_OF_MEMORY.
///   - SINEW_ERROR_ARGUMENT: the options weren't made by sinew_baked_asset_default, or borrowed memory is
///     misaligned.
SINEW_API sinew_result sinew_baked_asset_load_memory(const void *data, size_t size,
                                                     const sinew_baked_asset_options *options, sinew_asset **asset,
                                                     sinew_error *error);

/// Loads an asset from a file. The asset owns the memory. `path` is passed to fopen. On Windows, it's UTF-8.
/// Returns SINEW_ERROR_IO if the file can't be read. Otherwise, this is the same as sinew_baked_asset_load_memory.
SINEW_API sinew_result sinew_baked_asset_load_file(const char *path, const sinew_baked_asset_options *options,
                                                   sinew_asset **asset, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
