// SPDX-License-Identifier: MIT
// Mode ATTRIBUTES of EXT_meshopt_compression, version 0, appendix A: blocks of elements, in which each byte of the element
// is a stream of differences to the element before, in groups of 16 that have 0, 2, 4 or 8 bits a difference.
#include <meshoptimizer.h>

#include <stdint.h>
#include <string.h>

enum { HEADER = 0xa0, GROUP = 16, MAX_BLOCK = 256, BLOCK_BYTES = 8192, MIN_TAIL = 32, MAX_SIZE = 256 };

void meshopt_encodeVertexVersion(int version) {
    (void)version;
}

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

static size_t tail_size(size_t vertex_size) {
    return vertex_size > MIN_TAIL ? vertex_size : MIN_TAIL;
}

// The elements of a block: a multiple of 16.
static size_t block_length(size_t vertex_size) {
    return smaller(BLOCK_BYTES / vertex_size / GROUP * GROUP, MAX_BLOCK);
}

static size_t groups_of(size_t count) {
    return (count + GROUP - 1) / GROUP;
}

// Two bits a group.
static size_t header_size(size_t groups) {
    return (groups + 3) / 4;
}

size_t meshopt_encodeVertexBufferBound(size_t vertex_count, size_t vertex_size) {
    const size_t length = block_length(vertex_size), blocks = (vertex_count + length - 1) / length;
    return 1 + blocks * vertex_size * (header_size(length / GROUP) + length) + tail_size(vertex_size);
}

// ---- Encoding ------------------------------------------------------------------------------------------------------

// Bits a difference, by the two bits of the header. A difference that has all bits set is followed by a byte.
static const int bits_of[4] = {0, 2, 4, 8};

// The bytes of a group with so many bits; more than 16 if it does not fit.
static size_t measure_group(const uint8_t *group, int bits) {
    const unsigned escape = (1u << (unsigned)bits) - 1;
    size_t size = (size_t)bits * GROUP / 8;
    for (int i = 0; i < GROUP && bits < 8; i++) {
        if (bits == 0 && group[i] != 0) return GROUP + 1;
        if (bits > 0 && group[i] >= escape) size++;
    }
    return size;
}

// The smallest; of equal ones 8 bits first, then the fewest.
static int choose_bits(const uint8_t *group) {
    int best = 3;
    for (int mode = 0; mode < 3; mode++) {
        if (measure_group(group, bits_of[mode]) < measure_group(group, bits_of[best])) best = mode;
    }
    return best;
}

static uint8_t *encode_group(uint8_t *out, const uint8_t *group, int bits) {
    const unsigned escape = (1u << (unsigned)bits) - 1;
    if (bits == 8) {
        memcpy(out, group, GROUP);
        return out + GROUP;
    }
    for (int i = 0, filled = 0; i < GROUP && bits > 0; i++) {
        const unsigned value = group[i] < escape ? (unsigned)group[i] : escape;
        *out = (uint8_t)((unsigned)*out << (unsigned)bits | value);
        filled += bits;
        if (filled % 8 == 0) out++;
    }
    for (int i = 0; i < GROUP && bits > 0; i++) {
        if (group[i] >= escape) *out++ = group[i];
    }
    return out;
}

static uint8_t *encode_stream(uint8_t *out, const uint8_t *differences, size_t groups) {
    uint8_t *header = out;
    out += header_size(groups);
    memset(header, 0, header_size(groups));
    for (size_t g = 0; g < groups; g++) {
        const int mode = choose_bits(differences + GROUP * g);
        header[g / 4] = (uint8_t)(header[g / 4] | (unsigned)mode << (g % 4 * 2));
        out = encode_group(out, differences + GROUP * g, bits_of[mode]);
    }
    return out;
}

// 0, -1, 1, -2, ... become 0, 1, 2, 3, ...
static uint8_t fold_sign(uint8_t difference) {
    return (uint8_t)(difference << 1 ^ (difference & 0x80 ? 0xff : 0));
}

static uint8_t *encode_block(uint8_t *out, const uint8_t *vertices, size_t count, size_t vertex_size,
                             const uint8_t *before) {
    for (size_t k = 0; k < vertex_size; k++) {
        uint8_t differences[MAX_BLOCK] = {0}, last = before[k];
        for (size_t i = 0; i < count; i++) {
            const uint8_t byte = vertices[i * vertex_size + k];
            differences[i] = fold_sign((uint8_t)(byte - last));
            last = byte;
        }
        out = encode_stream(out, differences, groups_of(count));
    }
    return out;
}

size_t meshopt_encodeVertexBuffer(unsigned char *buffer, size_t buffer_size, const void *vertices,
                                  size_t vertex_count, size_t vertex_size) {
    const uint8_t *from = vertices;
    const size_t length = block_length(vertex_size), tail = tail_size(vertex_size);
    uint8_t *out = buffer;
    if (vertex_count == 0 || meshopt_encodeVertexBufferBound(vertex_count, vertex_size) > buffer_size) return 0;
    memset(buffer, 0, buffer_size); // groups are packed bit by bit
    *out++ = HEADER;
    for (size_t first = 0; first < vertex_count; first += length) {
        const uint8_t *before = from + (first > 0 ? first - 1 : 0) * vertex_size;
        out = encode_block(out, from + first * vertex_size, smaller(length, vertex_count - first), vertex_size,
                           before);
    }
    memset(out, 0, tail - vertex_size);
    out += tail - vertex_size;
    memcpy(out, from, vertex_size);
    return (size_t)(out + vertex_size - buffer);
}

// ---- Decoding ------------------------------------------------------------------------------------------------------

typedef struct input {
    const uint8_t *data, *end; // the end is that of the blocks
} input;

static size_t left_of(const input *in) {
    return (size_t)(in->end - in->data);
}

static int decode_group(input *in, int bits, uint8_t *group) {
    const unsigned escape = (1u << (unsigned)bits) - 1;
    const size_t size = (size_t)bits * GROUP / 8;
    if (left_of(in) < size) return -1;
    const uint8_t *packed = in->data;
    in->data += size;
    for (int i = 0; i < GROUP; i++) {
        const int at = i * bits;
        group[i] = bits == 0 ? 0 : (uint8_t)(packed[at / 8] >> (8 - bits - at % 8) & escape);
        if (bits == 0 || bits == 8 || group[i] != escape) continue;
        if (left_of(in) == 0) return -1;
        group[i] = *in->data++;
    }
    return 0;
}

static int decode_stream(input *in, uint8_t *differences, size_t groups) {
    const uint8_t *header = in->data;
    if (left_of(in) < header_size(groups)) return -1;
    in->data += header_size(groups);
    for (size_t g = 0; g < groups; g++) {
        if (decode_group(in, bits_of[header[g / 4] >> (g % 4 * 2) & 3], differences + GROUP * g) != 0) return -1;
    }
    return 0;
}

static int decode_block(input *in, uint8_t *out, size_t count, size_t vertex_size, uint8_t *last) {
    for (size_t k = 0; k < vertex_size; k++) {
        uint8_t differences[MAX_BLOCK];
        if (decode_stream(in, differences, groups_of(count)) != 0) return -1;
        for (size_t i = 0; i < count; i++) {
            // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): the groups hold `count` differences
            last[k] = (uint8_t)(last[k] + (differences[i] >> 1 ^ (differences[i] & 1 ? 0xff : 0)));
            out[i * vertex_size + k] = last[k];
        }
    }
    return 0;
}

int meshopt_decodeVertexBuffer(void *destination, size_t vertex_count, size_t vertex_size,
                               const unsigned char *buffer, size_t buffer_size) {
    const size_t length = block_length(vertex_size), tail = tail_size(vertex_size);
    uint8_t last[MAX_SIZE];
    if (buffer_size < 1 + tail || buffer[0] != HEADER) return -1;
    input in = {buffer + 1, buffer + buffer_size - tail};
    memcpy(last, buffer + buffer_size - vertex_size, vertex_size);
    for (size_t first = 0; first < vertex_count; first += length) {
        uint8_t *out = (uint8_t *)destination + first * vertex_size;
        if (decode_block(&in, out, smaller(length, vertex_count - first), vertex_size, last) != 0) return -1;
    }
    return in.data == in.end ? 0 : -1;
}
