// SPDX-License-Identifier: MIT
// Writes .glb files.
#ifndef LINT_GLB_H
#define LINT_GLB_H

#include "lint/edit.h"

// Writes a .glb to an empty `out`: JSON text, and the first buffer's bytes if there are any. Both are padded. Returns
// false if memory runs out, or with an empty `out` if the file would exceed 4 GiB.
bool lint_write_glb(lint_text *json, lint_text *bin, lint_text *out);

#endif
