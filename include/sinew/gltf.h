// SPDX-License-Identifier: MIT
/// The glTF 2.0 importer: loads .glb and .gltf files into assets (asset.h).
///
///     sinew_asset *asset;
///     sinew_error error;
///     if (sinew_gltf_load_file("hero.glb", NULL, &asset, &error) != SINEW_OK) return puts(error.message);
///
/// Buffers may be in the file, external or base64. Compressed meshes need your own decoder: see
/// sinew_meshopt_decode and sinew_draco_decode. Files are untrusted: everything is checked before use. Error
/// messages start with the location in the file. Any thread may call these functions.
///
/// With SINEW_NO_GLTF, this header declares nothing.
#ifndef SINEW_GLTF_H
#define SINEW_GLTF_H

#include "asset.h"

#ifndef SINEW_NO_GLTF
#ifdef __cplusplus
extern "C" {
#endif

/// An external resource's bytes.
typedef struct sinew_bytes {
    uint8_t *data; ///< [size]; may be NULL if size is 0
    size_t size;   ///< bytes
} sinew_bytes;

/// Reads external buffers and images. It's called only during the load you pass it to, on the same thread. Zero it
/// for no reader.
typedef struct sinew_reader {
    /// Reads a whole resource into `*bytes`. Return false if you can't. You own the memory. `uri` is relative to
    /// the glTF file, with percent escapes decoded.
    bool (*read)(const char *uri, sinew_bytes *bytes, void *user);
    /// Releases the bytes of a successful `read` before the load returns. May be NULL.
    void (*release)(sinew_bytes bytes, void *user);
    void *user; ///< passed to both functions
} sinew_reader;

/// The extension's "mode": how an EXT_meshopt_compression buffer view is encoded.
typedef enum sinew_meshopt_mode {
    SINEW_MESHOPT_ATTRIBUTES, ///< "ATTRIBUTES": vertices
    SINEW_MESHOPT_TRIANGLES,  ///< "TRIANGLES": indices, three per triangle
    SINEW_MESHOPT_INDICES     ///< "INDICES": any indices
} sinew_meshopt_mode;

/// The extension's "filter", applied after decoding.
typedef enum sinew_meshopt_filter {
    SINEW_MESHOPT_FILTER_NONE,        ///< "NONE", or absent
    SINEW_MESHOPT_FILTER_OCTAHEDRAL,  ///< "OCTAHEDRAL": unit vectors
    SINEW_MESHOPT_FILTER_QUATERNION,  ///< "QUATERNION": rotations
    SINEW_MESHOPT_FILTER_EXPONENTIAL, ///< "EXPONENTIAL": floats with a shared exponent
    SINEW_MESHOPT_FILTER_COLOR        ///< "COLOR": colours; KHR_meshopt_compression only
} sinew_meshopt_filter;

/// Decodes EXT_meshopt_compression: writes `count` elements of `stride` bytes to `out` and applies the filter.
/// Return false if you can't decode the data. The load then fails and tells whether the data is damaged or needs a
/// newer codec. tools/cli/meshopt.c does it in about ten lines with meshoptimizer.
typedef bool (*sinew_meshopt_decode)(uint8_t *out, int32_t count, size_t stride, const uint8_t *data, size_t size,
                                     sinew_meshopt_mode mode, sinew_meshopt_filter filter, void *user);

/// A vertex attribute of a Draco mesh.
typedef struct sinew_draco_attribute {
    uint32_t id; ///< the attribute's unique id in the data
    /// glTF's component type: 5120 int8, 5121 uint8, 5122 int16, 5123 uint16, 5125 uint32, 5126 float.
    int32_t component_type;
    int32_t component_count; ///< numbers per vertex: 1 to 4
    void *out; ///< output: [vertex_count × component_count] of that type, tightly packed, aligned for it
} sinew_draco_attribute;

/// A mesh to decode with KHR_draco_mesh_compression, and the arrays to fill. Sizes come from the accessors and are
/// within the load's limits. If the data has other sizes, it's damaged.
typedef struct sinew_draco_mesh {
    const uint8_t *data;                     ///< [size], compressed
    size_t size;                             ///< bytes
    int32_t vertex_count;                    ///< at least 1
    int32_t attribute_count;                 ///< number of attributes to decode
    const sinew_draco_attribute *attributes; ///< [attribute_count]
    int32_t index_count;                     ///< a multiple of 3
    uint32_t *indices;                       ///< output: [index_count], three per triangle
} sinew_draco_mesh;

/// Decodes KHR_draco_mesh_compression: fills the arrays of `mesh`, with vertices and triangles in the data's order.
/// Return false if you can't decode the data, its counts differ or an attribute is missing. The import checks the
/// values afterwards. tools/cli/draco.cc does it in about a hundred lines with Draco.
typedef bool (*sinew_draco_decode)(const sinew_draco_mesh *mesh, void *user);

/// Reads an extension that the core doesn't know: sinew_vrm_extension (humanoid/vrm.h).
typedef struct sinew_gltf_extension sinew_gltf_extension;

/// How to load a file. Start from sinew_gltf_default.
typedef struct sinew_gltf_options {
    /// Reads external buffers and images. Default zero: sinew_gltf_load_file reads from the file's folder and
    /// below, and refuses absolute paths, ".." and other schemes. sinew_gltf_load_memory refuses all external
    /// resources. If a used buffer can't be read, the load fails. An unreadable image stays empty and is logged.
    sinew_reader reader;
    sinew_meshopt_decode meshopt_decode; ///< default NULL: SINEW_ERROR_UNSUPPORTED if a file needs it
    void *meshopt_user;                  ///< passed to meshopt_decode
    /// Default NULL: Draco primitives use the file's uncompressed vertices if it has them; others stay empty and
    /// are logged. Nodes, skins and clips load either way.
    sinew_draco_decode draco_decode;
    void *draco_user; ///< passed to draco_decode
    /// Reads VRM data into the asset: pass sinew_vrm_extension. Default NULL: VRM data is ignored.
    const sinew_gltf_extension *extension;
    size_t memory_limit; ///< the most bytes that the import may hold at once; default 2 GiB
    /// Limits memory and work by the file's size. Per byte read, the import may hold this many bytes and examine
    /// this many numbers of shared keys and vertices; 4 MiB are free. Default 256. Exported files stay far below it
    /// (docs/guide.md).
    size_t expansion_limit;
    /// The asset's up axis; default SINEW_UP_Y, like the file. SINEW_UP_Z converts everything (sinew_up in math.h).
    sinew_up up;
    /// Loads only the subtree of the first node with this name; "#3" means the file's nodes[3]. Default NULL: load
    /// everything. SINEW_ERROR_ARGUMENT, with a list of names, if there's no such node.
    ///
    /// Ancestors are loaded without meshes, to keep world transforms right. Skins of the subtree's meshes are
    /// loaded with all their joints. Clips keep only channels of loaded nodes. Anything that is then unused isn't
    /// loaded: clips, meshes, materials, textures, images and buffers. Nodes keep the file's indices
    /// (source_of_node); all other objects are renumbered.
    const char *only_subtree;
    /// Loads only the first skin with this name, or the file's skins[3] for "#3": its joints, their ancestors and
    /// the meshes that use it. Otherwise like only_subtree. If you set both, the union is loaded.
    const char *only_skin;
    /// A JSON sidecar file that adds markers and curves to the clips: see docs/guide.md, "Loops and events", and
    /// docs/howto/curves.md. The file must exist. Give its path, or its name for your reader. Default NULL:
    /// sinew_gltf_load_file without a reader tries NAME.markers.json next to NAME.glb. SINEW_ERROR_FORMAT if the
    /// file is invalid or names an animation that the glTF file lacks.
    const char *markers;
    /// [curve_count], UTF-8: curves to add to the skeleton, with rest value 0. Use it to bind clips of other files
    /// with their curves. Names that the file already has are fine. "" and names that start with '/' are
    /// SINEW_ERROR_ARGUMENT.
    const char *const *curve_names;
    int32_t curve_count;         ///< 0 or more; default 0
    sinew_key_format key_format; ///< how clips store keys; default SINEW_KEYS_FLOAT; see max_error of sinew_clip
    /// Fills in keys that exporters dropped, up to this many times a clip's bytes: see sinew_clip_create_filled.
    /// Default 2. Use 0 to get only the file's own keys. Ignored with compress_error.
    float key_growth;
    /// Compresses clips within this error, in metres: see sinew_clip_compress. Default 0: no compression. Negative
    /// or not finite is SINEW_ERROR_ARGUMENT. SINEW_ERROR_UNSUPPORTED in a library built with SINEW_NO_COMPRESSION.
    float compress_error;
    sinew_log log;             ///< receives a line per repair and per ignored element; default silent
    sinew_allocator allocator; ///< zero: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_gltf_default
} sinew_gltf_options;

/// Returns the default options.
SINEW_API sinew_gltf_options sinew_gltf_default(void);

/// Loads a .glb or .gltf file. Free the asset with sinew_asset_destroy. The format is detected by content, not by
/// name. `path` goes to fopen; on Windows it's UTF-8. `options` may be NULL for the defaults and needn't outlive
/// the call. `error` may be NULL. On failure `*asset` is NULL:
///   - SINEW_ERROR_IO: can't read a file.
///   - SINEW_ERROR_FORMAT: the file breaks the specification.
///   - SINEW_ERROR_UNSUPPORTED: the file requires something unsupported.
///   - SINEW_ERROR_LIMIT: over memory_limit or expansion_limit.
///   - SINEW_ERROR_ARGUMENT: `path` is NULL, or the options are wrong.
///   - SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_gltf_load_file(const char *path, const sinew_gltf_options *options,
                                            sinew_asset **asset, sinew_error *error);

/// Loads a file from memory. You may free `data` afterwards; it needs no alignment. External resources are read
/// only through options->reader. Otherwise like sinew_gltf_load_file.
SINEW_API sinew_result sinew_gltf_load_memory(const void *data, size_t size, const sinew_gltf_options *options,
                                              sinew_asset **asset, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
#endif
