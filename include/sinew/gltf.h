// SPDX-License-Identifier: MIT
/// The glTF 2.0 importer: loads .glb and .gltf files into assets (asset.h). Buffers may be in the file, external, or
/// base64. Compressed meshes need a decoder of the program: see sinew_meshopt_decode and sinew_draco_decode.
///
/// Files are untrusted: counts, offsets, sizes, cycles and numbers are checked before use, and an error message
/// starts with the location in the file. All functions may be called from any thread.
///
/// A library that is built with SINEW_NO_GLTF declares nothing here.
#ifndef SINEW_GLTF_H
#define SINEW_GLTF_H

#include "asset.h"

#ifndef SINEW_NO_GLTF
#ifdef __cplusplus
extern "C" {
#endif

/// The bytes of one external resource.
typedef struct sinew_bytes {
    uint8_t *data; ///< [size]; may be NULL if size is 0
    size_t size;   ///< in bytes
} sinew_bytes;

/// Reads external buffers and images. Called only during the load that it is given to, and on its thread. `read` of
/// NULL is no reader.
typedef struct sinew_reader {
    /// Reads a whole resource into `*bytes`, whose memory belongs to the reader. `uri` is relative to the glTF file,
    /// as in the file, with percent escapes decoded. Returns false if it cannot be read.
    bool (*read)(const char *uri, sinew_bytes *bytes, void *user);
    /// Releases the bytes of a successful `read`, before the load returns; may be NULL.
    void (*release)(sinew_bytes bytes, void *user);
    void *user; ///< passed to both; not used otherwise
} sinew_reader;

/// The codec of an EXT_meshopt_compression buffer view (the extension's "mode").
typedef enum sinew_meshopt_mode {
    SINEW_MESHOPT_ATTRIBUTES, ///< "ATTRIBUTES": vertices
    SINEW_MESHOPT_TRIANGLES,  ///< "TRIANGLES": indices, three per triangle
    SINEW_MESHOPT_INDICES     ///< "INDICES": any indices
} sinew_meshopt_mode;

/// The filter that is applied after decoding (the extension's "filter").
typedef enum sinew_meshopt_filter {
    SINEW_MESHOPT_FILTER_NONE,        ///< "NONE", or absent
    SINEW_MESHOPT_FILTER_OCTAHEDRAL,  ///< "OCTAHEDRAL": unit vectors
    SINEW_MESHOPT_FILTER_QUATERNION,  ///< "QUATERNION": rotations
    SINEW_MESHOPT_FILTER_EXPONENTIAL, ///< "EXPONENTIAL": floats with a shared exponent
    SINEW_MESHOPT_FILTER_COLOR        ///< "COLOR": colours; KHR_meshopt_compression only
} sinew_meshopt_filter;

/// Decodes EXT_meshopt_compression: writes `count` elements of `stride` bytes to `out` and applies the filter. `data`
/// has `size` bytes. Returns false for data that it cannot decode; the load then fails and says, by the first byte of
/// the data, whether they are damaged or need a newer codec. meshoptimizer's decoder needs about ten lines: see
/// tools/cli/meshopt.c.
typedef bool (*sinew_meshopt_decode)(uint8_t *out, int32_t count, size_t stride, const uint8_t *data, size_t size,
                                     sinew_meshopt_mode mode, sinew_meshopt_filter filter, void *user);

/// One vertex attribute of a mesh compressed by KHR_draco_mesh_compression.
typedef struct sinew_draco_attribute {
    uint32_t id; ///< the attribute's unique id in the compressed data
    /// The number type, as glTF's number: 5120 int8, 5121 uint8, 5122 int16, 5123 uint16, 5125 uint32, 5126 float.
    int32_t component_type;
    int32_t component_count; ///< numbers per vertex: 1 to 4
    void *out; ///< [vertex_count × component_count] of that type, tightly packed and aligned for it; to be filled
} sinew_draco_attribute;

/// A mesh compressed by KHR_draco_mesh_compression, and the arrays to decode it into. All sizes are those of the
/// accessors and are checked against the limits of the load. Data of other sizes are damaged.
typedef struct sinew_draco_mesh {
    const uint8_t *data;                     ///< [size], the compressed data
    size_t size;                             ///< in bytes
    int32_t vertex_count;                    ///< more than 0
    int32_t attribute_count;                 ///< attributes that the import reads
    const sinew_draco_attribute *attributes; ///< [attribute_count]
    int32_t index_count;                     ///< a multiple of 3
    uint32_t *indices;                       ///< [index_count], three per triangle; to be filled
} sinew_draco_mesh;

/// Decodes KHR_draco_mesh_compression: fills the arrays that `mesh` refers to, with vertices and triangles in the
/// order of the data. Returns false for data that it cannot decode, or that have other counts or lack an attribute.
/// The import checks the result: indices, joints and numbers may be invalid. Draco's decoder needs about a hundred
/// lines: see tools/cli/draco.cc.
typedef bool (*sinew_draco_decode)(const sinew_draco_mesh *mesh, void *user);

/// A reader of glTF extensions that a tier above the core knows: sinew_vrm_extension (humanoid/vrm.h).
typedef struct sinew_gltf_extension sinew_gltf_extension;

/// The options of a load. Start from sinew_gltf_default: with limits of 0 nothing loads.
typedef struct sinew_gltf_options {
    /// Reads external buffers and images. Zero-initialized (the default): sinew_gltf_load_file reads from the folder
    /// of the file and below, and refuses absolute paths, ".." and other schemes; sinew_gltf_load_memory refuses all
    /// external resources. A buffer in use that is refused or cannot be read is an error. Such an image is left
    /// empty, with a log line.
    sinew_reader reader;
    sinew_meshopt_decode meshopt_decode; ///< NULL (the default): files that need it are SINEW_ERROR_UNSUPPORTED
    void *meshopt_user;                  ///< passed to meshopt_decode; not used otherwise
    /// NULL (the default): a primitive compressed with Draco uses the file's uncompressed vertices if it has any, and
    /// is left empty otherwise, with a log line. Nodes, skins and clips load in either case.
    sinew_draco_decode draco_decode;
    void *draco_user; ///< passed to draco_decode; not used otherwise
    /// Reads VRM data (sinew_vrm_extension) into the asset. NULL (the default): they are left out.
    const sinew_gltf_extension *extension;
    size_t memory_limit; ///< the largest number of bytes that the import may hold at a time; default 2 GiB
    /// Limits memory and work in proportion to the input: per byte read, the import may hold this many bytes and
    /// examine this many numbers of shared keys and vertices. 4 MiB are allowed in addition. Default 256. Files made
    /// by exporters stay far below; see docs/guide.md.
    size_t expansion_limit;
    /// The axis that points up in the asset; default SINEW_UP_Y, that of the file. SINEW_UP_Z converts everything
    /// (see sinew_up in math.h).
    sinew_up up;
    /// Loads only the subtree of the first node of that name, or of the file's nodes[3] for "#3". Ancestors are
    /// loaded without their meshes, so that world transforms stay right. Skins that the subtree's meshes use are
    /// loaded with their joints, wherever those are in the hierarchy. Clips keep the channels of loaded nodes; clips
    /// without any are not loaded, nor are meshes, materials, textures and images that nothing loaded uses; buffers
    /// that are then unused are not read. Nodes keep the file's indices (source_of_node); all other objects are
    /// renumbered. NULL (the default): everything is loaded. SINEW_ERROR_ARGUMENT, with a list of names, if there is
    /// no such node.
    const char *only_subtree;
    /// Loads only the first skin of that name, or the file's skins[3] for "#3": its joints, their ancestors, and the
    /// meshes that use it; otherwise like only_subtree. With both options, the union is loaded.
    const char *only_skin;
    /// A JSON file with markers and curves for the clips, in addition to those in the glTF file: see docs/guide.md,
    /// "Loops and events", and docs/howto/curves.md. NULL (the default): sinew_gltf_load_file without a reader reads
    /// the sidecar file NAME.markers.json in the folder of NAME.glb, if it exists. Otherwise the file must exist: a
    /// path for sinew_gltf_load_file, or a name for the reader. SINEW_ERROR_FORMAT if it is invalid or names an
    /// animation that the glTF file does not have.
    const char *markers;
    /// [curve_count], UTF-8: curves that the skeleton gets in addition to those of the file, with a rest value of 0, so
    /// that the clips of other files can be bound to it with their curves. Names that the file has are allowed, "" and
    /// names that start with '/' are SINEW_ERROR_ARGUMENT. NULL and 0 (the default): none.
    const char *const *curve_names;
    int32_t curve_count; ///< 0 or more
    /// How clips store keys (clip.h): default SINEW_KEYS_FLOAT. max_error of sinew_clip has the effect.
    sinew_key_format key_format;
    /// Clips get the keys that tools dropped from a grid, and take at most this many times their bytes: see
    /// sinew_clip_def. Default 2. 0 adds none: use it to read or write the file's own keys. Ignored with
    /// compress_error.
    float key_growth;
    /// Clips are compressed within this error, metres: see sinew_clip_compress, with its other defaults. Default 0:
    /// they are not. SINEW_ERROR_ARGUMENT if it is negative or not finite; SINEW_ERROR_UNSUPPORTED in a library that is
    /// built with SINEW_NO_COMPRESSION.
    float compress_error;
    sinew_log log;             ///< receives a line for each repair and each ignored element; silent by default
    sinew_allocator allocator; ///< zero: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_gltf_default
} sinew_gltf_options;

/// Returns the default options: those stated above.
SINEW_API sinew_gltf_options sinew_gltf_default(void);

/// Loads a .glb or .gltf file into an asset; free it with sinew_asset_destroy. The content decides which of the two
/// it is, not the name. `path` is passed to fopen; on Windows it is UTF-8. `options`, NULL for the defaults, need not
/// outlive the call, and `error` may be NULL. On failure `*asset` is NULL and nothing is leaked: SINEW_ERROR_IO for a
/// file that cannot be read, SINEW_ERROR_FORMAT for one that breaks the specification, SINEW_ERROR_UNSUPPORTED for
/// one that requires what is not supported, SINEW_ERROR_LIMIT if memory_limit or expansion_limit is exceeded,
/// SINEW_ERROR_OUT_OF_MEMORY, SINEW_ERROR_ARGUMENT for a path of NULL, and for options that their default function
/// did not make, or whose only_subtree or only_skin the file does not have.
SINEW_API sinew_result sinew_gltf_load_file(const char *path, const sinew_gltf_options *options,
                                            sinew_asset **asset, sinew_error *error);

/// Loads a file from `size` bytes of memory, which need no alignment and may be freed afterwards. External resources
/// are read through options->reader only. Otherwise like sinew_gltf_load_file.
SINEW_API sinew_result sinew_gltf_load_memory(const void *data, size_t size, const sinew_gltf_options *options,
                                              sinew_asset **asset, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
#endif
