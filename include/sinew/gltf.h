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
    uint8_t *data; ///< [size]; may be NULL where size is 0
    size_t size;   ///< in bytes
} sinew_bytes;

/// Reads buffers and images that stand outside the file. Called only during the load that it was given to, and on
/// its thread.
typedef struct sinew_reader {
    /// Reads the whole of `uri` (decoded, relative, as the file says it). Returns false when it cannot.
    bool (*read)(const char *uri, sinew_bytes *bytes, void *user);
    /// Takes back what `read` gave.
    void (*release)(sinew_bytes bytes, void *user);
    void *user; ///< given to both; never looked at
} sinew_reader;

/// How the bytes of an EXT_meshopt_compression buffer view are coded (the extension's "mode").
typedef enum sinew_meshopt_mode {
    SINEW_MESHOPT_ATTRIBUTES, ///< "ATTRIBUTES": vertices
    SINEW_MESHOPT_TRIANGLES,  ///< "TRIANGLES": indices, three for each triangle
    SINEW_MESHOPT_INDICES     ///< "INDICES": any indices
} sinew_meshopt_mode;

/// What is applied after decoding (the extension's "filter").
typedef enum sinew_meshopt_filter {
    SINEW_MESHOPT_FILTER_NONE,        ///< "NONE", or none
    SINEW_MESHOPT_FILTER_OCTAHEDRAL,  ///< "OCTAHEDRAL": unit vectors
    SINEW_MESHOPT_FILTER_QUATERNION,  ///< "QUATERNION": rotations
    SINEW_MESHOPT_FILTER_EXPONENTIAL, ///< "EXPONENTIAL": floats of a shared exponent
    SINEW_MESHOPT_FILTER_COLOR        ///< "COLOR": colours, of KHR_meshopt_compression only
} sinew_meshopt_filter;

/// Decodes EXT_meshopt_compression: `count` elements of `stride` bytes into `out`, filter included. Returns false
/// for data that it cannot decode, because they are damaged or need what it does not have; the error then says which,
/// by their first byte. meshoptimizer's decoder fits in ten lines; the `sinew` command shows them.
typedef bool (*sinew_meshopt_decode)(uint8_t *out, size_t count, size_t stride, const uint8_t *data, size_t size,
                                     sinew_meshopt_mode mode, sinew_meshopt_filter filter, void *user);

/// One vertex attribute of a mesh that KHR_draco_mesh_compression holds.
typedef struct sinew_draco_attribute {
    uint32_t id; ///< the attribute's unique id in the compressed data
    int32_t
        component_type; ///< glTF's number: 5120 int8, 5121 uint8, 5122 int16, 5123 uint16, 5125 uint32, 5126 float
    int32_t component_count; ///< numbers a vertex: 1 to 4
    void *out; ///< [vertex_count × component_count] of that type, tightly packed and aligned for it; to be filled
} sinew_draco_attribute;

/// A mesh that KHR_draco_mesh_compression holds, and the arrays that it is decoded into. All sizes are the accessors'
/// and are checked against the limits of the load; data of other sizes are damaged.
typedef struct sinew_draco_mesh {
    const uint8_t *data;                     ///< [size], the compressed data
    size_t size;                             ///< in bytes
    int32_t vertex_count;                    ///< more than 0
    int32_t attribute_count;                 ///< those that the import reads
    const sinew_draco_attribute *attributes; ///< [attribute_count]
    int32_t index_count;                     ///< a multiple of 3
    uint32_t *indices;                       ///< [index_count], three for each triangle; to be filled
} sinew_draco_mesh;

/// Decodes KHR_draco_mesh_compression: fills the arrays that `mesh` refers to, in the data's own order of vertices and
/// triangles. Returns false for data that it cannot decode, or that have other counts or not these attributes. The
/// import checks what it gets: indices, joints and numbers need not be sound. Draco's decoder fits in a hundred lines;
/// the `sinew` command shows them.
typedef bool (*sinew_draco_decode)(const sinew_draco_mesh *mesh, void *user);

/// What a load may do, and how. Start from sinew_gltf_default: limits of 0 let nothing load.
typedef struct sinew_gltf_options {
    /// Zero-initialised (the default), sinew_gltf_load_file reads from the file's own folder and below (absolute
    /// paths, "..", and other schemes are refused), and sinew_gltf_load_memory refuses external resources.
    /// A buffer that something uses and that is refused or cannot be read is an error; an image is left empty, with a
    /// log line.
    sinew_reader reader;
    sinew_meshopt_decode meshopt_decode; ///< NULL (default): files that need it are SINEW_ERROR_UNSUPPORTED
    void *meshopt_user;                  ///< given to meshopt_decode; never looked at
    /// NULL (default): a primitive that is compressed with Draco has the file's uncompressed vertices where there are
    /// some, and else none, with a log line. Nodes, skins and clips load in either case.
    sinew_draco_decode draco_decode;
    void *draco_user;    ///< given to draco_decode
    size_t memory_limit; ///< bytes that the import may hold at a time; default 2 GiB
    /// How much larger than the file what comes of it may be: the import holds no more than this many bytes, and
    /// looks at no more than this many numbers of shared keys and vertices, for each byte that it has read, and 4 MiB.
    /// Default 256. Files made by people stay far below; see docs/guide.md.
    size_t expansion_limit;
    sinew_up up; ///< which axis is to point up; SINEW_UP_Z turns everything. Default SINEW_UP_Y
    /// Loads only the node of that name (the first), or "#3" for the file's nodes[3], with all below it. What stands
    /// above it is loaded as places, without meshes, so that world transforms stay right; and the skins that its
    /// meshes wear with their joints, wherever those are. Clips keep the channels of what is loaded, and those without
    /// any are left out; so are meshes, materials, textures and images that nothing loaded uses, and buffers that hold
    /// nothing else are not read. Nodes keep the file's numbers (source_of_node); all else is numbered anew. NULL (the
    /// default): everything is loaded. SINEW_ERROR_ARGUMENT, with what names there are, where there is none of that
    /// name.
    const char *only_subtree;
    /// The same for the skin of that name, or "#3" for the file's skins[3]: its joints, all nodes above them, and the
    /// meshes that wear it. With both, what either needs.
    const char *only_skin;
    /// A JSON file of markers for the clips, besides those in the file itself: see docs/guide.md, "Loops and events".
    /// NULL (the default): sinew_gltf_load_file without a reader reads NAME.markers.json beside NAME.glb, if it is
    /// there. Given, it must be there: a path as sinew_gltf_load_file takes it, or what the reader has under that name.
    /// SINEW_ERROR_FORMAT for one that is broken, or names an animation that the file has not.
    const char *markers;
    sinew_key_format
        rows;      ///< how clips keep their keys; default SINEW_KEYS_FLOAT. See sinew_clip's quantization_error
    sinew_log log; ///< what was put right on the way; silent by default
    sinew_allocator allocator; ///< zero: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_gltf_default
} sinew_gltf_options;

/// The defaults above.
SINEW_API sinew_gltf_options sinew_gltf_default(void);

/// Loads a .glb or .gltf file (told apart by content, not by name) into an asset, to be freed with
/// sinew_asset_destroy. `path` is what fopen takes, on Windows UTF-8. `options` and `error` may be NULL. On
/// failure `*asset` is NULL, nothing is left behind, and the result and `error` say why: SINEW_ERROR_IO for a file
/// that cannot be read, SINEW_ERROR_FORMAT for one that breaks the specification, SINEW_ERROR_UNSUPPORTED for one
/// that requires what is not there, SINEW_ERROR_LIMIT past memory_limit or expansion_limit, SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_gltf_load_file(const char *path, const sinew_gltf_options *options,
                                            sinew_asset **asset, sinew_error *error);

/// The same from `size` bytes of memory, which may be freed afterwards and need not be aligned. External resources
/// come through options->reader only.
SINEW_API sinew_result sinew_gltf_load_memory(const void *data, size_t size, const sinew_gltf_options *options,
                                              sinew_asset **asset, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
