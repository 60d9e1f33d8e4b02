// SPDX-License-Identifier: MIT
// Modes TRIANGLES and INDICES of EXT_meshopt_compression, version 1, appendix A.
//
// A triangle is a byte if it has one of the latest edges and its third vertex is the next new one, one of the latest, or next to
// the last one that was stored. Other vertices are differences to that one. An index of a sequence is a difference to one of
// two bases.
#include <meshoptimizer.h>

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { TRIANGLES_HEADER = 0xe1, SEQUENCE_HEADER = 0xd1, TRIANGLES_TAIL = 16, SEQUENCE_TAIL = 4 };

// The lists have 16 entries. An edge and a vertex have codes up to these ages, and a vertex at an edge up to a smaller one.
enum { LIST = 16, EDGE_AGES = 15, VERTEX_AGES = 14, THIRD_AGES = 13 };

// Codes of the third vertex at an edge, and of a vertex of a triangle without one: the others are ages.
enum { NEW = 0, BEFORE_LAST = 13, AFTER_LAST = 14, STORED = 15 };

// Codes of a triangle without a listed edge: below the first, an entry of the table of pairs.
enum { PAIR = 0xfe, PAIR_STORED = 0xff };

// The table of the codes of the second and the third vertex: any is allowed, this is the library's.
static const uint8_t pairs[TRIANGLES_TAIL] = {0x00, 0x76, 0x87, 0x56, 0x67, 0x78, 0xa9,
                                              0x86, 0x65, 0x89, 0x68, 0x98, 0x01, 0x69};
enum { PAIR_COUNT = 14 };

void meshopt_encodeIndexVersion(int version) {
    (void)version;
}

static uint32_t fold_sign(uint32_t difference) {
    return difference << 1 ^ (difference >> 31 ? UINT32_MAX : 0);
}

static uint32_t unfold_sign(uint32_t folded) {
    return folded >> 1 ^ (folded & 1 ? UINT32_MAX : 0);
}

// ---- The lists -----------------------------------------------------------------------------------------------------

typedef struct lists {
    uint32_t edges[LIST][2], vertices[LIST];
    size_t edge_count, vertex_count; // all that were listed
    uint32_t next, last;             // the next new vertex, and the last one that was stored
} lists;

static lists empty_lists(void) {
    lists l = {.next = 0};
    memset(l.edges, 0xff, sizeof l.edges);
    memset(l.vertices, 0xff, sizeof l.vertices);
    return l;
}

static void list_vertex(lists *l, uint32_t vertex) {
    l->vertices[l->vertex_count++ % LIST] = vertex;
}

static void list_edge(lists *l, uint32_t from, uint32_t to) {
    uint32_t *edge = l->edges[l->edge_count++ % LIST];
    edge[0] = from;
    edge[1] = to;
}

// Age 0 is the latest one.
static uint32_t vertex_at(const lists *l, size_t age) {
    return l->vertices[(l->vertex_count - 1 - age) % LIST];
}

static const uint32_t *edge_at(const lists *l, size_t age) {
    return l->edges[(l->edge_count - 1 - age) % LIST];
}

// Lists what a triangle with a listed edge adds: two edges, and its third vertex if that was not listed.
static void list_third(lists *l, const uint32_t *t, int code) {
    list_edge(l, t[2], t[1]);
    list_edge(l, t[0], t[2]);
    if (code == NEW || code >= THIRD_AGES) list_vertex(l, t[2]);
}

// Lists what another triangle adds: three edges, its first vertex, and the others if they were not listed.
static void list_triangle(lists *l, const uint32_t *t, bool adds_second, bool adds_third) {
    list_edge(l, t[1], t[0]);
    list_edge(l, t[2], t[1]);
    list_edge(l, t[0], t[2]);
    list_vertex(l, t[0]);
    if (adds_second) list_vertex(l, t[1]);
    if (adds_third) list_vertex(l, t[2]);
}

// ---- Encoding triangles --------------------------------------------------------------------------------------------

// The bytes of an unsigned number of so many bits, 7 bits a byte.
static size_t number_size(size_t vertex_count, unsigned extra_bits) {
    unsigned bits = 1;
    while (bits < 32 && vertex_count > (size_t)1 << bits) bits++;
    return (bits + extra_bits + 6) / 7;
}

// A code and a pair for each triangle, and three stored vertices, whose differences have a sign.
size_t meshopt_encodeIndexBufferBound(size_t index_count, size_t vertex_count) {
    return 1 + index_count / 3 * (2 + 3 * number_size(vertex_count, 1)) + TRIANGLES_TAIL;
}

static uint8_t *write_number(uint8_t *out, uint32_t number) {
    for (; number > 0x7f; number >>= 7) *out++ = (uint8_t)(number | 0x80);
    *out++ = (uint8_t)number;
    return out;
}

static uint8_t *store_vertex(lists *l, uint8_t *out, uint32_t vertex) {
    out = write_number(out, fold_sign(vertex - l->last));
    l->last = vertex;
    return out;
}

static int vertex_age(const lists *l, uint32_t vertex) {
    for (int age = 0; age < LIST; age++) {
        if (vertex_at(l, (size_t)age) == vertex) return age;
    }
    return LIST;
}

// The age of the latest edge that a triangle has, which is turned so that it starts with that edge; EDGE_AGES: it has none.
static int turn_to_edge(const lists *l, const uint32_t *triangle, uint32_t *t) {
    for (int age = 0; age < EDGE_AGES; age++) {
        const uint32_t *edge = edge_at(l, (size_t)age);
        for (int k = 0; k < 3; k++) {
            if (triangle[k] != edge[0] || triangle[(k + 1) % 3] != edge[1]) continue;
            for (int i = 0; i < 3; i++) t[i] = triangle[(k + i) % 3];
            return age;
        }
    }
    return EDGE_AGES;
}

static int code_third(lists *l, uint32_t vertex) {
    const int age = vertex_age(l, vertex);
    if (age > 0 && age < THIRD_AGES) return age;
    if (vertex == l->next) {
        l->next++;
        return NEW;
    }
    if (vertex + 1 == l->last) return BEFORE_LAST;
    return vertex == l->last + 1 ? AFTER_LAST : STORED;
}

// Writes the code and returns the end of the data.
static uint8_t *encode_at_edge(lists *l, const uint32_t *t, int age, uint8_t *code, uint8_t *out) {
    const int third = code_third(l, t[2]);
    *code = (uint8_t)((unsigned)age << 4 | (unsigned)third);
    if (third == STORED) out = store_vertex(l, out, t[2]);
    if (third == BEFORE_LAST || third == AFTER_LAST) l->last = t[2];
    list_third(l, t, third);
    return out;
}

// The code of the second or the third vertex: 0, its age plus 1, or STORED.
static int code_vertex(lists *l, uint32_t vertex) {
    const int age = vertex_age(l, vertex);
    if (age < VERTEX_AGES) return age + 1;
    if (vertex != l->next) return STORED;
    l->next++;
    return NEW;
}

static int find_pair(unsigned pair) {
    for (int i = 0; i < PAIR_COUNT; i++) {
        if (pairs[i] == pair) return i;
    }
    return -1;
}

// Starts with the next new vertex where it can.
static void turn_to_next(const lists *l, const uint32_t *triangle, uint32_t *t) {
    const int start = triangle[1] == l->next ? 1 : triangle[2] == l->next ? 2 : 0;
    for (int i = 0; i < 3; i++) t[i] = triangle[(start + i) % 3];
}

// Another list of triangles starts: vertices are counted from 0 again. Its triangle is PAIR with a pair of 0.
static bool restart(lists *l, const uint32_t *t) {
    if (t[0] != 0 || t[1] != 1 || t[2] != 2 || l->next == 0) return false;
    l->next = 0;
    memset(l->vertices, 0xff, sizeof l->vertices);
    return true;
}

// Writes the code and returns the end of the data.
static uint8_t *encode_alone(lists *l, const uint32_t *triangle, uint8_t *code, uint8_t *out) {
    uint32_t t[3];
    turn_to_next(l, triangle, t);
    const bool restarts = restart(l, t), is_new = t[0] == l->next;
    if (is_new) l->next++;
    const int second = code_vertex(l, t[1]), third = code_vertex(l, t[2]);
    const unsigned pair = (unsigned)second << 4 | (unsigned)third;
    const int entry = is_new && !restarts ? find_pair(pair) : -1;
    *code = entry >= 0 ? (uint8_t)(0xf0 | entry) : is_new ? PAIR : PAIR_STORED;
    if (entry < 0) *out++ = (uint8_t)pair;
    if (!is_new) out = store_vertex(l, out, t[0]);
    if (second == STORED) out = store_vertex(l, out, t[1]);
    if (third == STORED) out = store_vertex(l, out, t[2]);
    list_triangle(l, t, second == NEW || second == STORED, third == NEW || third == STORED);
    return out;
}

size_t meshopt_encodeIndexBuffer(unsigned char *buffer, size_t buffer_size, const unsigned int *indices,
                                 size_t index_count) {
    const size_t count = index_count / 3;
    if (buffer_size < 1 + count + TRIANGLES_TAIL) return 0;
    uint8_t *codes = buffer + 1, *out = codes + count;
    const uint8_t *limit = buffer + buffer_size - TRIANGLES_TAIL; // a triangle adds no more bytes than the tail has
    lists l = empty_lists();
    buffer[0] = TRIANGLES_HEADER;
    for (size_t i = 0; i < count; i++) {
        uint32_t t[3];
        if (out > limit) return 0;
        const int age = turn_to_edge(&l, indices + 3 * i, t);
        out = age < EDGE_AGES ? encode_at_edge(&l, t, age, codes + i, out)
                              : encode_alone(&l, indices + 3 * i, codes + i, out);
    }
    if (out > limit) return 0;
    memcpy(out, pairs, TRIANGLES_TAIL);
    return (size_t)(out + TRIANGLES_TAIL - buffer);
}

// ---- Encoding sequences --------------------------------------------------------------------------------------------

// A difference has a sign and a bit for its base.
size_t meshopt_encodeIndexSequenceBound(size_t index_count, size_t vertex_count) {
    return 1 + index_count * number_size(vertex_count, 2) + SEQUENCE_TAIL;
}

// The other base is taken where the difference to this one is as large: of two bytes, or nearly so.
enum { FAR = 30 };

static bool is_far(uint32_t difference) {
    return (difference >> 31 ? 0 - difference : difference) >= FAR;
}

size_t meshopt_encodeIndexSequence(unsigned char *buffer, size_t buffer_size, const unsigned int *indices,
                                   size_t index_count) {
    if (buffer_size < 1 + index_count + SEQUENCE_TAIL) return 0;
    const uint8_t *limit = buffer + buffer_size - SEQUENCE_TAIL;
    uint8_t *out = buffer + 1;
    uint32_t bases[2] = {0, 0};
    unsigned base = 0;
    buffer[0] = SEQUENCE_HEADER;
    for (size_t i = 0; i < index_count; i++) {
        if (out >= limit) return 0;
        if (is_far(indices[i] - bases[base])) base ^= 1;
        out = write_number(out, fold_sign(indices[i] - bases[base]) << 1 | base);
        bases[base] = indices[i];
    }
    if (out > limit) return 0;
    memset(out, 0, SEQUENCE_TAIL);
    return (size_t)(out + SEQUENCE_TAIL - buffer);
}

// ---- Decoding ------------------------------------------------------------------------------------------------------

typedef struct input {
    const uint8_t *data, *end; // the end is that of the data
    bool failed;               // data were missing
} input;

static unsigned read_byte(input *in) {
    if (in->data < in->end) return *in->data++;
    in->failed = true;
    return 0;
}

// A number has at most 5 bytes.
static uint32_t read_number(input *in) {
    uint32_t number = 0;
    for (unsigned shift = 0; shift < 35; shift += 7) {
        const unsigned byte = read_byte(in);
        number |= (byte & 0x7f) << shift;
        if (byte < 0x80) break;
    }
    return number;
}

static void write_index(void *out, size_t at, size_t index_size, uint32_t index) {
    const uint16_t small = (uint16_t)index;
    memcpy((char *)out + at * index_size, index_size == 2 ? (const void *)&small : &index, index_size);
}

static uint32_t read_stored(lists *l, input *in) {
    l->last += unfold_sign(read_number(in));
    return l->last;
}

static void decode_at_edge(lists *l, unsigned code, input *in, uint32_t *t) {
    const unsigned third = code & 15;
    memcpy(t, edge_at(l, code >> 4), 2 * sizeof *t);
    if (third == NEW) {
        t[2] = l->next++;
    } else if (third < THIRD_AGES) {
        t[2] = vertex_at(l, third);
    } else if (third == STORED) {
        t[2] = read_stored(l, in);
    } else {
        t[2] = l->last += third == AFTER_LAST ? 1 : UINT32_MAX;
    }
    list_third(l, t, (int)third);
}

// The second or the third vertex. Returns whether it was not listed. A pair of the table has no stored vertices.
static bool decode_vertex(lists *l, unsigned code, bool may_be_stored, input *in, uint32_t *vertex) {
    const bool is_stored = may_be_stored && code == STORED;
    *vertex = code == NEW ? l->next++ : is_stored ? read_stored(l, in) : vertex_at(l, code - 1);
    return code == NEW || is_stored;
}

static void decode_alone(lists *l, unsigned code, const uint8_t *table, input *in, uint32_t *t) {
    const bool is_listed = code < PAIR;
    const unsigned pair = is_listed ? (unsigned)table[code & 15] : read_byte(in);
    if (!is_listed && pair == 0) l->next = 0;
    t[0] = code == PAIR_STORED ? read_stored(l, in) : l->next++;
    const bool adds_second = decode_vertex(l, pair >> 4, !is_listed, in, &t[1]);
    const bool adds_third = decode_vertex(l, pair & 15, !is_listed, in, &t[2]);
    list_triangle(l, t, adds_second, adds_third);
}

int meshopt_decodeIndexBuffer(void *destination, size_t index_count, size_t index_size, const unsigned char *buffer,
                              size_t buffer_size) {
    const size_t count = index_count / 3;
    if (buffer_size < 1 + count + TRIANGLES_TAIL || buffer[0] != TRIANGLES_HEADER) return -1;
    const uint8_t *codes = buffer + 1, *table = buffer + buffer_size - TRIANGLES_TAIL;
    input in = {.data = codes + count, .end = table};
    lists l = empty_lists();
    for (size_t i = 0; i < count && !in.failed; i++) {
        uint32_t t[3];
        if (codes[i] < 0xf0) {
            decode_at_edge(&l, codes[i], &in, t);
        } else {
            decode_alone(&l, codes[i], table, &in, t);
        }
        for (size_t k = 0; k < 3; k++) write_index(destination, 3 * i + k, index_size, t[k]);
    }
    return !in.failed && in.data == in.end ? 0 : -1;
}

int meshopt_decodeIndexSequence(void *destination, size_t index_count, size_t index_size,
                                const unsigned char *buffer, size_t buffer_size) {
    if (buffer_size < 1 + index_count + SEQUENCE_TAIL || buffer[0] != SEQUENCE_HEADER) return -1;
    input in = {.data = buffer + 1, .end = buffer + buffer_size - SEQUENCE_TAIL};
    uint32_t bases[2] = {0, 0};
    for (size_t i = 0; i < index_count && !in.failed; i++) {
        const uint32_t number = read_number(&in);
        bases[number & 1] += unfold_sign(number >> 1);
        write_index(destination, i, index_size, bases[number & 1]);
    }
    return !in.failed && in.data == in.end ? 0 : -1;
}
