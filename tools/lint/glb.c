// SPDX-License-Identifier: MIT
// Writes a .glb (section 4.4): header, JSON chunk, binary chunk.
#include "lint/glb.h"

static void append_u32(lint_text *out, size_t value) {
    uint8_t bytes[4];
    for (int i = 0; i < 4; i++) bytes[i] = (uint8_t)(value >> (8 * i));
    lint_append(out, bytes, sizeof bytes);
}

static void pad(lint_text *out, char with) {
    while (out->size % 4 != 0 && !out->failed) lint_append(out, &with, 1);
}

bool lint_write_glb(lint_text *json, lint_text *bin, lint_text *out) {
    pad(json, ' ');
    pad(bin, '\0');
    size_t total = 12 + 8 + json->size + (bin->size > 0 ? 8 + bin->size : 0);
    if (json->failed || bin->failed || total > UINT32_MAX) return false;
    lint_append(out, "glTF", 4);
    append_u32(out, 2);
    append_u32(out, total);
    append_u32(out, json->size);
    lint_append(out, "JSON", 4);
    lint_append(out, json->data, json->size);
    if (bin->size > 0) {
        append_u32(out, bin->size);
        lint_append(out, "BIN", 4); // includes the zero byte
        lint_append(out, bin->data, bin->size);
    }
    return !out->failed;
}
