// SPDX-License-Identifier: MIT
// The format of a character's recording. All numbers are little-endian, and a count is in groups of 7 bits, lowest first,
// with the top bit set in all bytes but the last.
//
//   start    magic (4 bytes), version (u16)
//   parts    kind (u8), size of the content (u32), checksum (u32), content
//
//   HEAD     hashes of the skeleton, the graph, each step and each state's clips (u64 each), the mixer's definition, and then the
//            character's state (character_write.c) up to the end
//   BEGIN    dt (float), whether the program changed anything (u8), the change
//   END      what follows (u8: RECORDED_BY_EVENTS, RECORDED_IN_BETWEEN), these changes, calls, the hash of the state and the pose (u64)
//   STOP     nothing
//
// A *change* turns one written state into another: the new size, the number of runs, and for each run how many bytes it
// skips and how many bytes follow. The rest is the old state's end. Both leave out the states' headers.
//
// A *call* is an answer of the ground or a step's callback. The first byte of an answer has its top bit set. Its other
// bits say whether there's ground, and which of its six floats follow. The others are the place's, or the last normal's.
// A callback's first byte is its step. Then come the number of nodes, for each of them how many it skips, which of its
// ten floats follow (u16) and those; the morph weights and curves, and the matrices, in the same way. Only matrices
// that don't follow from the nodes are written.
#ifndef SINEWI_CHARACTER_RECORDING_FORMAT_H
#define SINEWI_CHARACTER_RECORDING_FORMAT_H

#include <sinew/motion/character_recording.h>

#include "motion/character_state.h"
#include "base/byte_reader.h"
#include "base/memory.h"

#define SINEWI_CHARACTER_RECORDING_MAGIC   "SnwC"
#define SINEWI_CHARACTER_RECORDING_VERSION 1
#define SINEWI_CHARACTER_RECORDING_START   6 // bytes

enum { RECORDED_HEAD = 'H', RECORDED_BEGIN = 'B', RECORDED_END = 'E', RECORDED_STOP = 'S' };
enum { RECORDED_BY_EVENTS = 1, RECORDED_IN_BETWEEN = 2 };
enum { RECORDED_GROUND = 0x80, RECORDED_IS_FOUND = 0x40 };

// A part's kind, size and checksum.
#define SINEWI_PART_HEADER 9

// The ten floats of a node's transform, and the twelve of a matrix.
enum { NODE_FLOATS = 10, MATRIX_FLOATS = 12 };

// ---- Bytes: character_recording_bytes.c ----------------------------------------------------------------------

// Bytes that grow. Once memory has run out, nothing more is added.
typedef struct byte_buffer {
    sinew_allocator allocator;
    uint8_t *bytes;
    size_t size, capacity;
    bool has_failed;
} byte_buffer;

// Returns false if memory runs out.
bool sinewi_buffer_reserve(byte_buffer *buffer, size_t capacity);
void sinewi_buffer_free(byte_buffer *buffer);
void sinewi_buffer_put(byte_buffer *buffer, uint64_t number, int bytes);
void sinewi_buffer_put_count(byte_buffer *buffer, uint64_t count);
void sinewi_buffer_put_float(byte_buffer *buffer, float value);
void sinewi_buffer_put_bytes(byte_buffer *buffer, const void *bytes, size_t size);

uint32_t sinewi_part_checksum(int kind, const uint8_t *content, size_t size);

// Reads a count. Sets is_cut if it doesn't fit 32 bits.
size_t sinewi_read_count(sinewi_byte_reader *in);

// Writes a character's state with an empty header. Returns false if memory runs out.
bool sinewi_buffer_write_state(byte_buffer *buffer, const sinew_character *character,
                               const sinew_state_names *names);

// Writes the change from one state to another.
void sinewi_buffer_put_change(byte_buffer *buffer, const byte_buffer *from, const byte_buffer *to);

// Whether a change is well-formed. Moves behind it.
bool sinewi_skip_change(sinewi_byte_reader *in);

// Applies a change to `from`. Returns false if it doesn't fit. If memory runs out, sets has_failed of `to`.
bool sinewi_apply_change(sinewi_byte_reader *in, const byte_buffer *from, byte_buffer *to);

// ---- The head: character_recording_head.c --------------------------------------------------------------------

void sinewi_put_character_head(byte_buffer *to, const sinew_character *character);

// Reads the head up to the state, and compares it with the rig. The mixer's definition refers to `root` and to names in
// the arena.

sinew_result sinewi_read_character_head(sinewi_byte_reader *in, const sinew_rig *rig, sinewi_arena *arena,
                                        sinew_mixer_def *mixer, sinew_root_motion_def *root, sinew_error *error);

// ---- Poses: character_recording_bytes.c -------------------------------------------------------------------------

// A hash of the state and the pose after an update. Most steps have no state, so only the pose shows what they did.
uint64_t sinewi_hash_update(const sinew_character *character);

// Brings matrices up to date with the nodes that are marked, bit by bit as a callback does.
void sinewi_update_matrices(const sinew_pose *pose, const uint8_t *changed, sinew_affine *model);

#endif
