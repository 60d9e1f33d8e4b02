// SPDX-License-Identifier: MIT
// Decodes meshes compressed with KHR_draco_mesh_compression, using the libdraco library.
//
// libdraco allocates as much memory as the data ask for. Before it does, this checks the data's counts against the
// accessors, and the data's attributes against the wanted ones. This limits libdraco to a small multiple of the memory
// that the import has allocated for the result.
#include "cli/draco.h"

#include <draco/compression/mesh/mesh_edgebreaker_decoder.h>
#include <draco/compression/mesh/mesh_sequential_decoder.h>
#include <draco/core/varint_decoding.h>

#include <exception>

namespace {

// The extension requires version 2.2 of the data format.
constexpr uint8_t kMajor = 2, kMinor = 2;

// How many bytes a vertex may have besides the wanted attributes.
constexpr int64_t kOtherAttributes = 256;

int32_t component_size(int32_t component_type) {
    if (component_type == 5120 || component_type == 5121) return 1;
    return component_type == 5122 || component_type == 5123 ? 2 : 4;
}

// ---- What the data say of themselves ---------------------------------------------------------------------------

// Checks the counts before the connectivity. `buffer` is a copy, because the decoder reads them again.
bool fits(draco::DecoderBuffer buffer, bool edgebreaker, const sinew_draco_mesh &mesh) {
    uint32_t vertices, faces, points;
    const auto wanted_faces = static_cast<uint32_t>(mesh.index_count / 3);
    if (edgebreaker) // libdraco checks the vertices: they're the surface's, at most three per face
        return draco::DecodeVarint(&vertices, &buffer) && draco::DecodeVarint(&faces, &buffer) &&
               faces == wanted_faces;
    return draco::DecodeVarint(&faces, &buffer) && draco::DecodeVarint(&points, &buffer) && faces == wanted_faces &&
           points == static_cast<uint32_t>(mesh.vertex_count);
}

bool attributes_fit(const draco::PointCloud &cloud, const sinew_draco_mesh &mesh) {
    int64_t most = kOtherAttributes, bytes = 0;
    for (int32_t i = 0; i < mesh.attribute_count; i++) {
        most += int64_t{mesh.attributes[i].component_count} * component_size(mesh.attributes[i].component_type);
        most += int64_t{mesh.attributes[i].component_count} * 4; // the data may have wider numbers
    }
    for (int32_t i = 0; i < cloud.num_attributes(); i++) bytes += cloud.attribute(i)->byte_stride();
    return static_cast<int64_t>(cloud.num_points()) == mesh.vertex_count && bytes <= most;
}

// A libdraco decoder that makes these checks between its steps.
template <class Base, bool kEdgebreaker> class Checked : public Base {
  public:
    explicit Checked(const sinew_draco_mesh &mesh) : mesh_(mesh) {}

  protected:
    bool DecodeConnectivity() override {
        return fits(*this->buffer(), kEdgebreaker, mesh_) && Base::DecodeConnectivity();
    }

    bool DecodeAllAttributes() override {
        return attributes_fit(*this->point_cloud(), mesh_) && Base::DecodeAllAttributes();
    }

  private:
    const sinew_draco_mesh &mesh_;
};

// ---- What is decoded -------------------------------------------------------------------------------------------

template <class Number>
bool copy_numbers(const draco::PointAttribute &from, const sinew_draco_attribute &to, int32_t vertex_count) {
    auto *out = static_cast<Number *>(to.out);
    const auto width = static_cast<int8_t>(to.component_count);
    for (int32_t v = 0; v < vertex_count; v++, out += width) {
        const draco::AttributeValueIndex value = from.mapped_index(draco::PointIndex(static_cast<uint32_t>(v)));
        if (value.value() >= from.size() || !from.ConvertValue<Number>(value, width, out)) return false;
    }
    return true;
}

bool copy_attribute(const draco::Mesh &decoded, const sinew_draco_attribute &to, int32_t vertex_count) {
    const draco::PointAttribute *from = decoded.GetAttributeByUniqueId(to.id);
    if (!from || from->num_components() != to.component_count) return false;
    switch (to.component_type) {
    case 5120:
        return copy_numbers<int8_t>(*from, to, vertex_count);
    case 5121:
        return copy_numbers<uint8_t>(*from, to, vertex_count);
    case 5122:
        return copy_numbers<int16_t>(*from, to, vertex_count);
    case 5123:
        return copy_numbers<uint16_t>(*from, to, vertex_count);
    case 5125:
        return copy_numbers<uint32_t>(*from, to, vertex_count);
    default:
        return copy_numbers<float>(*from, to, vertex_count);
    }
}

bool copy_mesh(const draco::Mesh &decoded, const sinew_draco_mesh &mesh) {
    if (decoded.num_points() != static_cast<uint32_t>(mesh.vertex_count)) return false;
    if (decoded.num_faces() != static_cast<uint32_t>(mesh.index_count / 3)) return false;
    uint32_t *indices = mesh.indices;
    for (uint32_t i = 0; i < decoded.num_faces(); i++)
        for (const draco::PointIndex &corner : decoded.face(draco::FaceIndex(i))) *indices++ = corner.value();
    for (int32_t i = 0; i < mesh.attribute_count; i++)
        if (!copy_attribute(decoded, mesh.attributes[i], mesh.vertex_count)) return false;
    return true;
}

template <class Decoder> bool decode_by(const sinew_draco_mesh &mesh) {
    draco::DecoderBuffer buffer;
    draco::Mesh decoded;
    buffer.Init(reinterpret_cast<const char *>(mesh.data), mesh.size);
    Decoder decoder(mesh);
    return decoder.Decode(draco::DecoderOptions(), &buffer, &decoded).ok() && copy_mesh(decoded, mesh);
}

bool decode_mesh(const sinew_draco_mesh &mesh) {
    draco::DecoderBuffer buffer;
    draco::DracoHeader header;
    buffer.Init(reinterpret_cast<const char *>(mesh.data), mesh.size);
    if (!draco::PointCloudDecoder::DecodeHeader(&buffer, &header).ok()) return false;
    if (header.encoder_type != draco::TRIANGULAR_MESH) return false;
    if (header.version_major != kMajor || header.version_minor != kMinor) return false;
    return header.encoder_method == draco::MESH_EDGEBREAKER_ENCODING
               ? decode_by<Checked<draco::MeshEdgebreakerDecoder, true>>(mesh)
               : decode_by<Checked<draco::MeshSequentialDecoder, false>>(mesh);
}

// Exceptions must not reach the import, which is C.
bool decode(const sinew_draco_mesh *mesh, void *) {
    try {
        return decode_mesh(*mesh);
    } catch (const std::exception &) {
        return false;
    }
}

} // namespace

extern "C" sinew_draco_decode cli_draco_decoder(void) {
    return decode;
}
