// SPDX-License-Identifier: MIT
#include "support/draco_encode.h"

#include <draco/compression/expert_encode.h>

#include <cstdlib>
#include <cstring>
#include <new>

// ---- The heap --------------------------------------------------------------------------------------------------

static size_t largest;

#ifdef SINEW_COUNT_ALLOCATIONS
void *operator new(size_t size) {
    if (size > largest) largest = size;
    void *memory = std::malloc(size > 0 ? size : 1);
    if (!memory) throw std::bad_alloc();
    return memory;
}

void operator delete(void *memory) noexcept {
    std::free(memory);
}

void operator delete(void *memory, size_t) noexcept {
    std::free(memory);
}
#endif

extern "C" size_t draco_largest_allocation(void) {
    size_t found = largest;
    largest = 0;
    return found;
}

// ---- Encoding --------------------------------------------------------------------------------------------------

static draco::GeometryAttribute::Type type_of(const char *kind) {
    if (std::strcmp(kind, "POSITION") == 0) return draco::GeometryAttribute::POSITION;
    if (std::strcmp(kind, "NORMAL") == 0) return draco::GeometryAttribute::NORMAL;
    if (std::strcmp(kind, "TEX_COORD") == 0) return draco::GeometryAttribute::TEX_COORD;
    return std::strcmp(kind, "COLOR") == 0 ? draco::GeometryAttribute::COLOR : draco::GeometryAttribute::GENERIC;
}

static void add_attribute(draco::Mesh *mesh, const draco_attribute &a, int32_t vertex_count) {
    const draco::DataType type = a.component == 5121   ? draco::DT_UINT8
                                 : a.component == 5123 ? draco::DT_UINT16
                                                       : draco::DT_FLOAT32;
    const int64_t stride = int64_t{draco::DataTypeLength(type)} * a.width;
    draco::GeometryAttribute attribute;
    attribute.Init(type_of(a.kind), nullptr, static_cast<uint8_t>(a.width), type, a.component == 5121, stride, 0);
    const int id = mesh->AddAttribute(attribute, true, static_cast<uint32_t>(vertex_count));
    mesh->attribute(id)->set_unique_id(a.id);
    for (int32_t v = 0; v < vertex_count; v++)
        mesh->attribute(id)->SetAttributeValue(draco::AttributeValueIndex(static_cast<uint32_t>(v)),
                                               static_cast<const uint8_t *>(a.data) + v * stride);
}

uint8_t *draco_encode(int32_t vertex_count, int32_t triangle_count, const uint32_t *indices,
                      int32_t attribute_count, const draco_attribute *attributes, int edgebreaker, size_t *size) {
    draco::Mesh mesh;
    mesh.set_num_points(static_cast<uint32_t>(vertex_count));
    mesh.SetNumFaces(static_cast<size_t>(triangle_count));
    for (uint32_t i = 0; i < static_cast<uint32_t>(triangle_count); i++) {
        draco::Mesh::Face face;
        for (uint32_t k = 0; k < 3; k++) face[k] = draco::PointIndex(indices[3 * i + k]);
        mesh.SetFace(draco::FaceIndex(i), face);
    }
    for (int32_t i = 0; i < attribute_count; i++) add_attribute(&mesh, attributes[i], vertex_count);
    draco::ExpertEncoder encoder(mesh);
    encoder.SetEncodingMethod(edgebreaker ? draco::MESH_EDGEBREAKER_ENCODING : draco::MESH_SEQUENTIAL_ENCODING);
    for (int32_t i = 0; i < attribute_count; i++)
        if (attributes[i].quantization > 0) encoder.SetAttributeQuantization(i, attributes[i].quantization);
    draco::EncoderBuffer buffer;
    if (!encoder.EncodeToBuffer(&buffer).ok()) return nullptr;
    auto *bytes = static_cast<uint8_t *>(std::malloc(buffer.size()));
    if (!bytes) return nullptr;
    std::memcpy(bytes, buffer.data(), buffer.size());
    *size = buffer.size();
    return bytes;
}
