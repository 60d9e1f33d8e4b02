// SPDX-License-Identifier: MIT
// Makes JSON shorter without changing its meaning.
#ifndef OPTIMIZE_SHORTEN_H
#define OPTIMIZE_SHORTEN_H

#include "lint/edit.h"
#include "reference/document.h"

// Appends the fewest digits that read back as the same float.
void shorten_append(lint_text *out, double number);

// Shortens numbers in nodes and materials, except in extras, to a float's digits. Removes members of nodes, primitives
// and materials that have their default values.
void shorten_document(lint_edits *edits, ref_document *document);

// Removes white space between the values in JSON text.
void shorten_spaces(lint_text *json);

#endif
