// SPDX-License-Identifier: MIT
/// The glTF 2.0 importer loads .glb and .gltf files into assets (asset.h).
///
///     sinew_asset *asset;
///     sinew_error error;
///     if (sinew_gltf_load_file("hero.glb", NULL, &asset, &error) != SINEW_OK) return puts(error.message);
///
/// Buffers can be in the file, external or base64. To load compressed meshes, you need to supply a decoder: see
/// sinew_meshopt_decode and sinew_draco_decode. Files aren't trusted, so everything is checked before use. Error
/// messages start with the location in the file. You can call these functions from any thread.
///
/// If SINEW_NO_GLTF is defined, this header is empty.
#ifndef SINEW_GLTF_H
#define SINEW_GLTF_H

#include "asset.h"

#ifndef SINEW_NO_GLTF
#ifdef __cplusplus
extern "C" {
#endif

/// The contents of an external resource.
typedef struct sinew_bytes {
    uint8_t *data; ///< [size]; may be NULL if size is 0
    size_t size;   ///< in bytes
} sinew_bytes;

/// Reads external buffers and images. It's only called during the load that you pass it to, on the same thread.
/// Zero the struct if you don't need one.
typedef struct sinew_reader {
    /// Reads a whole resource into `*bytes`. Return false on failure. You own the memory. `uri` is relative to the
    /// glTF file, and its percent escapes are already decoded.
    bool (*read)(const char *uri, sinew_bytes *bytes, void *user);
    /// Releases the bytes from a successful `read`. Called before the load returns. May be NULL.
    void (*release)(sinew_bytes bytes, void *user);
    void *user; ///< passed to both functions
} sinew_reader;

/// How an EXT_meshopt_compression buffer view is encoded ("mode" in the extension).
typedef enum sinew_meshopt_mode {
    SINEW_MESHOPT_ATTRIBUTES, ///< "ATTRIBUTES": vertices
    SINEW_MESHOPT_TRIANGLES,  ///< "TRIANGLES": indices, three per triangle
    SINEW_MESHOPT_INDICES     ///< "INDICES": any indices
} sinew_meshopt_mode;

/// A filter to apply after decoding ("filter" in the extension).
typedef enum sinew_meshopt_filter {
    SINEW_MESHOPT_FILTER_NONE,        ///< "NONE", or absent
    SINEW_MESHOPT_FILTER_OCTAHEDRAL,  ///< "OCTAHEDRAL": unit vectors
    SINEW_MESHOPT_FILTER_QUATERNION,  ///< "QUATERNION": rotations
    SINEW_MESHOPT_FILTER_EXPONENTIAL, ///< "EXPONENTIAL": floats with a shared exponent
    SINEW_MESHOPT_FILTER_COLOR        ///< "COLOR": colors; only in KHR_meshopt_compression
} sinew_meshopt_filter;

/// Decodes EXT_meshopt_compression. Write `count` elements of `stride` bytes to `out`, then apply the filter.
/// Return false if you can't decode the data. The load then fails, and the error message explains whether the data
/// is damaged or needs a newer codec. See tools/cli/meshopt.c for an example that uses meshoptimizer.
typedef bool (*sinew_meshopt_decode)(uint8_t *out, int32_t count, size_t stride, const uint8_t *data, size_t size,
                                     sinew_meshopt_mode mode, sinew_meshopt_filter filter, void *user);

/// A vertex attribute in a Draco mesh.
typedef struct sinew_draco_attribute {
    uint32_t id; ///< the attribute's unique id in the Draco data
    /// The component type in glTF: 5120 int8, 5121 uint8, 5122 int16, 5123 uint16, 5125 uint32, 5126 float.
    int32_t component_type;
    int32_t component_count; ///< components per vertex, 1 to 4
    void *out; ///< output: [vertex_count × component_count] of this type, tightly packed and aligned for the type
} sinew_draco_attribute;

/// A KHR_draco_mesh_compression mesh to decode, and the arrays to fill. The sizes come from the accessors and are
/// within the load's limits. If the sizes in the data are different, the data is damaged.
typedef struct sinew_draco_mesh {
    const uint8_t *data;                     ///< [size], the compressed data
    size_t size;                             ///< in bytes
    int32_t vertex_count;                    ///< at least 1
    int32_t attribute_count;                 ///< number of attributes to decode
    const sinew_draco_attribute *attributes; ///< [attribute_count]
    int32_t index_count;                     ///< a multiple of 3
    uint32_t *indices;                       ///< output: [index_count], three per triangle
} sinew_draco_mesh;

/// Decodes KHR_draco_mesh_compression. Fill the arrays in `mesh` without reordering vertices or triangles. Return
/// false if you can't decode the data, if a count differs, or if an attribute is missing. The importer checks the
/// values afterwards. See tools/cli/draco.cc for an example that uses Draco.
typedef bool (*sinew_draco_decode)(const sinew_draco_mesh *mesh, void *user);

/// Reads an extension that the core doesn't support. See sinew_vrm_extension (humanoid/vrm.h).
typedef struct sinew_gltf_extension sinew_gltf_extension;

/// How to load a file. Start from sinew_gltf_default.
typedef struct sinew_gltf_options {
    /// Reads external buffers and images. If this is zero, which is the default, sinew_gltf_load_file reads files
    /// from the glTF file's folder and its subfolders. It refuses absolute paths, ".." and schemes such as http.
    /// sinew_gltf_load_memory refuses all external resources. The load fails if a buffer is used but can't be read.
    /// An image that can't be read stays empty and is logged.
    sinew_reader reader;
    /// Default NULL: the load fails with SINEW_ERROR_UNSUPPORTED if a file needs it.
    sinew_meshopt_decode meshopt_decode;
    void *meshopt_user; ///< passed to meshopt_decode
    /// Default NULL. Draco primitives then use the file's uncompressed vertices. If there aren't any, they stay
    /// empty and are logged. Nodes, skins and clips always load.
    sinew_draco_decode draco_decode;
    void *draco_user; ///< passed to draco_decode
    /// Set this to sinew_vrm_extension to load VRM data. Default NULL: VRM data is ignored.
    const sinew_gltf_extension *extension;
    /// The most memory that the import may use at any time, in bytes. Default 2 GiB. 0 doesn't allow any.
    size_t memory_limit;
    /// Limits memory and work in proportion to the file size. For each byte it reads, the import may hold this many
    /// bytes, and examine this many numbers in shared keys and vertices. The first 4 MiB are free. Default 256.
    /// Normal exports stay far below this limit (see docs/guide.md). 0 doesn't mean unlimited: nothing would load.
    size_t expansion_limit;
    /// The asset's up axis. Default SINEW_UP_Y, the same as in the file. SINEW_UP_Z converts everything (see
    /// sinew_up in math.h).
    sinew_up up;
    /// Loads only the subtree of the first node with this name. "#3" selects nodes[3] in the file. Default NULL:
    /// load everything. If the node doesn't exist, the load fails with SINEW_ERROR_ARGUMENT and the message lists
    /// the node names.
    ///
    /// Ancestors are also loaded, but without their meshes, to keep world transforms correct. If a mesh in the
    /// subtree has a skin, all of the skin's joints are loaded. Clips only keep channels for loaded nodes. Clips,
    /// meshes, materials, textures, images and buffers are left out if nothing uses them anymore. Nodes keep their
    /// file indices (see source_of_node). All other objects are renumbered.
    const char *only_subtree;
    /// Loads only the first skin with this name, including its joints, their ancestors and the meshes that use it.
    /// "#3" selects skins[3] in the file. Otherwise, this is the same as only_subtree. If you set both, the union
    /// is loaded.
    const char *only_skin;
    /// A JSON sidecar file that adds markers and curves to the clips. See docs/guide.md, "Loops and events", and
    /// docs/howto/curves.md. This is a path, or a name that your reader understands. The file must exist. Default
    /// NULL: if you don't set a reader, sinew_gltf_load_file tries NAME.markers.json next to NAME.glb. The load
    /// fails with SINEW_ERROR_FORMAT if the file is invalid or refers to an animation that isn't in the glTF file.
    const char *markers;
    /// [curve_count], UTF-8. Curves to add to the skeleton, with a rest value of 0. This is useful if you bind
    /// clips from other files and want to keep their curves. Names that are already in the file are fine. If a name
    /// is "" or starts with '/', the load fails with SINEW_ERROR_ARGUMENT.
    const char *const *curve_names;
    int32_t curve_count;         ///< 0 or more; default 0
    sinew_key_format key_format; ///< how clips store keys; default SINEW_KEYS_FLOAT; see max_error in sinew_clip
    /// Fills in keys that exporters dropped, which makes sampling faster. A clip can grow by at most this factor.
    /// See sinew_clip_create_filled. Default 2. Use 0 if you only want the keys in the file. Ignored if
    /// compress_error is set.
    float key_growth;
    /// Compresses clips to within this error in meters. Uses sinew_compress_default for everything else. Must be
    /// finite and not negative, otherwise the load fails with SINEW_ERROR_ARGUMENT. Default 0: no compression. If
    /// the library was built with SINEW_NO_COMPRESSION, other values fail with SINEW_ERROR_UNSUPPORTED.
    float compress_error;
    sinew_log log;             ///< receives a line for each repair and for each ignored element; silent by default
    sinew_allocator allocator; ///< defaults to the C library's heap
    uint32_t cookie;           ///< private: set by sinew_gltf_default
} sinew_gltf_options;

/// Returns the default options.
SINEW_API sinew_gltf_options sinew_gltf_default(void);

/// Loads a .glb or .gltf file. Free the asset with sinew_asset_destroy. The format is detected from the content,
/// not the name. `path` is passed to fopen. On Windows, it's UTF-8. `options` may be NULL to use the defaults, and
/// doesn't have to outlive the call. `error` may be NULL. On failure, `*asset` is NULL. Errors:
///   - SINEW_ERROR_IO: a file can't be read.
///   - SINEW_ERROR_FORMAT: the file violates the specification.
///   - SINEW_ERROR_UNSUPPORTED: the file requires an unsupported feature.
///   - SINEW_ERROR_LIMIT: the file exceeds memory_limit or expansion_limit.
///   - SINEW_ERROR_ARGUMENT: `path` is NULL, or an option is invalid.
///   - SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_gltf_load_file(const char *path, const sinew_gltf_options *options,
                                            sinew_asset **asset, sinew_error *error);

/// Loads a file from memory. You can free `data` afterwards. It doesn't need to be aligned. External resources are
/// only read through options->reader. Otherwise, this is the same as sinew_gltf_load_file.
SINEW_API sinew_result sinew_gltf_load_memory(const void *data, size_t size, const sinew_gltf_options *options,
                                              sinew_asset **asset, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
#endif
