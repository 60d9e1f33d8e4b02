// SPDX-License-Identifier: MIT
// The container of a .glb.
#ifndef LINT_GLB_H
#define LINT_GLB_H

#include "lint/edit.h"

// Writes a .glb to `out`, which is empty: a JSON text, and the bytes of its first buffer unless there are none. Both are
// padded. Returns false if memory runs out, and, with an empty `out`, if the file would exceed 4 GiB.
bool lint_write_glb(lint_text *json, lint_text *bin, lint_text *out);

#endif
