// SPDX-License-Identifier: MIT
// Shorter JSON with the same meaning.
#ifndef OPTIMIZE_SHORTEN_H
#define OPTIMIZE_SHORTEN_H

#include "lint/edit.h"
#include "reference/document.h"

// Appends the shortest digits that read back to the same float.
void shorten_append(lint_text *out, double number);

// Shortens the numbers of nodes and materials, except for extras, to those of floats, and removes members of nodes, primitives and
// materials that have their default values.
void shorten_document(lint_edits *edits, ref_document *document);

// Removes the white space between the values of a JSON text.
void shorten_spaces(lint_text *json);

#endif
